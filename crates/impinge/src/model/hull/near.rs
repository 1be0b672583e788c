//! The facet that a point near the hull is over: a walk over the surface.
//!
//! From a facet that the point is near, step across the side it is farthest beyond, until it is over a facet or above
//! one. Steps are counted; a point that comes to no end is near the surface in any case, by less than it can matter.

use super::quick::{Facet, Triangle};
use super::sites::Sites;

/// Far more than a walk takes: about the root of the number of facets in one plane.
const STEPS: usize = 2000;

/// The facet on the way, or at its end, that the point is above, and how high.
pub(super) fn facet_below(sites: &Sites<'_>, facets: &[Facet], start: u32, x: u32) -> Option<(u32, f64)> {
    let mut at = start;
    let mut from = u32::MAX;
    for _ in 0..STEPS {
        let Facet { triangle: Triangle { corners, across }, plane, .. } = &facets[at as usize];
        if let Some(height) = sites.above(plane, x) {
            return Some((at, height));
        }
        let normal = sites.unit_normal(plane);
        let point = |v: u32| sites.points[v as usize];
        let mut beyond = sites.tolerance;
        let mut next = from;
        for k in 0..3 {
            let (tail, head) = (point(corners[k]), point(corners[(k + 1) % 3]));
            let outward = (head - tail).cross(normal).normalize_or_zero();
            let distance = outward.dot(point(x) - tail);
            if across[k] != from && distance > beyond {
                (beyond, next) = (distance, across[k]);
            }
        }
        if next == from {
            return None;
        }
        (from, at) = (at, next);
    }
    None
}
