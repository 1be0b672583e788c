//! Why a world refused a call. After an error the world is as it was before.

use super::body::BodyId;
use crate::broad::BoxError;

/// Why a world refused a call.
///
/// ```
/// use impinge::{Body, Pose, Round, World, WorldError};
/// let mut world = World::new();
/// let ball = Round::sphere(1.0)?;
/// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
/// world.remove(a)?;
/// assert_eq!(world.place(a, Pose::IDENTITY), Err(WorldError::NoBody { id: a }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The body was removed, or never was in this world.
    #[error("{id} is not there: it was removed, or belongs to another world")]
    NoBody {
        /// The id as given.
        id: BodyId,
    },
    /// The body would reach too far out, or there are too many bodies.
    #[error("the body cannot be there: {0}")]
    Box(#[from] BoxError),
}
