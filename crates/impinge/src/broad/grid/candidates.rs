//! Pairs of fat boxes that meet: only their boxes can meet while no box leaves its fat box.
//!
//! The pairs are found by one sweep of the fat boxes, kept in the order of the rows, and compared in every frame: one
//! vector operation for each pair, over boxes that lie near each other in memory. The list is given up where it would
//! have more than [`MOST`] pairs for each box.
//!
//! On several threads candidates are compared a *wave* at a time, about as many as there are boxes: each [`TASK`] of
//! them has a slice of its own for the pairs that meet, which are then shown in order. Slices are kept from frame to
//! frame, 8 bytes for each box, so that a frame allocates nothing.

use super::grid_sweep::{sweep, wide};
use super::row::PairSink;
use super::row_grid::RowGrid;
use super::spatial_order::SpatialOrder;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::local::{ALL, CERTAIN, LocalBox, gaps};
use crate::math::simd::{F32x8, Kernel, Simd, Vector, dispatch};
use crate::threads::same_threads::SERIAL;
use crate::threads::same_threads::on_same_threads;
use crate::threads::share;

/// The most candidates for each box.
const MOST: usize = 6;
/// A number of candidates that is never too large.
const FEW: usize = 1 << 14;
/// The number of candidates that one thread compares at a time.
const TASK: usize = 1 << 10;
/// The least and the greatest number of tasks in a wave.
const WAVE: [usize; 2] = [8, 128];
/// The number of pairs collected before they are handed on.
const BATCH: usize = 128;

/// The pairs of one task that meet, by their slots.
type Slice = [[u32; 2]; TASK];

/// The candidates, as pairs of places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidates {
    pairs: Vec<[u32; 2]>,
    wave: Vec<Slice>,
}

impl Candidates {
    /// Finds all candidates. Returns how many boxes were compared, or `None` when there are too many candidates.
    pub(crate) fn find(
        &mut self,
        fat: &[LocalBox],
        rows: &RowGrid,
        places: &SpatialOrder,
        boxes: &Boxes,
    ) -> Option<u64> {
        let groups = rows.groups();
        let most = MOST * fat.len() + FEW;
        let parts: Vec<(Vec<[u32; 2]>, u64)> = share::results(groups.len() + rows.wide.len(), |task| {
            let mut near = Near { places, boxes, pairs: Vec::new(), most };
            let tests = match groups.get(task) {
                Some(group) => sweep(rows, group.clone(), fat, &mut near),
                None => wide(rows, task - groups.len(), fat, &mut near),
            };
            (near.pairs, tests)
        });
        let total: usize = parts.iter().map(|(pairs, _)| pairs.len()).sum();
        if total > most {
            self.forget();
            return None;
        }
        if self.pairs.capacity() < total || self.pairs.capacity() > 2 * total {
            self.pairs = Vec::with_capacity(total);
        }
        self.pairs.clear();
        parts.iter().for_each(|(pairs, _)| self.pairs.extend_from_slice(pairs));
        Some(parts.iter().map(|(_, tests)| tests).sum())
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Shows the candidates that meet; a stray is in none of them.
    pub(crate) fn compare(&mut self, places: &SpatialOrder, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        let mut show = |slice: &Slice, count: usize| {
            if count > 0 {
                visit(&slice[..count]);
            }
        };
        let few = places.len() <= SERIAL || self.pairs.len() <= SERIAL;
        if few || share::count() == 1 {
            let mut slice = [[0; 2]; TASK];
            for pairs in self.pairs.chunks(TASK) {
                let count = dispatch(Compare { pairs, places, boxes, slice: &mut slice });
                show(&slice, count);
            }
            return;
        }
        let tasks = places.len().div_ceil(TASK).clamp(WAVE[0], WAVE[1]);
        if self.wave.len() != tasks {
            self.wave = vec![[[0; 2]; TASK]; tasks];
        }
        for pairs in self.pairs.chunks(tasks * TASK) {
            let compare = |_, (pairs, slice): (_, &mut _)| dispatch(Compare { pairs, places, boxes, slice });
            let counts = on_same_threads(pairs.chunks(TASK).zip(&mut self.wave), compare);
            self.wave.iter().zip(&counts).for_each(|(slice, &count)| show(slice, count));
        }
    }

    pub(crate) fn forget(&mut self) {
        *self = Candidates::default();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pairs.capacity() * 8 + self.wave.capacity() * size_of::<Slice>()
    }
}

/// Pairs of fat boxes of bodies that may meet.
struct Near<'a> {
    places: &'a SpatialOrder,
    boxes: &'a Boxes,
    pairs: Vec<[u32; 2]>,
    most: usize,
}

impl PairSink for Near<'_> {
    #[inline(always)]
    fn pair<S: Simd>(&mut self, p: u32, q: u32) -> bool {
        let order = &self.places.order;
        if self.boxes.admits(order[p as usize], order[q as usize]) {
            self.pairs.push([p, q]);
        }
        self.pairs.len() <= self.most
    }
}

struct Compare<'a> {
    /// At most [`TASK`] pairs.
    pairs: &'a [[u32; 2]],
    places: &'a SpatialOrder,
    boxes: &'a Boxes,
    slice: &'a mut Slice,
}

impl Kernel for Compare<'_> {
    type Output = usize;

    /// How many pairs meet; these come first in the slice.
    #[inline(always)]
    fn run<S: Simd>(self) -> usize {
        let SpatialOrder { order, tight, .. } = self.places;
        let (touching, certain) = (S::F32x8::splat(0.0), S::F32x8::splat(-CERTAIN));
        let mut batch = [[0u32; 2]; BATCH];
        let mut met = 0;
        for pairs in self.pairs.chunks(BATCH) {
            let mut count = 0;
            for &[p, q] in pairs {
                let (p, q) = (p as usize, q as usize);
                let gaps = gaps::<S>(S::F32x8::load(&tight[p]), S::F32x8::load(&tight[q]));
                let (i, j) = (order[p], order[q]);
                // Half of the candidates meet, so a branch on that would be slow. Few of them are too close to decide
                // in `f32`.
                let mut meet = gaps.le(certain) == ALL;
                if meet != (gaps.le(touching) == ALL) {
                    meet = self.boxes.touch(i, j);
                }
                batch[count % BATCH] = [i.min(j), i.max(j)];
                count += usize::from(meet);
            }
            self.slice[met..met + count].copy_from_slice(&batch[..count]);
            met += count;
        }
        met
    }
}
