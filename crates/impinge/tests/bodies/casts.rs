//! Casts of bodies that move straight: beside `impact`, and beside static tests before and after the contact.

use impinge::glam::DVec3;
use impinge::{CastHit, Convex, Mesh, Model, Pair, Parts, Pose, PoseError, Round, Span, Steady};
use impinge_testing::random::Random;
use impinge_testing::{environment, shapes};

fn bodies() -> Vec<(&'static str, Model)> {
    let torus = shapes::torus(1.0, 0.4, 24, 16);
    let ball = shapes::sphere(3, 1.0);
    let hull = |points: Vec<DVec3>| Convex::hull(&points).unwrap();
    let cube = |at: DVec3| hull(shapes::cuboid(at, DVec3::splat(0.5)).vertices);
    let floor = [[-2., -2., 0.], [2., -2., 0.], [2., 2., 0.], [-2., 2., 0.]].map(DVec3::from_array).to_vec();
    vec![
        ("torus", Mesh::new(torus.vertices, torus.triangles).unwrap().into()),
        ("mesh of a ball", Mesh::new(ball.vertices, ball.triangles).unwrap().into()),
        ("floor", Mesh::new(floor, vec![[0, 1, 2], [0, 2, 3]]).unwrap().into()),
        ("hull", hull(shapes::sphere(2, 0.8).vertices).into()),
        ("ball", Round::sphere(0.4).unwrap().into()),
        ("box", Round::cuboid(DVec3::new(0.5, 0.8, 0.3)).unwrap().into()),
        ("capsule", Round::capsule(0.2, 0.9).unwrap().into()),
        ("cone", Round::cone(0.4, 0.9).unwrap().into()),
        ("half-space", Round::half_space(DVec3::Z, -1.0).unwrap().into()),
        ("parts", Parts::new(vec![cube(DVec3::ZERO), cube(DVec3::X), cube(DVec3::Y)]).unwrap().into()),
    ]
}

/// Nothing touches before the hit, something does at its end, and the point is on the body.
fn holds(body: &Model, pose: &Pose, shape: &Model, from: &Pose, motion: DVec3, hit: &CastHit, case: &str) {
    let at = |share: f64| Pose::new(from.translation() + motion * share, from.rotation()).unwrap();
    let mut pair = Pair::new(body, shape);
    let touches = |pair: &mut Pair, share: f64| pair.overlap(pose, &at(share)).overlap;
    let (lower, upper) = (hit.time.lower, hit.time.upper);
    assert!((0.0..=1.0).contains(&lower) && lower <= upper && upper <= 1.0, "{case}");
    if lower > 0.0 {
        assert!(!touches(&mut pair, (lower - 1e-9).max(0.0)), "{case}: too late");
        for step in 0..20 {
            assert!(!touches(&mut pair, lower * f64::from(step) / 20.0), "{case}: something before");
        }
    }
    if hit.certain {
        assert!(touches(&mut pair, (upper + 1e-9).min(1.0)), "{case}: it does not touch");
    }
    if let (Some(point), true) = (hit.point, lower > 0.0) {
        let gap = body.point_distance(pose, point).unwrap().interval;
        let near = 1e-6 + 1e-9 * motion.length();
        assert!(gap.lower.abs() < near, "{case}: the point is off by {gap:?}");
        let other = shape.point_distance(&at(lower), point).unwrap().interval;
        assert!(other.lower.abs() < near, "{case}: the point is off the shape by {other:?}");
        // Far motions of bodies of many pieces, which `impact` answers, may have none.
        if let Some(normal) = hit.normal {
            assert!((normal.length() - 1.0).abs() < 1e-9 && normal.dot(motion) <= 1e-6, "{case}");
        }
    }
}

#[test]
fn casts_are_as_impacts() {
    let mut random = Random::new(51);
    let bodies = bodies();
    let (mut met, mut missed) = (0, 0);
    for (i, (name, body)) in bodies.iter().enumerate() {
        for (other, shape) in &bodies[if i < 3 { 3 } else { 0 }..] {
            // Two half-spaces touch, or are parallel.
            if [name, other].iter().all(|name| **name == "half-space") {
                continue;
            }
            for k in 0..environment::rounds(10) {
                let pose = Pose::new(random.point(0.5), random.rotation()).unwrap();
                let far = if k % 4 == 0 { 1e4 } else { 4.0 };
                let away = random.point(1.0).normalize_or(DVec3::X) * far;
                let from = Pose::new(away, random.rotation()).unwrap();
                let motion = (random.point(1.6) - away) * 1.5;
                let case = format!("{other} on {name}, {pose:?} {from:?} {motion}");
                let hit = body.cast(&pose, shape, &from, motion).unwrap();
                let moving = Steady::straight(from, motion, 0.0).unwrap();
                let impact = Pair::new(body, shape).impact(&Steady::still(pose), &moving, Span::UNIT);
                match (&hit, impact.time) {
                    (Some(hit), Some(time)) => {
                        let near = 1e-6 / motion.length();
                        assert!(hit.time.lower <= time.upper + near && time.lower <= hit.time.upper + near, "{case}");
                        assert!(!hit.certain || hit.time.upper - hit.time.lower < 1e-6, "{case}: {hit:?}");
                        holds(body, &pose, shape, &from, motion, hit, &case);
                        met += 1;
                    }
                    (None, None) => missed += 1,
                    // So near that rounding decides.
                    (found, time) => {
                        assert!(!impact.certain || found.is_some_and(|hit| !hit.certain), "{case} {time:?}");
                    }
                }
            }
        }
    }
    assert!(met > 300 && missed > 100, "{met} {missed}");
}

