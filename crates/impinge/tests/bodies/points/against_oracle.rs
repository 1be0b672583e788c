//! Points and meshes, against exact rational arithmetic over all triangles.

use glam::DVec3;
use impinge::{Feature, Interval, Mesh, Model, Pair, PointDistance, Pose, Round};
use impinge_testing::distance::Square;
use impinge_testing::random::Random;
use impinge_testing::shapes::{copies, cuboid, grid, point, ring, rubble, sphere, tetra, torus};
use impinge_testing::soup::{Soup, lies_inside, surface_distance};

fn model(soup: &Soup) -> Model {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap().into()
}

/// Whether an interval of distances, which are not negative, holds the root.
fn holds(interval: &Interval, truth: &Square) -> bool {
    truth.compare_root(interval.lower.max(0.0)).is_ge() && truth.compare_root(interval.upper).is_le()
}

/// The distance without its sign.
fn unsigned(answer: &PointDistance) -> Interval {
    let Interval { lower, upper } = answer.interval;
    if answer.inside { Interval { lower: -upper, upper: -lower } } else { answer.interval }
}

fn checked(soup: &Soup, body: &Model, p: DVec3) -> PointDistance {
    let answer = body.point_distance(&Pose::IDENTITY, p).unwrap();
    let truth = surface_distance(soup, &point(p)).unwrap();
    let distance = unsigned(&answer);
    assert!(holds(&distance, &truth), "{p:?}: {answer:?}, {}", truth.root());
    assert_eq!(truth.is_zero(), distance == Interval::ZERO, "{p:?}: {answer:?}");
    let scale = soup.size().max(truth.root());
    assert!(distance.upper - distance.lower <= 1e-12 * scale + 2e-308, "{p:?}: {answer:?}");
    let power = if scale < 1e-140 { 1e160 } else { 1.0 };
    let reached = ((answer.closest - p) * power).length() / power;
    assert!((reached - truth.root()).abs() <= 1e-12 * scale, "{p:?}: {answer:?}");
    let Model::Mesh(mesh) = body else { panic!("a mesh") };
    let solid = mesh.is_solid();
    let inside = solid && (truth.is_zero() || lies_inside(&point(p), soup));
    assert_eq!(answer.inside, inside, "{p:?}: {answer:?}");
    assert_eq!(body.contains(&Pose::IDENTITY, p).unwrap(), inside, "{p:?}");
    on_its_feature(soup, &answer, scale);
    answer
}

/// The nearest point lies on the vertex, the edge or the face that is named.
fn on_its_feature(soup: &Soup, answer: &PointDistance, scale: f64) {
    let corners = match answer.feature {
        Feature::Vertex { triangle, vertex } => {
            assert!(soup.triangles[triangle as usize].contains(&vertex));
            vec![soup.vertices[vertex as usize]; 3]
        }
        Feature::Edge { triangle, vertices: [u, v] } => {
            assert!([u, v].iter().all(|v| soup.triangles[triangle as usize].contains(v)));
            vec![soup.vertices[u as usize], soup.vertices[v as usize], soup.vertices[v as usize]]
        }
        Feature::Face { triangle } => soup.triangle(triangle as usize).to_vec(),
        Feature::Convex { .. } => panic!("{answer:?}"),
    };
    let feature = Soup { vertices: corners, triangles: vec![[0, 1, 2]] };
    let off = surface_distance(&feature, &point(answer.closest)).unwrap().root();
    assert!(off <= 1e-12 * scale, "{answer:?}: {off}");
}

/// Points at vertices, on edges and faces as far as rounding lets them, beside these, far and near.
fn points(soup: &Soup, random: &mut Random, count: usize) -> Vec<DVec3> {
    let size = soup.size();
    let mut points = Vec::new();
    for k in 0..count {
        let t = soup.triangle(random.below(soup.triangles.len() as u64) as usize);
        let (s, u) = (random.within(0.0, 1.0), random.within(0.0, 1.0));
        let on = t[0] + (t[1] - t[0]) * (s * u) + (t[2] - t[0]) * (s * (1.0 - u));
        points.push(match k % 9 {
            0 => t[k % 3],
            1 => t[0].midpoint(t[1]),
            2 => on,
            3 => on + random.point(1e-15) * size,
            4 => on + random.point(1e-9) * size,
            5 => on + random.point(0.05) * size,
            6 => random.point(1.0) * size,
            7 => random.point(100.0) * size,
            _ => (random.point(1.0) * 64.0).round() / 64.0 * size,
        });
    }
    points
}

