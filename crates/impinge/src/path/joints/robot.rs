//! A robot: links joined in a tree, each carried by a joint on the link before, as in a robot file (URDF).
//!
//! A joint has a frame of its own, given in the frame of the link that it stands on. The link that it carries has the
//! same frame where the joint's value is 0; a joint that turns then turns it about the axis through the frame's origin,
//! one that slides moves it along. The pose of a link is the product of all of that from the base on.
//!
//! Inside, every axis is kept where it is in the world at rest, all values 0 ([`super::joint_line`]): joints that are
//! fixed are gone then, and one joint more is one product more.
//!
//! Invariant: links are in an order in which each comes after the one it stands on; the base is the first. Cost: the
//! poses of all links take one product for each joint that moves.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3, EulerRot};

use super::joint_line::{Carried, JointAxis};
use super::link_motion::LinkMotion;
use super::robot_error::RobotError;
use super::trajectory::JointTrajectory;
use crate::math::{LIMIT, Pose, PoseError};

/// What a joint lets the link do that it carries.
///
/// ```
/// use impinge::JointKind;
/// let elbow = JointKind::Revolute { lower: -2.0, upper: 2.0 };
/// assert_eq!(elbow.limits(), [-2.0, 2.0]);
/// assert_eq!(JointKind::Continuous.limits()[1], f64::INFINITY);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub enum JointKind {
    /// Nothing: it has no value.
    Fixed,
    /// Turn about the axis, between limits in radians.
    Revolute {
        /// The least value.
        #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
        lower: f64,
        /// The greatest value.
        #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
        upper: f64,
    },
    /// Turn about the axis without limits.
    Continuous,
    /// Slide along the axis, between limits in units of length.
    Prismatic {
        /// The least value.
        #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
        lower: f64,
        /// The greatest value.
        #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
        upper: f64,
    },
}

impl JointKind {
    /// The least and the greatest value; both 0 for a fixed joint.
    pub fn limits(self) -> [f64; 2] {
        match self {
            JointKind::Fixed => [0.0; 2],
            JointKind::Revolute { lower, upper } | JointKind::Prismatic { lower, upper } => [lower, upper],
            JointKind::Continuous => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }
}

/// A joint as a robot file describes it.
///
/// ```
/// use impinge::{glam::DVec3, JointKind, RobotJoint};
/// let origin = RobotJoint::origin([0.0, 0.0, 0.5], [0.0, 0.0, 1.57])?;
/// let shoulder = RobotJoint {
///     name: "shoulder".into(),
///     parent: "base".into(),
///     child: "upper_arm".into(),
///     origin,
///     axis: DVec3::Z,
///     kind: JointKind::Revolute { lower: -3.1, upper: 3.1 },
/// };
/// assert_eq!(shoulder.origin.translation(), DVec3::Z * 0.5);
/// # Ok::<(), impinge::PoseError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct RobotJoint {
    /// No other joint has the same.
    pub name: String,
    /// The link that it stands on.
    pub parent: String,
    /// The link that it carries.
    pub child: String,
    /// Its frame, in the frame of the parent.
    pub origin: Pose,
    /// The axis, in its own frame, of any length but 0. A fixed joint has none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub axis: DVec3,
    /// What it lets the child do.
    pub kind: JointKind,
}

impl RobotJoint {
    /// The pose that a robot file writes as `<origin xyz="…" rpy="…"/>`: a shift, and turns about the fixed axes x, y
    /// and z, in this order.
    ///
    /// # Errors
    /// A number is not finite, or the shift is beyond the supported scale.
    pub fn origin(xyz: [f64; 3], rpy: [f64; 3]) -> Result<Pose, PoseError> {
        let [roll, pitch, yaw] = rpy;
        Pose::new(DVec3::from_array(xyz), DQuat::from_euler(EulerRot::ZYX, yaw, pitch, roll).normalize())
    }
}

