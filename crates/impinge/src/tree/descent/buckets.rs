//! A queue of open pairs by their bounds: the nearest next, up to some hundredths of the cut-off.
//!
//! A heap sorts all pairs that are put in, though most of them are never taken out: measured, it was a third of a
//! search for the distance of two meshes. Buckets of equal width between 0 and the cut-off at the start take and give a
//! pair in a few steps whatever their number. Within a bucket the last in is the first out, so that a few more pairs
//! are opened at the end, where the bounds differ by less than a bucket. When the cut-off has shrunk to a fraction,
//! what is left goes into narrower buckets.

const BUCKETS: usize = 1024;
const WORD: usize = 64;
const NONE: u32 = u32::MAX;
/// The buckets are made anew when the cut-off is this fraction of what it was.
const SHRUNK: usize = 8;

/// A pair of slots (node·8 + child) not yet opened, and its bound.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenPair<B> {
    pub(crate) bound: B,
    pub(crate) outer: u32,
    pub(crate) inner: u32,
}

#[cfg(test)]
impl<B> OpenPair<B> {
    pub(crate) fn new(bound: B) -> OpenPair<B> {
        OpenPair { bound, outer: 0, inner: 0 }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Buckets<B> {
    /// The pairs in all buckets, each with the place of the next in its own; places given back begin at `free`.
    links: Vec<(OpenPair<B>, u32)>,
    free: u32,
    /// The first in each bucket that is marked.
    first: [u32; BUCKETS],
    marked: [u64; BUCKETS / WORD],
    /// Which words of `marked` are not 0.
    words: u32,
    /// From bounds to buckets.
    scale: f64,
    /// Pairs that are being moved into narrower buckets.
    left: Vec<OpenPair<B>>,
}

impl<B: Copy + Into<f64>> Default for Buckets<B> {
    fn default() -> Self {
        let (first, marked) = ([NONE; BUCKETS], [0; BUCKETS / WORD]);
        Buckets { links: Vec::new(), free: NONE, first, marked, words: 0, scale: 0.0, left: Vec::new() }
    }
}

impl<B: Copy + Into<f64>> Buckets<B> {
    /// Empties the queue and spreads the buckets over the bounds up to the cut-off.
    pub(crate) fn start(&mut self, cutoff: B) {
        self.links.clear();
        (self.free, self.marked, self.words) = (NONE, [0; BUCKETS / WORD], 0);
        self.scale = BUCKETS as f64 / cutoff.into();
    }

    #[inline(always)]
    fn bucket(&self, bound: B) -> usize {
        ((bound.into() * self.scale) as usize).min(BUCKETS - 1)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, pair: OpenPair<B>) {
        let bucket = self.bucket(pair.bound);
        let (word, bit) = (bucket / WORD, 1 << (bucket % WORD));
        let next = if self.marked[word] & bit == 0 { NONE } else { self.first[bucket] };
        self.marked[word] |= bit;
        self.words |= 1 << word;
        let link = (pair, next);
        self.first[bucket] = self.free;
        match self.links.get_mut(self.free as usize) {
            Some(place) => (*place, self.free) = (link, place.1),
            None => {
                self.first[bucket] = self.links.len() as u32;
                self.links.push(link);
            }
        }
    }

    /// A pair of the lowest bucket, unless that bucket lies above the cut-off.
    #[inline(always)]
    pub(crate) fn pop(&mut self, cutoff: B) -> Option<OpenPair<B>> {
        if self.words == 0 {
            return None;
        }
        if cutoff.into() * self.scale < (BUCKETS / SHRUNK) as f64 {
            self.narrow(cutoff);
        }
        self.lowest(cutoff)
    }

    /// Sorts what is not beyond the cut-off into narrower buckets.
    #[cold]
    fn narrow(&mut self, cutoff: B) {
        let mut left = std::mem::take(&mut self.left);
        while let Some(pair) = self.lowest(cutoff) {
            left.push(pair);
        }
        self.start(cutoff);
        left.drain(..).rev().for_each(|pair| self.push(pair));
        self.left = left;
    }

    #[inline(always)]
    fn lowest(&mut self, cutoff: B) -> Option<OpenPair<B>> {
        if self.words == 0 {
            return None;
        }
        let word = self.words.trailing_zeros() as usize;
        let bucket = word * WORD + self.marked[word].trailing_zeros() as usize;
        if bucket > self.bucket(cutoff) {
            return None;
        }
        let place = self.first[bucket];
        let link = self.links.get_mut(place as usize)?;
        let (pair, next) = *link;
        link.1 = self.free;
        self.free = place;
        self.first[bucket] = next;
        if next == NONE {
            self.marked[word] &= self.marked[word] - 1;
            self.words &= !(u32::from(self.marked[word] == 0) << word);
        }
        Some(pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(queue: &mut Buckets<f64>, cutoff: f64) -> Vec<f64> {
        std::iter::from_fn(|| queue.pop(cutoff).map(|pair| pair.bound)).collect()
    }

    fn queue(cutoff: f64) -> Buckets<f64> {
        let mut queue = Buckets::default();
        queue.start(cutoff);
        // A permutation of 0 to 996 thousandths.
        (0..997).for_each(|k| queue.push(OpenPair::new(f64::from(k * 313 % 997) * 1e-3)));
        queue
    }

    #[test]
    fn all_come_out_and_nearly_in_order() {
        let out = bounds(&mut queue(4.0), 4.0);
        assert_eq!(out.len(), 997);
        assert!(out.windows(2).all(|w| w[0] < w[1] + 4.0 / 1024.0));
    }

    #[test]
    fn what_is_beyond_the_cut_off_stays() {
        let out = bounds(&mut queue(1.0), 0.5);
        assert!(out.len() >= 501 && out.iter().all(|&bound| bound < 0.5 + 1.0 / 1024.0));
    }

    #[test]
    fn a_shrunken_cut_off_narrows_the_buckets() {
        // In one bucket of this width all would come out last in first.
        let out = bounds(&mut queue(1e6), 1.0);
        assert_eq!(out.len(), 997);
        assert!(out.windows(2).all(|w| w[0] < w[1] + 1.0 / 1024.0));
        assert_eq!(bounds(&mut queue(1.0), 0.0), [0.0]);
        assert_eq!(bounds(&mut queue(f64::MAX), 1.0).len(), 997);
    }
}
