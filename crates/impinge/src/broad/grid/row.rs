//! One row of the grid: put in order along it, swept, eight boxes at a time.
//!
//! Sort-and-sweep: each box is compared with those that begin after it and before it ends. Boxes are sorted only into
//! buckets along the row, about one box in each: a box is compared, on all three axes, with all that lie behind it up
//! to the bucket in which it ends. Of two boxes that meet, the later one in this order begins before the earlier ends,
//! so its bucket is not beyond that end's: no pair is missed.
//!
//! Where most boxes of a row are in few buckets (the world is uneven along it), buckets are made of their ranks
//! instead: they are sorted, O(m log m), and each is a bucket of its own. The sweep takes as many steps as boxes
//! overlap along the row, over eight.
//!
//! Nothing branches on whether two boxes meet, since no branch predictor can guess it: pairs are collected first.

use std::sync::atomic::Ordering;

use super::row_grid::{Cut, RowGrid};
use crate::broad::store::local::LocalBox;
use crate::math::simd::{F32x8, Simd, Vector, axes};

const WIDTH: usize = 8;
/// The most boxes in the fullest bucket before all boxes are sorted.
const FULLEST: u32 = 64;
/// The number of comparisons collected before the pairs in them are handed on.
const BATCH: usize = 256;

/// The boxes in one row, in order, coordinate by coordinate, with [`WIDTH`] more at the end that meet no other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    bucket: Vec<u32>,
    /// Where each bucket begins.
    offsets: Vec<u32>,
    next: Vec<u32>,
    /// The place of each box, and whether it begins in this row: bit 0 on the first axis across, bit 1 on the second.
    place: Vec<u32>,
    home: Vec<u8>,
    low: [Vec<f32>; 3],
    high: [Vec<f32>; 3],
    keys: Vec<(f32, u32)>,
}

/// Takes the pairs that are found.
pub(crate) trait PairSink {
    /// Two places whose local boxes meet. `false` ends the search.
    fn pair<S: Simd>(&mut self, p: u32, q: u32) -> bool;
}

/// Box `i` of a row meets those of boxes `j..j + 8` whose bits are set.
#[derive(Clone, Copy, Default)]
struct Meets {
    i: u32,
    j: u32,
    mask: u32,
}

impl Row {
    /// Reads a row.
    #[inline(always)]
    pub(crate) fn fill(&mut self, rows: &RowGrid, row: usize, boxes: &[LocalBox]) {
        let entries = rows.entries(row);
        let m = entries.len();
        let [x, y, z] = rows.axes;
        let along = rows.along.into_pieces(m.max(1));
        self.offsets.clear();
        self.offsets.resize(m + 2, 0);
        self.bucket.resize(m, 0);
        for (entry, bucket) in entries.iter().zip(&mut self.bucket) {
            *bucket = along.of(boxes[entry.load(Ordering::Relaxed) as usize][x]);
            self.offsets[*bucket as usize + 1] += 1;
        }
        let fullest = self.offsets.iter().copied().max().unwrap_or(0);
        let (cross, at) = (rows.across, rows.coordinates(row));
        if fullest > FULLEST {
            self.rank(entries.iter().map(|entry| entry.load(Ordering::Relaxed)), boxes, x);
        }
        for bucket in 0..=m {
            self.offsets[bucket + 1] += self.offsets[bucket];
        }
        self.next.clear();
        self.next.extend_from_slice(&self.offsets);
        self.place.resize(m, 0);
        self.home.resize(m + WIDTH, 0);
        for lanes in self.low.iter_mut().chain(&mut self.high) {
            lanes.resize(m + WIDTH, 0.0);
        }
        for (entry, &bucket) in entries.iter().zip(&self.bucket) {
            let place = entry.load(Ordering::Relaxed);
            let b = &boxes[place as usize];
            let next = &mut self.next[bucket as usize];
            let k = *next as usize;
            *next += 1;
            (self.low[0][k], self.low[1][k], self.low[2][k]) = (b[x], b[y], b[z]);
            (self.high[0][k], self.high[1][k], self.high[2][k]) = (-b[x + 4], -b[y + 4], -b[z + 4]);
            self.place[k] = place;
            self.home[k] = u8::from(cross[0].of(b[y]) == at[0]) | u8::from(cross[1].of(b[z]) == at[1]) << 1;
        }
        self.low.iter_mut().for_each(|lanes| lanes[m..].fill(f32::INFINITY));
        self.high.iter_mut().for_each(|lanes| lanes[m..].fill(f32::NEG_INFINITY));
        self.end_buckets(&along, fullest > FULLEST);
    }

