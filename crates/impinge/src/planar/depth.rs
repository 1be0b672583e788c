//! How deep a point lies in a Minkowski sum: the least translation after which the insides are disjoint.
//!
//! The inside of the sum is the union of its pieces' insides, for convex and for general polygons: where the insides of
//! two polygons meet, those of two pieces do. The way out therefore ends on an edge of a piece, at a point that lies
//! inside no other piece. Edges are looked at from the nearest on; of each, what the other pieces cover is taken away,
//! and of what is left the nearest point counts. One convex piece leaves all of its edges, and the answer is the
//! nearest.
//!
//! Cost: O(E log E) for E edges, and O(E) for each edge nearer than the answer.

use glam::DVec2;

use super::exact::{cross, cross_sign, total};
use super::polygon::PolygonError;
use super::query::{Shift, difference, edges, side, to_edge};
use super::sum::{Corner, Sum};
use crate::math::Sign;

impl Sum {
    /// The least translation that takes `x` to the outline of the sum, `None` for a point outside. Of an obstacle: the
    /// least further translation of `b` after which it meets `a` only in outlines. Where that is decided by a gap into
    /// which `b` fits to the last bit, rounding may miss the gap.
    ///
    /// ```
    /// use impinge::glam::DVec2;
    /// use impinge::planar::{Polygon, Sum};
    /// let cup = [[0., 0.], [6., 0.], [6., 9.], [5., 9.], [5., 1.], [1., 1.], [1., 9.], [0., 9.]];
    /// let cup = Polygon::new(&cup.map(DVec2::from_array))?;
    /// let ball = Polygon::new(&[[-1., 0.], [0., -1.], [1., 0.], [0., 1.]].map(DVec2::from_array))?;
    /// // Half a unit deep in the floor of the cup: up is the way out.
    /// let way = Sum::obstacle(&cup, &ball)?.depth(DVec2::new(3.0, 1.5))?.expect("they overlap");
    /// assert_eq!((way.direction, way.length), (DVec2::Y, 0.5));
    /// # Ok::<(), impinge::planar::PolygonError>(())
    /// ```
    pub fn depth(&self, x: DVec2) -> Result<Option<Shift>, PolygonError> {
        if !self.contains(x)? {
            return Ok(None);
        }
        if let Some(direction) = self.touched(x) {
            return Ok(Some(Shift { direction, length: 0.0 }));
        }
        let mut open: Vec<(Shift, [Corner; 2])> =
            self.parts().flat_map(edges).map(|[c, d]| (to_edge(x, c, d), [c, d])).collect();
        open.sort_by(|(s, _), (t, _)| s.length.total_cmp(&t.length));
        let mut best = Shift { direction: DVec2::ZERO, length: f64::INFINITY };
        for (shift, edge) in open {
            if shift.length >= best.length {
                break;
            }
            let found = if self.is_convex() { Some(shift) } else { self.nearest_uncovered(x, shift, edge) };
            if let Some(found) = found.filter(|f| f.length < best.length) {
                best = found;
            }
        }
        Ok(Some(best))
    }

    /// The outward normal of an edge through a point that lies in no piece's inside.
    fn touched(&self, x: DVec2) -> Option<DVec2> {
        let mut normal = None;
        for part in self.parts() {
            let sides = || edges(part).map(|[c, d]| side(c, d, x));
            if sides().all(|s| s == Sign::Positive) {
                return None;
            }
            if sides().all(|s| s != Sign::Negative) {
                let on = edges(part).find(|&[c, d]| side(c, d, x) == Sign::Zero);
                normal = on.map(|[c, d]| -total(&difference(c, d)).perp().normalize_or_zero());
            }
        }
        normal
    }

    /// The nearest point of an edge that lies inside no piece; `shift` is that to the whole edge.
    fn nearest_uncovered(&self, x: DVec2, shift: Shift, [c, d]: [Corner; 2]) -> Option<Shift> {
        let mut covered: Vec<(f64, f64)> = self.parts().filter_map(|part| covered(part, c, d)).collect();
        covered.sort_by(|s, t| s.0.total_cmp(&t.0));
        let (from, edge) = (total(&[c[0], c[1], -x]), total(&difference(c, d)));
        let foot = (-from.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        let mut nearest: Option<f64> = None;
        let mut consider = |low: f64, high: f64| {
            let at = foot.clamp(low, high);
            if nearest.is_none_or(|n| (at - foot).abs() < (n - foot).abs()) {
                nearest = Some(at);
            }
        };
        let mut free_from = 0.0;
        for (low, high) in covered {
            if low >= free_from {
                consider(free_from, low.min(1.0));
            }
            free_from = f64::max(free_from, high);
            if free_from > 1.0 {
                break;
            }
        }
        if free_from <= 1.0 {
            consider(free_from, 1.0);
        }
        let at = nearest?;
        if at == foot {
            return Some(shift);
        }
        let way = from + at * edge;
        Some(Shift { direction: way.normalize_or_zero(), length: way.length() })
    }
}

/// The open interval of the segment from `c` (at 0) to `d` (at 1) that lies inside a piece, infinite where the inside
/// goes beyond an end.
fn covered(part: &[Corner], c: Corner, d: Corner) -> Option<(f64, f64)> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for [g, h] in edges(part) {
        let f = difference(g, h);
        let inside = |p: Corner| cross_sign(&f, &difference(g, p)) == Sign::Positive;
        let crossing = || {
            let (at_c, at_d) = (cross(&f, &difference(g, c)), cross(&f, &difference(g, d)));
            at_c / (at_c - at_d)
        };
        match (inside(c), inside(d)) {
            (true, true) => {}
            (false, false) => return None,
            (false, true) => low = low.max(crossing()),
            (true, false) => high = high.min(crossing()),
        }
    }
    (low < high).then_some((low, high))
}
