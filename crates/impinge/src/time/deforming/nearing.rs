//! How near do two triangles come whose corners move straight?
//!
//! At a time `t` the triangles are apart along a unit vector `n` by `min n·b − max n·a`, over the corners, and their
//! distance is the most of that over all `n`. Take the best vectors `n₀` and `n₁` at both ends of a stretch of time and
//! turn the one into the other, `n(s) = (1 − s)·n₀ + s·n₁`, which is never longer than 1. Let `d` lead from a corner of
//! `a` to one of `b`, at the ends `d₀` and `d₁`. Its component along `n` is a quadratic function of time:
//!
//! ```text
//!     n(s)·d(s) = (1 − s)²·n₀·d₀ + 2s(1 − s)·½(n₀·d₁ + n₁·d₀) + s²·n₁·d₁.
//! ```
//!
//! The least of each coefficient over all pairs of corners makes a quadratic function below all of these, whose least
//! value bounds the distance over the stretch. Its ends are the distances there. Its middle is off by
//! `½(n₁ − n₀)·(d₁ − d₀)`, the square of the stretch: surfaces that turn over each other, and pairs that keep their
//! distance, need few stretches. One vector for the whole stretch is the case `n₀ = n₁`, and better where the vectors
//! at the ends have little in common.
//!
//! The stretch with the least bound is divided where its bound is least, until the least bound is as near to a measured
//! distance as was asked. J. Snyder, *Interval analysis for computer graphics*, SIGGRAPH 1992, minimises in this way.
//!
//! **Error.** Everything is relative to a corner of `b`, which moves straight itself, and scaled to a size of 1. With
//! `ε = 2⁻⁵³`, a coordinate at a time is off by four roundings, a difference of two points by `√3·8ε`; it is at most
//! `2√3` long, and its product with `n` is five roundings off: 32ε in all. Closest points are convex combinations of
//! corners, up to as much again. [`NOISE`] is above both.
//!
//! Cost: two distances for a pair that is not divided, one more for each division.

use glam::DVec3;

use crate::bound::MovingBox;
use crate::math::{EPS, normalising_scale};
use crate::prim::{Nearest, Triangle, nearest, widest_gap};
use crate::search::best_first::{BestFirst, LowerBound};

/// The bound on the error of a distance, in scaled units.
const NOISE: f64 = 128.0 * EPS;

/// The most divisions of time for two triangles.
const MOST_DIVISIONS: u64 = 1 << 12;

/// Two triangles whose corners move straight from time 0 to time 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovingTriangles {
    /// Corners of `a` and of `b`, at time 0 and at time 1, from the first corner of `b`, and scaled.
    corners: [[[DVec3; 2]; 3]; 2],
    scale: f64,
}

/// Both triangles at one time, and their distance.
#[derive(Debug, Clone, Copy)]
struct Moment {
    t: f64,
    triangles: [Triangle; 2],
    /// Unit vector from `a` to `b`, or 0.
    way: DVec3,
    distance: f64,
}

/// The time between two moments.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    /// No distance in it is less.
    lower: f64,
    /// The fraction of it, from 0 to 1, at which the bound is least.
    least: f64,
    ends: [Moment; 2],
}

/// Memory that is allocated once and used again by the next search.
#[derive(Debug, Default)]
pub(crate) struct StretchQueue {
    /// The stretch with the least bound first; of equal ones the earliest.
    open: BestFirst<(LowerBound, LowerBound), Stretch>,
    /// The number of distances measured in all searches.
    pub(crate) measured: u64,
}

impl StretchQueue {
    fn push(&mut self, stretch: Stretch) {
        self.open.push((LowerBound(stretch.lower), LowerBound(stretch.ends[0].t)), stretch);
    }
}

/// What is asked about two triangles, in the bodies' unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// Greater distances do not matter.
    pub(crate) before: f64,
    /// A distance that is known to occur.
    pub(crate) known: f64,
    /// How far a bound may be below the least distance that occurs.
    pub(crate) tolerance: f64,
    /// Whether time may be divided.
    pub(crate) divide: bool,
}

/// What is known of two triangles, in the bodies' unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearTriangles {
    /// They are no nearer than this at any time.
    pub(crate) lower: f64,
    /// A time at which they are no farther apart than `upper`; that is infinite where no distance was measured.
    pub(crate) time: f64,
    pub(crate) upper: f64,
}

