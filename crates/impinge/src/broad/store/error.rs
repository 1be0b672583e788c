//! Why the store of boxes refused. It is then as it was before.

use super::boxes::BoxId;
use crate::math::LIMIT;

/// Why a box was refused, or an id.
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
    /// More boxes than slots can name.
    #[error("there are {limit} boxes, which is the most that a store can hold")]
    TooMany {
        /// How many are supported.
        limit: usize,
    },
}
