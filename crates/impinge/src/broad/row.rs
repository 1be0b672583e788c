//! One row of the grid: sorted along it, swept, eight boxes at a time.
//!
//! Sort-and-sweep: boxes in the order in which they begin along the row; each is compared with those that begin before
//! it ends. The sort is by buckets, about two boxes each, and insertion within; where that moves boxes too far (few
//! buckets have them all) a comparison sort does it. Linear for boxes spread evenly, O(m log m) for any; the sweep takes
//! as many steps as boxes overlap along the row, over eight.

use std::sync::atomic::Ordering;

use super::local::LocalBox;
use super::rows::Rows;
use crate::math::simd::{F32x8, Simd, Vector};

const WIDTH: usize = 8;
/// Steps per box of the insertion sort before it gives up.
const SHIFTS: usize = 8;

/// The boxes in one row, sorted, coordinate by coordinate, with [`WIDTH`] more at the end that begin nowhere.
#[derive(Debug, Default)]
pub(super) struct Row {
    keys: Vec<u64>,
    sorted: Vec<u64>,
    next: Vec<u32>,
    /// The place of each box, and whether it begins in this row: bit 0 on the first axis across, bit 1 on the second.
    place: Vec<u32>,
    home: Vec<u8>,
    low: [Vec<f32>; 3],
    high: [Vec<f32>; 3],
}

/// What becomes of the pairs.
pub(super) trait Found {
    /// Two places whose local boxes meet. `false` ends the search.
    fn pair<S: Simd>(&mut self, p: u32, q: u32) -> bool;
}

impl Row {
    /// Takes in a row.
    #[inline(always)]
    pub(super) fn fill(&mut self, rows: &Rows, row: usize, boxes: &[LocalBox]) {
        let entries = rows.entries(row);
        let [x, y, z] = rows.axes;
        self.keys.clear();
        self.keys.extend(entries.iter().map(|entry| {
            let place = entry.load(Ordering::Relaxed);
            u64::from(rising(boxes[place as usize][x])) << 32 | u64::from(place)
        }));
        self.sort(rows);
        let m = self.sorted.len();
        let at = rows.coordinates(row);
        self.place.clear();
        self.home.clear();
        for lanes in self.low.iter_mut().chain(&mut self.high) {
            lanes.resize(m + WIDTH, 0.0);
        }
        let ([low_x, low_y, low_z], [high_x, high_y, high_z]) = (&mut self.low, &mut self.high);
        let (low_x, low_y, low_z) = (&mut low_x[..m], &mut low_y[..m], &mut low_z[..m]);
        let (high_x, high_y, high_z) = (&mut high_x[..m], &mut high_y[..m], &mut high_z[..m]);
        for (k, &key) in self.sorted.iter().enumerate() {
            let place = key as u32;
            let b = &boxes[place as usize];
            (low_x[k], low_y[k], low_z[k]) = (b[x], b[y], b[z]);
            (high_x[k], high_y[k], high_z[k]) = (-b[x + 4], -b[y + 4], -b[z + 4]);
            self.place.push(place);
            let home = |i: usize, low: f32| u8::from(rows.across[i].of(low) == at[i]) << i;
            self.home.push(home(0, b[y]) | home(1, b[z]));
        }
        self.low.iter_mut().for_each(|lanes| lanes[m..].fill(f32::INFINITY));
        self.high.iter_mut().for_each(|lanes| lanes[m..].fill(f32::NEG_INFINITY));
    }

    /// Sorts the keys by where boxes begin, those that begin together by place.
    #[inline(always)]
    fn sort(&mut self, rows: &Rows) {
        let m = self.keys.len();
        let buckets = (m / 2).next_power_of_two();
        let along = rows.along.into_pieces(buckets);
        self.next.clear();
        self.next.resize(buckets + 1, 0);
        for &key in &self.keys {
            self.next[along.of(falling_back((key >> 32) as u32)) as usize + 1] += 1;
        }
        for b in 0..buckets {
            self.next[b + 1] += self.next[b];
        }
        self.sorted.clear();
        self.sorted.resize(m, 0);
        for &key in &self.keys {
            let bucket = along.of(falling_back((key >> 32) as u32)) as usize;
            self.sorted[self.next[bucket] as usize] = key;
            self.next[bucket] += 1;
        }
        let mut left = SHIFTS * m;
        for i in 1..m {
            let key = self.sorted[i];
            let mut j = i;
            while j > 0 && self.sorted[j - 1] > key {
                self.sorted[j] = self.sorted[j - 1];
                j -= 1;
            }
            self.sorted[j] = key;
            left = left.saturating_sub(i - j);
            if left == 0 {
                return self.sorted.sort_unstable();
            }
        }
    }

    /// Sweeps. Returns how many boxes were compared, and whether the search goes on.
    #[inline(always)]
    pub(super) fn sweep<S: Simd, F: Found>(&self, found: &mut F) -> (u64, bool) {
        let ([low_x, low_y, low_z], [high_x, high_y, high_z]) = (&self.low, &self.high);
        let mut tests = 0;
        for i in 0..self.place.len() {
            let (end, home) = (S::F32x8::splat(high_x[i]), self.home[i]);
            let (a_low_y, a_high_y) = (S::F32x8::splat(low_y[i]), S::F32x8::splat(high_y[i]));
            let (a_low_z, a_high_z) = (S::F32x8::splat(low_z[i]), S::F32x8::splat(high_z[i]));
            let mut j = i + 1;
            loop {
                let begun = load::<S>(low_x, j).le(end);
                let mut meet = begun
                    & load::<S>(low_y, j).le(a_high_y)
                    & a_low_y.le(load::<S>(high_y, j))
                    & load::<S>(low_z, j).le(a_high_z)
                    & a_low_z.le(load::<S>(high_z, j));
                while meet != 0 {
                    let k = j + meet.trailing_zeros() as usize;
                    meet &= meet - 1;
                    if home | self.home[k] == 3 && !found.pair::<S>(self.place[i], self.place[k]) {
                        return (tests, false);
                    }
                }
                tests += WIDTH as u64;
                j += WIDTH;
                if begun != 0xff {
                    break;
                }
            }
        }
        (tests, true)
    }
}

#[inline(always)]
fn load<S: Simd>(from: &[f32], at: usize) -> S::F32x8 {
    let mut lanes = [0.0; WIDTH];
    lanes.copy_from_slice(&from[at..at + WIDTH]);
    S::F32x8::load(&lanes)
}

/// A number that rises with `x`.
#[inline(always)]
fn rising(x: f32) -> u32 {
    let bits = x.to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
}

/// The float again.
#[inline(always)]
fn falling_back(key: u32) -> f32 {
    let mask = if key >> 31 == 1 { 1 << 31 } else { u32::MAX };
    f32::from_bits(key ^ mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_rise_with_floats() {
        let floats = [f32::NEG_INFINITY, -2.0, -1e-40, 0.0, 1e-40, 1.0, 3.0, f32::INFINITY];
        assert!(floats.windows(2).all(|w| rising(w[0]) < rising(w[1])));
        assert!(floats.iter().all(|&x| falling_back(rising(x)) == x));
    }
}
