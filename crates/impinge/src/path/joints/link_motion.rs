//! The motion of a link of a robot whose joints follow a trajectory.
//!
//! Bounds are those of [`super::joint_line`], with the ranges of values, rates and accelerations that the trajectory
//! gives for a span. Where joints are known at times only, the true values are off by some `δ_j`: on the straight way
//! from the one set of values to the other, a point that is no farther than `ρ` from the link's origin moves by no more
//! than `Σ_turning δ_j (reach_j + ρ) + Σ_sliding δ_j`, with `reach_j` the sum of all lengths from the joint on.

use super::joint_line::{self, Carried, JointAxis, JointLine, JointRange};
use super::trajectory::JointTrajectory;
use crate::math::Pose;
use crate::path::moving_body::Motion;
use crate::path::rates::Rates;

/// How a link moves while the joints of its robot follow a trajectory: from [`Robot::motion`](crate::Robot::motion).
///
/// ```
/// use impinge::{glam::DVec3, JointKind, JointTrajectory, Motion, Robot, RobotJoint};
/// let (name, parent, child) = ("lift".into(), "mast".into(), "fork".into());
/// let (origin, kind) = (RobotJoint::origin([0.0; 3], [0.0; 3])?, JointKind::Prismatic { lower: 0.0, upper: 2.0 });
/// let truck = Robot::new(vec![RobotJoint { name, parent, child, origin, axis: DVec3::Z, kind }])?;
/// let up = JointTrajectory::spline(&[(0.0, vec![0.0]), (4.0, vec![2.0])])?;
/// assert_eq!(truck.motion(1, &up)?.pose(2.0).translation(), DVec3::Z);
/// let through_the_roof = JointTrajectory::spline(&[(0.0, vec![0.0]), (4.0, vec![3.0])])?;
/// assert!(truck.motion(1, &through_the_roof).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinkMotion {
    /// The joints that carry the link, with their numbers in the trajectory.
    chain: Vec<(JointAxis, usize)>,
    rest: Pose,
    path: JointTrajectory,
    /// How fast all joints together turn at most.
    turning: f64,
    /// How far the link's origin is from each joint's point at most.
    reaches: Vec<f64>,
}

impl LinkMotion {
    pub(super) fn new(chain: Vec<(JointAxis, usize)>, rest: Pose, path: JointTrajectory) -> LinkMotion {
        let turning = chain.iter().filter(|(line, _)| line.turns).map(|&(_, k)| path.joints[k].fastest).sum();
        let span = path.span();
        let (mut reaches, mut reach, mut next) = (vec![0.0; chain.len()], 0.0, rest.translation());
        for (at, &(line, k)) in chain.iter().enumerate().rev() {
            reach += line.point.distance(next);
            reaches[at] = reach;
            if !line.turns {
                let [low, high] = path.joints[k].range(span.from(), span.to()).value;
                reach += low.abs().max(high.abs()) + path.joints[k].off(span.from(), span.to());
            }
            next = line.point;
        }
        LinkMotion { chain, rest, path, turning, reaches }
    }

    /// The trajectory that the joints follow.
    pub fn trajectory(&self) -> &JointTrajectory {
        &self.path
    }

    fn line(&self, from: f64, to: f64) -> JointLine<impl Iterator<Item = (JointAxis, JointRange)>> {
        let joints = self.chain.iter().map(move |&(line, k)| (line, self.path.joints[k].range(from, to)));
        JointLine { joints, rest: self.rest.translation() }
    }

    /// How far all joints together turn at most between two times.
    fn turning(&self, from: f64, to: f64) -> f64 {
        let span = self.path.span();
        self.turning * (to.min(span.to()) - from.max(span.from())).max(0.0)
    }
}

impl Motion for LinkMotion {
    fn pose(&self, t: f64) -> Pose {
        let by = |carried: Carried, &(line, k): &(JointAxis, usize)| carried.by(&line, self.path.joints[k].value(t));
        self.chain.iter().fold(Carried::BASE, by).place(&self.rest)
    }

    fn rates(&self, from: f64, to: f64) -> Rates {
        let is_smooth = |from: f64, to: f64| to <= self.smooth_until(from);
        joint_line::rates([from, to], self.turning(from, to), is_smooth, |from, to| self.line(from, to))
    }

    fn accelerations(&self, from: f64, to: f64) -> [f64; 2] {
        if self.smooth_until(from) < to {
            return [f64::INFINITY; 2];
        }
        joint_line::accelerations([from, to], self.turning(from, to), |from, to| self.line(from, to))
    }

    fn smooth_until(&self, from: f64) -> f64 {
        self.chain.iter().map(|&(_, k)| self.path.joints[k].next_jump(from)).fold(f64::INFINITY, f64::min)
    }

    fn margin(&self, from: f64, to: f64, radius: f64) -> f64 {
        let one = |(&(line, k), reach): (&(JointAxis, usize), &f64)| {
            let arm = if line.turns { reach + radius } else { 1.0 };
            let off = self.path.joints[k].off(from, to);
            if off == 0.0 { 0.0 } else { off * arm }
        };
        self.chain.iter().zip(&self.reaches).map(one).sum::<f64>() * (1.0 + 1e-12)
    }
}
