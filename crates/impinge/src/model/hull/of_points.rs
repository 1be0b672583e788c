//! The convex hull of points.
//!
//! Four steps, each a file: what the points span ([`span`]), the triangulated hull by quickhull ([`quick`]) or the hull
//! in a plane ([`flat`]), facets that lie in one plane made one ([`merge`]), corners put in order of nearness
//! ([`order`]).
//!
//! **Exactness.** All that decides the *shape of the boundary* is exact: signs of determinants on coordinates that are
//! the given ones, each axis scaled by a power of two of its own (hulls are affine, so nothing changes; no product
//! over- or underflows). So the result is a closed convex surface whatever the input, by construction, not by repair.
//!
//! **Tolerance.** All that decides which points are *too near to matter* is rounded: points within `2τ` of the hull
//! found so far are inside it, neighbouring facets within `2τ` of one plane are one facet (if the outcome verifies:
//! otherwise only exactly coplanar ones are), and what is thinner than `τ` is flat, or a segment. `τ` is a few units in
//! the last place of the coordinates, between `16ε` and `90ε` of the extent. Planes on which rotated points lie up to
//! rounding come out as one facet; a sliver of `10⁻¹²` comes out as it is.

use glam::DVec3;

use super::boundary::Hull;
use super::sites::Sites;
use super::span;
use super::span::AffineSpan;
use super::{flat, merge, order, quick};

/// The hull of at least one finite point.
pub(crate) fn hull(points: &[DVec3]) -> Hull {
    let sites = Sites::new(points);
    let mut hull = match span::span(&sites) {
        AffineSpan::Point(p) => return Hull { corners: vec![p], ..Hull::default() },
        AffineSpan::Segment(ends) => return Hull { corners: ends.to_vec(), ..Hull::default() },
        AffineSpan::Flat { ends, normal } => match flat::polygon(&sites, normal) {
            Some(polygon) => {
                let mut hull = Hull::default();
                hull.push_facet(polygon.iter().copied());
                hull.push_facet(polygon.iter().rev().copied());
                hull
            }
            None => return Hull { corners: ends.to_vec(), ..Hull::default() },
        },
        AffineSpan::Solid(corners) => merge::facets(&sites, &quick::triangles(&sites, corners)),
    };
    order::arrange(&mut hull, points.len());
    hull
}
