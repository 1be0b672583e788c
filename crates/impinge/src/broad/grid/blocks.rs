//! A tree without pointers over boxes in spatial order: eight neighbours make a block, eight blocks a larger one.
//!
//! Built in one pass; it is as good as the order. It finds the boxes near the few that have left their fat boxes. Box
//! `k` of a level bounds boxes `8k .. 8k + 8` of the level below; the union of local boxes is the least in every lane.

use crate::broad::store::local::{LocalBox, NOWHERE, meets};
use crate::math::simd::{F32x8, Kernel, Simd, Vector, dispatch};

const WIDTH: usize = 8;

/// The blocks of all levels; level 0 bounds the boxes themselves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blocks {
    levels: Vec<Vec<LocalBox>>,
    /// The number of boxes that the blocks are made of.
    count: usize,
}

impl Blocks {
    /// Makes blocks of these boxes; boxes that are NaN are in none.
    pub(crate) fn build(&mut self, boxes: &[LocalBox]) {
        self.count = boxes.len();
        self.levels.clear();
        let mut below = boxes;
        while below.len() > WIDTH {
            let level = dispatch(Unite { below });
            self.levels.push(level);
            below = self.levels.last().map_or(&[], Vec::as_slice);
        }
    }

    /// Calls `found` for each box of `boxes` that meets `b`. Each box must lie in the one that the blocks were made of.
    /// Returns how many blocks and boxes were compared.
    #[inline(always)]
    pub(crate) fn search<S: Simd>(&self, boxes: &[LocalBox], b: &LocalBox, mut found: impl FnMut(usize)) -> u64 {
        // Blocks still to be opened: at most seven more for each of at most eleven levels.
        let mut open = [(0usize, 0usize); 96];
        let mut top = 1;
        open[0] = (self.levels.len(), 0);
        let mut tests = 0;
        while top > 0 {
            top -= 1;
            let (level, block) = open[top];
            let children = if level == 0 { &boxes[..self.count] } else { &self.levels[level - 1] };
            let (first, end) = (block * WIDTH, children.len().min(block * WIDTH + WIDTH));
            for child in (first..end).rev() {
                tests += 1;
                if !meets::<S>(b, &children[child]) {
                    continue;
                }
                if level == 0 {
                    found(child);
                } else {
                    open[top] = (level - 1, child);
                    top += 1;
                }
            }
        }
        tests
    }

    pub(crate) fn forget(&mut self) {
        *self = Blocks::default();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * size_of::<LocalBox>()).sum()
    }
}

struct Unite<'a> {
    below: &'a [LocalBox],
}

impl Kernel for Unite<'_> {
    type Output = Vec<LocalBox>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Vec<LocalBox> {
        let mut level = Vec::with_capacity(self.below.len().div_ceil(WIDTH));
        for block in self.below.chunks(WIDTH) {
            let mut union = S::F32x8::splat(f32::INFINITY);
            for b in block {
                // With the operands in this order the union does not change where `b` is NaN.
                union = S::F32x8::load(b).min(union);
            }
            let union = union.array();
            level.push(if union[0] == f32::INFINITY { NOWHERE } else { union });
        }
        level
    }
}
