//! Why a world refused. It is then as it was before.

use super::body::BodyId;
use crate::broad::BoxError;

/// Why a world refused.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The body was removed, or never was in this world.
    #[error("{id} is not there: it was removed, or belongs to another world")]
    NoBody {
        /// As given.
        id: BodyId,
    },
    /// The body would reach too far out, or there are too many.
    #[error("the body cannot be there: {0}")]
    Box(#[from] BoxError),
}
