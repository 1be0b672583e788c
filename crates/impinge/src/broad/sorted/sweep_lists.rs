//! Sorted lists of the ends of intervals, kept sorted by insertion: ends that pass each other show which boxes begin or
//! cease to overlap.
//!
//! Lin, §4.3, and Mirtich 1997, §2.3, after I-COLLIDE (Cohen et al. 1995). One list of all lower and upper ends for
//! each direction. When boxes have moved, all ends take their new values and each list is sorted again by insertion,
//! which is nearly linear when little has changed. An insertion sort exchanges two neighbours once for each pair out of
//! order, so a pair of intervals begins to overlap iff a lower end passes an upper one on its way down, and ceases to
//! iff an upper one passes a lower one. Whether boxes overlap is then asked of their new intervals along all
//! directions, so no counters are needed and nothing depends on the order of events.
//!
//! Ends of equal value: lower ones first, so that touching boxes overlap.
//!
//! Departures. New boxes are merged into the lists at once, and their pairs are found by the [streamed segment
//! tree](super::streamed_segment_tree::BoxIntersect). After [`PATIENCE`] exchanges for each end the motion is not
//! coherent: the lists are sorted from scratch, and pairs are searched for like those of new boxes.
//!
//! Cost: O(n + s) for n ends and s exchanges, at most O(n·PATIENCE + n log² n + k).

use std::cmp::Ordering;

use super::streamed_segment_tree;
use super::streamed_segment_tree::BoxItem;
use super::sweep_axes::Directions;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::pair_table::PairChange;

/// The number of exchanges for each end after which a list is sorted from scratch.
pub(crate) const PATIENCE: u64 = 64;

#[derive(Debug, Clone, Copy)]
struct End {
    value: f64,
    slot: u32,
    last: bool,
}

impl End {
    #[inline(always)]
    fn before(&self, other: &End) -> bool {
        self.value < other.value || (self.value == other.value && !self.last && other.last)
    }

    fn order(&self, other: &End) -> Ordering {
        let values = self.value.partial_cmp(&other.value).unwrap_or(Ordering::Equal);
        values.then(self.last.cmp(&other.last)).then(self.slot.cmp(&other.slot))
    }
}

/// The lists of one region of space.
#[derive(Debug, Clone, Default)]
pub(crate) struct SweepLists {
    lists: [Vec<End>; 3],
}

/// What a call did.
#[derive(Debug, Clone, Default)]
pub(crate) struct SortWork {
    pub(crate) swaps: u64,
    pub(crate) tests: u64,
    /// Whether the lists were sorted from scratch: pairs that ceased to overlap were then not shown, so the caller has
    /// to test every pair that it keeps.
    pub(crate) too_many_swaps: bool,
}

impl SweepLists {
    pub(crate) fn clear(&mut self) {
        self.lists.iter_mut().for_each(Vec::clear);
    }

    /// How many boxes there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.lists[0].len() / 2
    }

    /// Removes slots, given in ascending order. The caller has to drop the pairs with them.
    pub(crate) fn remove(&mut self, gone: &[u32]) {
        self.lists.iter_mut().for_each(|list| list.retain(|end| gone.binary_search(&end.slot).is_err()));
    }

    /// Sorts again after boxes have moved.
    pub(crate) fn resort(
        &mut self,
        boxes: &Boxes,
        directions: Directions,
        patience: u64,
        work: &mut SortWork,
        found: &mut dyn FnMut(PairChange),
    ) {
        for direction in 0..directions.count() {
            let list = &mut self.lists[direction];
            for end in list.iter_mut().filter(|end| boxes.is_changed(end.slot)) {
                end.value = directions.interval(&boxes.all()[end.slot as usize], direction)[usize::from(end.last)];
            }
        }
        let crossed = |begins: bool, i: u32, j: u32| match begins {
            true => directions.overlap(&boxes.all()[i as usize], &boxes.all()[j as usize]) && boxes.admits(i, j),
            false => true,
        };
        for list in &mut self.lists {
            let most = patience.saturating_mul(list.len() as u64 + 64);
            let swaps = insertion_sort(list, most, |begins, i, j| {
                work.tests += u64::from(begins);
                if crossed(begins, i, j) {
                    found(([i, j], begins));
                }
            });
            work.swaps += swaps;
            if swaps > most {
                work.too_many_swaps = true;
                self.lists.iter_mut().for_each(|list| list.sort_unstable_by(End::order));
                return search(self.items(boxes, directions), Vec::new(), boxes, work, found);
            }
        }
    }

    /// Adds slots that are not yet in the lists, and finds their pairs.
    pub(crate) fn insert(
        &mut self,
        fresh: &[u32],
        boxes: &Boxes,
        directions: Directions,
        work: &mut SortWork,
        found: &mut dyn FnMut(PairChange),
    ) {
        let old = self.items(boxes, directions);
        for direction in 0..directions.count() {
            let list = &mut self.lists[direction];
            let sorted = list.len();
            for &slot in fresh {
                let [low, high] = directions.interval(&boxes.all()[slot as usize], direction);
                list.extend([End { value: low, slot, last: false }, End { value: high, slot, last: true }]);
            }
            list[sorted..].sort_unstable_by(End::order);
            // The stable sort recognizes two ascending runs and merges them.
            list.sort_by(End::order);
        }
        let fresh = fresh.iter().map(|&slot| directions.item(&boxes.all()[slot as usize], slot)).collect();
        search(fresh, old, boxes, work, found);
    }

    fn items(&self, boxes: &Boxes, directions: Directions) -> Vec<BoxItem> {
        let lower = self.lists[0].iter().filter(|end| !end.last);
        lower.map(|end| directions.item(&boxes.all()[end.slot as usize], end.slot)).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lists.iter().map(|list| list.capacity() * size_of::<End>()).sum()
    }
}

