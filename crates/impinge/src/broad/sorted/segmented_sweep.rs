//! Sweep and prune in segments of space, each with lists of its own.
//!
//! A remedy for clustering (Mirtich 1997, §2.3, Figure 6): ends of boxes that are far apart on another axis lie in
//! other lists and are never exchanged. A box is in every segment that it touches ([`Segments`]); where it enters one
//! it is new, and where it leaves one its ends are taken out. Segments are independent and are worked on in parallel;
//! what they find goes into one table, in their order.
//!
//! A pair that meets in several segments is found in each of them. That needs no counters: a pair is dropped when a
//! list shows the boxes apart, since they are then apart in every segment, and the pairs of boxes that have left a
//! segment are tested again.
//!
//! The grid is made anew when the number of boxes has doubled since it was made, or fallen to a quarter.

use super::segments::{SegmentSpan, Segments};
use super::sweep_axes::Directions;
use super::sweep_axes::SweepAxes;
use super::sweep_lists::{PATIENCE, SortWork, SweepLists};
use crate::broad::store::bits::Bits;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::{BroadPhase, Counts};
use crate::broad::store::events::Events;
use crate::broad::store::pair_table::PairChange;
use crate::broad::store::pair_table::PairTable;
use crate::threads::share;

/// Sorting of coordinates within segments of space. See the [phases](crate::broad).
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, BroadPhase, Filter, Mobility, SegmentedSweep}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = SegmentedSweep::default();
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SegmentedSweep {
    grid: Segments,
    /// The number of boxes that the grid was made for.
    laid_for: usize,
    segments: Vec<Segment>,
    spans: Vec<SegmentSpan>,
    known: Bits,
    pairs: PairTable,
    seen: u64,
    counts: Counts,
}

/// A part of space.
#[derive(Debug, Clone, Default)]
struct Segment {
    lists: SweepLists,
    gone: Vec<u32>,
    fresh: Vec<u32>,
    moved: bool,
    found: Vec<PairChange>,
    work: SortWork,
}

const DIRECTIONS: Directions = Directions::new(SweepAxes::Three, [0, 1, 2]);

impl Default for SegmentedSweep {
    fn default() -> SegmentedSweep {
        SegmentedSweep {
            grid: Segments::WHOLE,
            laid_for: 0,
            segments: Vec::new(),
            spans: Vec::new(),
            known: Bits::default(),
            pairs: PairTable::default(),
            seen: 0,
            counts: Counts::default(),
        }
    }
}

impl Segment {
    fn refresh(&mut self, boxes: &Boxes) {
        let Self { lists, gone, fresh, moved, found, work } = self;
        if !gone.is_empty() {
            lists.remove(gone);
            gone.clear();
        }
        if *moved {
            lists.resort(boxes, DIRECTIONS, PATIENCE, work, &mut |pair| found.push(pair));
            *moved = false;
        }
        if !fresh.is_empty() {
            lists.insert(fresh, boxes, DIRECTIONS, work, &mut |pair| found.push(pair));
            fresh.clear();
        }
    }
}

impl SegmentedSweep {
    /// Makes the grid, and makes every box a new one in its segments.
    fn lay_grid(&mut self, boxes: &Boxes) {
        self.grid = Segments::new(boxes);
        self.laid_for = boxes.len();
        self.segments.clear();
        self.segments.resize_with(self.grid.total(), Segment::default);
        self.known = Bits::default();
        self.known.grow(boxes.slots());
        boxes.live().for_each(|slot| self.enter(slot, boxes));
        self.counts.builds += 1;
    }

    fn enter(&mut self, slot: u32, boxes: &Boxes) {
        let span = self.grid.span(&boxes.all()[slot as usize]);
        self.spans[slot as usize] = span;
        self.known.insert(slot as usize);
        self.grid.within(span).for_each(|s| self.segments[s].fresh.push(slot));
    }

    fn leave(&mut self, slot: u32) {
        self.known.remove(slot as usize);
        self.grid.within(self.spans[slot as usize]).for_each(|s| self.segments[s].gone.push(slot));
    }

    /// Whether the box has left a segment.
    fn shift(&mut self, slot: u32, boxes: &Boxes) -> bool {
        let (old, new) = (self.spans[slot as usize], self.grid.span(&boxes.all()[slot as usize]));
        self.grid.within(new).for_each(|s| match self.grid.contains(old, s) {
            true => self.segments[s].moved = true,
            false => self.segments[s].fresh.push(slot),
        });
        let mut left = false;
        for s in self.grid.within(old).filter(|&s| !self.grid.contains(new, s)) {
            self.segments[s].gone.push(slot);
            left = true;
        }
        self.spans[slot as usize] = new;
        left
    }
}

impl BroadPhase for SegmentedSweep {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, boxes: &Boxes) {
        self.spans.resize(boxes.slots().max(self.spans.len()), SegmentSpan::default());
        self.known.grow(boxes.slots());
        let (mut dropped, mut may_have_parted) = (Bits::default(), Bits::default());
        dropped.grow(boxes.slots());
        may_have_parted.grow(boxes.slots());
        let suits = (self.laid_for / 4..=self.laid_for.max(512) * 2).contains(&boxes.len());
        if boxes.continues(self.seen) && suits {
            for slot in boxes.changed() {
                let known = self.known.contains(slot as usize);
                if known && boxes.is_live(slot) && !boxes.is_born(slot) {
                    if self.shift(slot, boxes) {
                        may_have_parted.insert(slot as usize);
                    }
                    continue;
                }
                if known {
                    self.leave(slot);
                    dropped.insert(slot as usize);
                }
                if boxes.is_live(slot) {
                    self.enter(slot, boxes);
                }
            }
        } else if boxes.continues(self.seen) {
            boxes.changed().for_each(|slot| {
                let stays = boxes.is_live(slot) && !boxes.is_born(slot);
                if stays { may_have_parted.insert(slot as usize) } else { dropped.insert(slot as usize) }
            });
            self.lay_grid(boxes);
        } else {
            self.pairs.clear();
            self.lay_grid(boxes);
        }
        let has = |set: &Bits, pair: [u32; 2]| pair.iter().any(|&slot| set.contains(slot as usize));
        if dropped.count() + may_have_parted.count() > 0 {
            let parted = |pair| has(&may_have_parted, pair) && !boxes.touch(pair[0], pair[1]);
            self.pairs.retain(|pair| !has(&dropped, pair) && !parted(pair));
        }
        share::each_piece(self.segments.iter_mut(), |_, segment| segment.refresh(boxes));
        let mut too_many_swaps = false;
        for segment in &mut self.segments {
            segment.found.drain(..).for_each(|found| self.pairs.apply(found));
            let work = std::mem::take(&mut segment.work);
            too_many_swaps |= work.too_many_swaps;
            self.counts.swaps += work.swaps;
            self.counts.tests += work.tests;
        }
        if too_many_swaps {
            self.pairs.retain(|[a, b]| boxes.touch(a, b));
        }
        self.seen = boxes.frame();
    }

    fn pairs(&mut self, _: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
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
        let segment = |s: &Segment| {
            s.lists.bytes()
                + (s.gone.capacity() + s.fresh.capacity()) * 4
                + s.found.capacity() * size_of::<PairChange>()
                + size_of::<Segment>()
        };
        self.segments.iter().map(segment).sum::<usize>()
            + self.spans.capacity() * size_of::<SegmentSpan>()
            + self.known.bytes()
            + self.pairs.bytes()
    }
}
