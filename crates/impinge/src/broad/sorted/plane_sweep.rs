//! Reduction to rectangles: a line sweeps the plane, and boxes are compared on the third axis.
//!
//! Mirtich 1997, §2.3: where coordinates cluster, "perform a less drastic dimension reduction" and report the
//! intersections of rectangles in O(n log n + k), after Edelsbrunner. The axis dropped is the one on which boxes are
//! most crowded ([`super::spread`]); the line moves along the one on which they are least crowded, and meets the ends
//! of rectangles in order. The rectangles that the line is in are active: intervals on the other axis
//! ([`IntervalTree`]). When a rectangle begins, the active ones that it meets are found, and it becomes active.
//!
//! Of ends at one place, beginnings come before ends, so that touching boxes meet.
//!
//! Cost: O(n log n + k) for n boxes and k pairs of rectangles.

use super::interval_tree::IntervalTree;
use super::spread::axes_by_spread;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::{BroadPhase, Counts};
use crate::broad::store::stream::Stream;

/// The reduction to rectangles. See the [phases](crate::broad).
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, BroadPhase, Filter, Mobility, PlaneSweep}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = PlaneSweep::default();
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PlaneSweep {
    tree: IntervalTree,
    ends: Vec<End>,
    /// Slots in the order of their lower ends on the axis of the tree.
    ranked: Vec<u32>,
    /// Those lower ends.
    lows: Vec<f64>,
    ranks: Vec<u32>,
    counts: Counts,
}

/// Where a rectangle begins or ends along the sweep.
#[derive(Debug, Clone, Copy)]
struct End {
    value: f64,
    last: bool,
    slot: u32,
}

impl BroadPhase for PlaneSweep {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, _: &Boxes) {}

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        let [along, across, _] = axes_by_spread(boxes);
        let Self { tree, ends, ranked, lows, ranks, counts } = self;
        ends.clear();
        for slot in boxes.live() {
            let b = &boxes.all()[slot as usize];
            ends.push(End { value: b.min[along], last: false, slot });
            ends.push(End { value: b.max[along], last: true, slot });
        }
        let value = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal);
        ends.sort_unstable_by(|a, b| value(a.value, b.value).then(a.last.cmp(&b.last)).then(a.slot.cmp(&b.slot)));

        let low = |slot: u32| boxes.all()[slot as usize].min[across];
        ranked.clear();
        ranked.extend(boxes.live());
        ranked.sort_unstable_by(|&a, &b| value(low(a), low(b)).then(a.cmp(&b)));
        lows.clear();
        lows.extend(ranked.iter().map(|&slot| low(slot)));
        ranks.clear();
        ranks.resize(boxes.slots(), 0);
        ranked.iter().enumerate().for_each(|(rank, &slot)| ranks[slot as usize] = rank as u32);

        tree.reset(ranked.len());
        counts.builds += 1;
        let visited = tree.visited();
        let mut out = Stream::to(visit);
        for &End { last, slot, .. } in &*ends {
            let rank = ranks[slot as usize];
            if last {
                tree.remove(rank);
                continue;
            }
            let b = &boxes.all()[slot as usize];
            let begun = lows.partition_point(|&low| low <= b.max[across]) as u32;
            tree.meeting(b.min[across], begun, |rank| {
                counts.tests += 1;
                let other = ranked[rank as usize];
                if boxes.meet(slot, other) {
                    out.push(slot, other);
                }
            });
            tree.insert(rank, b.max[across]);
        }
        out.finish();
        counts.nodes += tree.visited() - visited;
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.ends.capacity() * size_of::<End>()
            + (self.ranked.capacity() + self.ranks.capacity()) * 4
            + self.lows.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Aabb;
    use crate::broad::store::filter::{Filter, Mobility};
    use glam::DVec3;

    /// O(n log n + k): nodes looked at, for parts on a floor that touch few others and all overlap along the vertical.
    #[test]
    fn work_is_that_of_the_plane() {
        for n in [1000, 16_000] {
            let (mut boxes, side) = (Boxes::new(), f64::from(n).sqrt().ceil());
            for k in 0..n {
                let at = DVec3::new(f64::from(k) % side, 0.0, (f64::from(k) / side).floor()) * 1.5;
                boxes.insert(Aabb::new(at, at + DVec3::ONE), Filter::ALL, Mobility::Moving).unwrap();
            }
            let mut phase = PlaneSweep::default();
            let mut pairs = 0;
            phase.pairs(&boxes, &mut |slice| pairs += slice.len());
            let counts = phase.counts();
            let most = 2.0 * f64::from(n) * f64::from(n).log2() + 3.0 * counts.tests as f64;
            assert_eq!((pairs, counts.tests), (0, 0));
            assert!((counts.nodes as f64) < most, "{n}: {counts:?}");
        }
    }
}
