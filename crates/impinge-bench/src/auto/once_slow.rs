//! Cases for which the choice took seconds once, and what it takes now: balls at the ends of two chains that come
//! within a little of each other, and the links of an arm that follows a path.

use std::path::Path;

use impinge::glam::{DAffine3, DQuat, DVec3};
use impinge::{JointKind, JointTrajectory, Mesh, Model, Pose, Robot, RobotJoint, Round};
use impinge_testing::urdf::{LinkShape, Urdf, UrdfLink};

use super::cases::Case;
use super::measure::{Cost, costs};
use super::motions::chain_of;
use super::ways::Way;
use crate::digest::Refused;
use crate::random::Random;
use crate::report::{Table, figure};

/// How near the balls come, seen at this many moments.
const NEAR: [f64; 2] = [0.25, 0.265];
const MOMENTS: u32 = 256;
/// The most pairs of chains that are drawn for one that comes so near.
const MOST_DRAWN: u64 = 20_000;
/// The joints of the arm that the path moves, and their values at its stops.
const JOINTS: [&str; 6] =
    ["shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"];
const STOPS: [[f64; 6]; 3] =
    [[0.0, -1.2, 1.0, -1.0, -1.5, 0.0], [0.8, -0.9, 0.6, -0.5, -1.2, 0.7], [1.5, -1.4, 1.2, -1.2, -1.6, 1.4]];
/// The pair of links that took seconds.
const SLOW_PAIR: [&str; 2] = ["base_link", "fts_robotside"];
/// The ways that are measured: the choice, and a sweep before advancement.
const WAYS: [Way; 2] = [Way::EACH[0], Way::SweptFirst];

/// What the choice costs for each, beside a sweep and then advancement; each pair is shown, too.
pub(super) fn table(show: impl Fn(&str, &[Cost])) -> Result<Table, Refused> {
    let costs = |case: &Case| {
        let costs = costs(case, &WAYS);
        show(&case.name, &costs);
        costs
    };
    let mut table = Table::new(1, &["case", "pairs", "auto, ms", "swept first, ms", "auto, work", "longest pair, ms"]);
    for joints in 4..=8 {
        let case = balls_on_chains(joints)?;
        table.row(row(case.name.clone(), &[costs(&case)]));
    }
    if let Some(corpus) = std::env::var_os("IMPINGE_CORPUS") {
        let cases = arm(&Path::new(&corpus).join("robots/ur5/ur5.urdf"))?;
        let all: Vec<_> = cases.iter().map(costs).collect();
        let slow = SLOW_PAIR.join(", ");
        let of_slow: Vec<_> = cases.iter().zip(&all).filter(|(case, _)| case.name == slow).collect();
        for (case, cost) in of_slow {
            table.row(row(format!("UR5: {}", case.name), std::slice::from_ref(cost)));
        }
        table.row(row("UR5: all links that may collide".into(), &all));
    }
    Ok(table)
}

fn row(name: String, all: &[Vec<Cost>]) -> [String; 6] {
    let seconds = |k: usize| all.iter().map(move |costs| costs[k].seconds);
    let work: f64 = all.iter().map(|costs| costs[0].work).sum();
    let longest = seconds(0).fold(0.0, f64::max);
    let ms = |seconds: f64| figure(seconds * 1e3);
    [name, all.len().to_string(), ms(seconds(0).sum()), ms(seconds(1).sum()), figure(work), ms(longest)]
}

/// Balls of radius 0.1 at the ends of two chains of so many joints, the first drawn that come as near as asked.
fn balls_on_chains(joints: u32) -> Result<Case, Refused> {
    let ball = Round::sphere(0.1)?;
    for drawn in 0..MOST_DRAWN {
        let mut random = Random::new(23, u64::from(joints) * MOST_DRAWN + drawn);
        let apart = random.direction() * random.between(0.5, 3.0);
        let motions = [chain_of(joints, DVec3::ZERO, &mut random)?, chain_of(joints, apart, &mut random)?];
        let distance = |k: u32| {
            let [a, b] = [0, 1].map(|side: usize| motions[side].pose(f64::from(k) / f64::from(MOMENTS)).translation());
            a.distance(b) - 0.2
        };
        let least = (0..=MOMENTS).map(distance).fold(f64::INFINITY, f64::min);
        if (NEAR[0]..NEAR[1]).contains(&least) {
            let name = format!("balls on two chains of {joints} joints, as near as {least:.3}");
            return Ok(Case { name, models: [ball.clone().into(), ball.into()], motions });
        }
    }
    Err(format!("no chains of {joints} joints come as near as {NEAR:?}").into())
}

/// The links of the arm that may collide, two by two, along a path of all its joints.
fn arm(file: &Path) -> Result<Vec<Case>, Refused> {
    let urdf = Urdf::read(file);
    let joint = |joint: &impinge_testing::urdf::UrdfJoint| {
        let kind = if joint.axis == DVec3::ZERO { JointKind::Fixed } else { JointKind::Continuous };
        let (name, parent, child) = (joint.name.clone(), joint.parent.clone(), joint.child.clone());
        Ok::<_, Refused>(RobotJoint { name, parent, child, origin: pose(&joint.origin)?, axis: joint.axis, kind })
    };
    let robot = Robot::new(urdf.joints.iter().map(joint).collect::<Result<_, _>>()?)?;
    let values = |stop: &[f64; 6]| {
        let value = |name: &str| JOINTS.iter().position(|known| *known == name).map_or(0.0, |k| stop[k]);
        robot.moving_joints().map(|joint| value(&joint.name)).collect::<Vec<_>>()
    };
    let rows: Vec<_> = STOPS.iter().zip([0.0, 0.5, 1.0]).map(|(stop, time)| (time, values(stop))).collect();
    let path = JointTrajectory::spline(&rows)?;
    let shapes: Vec<(usize, &UrdfLink)> =
        urdf.links.iter().filter_map(|link| Some((robot.link(&link.name)?, link))).collect();
    let mut cases = Vec::new();
    for pair in robot.pairs() {
        let shape = |link: usize| shapes.iter().find(|(known, _)| *known == link).map(|(_, shape)| *shape);
        let [Some(a), Some(b)] = pair.map(shape) else { continue };
        let name = [a.name.as_str(), b.name.as_str()].join(", ");
        let motions: [Box<dyn impinge::Motion>; 2] =
            [Box::new(robot.motion(pair[0], &path)?), Box::new(robot.motion(pair[1], &path)?)];
        cases.push(Case { name, models: [model(a)?, model(b)?], motions });
    }
    Ok(cases)
}

fn pose(at: &DAffine3) -> Result<Pose, Refused> {
    Ok(Pose::new(at.translation, DQuat::from_mat3(&at.matrix3))?)
}

fn model(link: &UrdfLink) -> Result<Model, Refused> {
    match &link.shape {
        LinkShape::Mesh(file) => {
            let mut part = impinge_io::read(file)?.merged();
            part.vertices.iter_mut().for_each(|v| *v = link.origin.transform_point3(*v));
            Ok(Mesh::new(part.vertices, part.triangles)?.into())
        }
        LinkShape::Cuboid(half) => {
            let corner = |k: u32| DVec3::new(sign(k & 1), sign(k & 2), sign(k & 4)) * *half;
            let corners: Vec<_> = (0..8).map(|k| link.origin.transform_point3(corner(k))).collect();
            Ok(impinge::Convex::hull(&corners)?.into())
        }
    }
}

fn sign(bit: u32) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}
