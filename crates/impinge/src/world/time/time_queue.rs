//! A queue of pairs by time: a 4-ary heap whose keys can be changed.
//!
//! Mirtich 1997 §4, Figure 11, has a binary heap; four children share a cache line and halve the depth. An entry is
//! known by its handle, whose place in the heap is kept, so that any key can be changed or removed.
//!
//! Invariant: no entry comes before its parent, by key and then by name, so that equal times are taken in the order of
//! names, whatever was pushed first. Cost: O(log₄ n) for each operation.

/// The place of an entry that is not in the heap.
const NOWHERE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: f64,
    name: [u32; 2],
    handle: u32,
}

impl Entry {
    fn before(&self, other: &Entry) -> bool {
        self.key.total_cmp(&other.key).then(self.name.cmp(&other.name)).is_lt()
    }
}

/// Times of pairs, the earliest first.
#[derive(Debug, Default)]
pub(in crate::world) struct TimeQueue {
    entries: Vec<Entry>,
    /// The place in the heap of the entry of each handle.
    places: Vec<u32>,
}

impl TimeQueue {
    pub(in crate::world) fn clear(&mut self) {
        self.entries.clear();
        self.places.clear();
    }

    /// The earliest.
    pub(in crate::world) fn first(&self) -> Option<(f64, u32)> {
        self.entries.first().map(|entry| (entry.key, entry.handle))
    }

    /// Puts an entry in, or changes its key.
    pub(in crate::world) fn set(&mut self, handle: u32, name: [u32; 2], key: f64) {
        let at = handle as usize;
        if self.places.len() <= at {
            self.places.resize(at + 1, NOWHERE);
        }
        let entry = Entry { key, name, handle };
        if self.places[at] == NOWHERE {
            self.places[at] = self.entries.len() as u32;
            self.entries.push(entry);
        } else {
            self.entries[self.places[at] as usize] = entry;
        }
        self.settle(self.places[at] as usize);
    }

    /// Removes an entry, if it is in the heap.
    pub(in crate::world) fn remove(&mut self, handle: u32) {
        let Some(place) = self.places.get_mut(handle as usize) else { return };
        let hole = std::mem::replace(place, NOWHERE) as usize;
        if hole >= self.entries.len() {
            return;
        }
        self.entries.swap_remove(hole);
        if let Some(moved) = self.entries.get(hole) {
            self.places[moved.handle as usize] = hole as u32;
            self.settle(hole);
        }
    }

    /// Moves an entry up, or else down, to where it belongs.
    fn settle(&mut self, start: usize) {
        let mut at = start;
        while at > 0 && self.entries[at].before(&self.entries[(at - 1) / 4]) {
            self.swap(at, (at - 1) / 4);
            at = (at - 1) / 4;
        }
        loop {
            let children = 4 * at + 1..(4 * at + 5).min(self.entries.len());
            let Some(least) = children.reduce(|x, y| if self.entries[y].before(&self.entries[x]) { y } else { x })
            else {
                return;
            };
            if !self.entries[least].before(&self.entries[at]) {
                return;
            }
            self.swap(at, least);
            at = least;
        }
    }

    fn swap(&mut self, x: usize, y: usize) {
        self.entries.swap(x, y);
        for at in [x, y] {
            self.places[self.entries[at].handle as usize] = at as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a sorted map of handles by key and name.
        #[test]
        fn a_heap_is_a_sorted_map(steps in proptest::collection::vec((0u32..40, 0u32..6, 0u8..4), 1..300)) {
            let mut heap = TimeQueue::default();
            let mut keys: BTreeMap<u32, f64> = BTreeMap::new();
            for (handle, key, what) in steps {
                let name = [handle / 3, handle];
                match what {
                    0 => { heap.remove(handle); keys.remove(&handle); }
                    1 => {
                        if let Some((key, first)) = heap.first() {
                            prop_assert_eq!(keys.remove(&first), Some(key));
                            heap.remove(first);
                        }
                    }
                    _ => { heap.set(handle, name, f64::from(key)); keys.insert(handle, f64::from(key)); }
                }
                let least = keys.iter().min_by(|x, y| x.1.total_cmp(y.1).then(x.0.cmp(y.0)));
                prop_assert_eq!(heap.first(), least.map(|(&handle, &key)| (key, handle)));
            }
        }
    }
}
