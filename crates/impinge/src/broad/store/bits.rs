//! Sets of slots, one bit each.

/// A set of numbers below a length.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Makes room for numbers below `length`; new ones are not in the set.
    pub(crate) fn grow(&mut self, length: usize) {
        if self.words.len() * 64 < length {
            self.words.resize(length.div_ceil(64), 0);
        }
    }

    #[inline(always)]
    pub(crate) fn contains(&self, i: usize) -> bool {
        self.words.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, i: usize) {
        if let Some(word) = self.words.get_mut(i / 64) {
            *word |= 1 << (i % 64);
        }
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, i: usize) {
        if let Some(word) = self.words.get_mut(i / 64) {
            *word &= !(1 << (i % 64));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }

    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(w, &word)| Members { word, base: w as u32 * 64 })
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

/// The members in one word.
struct Members {
    word: u64,
    base: u32,
}

impl Iterator for Members {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.word == 0 {
            return None;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(self.base + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_ascending() {
        let mut bits = Bits::default();
        bits.grow(200);
        for i in [199, 0, 63, 64, 65, 128] {
            bits.insert(i);
        }
        bits.insert(4000);
        bits.remove(65);
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 63, 64, 128, 199]);
        assert_eq!(bits.count(), 5);
        assert!(bits.contains(64) && !bits.contains(65) && !bits.contains(4000));
    }
}
