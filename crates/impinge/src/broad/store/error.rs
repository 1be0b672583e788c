//! Why the store of boxes refused a call. After an error the store is as it was before.

use glam::DVec3;

use super::box_id::BoxId;
use crate::bound::Aabb;
use crate::math::LIMIT;

/// Why a box was refused, or an id.
///
/// ```
/// use impinge::{bound::Aabb, broad::{BoxError, Boxes, Filter, Mobility}};
/// let refused = Boxes::new().insert(Aabb::EMPTY, Filter::ALL, Mobility::Moving);
/// assert!(matches!(refused, Err(BoxError::Empty { .. } | BoxError::NotFinite { .. })));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BoxError {
    /// A coordinate is NaN or infinite.
    #[error("the box from {min:?} to {max:?} is not finite")]
    NotFinite {
        /// As given.
        min: [f64; 3],
        /// As given.
        max: [f64; 3],
    },
    /// A coordinate is beyond the supported scale, see `docs/contract.md`.
    #[error("the box from {min:?} to {max:?} reaches beyond the supported ±{LIMIT:e}; choose a larger unit")]
    TooLarge {
        /// As given.
        min: [f64; 3],
        /// As given.
        max: [f64; 3],
    },
    /// The least coordinate on an axis is greater than the greatest.
    #[error("the box from {min:?} to {max:?} is empty: its corners are exchanged on some axis")]
    Empty {
        /// As given.
        min: [f64; 3],
        /// As given.
        max: [f64; 3],
    },
    /// The box was removed, or never was in this store.
    #[error("{id} names no box: it was removed, or belongs to another store")]
    Stale {
        /// As given.
        id: BoxId,
    },
    /// There are more boxes than slots can be numbered.
    #[error("there are {limit} boxes, which is the most that a store can hold")]
    TooMany {
        /// The most that are supported.
        limit: usize,
    },
}

/// Whether a store takes the box. The bits of a float without its sign rise with the float, and NaN is above all; so
/// the box is taken if no difference below has its sign set. A few boxes that can be taken have such a difference too
/// (from +0 to −0, it is −0), so the others are checked one number at a time.
#[inline(always)]
pub(crate) fn check(bounds: &Aabb) -> Result<(), BoxError> {
    let (low, high) = (bounds.min.to_array(), bounds.max.to_array());
    let room = |x: f64| LIMIT.to_bits().wrapping_sub(x.abs().to_bits());
    let signs = (0..3).fold(0, |s, k| s | room(low[k]) | room(high[k]) | (high[k] - low[k]).to_bits());
    if signs >> 63 == 0 { Ok(()) } else { check_closely(bounds) }
}

#[cold]
fn check_closely(bounds: &Aabb) -> Result<(), BoxError> {
    let within = |x: DVec3| x.abs().cmple(DVec3::splat(LIMIT)).all();
    let good = bounds.min.cmple(bounds.max).all() && within(bounds.min) && within(bounds.max);
    if good { Ok(()) } else { Err(complaint(bounds)) }
}

fn complaint(bounds: &Aabb) -> BoxError {
    let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
    if !(bounds.min.is_finite() && bounds.max.is_finite()) {
        BoxError::NotFinite { min, max }
    } else if bounds.min.cmple(bounds.max).all() {
        BoxError::TooLarge { min, max }
    } else {
        BoxError::Empty { min, max }
    }
}
