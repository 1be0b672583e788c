//! Boxes around points that move straight: when can two of them meet?
//!
//! The least coordinate of points that move straight is a concave function of time, so it stays above the line between
//! its values at the ends; the greatest stays below. A body therefore stays within the box whose sides move straight
//! from those of its box at the start to those of its box at the end, and two such boxes meet while six linear
//! functions of time, the gaps along the axes, are not positive: an interval.
//!
//! Cost: six gaps at two times, at most six divisions.

use glam::DVec3;

use super::Aabb;
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
}

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

    /// Both boxes are swept through each other, but at different times.
    #[test]
    fn boxes_that_are_elsewhere_by_then_do_not() {
        let along_x = cube(DVec3::X * -5.0, DVec3::X * 5.0, 1.0);
        let along_y = cube(DVec3::Y * 0.5, DVec3::Y * 10.0, 1.0);
        assert!(along_x.swept().meets(&along_y.swept()) && along_x.meeting(&along_y, 0.0).is_none());
        assert!(along_x.meeting(&cube(DVec3::Y * 2.0, DVec3::Y * 2.0, 1.0), 0.0).is_some(), "they only touch");
        let above = DVec3::Y * 2f64.next_up();
        assert!(along_x.meeting(&cube(above, above, 1.0), 0.0).is_none());
    }
}
