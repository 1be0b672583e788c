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

/// Convex bodies of every kind, with and without margins, of about this size.
fn convex_bodies(size: f64) -> Vec<Model> {
    let hull = |points: Vec<DVec3>| Convex::hull(&points).unwrap();
    let box_of = |x: f64, y: f64, z: f64| Round::cuboid(DVec3::new(x, y, z) * size).unwrap();
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y].map(|p| p * size);
    vec![
        Round::sphere(0.5 * size).unwrap().into(),
        Round::capsule(0.2 * size, 0.9 * size).unwrap().into(),
        box_of(0.5, 0.8, 0.3).into(),
        box_of(0.5, 0.8, 0.01).with_margin(0.1 * size).unwrap().into(),
        Round::cylinder(0.4 * size, 0.9 * size).unwrap().into(),
        Round::cylinder(0.5 * size, 0.02 * size).unwrap().with_margin(0.05 * size).unwrap().into(),
        Round::cone(0.4 * size, 0.9 * size).unwrap().into(),
        Round::cone(0.4 * size, 0.5 * size).unwrap().with_margin(0.1 * size).unwrap().into(),
        Round::ellipsoid(DVec3::new(0.2, 0.4, 0.6) * size).unwrap().into(),
        hull(shapes::sphere(1, 0.5 * size).vertices).into(),
        hull(shapes::prism(40, 0.3 * size, size).vertices).into(),
        Round::around(hull(shapes::cuboid(DVec3::ONE * size, DVec3::splat(0.2 * size)).vertices), 0.1 * size)
            .unwrap()
            .into(),
        Round::triangle(flat[0], flat[1], flat[2]).unwrap().into(),
        Round::segment(flat[1], flat[2]).unwrap().into(),
    ]
}

/// A start and a motion: past each other, into each other, along an outline, far, from contact, or along the axes.
fn any_way(kind: u64, size: f64, random: &mut Random) -> (Pose, Pose, DVec3) {
    let unit = |random: &mut Random| random.point(1.0).normalize_or(DVec3::X);
    let (pose, turn) = (Pose::new(random.point(0.5 * size), random.rotation()).unwrap(), random.rotation());
    let (far, aim) = match kind {
        0..=3 => (3.0, random.point(1.2)),
        4 => (1000.0, random.point(1.2)),
        5 => (random.within(0.0, 1.0), random.point(2.0)),
        // Along the axes, without rotations.
        _ => {
            let place = |random: &mut Random| DVec3::new(0.0, 0.0, random.below(3) as f64) * (0.5 * size);
            let (at, from) = (place(random), place(random) + DVec3::Z * (4.0 * size));
            return (Pose::at(at).unwrap(), Pose::at(from).unwrap(), DVec3::Z * (-6.0 * size));
        }
    };
    let from = unit(random) * (far * size);
    (pose, Pose::new(from, turn).unwrap(), (aim * size - from) * 1.5)
}

