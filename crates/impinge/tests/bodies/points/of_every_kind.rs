//! Points and bodies of every kind, against the verbs of pairs: the distance of a point outside, the depth of one
//! inside.

use glam::DVec3;
use impinge::{Convex, Deforming, DepthKind, Feature, Mesh, Model, Pair, Parts, Pose, Round, Semantics};
use impinge_testing::random::Random;
use impinge_testing::shapes::{cuboid, sphere, torus};
use impinge_testing::soup::Soup;

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

fn cloud(random: &mut Random, count: usize) -> Convex {
    let points: Vec<DVec3> = (0..count).map(|_| random.point(1.0)).collect();
    Convex::hull(&points).unwrap()
}

fn stairs() -> Parts {
    let block = |x: f64, z: f64| Convex::hull(&cuboid(DVec3::new(x, 0.0, z), DVec3::ONE).vertices).unwrap();
    Parts::new(vec![block(0.0, 0.0), block(2.0, 0.0), block(2.0, 2.0), block(9.0, 0.0)]).unwrap()
}

/// Bodies of which the depth of a point is exact.
fn bodies() -> Vec<(&'static str, Model)> {
    let mut random = Random::new(4);
    let round = |shape: Result<Round, impinge::BuildError>| Model::from(shape.unwrap());
    let margin = |shape: Result<Round, impinge::BuildError>| shape.and_then(|shape| shape.with_margin(0.25));
    let deforming =
        |soup: &Soup| Deforming::new(mesh(soup), &soup.vertices.iter().map(|v| *v * 2.0).collect::<Vec<_>>()).unwrap();
    vec![
        ("mesh of a ball", mesh(&sphere(2, 1.0)).into()),
        ("deforming", deforming(&sphere(1, 1.0)).into()),
        ("tetrahedron", Convex::hull(&[-DVec3::ONE, DVec3::X, DVec3::Y, DVec3::Z]).unwrap().into()),
        ("hull of 12", cloud(&mut random, 12).into()),
        ("hull of 300", cloud(&mut random, 300).into()),
        ("sphere", round(Round::sphere(1.0))),
        ("capsule", round(Round::capsule(0.5, 1.5))),
        ("box", round(Round::cuboid(DVec3::new(1.0, 2.0, 0.5)))),
        ("padded box", round(margin(Round::cuboid(DVec3::new(1.0, 2.0, 0.5))))),
        ("padded triangle", round(margin(Round::triangle(DVec3::ZERO, DVec3::X, DVec3::Y)))),
        ("cylinder", round(Round::cylinder(0.7, 1.5))),
        ("cone", round(Round::cone(0.7, 1.5))),
        ("padded cone", round(margin(Round::cone(0.7, 1.5)))),
        ("ellipsoid", round(Round::ellipsoid(DVec3::new(1.0, 0.6, 0.3)))),
        ("half-space", round(Round::half_space(DVec3::new(1.0, 2.0, 3.0), 0.1))),
        ("point", round(Round::point(DVec3::splat(0.1)))),
        ("segment", round(Round::segment(-DVec3::X, DVec3::ONE))),
        ("polygon", round(Round::polygon(&[-DVec3::X, DVec3::X, DVec3::Y, -DVec3::Y]))),
    ]
}

fn pose(random: &mut Random, k: usize) -> Pose {
    match k % 3 {
        0 => Pose::IDENTITY,
        1 => Pose::at(random.point(2.0)).unwrap(),
        _ => Pose::new(random.point(2.0), random.rotation()).unwrap(),
    }
}