    /// The bucket of each entry becomes its rank.
    #[inline(never)]
    fn rank(&mut self, entries: impl Iterator<Item = u32>, boxes: &[LocalBox], x: usize) {
        self.keys.clear();
        self.keys.extend(entries.enumerate().map(|(k, place)| (boxes[place as usize][x], k as u32)));
        self.keys.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (rank, &(_, k)) in self.keys.iter().enumerate() {
            self.bucket[k as usize] = rank as u32;
        }
        let m = self.bucket.len();
        self.offsets[0] = 0;
        self.offsets[1..=m].fill(1);
        self.offsets[m + 1] = 0;
    }

    /// For each box, in order, the first one that begins beyond the bucket in which it ends; the result is left in
    /// `bucket`.
    #[inline(always)]
    fn end_buckets(&mut self, along: &Cut, ranked: bool) {
        let m = self.place.len();
        let ([low, ..], [high, ..]) = (&self.low, &self.high);
        let low = &low[..m];
        for (&end, bucket) in high.iter().zip(&mut self.bucket) {
            *bucket = if ranked {
                low.partition_point(|&begin| begin <= end) as u32
            } else {
                self.offsets[along.of(end) as usize + 1]
            };
        }
    }

    /// Sweeps. Returns how many boxes were compared, and whether the search goes on.
    #[inline(always)]
    pub(crate) fn sweep<S: Simd, F: PairSink>(&self, found: &mut F) -> (u64, bool) {
        let ([low_x, low_y, low_z], [high_x, high_y, high_z]) = (&self.low, &self.high);
        let mut batch = [Meets::default(); BATCH];
        let (mut count, mut tests) = (0, 0);
        for i in 0..self.place.len() {
            let a_low = [low_x, low_y, low_z].map(|lanes| lanes[i]);
            let a_high = [high_x, high_y, high_z].map(|lanes| lanes[i]);
            let a_low = axes!(k => S::F32x8::splat(a_low[k]));
            let a_high = axes!(k => S::F32x8::splat(a_high[k]));
            let end = self.bucket[i] as usize;
            let mut j = i + 1;
            while j < end {
                let mask = load::<S>(low_x, j).le(a_high[0])
                    & a_low[0].le(load::<S>(high_x, j))
                    & load::<S>(low_y, j).le(a_high[1])
                    & a_low[1].le(load::<S>(high_y, j))
                    & load::<S>(low_z, j).le(a_high[2])
                    & a_low[2].le(load::<S>(high_z, j));
                batch[count % BATCH] = Meets { i: i as u32, j: j as u32, mask };
                count += usize::from(mask != 0);
                tests += WIDTH as u64;
                j += WIDTH;
                if count == BATCH {
                    if !self.hand_on::<S, F>(&batch, found) {
                        return (tests, false);
                    }
                    count = 0;
                }
            }
        }
        (tests, self.hand_on::<S, F>(&batch[..count], found))
    }

    /// Hands on the pairs that were found, each in the one row that is the first common one on both axes.
    #[inline(always)]
    fn hand_on<S: Simd, F: PairSink>(&self, batch: &[Meets], found: &mut F) -> bool {
        for &Meets { i, j, mask } in batch {
            let (place, home) = (self.place[i as usize], self.home[i as usize]);
            let mut left = mask;
            while left != 0 {
                let k = (j + left.trailing_zeros()) as usize;
                left &= left - 1;
                if home | self.home[k] == 3 && !found.pair::<S>(place, self.place[k]) {
                    return false;
                }
            }
        }
        true
    }
}

#[inline(always)]
fn load<S: Simd>(from: &[f32], at: usize) -> S::F32x8 {
    let mut lanes = [0.0; WIDTH];
    lanes.copy_from_slice(&from[at..at + WIDTH]);
    S::F32x8::load(&lanes)
}
