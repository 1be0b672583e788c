//! Which pairs of nodes are worth comparing by their hulls before they are opened.
//!
//! P. Xavier, *Fast Swept-Volume Distance for Robust Collision Detection*, 1997, A (3): a table of pairs of interior
//! nodes for which a comparison might cut the recursion; the others are not compared. He does not say how pairs enter
//! the table and leave it. Here:
//!
//! - A pair enters the table on trial when the work done below it in the last query was more than [`WORTH`], counting
//!   one for each pair opened, each run of GJK and each pair of leaves visited. So a first query compares boxes only,
//!   and the next one compares the hulls where the first had much to do.
//! - The trial has succeeded when the pair is cut, or nearly: when its hulls are at least [`NEARLY`] times as far apart
//!   as the best distance. Then the pair stays in the table.
//! - After a failed trial, or after [`MISSES`] comparisons in a row that cut nothing, the pair is not compared the next
//!   [`REST`] times that a query comes upon it, the time after that for twice as many, and so on up to [`LONG_REST`].
//!
//! All that is done only while it pays (`cut_worth.rs`). The first query of a pair of bodies makes no table, because
//! most pairs of bodies are queried once.
//!
//! What was done below a pair is added up after the query, from a log of the pairs opened, each with the one that it
//! came from. The log is bounded; what no longer fits is not learnt from.
//!
//! Invariant: what the table says decides how much is computed, never what is answered.

use super::cut_worth::{Spent, Worth};
use super::simplex_cache::place;
use crate::search::backoff::Backoff;

/// What a comparison has to save.
const WORTH: u32 = 4;

/// How near to a cut a pair on trial has to come.
pub(crate) const NEARLY: f64 = 0.7;

const MISSES: u8 = 3;

const REST: u16 = 4;

const LONG_REST: u16 = 128;

/// Most pairs in the table.
const MOST: usize = 1 << 13;

/// Most pairs in the log of a query.
const MOST_LOGGED: usize = 1 << 12;

const NOBODY: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Entry {
    pair: [u32; 2],
    /// What was done below it when it was last opened.
    cost: u16,
    trial: bool,
    misses: u8,
    /// Queries that it still sits out.
    rest: Backoff<REST, LONG_REST>,
}

const EMPTY: Entry = Entry { pair: [NOBODY; 2], cost: 0, trial: true, misses: 0, rest: Backoff::NEW };

/// A pair that was opened, the place in the log of the one that it came from, and the cost.
#[derive(Debug, Clone, Copy)]
struct OpenedPair {
    pair: [u32; 2],
    from: u32,
    cost: u32,
}

/// A place in the log, found by the pair that is there. With another stamp it is of another query.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    stamp: u32,
    at: u32,
}

/// What came of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Cut,
    /// Not cut, but nearly.
    Near,
    Far,
}

/// The table. It takes no memory until [`CutTable::begin`] allocates some.
#[derive(Debug, Clone, Default)]
pub(crate) struct CutTable {
    /// In each set the entry that was made last comes first.
    sets: Vec<[Entry; 2]>,
    log: Vec<OpenedPair>,
    index: Vec<Place>,
    stamp: u32,
    worth: Worth,
    /// Whether the table is allocated, and all that is in it may be used.
    ready: bool,
    /// Whether the current query uses the table and adds to it.
    in_use: bool,
    /// The work that cuts have saved in the current query.
    saved: u64,
}

impl CutTable {
    /// A query begins, on trees with so many nodes and leaves.
    pub(crate) fn begin(&mut self, slots: usize) {
        self.log.clear();
        self.saved = 0;
        self.in_use = self.worth.begin();
        if !self.in_use {
            return;
        }
        if !self.ready {
            self.make_room(slots);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.index.fill(Place::default());
            self.stamp = 1;
        }
    }

    fn make_room(&mut self, slots: usize) {
        let sets = (2 * slots).clamp(64, MOST).next_power_of_two() / 2;
        if self.sets.len() < sets {
            self.sets = vec![[EMPTY; 2]; sets];
            self.log = Vec::with_capacity(sets.min(MOST_LOGGED));
            self.index = vec![Place::default(); 2 * self.log.capacity().next_power_of_two()];
            self.stamp = 0;
        } else {
            self.sets.fill([EMPTY; 2]);
        }
        self.ready = true;
    }

    /// The table is emptied when it is next used.
    pub(crate) fn forget(&mut self) {
        (self.worth, self.ready, self.in_use) = (Worth::default(), false, false);
    }

    /// A pair of nodes is opened; it came from one of the two pairs in `from`. Returns its place in the log.
    pub(crate) fn opened(&mut self, pair: [u32; 2], from: [[u32; 2]; 2]) -> Option<usize> {
        if !self.in_use || self.log.len() == self.log.capacity() {
            return None;
        }
        let from = from.iter().find_map(|&pair| self.logged(pair)).unwrap_or(NOBODY);
        let at = self.log.len();
        self.log.push(OpenedPair { pair, from, cost: 1 });
        let mask = self.index.len() - 1;
        let mut i = place(pair, self.index.len());
        // At most half of the index is taken.
        while self.index[i].stamp == self.stamp && self.log[self.index[i].at as usize].pair != pair {
            i = (i + 1) & mask;
        }
        self.index[i] = Place { stamp: self.stamp, at: at as u32 };
        Some(at)
    }

    fn logged(&self, pair: [u32; 2]) -> Option<u32> {
        let mask = self.index.len() - 1;
        let mut i = place(pair, self.index.len());
        while self.index[i].stamp == self.stamp {
            if self.log[self.index[i].at as usize].pair == pair {
                return Some(self.index[i].at);
            }
            i = (i + 1) & mask;
        }
        None
    }

