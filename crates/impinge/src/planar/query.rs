//! Queries of a point against a Minkowski sum: whether it is inside, how far away it is, and where a ray enters.
//!
//! With `c` a corner of a convex piece and `e` the edge that leaves it, `x` lies inside when `e × (x − c) ≥ 0` for all
//! of them; a binary search over the fan from the first corner needs O(log n). A ray `x + t·m` comes in by an edge with
//! `e × m > 0` whose ends lie on either side of the ray, at `t = e × (c − x) / e × m`; `t ≤ 1` exactly when `e × (c − x
//! − m) ≤ 0`. A ray that only grazes a corner comes in by the edge that ends or starts there.

use glam::DVec2;

use super::exact::{cross, cross_sign, total};
use super::polygon::{PolygonError, check_range};
use super::sum::{Corner, Sum};
use crate::math::Sign;

/// A translation.
///
/// ```
/// use impinge::{glam::DVec2, planar::{Polygon, Sum}};
/// let square = Polygon::new(&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(DVec2::from_array))?;
/// let obstacle = Sum::obstacle(&square, &square)?;
/// let back = obstacle.distance(DVec2::new(3.0, 0.0))?;
/// assert_eq!((back.direction, back.length), (-DVec2::X, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// Unit vector; zero when there is nowhere to go.
    pub direction: DVec2,
    /// How far along it.
    pub length: f64,
}

/// Where a motion first meets a set.
///
/// ```
/// use impinge::{glam::DVec2, planar::{Polygon, Sum}};
/// let square = Polygon::new(&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(DVec2::from_array))?;
/// let obstacle = Sum::obstacle(&square, &square)?;
/// let hit = obstacle.cast(DVec2::new(3.0, 0.0), DVec2::X * -4.0)?.expect("the other is in the way");
/// assert_eq!((hit.time, hit.normal), (0.5, DVec2::X));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Part of the motion, in `[0, 1]`.
    pub time: f64,
    /// Unit normal, outward, of the edge that is met; zero when the motion starts inside.
    pub normal: DVec2,
}

impl Sum {
    /// Whether the point lies in the sum. Of an [obstacle](Sum::obstacle): whether `b`, moved by `x`, meets `a`. Exact.
    pub fn contains(&self, x: DVec2) -> Result<bool, PolygonError> {
        check_range(&[x])?;
        Ok(self.parts().any(|part| contains(part, x)))
    }

    /// The least translation of `x` into the sum, of length 0 when it lies there. Of an obstacle: how far `b`, moved by
    /// `x`, is from `a`, and which way.
    pub fn distance(&self, x: DVec2) -> Result<Shift, PolygonError> {
        if self.contains(x)? {
            return Ok(Shift { direction: DVec2::ZERO, length: 0.0 });
        }
        let mut best = Shift { direction: DVec2::ZERO, length: f64::INFINITY };
        for [c, d] in self.parts().flat_map(edges) {
            let shift = to_edge(x, c, d);
            if shift.length < best.length {
                best = shift;
            }
        }
        Ok(best)
    }

    /// Where a point that goes from `x` to `x + motion` first meets the sum. Of an obstacle: when `b`, moved by `x`,
    /// first meets `a` on its way along `motion`. Whether it does is exact; grazing counts.
    pub fn cast(&self, x: DVec2, motion: DVec2) -> Result<Option<Hit>, PolygonError> {
        check_range(&[x, motion])?;
        if self.contains(x)? {
            return Ok(Some(Hit { time: 0.0, normal: DVec2::ZERO }));
        }
        let hits = self.parts().filter_map(|part| entry(part, x, motion));
        Ok(hits.reduce(|best, hit| if hit.time < best.time { hit } else { best }))
    }
}

/// The edges of a convex piece, by their ends.
pub(super) fn edges(part: &[Corner]) -> impl Iterator<Item = [Corner; 2]> {
    (0..part.len()).map(|k| [part[k], part[(k + 1) % part.len()]])
}

/// `c − x`, in terms.
fn from_point(x: DVec2, c: Corner) -> [DVec2; 3] {
    [c[0], c[1], -x]
}

/// `d − c`, in terms.
pub(super) fn difference(c: Corner, d: Corner) -> [DVec2; 4] {
    [d[0], d[1], -c[0], -c[1]]
}

/// On which side of the line from `c` to `d` the point lies.
pub(super) fn side(c: Corner, d: Corner, x: DVec2) -> Sign {
    cross_sign(&difference(c, d), &from_point(x, c)).flipped()
}

fn contains(part: &[Corner], x: DVec2) -> bool {
    let last = part.len() - 1;
    if side(part[0], part[1], x) == Sign::Negative || side(part[0], part[last], x) == Sign::Positive {
        return false;
    }
    // The last corner but one or before that does not have `x` on its right, as seen from the first.
    let (mut low, mut high) = (1, last);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if side(part[0], part[middle], x) == Sign::Negative {
            high = middle;
        } else {
            low = middle;
        }
    }
    side(part[low], part[high], x) != Sign::Negative
}

/// The least translation of `x` to the segment from `c` to `d`.
pub(super) fn to_edge(x: DVec2, c: Corner, d: Corner) -> Shift {
    let e = difference(c, d);
    let along = |from: Corner| cross(&e, &from_point(x, from).map(DVec2::perp)); // e · (from − x)
    let length = total(&e).length();
    if along(c) < 0.0 && along(d) > 0.0 {
        let height = cross(&e, &from_point(x, c)) / length;
        return Shift { direction: (total(&e).perp() / length) * height.signum(), length: height.abs() };
    }
    let nearer = if along(c) >= 0.0 { c } else { d };
    let way = total(&from_point(x, nearer));
    Shift { direction: way.normalize_or_zero(), length: way.length() }
}

/// Where a point outside comes in.
fn entry(part: &[Corner], x: DVec2, motion: DVec2) -> Option<Hit> {
    let height = |c: Corner| cross_sign(&[motion], &from_point(x, c));
    for [c, d] in edges(part) {
        let e = difference(c, d);
        // Entering, the edge goes from the left of the ray to its right.
        if height(c) == Sign::Negative || height(d) == Sign::Positive || cross_sign(&e, &[motion]) != Sign::Positive {
            continue;
        }
        let ahead = cross_sign(&e, &from_point(x, c)) != Sign::Negative;
        let reached = cross_sign(&e, &[c[0], c[1], -x, -motion]) != Sign::Positive;
        if !ahead || !reached {
            return None;
        }
        let time = cross(&e, &from_point(x, c)) / cross(&e, &[motion]);
        return Some(Hit { time: time.min(1.0), normal: -total(&e).perp().normalize_or_zero() });
    }
    None
}
