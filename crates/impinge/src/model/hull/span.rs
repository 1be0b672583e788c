//! What the points span: a point, a line, a plane or space, and a largest simplex in it.
//!
//! The longest axis of the box gives two points, the farthest point from their line the third, the farthest from the
//! plane of the three the fourth. Heights over the plane are taken of what is left of a point after its part along the
//! line is removed: so they are off by a few `ε` of the extent, however thin the triangle of the first three.

use glam::DVec3;

use super::sites::Sites;
use crate::math::Sign;

/// The least flat that holds all the points up to `τ`.
pub(super) enum AffineSpan {
    Point(u32),
    Segment([u32; 2]),
    /// The ends of the longest segment along an axis, and the normal of the plane.
    Flat {
        ends: [u32; 2],
        normal: DVec3,
    },
    /// Corners of a tetrahedron of positive volume: the fourth lies below the plane of the first three.
    Solid([u32; 4]),
}

pub(super) fn span(sites: &Sites<'_>) -> AffineSpan {
    if sites.extent == 0.0 {
        return AffineSpan::Point(0);
    }
    let ends @ [p, q] = longest(sites.points);
    let at = |v: u32| sites.points[v as usize];
    let origin = at(p);
    let along = (at(q) - origin).normalize();
    let across = |x: DVec3| (x - origin) - along * along.dot(x - origin);
    let (r, width) = farthest(sites.points, |x| across(x).length());
    if width <= sites.tolerance {
        return AffineSpan::Segment(ends);
    }
    let normal = along.cross(across(at(r)) / width);
    let (s, thickness) = farthest(sites.points, |x| normal.dot(across(x)).abs());
    let solid = |s: u32| match sites.exact_side([p, q, r], s) {
        Sign::Positive => Some(AffineSpan::Solid([q, p, r, s])),
        Sign::Negative => Some(AffineSpan::Solid([p, q, r, s])),
        Sign::Zero => None,
    };
    let flat = AffineSpan::Flat { ends, normal };
    if thickness <= sites.tolerance {
        return flat;
    }
    solid(s).or_else(|| (0..sites.points.len() as u32).find_map(solid)).unwrap_or(flat)
}

/// The first and the last point along the longest axis.
fn longest(points: &[DVec3]) -> [u32; 2] {
    let mut low = [0u32; 3];
    let mut high = [0u32; 3];
    for (i, p) in points.iter().enumerate() {
        for k in 0..3 {
            if p[k] < points[low[k] as usize][k] {
                low[k] = i as u32;
            }
            if p[k] > points[high[k] as usize][k] {
                high[k] = i as u32;
            }
        }
    }
    let length = |k: usize| points[high[k] as usize][k] - points[low[k] as usize][k];
    let k = (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    [low[k], high[k]]
}

/// The first point of greatest measure.
fn farthest(points: &[DVec3], measure: impl Fn(DVec3) -> f64) -> (u32, f64) {
    points.iter().enumerate().fold((0, 0.0), |(best, most), (i, p)| {
        let m = measure(*p);
        if m > most { (i as u32, m) } else { (best, most) }
    })
}
