//! The order of boxes along the Morton curve.
//!
//! G. M. Morton, 1966: the bits of the three coordinates, taken in turn, make one number, and what lies near each other
//! mostly has numbers near each other. Codes have 21 bits an axis, so that one triangle far out does not put all others
//! in one cell.
//!
//! They are sorted by their first 36 bits, digit by digit from the last, with the index behind in the same word; the
//! few that share those bits are then sorted by the rest. Cost: three passes over the words.

use crate::bound::Box32;
use crate::threads::share;
use crate::tree::nodes::{GRAIN, SERIAL};

/// Bits of an index, of a digit, and of all three digits. An index and the digits fill a word.
const INDEX: u32 = 28;
const DIGIT: u32 = 12;
const DIGITS: u32 = 3 * DIGIT;

/// Of a code.
const CODE: u32 = 63;

/// Fewer boxes are not worth three tables.
const FEW: usize = 1 << DIGIT;

const _: () = assert!(crate::tree::nodes::MAX_TRIANGLES <= 1 << INDEX && INDEX + DIGITS == 64);

/// The boxes' indices in the order of their centres along the curve; equal codes in the order given.
pub(crate) fn along_curve(boxes: &[Box32]) -> Vec<u32> {
    let codes: Vec<u64> = if boxes.len() > SERIAL {
        share::fill(0, boxes.len(), GRAIN, |k| code(&boxes[k]))
    } else {
        boxes.iter().map(code).collect()
    };
    let mut words: Vec<u64> = codes.iter().zip(0u64..).map(|(code, i)| code >> (CODE - DIGITS) << INDEX | i).collect();
    if words.len() < FEW {
        words.sort_unstable();
    } else {
        words = by_digits(words);
    }
    let index = |word: u64| (word & ((1 << INDEX) - 1)) as u32;
    for cell in words.chunk_by_mut(|x, y| x >> INDEX == y >> INDEX) {
        if cell.len() > 1 {
            cell.sort_unstable_by_key(|&word| (codes[index(word) as usize], word));
        }
    }
    words.into_iter().map(index).collect()
}

/// Sorts words whose indices ascend.
fn by_digits(mut words: Vec<u64>) -> Vec<u64> {
    let digit = |word: u64, pass: usize| (word >> (INDEX + DIGIT * pass as u32)) as usize & ((1 << DIGIT) - 1);
    let mut starts = vec![[0u32; 3]; 1 << DIGIT];
    for &word in &words {
        for pass in 0..3 {
            starts[digit(word, pass)][pass] += 1;
        }
    }
    let mut sums = [0; 3];
    for start in &mut starts {
        for pass in 0..3 {
            (start[pass], sums[pass]) = (sums[pass], sums[pass] + start[pass]);
        }
    }
    let mut sorted = vec![0; words.len()];
    for pass in 0..3 {
        for &word in &words {
            let at = &mut starts[digit(word, pass)][pass];
            sorted[*at as usize] = word;
            *at += 1;
        }
        std::mem::swap(&mut words, &mut sorted);
    }
    words
}

/// Centres lie within ±1, a little more by rounding.
fn code(b: &Box32) -> u64 {
    let grid = (b.double_centre() * 0.25 + 0.5) * (1 << 21) as f32;
    let [x, y, z] = grid.to_array().map(|g| spread((g as u64).min((1 << 21) - 1)));
    x << 2 | y << 1 | z
}

/// Puts two zero bits between the 21 bits of `x`.
fn spread(mut x: u64) -> u64 {
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3A;

    #[test]
    fn spread_interleaves() {
        assert_eq!(spread(0b1011), 0b1_000_001_001);
        assert_eq!(spread((1 << 21) - 1), 0x1249_2492_4924_9249);
    }

    /// The result is that of a sort by comparisons, for few and for many boxes, spread out, and so near each other that
    /// the digits are the same.
    #[test]
    fn digits_sort_as_comparisons_do() {
        for (count, size) in [(10, 1.0), (3000, 1.0), (20_000, 1.0), (20_000, 1e-3), (9000, 1e-5), (5000, 0.0)] {
            let mut seed = 7u32;
            let mut random = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
            };
            let boxes: Vec<Box32> = (0..count)
                .map(|_| {
                    let at = Vec3A::new(random(), random(), random()) * size + 0.25;
                    Box32 { min: at, max: at }
                })
                .collect();
            let mut expected: Vec<u32> = (0..count).collect();
            expected.sort_by_key(|&i| code(&boxes[i as usize]));
            assert_eq!(along_curve(&boxes), expected, "{count} {size}");
        }
    }
}
