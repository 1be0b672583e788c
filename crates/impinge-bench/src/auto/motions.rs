//! Random motions of every kind, about the origin or about another place.

use impinge::glam::{DQuat, DVec3, Vec3Swizzles};
use impinge::{
    Ballistic, ChainLink, Flight, Joint, JointKind, JointSpeeds, JointTrajectory, Motion, Pose, Robot, RobotJoint,
    SampleBounds, SampledPoses, SplineKey, SplinePoses, SplineTurns, Steady, TimedPoses,
};

use crate::digest::Refused;
use crate::random::Random;

type Made = Result<Box<dyn Motion>, Refused>;
type Family = (&'static str, fn(DVec3, &mut Random) -> Made);

/// Kinds of motion. Each starts near a place, and lasts from 0 to 1.
const FAMILIES: [Family; 11] = [
    ("still", |place, random| Ok(Box::new(Steady::still(Pose::new(place, random.rotation())?)))),
    ("straight", |place, random| Ok(Box::new(Steady::straight(start(place, random)?, way(random), 0.0)?))),
    ("turning", |place, random| {
        let spin = random.direction() * random.between(0.1f64.ln(), 20f64.ln()).exp();
        Ok(Box::new(Steady::new(start(place, random)?, DVec3::ZERO, way(random), spin, 0.0)?))
    }),
    ("pivot", |place, random| {
        let pivot = place + random.direction() * random.between(0.0, 3.0);
        Ok(Box::new(Steady::turning(start(place, random)?, pivot, random.direction() * random.between(0.2, 7.0), 0.0)?))
    }),
    ("screw", |place, random| {
        let (axis, angle) = (random.direction(), random.between(0.2, 7.0));
        Ok(Box::new(Steady::screw(start(place, random)?, place, axis * angle, axis * random.between(0.0, 4.0), 0.0)?))
    }),
    ("timed", |place, random| Ok(Box::new(TimedPoses::new(&rows(place, random)?, DVec3::ZERO)?))),
    ("sampled", |place, random| {
        let rows = rows(place, random)?;
        let bounds = SampleBounds::accelerations(random.between(60.0, 90.0), 20.0, 10.0);
        Ok(Box::new(SampledPoses::new(&rows, DVec3::ZERO, bounds)?))
    }),
    ("spline", |place, random| {
        let way = way(random);
        let key = |time, value| SplineKey { time, arrives: way.zxy(), value, leaves: -way.yzx() };
        let turns = SplineTurns::Steady(vec![(0.0, random.rotation()), (1.0, random.rotation())]);
        Ok(Box::new(SplinePoses::new(DVec3::ZERO, &[key(0.0, place), key(1.0, place + way)], &turns)?))
    }),
    ("ballistic", |place, random| {
        let (spin, gravity) = (random.direction() * random.between(0.5, 12.0), DVec3::Z * -5.0);
        let (velocity, moments) = (way(random), DVec3::new(1.0, 2.0, 2.5));
        Ok(Box::new(Ballistic::new(Flight { velocity, spin, gravity, moments, ..Flight::at(start(place, random)?) })?))
    }),
    ("robot", robot),
    ("chain", chain),
];

/// One motion in so many is of a chain of joints, at constant rates or along a trajectory, besides those drawn as one
/// kind among all.
const CHAINS: u32 = 3;

/// Which kind of motion is drawn next.
pub(super) fn kind(random: &mut Random) -> usize {
    let chain = FAMILIES.len() - 1 - random.below(2) as usize;
    if random.below(CHAINS) == 0 { chain } else { random.below(FAMILIES.len() as u32) as usize }
}

pub(super) fn name(kind: usize) -> &'static str {
    FAMILIES[kind].0
}

/// A motion of this kind near a place. From equal random numbers, motions near two places differ by a shift.
pub(super) fn make(kind: usize, place: DVec3, random: &mut Random) -> Made {
    FAMILIES[kind].1(place, random)
}

fn start(place: DVec3, random: &mut Random) -> Result<Pose, Refused> {
    Ok(Pose::new(place, random.rotation())?)
}

/// How far it goes: mostly some units, at times hundreds.
fn way(random: &mut Random) -> DVec3 {
    random.direction() * random.between(0.05f64.ln(), 60f64.ln()).exp().min(random.between(1.0, 60.0))
}

fn rows(place: DVec3, random: &mut Random) -> Result<Vec<(f64, Pose)>, Refused> {
    let (mut rows, mut turn, way) = (Vec::new(), random.rotation(), random.direction() * random.between(0.1, 5.0));
    for i in 0..5 {
        let time = f64::from(i) / 4.0;
        let aside = random.direction() * 0.2;
        rows.push((time, Pose::new(place + way * time + aside, turn)?));
        turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 0.6)) * turn;
    }
    Ok(rows)
}

/// A chain of 1 to 12 joints that ends near the place when it is at rest.
fn chain(place: DVec3, random: &mut Random) -> Made {
    chain_of(1 + random.below(12), place, random)
}

/// A chain of so many joints that ends near the place when it is at rest.
pub(super) fn chain_of(count: u32, place: DVec3, random: &mut Random) -> Made {
    let fastest = random.between(0.2, 3.0);
    let reach = random.between(0.2, 1.0);
    let mut point = place;
    let mut joints = Vec::new();
    for _ in 0..count {
        let axis = random.direction();
        let (position, rate) = (random.between(-2.0, 2.0), random.between(-fastest, fastest));
        joints.push(match random.below(8) {
            0 => Joint::sliding(point, axis, 0.3 * position, 0.5 * rate)?,
            _ => Joint::turning(point, axis, position, rate)?,
        });
        point -= random.direction() * reach;
    }
    joints.reverse();
    let rest = Pose::new(place + random.direction() * 0.5 * reach, random.rotation())?;
    Ok(Box::new(ChainLink::new(joints, rest, 0.0)?))
}

/// The last link of a robot of 1 to 12 joints that follow a trajectory.
fn robot(place: DVec3, random: &mut Random) -> Made {
    let (count, reach) = (1 + random.below(12), random.between(0.2, 1.0));
    let joint = |k: u32, random: &mut Random| {
        let (name, parent, child) = (format!("joint {k}"), format!("link {k}"), format!("link {}", k + 1));
        let origin = Pose::new(random.direction() * reach, random.rotation())?;
        let kind = match random.below(8) {
            0 => JointKind::Prismatic { lower: -5.0, upper: 5.0 },
            _ => JointKind::Continuous,
        };
        Ok::<_, Refused>(RobotJoint { name, parent, child, origin, axis: random.direction(), kind })
    };
    let joints = (0..count).map(|k| joint(k, random)).collect::<Result<Vec<_>, _>>()?;
    let robot = Robot::new(joints)?.with_base(Pose::at(place)?)?;
    let most = random.between(0.2, 2.0);
    let stop = |random: &mut Random| (0..count).map(|_| random.between(-most, most)).collect::<Vec<f64>>();
    let stops = [stop(random), stop(random), stop(random)];
    let rows: Vec<_> = (0..3).map(|k| (0.5 * k as f64, stops[k].clone())).collect();
    let path = match random.below(3) {
        0 => JointTrajectory::straight(&rows)?,
        1 => JointTrajectory::spline(&rows)?,
        _ => {
            let speeds = JointSpeeds { rate: random.between(2.0, 6.0), acceleration: random.between(5.0, 40.0) };
            JointTrajectory::trapezoid(0.0, &stops, &vec![speeds; count as usize])?
        }
    };
    Ok(Box::new(robot.motion(count as usize, &path)?))
}
