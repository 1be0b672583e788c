//! One contact of two moving bodies: when it begins, and when it ends.

use crate::math::Interval;

/// One contact over time: when it begins, and when it ends if that is within the span.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady};
/// let cube = Round::cuboid(DVec3::splat(2.0))?;
/// let mut pair = Pair::new(cube.clone(), cube);
/// let fast = Steady::straight(Pose::at(DVec3::X * -7.0)?, DVec3::X * 10.0, 0.0)?;
/// let contacts = pair.contacts_over_time(&fast, &Steady::still(Pose::IDENTITY), Span::UNIT);
/// assert!(contacts.len() == 1 && (contacts[0].begins.mid() - 0.5).abs() < 1e-6 && contacts[0].certain);
/// assert!(contacts[0].ends.is_some_and(|ends| (ends.mid() - 0.9).abs() < 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactInterval {
    /// From the end of the contact before until `lower` they do not touch; at `upper` they do.
    pub begins: Interval,
    /// They touch until `lower`, and do not at `upper`.
    pub ends: Option<Interval>,
    /// Whether they certainly touch in between, except for times too short for rounding to resolve. If not, they are so
    /// near that rounding leaves it open, or the search did not prove that they touch.
    pub certain: bool,
}

/// When a contact begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactTime {
    /// They do not touch before `lower`.
    pub(crate) time: Interval,
    /// Whether they certainly touch at `upper`; if not, they are so near that rounding leaves it open.
    pub(crate) certain: bool,
}

/// The end of a contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parting {
    /// They touch until `lower`, and do not at `upper`; `None` where no parting was found.
    pub(crate) ends: Option<Interval>,
    /// Whether they certainly touch until then, except for times too short for rounding to resolve.
    pub(crate) certain: bool,
}
