//! Hierarchical spatial hash, built anew at every call.
//!
//! Mirtich 1997, §2.1, after Overmars. Boxes are stored from coarse levels to fine ones. A box looks into its cells on
//! every occupied level at least as coarse as its own, where it meets the boxes that belong there; then it is stored in
//! the cells of its own level. Two boxes are *close* when they share a cell on the coarser of their two levels
//! (Definition 1); closed boxes that have a common point are close.
//!
//! Departures. Two boxes may share several cells: they meet in one of them only, the one whose coordinates are, axis by
//! axis, the larger of the two boxes' lowest (both ranges contain it if they share any). Levels without boxes are not
//! looked into. See [`Levels`] for what the paper leaves open.
//!
//! Cost: O(n + c) for n boxes and c close pairs, for fixed α, β and ratio of sizes (Theorem 2).

use super::levels::CellRange;
use super::levels::Levels;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::{BroadPhase, Counts};
use crate::broad::store::cell_key::{CellKey, NumberMap, map_bytes};
use crate::broad::store::stream::Stream;

/// Marks the end of a list.
const NONE: u32 = u32::MAX;

/// Mirtich's hash in its standard form. See the [phases](crate::broad).
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, BroadPhase, Filter, Levels, Mobility, SpatialHash}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = SpatialHash::new(Levels::default());
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SpatialHash {
    levels: Levels,
    /// The first entry of a cell.
    cells: NumberMap<CellKey>,
    entries: Vec<Entry>,
    /// The levels that have boxes, finest first.
    occupied: Vec<Occupied>,
    /// Slots from the coarsest level to the finest.
    order: Vec<u32>,
    own_cells: Vec<OwnCell>,
    counts: Counts,
}

/// A box in a cell.
#[derive(Debug, Clone, Copy)]
struct Entry {
    slot: u32,
    next: u32,
}

/// A level, the side of its cells, and how many boxes belong to it.
#[derive(Debug, Clone, Copy)]
struct Occupied {
    level: i32,
    cell: f64,
    count: usize,
}

/// A slot's level, and its lowest cell there.
#[derive(Debug, Clone, Copy, Default)]
struct OwnCell {
    level: i32,
    low: [i32; 3],
}

impl SpatialHash {
    /// A hash with other sizes of cells.
    pub fn new(levels: Levels) -> SpatialHash {
        SpatialHash { levels, ..SpatialHash::default() }
    }

    /// Finds the level of each box, and orders boxes by level: a counting sort.
    fn arrange(&mut self, boxes: &Boxes) {
        self.own_cells.clear();
        self.own_cells.resize(boxes.slots(), OwnCell::default());
        self.occupied.clear();
        let mut live = 0;
        for slot in boxes.live() {
            let bounds = &boxes.all()[slot as usize];
            let level = self.levels.level(Levels::size(bounds));
            let at = self.occupied.partition_point(|o| o.level < level);
            if self.occupied.get(at).is_none_or(|o| o.level != level) {
                self.occupied.insert(at, Occupied { level, cell: self.levels.cell(level), count: 0 });
            }
            self.occupied[at].count += 1;
            let low = Levels::range(bounds, self.occupied[at].cell).low;
            self.own_cells[slot as usize] = OwnCell { level, low };
            live += 1;
        }
        let mut next: Vec<usize> = self.occupied.iter().map(|o| o.count).collect();
        let mut sum = live;
        for count in &mut next {
            sum -= *count;
            *count = sum;
        }
        self.order.clear();
        self.order.resize(live, 0);
        for slot in boxes.live() {
            let level = self.own_cells[slot as usize].level;
            let at = self.occupied.partition_point(|o| o.level < level);
            self.order[next[at]] = slot;
            next[at] += 1;
        }
    }

    fn run(&mut self, boxes: &Boxes, close: bool, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.arrange(boxes);
        self.cells.clear();
        self.entries.clear();
        self.counts.builds += 1;
        let mut out = Stream::to(visit);
        for &slot in &self.order {
            let bounds = &boxes.all()[slot as usize];
            let level = self.own_cells[slot as usize].level;
            let first = self.occupied.partition_point(|o| o.level < level);
            for &Occupied { level: coarser, cell, .. } in &self.occupied[first..] {
                let range = Levels::range(bounds, cell);
                for at in range.cells() {
                    self.counts.cells += 1;
                    let key = CellKey { level: coarser, at };
                    let mut next = match coarser == level {
                        false => self.cells.get(&key).copied().unwrap_or(NONE),
                        true => {
                            let head = self.cells.entry(key).or_insert(NONE);
                            let old = std::mem::replace(head, self.entries.len() as u32);
                            self.entries.push(Entry { slot, next: old });
                            old
                        }
                    };
                    while next != NONE {
                        let Entry { slot: other, next: further } = self.entries[next as usize];
                        self.counts.tests += 1;
                        if canonical(&range, self.own_cells[other as usize].low, at)
                            && boxes.admits(slot, other)
                            && (close || boxes.touch(slot, other))
                        {
                            out.push(slot, other);
                        }
                        next = further;
                    }
                }
            }
        }
        out.finish();
    }
}

