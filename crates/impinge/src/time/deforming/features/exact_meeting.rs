//! Decides exactly when a vertex and a face, or two edges, meet while their four points move straight, degenerate ones
//! included.
//!
//! The coordinates are dyadic numbers, so each is a whole number after scaling by a power of two, and a linear function
//! of time with whole coefficients. The features can meet only while their points are in one plane:
//!
//! ```text
//!     vertex p, face abc:  (p − a)·n = 0,   n = (b − a) × (c − a)
//!     edges pq and rs:     (r − p)·n = 0,   n = (q − p) × (s − r)
//! ```
//!
//! a cubic equation (X. Provot, *Collision and self-collision handling in cloth model*, 1997, §3.2). At such a time,
//! where `n` is not 0, signs of the coordinates of the cross products `(a − p) × (b − p)`, and so on, decide: all are
//! parallel to `n`, so the vertex is in the face when no coordinate has two different signs, and two edges meet when
//! each separates the ends of the other. Where `n` is 0 the face is a segment, or the edges are parallel: then the
//! features meet when a point lies on a segment, which a cross product of 0 and signs of differences of coordinates
//! decide. Times are roots of polynomials, and signs at roots are exact (`math/polynomial.rs`).
//!
//! Points that are in one plane at all times make the cubic vanish identically. The features then begin to meet when
//! one of the other functions changes its sign, at a root of one of these: all of them are tried.
//!
//! Invariant: every time is contained in its interval; where the cubic does not vanish, all of them are found, else the
//! first. Cost: some 20 µs for coordinates of alike exponents; more bits cost more.

use std::iter::once;

use super::encounter::FeatureEncounter;
use crate::math::{Interval, Polynomial, PolynomialRoot, WholeNumber};

/// A vector whose coordinates are functions of time.
type MovingVector = [Polynomial; 3];

/// A time at which two features meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ExactTime {
    pub(crate) interval: Interval,
    /// False only where roots are nearer to each other than 2⁻¹⁰²⁴: whether the features meet is then open.
    pub(crate) is_decided: bool,
}

/// The functions of time of an encounter.
struct SignFunctions {
    is_face: bool,
    points: [MovingVector; 4],
    normal: MovingVector,
    /// Of the vertex with two corners of the face, three times; or of each edge with an end of the other.
    sides: Vec<MovingVector>,
}

impl FeatureEncounter {
    /// The times from 0 to 1 at which the features meet, in ascending order. Of features that are in one plane at all
    /// times, only the first.
    pub(crate) fn exact_meetings(&self) -> Vec<ExactTime> {
        let points = self.whole_points();
        let [p, q, r, s] = &points;
        let (normal, apart) = match self.is_face {
            true => (cross(&between(q, r), &between(q, s)), between(q, p)),
            false => (cross(&between(p, q), &between(r, s)), between(p, r)),
        };
        let height = dot(&apart, &normal);
        let mut roots = height.roots();
        if roots.is_empty() && !height.is_zero() {
            return Vec::new();
        }
        let functions = SignFunctions::new(self.is_face, points, normal);
        if height.is_zero() {
            return functions.first_in_plane().into_iter().collect();
        }
        roots.iter_mut().filter_map(|root| functions.meeting_at(root)).collect()
    }

    /// The points with whole coordinates.
    fn whole_points(&self) -> [MovingVector; 4] {
        let coordinates = self.points.iter().flatten().flat_map(|p| p.to_array());
        let lowest = coordinates.filter_map(WholeNumber::lowest_bit).min().unwrap_or(0);
        let whole = |x: f64| WholeNumber::scaled(x, lowest);
        self.points.map(|[start, end]| [0, 1, 2].map(|k| Polynomial::linear(&whole(start[k]), &whole(end[k]))))
    }
}

impl SignFunctions {
    fn new(is_face: bool, points: [MovingVector; 4], normal: MovingVector) -> SignFunctions {
        let [p, q, r, s] = &points;
        let seen = |from: &MovingVector, to: &MovingVector, other: &MovingVector| {
            cross(&between(from, to), &between(from, other))
        };
        let sides = match is_face {
            true => vec![seen(p, q, r), seen(p, r, s), seen(p, s, q)],
            false => vec![seen(p, q, r), seen(p, q, s), seen(r, s, p), seen(r, s, q)],
        };
        SignFunctions { is_face, points, normal, sides }
    }

