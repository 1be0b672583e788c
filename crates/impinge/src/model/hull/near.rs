//! The facet that a point near the hull is over: a walk over the surface.
//!
//! From a facet that the point is near, step across the side it is farthest beyond, until it is over a facet or above
//! one. That is enough where facets are wide. Along a sharp edge, or at the tip of a needle, a point may be far outside
//! and yet above no plane by more than `τ`: where the walk ends more than `2τ` from its triangle, it goes on downhill,
//! from the nearest part of that triangle to the nearest triangle around it. A convex surface has one least distance
//! from a point outside, and the point lies above one of the facets around the nearest part: were it below all of them,
//! something else would be nearer.
//!
//! Steps are counted; a point whose walk does not end in time is so near the surface that it does not matter.

use glam::DVec3;

use super::facet::{HullFacet, HullTriangle};
use super::sites::Sites;
use crate::math::Sign;

/// Far more than a walk takes: about the root of the number of facets in one plane.
const STEPS: usize = 2000;

/// The facet on the way, or at its end, that the point is above, and how high.
pub(super) fn facet_below(sites: &Sites<'_>, facets: &[HullFacet], start: u32, x: u32) -> Option<(u32, f64)> {
    let mut at = start;
    let mut from = u32::MAX;
    for _ in 0..STEPS {
        let HullFacet { triangle: HullTriangle { across, .. }, plane, .. } = &facets[at as usize];
        if let Some(height) = sites.above(plane, x) {
            return Some((at, height));
        }
        let beyond = beyond_sides(sites, &facets[at as usize], x);
        let mut most = sites.tolerance;
        let mut next = from;
        for k in 0..3 {
            if across[k] != from && beyond[k] > most {
                (most, next) = (beyond[k], across[k]);
            }
        }
        if next == from {
            break;
        }
        (from, at) = (at, next);
    }
    downhill(sites, facets, at, x)
}

/// How far the point lies beyond the sides of a facet, in its plane.
fn beyond_sides(sites: &Sites<'_>, facet: &HullFacet, x: u32) -> [f64; 3] {
    let normal = sites.unit_normal(&facet.plane);
    let [a, b, c] = facet.triangle.corners.map(|v| sites.points[v as usize]);
    [(a, b), (b, c), (c, a)].map(|(tail, head)| {
        let outward = (head - tail).cross(normal).normalize_or_zero();
        outward.dot(sites.points[x as usize] - tail)
    })
}

/// What part of a triangle is nearest.
#[derive(Clone, Copy)]
enum Part {
    Inside,
    /// Side `k`.
    Side(usize),
    /// Corner `k`.
    Corner(usize),
}

/// How far the point is from the triangle, and from which part; more than the truth by at most `τ`.
///
/// The point counts as over the inside only where it is so by `τ`: rounding hides whether it is over the inside of a
/// sliver or beyond its tip, and then the sides are as near.
fn gap(sites: &Sites<'_>, facet: &HullFacet, x: u32) -> (f64, Part) {
    let at = |v: u32| sites.points[v as usize];
    let corners = facet.triangle.corners;
    if beyond_sides(sites, facet, x).iter().all(|beyond| *beyond <= -sites.tolerance) {
        return (sites.unit_normal(&facet.plane).dot(at(x) - at(corners[0])).abs(), Part::Inside);
    }
    let mut least = (f64::INFINITY, Part::Inside);
    for k in 0..3 {
        let (tail, head) = (at(corners[k]), at(corners[(k + 1) % 3]));
        let (along, to): (DVec3, DVec3) = (head - tail, at(x) - tail);
        let share = to.dot(along) / along.length_squared();
        let off = (to - along * share.clamp(0.0, 1.0)).length();
        let part = match share {
            s if s <= 0.0 => Part::Corner(k),
            s if s >= 1.0 => Part::Corner((k + 1) % 3),
            _ => Part::Side(k),
        };
        if off < least.0 {
            least = (off, part);
        }
    }
    least
}

/// A facet that sees the point, if that is more than `2τ` from the surface around `start`, and how high it is.
fn downhill(sites: &Sites<'_>, facets: &[HullFacet], start: u32, x: u32) -> Option<(u32, f64)> {
    let (mut at, mut looks) = (start, 0);
    let (mut least, mut part) = gap(sites, &facets[at as usize], x);
    while least > 2.0 * sites.tolerance {
        let (mut next, mut seeing) = (at, None);
        for f in around(facets, at, part) {
            looks += 1;
            let facet = &facets[f as usize];
            let (off, nearest) = gap(sites, facet, x);
            if off < least {
                (least, part, next) = (off, nearest, f);
            }
            if seeing.is_none() && sites.side(&facet.plane, facet.triangle.corners, x) == Sign::Positive {
                seeing = Some((f, sites.height(&facet.plane, x).max(f64::MIN_POSITIVE)));
            }
        }
        if next == at || looks > STEPS {
            return seeing;
        }
        at = next;
    }
    None
}

/// The facets around a part of one, itself first.
fn around(facets: &[HullFacet], start: u32, part: Part) -> impl Iterator<Item = u32> {
    let HullTriangle { corners, across } = facets[start as usize].triangle;
    let pivot = if let Part::Corner(k) = part { Some(corners[k]) } else { None };
    let next = move |f: &u32| {
        let other = match (pivot, part) {
            (Some(pivot), _) => {
                let HullTriangle { corners, across } = facets[*f as usize].triangle;
                across[corners.iter().position(|&v| v == pivot).unwrap_or(0)]
            }
            (None, Part::Side(k)) if *f == start => across[k],
            _ => start,
        };
        (other != start).then_some(other)
    };
    std::iter::successors(Some(start), next).take(STEPS)
}
