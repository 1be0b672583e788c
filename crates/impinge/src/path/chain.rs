//! A link of a serial chain of joints that turn and slide at constant rates: an arm of a robot.
//!
//! The pose is a product of exponentials: with the chain at rest (all positions 0) joint `j` turns about a line, or
//! slides along a direction, of the *world*, and the link stands at a given pose; then
//!
//! ```text
//!     pose(t) = exp(S₁ q₁) · … · exp(S_n q_n) · rest,        q_j = position_j + rate_j·(t − start).
//! ```
//!
//! Bounds, after the reach sums of Lin §4.2 and of every planner since. Let `o_j` be the point given for joint `j`,
//! `o_{n+1}` the origin of the link, `e_j = |o_{j+1} − o_j|` at rest (both are fixed to link `j`, so that length does
//! not change), `Q_j` how far a sliding joint is out at most, and `W_j = Σ_{i ≤ j} |q̇_i|` over turning joints, which
//! bounds the spin of link `j`. Then, for the origin of the link seen from `o_j`,
//!
//! ```text
//!     distance      reach_j = Σ_{i ≥ j} e_i + Σ_{i > j, sliding} Q_i
//!     change of it  D_j     = Σ_{i ≥ j} W_i e_i + Σ_{i > j, sliding} (|q̇_i| + Q_i W_{i−1})
//!     velocity      Σ_turning |q̇_j| reach_j + Σ_sliding |q̇_j|
//!     acceleration  Σ_turning |q̇_j| (W_{j−1} reach_j + D_j) + Σ_sliding |q̇_j| W_{j−1}
//!     of the spin   Σ_turning |q̇_j| W_{j−1}
//! ```
//!
//! the last two because an axis fixed to link `j − 1` changes direction by `W_{j−1}` at most, and rates are constant.
//! Over short spans the velocity at the middle, give or take the acceleration, is the closer bound, and is used.
//!
//! Cost: linear in the number of joints.

use glam::{DQuat, DVec3};

use super::moving_body::Motion;
use super::rates::Rates;
use crate::error::MotionError;
use crate::math::Pose;

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
    point: DVec3,
    axis: DVec3,
    turns: bool,
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
        Ok(Joint { point, axis, turns, position, rate })
    }

    fn at(&self, since: f64) -> f64 {
        self.position + self.rate * since
    }

    /// The rotation and the translation of the joint's exponential at the time `since` after the start.
    fn moved(&self, since: f64) -> (DQuat, DVec3) {
        if !self.turns {
            return (DQuat::IDENTITY, self.axis * self.at(since));
        }
        let turn = DQuat::from_axis_angle(self.axis, self.at(since));
        (turn, self.point - turn * self.point)
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
    /// `e_j`: from each joint to the next, and from the last to the origin of the link.
    lengths: Vec<f64>,
    /// `W_j`: the spin of the link that each joint carries is no greater than this.
    spins: Vec<f64>,
}

/// Bounds on what the origin of a link does over a span.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    speed: f64,
    acceleration: f64,
    spin: f64,
    spin_acceleration: f64,
}

impl ChainLink {
    /// The link that the last of the joints carries, at `rest` when all positions are 0. Positions are those at
    /// `start`.
    ///
    /// # Errors
    /// The time is not finite or beyond the supported scale.
    pub fn new(joints: Vec<Joint>, rest: Pose, start: f64) -> Result<ChainLink, MotionError> {
        MotionError::check("start", DVec3::splat(start))?;
        let next = joints.iter().skip(1).map(|joint| joint.point).chain([rest.translation()]);
        let lengths = joints.iter().zip(next).map(|(joint, next)| joint.point.distance(next)).collect();
        let turning = joints.iter().map(|joint| if joint.turns { joint.rate.abs() } else { 0.0 });
        let spins = turning
            .scan(0.0, |sum, rate| {
                *sum += rate;
                Some(*sum)
            })
            .collect();
        Ok(ChainLink { joints, rest, start, lengths, spins })
    }

    /// The joints.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Velocity of the link's origin and its spin at a time.
    fn velocity(&self, t: f64) -> [DVec3; 2] {
        let origin = self.pose(t).translation();
        let (mut turn, mut shift) = (DQuat::IDENTITY, DVec3::ZERO);
        let (mut velocity, mut spin) = (DVec3::ZERO, DVec3::ZERO);
        for joint in &self.joints {
            let along = turn * joint.axis * joint.rate;
            if joint.turns {
                velocity += along.cross(origin - (turn * joint.point + shift));
                spin += along;
            } else {
                velocity += along;
            }
            let (q, d) = joint.moved(t - self.start);
            shift += turn * d;
            turn *= q;
        }
        [velocity, spin]
    }

    /// The sums of the module, from the last joint to the first: `reach_j` and `D_j` grow from joint to joint.
    fn reach(&self, from: f64, to: f64) -> Reach {
        let mut bound = Reach { spin: self.spins.last().copied().unwrap_or(0.0), ..Reach::default() };
        let (mut reach, mut change) = (0.0, 0.0);
        for (j, joint) in self.joints.iter().enumerate().rev() {
            let rate = joint.rate.abs();
            reach += self.lengths[j];
            change += self.spins[j] * self.lengths[j];
            let spin = if j > 0 { self.spins[j - 1] } else { 0.0 };
            if joint.turns {
                bound.speed += rate * reach;
                bound.acceleration += rate * (spin * reach + change);
                bound.spin_acceleration += rate * spin;
            } else {
                let out = joint.at(from - self.start).abs().max(joint.at(to - self.start).abs());
                bound.speed += rate;
                bound.acceleration += rate * spin;
                reach += out;
                change += rate + out * spin;
            }
        }
        bound
    }
}

/// A little more than `x`, for the rounding of the sums.
fn above(x: f64) -> f64 {
    x * (1.0 + 1e-12)
}

impl Motion for ChainLink {
    fn pose(&self, t: f64) -> Pose {
        let (mut turn, mut shift) = (DQuat::IDENTITY, DVec3::ZERO);
        for joint in &self.joints {
            let (q, d) = joint.moved(t - self.start);
            shift += turn * d;
            turn = (turn * q).normalize();
        }
        Pose::bounded(shift + turn * self.rest.translation(), turn * self.rest.rotation())
    }

    fn rates(&self, from: f64, to: f64) -> Rates {
        let bound = self.reach(from, to);
        let half = 0.5 * (to - from).max(0.0);
        let [velocity, spin] = self.velocity(0.5 * from + 0.5 * to);
        let mut rates = Rates { velocity_spread: above(bound.speed), spin_spread: above(bound.spin), ..Rates::STILL };
        if velocity.is_finite() && bound.acceleration * half + velocity.length() <= bound.speed * (1.0 + 1e-9) {
            rates.velocity = velocity;
            rates.velocity_spread = above(bound.acceleration * half) + 1e-14 * bound.speed;
        }
        if spin.is_finite() && bound.spin_acceleration * half + spin.length() <= bound.spin * (1.0 + 1e-9) {
            rates.spin = spin;
            rates.spin_spread = above(bound.spin_acceleration * half) + 1e-14 * bound.spin;
        }
        rates
    }

    fn accelerations(&self, from: f64, to: f64) -> [f64; 2] {
        let bound = self.reach(from, to);
        [above(bound.acceleration), above(bound.spin_acceleration)]
    }
}
