//! Sweep and prune: boxes overlap iff their intervals do along every direction, and sorted lists of ends show which do.
//!
//! Lin, §4.3, and Mirtich 1997, §2.3, Figure 5, after I-COLLIDE. Lists of ends are kept from call to call
//! ([`SweepLists`]), and so are the pairs ([`PairTable`]). Expected cost is linear in the number of boxes where motion
//! is coherent; it is quadratic in exchanges where ends cluster along a direction (Figure 6), for which there are the
//! other [directions](SweepAxes), the [segments](super::segmented_sweep::SegmentedSweep) and the [reduction to
//! rectangles](super::plane_sweep::PlaneSweep).
//!
//! Invariant, after `refresh`: the table holds the pairs that may meet and overlap along all directions.

use super::spread::axes_by_spread;
use super::sweep_axes::Directions;
use super::sweep_axes::SweepAxes;
use super::sweep_lists::{PATIENCE, SortWork, SweepLists};
use crate::broad::store::bits::Bits;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::{BroadPhase, Counts};
use crate::broad::store::events::Events;
use crate::broad::store::pair_table::PairTable;

/// Sorting of coordinates. See the [phases](crate::broad).
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, BroadPhase, Filter, Mobility, SweepAxes, SweepPrune}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = SweepPrune::new(SweepAxes::Three);
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SweepPrune {
    directions: Directions,
    axes: SweepAxes,
    lists: SweepLists,
    known: Bits,
    pairs: PairTable,
    patience: u64,
    /// The frame of the last refresh.
    seen: u64,
    counts: Counts,
}

impl SweepPrune {
    /// Sorts along these directions.
    pub fn new(axes: SweepAxes) -> SweepPrune {
        SweepPrune {
            directions: Directions::new(axes, [0, 1, 2]),
            axes,
            lists: SweepLists::default(),
            known: Bits::default(),
            pairs: PairTable::default(),
            patience: PATIENCE,
            seen: 0,
            counts: Counts::default(),
        }
    }

    /// Sorts by insertion to the end, whatever it takes: O(n²) exchanges where the axes cluster. For measurements.
    pub fn with_endless_patience(mut self) -> SweepPrune {
        self.patience = u64::MAX;
        self
    }

    /// Takes all boxes in anew, along the directions that suit them now. The pairs that are gone were dropped before.
    fn rebuild(&mut self, boxes: &Boxes) {
        self.directions = Directions::new(self.axes, axes_by_spread(boxes));
        self.lists.clear();
        self.known = Bits::default();
        self.known.grow(boxes.slots());
        boxes.live().for_each(|slot| self.known.insert(slot as usize));
        let all: Vec<u32> = boxes.live().collect();
        let mut work = SortWork { too_many_swaps: true, ..SortWork::default() };
        let pairs = &mut self.pairs;
        self.lists.insert(&all, boxes, self.directions, &mut work, &mut |found| pairs.apply(found));
        self.counts.builds += 1;
        self.finish(work, boxes);
    }

    fn finish(&mut self, work: SortWork, boxes: &Boxes) {
        if work.too_many_swaps {
            let at = |slot: u32| &boxes.all()[slot as usize];
            self.pairs.retain(|[a, b]| self.directions.overlap(at(a), at(b)));
        }
        self.counts.swaps += work.swaps;
        self.counts.tests += work.tests;
    }
}

