//! Hierarchical spatial hash that is kept from call to call, with a counter for every close pair.
//!
//! Mirtich 1997, §2.2, Figure 3. A box is stored in its cells on its own level and on every coarser one; the counter of
//! a pair is the number of cells that both lie in on the coarser of their two levels. A box that lies in the cells in
//! which it lay costs six comparisons; one that has moved on touches only the cells that it enters or leaves. Boxes
//! that stand still cost nothing. The close pairs are those of the [standard form](super::spatial_hash::SpatialHash),
//! levels being the same.
//!
//! Departures. Counters are kept for close pairs only ([`PairTable`]) and not for pairs that filters rule out. A cell
//! keeps two lists, the boxes that belong to its level and the *visitors* from finer levels: visitors are not compared
//! with each other, since their pairs are counted on other levels, so the extra work that the paper speaks of (D and E
//! in coarse cells) is not done. Only occupied levels have cells; a level that has lost the last box that belonged to
//! it is given up after [`IDLE`] calls, so that a single box between two sizes does not move everything each time. A
//! box keeps its level while its size is within [`SLACK`] of the borders.
//!
//! Invariant, after `refresh`: a box of level k has one entry in each of its cells on each level in use from k on; the
//! counter of a pair that may meet is the number of its common cells on the coarser level.
//!
//! Cost of a call: O(m + d) for m boxes given a new place and d changed entries and counters. Memory: an entry of 20
//! bytes for each cell of a box on each level in use from its own on, so that boxes of many sizes take the most.

use smallvec::SmallVec;

use super::levels::CellRange;
use super::levels::Levels;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::{BroadPhase, Counts};
use crate::broad::store::cell_key::{CellKey, NumberMap, map_bytes};
use crate::broad::store::events::Events;
use crate::broad::store::pair_table::PairTable;

const NONE: u32 = u32::MAX;
/// The number of calls for which a level is kept that no box belongs to.
const IDLE: u32 = 60;
/// How far beyond the borders of its level a box may shrink or grow, unless told otherwise.
const SLACK: f64 = 1.2;

/// Mirtich's hash in its coherent form. See the [phases](crate::broad).
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, BroadPhase, CoherentHash, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = CoherentHash::default();
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CoherentHash {
    levels: Levels,
    slack: f64,
    /// Levels with cells, finest first.
    used: Vec<Used>,
    index: NumberMap<CellKey>,
    cells: Vec<Cell>,
    free_cells: Vec<u32>,
    entries: Vec<Entry>,
    free_entries: Vec<u32>,
    bodies: Vec<Body>,
    pairs: PairTable,
    /// Slots that a refresh works on, kept to use their memory again.
    pending: Vec<u32>,
    /// The frame of the last refresh.
    seen: u64,
    counts: Counts,
}

#[derive(Debug, Clone, Copy)]
struct Used {
    level: i32,
    /// Side of its cells.
    cell: f64,
    /// The sizes of boxes that may stay on this level.
    sizes: [f64; 2],
    /// The number of boxes that belong to this level.
    natives: u32,
    /// The number of calls since a box belonged to it.
    idle: u32,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    key: CellKey,
    natives: u32,
    visitors: u32,
}

/// A box in a cell: in the cell's list of natives or of visitors, and in the list of the box's entries.
#[derive(Debug, Clone, Copy)]
struct Entry {
    slot: u32,
    cell: u32,
    before: u32,
    after: u32,
    sibling: u32,
}

/// What is stored for a slot; `entries` is [`NONE`] when nothing is.
#[derive(Debug, Clone, Copy)]
struct Body {
    level: i32,
    range: CellRange,
    entries: u32,
}

const NO_CELLS: CellRange = CellRange { low: [i32::MAX; 3], high: [i32::MIN; 3] };
const NOBODY: Body = Body { level: 0, range: NO_CELLS, entries: NONE };

