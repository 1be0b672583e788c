//! Minkowski sums: of convex polygons by merging their edges, of others as the union over convex pieces.
//!
//! The outline of a sum of convex polygons runs through the edges of both, in the order of their directions. Both
//! outlines start at their lowest corner, where the directions start at 0; the next edge is the one that turns less,
//! which the sign of a cross product decides, and edges of one direction are taken together. O(n + m).
//!
//! A corner of the sum is kept as the two corners it is the sum of, so that nothing is rounded.

use std::cmp::Ordering;

use glam::DVec2;

use super::exact::{cross_sign, total};
use super::polygon::{Polygon, PolygonError, area, lowest};
use crate::math::Sign;

/// Most corners of all pieces of a sum: 2²⁵ would take a gigabyte.
const MOST_CORNERS: usize = 1 << 18;

/// A corner of a sum, as the two it is the sum of.
pub(super) type Corner = [DVec2; 2];

/// The Minkowski sum of two polygons: every sum of a point of one and a point of the other.
///
/// ```
/// use impinge::glam::DVec2;
/// use impinge::planar::{Polygon, Sum};
/// let square = Polygon::new(&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(DVec2::from_array))?;
/// let triangle = Polygon::new(&[[0., 0.], [2., 0.], [0., 2.]].map(DVec2::from_array))?;
/// let sum = Sum::new(&square, &triangle)?;
/// let outline = [[0., 0.], [3., 0.], [3., 1.], [1., 3.], [0., 3.]].map(DVec2::from_array);
/// assert_eq!(sum.pieces().collect::<Vec<_>>(), [outline.to_vec()]);
/// # Ok::<(), impinge::planar::PolygonError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sum {
    /// Corners of the convex pieces, one piece after another, each counterclockwise, turning left at every corner.
    corners: Vec<Corner>,
    /// Where each piece ends in `corners`.
    ends: Vec<usize>,
}

impl Sum {
    /// `a ⊕ b`: where the points of `b` come when `b` is moved along all of `a`.
    pub fn new(a: &Polygon, b: &Polygon) -> Result<Sum, PolygonError> {
        Sum::of_pieces(a, b, |q| q)
    }

    /// `a ⊕ (−b)`: the translations of `b` that make it meet `a`. Translation zero leaves `b` where it was given.
    pub fn obstacle(a: &Polygon, b: &Polygon) -> Result<Sum, PolygonError> {
        Sum::of_pieces(a, b, |q| -q)
    }

    fn of_pieces(a: &Polygon, b: &Polygon, image: impl Fn(DVec2) -> DVec2) -> Result<Sum, PolygonError> {
        let images: Vec<Vec<DVec2>> = b.pieces().map(|q| from_lowest(q.iter().map(|&c| image(c)))).collect();
        let all: usize = images.iter().map(Vec::len).sum();
        let count = a.pieces().map(|p| p.len() * images.len() + all).sum();
        if count > MOST_CORNERS {
            return Err(PolygonError::TooMany { what: "corners of the sum", count, limit: MOST_CORNERS });
        }
        let mut sum = Sum { corners: Vec::with_capacity(count), ends: Vec::new() };
        for p in a.pieces() {
            let p = from_lowest(p.iter().copied());
            for q in &images {
                merge(&p, q, &mut sum.corners);
                sum.ends.push(sum.corners.len());
            }
        }
        Ok(sum)
    }

    /// Whether the sum is one convex polygon: that of two convex ones.
    pub fn is_convex(&self) -> bool {
        self.ends.len() == 1
    }

    /// Convex polygons whose union is the sum, counterclockwise, rounded to `f64`.
    pub fn pieces(&self) -> impl Iterator<Item = Vec<DVec2>> {
        self.parts().map(|part| part.iter().map(|c| total(c)).collect())
    }

    /// The area, when the sum is convex.
    pub fn area(&self) -> Option<f64> {
        let outline: Vec<DVec2> = self.corners.iter().map(|c| total(c)).collect();
        self.is_convex().then(|| area(&outline))
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = &[Corner]> {
        (0..self.ends.len()).map(|k| &self.corners[if k == 0 { 0 } else { self.ends[k - 1] }..self.ends[k]])
    }
}

/// The loop from its lowest corner on.
fn from_lowest(corners: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut corners: Vec<DVec2> = corners.collect();
    let first = lowest(&corners).unwrap_or(0);
    corners.rotate_left(first);
    corners
}

/// Adds the outline of the sum of two convex loops that start at their lowest corners.
fn merge(p: &[DVec2], q: &[DVec2], outline: &mut Vec<Corner>) {
    let edge = |c: &[DVec2], k: usize| [c[k], c[(k + 1) % c.len()]];
    let (mut i, mut j) = (0, 0);
    while i < p.len() || j < q.len() {
        outline.push([p[i % p.len()], q[j % q.len()]]);
        let order = match (i < p.len(), j < q.len()) {
            (true, true) => compare_directions(edge(p, i), edge(q, j)),
            (true, false) => Ordering::Less,
            _ => Ordering::Greater,
        };
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
}

/// Compares the directions of two edges, from that of the x axis once around counterclockwise.
fn compare_directions(e: [DVec2; 2], f: [DVec2; 2]) -> Ordering {
    let is_down = |[p, q]: [DVec2; 2]| q.y < p.y || (q.y == p.y && q.x < p.x);
    is_down(e).cmp(&is_down(f)).then_with(|| match cross_sign(&[e[1], -e[0]], &[f[1], -f[0]]) {
        Sign::Positive => Ordering::Less,
        Sign::Zero => Ordering::Equal,
        Sign::Negative => Ordering::Greater,
    })
}