impl MovingTriangles {
    pub(crate) fn new(a: [[DVec3; 2]; 3], b: [[DVec3; 2]; 3]) -> MovingTriangles {
        let relative = |x: [DVec3; 2]| [x[0] - b[0][0], x[1] - b[0][1]];
        let corners = [a.map(relative), b.map(relative)];
        let size = corners.iter().flatten().flatten().fold(DVec3::ZERO, |most, x| most.max(x.abs())).max_element();
        let scale = normalising_scale(size);
        MovingTriangles { corners: corners.map(|t| t.map(|x| x.map(|x| x * scale))), scale }
    }

    /// How near they come. The search ends when it is known that they stay beyond `wanted.before`.
    pub(crate) fn search(&self, wanted: &Wanted, stretches: &mut StretchQueue) -> NearTriangles {
        let (before, unit) = (wanted.before * self.scale, self.scale.recip());
        // A distance that exceeds `before` by more than the noise certainly does so after scaling back, too.
        let certain = |lower: f64| {
            let scaled = (lower - NOISE).max(0.0) * unit;
            if lower > before + NOISE { wanted.before.next_up() } else { scaled }
        };
        let far = |lower: f64| NearTriangles { lower: certain(lower), time: 0.0, upper: f64::INFINITY };
        let [a, b] = self.corners.map(MovingBox::around);
        let apart = a.least_distance(&b, before + NOISE);
        if apart > before + NOISE || !wanted.divide {
            return far(apart);
        }
        let Some([from, to]) = a.meeting(&b, before + NOISE) else { return far(f64::INFINITY) };
        let ends = [self.at(from), self.at(to)];
        stretches.measured += 2;
        let mut best = if ends[0].distance <= ends[1].distance { ends[0] } else { ends[1] };
        stretches.open.clear();
        stretches.push(Stretch::new(ends, 0.0));
        let tolerance = (wanted.tolerance * self.scale).max(8.0 * NOISE);
        let known = wanted.known * self.scale;
        // Outside of the window they are too far apart to matter.
        let mut lower = f64::INFINITY;
        for _ in 0..MOST_DIVISIONS {
            let Some((_, next)) = stretches.open.pop() else { break };
            let done = next.lower > before + NOISE || next.lower >= best.distance.min(known) - tolerance;
            let Some(t) = next.division().filter(|_| !done) else {
                lower = lower.min(next.lower);
                break;
            };
            let middle = self.at(t);
            stretches.measured += 1;
            best = if middle.distance < best.distance { middle } else { best };
            stretches.push(Stretch::new([next.ends[0], middle], next.lower));
            stretches.push(Stretch::new([middle, next.ends[1]], next.lower));
        }
        // The stretch with the least bound comes first: no stretch left in the queue has a lesser bound.
        lower = stretches.open.first_key().map_or(lower, |(next, _)| lower.min(next.0));
        NearTriangles { lower: certain(lower), time: best.t, upper: (best.distance + NOISE) * unit }
    }

    /// The closest points at a time, relative to the first corner of `b` at that time, and an upper bound on their
    /// distance.
    pub(crate) fn closest_at(&self, t: f64) -> (Nearest, [DVec3; 2], f64) {
        let [a, b] = self.triangles_at(t);
        let near = nearest(&a, &b);
        let unit = self.scale.recip();
        (near, near.points().map(|x| x * unit), (near.squared.sqrt() + NOISE) * unit)
    }

    fn triangles_at(&self, t: f64) -> [Triangle; 2] {
        self.corners.map(|corners| corners.map(|[start, end]| start * (1.0 - t) + end * t))
    }

    fn at(&self, t: f64) -> Moment {
        let triangles = self.triangles_at(t);
        let [a, b] = &triangles;
        let near = nearest(a, b);
        let way = widest_gap(a, b, &near).1;
        let way = (way * normalising_scale(way.abs().max_element())).normalize_or_zero();
        Moment { t, triangles, way, distance: near.squared.sqrt() }
    }
}

impl Stretch {
    fn new(ends: [Moment; 2], above: f64) -> Stretch {
        let [one, other] = [0, 1].map(|k| bound(&ends, [ends[k].way; 2]).0);
        let (turning, least) = bound(&ends, [ends[0].way, ends[1].way]);
        // If a fixed direction gives the better bound, the place at which the other bound is least means nothing.
        let (lower, least) = if turning >= one.max(other) { (turning, least) } else { (one.max(other), 0.5) };
        Stretch { lower: lower.max(above), least, ends }
    }

