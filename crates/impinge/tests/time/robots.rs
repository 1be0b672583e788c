//! Robots: where their links are, how they move along trajectories, what is refused, and when two of them touch.

use std::f64::consts::FRAC_PI_2;

use impinge::glam::{DAffine3, DVec3};
use impinge::{
    ChainLink, Convex, ImpactMethod, ImpactOptions, Joint, JointKind, JointKnot, JointSpeeds, JointTrajectory, Model,
    Motion, MotionError, Outline, Pair, Pose, Robot, RobotError, RobotJoint, Round, Span,
};
use impinge_testing::environment::is_long;
use impinge_testing::random::Random;

fn joint(name: &str, [parent, child]: [&str; 2], origin: Pose, kind: JointKind) -> RobotJoint {
    let (name, parent, child) = (name.into(), parent.into(), child.into());
    RobotJoint { name, parent, child, origin, axis: DVec3::Z, kind }
}

fn direction(random: &mut Random) -> DVec3 {
    random.rotation() * DVec3::X
}

/// A tree of joints of every kind, in random order.
fn robot(random: &mut Random, count: usize) -> Robot {
    let mut joints: Vec<RobotJoint> = (0..count)
        .map(|k| {
            let parent = if k == 0 { 0 } else { (k as u64 - random.below(2).min(k as u64)) as usize };
            let origin = Pose::new(direction(random) * random.within(0.1, 0.8), random.rotation()).unwrap();
            let kind = match random.below(6) {
                0 => JointKind::Fixed,
                1 => JointKind::Prismatic { lower: -9.0, upper: 9.0 },
                2 => JointKind::Revolute { lower: -9.0, upper: 9.0 },
                _ => JointKind::Continuous,
            };
            let ends = [format!("link {parent}"), format!("link {}", k + 1)];
            RobotJoint { axis: direction(random), ..joint(&format!("joint {k}"), [&ends[0], &ends[1]], origin, kind) }
        })
        .collect();
    joints.rotate_left(random.below(count as u64) as usize);
    Robot::new(joints).unwrap()
}

fn values(random: &mut Random, robot: &Robot, most: f64) -> Vec<f64> {
    robot.moving_joints().map(|_| random.within(-most, most)).collect()
}

/// A trajectory of any kind from 0 to 1.
fn trajectory(random: &mut Random, robot: &Robot) -> JointTrajectory {
    let most = random.within(0.1, 1.5);
    let rows: Vec<_> = [0.0, 0.3, 0.7, 1.0].map(|t| (t, values(random, robot, most))).to_vec();
    let knots = |random: &mut Random| -> Vec<JointKnot> {
        let knot = |(time, list): &(f64, Vec<f64>)| JointKnot {
            time: *time,
            values: list.clone(),
            rates: values(random, robot, 2.0),
            accelerations: values(random, robot, 5.0),
        };
        rows.iter().map(knot).collect()
    };
    let count = robot.moving_joints().len();
    match random.below(5) {
        0 => JointTrajectory::straight(&rows).unwrap(),
        1 => JointTrajectory::spline(&rows).unwrap(),
        2 => JointTrajectory::cubic(&knots(random)).unwrap(),
        3 => JointTrajectory::quintic(&knots(random)).unwrap(),
        _ => {
            let stops: Vec<Vec<f64>> = rows.into_iter().map(|(_, list)| list).collect();
            let speeds = JointSpeeds { rate: random.within(0.5, 9.0), acceleration: random.within(3.0, 60.0) };
            JointTrajectory::trapezoid(0.0, &stops, &vec![speeds; count]).unwrap()
        }
    }
}

