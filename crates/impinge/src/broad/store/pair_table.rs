//! Pairs that a coherent phase keeps from call to call, in one array, with a map from pair to place.
//!
//! The close counters of Mirtich 1997, §2.2, without their n × n array: a pair is present while its count is positive.
//! What is removed is replaced by the last, so the array has no holes, and its order depends on the calls alone.
//!
//! Pairs are candidates. [`PairTable::changes`] finds which of them have begun or ceased to touch since its last call,
//! from one mark for each pair; a pair that leaves while marked is remembered until then.

use super::boxes::Boxes;
use super::cell_key::{NumberMap, map_bytes};
use super::events::Events;
use super::stream::Stream;

/// A pair of boxes that overlaps now (`true`), or no longer does (`false`).
pub(crate) type PairChange = ([u32; 2], bool);

#[derive(Debug, Clone, Default)]
pub(crate) struct PairTable {
    places: NumberMap<u64>,
    /// The lower slot comes first.
    pairs: Vec<[u32; 2]>,
    states: Vec<State>,
    /// Pairs that left while marked as touching.
    left: Vec<[u32; 2]>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    count: u32,
    touching: bool,
}

const NEW: State = State { count: 1, touching: false };
/// The number of pairs shown at once.
const SLICE: usize = 1 << 12;

fn key([i, j]: [u32; 2]) -> u64 {
    u64::from(i) << 32 | u64::from(j)
}

fn ordered(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

impl PairTable {
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Reasons to keep the pair.
    #[cfg(test)]
    pub(crate) fn count(&self, a: u32, b: u32) -> u32 {
        self.places.get(&key(ordered(a, b))).map_or(0, |&place| self.states[place as usize].count)
    }

    /// One more reason to keep the pair.
    pub(crate) fn up(&mut self, a: u32, b: u32) {
        let pair = ordered(a, b);
        let place = *self.places.entry(key(pair)).or_insert(self.pairs.len() as u32);
        match self.states.get_mut(place as usize) {
            Some(state) => state.count += 1,
            None => self.push(pair),
        }
    }

    /// Removes one reason; does nothing if there is none.
    pub(crate) fn down(&mut self, a: u32, b: u32) {
        let pair = ordered(a, b);
        if let Some(&place) = self.places.get(&key(pair)) {
            let count = &mut self.states[place as usize].count;
            *count -= 1;
            if *count == 0 {
                self.drop_at(place as usize);
            }
        }
    }

    /// Keeps the pair for one reason.
    pub(crate) fn insert(&mut self, a: u32, b: u32) {
        let pair = ordered(a, b);
        let place = *self.places.entry(key(pair)).or_insert(self.pairs.len() as u32);
        if place as usize == self.pairs.len() {
            self.push(pair);
        }
    }

    /// Drops the pair; does nothing if it is not in the table.
    pub(crate) fn remove(&mut self, a: u32, b: u32) {
        if let Some(&place) = self.places.get(&key(ordered(a, b))) {
            self.drop_at(place as usize);
        }
    }

    /// Keeps or drops the pairs that sorted lists have found to begin or cease.
    pub(crate) fn apply(&mut self, ([a, b], begins): PairChange) {
        if begins { self.insert(a, b) } else { self.remove(a, b) }
    }

    /// Keeps those that `keep` accepts.
    pub(crate) fn retain(&mut self, keep: impl Fn([u32; 2]) -> bool) {
        let mut place = 0;
        while place < self.pairs.len() {
            if keep(self.pairs[place]) {
                place += 1;
            } else {
                self.drop_at(place);
            }
        }
    }

    fn push(&mut self, pair: [u32; 2]) {
        self.pairs.push(pair);
        self.states.push(NEW);
    }

    fn drop_at(&mut self, place: usize) {
        let (pair, state) = (self.pairs.swap_remove(place), self.states.swap_remove(place));
        self.places.remove(&key(pair));
        if let Some(&moved) = self.pairs.get(place) {
            self.places.insert(key(moved), place as u32);
        }
        if state.touching {
            self.left.push(pair);
        }
        if self.places.capacity() > 64 && self.places.len() * 8 < self.places.capacity() {
            self.places.shrink_to(self.places.len() * 2);
            self.pairs.shrink_to(self.pairs.len() * 2);
            self.states.shrink_to(self.states.len() * 2);
        }
    }

    /// Forgets all pairs.
    pub(crate) fn clear(&mut self) {
        let marked = self.pairs.iter().zip(&self.states).filter(|(_, state)| state.touching);
        self.left.extend(marked.map(|(pair, _)| pair));
        self.pairs.clear();
        self.states.clear();
        self.places.clear();
    }

    /// Adds to `events` which pairs have begun, and which have ceased, to touch since the last call. A pair that left
    /// and came back has changed only if it no longer touches, unless one of its boxes is a new one.
    pub(crate) fn changes(&mut self, boxes: &Boxes, events: &mut Events) {
        for pair in std::mem::take(&mut self.left) {
            let born = boxes.is_born(pair[0]) || boxes.is_born(pair[1]);
            match self.places.get(&key(pair)) {
                Some(&place) if !born => self.states[place as usize].touching = true,
                _ => events.removed.push(pair),
            }
        }
        for (pair, state) in self.pairs.iter().zip(&mut self.states) {
            let touching = boxes.touch(pair[0], pair[1]);
            if touching != state.touching {
                state.touching = touching;
                let changed = if touching { &mut events.added } else { &mut events.removed };
                changed.push(*pair);
            }
        }
    }

    /// Shows all candidates.
    pub(crate) fn show_all(&self, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.pairs.chunks(SLICE).for_each(visit);
    }

    /// Shows those that touch.
    pub(crate) fn show_touching(&self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        let mut out = Stream::to(visit);
        for &[a, b] in &self.pairs {
            if boxes.touch(a, b) {
                out.push(a, b);
            }
        }
        out.finish();
    }

    pub(crate) fn bytes(&self) -> usize {
        map_bytes(&self.places) + self.pairs.capacity() * (8 + size_of::<State>()) + self.left.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Against a map of counts; none is ever negative, and none is left at zero.
        #[test]
        fn counts_as_a_map_does(steps in prop::collection::vec((0..8u32, 0..8u32, 0..4u8), 1..300)) {
            let (mut table, mut counts) = (PairTable::default(), BTreeMap::new());
            for (a, b, what) in steps.into_iter().filter(|step| step.0 != step.1) {
                let pair = ordered(a, b);
                match what {
                    0 | 1 => {
                        table.up(a, b);
                        *counts.entry(pair).or_insert(0) += 1;
                    }
                    2 => {
                        table.down(a, b);
                        counts.entry(pair).and_modify(|count| *count -= 1);
                        counts.retain(|_, count| *count > 0);
                    }
                    _ => {
                        table.remove(a, b);
                        counts.remove(&pair);
                    }
                }
                prop_assert_eq!(table.len(), counts.len());
                prop_assert!(counts.iter().all(|(&[a, b], &count)| table.count(a, b) == count));
            }
            let mut shown = Vec::new();
            table.show_all(&mut |slice| shown.extend_from_slice(slice));
            shown.sort_unstable();
            prop_assert_eq!(shown, counts.into_keys().collect::<Vec<_>>());
        }
    }
}
