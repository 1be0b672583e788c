//! Sheets of triangles that occur wound both ways push a body to the side it is on.

use glam::{DQuat, DVec3};
use impinge::{KeptPoints, Limit, ManifoldOptions, Manifolds, Mesh, Model, Pair, Pose, Round};
use impinge_testing::random::Random;
use impinge_testing::shapes;

fn predicted(prediction: f64) -> ManifoldOptions {
    ManifoldOptions { prediction, points: KeptPoints::Four }
}

/// A square in the plane z = 0 about the origin, each triangle wound both ways, in any order.
fn sheet(random: &mut Random) -> Mesh {
    let soup = shapes::grid(12, 0.37);
    let mut triangles: Vec<[u32; 3]> = soup.triangles.iter().flat_map(|&[p, q, r]| [[p, q, r], [r, q, p]]).collect();
    for k in (1..triangles.len()).rev() {
        triangles.swap(k, random.below(k as u64 + 1) as usize);
    }
    let middle = DVec3::new(2.22, 2.22, 0.0);
    Mesh::new(soup.vertices.iter().map(|p| *p - middle).collect(), triangles).unwrap()
}

#[test]
fn bodies_on_either_side_are_pushed_to_their_own() {
    let mut random = Random::new(2);
    let sheet = sheet(&mut random);
    let ball = Model::from(Round::sphere(0.5).unwrap());
    let cube = Model::from(Round::cuboid(DVec3::new(0.9, 0.7, 1.0)).unwrap());
    let mut found = Manifolds::new();
    for (body, count) in [(&ball, 1), (&cube, 4)] {
        for swapped in [false, true] {
            let ground = Model::from(sheet.clone());
            let mut pair = if swapped { Pair::new(body, &ground) } else { Pair::new(&ground, body) };
            for side in [1.0, -1.0] {
                let mut ids = None;
                for step in 0..24 {
                    for depth in [0.01, 0.0001, -0.005] {
                        let s = f64::from(step);
                        let at = DVec3::new(0.025 * s - 0.4, 0.013 * s - 0.3, side * (0.5 - depth));
                        let pose = Pose::at(at).unwrap();
                        let [pa, pb] = if swapped { [&pose, &Pose::IDENTITY] } else { [&Pose::IDENTITY, &pose] };
                        pair.manifolds(pa, pb, &predicted(0.02), &mut found);
                        let say = format!("{count} {swapped} {side} {step} {depth}: {found:?}");
                        assert_eq!((found.len(), found.points().len()), (1, count), "{say}");
                        let manifold = found.iter().next().unwrap();
                        let normal = if swapped { -manifold.normal } else { manifold.normal };
                        assert!(normal.distance(DVec3::Z * side) < 1e-6, "{say}");
                        assert!(manifold.points.iter().all(|point| (point.depth - depth).abs() < 1e-9), "{say}");
                        // The triangle that is named is wound to that side.
                        let [p, q, r] = sheet.triangle(manifold.pair[usize::from(swapped)]).unwrap();
                        assert!((q - p).cross(r - p).z * side > 0.0, "{say}");
                        // Which points of a box are told may still change with its depth.
                        if count > 1 {
                            continue;
                        }
                        let mut now: Vec<u64> = manifold.points.iter().map(|point| point.id).collect();
                        now.sort_unstable();
                        assert_eq!(ids.get_or_insert_with(|| now.clone()), &now, "{say}");
                    }
                }
            }
        }
    }
}

/// Each copy of a triangle tells the depth to its own side, as it does where it is alone.
#[test]
fn copies_tell_what_they_tell_alone() {
    let mut random = Random::new(6);
    let mut met = 0;
    for round in 0..200 {
        let [p, q, r] = [(); 3].map(|()| random.point(1.0));
        let orders = [[p, q, r], [r, q, p], [q, r, p], [q, p, r]];
        let all = Mesh::new(orders.concat(), (0..4).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect()).unwrap();
        let soup = shapes::cuboid(DVec3::ZERO, DVec3::new(0.3, 0.4, 0.5));
        let body = match round % 3 {
            0 => Model::from(Mesh::new(soup.vertices, soup.triangles).unwrap()),
            1 => Model::from(Round::cuboid(DVec3::new(0.6, 0.8, 1.0)).unwrap()),
            _ => Model::from(Round::sphere(0.4).unwrap()),
        };
        let pose = Pose::new(random.point(0.8), random.rotation()).unwrap();
        let mut told = Vec::new();
        for contact in Pair::new(all, &body).contacts(&Pose::IDENTITY, &pose, Limit::All).iter() {
            told.push((contact.pair, contact.normal, contact.depth.unwrap()));
        }
        let mut alone = Vec::new();
        for (k, order) in orders.iter().enumerate() {
            let one = Mesh::new(order.to_vec(), vec![[0, 1, 2]]).unwrap();
            for contact in Pair::new(one, &body).contacts(&Pose::IDENTITY, &pose, Limit::All).iter() {
                alone.push(([k as u32, contact.pair[1]], contact.normal, contact.depth.unwrap()));
            }
        }
        assert_eq!(told.len(), alone.len(), "round {round}");
        for (x, y) in told.iter().zip(&alone) {
            let same = x.0 == y.0 && x.1.distance(y.1) < 1e-9 && (x.2.mid() - y.2.mid()).abs() < 1e-9;
            assert!(same, "round {round}: {x:?} {y:?}");
            met += 1;
        }
    }
    assert!(met > 400, "{met}");
    // Turned, too.
    let turned = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(std::f64::consts::PI)).unwrap();
    let sheet = sheet(&mut random);
    let mut found = Manifolds::new();
    let above = Pose::at(DVec3::new(0.1, 0.05, 0.29)).unwrap();
    Pair::new(sheet, Round::sphere(0.3).unwrap()).manifolds(&turned, &above, &predicted(0.0), &mut found);
    assert!(found.iter().all(|manifold| manifold.normal.distance(DVec3::Z) < 1e-9) && found.len() == 1, "{found:?}");
}