/// The product of all transformations in the frames of the links, as matrices.
#[test]
fn poses_are_the_product_of_the_frames() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let count = 1 + random.below(9) as usize;
        let base = Pose::new(random.point(2.0), random.rotation()).unwrap();
        let robot = robot(&mut random, count);
        let given = values(&mut random, &robot, 3.0);
        let poses = robot.with_base(base).unwrap().poses(&given).unwrap();
        let affine = |pose: &Pose| DAffine3::from_rotation_translation(pose.rotation(), pose.translation());
        for (link, pose) in robot.links().iter().zip(&poses) {
            let (mut expected, mut name) = (DAffine3::IDENTITY, link.clone());
            while let Some(joint) = robot.joints().find(|joint| joint.child == name) {
                let moving = robot.moving_joints().position(|other| other.name == joint.name);
                let value = moving.map_or(0.0, |k| given[k]);
                let moved = match joint.kind {
                    JointKind::Fixed => DAffine3::IDENTITY,
                    JointKind::Prismatic { .. } => DAffine3::from_translation(joint.axis * value),
                    _ => DAffine3::from_axis_angle(joint.axis, value),
                };
                expected = affine(&joint.origin) * moved * expected;
                name = joint.parent.clone();
            }
            let expected = affine(&base) * expected;
            assert!(expected.abs_diff_eq(affine(pose), 1e-13), "{link}: {expected} {pose:?}");
        }
    }
}

#[test]
fn origins_turn_about_fixed_axes_as_in_robot_files() {
    // Roll about x, then pitch about the fixed y: x goes to −z, and y, which roll has taken to z, goes to x.
    let pose = RobotJoint::origin([1.0, 2.0, 3.0], [FRAC_PI_2, FRAC_PI_2, 0.0]).unwrap();
    assert!((pose.rotation() * DVec3::X).distance(-DVec3::Z) < 1e-15);
    assert!((pose.rotation() * DVec3::Y).distance(DVec3::X) < 1e-15);
    assert!(RobotJoint::origin([f64::NAN, 0.0, 0.0], [0.0; 3]).is_err());
    assert!(RobotJoint::origin([0.0; 3], [0.0, f64::INFINITY, 0.0]).is_err());
}

#[test]
fn trajectories_pass_through_their_rows_and_rates_are_slopes() {
    let mut random = Random::new(6);
    for _ in 0..150 {
        let robot = robot(&mut random, 5);
        let path = trajectory(&mut random, &robot);
        let (from, to) = (path.span().from(), path.span().to());
        for _ in 0..20 {
            let t = random.within(from + 1e-3, to - 1e-3);
            let h = 1e-7;
            let [before, after] = [t - h, t + h].map(|t| path.values(t));
            for (k, rate) in path.rates(t).into_iter().enumerate() {
                let slope = (after[k] - before[k]) / (2.0 * h);
                // A jump of the rate within the step is the only thing that may differ.
                let jump = (path.rates(t + h)[k] - path.rates(t - h)[k]).abs();
                assert!((slope - rate).abs() < 1e-5 + jump, "{slope} {rate}");
            }
        }
    }
    let rows = [(0.0, vec![0.0]), (1.0, vec![2.0]), (1.5, vec![-1.0]), (4.0, vec![0.5])];
    for path in [JointTrajectory::straight(&rows).unwrap(), JointTrajectory::spline(&rows).unwrap()] {
        assert!(rows.iter().all(|(t, row)| (path.values(*t)[0] - row[0]).abs() < 1e-14));
        assert_eq!((path.values(-1.0), path.rates(9.0)), (vec![0.0], vec![0.0]));
        assert!((path.values(9.0)[0] - 0.5).abs() < 1e-14);
    }
    // The spline's accelerations do not jump.
    let spline = JointTrajectory::spline(&rows).unwrap();
    let bent = |t: f64, h: f64| (spline.rates(t + h)[0] - spline.rates(t)[0]) / h;
    assert!([1.0, 1.5].iter().all(|&t| (bent(t, 1e-6) - bent(t, -1e-6)).abs() < 1e-3));
}

