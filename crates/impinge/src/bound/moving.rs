//! Boxes around points that move straight: when two of them can meet, and how near they can come.
//!
//! The least coordinate of points that move straight is a concave function of time, so it stays above the line between
//! its values at the ends; the greatest stays below. A body therefore stays within the box whose sides move straight
//! from those of its box at the start to those of its box at the end, and two such boxes meet while six linear
//! functions of time, the gaps along the axes, are not positive: an interval.
//!
//! The squared distance of two such boxes is the sum of the squares of the positive gaps, a convex function of time.
//! Where it is least, the positive gaps are a vector `n`, along which the boxes are apart by `Σ nᵢ·gᵢ(t)/|n|` at any
//! other time `t` as well: linear, so that the ends of the step bound it, whatever `n` is, and tight for that one.
//!
//! Cost: six gaps at two times; at most six divisions for the meeting, and some steps of Newton's method for the
//! distance.

use glam::DVec3;

use super::aabb::Aabb;
use crate::math::EPS;

/// A box whose sides move straight from where they are at time 0 to where they are at time 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovingBox {
    pub(crate) start: Aabb,
    pub(crate) end: Aabb,
}

impl MovingBox {
    /// Around points, each at time 0 and at time 1.
    #[inline(always)]
    pub(crate) fn around<const N: usize>(points: [[DVec3; 2]; N]) -> MovingBox {
        MovingBox { start: Aabb::of(points.map(|p| p[0])), end: Aabb::of(points.map(|p| p[1])) }
    }

    /// Both boxes in one.
    pub(crate) fn swept(&self) -> Aabb {
        self.start.join(&self.end)
    }

    /// The first and the last time at which the two may be no farther apart than `margin` along every axis; `None` when
    /// they never are. Rounded outward.
    ///
    /// A gap `g` at the start and `h` at the end vanishes at `g/(g − h)`. Differences of coordinates have the right
    /// sign however they are rounded, and the quotient is off by three roundings; with a margin a fourth decides the
    /// sign, so that is made larger by some roundings of the gaps first.
    #[inline(always)]
    pub(crate) fn meeting(&self, other: &MovingBox, margin: f64) -> Option<[f64; 2]> {
        let gaps = |a: &Aabb, b: &Aabb| [a.min - b.max, b.min - a.max];
        let (start, end) = (gaps(&self.start, &other.start), gaps(&self.end, &other.end));
        let (mut from, mut to) = (0.0, 1.0);
        for (g, h) in start.into_iter().zip(end) {
            for (g, h) in g.to_array().into_iter().zip(h.to_array()) {
                let (g, h) = if margin > 0.0 { (less(g, margin), less(h, margin)) } else { (g, h) };
                if g > 0.0 {
                    if h > 0.0 {
                        return None;
                    }
                    from = f64::max(from, g / (g - h));
                } else if h > 0.0 {
                    to = f64::min(to, g / (g - h));
                }
            }
        }
        let window = [from * (1.0 - 8.0 * EPS), (to * (1.0 + 8.0 * EPS)).min(1.0)];
        (window[0] <= window[1]).then_some(window)
    }

    /// A lower bound on the distance of the two at every time, up to rounding of some parts in 10¹⁵ of the coordinates;
    /// anything beyond `cutoff` when they are farther apart than that always.
    #[inline(always)]
    pub(crate) fn least_distance(&self, other: &MovingBox, cutoff: f64) -> f64 {
        let gaps = |a: &Aabb, b: &Aabb| {
            let ([x, y, z], [u, v, w]) = ((a.min - b.max).to_array(), (b.min - a.max).to_array());
            [x, y, z, u, v, w]
        };
        let (start, end) = (gaps(&self.start, &other.start), gaps(&self.end, &other.end));
        // One axis alone often puts the boxes beyond the cut-off, and always does if one of them is empty.
        let widest_axis = (0..6).fold(0.0, |most: f64, k| most.max(start[k].min(end[k])));
        if widest_axis > cutoff {
            return widest_axis;
        }
        let t = nearest_time(&start, &end);
        let n: [f64; 6] = std::array::from_fn(|k| ((1.0 - t) * start[k] + t * end[k]).max(0.0));
        let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        let along = |gaps: &[f64; 6]| (0..6).map(|k| if n[k] > 0.0 { n[k] / length * gaps[k] } else { 0.0 }).sum();
        let across: f64 = f64::min(along(&start), along(&end));
        across.max(widest_axis)
    }
}

