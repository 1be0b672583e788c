//! Two bodies that move: every verb of motion, by every family of motions and every method.

use impinge::glam::{DQuat, DVec3, Vec3Swizzles};
use impinge::{
    Ballistic, ChainLink, Flight, ImpactOptions, Joint, Limit, Motion, Pair, Pose, SampleBounds, SampledPoses, Span,
    SplineKey, SplinePoses, SplineTurns, Stats, Steady, SweepOptions, TimedPoses,
};

use super::bodies::Named;
use super::refused::Refused;
use super::tally::Tally;
use crate::random::Random;

const SWEEPS: [&str; 5] = ["auto", "simple", "tangent-hull", "chord-bulge", "by-speed"];
const IMPACTS: [&str; 5] = ["auto", "advancement", "contact-functions", "by-speed", "bisection"];

/// Pairs of bodies that are queried in motion. The slow oracles are queried about the first three only.
const MOVING: [[&str; 2]; 10] = [
    ["convex/random", "convex/cube"],
    ["round/capsule", "convex/ball"],
    ["round/sphere", "round/box"],
    ["mesh/cube", "mesh/scraps"],
    ["mesh/ring", "mesh/ball"],
    ["mesh/stairs", "convex/cube"],
    ["parts/beads", "convex/random"],
    ["parts/stairs", "mesh/cube"],
    ["mesh/patch", "round/point"],
    ["round/half-space", "convex/random"],
];

type Family = (&'static str, fn(Pose, DVec3, &mut Random) -> Result<Box<dyn Motion>, Refused>);

/// Motions that start at a pose and go about as far as a vector in the span from 0 to 1.
const FAMILIES: [Family; 9] = [
    ("straight", |pose, way, _| Ok(Box::new(Steady::straight(pose, way, 0.0)?))),
    ("turning", |pose, way, random| {
        let spin = random.direction() * random.between(0.2, 3.0);
        Ok(Box::new(Steady::new(pose, DVec3::ZERO, way, spin, 0.0)?))
    }),
    ("about a pivot", |pose, way, random| {
        Ok(Box::new(Steady::turning(pose, way * 0.3, random.direction() * 2.0, 0.0)?))
    }),
    ("screw", |pose, way, random| {
        let axis = random.direction();
        Ok(Box::new(Steady::screw(pose, DVec3::ZERO, axis * 2.5, axis * way.length(), 0.0)?))
    }),
    ("timed", |pose, way, random| Ok(Box::new(timed(pose, way, random)?))),
    ("sampled", |pose, way, random| {
        let rows = rows(pose, way, random)?;
        Ok(Box::new(SampledPoses::new(&rows, DVec3::ZERO, SampleBounds::speeds(60.0, 60.0))?))
    }),
    ("spline", |pose, way, random| {
        let key = |time, value| SplineKey { time, arrives: way.zxy(), value, leaves: -way.yzx() };
        let start = pose.translation();
        let turns = SplineTurns::Steady(vec![(0.0, pose.rotation()), (1.0, random.rotation())]);
        Ok(Box::new(SplinePoses::new(DVec3::ZERO, &[key(0.0, start), key(1.0, start + way)], &turns)?))
    }),
    ("ballistic", |pose, way, random| {
        let (spin, gravity) = (random.direction() * 2.0, DVec3::Z * -2.0);
        let moments = DVec3::new(1.0, 2.0, 2.5);
        Ok(Box::new(Ballistic::new(Flight { velocity: way, spin, gravity, moments, ..Flight::at(pose) })?))
    }),
    ("chain", |pose, way, random| {
        let joints = vec![
            Joint::turning(DVec3::ZERO, random.direction(), 0.2, 0.8)?,
            Joint::sliding(DVec3::X, way, 0.0, way.length())?,
            Joint::turning(DVec3::Y, random.direction(), 0.0, -1.1)?,
        ];
        Ok(Box::new(ChainLink::new(joints, pose, 0.0)?))
    }),
];

fn rows(pose: Pose, way: DVec3, random: &mut Random) -> Result<Vec<(f64, Pose)>, Refused> {
    let mut rows = Vec::new();
    for i in 0..4 {
        let turn = DQuat::from_axis_angle(random.direction(), 0.4 * f64::from(i)) * pose.rotation();
        rows.push((f64::from(i) / 3.0, Pose::new(pose.translation() + way * f64::from(i) / 3.0, turn)?));
    }
    Ok(rows)
}

fn timed(pose: Pose, way: DVec3, random: &mut Random) -> Result<TimedPoses, Refused> {
    Ok(TimedPoses::new(&rows(pose, way, random)?, DVec3::ZERO)?)
}

pub(super) fn ask(bodies: &[Named], tally: &mut Tally) -> Result<(), Refused> {
    let find = |name: &str| bodies.iter().find(|body| body.name == name).ok_or(format!("there is no {name}"));
    for (number, [a, b]) in MOVING.into_iter().enumerate() {
        let (a, b) = (find(a)?, find(b)?);
        let mut random = Random::new(21, 100 + number as u64);
        let mut warm = Pair::new(&a.model, &b.model);
        for (family, motion) in FAMILIES {
            let start = random.direction() * random.between(1.8, 3.0);
            let aim = -start + random.direction() * random.between(0.0, 2.0);
            let first = motion(Pose::new(start, random.rotation())?, aim, &mut random)?;
            let still = Steady::still(Pose::IDENTITY);
            let drifting = Steady::new(Pose::IDENTITY, DVec3::ZERO, random.direction() * 0.2, DVec3::Z, 0.0)?;
            let second: &dyn Motion = if random.below(2) == 0 { &still } else { &drifting };
            verbs(family, &mut warm, [&*first, second], number < 3, tally)?;
        }
    }
    Ok(())
}

fn verbs(
    family: &str,
    warm: &mut Pair,
    [a, b]: [&dyn Motion; 2],
    oracles: bool,
    tally: &mut Tally,
) -> Result<(), Refused> {
    let asked = |method: &&&str| oracles || !matches!(**method, "by-speed" | "bisection" | "contact-functions");
    for method in SWEEPS.iter().filter(asked) {
        for enough in [None, Some(0.2)] {
            let options = SweepOptions { method: method.parse()?, enough, tolerance: 1e-4 };
            let told = warm.clone().sweep_with(a, b, Span::UNIT, &options);
            let answer = (told.interval, told.time, told.witness, told.penetrating);
            tally.add(&format!("sweep {family}, {method}"), &answer, told.stats);
        }
    }
    for method in IMPACTS.iter().filter(asked) {
        for tolerance in [0.0, 0.05] {
            let options = ImpactOptions { method: method.parse()?, tolerance, parting: tolerance > 0.0 };
            let told = warm.clone().impact_with(a, b, Span::UNIT, &options);
            let answer = (told.time, told.certain, told.separating, told.witness, told.normal, told.leaves);
            tally.add(&format!("impact {family}, {method}"), &answer, told.stats);
        }
    }
    let pairs = warm.sweep_pairs(a, b, Span::UNIT, 0.1, Limit::UpTo(200));
    tally.add(&format!("sweep {family}, pairs"), &pairs, Stats::default());
    let next = warm.next_contact(a, b, Span::UNIT);
    tally.add(&format!("impact {family}, next contact"), &next, Stats::default());
    let spans = warm.contacts_over_time(a, b, Span::UNIT);
    tally.add(&format!("impact {family}, all contacts"), &spans, Stats::default());
    Ok(())
}