#[test]
fn trapezoids_keep_to_their_speeds_and_are_as_fast_as_they_may() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let stops: Vec<Vec<f64>> = (0..3).map(|_| (0..3).map(|_| random.within(-2.0, 2.0)).collect()).collect();
        let speeds: Vec<JointSpeeds> = (0..3)
            .map(|_| JointSpeeds { rate: random.within(0.1, 3.0), acceleration: random.within(0.1, 9.0) })
            .collect();
        let path = JointTrajectory::trapezoid(2.0, &stops, &speeds).unwrap();
        let (from, to) = (path.span().from(), path.span().to());
        let (mut fastest, steps) = (0.0_f64, 4000);
        let step = (to - from) / f64::from(steps);
        for i in 0..steps {
            let t = from + step * f64::from(i);
            let [now, next] = [t, t + step].map(|t| path.rates(t));
            for k in 0..3 {
                assert!(now[k].abs() <= speeds[k].rate * (1.0 + 1e-9));
                let bent = (next[k] - now[k]).abs() / step / speeds[k].acceleration;
                assert!(bent <= 1.0 + 1e-6, "{bent}");
                fastest = fastest.max(bent);
            }
        }
        assert!(fastest > 1.0 - 1e-3, "some joint always needs all it may");
        assert!((0..3).all(|k| (path.values(to)[k] - stops[2][k]).abs() < 1e-12));
        assert!((0..3).all(|k| path.rates(to - 1e-12)[k].abs() < 1e-9));
    }
    let still = JointTrajectory::trapezoid(0.0, &[vec![1.0]], &[JointSpeeds { rate: 1.0, acceleration: 1.0 }]).unwrap();
    assert_eq!((still.span().to(), still.values(3.0)), (0.0, vec![1.0]));
}

#[test]
fn bounds_on_links_hold_what_they_do() {
    let mut random = Random::new(8);
    let body = Model::from(Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ONE].map(|p| p * 0.4)).unwrap());
    for case in 0..if is_long() { 4000 } else { 120 } {
        let count = 1 + random.below(8) as usize;
        let robot = robot(&mut random, count);
        let path = trajectory(&mut random, &robot);
        let link = robot.links().len() - 1;
        let motion = robot.motion(link, &path).unwrap();
        let from = random.within(-0.2, 1.0);
        let to = from + random.within(0.001, 0.6);
        let [rates, swept] = [motion.rates(from, to), motion.rates(from, to)];
        let [a, alpha] = motion.accelerations(from, to);
        let bounds = motion.swept_box(&body, from, to).unwrap();
        let (steps, h) = (60, 1e-6);
        for i in 0..=steps {
            let t = from + (to - from) * f64::from(i) / f64::from(steps);
            let inside = body.outline(&motion.pose(t), Outline::Fitted).unwrap();
            assert!(bounds.grown(1e-12).contains(&inside), "{case}: {bounds:?} {inside:?}");
            let at = |t: f64| motion.pose(t);
            let (later, sooner) = (at((t + h).min(to)), at((t - h).max(from)));
            let long = (t + h).min(to) - (t - h).max(from);
            let velocity = (later.translation() - sooner.translation()) / long;
            let turn = (later.rotation() * sooner.rotation().conjugate()).to_scaled_axis() / long;
            assert!(velocity.distance(rates.velocity) <= rates.velocity_spread + 1e-6, "{case}");
            assert!(turn.distance(swept.spin) <= swept.spin_spread + 1e-6, "{case}");
            let k = 1e-4;
            if a.is_finite() && t - k > from && t + k < to {
                let [p, q, r] = [t - k, t, t + k].map(|t| at(t).translation());
                let bent = ((r - q) - (q - p)).length() / (k * k);
                assert!(bent <= a * (1.0 + 1e-6) + 1e-5, "{case}: {bent} {a}");
                let spin =
                    |s: f64, t: f64| (at(t).rotation() * at(s).rotation().conjugate()).to_scaled_axis() / (t - s);
                let change = (spin(t, t + k) - spin(t - k, t)).length() / k;
                assert!(change <= alpha * (1.0 + 1e-6) + 1e-5, "{case}: {change} {alpha}");
            }
        }
    }
}

