//! Any bytes taken as a robot, values of its joints and a trajectory: what is refused says why, and what is not has
//! poses and motions that keep what they promise. Also the fuzz target `robots`.

use impinge::glam::DVec3;
use impinge::{JointKind, JointKnot, JointSpeeds, JointTrajectory, Motion, MotionError, Pose, Robot, RobotJoint};

use super::Bytes;

/// Links that joints may join; some of them lead into circles, or nowhere.
const LINKS: u8 = 7;

pub(crate) fn check_robot(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let kind = bytes.byte() % 3;
    let count = bytes.byte() % 8;
    let joints: Vec<RobotJoint> = (0..count).map(|k| joint(&mut bytes, kind, k)).collect();
    let robot = match Robot::new(joints) {
        Ok(robot) => robot,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let moving = robot.moving_joints().len();
    assert!(robot.links().len() == robot.joints().len() + 1 && moving <= robot.joints().len());
    let known = |name: &String| robot.link(name).is_some();
    assert!(robot.joints().all(|joint| known(&joint.parent) && known(&joint.child)));
    for [i, j] in robot.pairs() {
        assert!(i < j && j < robot.links().len());
    }
    let robot = bytes.pose(kind).and_then(|base| robot.with_base(base).ok()).unwrap_or(robot);
    let values: Vec<f64> = (0..moving).map(|_| bytes.number(kind)).collect();
    match robot.poses(&values) {
        Ok(poses) => assert!(poses.len() == robot.links().len() && poses.iter().all(is_sound), "{poses:?}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    assert!(robot.poses(&vec![0.0; moving + 1]).is_err());
    let path = match trajectory(&mut bytes, kind, moving) {
        Ok(path) => path,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    if path.joint_count() != moving {
        return assert!(robot.motions(&path).is_err());
    }
    let Ok(motions) = robot.motions(&path) else { return };
    let (from, to) = (path.span().from(), path.span().to());
    for motion in &motions {
        for share in [-0.5, 0.0, 0.25, 0.5, 1.0, 2.0] {
            let t = from + (to - from) * share;
            assert!(is_sound(&motion.pose(t)), "{t}: {:?}", motion.pose(t));
            let rates = motion.rates(from.min(t), to.max(t));
            assert!(!rates.speed(1.0).is_nan() && rates.speed(1.0) >= 0.0, "{rates:?}");
        }
        if kind == 0 {
            follows_its_bound(motion, from, to);
        }
    }
}

/// No point of a link goes farther between two times than its rates allow.
fn follows_its_bound(motion: &dyn Motion, from: f64, to: f64) {
    let times = [from, from + 0.3 * (to - from), from + 0.7 * (to - from), to];
    for two in times.windows(2) {
        let rates = motion.rates(two[0], two[1]);
        let point = DVec3::new(0.5, -0.25, 1.0);
        let went = motion.pose(two[0]).apply(point).distance(motion.pose(two[1]).apply(point));
        let most = rates.speed(point.distance(rates.centre)) * (two[1] - two[0]) + motion.margin(from, to, 2.0);
        assert!(went <= most * (1.0 + 1e-9) + 1e-9, "{went} > {most}: {rates:?}");
    }
}

fn is_sound(pose: &Pose) -> bool {
    pose.translation().is_finite() && (pose.rotation().length() - 1.0).abs() < 1e-6
}

fn joint(bytes: &mut Bytes<'_>, kind: u8, k: u8) -> RobotJoint {
    // Mostly a chain, so that many robots are built.
    let (way, parent, child) = (bytes.byte() % 8, bytes.byte() % LINKS, bytes.byte() % LINKS);
    let [parent, child] = match way {
        0 => [parent, child],
        1 => [parent.min(k), k + 1],
        _ => [k, k + 1],
    };
    let name = if bytes.byte().is_multiple_of(16) { String::new() } else { format!("joint {k}") };
    let [lower, upper] = match bytes.byte() % 8 {
        0 => [bytes.number(kind), bytes.number(kind)],
        1 => [f64::NAN, 1.0],
        2 => [f64::NEG_INFINITY, f64::INFINITY],
        _ => [-100.0, 100.0],
    };
    let kind_of_joint = match bytes.byte() % 4 {
        0 => JointKind::Fixed,
        1 => JointKind::Continuous,
        2 => JointKind::Revolute { lower, upper },
        _ => JointKind::Prismatic { lower, upper },
    };
    let axis = if bytes.byte().is_multiple_of(4) { bytes.point(kind) } else { DVec3::Z };
    let origin = bytes.pose(kind).unwrap_or(Pose::IDENTITY);
    let [parent, child] = [parent, child].map(|link| format!("link {link}"));
    RobotJoint { name, parent, child, origin, axis, kind: kind_of_joint }
}

fn trajectory(bytes: &mut Bytes<'_>, kind: u8, joints: usize) -> Result<JointTrajectory, MotionError> {
    let rows = 1 + bytes.byte() % 4;
    let list = |bytes: &mut Bytes<'_>| (0..joints).map(|_| bytes.number(kind)).collect::<Vec<f64>>();
    let time = |bytes: &mut Bytes<'_>, row: u8| {
        if bytes.byte().is_multiple_of(8) { bytes.number(kind) } else { f64::from(row) }
    };
    let which = bytes.byte() % 6;
    let mut row = |k: u8| (time(bytes, k), list(bytes));
    let mut through: Vec<(f64, Vec<f64>)> = (0..rows).map(&mut row).collect();
    if bytes.byte().is_multiple_of(16) {
        through[0].1.push(1.0);
    }
    let mut speeds = || {
        let (rate, acceleration) = (bytes.length(kind), bytes.length(kind));
        JointSpeeds { rate, acceleration }
    };
    let bounds: Vec<JointSpeeds> = (0..joints).map(|_| speeds()).collect();
    let knots: Vec<JointKnot> = through
        .iter()
        .map(|(time, values)| {
            let (rates, accelerations) = (list(bytes), list(bytes));
            JointKnot { time: *time, values: values.clone(), rates, accelerations }
        })
        .collect();
    let stops: Vec<Vec<f64>> = through.iter().map(|(_, values)| values.clone()).collect();
    match which {
        0 => JointTrajectory::straight(&through),
        1 => JointTrajectory::spline(&through),
        2 => JointTrajectory::cubic(&knots),
        3 => JointTrajectory::quintic(&knots),
        4 => JointTrajectory::trapezoid(through[0].0, &stops, &bounds),
        _ => JointTrajectory::sampled(&through, &bounds),
    }
}
