//! Pairs of fat boxes that meet: the only ones that can meet while no box leaves its fat box.
//!
//! Found by one sweep of the fat boxes, kept in the order of the rows, and compared in every frame: one vector
//! operation a pair, over boxes that lie near each other in memory. The list is given up where it would have more than
//! [`MOST`] pairs a box.

use rayon::prelude::*;

use super::Boxes;
use super::grid_sweep::{sweep, wide};
use super::local::{ALL, CERTAIN, LocalBox, gaps};
use super::places::Places;
use super::row::Found;
use super::rows::Rows;
use super::stream::{Stream, in_order};
use crate::math::simd::{F32x8, Kernel, Simd, Vector, dispatch};

/// Candidates a box, at most.
const MOST: usize = 6;
/// Candidates that one thread compares at a time.
const TASK: usize = 1 << 14;
/// Pairs collected before they are handed on.
const BATCH: usize = 256;

/// Pairs of places.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pairs: Vec<[u32; 2]>,
}

impl Candidates {
    /// Finds all. Returns how many boxes were compared, or `None` when there are too many candidates.
    pub(super) fn find(&mut self, fat: &[LocalBox], rows: &Rows, places: &Places, boxes: &Boxes) -> Option<u64> {
        let groups = rows.groups();
        let most = MOST * fat.len() + TASK;
        let parts: Vec<(Vec<[u32; 2]>, u64)> = (0..groups.len() + rows.wide.len())
            .into_par_iter()
            .with_max_len(1)
            .map(|task| {
                let mut near = Near { places, boxes, pairs: Vec::new(), most };
                let tests = match groups.get(task) {
                    Some(group) => sweep(rows, group.clone(), fat, &mut near),
                    None => wide(rows, task - groups.len(), fat, &mut near),
                };
                (near.pairs, tests)
            })
            .collect();
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

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Shows the candidates that meet; strays do not.
    pub(super) fn compare(&self, places: &Places, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        in_order(self.pairs.len().div_ceil(TASK), visit, |task, out| {
            let pairs = &self.pairs[task * TASK..self.pairs.len().min((task + 1) * TASK)];
            dispatch(Compare { pairs, places, boxes, out });
        });
    }

    pub(super) fn forget(&mut self) {
        self.pairs = Vec::new();
    }

    pub(super) fn bytes(&self) -> usize {
        self.pairs.capacity() * 8
    }
}

/// Pairs of fat boxes of bodies that may meet.
struct Near<'a> {
    places: &'a Places,
    boxes: &'a Boxes,
    pairs: Vec<[u32; 2]>,
    most: usize,
}

impl Found for Near<'_> {
    #[inline(always)]
    fn pair<S: Simd>(&mut self, p: u32, q: u32) -> bool {
        let order = &self.places.order;
        if self.boxes.admits(order[p as usize], order[q as usize]) {
            self.pairs.push([p, q]);
        }
        self.pairs.len() <= self.most
    }
}

struct Compare<'a, 'b> {
    pairs: &'a [[u32; 2]],
    places: &'a Places,
    boxes: &'a Boxes,
    out: &'a mut Stream<'b>,
}

impl Kernel for Compare<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Places { order, tight, .. } = self.places;
        let (touching, certain) = (S::F32x8::splat(0.0), S::F32x8::splat(-CERTAIN));
        let mut batch = [[0u32; 2]; BATCH];
        for pairs in self.pairs.chunks(BATCH) {
            let mut count = 0;
            for &[p, q] in pairs {
                let (p, q) = (p as usize, q as usize);
                let gaps = gaps::<S>(S::F32x8::load(&tight[p]), S::F32x8::load(&tight[q]));
                let (i, j) = (order[p], order[q]);
                // Half of the candidates meet: no branch may hang on it. In doubt are few.
                let mut meet = gaps.le(certain) == ALL;
                if meet != (gaps.le(touching) == ALL) {
                    meet = self.boxes.touch(i, j);
                }
                batch[count % BATCH] = [i.min(j), i.max(j)];
                count += usize::from(meet);
            }
            self.out.extend(&batch[..count]);
        }
    }
}