/// When the sum of the squares of positive gaps is least, about: Newton's method on its derivative, which is piecewise
/// linear and ascends, kept between times at which that is negative and positive.
#[inline(always)]
fn nearest_time(start: &[f64; 6], end: &[f64; 6]) -> f64 {
    let slope = |t: f64| {
        let (mut first, mut second) = (0.0, 0.0);
        for (g, h) in start.iter().zip(end) {
            let gap = (1.0 - t) * g + t * h;
            if gap > 0.0 {
                first += gap * (h - g);
                second += (h - g) * (h - g);
            }
        }
        (first, second)
    };
    // A time and the slope there; beyond the end until one is known, since the least may be at the end itself.
    let (mut low, mut high) = ((0.0, 0.0), (f64::INFINITY, 0.0));
    let mut t = 0.0;
    for _ in 0..NEWTON_STEPS {
        let (first, second) = slope(t);
        if first == 0.0 || (first > 0.0 && t == 0.0) || (first < 0.0 && t == 1.0) {
            break;
        }
        *(if first < 0.0 { &mut low } else { &mut high }) = (t, first);
        let newton = t - first / second;
        // Where the pieces on both sides lead beyond each other, the secant leads between them.
        let next = if newton > low.0 && newton < high.0 {
            newton.min(1.0)
        } else if high.0 <= 1.0 {
            low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1))
        } else {
            1.0
        };
        if next == t {
            break;
        }
        t = next;
    }
    t
}

/// Where it takes more, the bound is not quite tight.
const NEWTON_STEPS: usize = 8;

/// `gap − margin`, rounded down; the gap to nothing stays infinite.
#[inline(always)]
fn less(gap: f64, margin: f64) -> f64 {
    gap - margin - 4.0 * EPS * (gap.abs().min(f64::MAX) + margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(at: DVec3, to: DVec3, half: f64) -> MovingBox {
        let around = |c: DVec3| Aabb::new(c - half, c + half);
        MovingBox { start: around(at), end: around(to) }
    }

    #[test]
    fn boxes_that_pass_meet_between() {
        let still = cube(DVec3::ZERO, DVec3::ZERO, 1.0);
        let passing = cube(DVec3::X * -5.0, DVec3::X * 5.0, 1.0);
        let [from, to] = passing.meeting(&still, 0.0).unwrap_or_default();
        assert!(from <= 0.3 && 0.3 - from < 1e-15 && to >= 0.7 && to - 0.7 < 1e-15);
        let [from, to] = still.meeting(&passing, 1.0).unwrap_or_default();
        assert!(from <= 0.2 && 0.2 - from < 1e-14 && to >= 0.8 && to - 0.8 < 1e-14);
    }

    /// Each box sweeps through the place of the other, but at another time.
    #[test]
    fn boxes_that_are_elsewhere_by_then_do_not() {
        let along_x = cube(DVec3::X * -5.0, DVec3::X * 5.0, 1.0);
        let along_y = cube(DVec3::Y * 0.5, DVec3::Y * 10.0, 1.0);
        assert!(along_x.swept().meets(&along_y.swept()) && along_x.meeting(&along_y, 0.0).is_none());
        assert!(along_x.meeting(&cube(DVec3::Y * 2.0, DVec3::Y * 2.0, 1.0), 0.0).is_some(), "they only touch");
        let above = DVec3::Y * 2f64.next_up();
        assert!(along_x.meeting(&cube(above, above, 1.0), 0.0).is_none());
    }

    /// Compared with the least of the distances at many times: the bound is never above it, and not far below it.
    #[test]
    fn the_least_distance_is_that_of_many_times() {
        let mut seed = 5u64;
        let mut number = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 31) as f64 * 8.0 - 4.0
        };
        let (mut apart, mut met) = (0, 0);
        for round in 0..2_000 {
            let mut some = || {
                let mut around = || {
                    let corner = DVec3::new(number(), number(), number());
                    let size = DVec3::new(number(), number(), number()).abs() * 0.4;
                    Aabb::new(corner, corner + size)
                };
                MovingBox { start: around(), end: around() }
            };
            let (a, b) = (some(), some());
            let at = |m: &MovingBox, t: f64| {
                let along = |x: DVec3, y: DVec3| x * (1.0 - t) + y * t;
                Aabb::new(along(m.start.min, m.end.min), along(m.start.max, m.end.max))
            };
            let distance = |t: f64| {
                let (a, b) = (at(&a, t), at(&b, t));
                (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO).length()
            };
            let least = (0..=4000).map(|k| distance(f64::from(k) / 4000.0)).fold(f64::INFINITY, f64::min);
            let bound = a.least_distance(&b, f64::INFINITY);
            assert!(bound <= least + 1e-14 && bound >= least - 3e-3, "{round}: {bound} {least}");
            let (bound, cutoff) = (a.least_distance(&b, 0.5), 0.5);
            assert!(bound <= least + 1e-14 && (bound > cutoff || least <= cutoff + 3e-3), "{round}: {bound} {least}");
            apart += u32::from(least > 0.0);
            met += u32::from(least == 0.0);
        }
        assert!(apart > 200 && met > 50, "{apart} {met}");
    }
}