/// The truth is a smooth trajectory; only samples of it and bounds are given.
#[test]
fn links_known_at_times_stay_within_their_margin() {
    let mut random = Random::new(9);
    for _ in 0..if is_long() { 4000 } else { 100 } {
        let robot = robot(&mut random, 6);
        let rows: Vec<_> = [0.0, 0.4, 1.0].map(|t| (t, values(&mut random, &robot, 1.0))).to_vec();
        let truth = JointTrajectory::spline(&rows).unwrap();
        let times: Vec<f64> = (0..=8).map(|i| f64::from(i) / 8.0).collect();
        let seen: Vec<_> = times.iter().map(|&t| (t, truth.values(t))).collect();
        let fine = |k: usize| (0..=2000).map(move |i| (f64::from(i) / 2000.0, k));
        let bound = |k: usize| {
            let rate = fine(k).map(|(t, k)| truth.rates(t)[k].abs()).fold(0.0, f64::max);
            let bent = fine(k).map(|(t, k)| (truth.rates(t + 5e-4)[k] - truth.rates(t)[k]).abs() / 5e-4);
            let speeds = JointSpeeds { rate: rate * 1.001, acceleration: bent.fold(0.0, f64::max) * 1.01 };
            if k.is_multiple_of(2) { speeds } else { JointSpeeds { acceleration: f64::INFINITY, ..speeds } }
        };
        let count = robot.moving_joints().len();
        let bounds: Vec<JointSpeeds> = (0..count).map(bound).collect();
        let sampled = JointTrajectory::sampled(&seen, &bounds).unwrap();
        for link in 1..robot.links().len() {
            let [real, known] = [&truth, &sampled].map(|path| robot.motion(link, path).unwrap());
            for i in 0..=97 {
                let t = f64::from(i) / 97.0;
                let p = random.point(0.3);
                let off = real.pose(t).apply(p).distance(known.pose(t).apply(p));
                assert!(off <= known.margin(t, t, p.length()) + 1e-12);
                assert!(known.margin(t, t, 1.0) <= known.margin(t - 0.1, t + 0.05, 1.0));
            }
        }
    }
}

/// Robots beside each other, and chains: no method is later than what samples see, and all agree.
#[test]
fn impact_of_links_is_never_late() {
    let mut random = Random::new(10);
    let bodies = [
        Model::from(Round::sphere(0.1).unwrap()),
        Model::from(Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p * 0.5)).unwrap()),
        Model::from(Round::capsule(0.1, 0.5).unwrap()),
    ];
    let mut hits = 0;
    for case in 0..if is_long() { 3000 } else { 60 } {
        let moving = |random: &mut Random| -> Box<dyn Motion> {
            let count = 1 + random.below(8) as usize;
            if random.below(2) == 0 {
                return Box::new(chain(random, count));
            }
            let robot = robot(random, count);
            let path = trajectory(random, &robot);
            Box::new(robot.motion(count, &path).unwrap())
        };
        let (a, b) = (moving(&mut random), moving(&mut random));
        let models = [&bodies[case % 3], &bodies[random.below(3) as usize]];
        let mut pair = Pair::new(models[0], models[1]);
        let seen = (0..=500).map(|i| f64::from(i) / 500.0).find(|&t| pair.overlap(&a.pose(t), &b.pose(t)).overlap);
        hits += usize::from(seen.is_some());
        for method in [ImpactMethod::Auto, ImpactMethod::Advancement, ImpactMethod::BySpeed] {
            let options = ImpactOptions { method, ..ImpactOptions::default() };
            let impact = pair.clone().impact_with(&*a, &*b, Span::UNIT, &options);
            if let Some(seen) = seen {
                let time = impact.time.unwrap_or_else(|| panic!("{case}: {method} misses the contact at {seen}"));
                assert!(time.lower <= seen, "{case}: {method} {time:?} {seen}");
            } else if let Some(time) = impact.time.filter(|_| impact.certain) {
                let touch = pair.distance(&a.pose(time.upper), &b.pose(time.upper)).interval;
                assert!(touch.lower <= 1e-9, "{case}: {method} {time:?} {touch:?}");
            }
        }
    }
    assert!(hits > 4, "{hits}");
}

fn chain(random: &mut Random, count: usize) -> ChainLink {
    let mut point = DVec3::ZERO;
    let fastest = random.within(0.2, 3.0);
    let joints = (0..count).map(|_| {
        let (position, rate) = (random.within(-2.0, 2.0), random.within(-fastest, fastest));
        let joint = Joint::turning(point, direction(random), position, rate).unwrap();
        point += direction(random) * 0.4;
        joint
    });
    let joints = joints.collect();
    ChainLink::new(joints, Pose::at(point).unwrap(), 0.0).unwrap()
}