impl Default for CoherentHash {
    fn default() -> CoherentHash {
        CoherentHash::new(Levels::default(), SLACK)
    }
}

impl CoherentHash {
    /// A hash with other sizes of cells. A box stays on its level until its size is `slack` times beyond the borders;
    /// with 1 the close pairs are those of the standard form at every call.
    pub fn new(levels: Levels, slack: f64) -> CoherentHash {
        CoherentHash {
            levels,
            slack: slack.max(1.0),
            used: Vec::new(),
            index: NumberMap::default(),
            cells: Vec::new(),
            free_cells: Vec::new(),
            entries: Vec::new(),
            free_entries: Vec::new(),
            bodies: Vec::new(),
            pairs: PairTable::default(),
            pending: Vec::new(),
            seen: 0,
            counts: Counts::default(),
        }
    }

    fn is_stored(&self, slot: u32) -> bool {
        self.bodies[slot as usize].entries != NONE
    }

    /// Whether the slot's box is the one stored and lies in the same cells.
    #[inline]
    fn is_unmoved(&self, slot: u32, boxes: &Boxes) -> bool {
        let body = &self.bodies[slot as usize];
        if body.entries == NONE || !self.levels.nested() || boxes.is_born(slot) || !boxes.is_live(slot) {
            return false;
        }
        let bounds = &boxes.all()[slot as usize];
        let (size, used) = (Levels::size(bounds), &self.used[self.own_level(body.level)]);
        used.sizes[0] <= size && size < used.sizes[1] && Levels::range(bounds, used.cell) == body.range
    }

