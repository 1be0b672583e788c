//! How far a point is from a body, in the body's frame: what each path hands to the verbs.

use glam::DVec3;

use crate::answer::{Element, Feature};
use crate::math::{Interval, normalising_scale};

/// A signed distance, with what carries the nearest point.
#[derive(Debug, Clone, Copy)]
pub(super) struct SignedGap {
    /// Contains the signed distance from the point as placed; the rounding of placing it is not in it.
    pub(super) interval: Interval,
    pub(super) inside: bool,
    /// The nearest point of the surface; `None` where it is the point itself, which then lies on the surface exactly.
    pub(super) closest: Option<DVec3>,
    pub(super) feature: Feature,
}

impl SignedGap {
    /// The point lies on the surface.
    pub(super) fn touching(inside: bool, feature: Feature) -> SignedGap {
        SignedGap { interval: Interval::ZERO, inside, closest: None, feature }
    }
}

/// Where a point is, seen from a core.
#[derive(Debug, Clone, Copy)]
pub(super) struct FormGap {
    /// The signed distance as computed: negative inside. Its sign is that of the side.
    pub(super) distance: f64,
    /// How far it may be off.
    pub(super) noise: f64,
    /// The nearest point of the surface.
    pub(super) foot: DVec3,
    /// A unit vector that leads out of the core there.
    pub(super) out: DVec3,
    pub(super) element: Element,
}

/// The interval of a distance of about `distance` that is off by at most `noise`, with the sign of the side. Never
/// `[0, 0]`: that is for points on the surface.
pub(super) fn signed(distance: f64, noise: f64, inside: bool) -> Interval {
    let (lower, upper) = ((distance - noise).max(0.0), (distance + noise).max(f64::MIN_POSITIVE));
    if inside { Interval { lower: -upper, upper: -lower } } else { Interval { lower, upper } }
}

/// The interval widened by the rounding of the point's place, by which a point may be on the other side of the surface.
pub(super) fn widened(interval: Interval, noise: f64) -> Interval {
    Interval { lower: interval.lower - noise, upper: interval.upper + noise }
}

/// The length of a vector, also where its square would vanish.
pub(super) fn length(v: DVec3) -> f64 {
    let most = v.abs().max_element();
    if most >= 1e-140 {
        return v.length();
    }
    let scale = normalising_scale(most);
    (v * scale).length() / scale
}