#[test]
fn only_links_that_can_meet_are_pairs() {
    let fixed = Pose::IDENTITY;
    let arm = Robot::new(vec![
        joint("a", ["base", "one"], fixed, JointKind::Continuous),
        joint("flange", ["one", "plate"], fixed, JointKind::Fixed),
        joint("b", ["plate", "two"], fixed, JointKind::Continuous),
        joint("c", ["two", "three"], fixed, JointKind::Continuous),
        joint("lid", ["base", "lid"], fixed, JointKind::Continuous),
    ])
    .unwrap();
    let name = |k: usize| arm.links()[k].as_str();
    let pairs: Vec<[&str; 2]> = arm.pairs().iter().map(|&[i, j]| [name(i), name(j)]).collect();
    let expected = [
        ["base", "two"],
        ["base", "three"],
        ["one", "lid"],
        ["lid", "plate"],
        ["lid", "two"],
        ["lid", "three"],
        ["one", "three"],
        ["plate", "three"],
    ];
    let sorted = |pairs: &[[&str; 2]]| {
        let mut list: Vec<[String; 2]> = pairs
            .iter()
            .map(|pair| {
                let mut pair = pair.map(str::to_owned);
                pair.sort();
                pair
            })
            .collect();
        list.sort();
        list
    };
    assert_eq!(sorted(&pairs), sorted(&expected));
}

#[test]
fn what_is_no_robot_is_refused() {
    let at = Pose::IDENTITY;
    let turning = |name: &str, ends: [&str; 2]| joint(name, ends, at, JointKind::Continuous);
    let new = |joints: &[RobotJoint]| Robot::new(joints.to_vec()).unwrap_err();
    assert_eq!(new(&[]), RobotError::NoJoints);
    for axis in [DVec3::ZERO, DVec3::NAN, DVec3::X * f64::INFINITY] {
        let error = new(&[RobotJoint { axis, ..turning("a", ["base", "one"]) }]);
        assert_eq!(error, RobotError::NoAxis { joint: "a".into() });
    }
    let tiny = RobotJoint { axis: DVec3::Y * 1e-300, ..turning("a", ["base", "one"]) };
    assert!(Robot::new(vec![tiny]).is_ok(), "the axis may have any length");
    for (lower, upper) in [(1.0, -1.0), (f64::NAN, 1.0), (0.0, f64::NAN), (f64::INFINITY, f64::INFINITY)] {
        for kind in [JointKind::Revolute { lower, upper }, JointKind::Prismatic { lower, upper }] {
            let error = new(&[joint("a", ["base", "one"], at, kind)]);
            assert!(matches!(error, RobotError::BadLimits { .. }), "{error}");
        }
    }
    let twice = [turning("a", ["base", "one"]), turning("a", ["one", "two"])];
    assert_eq!(new(&twice), RobotError::SameName { joint: "a".into() });
    let both = [turning("a", ["base", "one"]), turning("b", ["two", "one"])];
    assert!(matches!(new(&both), RobotError::TwoJoints { .. }));
    let ring = [turning("a", ["one", "two"]), turning("b", ["two", "one"])];
    assert!(matches!(new(&ring), RobotError::Cycle { .. }));
    let aside = [turning("x", ["base", "arm"]), ring[0].clone(), ring[1].clone()];
    assert!(matches!(new(&aside), RobotError::Cycle { .. }));
    assert!(matches!(new(&[turning("a", ["one", "one"])]), RobotError::Cycle { .. }));
    let apart = [turning("a", ["base", "one"]), turning("b", ["floor", "two"])];
    assert!(matches!(new(&apart), RobotError::TwoBases { .. }));
    let far = Pose::at(DVec3::X * 9e14).unwrap();
    let away: Vec<_> = (0..20)
        .map(|k| {
            let ends = [format!("{k}"), format!("{}", k + 1)];
            joint(&format!("j{k}"), [&ends[0], &ends[1]], far, JointKind::Fixed)
        })
        .collect();
    assert!(Robot::new(away).is_err() || Pose::at(DVec3::X * 9e14 * 20.0).is_ok());
}

