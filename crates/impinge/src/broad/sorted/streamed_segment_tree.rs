//! Finds all pairs of intersecting boxes by a hybrid of segment trees and scans, without keeping a tree.
//!
//! A. Zomorodian and H. Edelsbrunner, *Fast software for box intersections*, IJCGA 12(1-2), 2002. Two intervals
//! intersect iff one contains the lower end of the other. On the last axis, lower ends are *points* in the segment tree
//! over the boxes as *intervals*; the tree is walked while it is made, in place. Intervals that span a whole node meet
//! all its points on this axis and go on to the next axis with them, in both roles; the others go down to the halves of
//! the node. Small sets are scanned.
//!
//! Departures. Lower ends are ordered by value and then by slot, so that no two are equal: a node always splits into
//! halves, also where n boxes begin at one value, each pair is found once, and depth is at most 32 an axis. The median
//! is exact. Touching boxes intersect: intervals are closed above.
//!
//! Cost: O(n log² n + k) for n boxes and k pairs that intersect on all axes but the one scanned; memory: two copies of
//! the boxes.

use std::cmp::Ordering;

use glam::DVec3;

use super::spread::axes_by_spread;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::{BroadPhase, Counts};
use crate::broad::store::stream::Stream;

/// The number of boxes up to which a set is scanned.
const FEW: usize = 64;
/// The most splits on one axis: more than halvings of any number of slots.
const DEPTH: u32 = 40;

/// The streamed hybrid as a phase: all pairs anew at every call. See the [phases](crate::broad).
///
/// ```
/// use impinge::{bound::Aabb, broad::{BoxIntersect, Boxes, BroadPhase, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = BoxIntersect::default();
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct BoxIntersect {
    intervals: Vec<BoxItem>,
    points: Vec<BoxItem>,
    counts: Counts,
}

impl BroadPhase for BoxIntersect {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, _: &Boxes) {}

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        let [last, middle, first] = axes_by_spread(boxes);
        self.intervals.clear();
        self.intervals.extend(boxes.live().map(|slot| {
            let b = &boxes.all()[slot as usize];
            let along = |p: DVec3| [p[first], p[middle], p[last]];
            BoxItem::new(along(b.min), along(b.max), slot)
        }));
        self.points.clone_from(&self.intervals);
        let mut out = Stream::to(visit);
        self.counts.builds += 1;
        self.counts.tests += stream(&mut self.intervals, &mut self.points, &mut |i, j| {
            if boxes.admits(i, j) {
                out.push(i, j);
            }
        });
        out.finish();
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        (self.intervals.capacity() + self.points.capacity()) * size_of::<BoxItem>()
    }
}

/// A box as it goes through the nodes. Axes are numbered as they are taken, the last first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxItem {
    low: [f64; 3],
    high: [f64; 3],
    slot: u32,
}

impl BoxItem {
    pub(crate) fn new(low: [f64; 3], high: [f64; 3], slot: u32) -> BoxItem {
        BoxItem { low, high, slot }
    }

    #[inline(always)]
    fn end(&self, axis: usize) -> End {
        End { value: self.low[axis], slot: self.slot }
    }

    /// Whether the interval contains the point: exactly one of two intersecting intervals contains the other's.
    #[inline(always)]
    fn holds(&self, point: End, axis: usize) -> bool {
        self.end(axis).before(point) && point.value <= self.high[axis]
    }

    #[inline(always)]
    fn meets(&self, other: &BoxItem, axis: usize) -> bool {
        self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis]
    }
}

/// A lower end.
#[derive(Debug, Clone, Copy)]
struct End {
    value: f64,
    slot: u32,
}

impl End {
    #[inline(always)]
    fn before(self, other: End) -> bool {
        self.value < other.value || (self.value == other.value && self.slot < other.slot)
    }

    /// The same order as [`End::before`]: 0 and −0 are equal.
    fn order(self, other: End) -> Ordering {
        self.value.partial_cmp(&other.value).unwrap_or(Ordering::Equal).then(self.slot.cmp(&other.slot))
    }
}

/// Lower ends from `from` on and before `to`.
#[derive(Debug, Clone, Copy)]
struct Node {
    from: End,
    to: End,
}

const EVERYTHING: Node =
    Node { from: End { value: f64::NEG_INFINITY, slot: 0 }, to: End { value: f64::INFINITY, slot: u32::MAX } };

impl Node {
    /// Whether the interval contains every lower end that the node may have.
    fn spanned_by(&self, i: &BoxItem, axis: usize) -> bool {
        i.end(axis).before(self.from) && self.to.value <= i.high[axis]
    }

    fn touched_by(&self, i: &BoxItem, axis: usize) -> bool {
        i.end(axis).before(self.to) && self.from.value <= i.high[axis]
    }
}

/// Shows each pair of one of `intervals` and one of `points` that intersect on all axes, where on the last one the
/// interval contains the point's lower end. Where both are the same boxes, each pair is shown once.
pub(crate) fn stream(intervals: &mut [BoxItem], points: &mut [BoxItem], found: &mut dyn FnMut(u32, u32)) -> u64 {
    let mut search = Search { found, tests: 0 };
    search.split(intervals, points, EVERYTHING, 2, DEPTH);
    search.tests
}

struct Search<'a> {
    found: &'a mut dyn FnMut(u32, u32),
    tests: u64,
}

