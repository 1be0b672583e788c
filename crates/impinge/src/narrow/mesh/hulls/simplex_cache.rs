//! The simplices that GJK last ended with, by the pair of hulls that it was run on.
//!
//! P. Xavier, *Fast Swept-Volume Distance for Robust Collision Detection*, 1997, A (5), after E. Gilbert, D. Johnson
//! and S. Keerthi, 1988: a simplex found for two hulls starts the next run on them. The cache is
//! two-way set-associative: the entry of a pair lies in one set of two, and a new entry replaces the one of the two
//! that was used longer ago.
//!
//! An entry takes 28 bytes, with vertices named by 16 bits, and there are at most [`MOST`]. A name that does not fit,
//! or that was made for other hulls, does no harm: GJK may start from any points of the two hulls.

/// Most entries.
const MOST: usize = 1 << 14;

#[derive(Debug, Clone, Copy)]
struct Entry {
    pair: [u32; 2],
    names: [[u16; 2]; 4],
    count: u32,
}

const NOBODY: Entry = Entry { pair: [u32::MAX; 2], names: [[0; 2]; 4], count: 0 };

/// One to four points of a difference, by their names.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SimplexNames {
    names: [[u32; 2]; 4],
    count: usize,
}

impl SimplexNames {
    pub(crate) fn of(names: &[[u32; 2]; 4], count: usize) -> SimplexNames {
        SimplexNames { names: *names, count: count.min(4) }
    }

    pub(crate) fn as_slice(&self) -> &[[u32; 2]] {
        &self.names[..self.count]
    }
}

/// The cache. It takes no memory until something is put into it.
#[derive(Debug, Clone, Default)]
pub(crate) struct SimplexCache {
    /// In each set the entry that was used last comes first.
    sets: Vec<[Entry; 2]>,
    /// How many sets a cache for the trees of this query needs.
    wanted: usize,
    /// Whether the entries are out of date and must not be used.
    stale: bool,
}

impl SimplexCache {
    /// A query begins on trees with so many hulls.
    pub(crate) fn open(&mut self, hulls: usize) {
        self.wanted = (2 * hulls).clamp(64, MOST).next_power_of_two() / 2;
    }

    pub(crate) fn forget(&mut self) {
        self.stale = true;
    }

    fn make_room(&mut self) {
        if self.sets.len() < self.wanted {
            self.sets = vec![[NOBODY; 2]; self.wanted];
        } else if self.stale {
            self.sets.fill([NOBODY; 2]);
        }
        self.stale = false;
    }

    /// What is remembered of the pair; no names where nothing is.
    pub(crate) fn get(&self, pair: [u32; 2]) -> SimplexNames {
        let set = self.sets.get(place(pair, self.sets.len())).filter(|_| !self.stale);
        let entry = set.and_then(|set| set.iter().find(|entry| entry.pair == pair));
        entry.map_or(SimplexNames::default(), |e| SimplexNames {
            names: e.names.map(|n| n.map(u32::from)),
            count: e.count as usize,
        })
    }

    pub(crate) fn put(&mut self, pair: [u32; 2], simplex: &SimplexNames) {
        self.make_room();
        let at = place(pair, self.sets.len());
        let Some([first, second]) = self.sets.get_mut(at) else { return };
        if first.pair != pair {
            *second = *first;
        }
        let short = |name: u32| name.min(u32::from(u16::MAX)) as u16;
        *first = Entry { pair, names: simplex.names.map(|n| n.map(short)), count: simplex.count as u32 };
    }
}

/// The place of a pair in a table with a number of places that is a power of two.
#[inline(always)]
pub(crate) fn place([a, b]: [u32; 2], places: usize) -> usize {
    let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) as usize >> 20 & places.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_the_last_two_of_a_place() {
        let mut cache = SimplexCache::default();
        cache.put([1, 2], &SimplexNames::of(&[[3, 4]; 4], 1));
        assert!(cache.get([1, 2]).as_slice().is_empty());
        cache.open(1);
        let [p, q, r] = {
            let of_one_place = |&n: &u32| place([n, 0], cache.wanted) == 5;
            let mut found = (0..10_000).filter(of_one_place);
            [found.next().unwrap(), found.next().unwrap(), found.next().unwrap()]
        };
        for n in [p, q, p, r] {
            cache.put([n, 0], &SimplexNames::of(&[[n, 70_000]; 4], 2));
        }
        assert_eq!(cache.get([p, 0]).as_slice(), [[p, 65_535]; 2]);
        assert_eq!(cache.get([r, 0]).as_slice().len(), 2);
        assert!(cache.get([q, 0]).as_slice().is_empty());
        cache.forget();
        assert!(cache.get([p, 0]).as_slice().is_empty());
        cache.put([r, 0], &SimplexNames::of(&[[1, 2]; 4], 1));
        assert!(cache.get([p, 0]).as_slice().is_empty() && cache.get([r, 0]).as_slice() == [[1, 2]]);
    }

    #[test]
    fn entries_are_small() {
        assert_eq!(size_of::<Entry>(), 28);
    }
}