#[test]
fn values_and_trajectories_that_do_not_fit_are_refused() {
    let limits = JointKind::Revolute { lower: -1.0, upper: 1.0 };
    let arm = Robot::new(vec![joint("a", ["base", "one"], Pose::IDENTITY, limits)]).unwrap();
    assert_eq!(arm.poses(&[]), Err(RobotError::WrongCount { given: 0, expected: 1 }));
    assert!(matches!(arm.poses(&[f64::NAN]), Err(RobotError::NotFinite { .. })));
    assert!(matches!(arm.poses(&[1.5]), Err(RobotError::BeyondLimit { .. })));
    assert!(arm.poses(&[1.0]).is_ok());
    // A cubic swings beyond its rows: from 0.9 to 0.9, by 0.25 in between.
    let knot = |time, rate| JointKnot { time, values: vec![0.9], rates: vec![rate], accelerations: vec![] };
    let over = JointTrajectory::cubic(&[knot(0.0, 1.0), knot(1.0, -1.0)]).unwrap();
    let Err(RobotError::BeyondLimit { time, value, .. }) = arm.motion(1, &over) else { panic!("it leaves the limits") };
    assert!(time > 0.0 && time < 1.0 && value > 1.0);
    assert!(arm.motion(0, &over).is_ok(), "no joint carries the base");
    let touching = JointTrajectory::straight(&[(0.0, vec![-1.0]), (1.0, vec![1.0])]).unwrap();
    assert!(arm.motions(&touching).is_ok());
    assert_eq!(arm.motion(7, &touching).unwrap_err(), RobotError::NoLink { link: 7, count: 2 });
    let two = JointTrajectory::straight(&[(0.0, vec![0.0, 0.0])]).unwrap();
    assert_eq!(arm.motion(1, &two).unwrap_err(), RobotError::WrongCount { given: 2, expected: 1 });

    let straight = |rows: &[(f64, Vec<f64>)]| JointTrajectory::straight(rows).unwrap_err();
    assert_eq!(straight(&[]), MotionError::NoPoses);
    assert!(matches!(straight(&[(f64::NAN, vec![])]), MotionError::BadTime { row: 0, .. }));
    assert!(matches!(straight(&[(0.0, vec![0.0]), (0.0, vec![0.0])]), MotionError::NotLater { row: 1, .. }));
    assert!(matches!(straight(&[(0.0, vec![0.0]), (1.0, vec![])]), MotionError::WrongCount { row: 1, .. }));
    assert!(matches!(straight(&[(0.0, vec![f64::INFINITY])]), MotionError::NotFinite { .. }));
    assert!(matches!(straight(&[(0.0, vec![0.0]), (5e-324, vec![1.0])]), MotionError::TooFast { row: 1 }));
    assert!(JointTrajectory::quintic(&[knot(0.0, 1.0)]).is_err(), "there are no accelerations");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for speeds in [JointSpeeds { rate: bad, acceleration: 1.0 }, JointSpeeds { rate: 1.0, acceleration: bad }] {
            assert!(JointTrajectory::trapezoid(0.0, &[vec![0.0], vec![1.0]], &[speeds]).is_err(), "{speeds:?}");
        }
    }
    let fine = JointSpeeds { rate: 1.0, acceleration: 1.0 };
    assert!(JointTrajectory::trapezoid(0.0, &[], &[fine]).is_err());
    assert!(JointTrajectory::trapezoid(0.0, &[vec![0.0, 1.0]], &[fine]).is_err());
    assert!(JointTrajectory::trapezoid(f64::NAN, &[vec![0.0]], &[fine]).is_err());
    let seen = [(0.0, vec![0.0]), (1.0, vec![2.0])];
    let sampled = |rate, acceleration| JointTrajectory::sampled(&seen, &[JointSpeeds { rate, acceleration }]);
    assert!(sampled(2.0, f64::INFINITY).is_ok());
    assert!(matches!(sampled(1.5, f64::INFINITY), Err(MotionError::Contradicts { row: 1, .. })));
    assert!(sampled(f64::INFINITY, 1.0).is_err() && sampled(3.0, -1.0).is_err() && sampled(f64::NAN, 1.0).is_err());
    assert!(JointTrajectory::sampled(&seen, &[]).is_err());
}
