//! Bodies that follow splines: when they touch and how near they come, against dense sampling.

use glam::{DQuat, DVec3};
use impinge::{
    Convex, Interval, Mesh, Model, Motion, Pair, Pose, Round, Span, SplineKey, SplinePoses, SplineTurns, Steady,
};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;
use impinge_testing::shapes;

/// Three keys of the place and three of the rotation, at other times; smooth, or with jumps of the velocity.
fn motion(random: &mut Random, far: f64) -> SplinePoses {
    let smooth = random.below(2) == 0;
    let mut q = random.rotation();
    let path: Vec<SplineKey<DVec3>> = (0..3)
        .map(|k| {
            let (arrives, leaves) = (random.point(4.0), random.point(4.0));
            let value = random.point(1.0) + DVec3::X * far * (1.0 - f64::from(k));
            SplineKey { time: f64::from(k) * 0.5, arrives, value, leaves: if smooth { arrives } else { leaves } }
        })
        .collect();
    let turns: Vec<SplineKey<DQuat>> = (0..3)
        .map(|k| {
            q = (q + random.rotation() * 0.6).normalize();
            let (arrives, leaves) = (random.rotation() * 1.5, random.rotation() * 1.5);
            SplineKey { time: f64::from(k) * 0.45, arrives, value: q, leaves: if smooth { arrives } else { leaves } }
        })
        .collect();
    let steady = || SplineTurns::Steady(turns.iter().map(|key| (key.time, key.value)).collect());
    let turns = if random.below(4) == 0 { steady() } else { SplineTurns::Spline(turns.clone()) };
    SplinePoses::new(random.point(0.3), &path, &turns)
        .unwrap_or_else(|_| SplinePoses::new(DVec3::ZERO, &path, &SplineTurns::Steady(vec![(0.0, q)])).unwrap())
}

fn model(random: &mut Random) -> Model {
    let points: Vec<DVec3> = (0..12).map(|_| random.point(0.6)).collect();
    match random.below(4) {
        0 => Round::capsule(0.2, 0.8).unwrap().into(),
        1 => Convex::hull(&points).unwrap().into(),
        2 => {
            let sphere = shapes::sphere(1, 0.5);
            Mesh::new(sphere.vertices, sphere.triangles).unwrap().into()
        }
        _ => {
            let cube = shapes::cuboid(DVec3::ZERO, DVec3::new(0.3, 0.4, 0.5));
            Mesh::new(cube.vertices, cube.triangles).unwrap().into()
        }
    }
}

#[test]
fn nothing_is_missed_and_nothing_late() {
    let mut random = Random::new(91);
    let (mut hits, mut clear) = (0, 0);
    for case in 0..rounds(150) {
        let (a, b) = (model(&mut random), model(&mut random));
        let moving = motion(&mut random, 3.0);
        let other: Box<dyn Motion> = match case % 3 {
            0 => Box::new(motion(&mut random, 0.5)),
            1 => Box::new(Steady::still(Pose::new(random.point(1.0), random.rotation()).unwrap())),
            _ => Box::new(Steady::new(Pose::IDENTITY, DVec3::ZERO, random.point(1.0), random.point(2.0), 0.0).unwrap()),
        };
        let mut pair = Pair::new(&a, &b);
        let impact = pair.impact(&moving, &*other, Span::UNIT);
        let near = pair.sweep(&moving, &*other, Span::UNIT);
        let mut least = f64::INFINITY;
        for k in 0..=400 {
            let t = f64::from(k) / 400.0;
            let there = pair.distance(&moving.pose(t), &other.pose(t));
            assert!(near.interval.lower <= there.interval.upper + 1e-12, "{case}: {near:?}, {there:?} at {t}");
            let touching = there.interval.upper == 0.0;
            assert!(!touching || impact.time.is_some_and(|time| time.lower <= t), "{case}: {impact:?} touches at {t}");
            least = least.min(there.interval.lower);
        }
        assert!(near.interval.upper <= least + 1e-5, "{case}: {near:?} {least}");
        assert!(near.interval.width() < 1e-4, "{case}: {near:?}");
        if let Some(time) = impact.time {
            let gap = pair.distance(&moving.pose(time.lower), &other.pose(time.lower)).interval.lower;
            assert!(gap < 1e-6 && time.width() < 1e-3, "{case}: early by {gap}: {impact:?}");
        } else {
            assert!(near.interval.upper > 0.0, "{case}: {near:?}");
        }
        hits += u32::from(impact.time.is_some());
        clear += u32::from(impact.time.is_none());
    }
    println!("{hits} touch, {clear} do not");
    assert!(hits > 40 && clear > 20, "{hits} {clear}");
}

/// A ball swings out over a wall and back: the top of a parabola, which no straight way between the keys comes near.
#[test]
fn a_swing_is_not_the_way_between_its_keys() {
    let key = |time: f64, slope: f64| {
        let (value, slope) = (DVec3::X * 4.0 * time, DVec3::new(4.0, slope, 0.0));
        SplineKey { time, arrives: slope, value, leaves: slope }
    };
    let turns = SplineTurns::Steady(vec![(0.0, DQuat::IDENTITY)]);
    // y = 8t(1 − t), so 2 at half time, and 2·16/9·… where it meets a plane at y = 1.5 + radius.
    let swing = SplinePoses::new(DVec3::ZERO, &[key(0.0, 8.0), key(1.0, -8.0)], &turns).unwrap();
    let ball = Model::from(Round::sphere(0.25).unwrap());
    let wall = Model::from(Round::cuboid(DVec3::new(100.0, 1.0, 100.0)).unwrap());
    let still = |y: f64| Steady::still(Pose::at(DVec3::Y * y).unwrap());
    let mut pair = Pair::new(&ball, &wall);
    let near = pair.sweep(&swing, &still(3.0), Span::UNIT);
    assert!(near.interval.contains(0.25) && near.interval.width() < 1e-5, "{near:?}");
    assert!((near.time - 0.5).abs() < 1e-2, "{near:?}");
    // It touches at y = 1.25: t = (1 − √(1 − 1.25/2))/2.
    let impact = pair.impact(&swing, &still(2.0), Span::UNIT);
    let t = 0.5 * (1.0 - (1.0 - 1.25f64 / 2.0).sqrt());
    let Interval { lower, upper } = impact.time.unwrap();
    assert!(lower <= t && t <= upper + 1e-12 && upper - lower < 1e-9, "{impact:?} {t}");
    assert!(pair.impact(&swing, &still(2.8), Span::UNIT).time.is_none());
}