#[test]
fn as_pairs_with_a_point() {
    let mut random = Random::new(9);
    for (name, body) in bodies() {
        let mut pair = Pair::new(&body, Round::point(DVec3::ZERO).unwrap());
        let (mut inside, mut outside) = (0, 0);
        for k in 0..300 {
            let pose = pose(&mut random, k);
            let p = pose.apply(random.point([0.4, 1.0, 2.5][k % 3]));
            let at = Pose::at(p).unwrap();
            let answer = body.point_distance(&pose, p).unwrap();
            let context = || format!("{name}, {k}: {answer:?}");
            let distance = pair.distance(&pose, &at);
            assert_eq!(answer.inside, distance.penetrating, "{}", context());
            assert_eq!(answer.inside, body.contains(&pose, p).unwrap(), "{}", context());
            let (lower, upper) = (answer.interval.lower, answer.interval.upper);
            if answer.inside {
                let deep = pair.penetration(&pose, &at);
                assert!(deep.kind == DepthKind::Exact || name.contains("mesh") || name == "deforming", "{deep:?}");
                let deep = deep.interval;
                assert!(-upper <= deep.upper && deep.lower <= -lower, "{} {deep:?}", context());
                inside += 1;
            } else {
                let apart = distance.interval;
                assert!(lower <= apart.upper && apart.lower <= upper, "{} {apart:?}", context());
                outside += 1;
            }
            assert!(upper - lower <= 1e-6, "{}", context());
            let reached = answer.closest.distance(p);
            assert!((reached - lower.abs().max(upper.abs())).abs() <= 1e-6, "{}", context());
        }
        assert!(outside > 10, "{name}");
        assert!(inside > 10 || ["point", "segment", "polygon"].contains(&name), "{name}: {inside}");
    }
}

/// Points that lie on cores: the centre of a ball, the axis of a capsule, the plane of a padded triangle.
#[test]
fn on_the_core_of_a_margin() {
    let at = |shape: Result<Round, impinge::BuildError>, p: DVec3| {
        let body = Model::from(shape.unwrap());
        body.point_distance(&Pose::IDENTITY, p).unwrap()
    };
    for (answer, depth, p) in [
        (at(Round::sphere(2.0), DVec3::ZERO), 2.0, DVec3::ZERO),
        (at(Round::sphere(2.0), DVec3::splat(1e-200)), 2.0, DVec3::ZERO),
        (at(Round::capsule(0.5, 2.0), DVec3::Z * 0.25), 0.5, DVec3::Z * 0.25),
        (at(Round::capsule(0.5, 2.0), DVec3::Z), 0.5, DVec3::Z),
        (
            at(Round::triangle(DVec3::ZERO, DVec3::X, DVec3::Y).and_then(|t| t.with_margin(0.25)), DVec3::X),
            0.25,
            DVec3::X,
        ),
        (at(Round::cuboid(DVec3::ONE).and_then(|t| t.with_margin(0.25)), DVec3::X * 0.5), 0.25, DVec3::X * 0.5),
    ] {
        assert!(answer.interval.contains(-depth) && answer.inside, "{answer:?}");
        assert!((answer.closest.distance(p) - depth).abs() < 1e-12, "{answer:?}");
    }
}

/// On a corner, an edge and a face, and one step of rounding beside them.
#[test]
fn on_the_surface_of_a_box_to_the_last_bit() {
    let corners: Vec<DVec3> = cuboid(DVec3::ZERO, DVec3::ONE).vertices;
    let bodies = [
        Model::from(Round::cuboid(DVec3::splat(2.0)).unwrap()),
        Convex::hull(&corners).unwrap().into(),
        mesh(&cuboid(DVec3::ZERO, DVec3::ONE)).into(),
        Parts::new(vec![Convex::hull(&corners).unwrap()]).unwrap().into(),
    ];
    for body in &bodies {
        for (p, side) in [
            (DVec3::new(1.0, 0.3, -0.7), 0),
            (DVec3::new(1.0, 1.0, -0.7), 0),
            (DVec3::new(1.0, 1.0, -1.0), 0),
            (DVec3::new(1f64.next_up(), 0.3, -0.7), 1),
            (DVec3::new(1.0, 0.3, 1f64.next_up()), 1),
            (DVec3::new(1f64.next_down(), 0.3, -0.7), -1),
        ] {
            let answer = body.point_distance(&Pose::IDENTITY, p).unwrap();
            assert_eq!(answer.inside, side <= 0, "{answer:?}");
            let (lower, upper) = (answer.interval.lower, answer.interval.upper);
            match side {
                0 => assert_eq!((lower, upper, answer.closest), (0.0, 0.0, p), "{body:?}"),
                1 => assert!(lower >= 0.0 && upper > 0.0 && upper < 1e-12, "{answer:?}"),
                _ => assert!(lower < 0.0 && upper <= 0.0 && lower > -1e-12, "{answer:?}"),
            }
        }
    }
}

