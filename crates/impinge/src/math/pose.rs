//! Rigid poses, validated when made, and the relative pose of two bodies, with which queries work.
//!
//! Rules of the numeric kernel: unit quaternion and translation in `f64`; quaternions are renormalised when a pose is
//! made; the relative pose is `R_AᵀR_B`, `R_Aᵀ(t_B − t_A)`, translations subtracted first, so that two bodies near each
//! other and far from the origin lose nothing.

use std::fmt;

use glam::{DMat3, DQuat, DVec3};

use super::LIMIT;
use super::pose_error::PoseError;

/// How far a quaternion's length or a rotation matrix may be off before it is refused.
pub(super) const UNIT_TOLERANCE: f64 = 1e-6;

/// Where a body stands: a rotation, then a translation.
///
/// ```
/// use impinge::{glam::{DQuat, DVec3}, Pose};
/// let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
/// let pose = Pose::new(DVec3::new(1.0, 0.0, 0.0), quarter)?;
/// assert!(pose.apply(DVec3::X).distance(DVec3::new(1.0, 1.0, 0.0)) < 1e-15);
/// assert!(Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0)).is_err());
/// # Ok::<(), impinge::PoseError>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Pose {
    translation: DVec3,
    rotation: DQuat,
    /// The same rotation, computed once.
    matrix: DMat3,
}

/// The matrix says nothing that the quaternion does not.
impl fmt::Debug for Pose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pose").field("translation", &self.translation).field("rotation", &self.rotation).finish()
    }
}

impl Default for Pose {
    fn default() -> Self {
        Pose::IDENTITY
    }
}

impl Pose {
    /// The world frame.
    pub const IDENTITY: Pose = Pose { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, matrix: DMat3::IDENTITY };

    /// A pose from a translation and a quaternion of unit length (within 1e-6; it is renormalised).
    ///
    /// ```
    /// use impinge::{glam::{DQuat, DVec3}, Pose};
    /// let upside_down = Pose::new(DVec3::Z, DQuat::from_rotation_x(std::f64::consts::PI))?;
    /// assert!(upside_down.apply(DVec3::Z).length() < 1e-15);
    /// assert!(Pose::new(DVec3::Z, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)).is_err(), "no rotation");
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    pub fn new(translation: DVec3, rotation: DQuat) -> Result<Pose, PoseError> {
        if !translation.is_finite() || !rotation.is_finite() {
            return Err(PoseError::NotFinite);
        }
        if translation.abs().max_element() > LIMIT {
            return Err(PoseError::TooLarge);
        }
        let norm = rotation.length();
        // The components are finite, so the length may be infinite, but not NaN.
        if (norm - 1.0).abs() > UNIT_TOLERANCE {
            return Err(PoseError::NotUnit { norm });
        }
        let rotation = renormalised(rotation);
        Ok(Pose { translation, rotation, matrix: DMat3::from_quat(rotation) })
    }

    /// A pose without rotation.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pose};
    /// assert_eq!(Pose::at(DVec3::X)?.apply(DVec3::Y), DVec3::X + DVec3::Y);
    /// assert!(Pose::at(DVec3::X * f64::NAN).is_err());
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    pub fn at(translation: DVec3) -> Result<Pose, PoseError> {
        Pose::new(translation, DQuat::IDENTITY)
    }

    /// A pose from a translation and a rotation matrix (orthonormal within 1e-6; it is made exact).
    ///
    /// ```
    /// use impinge::{glam::{DMat3, DVec3}, Pose};
    /// let quarter = DMat3::from_rotation_z(std::f64::consts::FRAC_PI_2);
    /// assert!(Pose::from_matrix(DVec3::ZERO, quarter)?.apply(DVec3::X).distance(DVec3::Y) < 1e-15);
    /// assert!(Pose::from_matrix(DVec3::ZERO, 2.0 * quarter).is_err(), "it scales");
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    pub fn from_matrix(translation: DVec3, matrix: DMat3) -> Result<Pose, PoseError> {
        if !matrix.is_finite() {
            return Err(PoseError::NotFinite);
        }
        let gram = matrix.transpose() * matrix - DMat3::IDENTITY;
        let skew = gram.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let error = skew.max((matrix.determinant() - 1.0).abs());
        // `f64::max` drops a NaN, which comes of products that overflow; so do entries above 2.
        if error > UNIT_TOLERANCE || matrix.to_cols_array().iter().any(|x| x.abs() > 2.0) {
            return Err(PoseError::NotARotation { error });
        }
        Pose::new(translation, DQuat::from_mat3(&matrix).normalize())
    }

    /// A pose from a translation and a unit quaternion that were computed, brought back to the supported scale.
    pub(crate) fn bounded(translation: DVec3, rotation: DQuat) -> Pose {
        let component = |x: f64| if x.is_nan() { 0.0 } else { x.clamp(-LIMIT, LIMIT) };
        let translation = DVec3::from_array(translation.to_array().map(component));
        let rotation = if rotation.is_finite() { renormalised(rotation) } else { DQuat::IDENTITY };
        Pose { translation, rotation, matrix: DMat3::from_quat(rotation) }
    }

