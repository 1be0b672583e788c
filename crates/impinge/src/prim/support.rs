//! Support mappings: the only access that GJK has to a convex body.

use std::fmt::Debug;

use glam::DVec3;

/// A closed, bounded convex body, known by its extreme points. Implement it to give the engines a shape of your own.
///
/// ```
/// use impinge::{glam::DVec3, Support};
/// #[derive(Debug)]
/// struct Disc;
/// impl Support for Disc {
///     fn support(&self, direction: DVec3) -> DVec3 {
///         DVec3::new(direction.x, direction.y, 0.0).normalize_or_zero()
///     }
///     fn centre(&self) -> DVec3 {
///         DVec3::ZERO
///     }
///     fn radius(&self) -> f64 {
///         1.0
///     }
/// }
/// assert_eq!(Disc.support(DVec3::new(0.0, 3.0, 1.0)), DVec3::Y);
/// ```
pub trait Support: Debug + Send + Sync {
    /// A point of the body farthest along `direction`, which is not zero and has any length.
    fn support(&self, direction: DVec3) -> DVec3;

    /// A point of the body, well inside if it has an inside.
    fn centre(&self) -> DVec3;

    /// No point of the body is farther from the centre.
    fn radius(&self) -> f64;

    /// What the surface is like at a support; only bodies of this crate tell.
    #[doc(hidden)]
    fn rim(&self, _support: DVec3) -> Rim {
        Rim::Unknown
    }
}

/// What the surface of a body is like at one of its supports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rim {
    /// Not known.
    Unknown,
    /// A corner.
    Corner,
    /// The rim of a disc across the z axis.
    Disc {
        /// Its centre.
        centre: DVec3,
        /// Its radius.
        radius: f64,
    },
}
