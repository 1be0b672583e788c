//! The kinds of clashes between two bodies, and the lengths that decide between the kinds.

use glam::DVec3;

use crate::answer::{Containment, DepthKind};
use crate::math::Interval;

/// How two bodies clash, the most serious kind first. A pair is of one kind, the first that holds.
///
/// ```
/// use impinge::clash::ClashKind;
/// assert!(ClashKind::Hard < ClashKind::Touch);
/// assert_eq!(ClashKind::Clearance.to_string(), "clearance");
/// assert_eq!("contained".parse(), Ok(ClashKind::Contained));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClashKind {
    /// The same triangles, or the same convex solid, at the same place, up to the tolerance.
    Duplicate,
    /// One lies inside the other, and their surfaces are apart.
    Contained,
    /// They overlap by more than the tolerance. Surfaces that cross have no depth.
    Hard,
    /// They are apart, or overlap, by no more than the tolerance.
    Touch,
    /// They are farther apart than the tolerance, and not farther than the clearance.
    Clearance,
}

crate::error::named! {
    ClashKind {
        Duplicate = "duplicate",
        Contained = "contained",
        Hard = "hard",
        Touch = "touch",
        Clearance = "clearance",
    }
}

impl ClashKind {
    /// All of them, the most serious first.
    pub const EACH: [ClashKind; 5] =
        [ClashKind::Duplicate, ClashKind::Contained, ClashKind::Hard, ClashKind::Touch, ClashKind::Clearance];
}

/// The lengths that decide between the kinds. A length that is negative or NaN counts as 0.
///
/// ```
/// use impinge::{clash::{self, ClashKind, ClashLimits}, glam::DVec3, Model, Pose, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let aside = Pose::at(DVec3::X * 2.25)?;
/// let kind = |limits| clash::between(&ball, &Pose::IDENTITY, &ball, &aside, &limits).map(|clash| clash.kind);
/// assert_eq!(kind(ClashLimits { tolerance: 0.01, clearance: None }), None);
/// assert_eq!(kind(ClashLimits { tolerance: 0.01, clearance: Some(0.5) }), Some(ClashKind::Clearance));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClashLimits {
    /// Bodies that are apart, or overlap, by no more than this touch; points no farther apart than this are at the same
    /// place.
    pub tolerance: f64,
    /// Bodies that are apart, but no farther than this, clash too; without a clearance they do not.
    pub clearance: Option<f64>,
}

impl ClashLimits {
    /// The distance up to which two bodies clash.
    ///
    /// ```
    /// use impinge::clash::ClashLimits;
    /// assert_eq!(ClashLimits { tolerance: 0.01, clearance: None }.reach(), 0.01);
    /// assert_eq!(ClashLimits { tolerance: 0.01, clearance: Some(0.5) }.reach(), 0.5);
    /// ```
    pub fn reach(&self) -> f64 {
        self.clearance.unwrap_or(0.0).max(self.tolerance).max(0.0)
    }
}

/// A clash of two bodies.
///
/// ```
/// use impinge::{clash::{self, ClashLimits}, glam::DVec3, Model, Pose, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let limits = ClashLimits { tolerance: 0.001, clearance: None };
/// let clash = clash::between(&ball, &Pose::IDENTITY, &ball, &Pose::at(DVec3::X * 1.75)?, &limits);
/// let (depth, _) = clash.and_then(|clash| clash.depth).expect("they overlap, and both have an inside");
/// assert!(depth.contains(0.25));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clash {
    /// Its kind.
    pub kind: ClashKind,
    /// How deep two solids that overlap are in each other, and whether that depth is exact or a bound.
    pub depth: Option<(Interval, DepthKind)>,
    /// The distance of the bodies, if they are apart.
    pub distance: Option<Interval>,
    /// A point of each body where one may look at the clash.
    pub points: Option<[DVec3; 2]>,
    /// Which body lies inside the other, if the kind is [`ClashKind::Contained`].
    pub contained: Option<Containment>,
}
