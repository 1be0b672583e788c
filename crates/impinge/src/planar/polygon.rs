//! Simple polygons, checked exactly.
//!
//! A polygon whose corners all turn left, and which has a single lowest corner, turns once around and is convex: that
//! takes O(n). Any other is checked edge against edge, O(n²), and cut into convex pieces once.

use glam::DVec2;

use super::exact::{LARGEST, SMALLEST};
use super::pieces;
use crate::math::{Sign, orient2d};

/// Most corners of a polygon that is not convex.
const MOST_CORNERS: usize = 4096;

/// Why points are not the outline of a polygon. Corners are counted as given, from 0.
///
/// ```
/// use impinge::{glam::DVec2, planar::{Polygon, PolygonError}};
/// assert_eq!(Polygon::new(&[DVec2::ZERO, DVec2::X]).err(), Some(PolygonError::TooFew { count: 2 }));
/// let line = [DVec2::ZERO, DVec2::X, DVec2::X * 2.0];
/// assert_eq!(Polygon::new(&line).err(), Some(PolygonError::Flat));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolygonError {
    /// Fewer than three corners.
    #[error("a polygon needs three corners, not {count}")]
    TooFew {
        /// How many were given.
        count: usize,
    },
    /// A coordinate is not finite, or neither zero nor of a size between 1e-100 and 1e100.
    #[error("point {index} at {position:?} is not finite, or neither 0 nor between 1e-100 and 1e100 in size")]
    OutOfRange {
        /// Which of the points given.
        index: usize,
        /// Its coordinates.
        position: [f64; 2],
    },
    /// A corner is equal to the one before.
    #[error("corner {corner} is equal to the one before it")]
    Repeated {
        /// The second of the two.
        corner: usize,
    },
    /// All corners lie on one line.
    #[error("all corners lie on one line")]
    Flat,
    /// Two edges have a point in common that is not the corner between them.
    #[error("the edges from corners {} and {} meet", edges[0], edges[1])]
    Crossing {
        /// The corners from which the edges start.
        edges: [usize; 2],
    },
    /// More corners than are supported.
    #[error("{count} {what} are more than the supported {limit}")]
    TooMany {
        /// `"corners"` of a polygon that is not convex, or `"corners of the sum"`.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many are supported.
        limit: usize,
    },
}

/// A simple polygon: its outline and all that is inside.
///
/// ```
/// use impinge::glam::DVec2;
/// use impinge::planar::{Polygon, PolygonError};
/// let dart = [[0., 0.], [4., 0.], [1., 1.], [0., 4.]].map(DVec2::from_array);
/// let polygon = Polygon::new(&dart)?;
/// assert_eq!((polygon.is_convex(), polygon.pieces().count(), polygon.area()), (false, 2, 4.0));
///
/// let bow = [[0., 0.], [1., 1.], [1., 0.], [0., 1.]].map(DVec2::from_array);
/// assert_eq!(Polygon::new(&bow).err(), Some(PolygonError::Crossing { edges: [0, 2] }));
/// # Ok::<(), PolygonError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Polygon {
    corners: Vec<DVec2>,
    /// Corners of the convex pieces, one piece after another, each counterclockwise.
    loops: Vec<DVec2>,
    /// Where each piece ends in `loops`.
    ends: Vec<usize>,
}

impl Polygon {
    /// From the corners in order, clockwise or counterclockwise. Corners where the outline goes straight on are left
    /// out.
    pub fn new(corners: &[DVec2]) -> Result<Polygon, PolygonError> {
        let turning = without_straight(corners)?;
        let mut outline: Vec<DVec2> = turning.iter().map(|&i| corners[i]).collect();
        if let Some(first) = lowest(&outline) {
            let n = outline.len();
            if orient2d(outline[(first + n - 1) % n], outline[first], outline[(first + 1) % n]) == Sign::Negative {
                outline.reverse();
            }
        }
        if is_convex(&outline) {
            return Ok(Polygon { loops: outline.clone(), ends: vec![outline.len()], corners: outline });
        }
        check_simple(corners, &turning)?;
        let mut polygon = Polygon { corners: outline, loops: Vec::new(), ends: Vec::new() };
        for piece in pieces::convex_pieces(&polygon.corners) {
            polygon.loops.extend(piece.iter().map(|&i| polygon.corners[i]));
            polygon.ends.push(polygon.loops.len());
        }
        Ok(polygon)
    }

    /// The corners, counterclockwise.
    pub fn corners(&self) -> &[DVec2] {
        &self.corners
    }

    /// Whether every corner turns left.
    pub fn is_convex(&self) -> bool {
        self.ends.len() == 1
    }

