//! Keys of hash maps, cells and pairs, and the hash that spreads them.
//!
//! A word is mixed in by one multiplication to 128 bits whose halves are folded together; neighbours in space then lie
//! apart in the map. Keys are compared whole, so a bad draw costs time and no answer. Maps are never iterated, so their
//! order reaches nothing.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

pub(crate) type NumberMap<K> = HashMap<K, u32, BuildHasherDefault<FoldHasher>>;

/// Bytes on the heap, about: one place in eight is kept empty, and each place has one byte beside the key and value.
pub(crate) fn map_bytes<K>(map: &NumberMap<K>) -> usize {
    map.capacity() / 7 * 8 * (size_of::<(K, u32)>() + 1)
}

/// 2⁶⁴ over the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// A cell of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellKey {
    pub(crate) level: i32,
    pub(crate) at: [i32; 3],
}

impl Hash for CellKey {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let word = |high: i32, low: i32| u64::from(high as u32) << 32 | u64::from(low as u32);
        state.write_u64(word(self.level, self.at[0]));
        state.write_u64(word(self.at[1], self.at[2]));
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct FoldHasher(u64);

impl Default for FoldHasher {
    fn default() -> FoldHasher {
        FoldHasher(0x243f_6a88_85a3_08d3)
    }
}

impl Hasher for FoldHasher {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(MULTIPLIER);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