/// Links joined in a tree.
///
/// ```
/// use std::f64::consts::FRAC_PI_2;
/// use impinge::{glam::DVec3, JointKind, Robot, RobotJoint};
/// let joint = |name: &str, parent: &str, child: &str, x| {
///     let (origin, axis) = (RobotJoint::origin([x, 0.0, 0.0], [0.0; 3])?, DVec3::Z);
///     let (name, parent, child) = (name.into(), parent.into(), child.into());
///     Ok::<_, impinge::PoseError>(RobotJoint { name, parent, child, origin, axis, kind: JointKind::Continuous })
/// };
/// let arm = Robot::new(vec![joint("shoulder", "base", "upper arm", 0.0)?, joint("elbow", "upper arm", "forearm", 1.0)?])?;
/// assert_eq!(arm.links(), ["base", "upper arm", "forearm"]);
/// let poses = arm.poses(&[FRAC_PI_2, -FRAC_PI_2])?;
/// assert!(poses[2].apply(DVec3::X).distance(DVec3::new(1.0, 1.0, 0.0)) < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Robot {
    base: Pose,
    links: Vec<String>,
    /// The joint that carries each link but the base, the first: link `k` by joint `k − 1`.
    joints: Vec<RobotJoint>,
    /// Where each link is at rest.
    rest: Vec<Pose>,
    /// The joints that move.
    moving: Vec<MovingJoint>,
    /// Of each link, the last joint that moves before it.
    carried_by: Vec<Option<usize>>,
}

/// A joint that moves.
#[derive(Debug, Clone, Copy, PartialEq)]
struct MovingJoint {
    joint: usize,
    line: JointAxis,
    /// The joint that moves before it.
    before: Option<usize>,
}

impl Robot {
    /// A robot of these joints, in any order. Its base, the link that no joint carries, stands in the world's frame.
    ///
    /// # Errors
    /// There are no joints; an axis is zero or not finite; limits are NaN, or the lower one is above the upper one; two
    /// joints have one name; a link hangs on two joints or on itself; there are two bases; or a link lies beyond the
    /// supported scale.
    pub fn new(joints: Vec<RobotJoint>) -> Result<Robot, RobotError> {
        joints.iter().try_for_each(check)?;
        let (base, carrying) = carrying(&joints)?;
        let mut names = BTreeMap::new();
        for joint in &joints {
            if names.insert(&joint.name, ()).is_some() {
                return Err(RobotError::SameName { joint: joint.name.clone() });
            }
        }
        let mut robot = Robot {
            base: Pose::IDENTITY,
            links: vec![base.clone()],
            joints: Vec::new(),
            rest: vec![Pose::IDENTITY],
            moving: Vec::new(),
            carried_by: vec![None],
        };
        let mut on: BTreeMap<&String, Vec<&RobotJoint>> = BTreeMap::new();
        joints.iter().for_each(|joint| on.entry(&joint.parent).or_default().push(joint));
        let mut next = 0;
        while next < robot.links.len() {
            for joint in on.remove(&robot.links[next].clone()).unwrap_or_default() {
                robot.add(joint, next)?;
            }
            next += 1;
        }
        match carrying.iter().find(|(link, _)| !robot.links.contains(link)) {
            Some((link, _)) => Err(RobotError::Cycle { link: (*link).clone() }),
            None => Ok(robot),
        }
    }

    fn add(&mut self, joint: &RobotJoint, parent: usize) -> Result<(), RobotError> {
        let on = &self.rest[parent];
        let (place, turn) = (on.apply(joint.origin.translation()), on.rotation() * joint.origin.rotation());
        let rest =
            Pose::new(place, turn.normalize()).map_err(|_| RobotError::TooLarge { link: joint.child.clone() })?;
        let mut carried = self.carried_by[parent];
        if joint.kind != JointKind::Fixed {
            let axis = (joint.axis / joint.axis.abs().max_element()).normalize();
            let turns = !matches!(joint.kind, JointKind::Prismatic { .. });
            let line = JointAxis { point: rest.translation(), axis: rest.rotate(axis), turns };
            self.moving.push(MovingJoint { joint: self.joints.len(), line, before: carried });
            carried = Some(self.moving.len() - 1);
        }
        self.links.push(joint.child.clone());
        self.joints.push(joint.clone());
        self.rest.push(rest);
        self.carried_by.push(carried);
        Ok(())
    }