    /// Convex polygons that make up this one, without a common inside, counterclockwise. Their number is at most four
    /// times the least possible.
    pub fn pieces(&self) -> impl Iterator<Item = &[DVec2]> {
        (0..self.ends.len()).map(|k| &self.loops[if k == 0 { 0 } else { self.ends[k - 1] }..self.ends[k]])
    }

    /// The area.
    pub fn area(&self) -> f64 {
        area(&self.corners)
    }
}

/// The area within a loop, positive when counterclockwise.
pub(super) fn area(corners: &[DVec2]) -> f64 {
    let from = corners[0];
    0.5 * corners.windows(2).map(|c| (c[0] - from).perp_dot(c[1] - from)).sum::<f64>()
}

/// The places of the corners where the outline turns, once all corners have been validated.
fn without_straight(corners: &[DVec2]) -> Result<Vec<usize>, PolygonError> {
    let n = corners.len();
    if n < 3 {
        return Err(PolygonError::TooFew { count: n });
    }
    check_range(corners)?;
    if let Some(corner) = (0..n).find(|&i| corners[i] == corners[(i + n - 1) % n]) {
        return Err(PolygonError::Repeated { corner });
    }
    if corners.iter().all(|&c| orient2d(corners[0], corners[1], c) == Sign::Zero) {
        return Err(PolygonError::Flat);
    }
    let mut turning = Vec::with_capacity(n);
    for i in 0..n {
        let before = (i + n - 1) % n;
        let (p, q, r) = (corners[before], corners[i], corners[(i + 1) % n]);
        if orient2d(p, q, r) != Sign::Zero {
            turning.push(i);
        } else if !lies_between(p, q, r) {
            return Err(PolygonError::Crossing { edges: [before, i] });
        }
    }
    Ok(turning)
}

pub(super) fn check_range(points: &[DVec2]) -> Result<(), PolygonError> {
    let fits = |x: f64| x == 0.0 || (SMALLEST..=LARGEST).contains(&x.abs());
    match points.iter().position(|p| !fits(p.x) || !fits(p.y)) {
        Some(index) => Err(PolygonError::OutOfRange { index, position: points[index].to_array() }),
        None => Ok(()),
    }
}

/// Whether `q`, on the line `pr`, lies between the two or on one of them.
fn lies_between(p: DVec2, q: DVec2, r: DVec2) -> bool {
    p.min(r).cmple(q).all() && q.cmple(p.max(r)).all()
}

/// Whether `p` comes before `q`, from the bottom up, and from left to right.
pub(super) fn is_lower(p: DVec2, q: DVec2) -> bool {
    (p.y, p.x) < (q.y, q.x)
}

/// The lowest corner, of several the leftmost: there the outline turns the way it runs.
pub(super) fn lowest(corners: &[DVec2]) -> Option<usize> {
    (0..corners.len()).reduce(|i, j| if is_lower(corners[j], corners[i]) { j } else { i })
}

fn is_convex(c: &[DVec2]) -> bool {
    let n = c.len();
    let left = (0..n).all(|i| orient2d(c[i], c[(i + 1) % n], c[(i + 2) % n]) == Sign::Positive);
    let is_lowest = |i: usize| is_lower(c[(i + 1) % n], c[i]) && is_lower(c[(i + 1) % n], c[(i + 2) % n]);
    left && (0..n).filter(|&i| is_lowest(i)).count() == 1
}

/// Tests every pair of edges but neighbours: these do not run straight on, so they meet in their common corner only.
fn check_simple(corners: &[DVec2], turning: &[usize]) -> Result<(), PolygonError> {
    let n = turning.len();
    if n > MOST_CORNERS {
        return Err(PolygonError::TooMany { what: "corners", count: n, limit: MOST_CORNERS });
    }
    let edge = |i: usize| [corners[turning[i]], corners[turning[(i + 1) % n]]];
    for i in 0..n {
        for j in i + 2..n {
            if (i > 0 || j + 1 < n) && segments_meet(edge(i), edge(j)) {
                return Err(PolygonError::Crossing { edges: [turning[i], turning[j]] });
            }
        }
    }
    Ok(())
}

/// Whether two closed segments have a common point.
pub(super) fn segments_meet([p, q]: [DVec2; 2], [r, s]: [DVec2; 2]) -> bool {
    if !(p.min(q).cmple(r.max(s)).all() && r.min(s).cmple(p.max(q)).all()) {
        return false;
    }
    let sides = |p, q, r, s| (orient2d(p, q, r), orient2d(p, q, s));
    let apart = |(x, y): (Sign, Sign)| x == y && x != Sign::Zero;
    // On one line, the boxes decide.
    !apart(sides(p, q, r, s)) && !apart(sides(r, s, p, q))
}
