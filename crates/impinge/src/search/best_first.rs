//! The queue of a best-first search: what is open, the least bound first.
//!
//! A best-first search divides a question (a pair of nodes, a stretch of time) into smaller ones, and keeps for each
//! one that is open a bound: no answer within it is better than that. It always divides the one with the least bound.
//! When one comes up that needs no division, its answer is the best of all: every other that is open has a bound that
//! is no better, and so has whatever it would be divided into. For the same reason the search may end as soon as the
//! least bound is no better than an answer that is known.
//!
//! The key of an entry is its bound, and whatever decides among equal bounds: `(LowerBound, u32)`, say, or
//! `(LowerBound, Reverse<u64>)` where the last that was put in comes first. A bound is a distance, or a time before
//! which nothing happens. Each search documents how many entries it divides before it gives up, because what it does
//! with those left differs.
//!
//! Invariant: [`BestFirst::pop`] returns an entry with the least key. Cost: a binary heap, `log n` moves of an entry.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A bound of a search. Ordered by [`f64::total_cmp`], so that no bound is ever left out of the order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LowerBound(pub(crate) f64);

impl PartialEq for LowerBound {
    fn eq(&self, other: &LowerBound) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for LowerBound {}

impl PartialOrd for LowerBound {
    fn partial_cmp(&self, other: &LowerBound) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for LowerBound {
    #[inline(always)]
    fn cmp(&self, other: &LowerBound) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// An entry, compared by its key alone.
#[derive(Debug, Clone, Copy)]
struct Entry<K, T> {
    key: K,
    open: T,
}

impl<K: Ord, T> PartialEq for Entry<K, T> {
    fn eq(&self, other: &Entry<K, T>) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: Ord, T> Eq for Entry<K, T> {}

impl<K: Ord, T> PartialOrd for Entry<K, T> {
    fn partial_cmp(&self, other: &Entry<K, T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord, T> Ord for Entry<K, T> {
    #[inline(always)]
    fn cmp(&self, other: &Entry<K, T>) -> Ordering {
        self.key.cmp(&other.key)
    }
}

/// What is open: entries of a key and of what is to be divided.
#[derive(Debug, Clone)]
pub(crate) struct BestFirst<K, T> {
    /// The standard heap gives the greatest first.
    heap: BinaryHeap<Reverse<Entry<K, T>>>,
}

impl<K: Ord, T> Default for BestFirst<K, T> {
    fn default() -> BestFirst<K, T> {
        BestFirst { heap: BinaryHeap::new() }
    }
}

impl<K: Ord, T> BestFirst<K, T> {
    /// Forgets all entries, and keeps their room.
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, key: K, open: T) {
        self.heap.push(Reverse(Entry { key, open }));
    }

    /// Takes out an entry with the least key.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<(K, T)> {
        self.heap.pop().map(|Reverse(Entry { key, open })| (key, open))
    }

    /// The least key.
    pub(crate) fn first_key(&self) -> Option<&K> {
        self.heap.peek().map(|Reverse(entry)| &entry.key)
    }

    /// Number of entries.
    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Takes out all entries, in no order.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = (K, T)> + use<K, T> {
        std::mem::take(&mut self.heap).into_iter().map(|Reverse(Entry { key, open })| (key, open))
    }
}

/// Made of a list in linear time.
impl<K: Ord, T> FromIterator<(K, T)> for BestFirst<K, T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> BestFirst<K, T> {
        BestFirst { heap: entries.into_iter().map(|(key, open)| Reverse(Entry { key, open })).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_comes_first_and_ties_go_by_the_rest_of_the_key() {
        let bounds = [3.0, -1.0, f64::INFINITY, 0.0, -0.0, 3.0, f64::NAN];
        let mut open: BestFirst<_, usize> =
            bounds.iter().enumerate().map(|(k, &bound)| ((LowerBound(bound), Reverse(k)), k)).collect();
        assert_eq!(open.first_key().map(|key| key.0.0), Some(-1.0));
        let order: Vec<usize> = std::iter::from_fn(|| open.pop()).map(|(_, k)| k).collect();
        assert_eq!(order, [1, 4, 3, 5, 0, 2, 6]);
    }

    #[test]
    fn what_is_left_is_taken_out_at_once() {
        let mut open = BestFirst::default();
        for k in 0..10u32 {
            open.push(LowerBound(f64::from(k * 7 % 10)), k);
        }
        assert_eq!(open.pop().map(|(_, k)| k), Some(0));
        let mut left: Vec<u32> = open.drain().map(|(_, k)| k).collect();
        left.sort_unstable();
        assert_eq!(left, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert!(open.pop().is_none());
    }
}