#[test]
fn ten_thousand_casts_of_convex_bodies() {
    let mut random = Random::new(11);
    let sizes = [1.0, 1e-6, 1e6];
    let bodies = sizes.map(convex_bodies);
    let (mut met, mut open, mut missed) = (0, 0, 0);
    for round in 0..environment::rounds(10_000) {
        let which = if round % 4 == 0 { 1 + random.below(2) as usize } else { 0 };
        let (size, bodies) = (sizes[which], &bodies[which]);
        let pick = |random: &mut Random| random.below(bodies.len() as u64) as usize;
        let (i, j) = (pick(&mut random), pick(&mut random));
        let (pose, from, motion) = any_way(random.below(7), size, &mut random);
        let hit = bodies[i].cast(&pose, &bodies[j], &from, motion).unwrap();
        let case = format!("{j} on {i} of size {size}: {pose:?} {from:?} {motion} {hit:?}");
        let mut pair = Pair::new(&bodies[i], &bodies[j]);
        let mut touches = |share: f64| {
            pair.overlap(&pose, &Pose::new(from.translation() + motion * share, from.rotation()).unwrap()).overlap
        };
        // Places are rounded: a way of this share is less than that.
        let grain = 1e-13 * (1.0 + from.translation().length() / motion.length() + size / motion.length());
        let free = hit.map_or(1.0, |hit| hit.time.lower);
        for step in 0..=12 {
            let share = (free - grain) * f64::from(step) / 12.0;
            assert!(share <= 0.0 || !touches(share), "touches at {share}, {case}");
        }
        let Some(hit) = hit else {
            missed += 1;
            continue;
        };
        met += 1;
        open += u32::from(!hit.certain);
        if hit.certain {
            let deep = hit.time.upper + grain;
            assert!(deep > 1.0 || touches(deep), "does not touch, {case}");
            assert!(
                (hit.time.upper - hit.time.lower) * motion.length() < 1e-6 * (size + motion.length()),
                "wide, {case}"
            );
        }
        if hit.time.lower > 0.0 {
            let near = 1e-6 * size + 1e-12 * motion.length();
            let gap = bodies[i].point_distance(&pose, hit.point.unwrap()).unwrap().interval;
            assert!(gap.lower.abs() < near, "the point is off by {gap:?}, {case}");
            let normal = hit.normal.unwrap();
            assert!((normal.length() - 1.0).abs() < 1e-9 && normal.dot(motion) < 0.0, "{case}");
        }
        let moving = Steady::straight(from, motion, 0.0).unwrap();
        let impact = Pair::new(&bodies[i], &bodies[j]).impact(&Steady::still(pose), &moving, Span::UNIT);
        let near = 1e-6 * size / motion.length();
        let Some(time) = impact.time else { panic!("impact has none, {case}") };
        assert!(hit.time.lower <= time.upper + near && time.lower <= hit.time.upper + near, "{time:?}, {case}");
    }
    assert!(met > 4000 && missed > 1500 && open < met / 100, "{met} {missed} {open}");
}

/// Two balls against the formula, as exactly as numbers have it: grazing, far away, and of any size.
#[test]
fn two_balls_touch_when_the_formula_says() {
    let mut random = Random::new(12);
    let (mut met, mut certain) = (0, 0);
    for round in 0..environment::rounds(20_000) {
        let size = [1.0, 1.0, 1e-40, 1e40][(round % 4) as usize];
        let [r, s] = [random.within(0.1, 1.0), random.within(0.1, 1.0)].map(|x| x * size);
        let far = [2.0, 50.0, 1e6][random.below(3) as usize];
        let from = random.point(1.0).normalize_or(DVec3::X) * (far * size);
        let aside = from.cross(random.point(1.0)).normalize_or(DVec3::X);
        // Beside the middle by nearly the sum of the radii, in every second case.
        let share = if round % 2 == 0 { random.within(0.0, 1.2) } else { 1.0 + random.within(-1.0, 1.0) * 1e-12 };
        let motion = (aside * ((r + s) * share) - from) * random.within(0.5, 3.0);
        let (body, shape) = (Model::from(Round::sphere(r).unwrap()), Model::from(Round::sphere(s).unwrap()));
        let hit = body.cast(&Pose::IDENTITY, &shape, &Pose::at(from).unwrap(), motion).unwrap();
        // The distance of the centres less both radii, and what rounding may add.
        let apart = |share: f64| (from + motion * share).length() - (r + s);
        let rounding = 8.0 * f64::EPSILON * (from.length() + r + s);
        let foot = (-from.dot(motion) / motion.length_squared()).clamp(0.0, 1.0);
        let Some(hit) = hit else {
            assert!(apart(foot) > -rounding, "{r} {s} {from} {motion}");
            continue;
        };
        met += 1;
        certain += u32::from(hit.certain);
        assert!(hit.time.lower == 0.0 || apart(hit.time.lower) >= -rounding, "{r} {s} {from} {motion} {hit:?}");
        assert!(!hit.certain || apart(hit.time.upper) <= rounding, "{r} {s} {from} {motion} {hit:?}");
        assert!(hit.certain || apart(foot) > -1e-12 * (from.length() + size), "{r} {s} {from} {motion} {hit:?}");
    }
    assert!(met > 8000 && certain > met * 9 / 10 - 2000, "{met} {certain}");
}