    /// The translation.
    ///
    /// ```
    /// # use impinge::{glam::DVec3, Pose};
    /// assert_eq!(Pose::at(DVec3::X)?.translation(), DVec3::X);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The rotation, of unit length up to rounding.
    ///
    /// ```
    /// # use impinge::{glam::{DQuat, DVec3}, Pose};
    /// assert_eq!(Pose::at(DVec3::X)?.rotation(), DQuat::IDENTITY);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// The point of the world where the body's point `p` stands.
    ///
    /// ```
    /// use impinge::{glam::{DQuat, DVec3}, Pose};
    /// let pose = Pose::new(DVec3::Z * 2.0, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2))?;
    /// assert!(pose.apply(DVec3::X).distance(DVec3::new(0.0, 1.0, 2.0)) < 1e-15, "turned first, then moved");
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    #[inline]
    pub fn apply(&self, p: DVec3) -> DVec3 {
        self.rotation_matrix() * p + self.translation
    }

    /// The rotation as a matrix; [`Pose::from_matrix`] is the way back.
    ///
    /// ```
    /// use impinge::{glam::{DMat3, DVec3}, Pose};
    /// assert_eq!(Pose::at(DVec3::X)?.rotation_matrix(), DMat3::IDENTITY);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    #[inline(always)]
    pub fn rotation_matrix(&self) -> DMat3 {
        self.matrix
    }
}

/// Changes nothing about a quaternion of unit length, so that the same pose read twice has the same bits.
fn renormalised(q: DQuat) -> DQuat {
    if (q.length_squared() - 1.0).abs() <= 4.0 * f64::EPSILON { q } else { q.normalize() }
}

/// `x ↦ rotation·x + translation`, from `b`'s frame to `a`'s.
///
/// [`Relative::apply`] *is* the definition of exactness: predicates are exact on what it returns. It uses products and
/// sums in one fixed order and no fused operations, so every engine on every CPU sees the same coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Relative {
    pub(crate) rotation: DMat3,
    pub(crate) translation: DVec3,
}

impl Relative {
    #[inline]
    pub(crate) fn new(a: &Pose, b: &Pose) -> Relative {
        let (ra, rb) = (a.rotation_matrix(), b.rotation_matrix());
        let shift = b.translation - a.translation;
        if a.rotation == b.rotation {
            // Exactly no relative rotation: RᵀR in rounded arithmetic would not quite be the identity.
            return Relative { rotation: DMat3::IDENTITY, translation: ra.transpose() * shift };
        }
        Relative { rotation: ra.transpose() * rb, translation: ra.transpose() * shift }
    }

    #[inline(always)]
    pub(crate) fn apply(&self, p: DVec3) -> DVec3 {
        let [x, y, z] = [self.rotation.x_axis, self.rotation.y_axis, self.rotation.z_axis];
        x * p.x + y * p.y + z * p.z + self.translation
    }

    /// From `a`'s frame to `b`'s: for bounds only, never for a decision.
    #[inline(always)]
    pub(crate) fn inverse(&self) -> Relative {
        let rotation = self.rotation.transpose();
        Relative { rotation, translation: -(rotation * self.translation) }
    }

    /// The map that moves nothing.
    pub(crate) const IDENTITY: Relative = Relative { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };

    pub(crate) fn is_rotated(&self) -> bool {
        self.rotation != DMat3::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_not_a_pose() {
        let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert_eq!(Pose::new(DVec3::ZERO, zero), Err(PoseError::NotUnit { norm: 0.0 }));
        let nan = DQuat::from_xyzw(0.0, 0.0, f64::NAN, 1.0);
        assert_eq!(Pose::new(DVec3::ZERO, nan), Err(PoseError::NotFinite));
        assert_eq!(Pose::at(DVec3::new(0.0, f64::INFINITY, 0.0)), Err(PoseError::NotFinite));
        assert_eq!(Pose::at(DVec3::new(0.0, 1e200, 0.0)), Err(PoseError::TooLarge));
        let huge = DQuat::from_xyzw(0.0, 0.0, 1e200, 1.0);
        assert!(matches!(Pose::new(DVec3::ZERO, huge), Err(PoseError::NotUnit { .. })));
        assert!(Pose::from_matrix(DVec3::ZERO, -DMat3::IDENTITY).is_err());
        assert!(Pose::from_matrix(DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(1e200))).is_err());
    }

    /// Case H13: a matrix off by 1e-9 is accepted and made exact.
    #[test]
    fn h13_near_rotation_is_renormalised() {
        let mut m = DMat3::from_rotation_z(0.3);
        m.x_axis.x += 1e-9;
        let pose = Pose::from_matrix(DVec3::ZERO, m).unwrap();
        assert!((pose.rotation().length() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn relative_pose_subtracts_translations_first() {
        let a = Pose::at(DVec3::new(1e9, 0.0, 0.0)).unwrap();
        let b = Pose::at(DVec3::new(1e9 + 2.0, 0.0, 0.0)).unwrap();
        assert_eq!(Relative::new(&a, &b).apply(DVec3::new(0.1, 0.0, 0.0)).x, 2.1);
    }
}