    /// The meeting at a time at which the points are in one plane, if there is one.
    fn meeting_at(&self, time: &mut PolynomialRoot) -> Option<ExactTime> {
        let meets = if time.is_single { self.meet_at(time) } else { None };
        let is_decided = meets.is_some();
        meets.unwrap_or(true).then(|| {
            let interval = time.interval();
            ExactTime { interval: if is_decided { interval } else { Interval { upper: 1.0, ..interval } }, is_decided }
        })
    }

    /// The first meeting of points that are in one plane at all times.
    fn first_in_plane(&self) -> Option<ExactTime> {
        if let Some(now) = self.meeting_at(&mut PolynomialRoot::zero()) {
            return Some(now);
        }
        let pairs: &[[usize; 2]] =
            if self.is_face { &[[0, 1], [0, 2], [0, 3]] } else { &[[0, 2], [0, 3], [1, 2], [1, 3]] };
        let differences = pairs.iter().flat_map(|&[i, j]| between(&self.points[i], &self.points[j]));
        let functions = self.sides.iter().chain(once(&self.normal)).flatten().cloned().chain(differences);
        let mut first: Option<ExactTime> = None;
        for function in functions {
            let found = function.roots().iter_mut().find_map(|root| self.meeting_at(root));
            first = match (first, found) {
                (Some(x), Some(y)) => Some(x.or_earlier(&y)),
                (x, y) => x.or(y),
            };
        }
        first
    }

    /// Whether the features meet at a time at which the points are in one plane.
    fn meet_at(&self, time: &mut PolynomialRoot) -> Option<bool> {
        let mut flat = true;
        for n in &self.normal {
            flat &= time.sign_of(n)? == 0;
        }
        match (flat, self.is_face) {
            (false, true) => self.is_in_face(time),
            (false, false) => self.edges_cross(time),
            (true, true) => self.any_on_segment(time, &[(0, 0, [1, 2]), (1, 0, [2, 3]), (2, 0, [3, 1])]),
            (true, false) => {
                self.any_on_segment(time, &[(0, 2, [0, 1]), (1, 3, [0, 1]), (2, 0, [2, 3]), (3, 1, [2, 3])])
            }
        }
    }

    /// No coordinate of the cross products has two different signs.
    fn is_in_face(&self, time: &mut PolynomialRoot) -> Option<bool> {
        for k in 0..3 {
            let mut seen = [false; 3];
            for side in &self.sides {
                seen[(time.sign_of(&side[k])? + 1) as usize] = true;
            }
            if seen[0] && seen[2] {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Both ends of each edge are not on the same side of the other.
    fn edges_cross(&self, time: &mut PolynomialRoot) -> Option<bool> {
        for ends in self.sides.chunks_exact(2) {
            for (one, other) in ends[0].iter().zip(&ends[1]) {
                if time.sign_of(one)? * time.sign_of(other)? > 0 {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Whether a point lies on the segment between two others, for one of several: the number of their cross product,
    /// the point, and the ends of the segment.
    fn any_on_segment(&self, time: &mut PolynomialRoot, tries: &[(usize, usize, [usize; 2])]) -> Option<bool> {
        for &(side, point, ends) in tries {
            if self.is_on_segment(time, side, point, ends)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn is_on_segment(&self, time: &mut PolynomialRoot, side: usize, point: usize, ends: [usize; 2]) -> Option<bool> {
        for k in 0..3 {
            let [from, to] = ends.map(|end| &self.points[end][k] - &self.points[point][k]);
            let is_beside = time.sign_of(&from)? * time.sign_of(&to)? > 0;
            if is_beside || time.sign_of(&self.sides[side][k])? != 0 {
                return Some(false);
            }
        }
        Some(true)
    }
}

impl ExactTime {
    /// What contains the earlier of two times.
    fn or_earlier(&self, other: &ExactTime) -> ExactTime {
        let (x, y) = (self.interval, other.interval);
        let interval = Interval { lower: x.lower.min(y.lower), upper: x.upper.min(y.upper) };
        // If the first one is open, the second may be the first.
        let first = if x.lower <= y.lower { self } else { other };
        ExactTime { interval, is_decided: first.is_decided }
    }
}

/// The vector from one point to another.
fn between(from: &MovingVector, to: &MovingVector) -> MovingVector {
    [0, 1, 2].map(|k| &to[k] - &from[k])
}

fn cross(x: &MovingVector, y: &MovingVector) -> MovingVector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&x[i] * &y[j]) - &(&x[j] * &y[i]))
}

fn dot(x: &MovingVector, y: &MovingVector) -> Polynomial {
    let [a, b, c] = [0, 1, 2].map(|k| &x[k] * &y[k]);
    &(&a + &b) + &c
}