impl BroadPhase for SweepPrune {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, boxes: &Boxes) {
        let (mut gone, mut fresh, mut moved) = (Vec::new(), Vec::new(), false);
        self.known.grow(boxes.slots());
        if boxes.continues(self.seen) {
            for slot in boxes.changed() {
                let known = self.known.contains(slot as usize);
                let stays = known && boxes.is_live(slot) && !boxes.is_born(slot);
                moved |= stays;
                if known && !stays {
                    self.known.remove(slot as usize);
                    gone.push(slot);
                }
                if boxes.is_live(slot) && !stays {
                    self.known.insert(slot as usize);
                    fresh.push(slot);
                }
            }
        } else {
            self.pairs.clear();
        }
        if !gone.is_empty() {
            self.pairs.retain(|pair| pair.iter().all(|slot| gone.binary_search(slot).is_err()));
        }
        if !boxes.continues(self.seen) || fresh.len() > boxes.len() / 2 {
            self.rebuild(boxes);
        } else {
            let mut work = SortWork::default();
            let pairs = &mut self.pairs;
            let mut apply = |found| pairs.apply(found);
            if !gone.is_empty() {
                self.lists.remove(&gone);
            }
            if moved {
                self.lists.resort(boxes, self.directions, self.patience, &mut work, &mut apply);
            }
            if !fresh.is_empty() {
                self.lists.insert(&fresh, boxes, self.directions, &mut work, &mut apply);
            }
            self.finish(work, boxes);
        }
        self.seen = boxes.frame();
    }

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        if self.axes == SweepAxes::Three {
            return self.pairs.show_all(visit);
        }
        self.counts.tests += self.pairs.len() as u64;
        self.pairs.show_touching(boxes, visit);
    }

    fn close(&mut self, _: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.pairs.show_all(visit);
    }

    fn changes(&mut self, boxes: &Boxes, events: &mut Events) -> bool {
        self.pairs.changes(boxes, events);
        true
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        self.lists.bytes() + self.known.bytes() + self.pairs.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Aabb;
    use crate::broad::store::box_id::BoxId;
    use crate::broad::store::filter::{Filter, Mobility};
    use crate::broad::store::plain_pairs::plain_pairs;
    use glam::DVec3;

    const EACH: [SweepAxes; 3] = [SweepAxes::Three, SweepAxes::Two, SweepAxes::Skewed];

    fn found(phase: &mut SweepPrune, boxes: &Boxes) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        phase.pairs(boxes, &mut |slice| pairs.extend_from_slice(slice));
        pairs.sort_unstable();
        pairs
    }

    /// Numbers from 0 to 1.
    fn draws() -> impl FnMut() -> f64 {
        let mut state = 1u64;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    /// Boxes with equal ends overlap: boxes inserted there, and boxes that moved there from either side.
    #[test]
    fn i19_equal_ends_overlap() {
        let places = [[0.0, 1.0], [1.0, 2.0], [1.0, 1.0], [2.0, 2.0]];
        let at = |[low, high]: [f64; 2], by: f64| Aabb::new(DVec3::splat(low + by), DVec3::splat(high + by));
        for axes in EACH {
            for away in [0.0, 10.0, -10.0] {
                let mut phase = SweepPrune::new(axes);
                let mut boxes = Boxes::new();
                let start = |k: usize| at(places[k], away * k as f64);
                let insert = |k: usize| boxes.insert(start(k), Filter::ALL, Mobility::Moving).unwrap();
                let ids: Vec<BoxId> = (0..4).map(insert).collect();
                phase.refresh(&boxes);
                boxes.settle();
                ids.iter().zip(places).for_each(|(&id, place)| boxes.update(id, at(place, 0.0)).unwrap());
                phase.refresh(&boxes);
                assert_eq!(found(&mut phase, &boxes), [[0, 1], [0, 2], [1, 2], [1, 3]], "{axes:?} {away}");
            }
        }
    }

    /// All boxes jump to other places: sorting by insertion is given up, and the pairs are right.
    #[test]
    fn insertion_sort_is_given_up_when_all_boxes_jump() {
        let mut draw = draws();
        let mut place = || {
            let at = DVec3::new(draw(), draw(), draw()) * 20.0;
            Aabb::new(at, at + 1.0)
        };
        for axes in EACH {
            let (mut phase, mut boxes) = (SweepPrune::new(axes), Boxes::new());
            let ids: Vec<BoxId> =
                (0..1500).map(|_| boxes.insert(place(), Filter::ALL, Mobility::Moving).unwrap()).collect();
            for _ in 0..3 {
                let before = phase.counts().swaps;
                phase.refresh(&boxes);
                boxes.settle();
                assert_eq!(found(&mut phase, &boxes), plain_pairs(&boxes), "{axes:?}");
                // The sort may be given up in one list; a single step of it may carry an end from one end of the list
                // to the other.
                assert!(phase.counts().swaps - before <= 3 * (PATIENCE + 1) * 3064, "{axes:?}");
                ids.iter().for_each(|&id| boxes.update(id, place()).unwrap());
            }
        }
    }

    #[test]
    fn nothing_is_left_when_all_are_gone() {
        let (mut draw, mut boxes) = (draws(), Boxes::new());
        let mut phases = EACH.map(SweepPrune::new);
        let ids: Vec<BoxId> = (0..300)
            .map(|_| {
                let at = DVec3::new(draw(), draw(), draw()) * 3.0;
                boxes.insert(Aabb::new(at, at + 1.0), Filter::ALL, Mobility::Moving).unwrap()
            })
            .collect();
        phases.iter_mut().for_each(|phase| phase.refresh(&boxes));
        boxes.settle();
        ids.iter().for_each(|&id| boxes.remove(id).unwrap());
        for phase in &mut phases {
            assert!(phase.pairs.len() > 0);
            phase.refresh(&boxes);
            assert_eq!((phase.pairs.len(), phase.lists.len()), (0, 0));
        }
    }
}