    /// Something was done for the children of the pair at a place in the log.
    pub(crate) fn cost(&mut self, at: Option<usize>) {
        if let Some(opened) = at.and_then(|at| self.log.get_mut(at)) {
            opened.cost += 1;
        }
    }

    fn entry(&mut self, pair: [u32; 2]) -> Option<&mut Entry> {
        let at = place(pair, self.sets.len());
        self.sets.get_mut(at)?.iter_mut().find(|entry| entry.pair == pair)
    }

    /// Whether the hulls of the pair are to be compared.
    pub(crate) fn is_worth_comparing(&mut self, pair: [u32; 2]) -> bool {
        if !self.in_use {
            return false;
        }
        let Some(entry) = self.entry(pair) else { return false };
        !entry.rest.sits_out()
    }

    /// Takes note of what came of comparing them.
    pub(crate) fn compared(&mut self, pair: [u32; 2], comparison: Comparison) {
        let Some(entry) = self.entry(pair) else { return };
        let cost = entry.cost;
        if comparison == Comparison::Cut {
            *entry = Entry { pair, cost, trial: false, ..EMPTY };
            self.saved += u64::from(cost);
            return;
        }
        entry.misses += 1;
        if (entry.trial && comparison == Comparison::Far) || entry.misses >= MISSES {
            let mut rest = entry.rest;
            rest.failed();
            *entry = Entry { pair, cost, rest, ..EMPTY };
        } else {
            entry.trial = false;
        }
    }

    /// The query is over, with so many pairs opened, hulls compared and steps of GJK: pairs that were dear come in.
    pub(crate) fn learn(&mut self, opened: u64, hulls: u64, steps: u64) {
        self.worth.end(Spent { opened, hulls, steps, saved: self.saved });
        for at in (0..self.log.len()).rev() {
            let OpenedPair { pair, from, cost } = self.log[at];
            if let Some(above) = self.log.get_mut(from as usize) {
                above.cost = above.cost.saturating_add(cost);
            }
            let short = cost.min(u32::from(u16::MAX)) as u16;
            if let Some(entry) = self.entry(pair) {
                entry.cost = short;
            } else if cost > WORTH {
                let set = place(pair, self.sets.len());
                if let Some([first, second]) = self.sets.get_mut(set) {
                    *second = *first;
                    *first = Entry { pair, cost: short, ..EMPTY };
                }
            }
        }
    }

    /// Pairs in the table.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.sets.iter().flatten().filter(|entry| entry.pair != EMPTY.pair).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costly_pairs_enter_the_table_and_useless_ones_pause() {
        let mut table = CutTable::default();
        table.begin(1000);
        assert_eq!(table.opened([8, 8], [[0, 0], [0, 0]]), None);
        table.learn(100, 0, 0);
        table.begin(1000);
        // Nine below eight: three levels, and two leaves left.
        assert_eq!(table.opened([8, 8], [[0, 0], [0, 0]]), Some(0));
        for child in 0..3 {
            let at = table.opened([16 + child, 8], [[8, 8], [16 + child, 0]]);
            table.cost(at);
        }
        let at = table.opened([16, 24], [[8, 24], [16, 8]]);
        (0..2).for_each(|_| table.cost(at));
        table.learn(100, 0, 0);
        // The first has 1 + 3·2 + 3, the one that was opened twice 2 + 3, the others 2 and 3.
        assert_eq!(table.len(), 2);
        for (pair, asked) in [([8, 8], true), ([16, 8], true), ([17, 8], false), ([16, 24], false)] {
            assert_eq!(table.is_worth_comparing(pair), asked, "{pair:?}");
        }
        // A pair of hulls almost far enough apart to be cut off is tried three times; a pair that is not, only once.
        for _ in 0..3 {
            assert!(table.is_worth_comparing([8, 8]));
            table.compared([8, 8], Comparison::Near);
        }
        table.compared([16, 8], Comparison::Far);
        for pair in [[8, 8], [16, 8]] {
            for _ in 0..REST {
                assert!(!table.is_worth_comparing(pair));
            }
            assert!(table.is_worth_comparing(pair));
            table.compared(pair, Comparison::Far);
            assert_eq!((0..200).take_while(|_| !table.is_worth_comparing(pair)).count(), 2 * usize::from(REST));
            for _ in 0..10 {
                table.compared(pair, Comparison::Cut);
                table.compared(pair, Comparison::Far);
                table.compared(pair, Comparison::Far);
                assert!(table.is_worth_comparing(pair));
            }
        }
        table.forget();
        assert!(!table.is_worth_comparing([8, 8]));
        table.begin(1000);
        assert!(!table.is_worth_comparing([8, 8]));
        table.learn(100, 0, 0);
        table.begin(1000);
        assert!(!table.is_worth_comparing([8, 8]) && table.len() == 0);
    }

    #[test]
    fn neither_the_table_nor_the_log_grows() {
        let mut table = CutTable::default();
        table.begin(1 << 20);
        table.learn(100, 0, 0);
        for _ in 0..3 {
            table.begin(1 << 20);
            let (log, index) = (table.log.capacity(), table.index.len());
            for k in 0..20_000 {
                let at = table.opened([8 * k, 8 * k + 1], [[8 * k, 0], [0, 1]]);
                (0..9).for_each(|_| table.cost(at));
            }
            table.learn(100, 0, 0);
            assert!(log == table.log.capacity() && index == table.index.len() && table.log.len() == log);
            assert!(table.sets.len() * 2 == MOST && table.len() <= MOST);
        }
    }
}