/// What touches at the start, lies inside of a solid, or does not move.
#[test]
fn casts_from_contact_and_from_inside() {
    let bodies = bodies();
    let model = |name: &str| bodies.iter().find(|(known, _)| *known == name).unwrap().1.clone();
    let still = |body: &str, shape: &str, at: DVec3, motion: DVec3| {
        model(body).cast(&Pose::IDENTITY, &model(shape), &Pose::at(at).unwrap(), motion).unwrap()
    };
    let inside = Round::sphere(0.1).unwrap().into();
    let hit = model("mesh of a ball").cast(&Pose::IDENTITY, &inside, &Pose::IDENTITY, DVec3::X * 5.0).unwrap();
    assert_eq!(hit.map(|hit| hit.time.upper), Some(0.0), "a solid has an inside");
    assert_eq!(still("box", "ball", DVec3::X * 0.5, DVec3::X).map(|hit| hit.time.upper), Some(0.0));
    assert_eq!(still("floor", "ball", DVec3::Z * 0.25, DVec3::Z).map(|hit| hit.time.upper), Some(0.0));
    assert!(still("floor", "ball", DVec3::Z * 0.5, DVec3::Z).is_none(), "away from it");
    assert!(still("floor", "ball", DVec3::Z * 0.5, DVec3::ZERO).is_none(), "no motion");
    assert!(still("floor", "box", DVec3::Z * 0.1, DVec3::ZERO).is_some(), "no motion, but it touches");
    // Exactly on to the floor, and past the edge of it.
    let down = still("floor", "ball", DVec3::Z * 2.4, DVec3::Z * -4.0).unwrap();
    assert!(down.time.contains(0.5) && down.certain, "{down:?}");
    let beside = still("floor", "ball", DVec3::new(2.39999, 0.0, 2.0), DVec3::Z * -4.0).unwrap();
    assert!(beside.normal.unwrap().dot(DVec3::X) > 0.99, "{beside:?}");
    assert!(still("floor", "ball", DVec3::new(2.40001, 0.0, 2.0), DVec3::Z * -4.0).is_none());
}

#[test]
fn hostile_casts_are_refused_or_answered() {
    let extreme = [0.0, -0.0, 5e-324, 1e-300, 1e-30, 1.0, -1.0, 3.5, 1e20, 1e149, -1e150];
    let mut random = Random::new(2);
    let mut pick = || extreme[random.below(extreme.len() as u64) as usize];
    let mut point = || DVec3::new(pick(), pick(), pick());
    let bodies = bodies();
    for motion in [DVec3::NAN, DVec3::INFINITY, DVec3::new(0.0, f64::NEG_INFINITY, 1.0)] {
        let refused = bodies[0].1.cast(&Pose::IDENTITY, &bodies[4].1, &Pose::IDENTITY, motion);
        assert_eq!(refused, Err(PoseError::NotFinite));
    }
    for round in 0..environment::rounds(400) as usize {
        let (body, shape) = (&bodies[round % 4].1, &bodies[3 + round % 5].1);
        let [from, motion] = [point(), point()];
        let Ok(from) = Pose::at(from) else { continue };
        if let Some(hit) = body.cast(&Pose::IDENTITY, shape, &from, motion).unwrap() {
            assert!(hit.time.lower <= hit.time.upper && hit.point.is_none_or(|p| !p.is_nan()), "{hit:?}");
        }
    }
}

#[test]
fn many_casts_as_one_by_one() {
    let mut random = Random::new(3);
    let bodies = bodies();
    let motions: Vec<(Pose, DVec3)> = (0..60)
        .map(|_| {
            let from = random.point(4.0);
            (Pose::new(from, random.rotation()).unwrap(), random.point(1.0) - from)
        })
        .collect();
    let (torus, capsule) = (&bodies[0].1, &bodies[6].1);
    let alone: Vec<_> =
        motions.iter().map(|(from, way)| torus.cast(&Pose::IDENTITY, capsule, from, *way).unwrap()).collect();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| torus.casts(&Pose::IDENTITY, capsule, &motions)).unwrap(), alone);
    }
    assert!(alone.iter().flatten().count() > 20);
}