    /// The same robot with its base elsewhere: where this pose moves it to.
    ///
    /// # Errors
    /// A link lies beyond the supported scale.
    pub fn with_base(&self, base: Pose) -> Result<Robot, RobotError> {
        if self.base == Pose::IDENTITY {
            return self.clone().at(base);
        }
        let too_large = || RobotError::TooLarge { link: self.links[0].clone() };
        let turn = (base.rotation() * self.base.rotation()).normalize();
        let moved = Pose::new(base.apply(self.base.translation()), turn).map_err(|_| too_large())?;
        // From the joints again, so that a robot depends on nothing but these and where its base is.
        Robot::new(self.joints.clone())?.at(moved)
    }

    /// A robot whose base is at the origin, with its base at a pose.
    fn at(self, base: Pose) -> Result<Robot, RobotError> {
        let mut robot = Robot { base, ..self };
        for (rest, link) in robot.rest.iter_mut().zip(&robot.links) {
            let turn = (base.rotation() * rest.rotation()).normalize();
            let moved = Pose::new(base.apply(rest.translation()), turn);
            *rest = moved.map_err(|_| RobotError::TooLarge { link: link.clone() })?;
        }
        for moving in &mut robot.moving {
            moving.line.point = base.apply(moving.line.point);
            moving.line.axis = base.rotate(moving.line.axis);
        }
        Ok(robot)
    }

    /// Where the base stands.
    ///
    /// ```
    /// use impinge::{glam::DVec3, JointKind, Pose, Robot, RobotJoint};
    /// let (name, parent, child) = ("hinge".into(), "frame".into(), "door".into());
    /// let origin = Pose::at(DVec3::X)?;
    /// let (axis, kind) = (DVec3::Z, JointKind::Continuous);
    /// let door = Robot::new(vec![RobotJoint { name, parent, child, origin, axis, kind }])?;
    /// let moved = door.with_base(Pose::at(DVec3::Y)?)?;
    /// assert_eq!((door.base(), moved.base().translation()), (Pose::IDENTITY, DVec3::Y));
    /// assert_eq!(moved.poses(&[0.0])?[1].translation(), DVec3::X + DVec3::Y);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn base(&self) -> Pose {
        self.base
    }

    /// The names of the links: the base first, and each after the link that it stands on.
    pub fn links(&self) -> &[String] {
        &self.links
    }

    /// The number of a link.
    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link == name)
    }

    /// All joints, each after the one that it stands on.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = &RobotJoint> {
        self.joints.iter()
    }

    /// The joints that move, in the order in which their values are given.
    pub fn moving_joints(&self) -> impl ExactSizeIterator<Item = &RobotJoint> {
        self.moving.iter().map(|moving| &self.joints[moving.joint])
    }

    /// Every two links that may collide: not those that do not move relative to each other, and not those that one
    /// joint joins.
    pub fn pairs(&self) -> Vec<[usize; 2]> {
        let joined = |i: usize, j: usize| {
            let (a, b) = (self.carried_by[i], self.carried_by[j]);
            let before = |k: Option<usize>| k.map(|k| self.moving[k].before);
            a == b || before(a) == Some(b) || before(b) == Some(a)
        };
        let all = (0..self.links.len()).flat_map(|i| (i + 1..self.links.len()).map(move |j| [i, j]));
        all.filter(|&[i, j]| !joined(i, j)).collect()
    }

    /// Where every link is, for a value of each joint that moves.
    ///
    /// # Errors
    /// There are more or fewer values than joints that move, or one is not finite or beyond its joint's limits.
    pub fn poses(&self, values: &[f64]) -> Result<Vec<Pose>, RobotError> {
        self.check_count(values.len())?;
        for (joint, &value) in self.moving_joints().zip(values) {
            if !value.is_finite() || value.abs() > LIMIT {
                return Err(RobotError::NotFinite { joint: joint.name.clone(), value });
            }
            let [lower, upper] = joint.kind.limits();
            if value < lower - NEAR_LIMIT || value > upper + NEAR_LIMIT {
                return Err(RobotError::BeyondLimit { joint: joint.name.clone(), time: 0.0, value, lower, upper });
            }
        }
        let mut carried: Vec<Carried> = Vec::with_capacity(self.moving.len());
        for (moving, &value) in self.moving.iter().zip(values) {
            let before = moving.before.map_or(Carried::BASE, |k| carried[k]);
            carried.push(before.by(&moving.line, value));
        }
        let place = |link: usize| self.carried_by[link].map_or(Carried::BASE, |k| carried[k]).place(&self.rest[link]);
        Ok((0..self.links.len()).map(place).collect())
    }

    /// How a link moves while the joints follow a trajectory.
    ///
    /// # Errors
    /// There is no such link; the trajectory has more or fewer joints than the robot has ones that move; or it leaves
    /// the limits of a joint that carries the link.
    pub fn motion(&self, link: usize, path: &JointTrajectory) -> Result<LinkMotion, RobotError> {
        self.check_count(path.joint_count())?;
        let count = self.links.len();
        let mut chain = Vec::new();
        let mut next = *self.carried_by.get(link).ok_or(RobotError::NoLink { link, count })?;
        while let Some(k) = next {
            self.check_limits(k, path)?;
            chain.push((self.moving[k].line, k));
            next = self.moving[k].before;
        }
        chain.reverse();
        Ok(LinkMotion::new(chain, self.rest[link], path.clone()))
    }

    /// How every link moves while the joints follow a trajectory, in the order of [`Robot::links`].
    ///
    /// # Errors
    /// As [`Robot::motion`].
    pub fn motions(&self, path: &JointTrajectory) -> Result<Vec<LinkMotion>, RobotError> {
        (0..self.links.len()).map(|link| self.motion(link, path)).collect()
    }

    fn check_count(&self, given: usize) -> Result<(), RobotError> {
        let expected = self.moving.len();
        if given == expected { Ok(()) } else { Err(RobotError::WrongCount { given, expected }) }
    }

    fn check_limits(&self, moving: usize, path: &JointTrajectory) -> Result<(), RobotError> {
        let joint = &self.joints[self.moving[moving].joint];
        let [lower, upper] = joint.kind.limits();
        match path.joints[moving].beyond([lower, upper]) {
            None => Ok(()),
            Some([time, value]) => {
                Err(RobotError::BeyondLimit { joint: joint.name.clone(), time, value, lower, upper })
            }
        }
    }
}