/// Inside a union: at least the depth in one piece, at most a way out; where pieces share a face there is no surface.
#[test]
fn unions_of_blocks() {
    let body = Model::from(stairs());
    let at = |x: f64, y: f64, z: f64| body.point_distance(&Pose::IDENTITY, DVec3::new(x, y, z)).unwrap();
    let on_shared = at(1.0, 0.0, 0.0);
    assert!(on_shared.inside && on_shared.interval.lower <= -1.0 && on_shared.interval.upper >= -1.0, "{on_shared:?}");
    let near_shared = at(0.95, 0.0, 0.0);
    assert!(near_shared.inside && near_shared.interval.contains(-1.0), "{near_shared:?}");
    let shallow = at(0.0, 0.9, 0.0);
    assert!(shallow.interval.contains(-0.1) && shallow.interval.upper - shallow.interval.lower < 1e-12, "{shallow:?}");
    assert!(matches!(shallow.feature, Feature::Convex { piece: 0, .. }) && shallow.closest.y > 0.999);
    let outside = at(0.0, 0.0, 3.0);
    assert!(!outside.inside && outside.interval.contains(1.0) || outside.interval.contains(2.0), "{outside:?}");
    let mut random = Random::new(3);
    for _ in 0..500 {
        let p = random.point(3.0) + DVec3::new(1.0, 0.0, 1.0);
        let answer = body.point_distance(&Pose::IDENTITY, p).unwrap();
        // Nearest points of the true surface, by many samples around the answer: none is nearer than `lower` says.
        if answer.inside {
            let safe = -answer.interval.upper;
            for _ in 0..20 {
                let q = p + random.point(1.0).normalize_or_zero() * safe * 0.999;
                assert!(body.contains(&Pose::IDENTITY, q).unwrap(), "{p} {q} {answer:?}");
            }
            let beyond = answer.closest + (answer.closest - p).normalize_or_zero() * 1e-9;
            assert!(!body.contains(&Pose::IDENTITY, beyond).unwrap(), "{p} {answer:?}");
        }
    }
}

#[test]
fn surfaces_have_no_inside() {
    let body = Model::from(mesh(&torus(1.0, 0.3, 12, 8)).into_surface());
    let answer = body.point_distance(&Pose::IDENTITY, DVec3::X).unwrap();
    assert!(!answer.inside && answer.interval.lower > 0.2 && answer.semantics == Semantics::Surface);
    assert!(!body.contains(&Pose::IDENTITY, DVec3::X).unwrap());
    let on = body.point_distance(&Pose::IDENTITY, torus(1.0, 0.3, 12, 8).vertices[5]).unwrap();
    assert!(!on.inside && on.interval.upper == 0.0);
}

#[test]
fn many_points_as_one_by_one_on_any_number_of_threads() {
    let mut random = Random::new(6);
    for body in [Model::from(mesh(&torus(1.0, 0.3, 40, 24))), stairs().into()] {
        let pose = Pose::new(random.point(1.0), random.rotation()).unwrap();
        let points: Vec<DVec3> = (0..1500).map(|_| random.point(2.0)).collect();
        let alone: Vec<_> = points.iter().map(|p| body.point_distance(&pose, *p).unwrap()).collect();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| body.point_distances(&pose, &points)).unwrap(), alone);
        }
    }
}
