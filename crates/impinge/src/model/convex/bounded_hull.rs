//! A polytope with few corners around many points: the inner nodes of parts need not follow every corner.
//!
//! The half-spaces behind the points in 26 directions (the faces, edges and corners of a cube, in units of the extents)
//! have at most 48 corners in common. They are found by duality about the mean `m` of the points: the plane
//! `n·(x − m) = h` is the point `n/h`, and the plane `N·y = D` of a facet of the hull of these is the corner `m + N/D`.
//!
//! Invariant: every point lies within, up to rounding; the polytope is blown up by [`MARGIN`] to make up for it. What
//! is too thin for duality gets its box.

use glam::DVec3;

use super::polyhedron::Convex;
use crate::bound::Aabb;

/// Relative growth about the mean.
const MARGIN: f64 = 1e-9;

/// Thinner than this, relative to the extent in a direction, is too thin.
const THIN: f64 = 1e-6;

/// Corners of a polytope around the points, of which there is at least one.
pub(crate) fn corners(points: &[DVec3]) -> Vec<DVec3> {
    let bounds = Aabb::of(points.iter().copied());
    around(points, &bounds).unwrap_or_else(|| {
        let [low, high] = [bounds.min, bounds.max];
        (0..8).map(|i| DVec3::select(glam::BVec3::new(i & 1 == 1, i & 2 == 2, i & 4 == 4), high, low)).collect()
    })
}

fn around(points: &[DVec3], bounds: &Aabb) -> Option<Vec<DVec3>> {
    let extent = bounds.max - bounds.min;
    if extent.min_element() <= 0.0 {
        return None;
    }
    let mean = points.iter().fold(DVec3::ZERO, |sum, p| sum + (*p - points[0]) / points.len() as f64) + points[0];
    let mut dual = Vec::with_capacity(26);
    for k in (0..27).filter(|&k| k != 13) {
        let digit = |place: i32| f64::from(k / place % 3 - 1);
        let n = DVec3::new(digit(1), digit(3), digit(9));
        let height = points.iter().map(|&p| n.dot((p - mean) / extent)).fold(f64::NEG_INFINITY, f64::max);
        if height < THIN {
            return None;
        }
        dual.push(n / (height * (1.0 + MARGIN)));
    }
    let dual = Convex::hull(&dual).ok()?;
    let corner = |f: &super::polyhedron::Face| mean + extent * (f.normal / f.offset);
    dual.faces().iter().map(|f| (f.offset > 0.0).then(|| corner(f)).filter(|c| c.is_finite())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contains_the_points_with_few_corners() {
        let spiral = |k: u32| {
            let (z, angle) = (1.0 - f64::from(k) / 500.0, 2.4 * f64::from(k));
            let r = (1.0 - z * z).max(0.0).sqrt();
            DVec3::new(r * angle.cos(), 30.0 * r * angle.sin(), 0.01 * z) + DVec3::new(5.0, -7.0, 100.0)
        };
        let points: Vec<DVec3> = (0..=1000).map(spiral).collect();
        let outer = Convex::hull(&corners(&points)).unwrap();
        assert!(outer.vertex_count() <= 48);
        for face in outer.faces() {
            assert!(points.iter().all(|p| face.normal.dot(*p) <= face.offset));
        }
        let [inner, around] =
            [Convex::hull(&points).unwrap(), outer].map(|c| crate::model::convex::measure::volume(&c));
        assert!(inner < around && around < 1.3 * inner, "{inner} {around}");
    }

    #[test]
    fn thin_things_get_a_box() {
        let sheet: Vec<DVec3> = (0..100).map(|k| DVec3::new(f64::from(k).cos(), f64::from(k).sin(), 4.0)).collect();
        assert_eq!(corners(&sheet).len(), 8);
        let rod: Vec<DVec3> = (0..100).map(|k| DVec3::splat(f64::from(k))).collect();
        assert_eq!(corners(&rod).len(), 8);
    }
}
