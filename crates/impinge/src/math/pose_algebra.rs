//! Poses one after another, back, from each other's frames, and between each other.
//!
//! Every result is a pose like any other: rounded once when it is computed, and what is exact about it is said by
//! [`super::pose`]. The product and the inverse are those of `x ↦ Rx + t`; the rotation is multiplied as a quaternion
//! and renormalised, so that a product of very many poses remains a rotation. A pose seen from another subtracts the
//! translations first, as queries do: bodies near each other and far from the origin lose nothing. Translations that
//! leave the supported ±1e150 are brought back to it.

use std::ops::{Mul, MulAssign};

use glam::{DQuat, DVec3};

use super::pose::Pose;

impl Pose {
    /// The direction of the world along which the body's direction `d` points: `d` turned, and not moved.
    ///
    /// ```
    /// use impinge::{glam::{DQuat, DVec3}, Pose};
    /// let pose = Pose::new(DVec3::Z * 2.0, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2))?;
    /// assert!(pose.rotate(DVec3::X).distance(DVec3::Y) < 1e-15);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    #[inline]
    pub fn rotate(&self, d: DVec3) -> DVec3 {
        self.rotation_matrix() * d
    }

    /// The point of the body that stands at the point `p` of the world.
    ///
    /// ```
    /// use impinge::{glam::{DQuat, DVec3}, Pose};
    /// let pose = Pose::new(DVec3::Z * 2.0, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2))?;
    /// assert!(pose.apply_inverse(DVec3::new(0.0, 1.0, 2.0)).distance(DVec3::X) < 1e-15);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    #[inline]
    pub fn apply_inverse(&self, p: DVec3) -> DVec3 {
        self.rotation_matrix().transpose() * (p - self.translation())
    }

    /// The direction of the body that points along the direction `d` of the world.
    ///
    /// ```
    /// use impinge::{glam::{DQuat, DVec3}, Pose};
    /// let pose = Pose::new(DVec3::Z * 2.0, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2))?;
    /// assert!(pose.rotate_inverse(DVec3::Y).distance(DVec3::X) < 1e-15);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    #[inline]
    pub fn rotate_inverse(&self, d: DVec3) -> DVec3 {
        self.rotation_matrix().transpose() * d
    }

    /// The pose that takes back what this one does: `pose * pose.inverse()` is the identity, up to rounding.
    ///
    /// ```
    /// use impinge::{glam::{DQuat, DVec3}, Pose};
    /// let pose = Pose::new(DVec3::new(1.0, 2.0, 3.0), DQuat::from_rotation_x(0.5))?;
    /// assert!(pose.inverse().apply(pose.apply(DVec3::Y)).distance(DVec3::Y) < 1e-15);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    pub fn inverse(&self) -> Pose {
        Pose::bounded(self.apply_inverse(DVec3::ZERO), self.rotation().conjugate())
    }

    /// This pose in the frame of another: `frame * pose.seen_from(&frame)` is the pose, up to rounding.
    ///
    /// It is `frame.inverse() * pose`, with fewer roundings: far from the origin nothing is lost, and poses with the
    /// same rotation have exactly no rotation between them. Queries take `b` into the frame of `a` in the same way.
    ///
    /// ```
    /// use impinge::{glam::{DQuat, DVec3}, Pose};
    /// let turn = DQuat::from_rotation_z(0.7);
    /// let table = Pose::new(DVec3::X * 1e9, turn)?;
    /// let cup = Pose::new(DVec3::X * 1e9 + DVec3::Z, turn)?;
    /// assert_eq!(cup.seen_from(&table), Pose::at(DVec3::Z)?);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    pub fn seen_from(&self, frame: &Pose) -> Pose {
        let translation = frame.apply_inverse(self.translation());
        if self.rotation() == frame.rotation() {
            return Pose::bounded(translation, DQuat::IDENTITY);
        }
        Pose::bounded(translation, frame.rotation().conjugate() * self.rotation())
    }

    /// The pose a part `t` of the way to another, 0 being this pose and 1 the other: the origin of the body moves
    /// straight, and the body turns at a constant rate the shorter way round.
    ///
    /// It is the path of [`Steady::between`](crate::Steady::between) with the body's origin as its centre, to the last
    /// bit, so what stands at interpolated poses is where the motion is that `sweep` and `impact` are asked about. A
    /// part beyond 0 or 1 goes on; NaN counts as 0.
    ///
    /// ```
    /// use impinge::{glam::{DQuat, DVec3}, Motion, Pose, Steady};
    /// let turned = Pose::new(DVec3::X * 2.0, DQuat::from_rotation_z(1.0))?;
    /// let half = Pose::IDENTITY.interpolate(&turned, 0.5);
    /// assert_eq!(half.translation(), DVec3::X);
    /// assert!(half.rotation().angle_between(DQuat::from_rotation_z(0.5)) < 1e-7);
    /// let motion = Steady::between(Pose::IDENTITY, turned, DVec3::ZERO, [0.0, 1.0])?;
    /// assert_eq!(motion.pose(0.5), half);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn interpolate(&self, to: &Pose, t: f64) -> Pose {
        let t = if t.is_nan() { 0.0 } else { t };
        let start = self.apply(DVec3::ZERO);
        let place = start + (to.apply(DVec3::ZERO) - start) * t;
        let turn = shortest_turn(to.rotation() * self.rotation().conjugate());
        if turn == DVec3::ZERO {
            return Pose::bounded(place, self.rotation());
        }
        Pose::bounded(place, DQuat::from_scaled_axis(turn * t) * self.rotation())
    }
}

/// `a * b` is the pose in the world of what stands at `b` in the frame `a`: a hand on an arm. Points go through `b`
/// first.
///
/// ```
/// use impinge::{glam::{DQuat, DVec3}, Pose};
/// let arm = Pose::new(DVec3::Z, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2))?;
/// let hand = Pose::at(DVec3::X * 3.0)?;
/// assert!((arm * hand).translation().distance(DVec3::new(0.0, 3.0, 1.0)) < 1e-15);
/// assert_eq!((Pose::IDENTITY * hand, hand * Pose::IDENTITY), (hand, hand));
/// # Ok::<(), impinge::PoseError>(())
/// ```
impl Mul for Pose {
    type Output = Pose;

    fn mul(self, inner: Pose) -> Pose {
        Pose::bounded(self.apply(inner.translation()), self.rotation() * inner.rotation())
    }
}

impl MulAssign for Pose {
    fn mul_assign(&mut self, inner: Pose) {
        *self = *self * inner;
    }
}

/// The rotation vector of a unit quaternion, no longer than π.
pub(crate) fn shortest_turn(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sine = v.length();
    if sine < 1e-9 { 2.0 * v / q.w.max(0.5) } else { v * (2.0 * sine.atan2(q.w) / sine) }
}