fn check_all(soup: &Soup, seed: u64, count: usize) {
    let body = model(soup);
    let mut random = Random::new(seed);
    for p in points(soup, &mut random, count) {
        checked(soup, &body, p);
    }
}

#[test]
fn soups_of_needles_and_flat_triangles() {
    for seed in 0..6 {
        check_all(&rubble(seed, 60), seed, 180);
    }
}

#[test]
fn soups_on_a_grid_where_much_is_equally_near() {
    let mut random = Random::new(5);
    for seed in 0..8 {
        let vertices: Vec<DVec3> = (0..90).map(|_| random.grid_point(3)).collect();
        let mut corner = || random.below(90) as u32;
        let soup = Soup { triangles: (0..30).map(|_| [corner(), corner(), corner()]).collect(), vertices };
        let body = model(&soup);
        for _ in 0..60 {
            checked(&soup, &body, random.grid_point(8) * 0.5);
        }
        check_all(&soup, seed, 60);
    }
}

#[test]
fn solids_and_their_cavities() {
    let turned = |soup: &Soup| Soup {
        triangles: soup.triangles.iter().map(|[i, j, k]| [*i, *k, *j]).collect(),
        vertices: soup.vertices.clone(),
    };
    let hollow = cuboid(DVec3::ZERO, DVec3::ONE).and(&turned(&cuboid(DVec3::ZERO, DVec3::splat(0.5))));
    let bodies = [
        hollow,
        torus(1.0, 0.3, 16, 10),
        ring(9, 2.0, 1.0, 0.5),
        sphere(2, 1.0),
        turned(&sphere(1, 1.0)),
        grid(6, 0.25),
    ];
    for (seed, soup) in (0..).zip(&bodies) {
        check_all(soup, seed, 240);
    }
}

#[test]
fn thin_slivers_down_to_rounding() {
    let mut random = Random::new(31);
    for k in 0..400 {
        let thin = 10f64.powi(-(k % 18));
        let [a, b] = [random.point(1.0), random.point(1.0)];
        let c = a.lerp(b, random.within(-0.5, 1.5)) + random.point(1.0) * thin;
        let soup = Soup { vertices: vec![a, b, c], triangles: vec![[0, 1, 2]] };
        let body = model(&soup);
        let on = a.lerp(b, random.within(0.0, 1.0)).lerp(c, random.within(0.0, 1.0));
        for p in [on, on + random.point(1.0) * thin, on + random.point(1e-8), random.point(3.0), on.lerp(c, 0.5)] {
            checked(&soup, &body, p);
        }
    }
}

#[test]
fn every_scale_and_every_distance() {
    let mut random = Random::new(8);
    for exponent in [-300, -160, -50, 0, 40, 149] {
        let unit = 10f64.powi(exponent);
        let soup = torus(1.0, 0.3, 9, 7).map(|p| p * unit * 0.7);
        let body = model(&soup);
        for k in 0..30 {
            let far = [0.5, 1.0, 10.0, 17.0, 1e3, 1e9, 1e30, 1e100][k % 8] * unit;
            let p = (random.point(1.0) * far).clamp(DVec3::splat(-1e150), DVec3::splat(1e150));
            checked(&soup, &body, p);
        }
        checked(&soup, &body, DVec3::new(-0.0, 0.0, -0.0));
        checked(&soup, &body, DVec3::splat(1e-300));
    }
    let apart = tetra([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).map(|p| p + DVec3::splat(1e9));
    check_all(&apart, 3, 90);
    check_all(&copies(50, [DVec3::ZERO, DVec3::X, DVec3::Y]), 4, 45);
}

/// The tree of many triangles, against all triangles one by one; far, near and inside.
#[test]
fn large_trees_pass_nothing_over() {
    let soup = torus(1.0, 0.3, 90, 60);
    let body = model(&soup);
    let mut random = Random::new(77);
    for k in 0..120 {
        let p = random.point([0.5, 1.4, 20.0, 1e4, 1e12][k % 5]);
        let answer = checked(&soup, &body, p);
        let by_pair = Pair::new(&body, Round::point(DVec3::ZERO).unwrap());
        let distance = by_pair.clone().distance(&Pose::IDENTITY, &Pose::at(p).unwrap());
        assert_eq!(distance.penetrating, answer.inside, "{p:?}");
        if !answer.inside {
            let (x, y) = (answer.interval, distance.interval);
            assert!(x.lower <= y.upper && y.lower <= x.upper, "{p:?}: {x:?} {y:?}");
        }
    }
}
