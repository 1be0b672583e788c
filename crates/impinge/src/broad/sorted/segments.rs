//! A coarse grid over space: segments with some thousand boxes each, and which of them a box touches.
//!
//! Notes to Mirtich 1997, §2.3. Sides are halved, the longest in units of the mean box first, while segments stay eight
//! mean boxes wide; then joined again while boxes lie in more than two segments each on average. Segments at the border
//! reach to infinity.

use glam::DVec3;

use crate::bound::Aabb;
use crate::broad::store::boxes::Boxes;

/// The number of boxes that a segment should have.
const CROWD: usize = 2048;
/// Least width of a segment, in mean boxes.
const WIDTH: f64 = 8.0;

/// The grid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segments {
    origin: DVec3,
    side: DVec3,
    /// Segments along each axis.
    count: [u32; 3],
}

/// The range of segments from `low` to `high` on each axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SegmentSpan {
    low: [u32; 3],
    high: [u32; 3],
}

impl SegmentSpan {
    fn count(&self) -> usize {
        (0..3).map(|axis| (self.high[axis] - self.low[axis] + 1) as usize).product()
    }
}

impl Segments {
    /// One segment.
    pub(crate) const WHOLE: Segments = Segments { origin: DVec3::ZERO, side: DVec3::ONE, count: [1; 3] };

    pub(crate) fn new(boxes: &Boxes) -> Segments {
        let n = boxes.len();
        if n <= CROWD {
            return Segments::WHOLE;
        }
        let all = || boxes.live().map(|slot| &boxes.all()[slot as usize]);
        let mean = all().fold(DVec3::ZERO, |sum, b| sum + (b.max - b.min) / n as f64);
        let centres = Aabb::of(all().map(Aabb::centre));
        let mut grid = Segments { origin: centres.min, side: centres.max - centres.min, count: [1; 3] };
        // Where no side is wide enough, halving is of no use.
        let width = |grid: &Segments, axis: usize| {
            let w = grid.side[axis] / mean[axis];
            if w.is_nan() { 0.0 } else { w }
        };
        while grid.total() * 2 <= n / CROWD {
            let axis =
                [1, 2].into_iter().fold(0, |best, k| if width(&grid, k) > width(&grid, best) { k } else { best });
            if width(&grid, axis) < 2.0 * WIDTH {
                break;
            }
            grid.resize(axis, 0.5);
        }
        while grid.total() > 1 && all().map(|b| grid.span(b).count()).sum::<usize>() > 2 * n {
            let axis = [1, 2].into_iter().fold(0, |best, k| if grid.count[k] > grid.count[best] { k } else { best });
            grid.resize(axis, 2.0);
        }
        grid
    }

    fn resize(&mut self, axis: usize, factor: f64) {
        self.side[axis] *= factor;
        self.count[axis] = (f64::from(self.count[axis]) / factor) as u32;
    }

    /// The number of segments.
    pub(crate) fn total(&self) -> usize {
        self.count.iter().map(|&c| c as usize).product()
    }

    /// The segments that a box touches. Rounding is monotone, so boxes with a common point have a common segment.
    pub(crate) fn span(&self, b: &Aabb) -> SegmentSpan {
        let tile = |p: DVec3| {
            let at = ((p - self.origin) / self.side).floor();
            std::array::from_fn(|axis| (at[axis] as u32).min(self.count[axis] - 1))
        };
        SegmentSpan { low: tile(b.min), high: tile(b.max) }
    }

    /// The numbers of the segments in a span.
    pub(crate) fn within(&self, span: SegmentSpan) -> impl Iterator<Item = usize> {
        let (SegmentSpan { low, high }, count) = (span, self.count);
        (low[2]..=high[2]).flat_map(move |z| {
            (low[1]..=high[1]).flat_map(move |y| {
                (low[0]..=high[0])
                    .map(move |x| (z as usize * count[1] as usize + y as usize) * count[0] as usize + x as usize)
            })
        })
    }

    /// Whether a segment is in a span.
    pub(crate) fn contains(&self, span: SegmentSpan, segment: usize) -> bool {
        let [nx, ny, _] = self.count.map(|c| c as usize);
        let at = [segment % nx, segment / nx % ny, segment / nx / ny];
        (0..3).all(|axis| span.low[axis] as usize <= at[axis] && at[axis] <= span.high[axis] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::store::filter::{Filter, Mobility};

    fn store(place: impl Fn(f64) -> Aabb) -> Boxes {
        let mut boxes = Boxes::new();
        for k in 0..40_000 {
            boxes.insert(place(f64::from(k)), Filter::ALL, Mobility::Moving).unwrap();
        }
        boxes
    }

    #[test]
    fn boxes_on_a_floor_are_cut_along_it() {
        let boxes = store(|k| {
            let at = DVec3::new(k % 200.0, 0.0, (k / 200.0).floor()) * 2.0;
            Aabb::new(at, at + DVec3::ONE)
        });
        let grid = Segments::new(&boxes);
        assert_eq!((grid.total(), grid.count), (16, [4, 1, 4]));
        for b in boxes.all().iter().step_by(77) {
            let span = grid.span(b);
            let inside: Vec<usize> = (0..grid.total()).filter(|&s| grid.contains(span, s)).collect();
            let mut listed: Vec<usize> = grid.within(span).collect();
            listed.sort_unstable();
            assert_eq!(inside, listed);
        }
    }

    /// Plates as wide as the world are cut across, and boxes in one place not at all.
    #[test]
    fn no_box_lies_in_many_segments() {
        let plates = store(|k| Aabb::new(DVec3::new(0.0, k, 0.0), DVec3::new(1e4, k + 0.1, 1e4)));
        let grid = Segments::new(&plates);
        assert_eq!((grid.total(), grid.count), (16, [1, 16, 1]));
        assert_eq!(Segments::new(&store(|_| Aabb::new(DVec3::ONE, DVec3::ONE))).total(), 1);
        let needles = store(|k| {
            let far = if k % 2.0 == 0.0 { 1e5 } else { 0.0 };
            Aabb::new(DVec3::new(k, k, k) - far, DVec3::new(k, k, k) + far)
        });
        let grid = Segments::new(&needles);
        assert!(needles.all().iter().map(|b| grid.span(b).count()).sum::<usize>() <= 80_000);
    }
}