/// Values beyond a limit by less than this are taken for rounding.
const NEAR_LIMIT: f64 = 1e-9;

fn check(joint: &RobotJoint) -> Result<(), RobotError> {
    let fixed = joint.kind == JointKind::Fixed;
    if !fixed && (!joint.axis.is_finite() || joint.axis == DVec3::ZERO) {
        return Err(RobotError::NoAxis { joint: joint.name.clone() });
    }
    let [lower, upper] = joint.kind.limits();
    let bad = lower.is_nan() || upper.is_nan() || lower > upper || lower == f64::INFINITY || upper == f64::NEG_INFINITY;
    if bad { Err(RobotError::BadLimits { joint: joint.name.clone(), lower, upper }) } else { Ok(()) }
}

/// The base, and the joint that carries each other link.
fn carrying(joints: &[RobotJoint]) -> Result<(&String, BTreeMap<&String, &RobotJoint>), RobotError> {
    let mut carrying: BTreeMap<&String, &RobotJoint> = BTreeMap::new();
    for joint in joints {
        if let Some(other) = carrying.insert(&joint.child, joint) {
            let (first, second) = (other.name.clone(), joint.name.clone());
            return Err(RobotError::TwoJoints { link: joint.child.clone(), first, second });
        }
    }
    let mut bases = joints.iter().map(|joint| &joint.parent).filter(|parent| !carrying.contains_key(parent));
    let Some(base) = bases.next() else {
        let first = joints.first().ok_or(RobotError::NoJoints)?;
        return Err(RobotError::Cycle { link: first.child.clone() });
    };
    match bases.find(|other| *other != base) {
        Some(other) => Err(RobotError::TwoBases { first: base.clone(), second: other.clone() }),
        None => Ok((base, carrying)),
    }
}
