//! Why a rigid pose may be refused.

use super::LIMIT;

/// Why a pose was refused.
///
/// ```
/// use impinge::{glam::{DQuat, DVec3}, Pose, PoseError};
/// let twice = DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0);
/// assert_eq!(Pose::new(DVec3::ZERO, twice), Err(PoseError::NotUnit { norm: 2.0 }));
/// assert_eq!(Pose::at(DVec3::splat(f64::NAN)), Err(PoseError::NotFinite));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// A component is NaN or infinite.
    #[error("the pose has a component that is not finite")]
    NotFinite,
    /// The translation is beyond the supported scale.
    #[error("the translation lies beyond the supported ±{LIMIT:e}")]
    TooLarge,
    /// The quaternion's length is not 1 within 1e-6.
    #[error("the quaternion has length {norm}, not 1 (within 1e-6); divide it by its length")]
    NotUnit {
        /// Length of the quaternion as given.
        norm: f64,
    },
    /// The matrix is not a rotation within 1e-6: its columns are not orthonormal, or it mirrors.
    #[error("the matrix is not a rotation: it is off by {error:e} (1e-6 is allowed)")]
    NotARotation {
        /// Largest entry of `|RᵀR − I|`, or of `|det R − 1|`.
        error: f64,
    },
    /// The last row of the matrix is not 0, 0, 0, 1 within 1e-6.
    #[error(
        "the last row of the matrix is not 0, 0, 0, 1: it is off by {error:e} (1e-6 is allowed); are rows and columns \
         exchanged?"
    )]
    NotAffine {
        /// Largest difference of an entry.
        error: f64,
    },
}