/// Sorts by exchanging neighbours and reports which ends passed each other: whether the two boxes begin to overlap, or
/// cease to. Returns the number of exchanges; it gives up after `most`.
fn insertion_sort(list: &mut [End], most: u64, mut crossed: impl FnMut(bool, u32, u32)) -> u64 {
    let mut swaps = 0;
    for k in 1..list.len() {
        let moving = list[k];
        let mut at = k;
        while at > 0 && moving.before(&list[at - 1]) {
            let passed = list[at - 1];
            if passed.last != moving.last {
                crossed(passed.last, passed.slot, moving.slot);
            }
            list[at] = passed;
            at -= 1;
        }
        list[at] = moving;
        swaps += (k - at) as u64;
        if swaps > most {
            break;
        }
    }
    swaps
}

/// The pairs of new boxes with each other and with old ones.
fn search(
    mut fresh: Vec<BoxItem>,
    mut old: Vec<BoxItem>,
    boxes: &Boxes,
    work: &mut SortWork,
    found: &mut dyn FnMut(PairChange),
) {
    let mut begun = |i: u32, j: u32| {
        if boxes.admits(i, j) {
            found(([i, j], true));
        }
    };
    let mut all = fresh.clone();
    all.extend_from_slice(&old);
    work.tests += streamed_segment_tree::stream(&mut fresh, &mut all, &mut begun);
    work.tests += streamed_segment_tree::stream(&mut old, &mut fresh, &mut begun);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// There is one exchange for each pair out of order, and the intervals that begin or cease to overlap are
        /// reported; an interval that jumps over another is reported as both.
        #[test]
        fn exchanges_are_the_pairs_out_of_order(
            moves in prop::collection::vec((0..20i32, 0..5i32, 0..20i32, 0..5i32), 1..20),
        ) {
            let end = |value: i32, slot: usize, last| End { value: f64::from(value), slot: slot as u32, last };
            let ends = |at: i32, length: i32, slot: usize| [end(at, slot, false), end(at + length, slot, true)];
            let mut list: Vec<End> = moves.iter().enumerate().flat_map(|(k, m)| ends(m.0, m.1, k)).collect();
            list.sort_by(End::order);
            let now: Vec<[End; 2]> = moves.iter().enumerate().map(|(k, m)| ends(m.2, m.3, k)).collect();
            list.iter_mut().for_each(|end| end.value = now[end.slot as usize][usize::from(end.last)].value);
            let below = |k: usize| (0..k).filter(|&j| list[k].before(&list[j])).count() as u64;
            let inverted: u64 = (0..list.len()).map(below).sum();
            let mut crossed = Vec::new();
            let swaps = insertion_sort(&mut list, u64::MAX, |begins, i, j| crossed.push((i.min(j), i.max(j), begins)));
            prop_assert_eq!(swaps, inverted);
            prop_assert!(list.is_sorted_by(|a, b| !b.before(a)));
            let overlap = |at: &dyn Fn(usize) -> (i32, i32), i: usize, j: usize| {
                let (a, b) = (at(i), at(j));
                a.0 <= b.0 + b.1 && b.0 <= a.0 + a.1
            };
            for j in 0..moves.len() {
                for i in 0..j {
                    let before = overlap(&|k| (moves[k].0, moves[k].1), i, j);
                    let after = overlap(&|k| (moves[k].2, moves[k].3), i, j);
                    let told = |begins| crossed.contains(&(i as u32, j as u32, begins));
                    prop_assert!(before == after || told(after), "{} {}", before, after);
                    prop_assert!(!after || !told(false));
                }
            }
        }
    }
}
