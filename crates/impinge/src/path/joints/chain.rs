//! A link of a serial chain of joints that turn and slide at constant rates: an arm of a robot.
//!
//! The pose is a product of exponentials: with the chain at rest (all positions 0) joint `j` turns about a line, or
//! slides along a direction, of the *world*, and the link stands at a given pose; then
//!
//! ```text
//!     pose(t) = exp(S₁ q₁) · … · exp(S_n q_n) · rest,        q_j = position_j + rate_j·(t − start).
//! ```
//!
//! Bounds are those of [`super::joint_line`]. Cost: linear in the number of joints.

use glam::DVec3;

use super::joint_line::{self, Carried, JointAxis, JointLine, JointRange};
use crate::error::MotionError;
use crate::math::Pose;
use crate::path::moving_body::Motion;
use crate::path::rates::Rates;

/// What a joint does: it turns about a line, or slides along one. The line is given in the world, as the chain is at
/// rest.
///
/// ```
/// use impinge::{glam::DVec3, ChainLink, Joint, Motion, Pose};
/// let slide = Joint::sliding(DVec3::ZERO, DVec3::X, 0.5, 2.0)?;
/// let sled = ChainLink::new(vec![slide], Pose::IDENTITY, 0.0)?;
/// assert_eq!(sled.pose(1.0).translation(), DVec3::X * 2.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    line: JointAxis,
    position: f64,
    rate: f64,
}

impl Joint {
    /// Turns about the line through `point` along `axis`; `position` in radians at the start, `rate` in radians per
    /// unit of time.
    ///
    /// # Errors
    /// A number is not finite or beyond the supported scale, or the axis is zero.
    pub fn turning(point: DVec3, axis: DVec3, position: f64, rate: f64) -> Result<Joint, MotionError> {
        Joint::new(point, axis, true, position, rate)
    }

    /// Slides along `axis`. The place of `point` matters for the bounds only: the nearer to the chain, the closer they
    /// are.
    ///
    /// # Errors
    /// As [`Joint::turning`].
    pub fn sliding(point: DVec3, axis: DVec3, position: f64, rate: f64) -> Result<Joint, MotionError> {
        Joint::new(point, axis, false, position, rate)
    }

    fn new(point: DVec3, axis: DVec3, turns: bool, position: f64, rate: f64) -> Result<Joint, MotionError> {
        MotionError::check("joint", point)?;
        MotionError::check("axis of a joint", axis)?;
        MotionError::check("position of a joint", DVec3::splat(position))?;
        MotionError::check("rate of a joint", DVec3::splat(rate))?;
        let axis = (axis / axis.abs().max_element()).try_normalize().ok_or(MotionError::NoAxis)?;
        Ok(Joint { line: JointAxis { point, axis, turns }, position, rate })
    }

    fn at(&self, since: f64) -> f64 {
        self.position + self.rate * since
    }

    fn range(&self, from: f64, to: f64) -> JointRange {
        let ends = [self.at(from), self.at(to)];
        let value = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        JointRange { middle: self.at(0.5 * from + 0.5 * to), value, rate: [self.rate; 2], acceleration: [0.0; 2] }
    }
}

/// A link that is carried by a chain of joints, each joint on the link of the one before.
///
/// ```
/// use std::f64::consts::FRAC_PI_2;
/// use impinge::{glam::DVec3, ChainLink, Joint, Motion, Pose};
/// let shoulder = Joint::turning(DVec3::ZERO, DVec3::Z, 0.0, FRAC_PI_2)?;
/// let elbow = Joint::turning(DVec3::X, DVec3::Z, 0.0, -FRAC_PI_2)?;
/// let hand = ChainLink::new(vec![shoulder, elbow], Pose::at(DVec3::X * 2.0)?, 0.0)?;
/// assert!(hand.pose(1.0).translation().distance(DVec3::new(1.0, 1.0, 0.0)) < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ChainLink {
    joints: Vec<Joint>,
    rest: Pose,
    start: f64,
    /// How much all joints together turn in a unit of time.
    turning: f64,
}

impl ChainLink {
    /// The link that the last of the joints carries, at `rest` when all positions are 0. Positions are those at
    /// `start`.
    ///
    /// # Errors
    /// The time is not finite or beyond the supported scale.
    pub fn new(joints: Vec<Joint>, rest: Pose, start: f64) -> Result<ChainLink, MotionError> {
        MotionError::check("start", DVec3::splat(start))?;
        let turning = joints.iter().filter(|joint| joint.line.turns).map(|joint| joint.rate.abs()).sum();
        Ok(ChainLink { joints, rest, start, turning })
    }

    /// The joints.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    fn line(&self, from: f64, to: f64) -> JointLine<impl Iterator<Item = (JointAxis, JointRange)>> {
        let [from, to] = [from, to].map(|t| t - self.start);
        let joints = self.joints.iter().map(move |joint| (joint.line, joint.range(from, to)));
        JointLine { joints, rest: self.rest.translation() }
    }
}

impl Motion for ChainLink {
    fn pose(&self, t: f64) -> Pose {
        let since = t - self.start;
        let all = self.joints.iter();
        all.fold(Carried::BASE, |carried, joint| carried.by(&joint.line, joint.at(since))).place(&self.rest)
    }

    fn rates(&self, from: f64, to: f64) -> Rates {
        let turning = self.turning * (to - from).max(0.0);
        joint_line::rates([from, to], turning, |_, _| true, |from, to| self.line(from, to))
    }

    fn accelerations(&self, from: f64, to: f64) -> [f64; 2] {
        let turning = self.turning * (to - from).max(0.0);
        joint_line::accelerations([from, to], turning, |from, to| self.line(from, to))
    }
}
