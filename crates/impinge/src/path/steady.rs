//! Steady motion: one point of the body moves straight at a constant speed, and the body turns about it at a constant
//! rate about a constant axis.
//!
//! Xavier 1997, eq. 4, with the time `s` and `r₀` the place of the body's point `c` at time 0:
//!
//! ```text
//!     p(s) = R(s·ω)·(p(0) − r₀) + r₀ + s·v
//! ```
//!
//! Standing still, a straight translation, a rotation about an axis, a screw and the shortest way from one pose to
//! another are all of this form, so the engines know no other closed form. A screw has `v ∥ ω`.

use glam::{DQuat, DVec3};

use crate::error::MotionError;
use crate::math::{LIMIT, Pose, shortest_turn};

/// A body that moves with a constant velocity of one of its points and a constant spin about it.
///
/// ```
/// use std::f64::consts::PI;
/// use impinge::{glam::{DQuat, DVec3}, Motion, Pose, Steady};
/// let arm = Steady::turning(Pose::IDENTITY, DVec3::X, DVec3::Z * PI, 0.0)?;
/// assert!(arm.pose(1.0).apply(DVec3::ZERO).distance(DVec3::X * 2.0) < 1e-15);
/// # Ok::<(), impinge::MotionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steady {
    /// The pose at time `start`.
    pose: Pose,
    start: f64,
    /// The point that moves straight, in the body's frame.
    centre: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl Steady {
    /// A body that stands still.
    pub fn still(pose: Pose) -> Steady {
        Steady { pose, start: 0.0, centre: DVec3::ZERO, velocity: DVec3::ZERO, spin: DVec3::ZERO }
    }

    /// A body that is at `pose` at time `start` and moves straight.
    ///
    /// # Errors
    /// The velocity or the time is not finite or beyond the supported scale; as for every motion.
    pub fn straight(pose: Pose, velocity: DVec3, start: f64) -> Result<Steady, MotionError> {
        Steady::new(pose, DVec3::ZERO, velocity, DVec3::ZERO, start)
    }

    /// A body that is at `pose` at time `start` and turns about the line through `pivot`, a point of the world, along
    /// `spin`, in radians per unit of time.
    ///
    /// # Errors
    /// As [`Steady::straight`].
    pub fn turning(pose: Pose, pivot: DVec3, spin: DVec3, start: f64) -> Result<Steady, MotionError> {
        Steady::screw(pose, pivot, spin, DVec3::ZERO, start)
    }

    /// As [`Steady::turning`], while the line itself moves with `velocity`: Xavier's equation 4. A screw when the
    /// velocity is along the spin.
    ///
    /// # Errors
    /// As [`Steady::straight`].
    pub fn screw(pose: Pose, pivot: DVec3, spin: DVec3, velocity: DVec3, start: f64) -> Result<Steady, MotionError> {
        let centre = pose.rotation_matrix().transpose() * (pivot - pose.translation());
        Steady::new(pose, centre, velocity, spin, start)
    }

    /// A body that is at `pose` at time `start`, whose point `centre`, in its own frame, has the velocity given, and
    /// which turns about that point: a constant twist.
    ///
    /// # Errors
    /// As [`Steady::straight`].
    pub fn new(pose: Pose, centre: DVec3, velocity: DVec3, spin: DVec3, start: f64) -> Result<Steady, MotionError> {
        for (what, v) in [("centre", centre), ("velocity", velocity), ("spin", spin)] {
            MotionError::check(what, v)?;
        }
        MotionError::check("start", DVec3::splat(start))?;
        Ok(Steady { pose, start, centre, velocity, spin })
    }

    /// From one pose to another in the span of time given, turning the shorter way round, while the point `centre` of
    /// the body moves straight. With the centre of mass as that point, the body turns about it.
    ///
    /// # Errors
    /// The span is empty or reversed, or the speed is beyond the supported scale.
    pub fn between(from: Pose, to: Pose, centre: DVec3, [t0, t1]: [f64; 2]) -> Result<Steady, MotionError> {
        let duration = MotionError::check_span(t0, t1)?;
        let turn = shortest_turn(to.rotation() * from.rotation().conjugate());
        let velocity = (to.apply(centre) - from.apply(centre)) / duration;
        Steady::new(from, centre, velocity, turn / duration, t0)
    }

    /// Velocity of the centre.
    pub fn velocity(&self) -> DVec3 {
        self.velocity
    }

    /// Angular velocity, in radians.
    pub fn spin(&self) -> DVec3 {
        self.spin
    }

    /// The point that moves straight, in the body's frame.
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// Where that point is at a time.
    pub fn centre_at(&self, t: f64) -> DVec3 {
        self.pose.apply(self.centre) + self.velocity * (t - self.start)
    }

    /// The time `start` at which the pose was given.
    pub(crate) fn start(&self) -> f64 {
        self.start
    }

    /// The pose at the time `start`.
    #[inline(always)]
    pub(crate) fn pose_at_start(&self) -> &Pose {
        &self.pose
    }

    /// The place of the origin of a body that does not turn.
    #[inline(always)]
    pub(crate) fn origin_at(&self, t: f64) -> DVec3 {
        self.pose.translation() + self.velocity * (t - self.start)
    }

    /// Where the body is at a time.
    #[inline]
    pub(crate) fn pose_at(&self, t: f64) -> Pose {
        let since = t - self.start;
        if self.is_straight() {
            return Pose::bounded(self.origin_at(t), self.pose.rotation());
        }
        let turn = DQuat::from_scaled_axis(self.spin * since);
        let arm = self.pose.translation() - self.pose.apply(self.centre);
        Pose::bounded(self.centre_at(t) + turn * arm, turn * self.pose.rotation())
    }

    /// Whether it does not turn.
    pub fn is_straight(&self) -> bool {
        self.spin == DVec3::ZERO
    }

    /// How far it has turned between two times, in radians.
    pub fn angle(&self, from: f64, to: f64) -> f64 {
        self.spin.length() * (to - from)
    }
}

impl MotionError {
    pub(crate) fn check(what: &'static str, v: DVec3) -> Result<(), MotionError> {
        if !v.is_finite() {
            return Err(MotionError::NotFinite { what });
        }
        if v.abs().max_element() > LIMIT {
            return Err(MotionError::TooLarge { what });
        }
        Ok(())
    }

    pub(crate) fn check_span(from: f64, to: f64) -> Result<f64, MotionError> {
        MotionError::check("span of time", DVec3::new(from, to, 0.0))?;
        if from < to { Ok(to - from) } else { Err(MotionError::NoTime { from, to }) }
    }
}
