//! An answer about one body of a world.

use crate::world::body::BodyId;

/// A body of a world, and the answer about it.
///
/// ```
/// use impinge::{glam::DVec3, Body, Pose, Ray, Round, World};
/// let mut world = World::new();
/// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::X * 5.0)?))?;
/// let found = world.view().ray(&Ray::new(DVec3::ZERO, DVec3::X)?).expect("the ball is ahead");
/// assert_eq!((found.body, found.answer.distance), (ball, 4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Found<T> {
    /// The body.
    pub body: BodyId,
    /// The answer of the verb.
    pub answer: T,
}
