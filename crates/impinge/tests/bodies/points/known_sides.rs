//! The side of a point by its nearest triangle alone: the same as by exact crossings of a ray, on surfaces that touch
//! themselves, too. Crossings themselves are beside rational arithmetic, but where a point is inside twice over, which
//! counts as outside there.

use glam::DVec3;
use impinge::{Interval, Mesh, Model, Pose};
use impinge_testing::random::Random;
use impinge_testing::shapes::{cuboid, point, ring, sphere, tetra, torus};
use impinge_testing::soup::{Soup, lies_inside};

fn turned(soup: &Soup) -> Soup {
    let triangles = soup.triangles.iter().map(|[i, j, k]| [*i, *k, *j]).collect();
    Soup { triangles, vertices: soup.vertices.clone() }
}

/// A ball of which one vertex was pulled out through the other side.
fn pierced() -> Soup {
    let mut soup = sphere(2, 1.0);
    soup.vertices[0] = soup.vertices[0] * -1.5 + DVec3::splat(0.01);
    soup
}

fn bodies() -> Vec<(&'static str, Soup)> {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let (tetrahedron, mirrored) = (|| tetra(corners), tetra(corners.map(|p| -p)));
    vec![
        ("ball", sphere(2, 1.0)),
        ("ball inside out", turned(&sphere(2, 1.0))),
        ("torus", torus(1.0, 0.3, 16, 10)),
        ("ring", ring(9, 2.0, 1.0, 0.5)),
        ("thin plate", cuboid(DVec3::ZERO, DVec3::new(1.0, 1.0, 1e-4))),
        ("sheet of paper", cuboid(DVec3::ZERO, DVec3::new(1.0, 1.0, 1e-14))),
        ("pierced ball", pierced()),
        ("hollow", cuboid(DVec3::ZERO, DVec3::ONE).and(&turned(&cuboid(DVec3::ZERO, DVec3::splat(0.5))))),
        ("one in another", sphere(1, 1.0).and(&sphere(1, 0.5))),
        ("crossing", sphere(1, 1.0).and(&sphere(1, 1.0).map(|p| p + DVec3::splat(0.3)))),
        ("two at a vertex", tetrahedron().and(&mirrored)),
        ("two at a vertex, one inside out", tetrahedron().and(&turned(&mirrored))),
        ("two at an edge", tetrahedron().and(&tetra([DVec3::ZERO, DVec3::X, -DVec3::Y, -DVec3::Z]))),
        ("twice", sphere(1, 1.0).and(&sphere(1, 1.0))),
    ]
}

/// Beside faces, most of them so near that these are nearest.
fn beside(soup: &Soup, random: &mut Random) -> DVec3 {
    let t = soup.triangle(random.below(soup.triangles.len() as u64) as usize);
    let (s, u) = (random.within(0.0, 1.0), random.within(0.0, 1.0));
    let on = t[0] + (t[1] - t[0]) * (s * u) + (t[2] - t[0]) * (s * (1.0 - u));
    let away = 10f64.powf(random.within(-15.0, 0.0));
    on + random.point(away)
}

#[test]
fn as_exact_crossings_say() {
    let mut random = Random::new(22);
    for (name, soup) in bodies() {
        let mesh = Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap();
        let (fresh, ready) = (Model::from(mesh.clone()), Model::from(mesh.ready_for_points()));
        let may_be_twice_inside = ["one in another", "twice", "crossing", "pierced ball"].contains(&name);
        let mut inside = 0;
        for k in 0..1500 {
            let p = beside(&soup, &mut random);
            let answer = ready.point_distance(&Pose::IDENTITY, p).unwrap();
            let truth = ready.contains(&Pose::IDENTITY, p).unwrap();
            assert_eq!(answer.inside, truth, "{name}: {p:?} {answer:?}");
            // The question after as many as there are triangles finds the sides out, here too.
            assert_eq!(fresh.point_distance(&Pose::IDENTITY, p).unwrap(), answer, "{name}: {p:?}");
            if k % 25 == 0 && !may_be_twice_inside {
                let exact = answer.interval == Interval::ZERO || lies_inside(&point(p), &soup);
                assert_eq!(truth, exact, "{name}: {p:?} {answer:?}");
            }
            inside += usize::from(truth);
        }
        assert!(name == "sheet of paper" || (100..1400).contains(&inside), "{name}: {inside}");
    }
}

#[test]
fn a_mesh_that_moved_is_looked_at_anew() {
    let soup = sphere(2, 1.0);
    let mut mesh = Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap().ready_for_points();
    let mirrored: Vec<DVec3> = soup.vertices.iter().map(|p| DVec3::new(p.x, p.y, -p.z)).collect();
    mesh.deform(&mirrored).unwrap();
    let body = Model::from(mesh.ready_for_points());
    let mut random = Random::new(3);
    for _ in 0..300 {
        let p = beside(&soup, &mut random) * DVec3::new(1.0, 1.0, -1.0);
        let answer = body.point_distance(&Pose::IDENTITY, p).unwrap();
        assert_eq!(answer.inside, body.contains(&Pose::IDENTITY, p).unwrap(), "{p:?} {answer:?}");
    }
}