    /// Removes the boxes that are gone, adds the levels of new ones, then moves and stores boxes.
    fn take_in(&mut self, boxes: &Boxes, changed: impl Iterator<Item = u32>) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.extend(changed.filter(|&slot| !self.is_unmoved(slot, boxes)));
        for &slot in &pending {
            if boxes.is_born(slot) || !boxes.is_live(slot) {
                self.take_out(slot);
            }
        }
        pending.retain(|&slot| boxes.is_live(slot));
        for &slot in &pending {
            if !self.is_stored(slot) {
                self.use_level(self.levels.level(Levels::size(&boxes.all()[slot as usize])), boxes);
            }
        }
        for &slot in &pending {
            let size = Levels::size(&boxes.all()[slot as usize]);
            if self.is_stored(slot) {
                let [from, below] = self.used[self.own_level(self.bodies[slot as usize].level)].sizes;
                if from <= size && size < below {
                    self.shift(slot, boxes);
                    continue;
                }
                self.take_out(slot);
            }
            let level = self.levels.level(size);
            self.use_level(level, boxes);
            self.store(slot, level, boxes);
        }
        pending.clear();
        self.pending = pending;
    }

    /// Adds a level; all boxes of finer levels become visitors of its cells.
    fn use_level(&mut self, level: i32, boxes: &Boxes) {
        if let Err(at) = self.used.binary_search_by_key(&level, |u| u.level) {
            let [from, below] = self.levels.sizes(level);
            let used = Used {
                level,
                cell: self.levels.cell(level),
                sizes: [from / self.slack, below * self.slack],
                natives: 0,
                idle: 0,
            };
            self.used.insert(at, used);
            for slot in 0..self.bodies.len() as u32 {
                let body = self.bodies[slot as usize];
                if body.entries != NONE && body.level < level {
                    let range = Levels::range(&boxes.all()[slot as usize], self.levels.cell(level));
                    range.cells().for_each(|at| self.enter(slot, CellKey { level, at }, boxes));
                }
            }
        }
    }

    /// The index of a level among those in use.
    fn own_level(&self, level: i32) -> usize {
        self.used.partition_point(|u| u.level < level)
    }

    /// Gives up levels to which no box has belonged for long. Their cells have visitors only, whose pairs no counter
    /// counts there.
    fn retire_levels(&mut self) {
        self.used.iter_mut().for_each(|u| u.idle = if u.natives > 0 { 0 } else { u.idle + 1 });
        if self.used.iter().all(|u| u.idle <= IDLE) {
            return;
        }
        let retired: SmallVec<[i32; 8]> = self.used.iter().filter(|u| u.idle > IDLE).map(|u| u.level).collect();
        self.used.retain(|u| u.idle <= IDLE);
        for slot in 0..self.bodies.len() {
            self.leave_where(slot as u32, |key| retired.contains(&key.level));
        }
    }

    fn store(&mut self, slot: u32, level: i32, boxes: &Boxes) {
        let bounds = &boxes.all()[slot as usize];
        let range = Levels::range(bounds, self.levels.cell(level));
        let body = Body { level, range, entries: NONE };
        self.bodies[slot as usize] = body;
        let first = self.own_level(level);
        self.used[first].natives += 1;
        for u in first..self.used.len() {
            let Used { level, cell, .. } = self.used[u];
            let range = Levels::range(bounds, cell);
            range.cells().for_each(|at| self.enter(slot, CellKey { level, at }, boxes));
        }
    }

    fn take_out(&mut self, slot: u32) {
        if !self.is_stored(slot) {
            return;
        }
        let level = self.bodies[slot as usize].level;
        self.leave_where(slot, |_| true);
        let own = self.own_level(level);
        self.used[own].natives -= 1;
        self.bodies[slot as usize] = NOBODY;
    }

    /// Enters the new cells of a box and leaves the old ones; new ones first, so that no counter falls to zero and
    /// rises again.
    fn shift(&mut self, slot: u32, boxes: &Boxes) {
        let (bounds, body) = (&boxes.all()[slot as usize], self.bodies[slot as usize]);
        let first = self.own_level(body.level);
        // The level, the cells before, the cells now. The entries of a level are all the cells of one range.
        let mut ranges: SmallVec<[(i32, CellRange, CellRange); 8]> = SmallVec::new();
        ranges.extend(self.used[first..].iter().map(|u| (u.level, NO_CELLS, Levels::range(bounds, u.cell))));
        let mut entry = body.entries;
        while entry != NONE {
            let Entry { cell, sibling, .. } = self.entries[entry as usize];
            let key = self.cells[cell as usize].key;
            let at = ranges.partition_point(|r| r.0 < key.level);
            ranges[at].1.extend(key.at);
            entry = sibling;
        }
        self.bodies[slot as usize].range = ranges[0].2;
        for &(level, old, new) in ranges.iter().filter(|(_, old, new)| old != new) {
            new.cells().filter(|&at| !old.contains(at)).for_each(|at| self.enter(slot, CellKey { level, at }, boxes));
        }
        if ranges.iter().any(|(_, old, new)| !new.contains(old.low) || !new.contains(old.high)) {
            self.leave_where(slot, |key| !ranges[ranges.partition_point(|r| r.0 < key.level)].2.contains(key.at));
        }
    }

    fn enter(&mut self, slot: u32, key: CellKey, boxes: &Boxes) {
        self.counts.cells += 1;
        let cell = self.cell(key);
        let Cell { natives, visitors, .. } = self.cells[cell as usize];
        let native = self.bodies[slot as usize].level == key.level;
        self.count(slot, natives, |pairs, other| {
            if boxes.admits(slot, other) {
                pairs.up(slot, other);
            }
        });
        if native {
            self.count(slot, visitors, |pairs, other| {
                if boxes.admits(slot, other) {
                    pairs.up(slot, other);
                }
            });
        }
        let after = if native { natives } else { visitors };
        let sibling = self.bodies[slot as usize].entries;
        let entry = Entry { slot, cell, before: NONE, after, sibling };
        let place = match self.free_entries.pop() {
            Some(place) => {
                self.entries[place as usize] = entry;
                place
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        if after != NONE {
            self.entries[after as usize].before = place;
        }
        let cell = &mut self.cells[cell as usize];
        *(if native { &mut cell.natives } else { &mut cell.visitors }) = place;
        self.bodies[slot as usize].entries = place;
    }

    /// Leaves the cells that `which` names.
    fn leave_where(&mut self, slot: u32, which: impl Fn(CellKey) -> bool) {
        let mut entry = self.bodies[slot as usize].entries;
        let mut kept = NONE;
        while entry != NONE {
            let Entry { cell, sibling, .. } = self.entries[entry as usize];
            if which(self.cells[cell as usize].key) {
                self.leave(entry);
            } else {
                self.entries[entry as usize].sibling = kept;
                kept = entry;
            }
            entry = sibling;
        }
        self.bodies[slot as usize].entries = kept;
    }

    fn leave(&mut self, place: u32) {
        self.counts.cells += 1;
        let Entry { slot, cell, before, after, .. } = self.entries[place as usize];
        let native = self.bodies[slot as usize].level == self.cells[cell as usize].key.level;
        if after != NONE {
            self.entries[after as usize].before = before;
        }
        if before != NONE {
            self.entries[before as usize].after = after;
        } else {
            let cell = &mut self.cells[cell as usize];
            *(if native { &mut cell.natives } else { &mut cell.visitors }) = after;
        }
        self.free_entries.push(place);
        let Cell { key, natives, visitors } = self.cells[cell as usize];
        self.count(slot, natives, |pairs, other| pairs.down(slot, other));
        if native {
            self.count(slot, visitors, |pairs, other| pairs.down(slot, other));
        }
        if natives == NONE && visitors == NONE {
            self.index.remove(&key);
            self.free_cells.push(cell);
        }
    }

    /// Goes through a list of a cell.
    #[inline]
    fn count(&mut self, slot: u32, mut entry: u32, change: impl Fn(&mut PairTable, u32)) {
        while entry != NONE {
            let Entry { slot: other, after, .. } = self.entries[entry as usize];
            debug_assert_ne!(slot, other);
            self.counts.counters += 1;
            change(&mut self.pairs, other);
            entry = after;
        }
    }

    fn cell(&mut self, key: CellKey) -> u32 {
        let Self { index, cells, free_cells, .. } = self;
        *index.entry(key).or_insert_with(|| {
            let cell = Cell { key, natives: NONE, visitors: NONE };
            match free_cells.pop() {
                Some(place) => {
                    cells[place as usize] = cell;
                    place
                }
                None => {
                    cells.push(cell);
                    cells.len() as u32 - 1
                }
            }
        })
    }
}

impl BroadPhase for CoherentHash {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, boxes: &Boxes) {
        self.bodies.resize(self.bodies.len().max(boxes.slots()), NOBODY);
        if boxes.continues(self.seen) {
            self.take_in(boxes, boxes.changed());
        } else {
            (0..self.bodies.len() as u32).for_each(|slot| self.take_out(slot));
            self.take_in(boxes, boxes.live());
        }
        self.retire_levels();
        self.seen = boxes.frame();
    }

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.counts.tests += self.pairs.len() as u64;
        self.pairs.show_touching(boxes, visit);
    }

    fn close(&mut self, _: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.pairs.show_all(visit);
    }

    fn changes(&mut self, boxes: &Boxes, events: &mut Events) -> bool {
        self.pairs.changes(boxes, events);
        self.counts.tests += self.pairs.len() as u64;
        true
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        map_bytes(&self.index)
            + self.cells.capacity() * size_of::<Cell>()
            + self.entries.capacity() * size_of::<Entry>()
            + (self.free_cells.capacity() + self.free_entries.capacity() + self.pending.capacity()) * 4
            + self.bodies.capacity() * size_of::<Body>()
            + self.pairs.bytes()
    }
}

#[cfg(test)]
#[path = "coherent_trials.rs"]
mod trials;