    /// A time well within the stretch, if there is one.
    fn division(&self) -> Option<f64> {
        let [from, to] = [self.ends[0].t, self.ends[1].t];
        let t = from + self.least.clamp(0.125, 0.875) * (to - from);
        (from < t && t < to).then_some(t)
    }
}

/// The bound that unit vectors at both ends give, and where it is least: 0 to 1.
fn bound(ends: &[Moment; 2], [n0, n1]: [DVec3; 2]) -> (f64, f64) {
    let [[a0, b0], [a1, b1]] = ends.map(|end| end.triangles);
    let least = |values: [f64; 3]| values[0].min(values[1]).min(values[2]);
    let most = |values: [f64; 3]| values[0].max(values[1]).max(values[2]);
    let gap = |a: &Triangle, b: &Triangle, n: DVec3| least(b.map(|x| n.dot(x))) - most(a.map(|x| n.dot(x)));
    let (first, last) = (gap(&a0, &b0, n0), gap(&a1, &b1, n1));
    if n0 == n1 {
        return if first <= last { (first, 0.0) } else { (last, 1.0) };
    }
    let across = |x0: &Triangle, x1: &Triangle| [0, 1, 2].map(|k| n0.dot(x1[k]) + n1.dot(x0[k]));
    let middle = 0.5 * (least(across(&b0, &b1)) - most(across(&a0, &a1)));
    if middle >= first.min(last) {
        return if first <= last { (first, 0.0) } else { (last, 1.0) };
    }
    // The quadratic (1 − s)²·f + 2s(1 − s)·m + s²·l is least at s = (f − m)/(f − 2m + l).
    let (down, up) = (first - middle, last - middle);
    let s = down / (down + up);
    (middle + (1.0 - s) * down * (1.0 - s) + s * up * s, s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::sweep::chord::tests::spread;

    fn pair(k: u32, shift: f64) -> MovingTriangles {
        let corner = |i: u32, at: DVec3| [spread(k + i) + at, spread(k + i + 100) * 2.0 + at];
        let triangle = |i: u32, at: DVec3| [corner(i, at), corner(i + 1, at), corner(i + 2, at)];
        MovingTriangles::new(triangle(0, DVec3::ZERO), triangle(10, DVec3::X * shift))
    }

    const ALL: Wanted = Wanted { before: f64::MAX, known: f64::MAX, tolerance: 1e-7, divide: true };

    #[test]
    fn bounds_are_correct_and_tight() {
        let mut apart = 0;
        for k in 0..1_000 {
            let pair = pair(7 * k, 1.0 + f64::from(k % 5));
            let least = (0..=500).map(|s| pair.closest_at(f64::from(s) / 500.0).2).fold(f64::INFINITY, f64::min);
            let near = pair.search(&ALL, &mut StretchQueue::default());
            // Triangles that cross may look nearly touching: whether they touch is for the caller to decide.
            if near.lower > 1e-6 {
                apart += 1;
                assert!(near.lower <= least && near.upper <= least + 1e-6, "{k}: {near:?} {least}");
                assert!(near.upper - near.lower < 2e-6, "{k}: {near:?}");
            }
            let boxes = pair.search(&Wanted { divide: false, ..ALL }, &mut StretchQueue::default());
            assert!(boxes.lower <= least && boxes.upper == f64::INFINITY, "{k}: {boxes:?} {least}");
        }
        assert!(apart > 300, "{apart}");
    }

    /// No interval gets as narrow as asked: the search ends when no divisions, or no numbers between two times, are
    /// left.
    #[test]
    fn a_search_with_tolerance_zero_ends() {
        for k in 0..50 {
            let mut stretches = StretchQueue::default();
            let near = pair(13 * k, 3.0).search(&Wanted { tolerance: 0.0, ..ALL }, &mut stretches);
            assert!(stretches.measured <= MOST_DIVISIONS + 2 && near.lower <= near.upper, "{k}: {near:?}");
        }
    }

    #[test]
    fn distances_beyond_the_limit_are_reported_as_such() {
        for k in 0..200 {
            let pair = pair(11 * k, 5.0);
            let near = pair.search(&ALL, &mut StretchQueue::default());
            let before = 0.9 * near.lower;
            let far = pair.search(&Wanted { before, known: f64::MAX, ..ALL }, &mut StretchQueue::default());
            assert!(far.lower > before && far.lower <= near.upper, "{k}: {far:?} {near:?}");
        }
    }
}