impl Search<'_> {
    fn split(&mut self, intervals: &mut [BoxItem], points: &mut [BoxItem], node: Node, axis: usize, depth: u32) {
        if intervals.is_empty() || points.is_empty() {
            return;
        }
        if axis == 0 || depth == 0 || intervals.len() < FEW || points.len() < FEW {
            return self.scan(intervals, points, axis);
        }
        let spanning = partition(intervals, |i| node.spanned_by(i, axis));
        let (whole, rest) = intervals.split_at_mut(spanning);
        self.split(whole, points, EVERYTHING, axis - 1, DEPTH);
        self.split(points, whole, EVERYTHING, axis - 1, DEPTH);
        if rest.is_empty() {
            return;
        }
        let half = points.len() / 2;
        let middle = points.select_nth_unstable_by(half, |a, b| a.end(axis).order(b.end(axis))).1.end(axis);
        let (lower, upper) = points.split_at_mut(half);
        let left = Node { from: node.from, to: middle };
        let right = Node { from: middle, to: node.to };
        let count = partition(rest, |i| left.touched_by(i, axis));
        self.split(&mut rest[..count], lower, left, axis, depth - 1);
        let count = partition(rest, |i| right.touched_by(i, axis));
        self.split(&mut rest[..count], upper, right, axis, depth - 1);
    }

    /// Sorts both by their lower ends on the first axis and walks along it. On axes below `axis` boxes must intersect;
    /// on `axis` the interval contains the point; on those above they are known to intersect.
    fn scan(&mut self, intervals: &mut [BoxItem], points: &mut [BoxItem], axis: usize) {
        intervals.sort_unstable_by(|a, b| a.end(0).order(b.end(0)));
        points.sort_unstable_by(|a, b| a.end(0).order(b.end(0)));
        let mut first = 0;
        for i in &*intervals {
            while first < points.len() && points[first].end(0).before(i.end(0)) {
                first += 1;
            }
            for p in points[first..].iter().take_while(|p| p.low[0] <= i.high[0]) {
                self.tests += 1;
                let sides = (1..axis).all(|k| i.meets(p, k));
                if p.slot != i.slot && sides && (axis == 0 || i.holds(p.end(axis), axis)) {
                    (self.found)(i.slot, p.slot);
                }
            }
        }
        if axis == 0 {
            return;
        }
        let mut first = 0;
        for p in &*points {
            while first < intervals.len() && !p.end(0).before(intervals[first].end(0)) {
                first += 1;
            }
            for i in intervals[first..].iter().take_while(|i| i.low[0] <= p.high[0]) {
                self.tests += 1;
                if (1..axis).all(|k| i.meets(p, k)) && i.holds(p.end(axis), axis) {
                    (self.found)(i.slot, p.slot);
                }
            }
        }
    }
}

/// Moves the items that `front` chooses to the front, and counts them.
fn partition(items: &mut [BoxItem], front: impl Fn(&BoxItem) -> bool) -> usize {
    let mut count = 0;
    for k in 0..items.len() {
        if front(&items[k]) {
            items.swap(count, k);
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(boxes: &[[[f64; 2]; 3]]) -> (Vec<[u32; 2]>, u64) {
        let item = |(k, b): (usize, &[[f64; 2]; 3])| BoxItem::new(b.map(|e| e[0]), b.map(|e| e[1]), k as u32);
        let mut intervals: Vec<BoxItem> = boxes.iter().enumerate().map(item).collect();
        let mut pairs = Vec::new();
        let tests = stream(&mut intervals.clone(), &mut intervals, &mut |i, j| pairs.push([i.min(j), i.max(j)]));
        pairs.sort_unstable();
        (pairs, tests)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Enough boxes for many splits, at few different coordinates, so that many ends are equal.
        #[test]
        fn each_pair_once(
            boxes in prop::collection::vec(prop::array::uniform3((0..12i32, 0..4i32)), 0..600),
        ) {
            let ends = |(low, length): (i32, i32)| [f64::from(low), f64::from(low + length)];
            let boxes: Vec<[[f64; 2]; 3]> = boxes.into_iter().map(|b| b.map(ends)).collect();
            let meets = |a: &[[f64; 2]; 3], b: &[[f64; 2]; 3]| (0..3).all(|k| a[k][0] <= b[k][1] && b[k][0] <= a[k][1]);
            let mut expected = Vec::new();
            for j in 0..boxes.len() {
                expected.extend((0..j).filter(|&i| meets(&boxes[i], &boxes[j])).map(|i| [i as u32, j as u32]));
            }
            expected.sort_unstable();
            prop_assert_eq!(found(&boxes).0, expected);
        }
    }

    /// All boxes begin at one value on two axes and differ on the third only: the number of tests is not quadratic.
    #[test]
    fn equal_ends_cost_no_square() {
        for axis in 0..3 {
            let n = 20_000;
            let boxes: Vec<[[f64; 2]; 3]> = (0..n)
                .map(|k| {
                    let mut b = [[0.0, 1.0]; 3];
                    b[axis] = [f64::from(2 * k), f64::from(2 * k + 1)];
                    b
                })
                .collect();
            let (pairs, tests) = found(&boxes);
            let most = FEW as f64 * f64::from(n) * f64::from(n).log2();
            assert!(pairs.is_empty() && (tests as f64) < most, "axis {axis}: {tests} tests");
        }
    }
}