/// Whether `at` is the one of their common cells in which the pair of two boxes is found.
#[inline]
fn canonical(a: &CellRange, b_low: [i32; 3], at: [i32; 3]) -> bool {
    (0..3).all(|axis| at[axis] == a.low[axis].max(b_low[axis]))
}

impl BroadPhase for SpatialHash {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, _: &Boxes) {}

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.run(boxes, false, visit);
    }

    fn close(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.run(boxes, true, visit);
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        map_bytes(&self.cells)
            + self.entries.capacity() * size_of::<Entry>()
            + self.order.capacity() * 4
            + self.own_cells.capacity() * size_of::<OwnCell>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Aabb;
    use crate::broad::hash::hash_trials::{Trial, listed};
    use crate::broad::store::filter::{Filter, Mobility};
    use glam::DVec3;
    use proptest::prelude::*;

    /// Definition 1, word by word.
    fn close_by_definition(levels: Levels, boxes: &Boxes) -> Vec<[u32; 2]> {
        let slots: Vec<u32> = boxes.live().collect();
        let at = |slot: u32| &boxes.all()[slot as usize];
        let mut pairs = Vec::new();
        for (k, &a) in slots.iter().enumerate() {
            for &b in &slots[k + 1..] {
                let coarser = [a, b].map(|slot| levels.level(Levels::size(at(slot)))).into_iter().max().unwrap();
                let [ours, theirs] = [a, b].map(|slot| Levels::range(at(slot), levels.cell(coarser)));
                if ours.cells().any(|cell| theirs.contains(cell)) && boxes.admits(a, b) {
                    pairs.push([a, b]);
                }
            }
        }
        pairs
    }

    fn distance(a: &Aabb, b: &Aabb) -> f64 {
        (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO).length()
    }

    proptest! {
        /// The close pairs are those of Definition 1, each listed once. Theorem 3: boxes farther apart than
        /// (√3/α)·max(size) are not close, the size being the one that levels go by.
        #[test]
        fn theorem_3_what_is_close_is_near(trial in Trial::any(4, 40)) {
            let (mut boxes, mut ids) = (Boxes::new(), Vec::new());
            let mut phase = SpatialHash::new(trial.levels);
            for frame in &trial.frames {
                Trial::apply(frame, &mut boxes, &mut ids);
                let close = listed(&mut phase, &boxes);
                prop_assert_eq!(&close, &close_by_definition(trial.levels, &boxes));
                for pair in close {
                    let [a, b] = pair.map(|slot| &boxes.all()[slot as usize]);
                    let most = 3f64.sqrt() / trial.levels.alpha() * Levels::size(a).max(Levels::size(b));
                    prop_assert!(distance(a, b) <= most * (1.0 + 1e-9), "{a:?} {b:?}");
                }
            }
        }

        /// Theorem 2, in what can be counted, whatever the sizes, their ratio and how crowded the boxes are. Cells
        /// looked into stay within (⌈β⌉ + 1)³ for each box and occupied level, and boxes met within the close pairs
        /// times the cells that they can share; levels within those that the ratio of sizes spans. So all of it is
        /// linear in boxes and close pairs.
        #[test]
        fn theorem_2_work_is_linear(
            seed in any::<u64>(),
            n in 1..600u32,
            octaves in 0.0..12.0f64,
            room in 0.2..4.0f64,
            (alpha, beta) in prop_oneof![Just((0.5f64, 1.0f64)), Just((0.25, 2.0)), Just((0.3, 1.0)), Just((0.8, 1.3))],
        ) {
            let mut state = seed;
            let mut draw = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 11) as f64 / (1u64 << 53) as f64
            };
            let (mut boxes, side) = (Boxes::new(), f64::from(n).cbrt() * room);
            for _ in 0..n {
                let at = DVec3::new(draw(), draw(), draw()) * side;
                let sides = DVec3::new(1.0, draw(), draw()) * (draw() * octaves - 0.75 * octaves).exp2();
                boxes.insert(Aabb::new(at, at + sides), Filter::ALL, Mobility::Moving).unwrap();
            }
            let mut phase = SpatialHash::new(Levels::new(alpha, beta).unwrap());
            let close = listed(&mut phase, &boxes).len() as u64;
            let (cells, counts) = ((beta.ceil() as u64 + 1).pow(3), phase.counts());
            let occupied = phase.occupied.len() as u64;
            prop_assert!(counts.cells <= cells * occupied * u64::from(n), "{:?}", counts);
            prop_assert!(counts.tests <= cells * close, "{:?} {}", counts, close);
            prop_assert!(occupied as f64 <= octaves / (beta / alpha).log2() + 2.0, "{} levels", occupied);
        }
    }
}
