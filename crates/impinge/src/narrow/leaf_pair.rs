//! The triangles of a pair of leaves, placed and scaled, kept for the next pair where that shares a leaf.

use super::Placed;
use crate::prim::{Block, Plane};
use crate::tree::{LEAF, Leaf};

const NO_LEAF: u32 = u32::MAX;

/// The triangles of a leaf of `a`, one by one, and those of a leaf of `b`, side by side.
#[derive(Debug)]
pub(super) struct LeafPair {
    at_a: u32,
    pub(super) planes: [Option<Plane>; LEAF],
    at_b: u32,
    pub(super) block: Block,
}

impl LeafPair {
    pub(super) const NONE: LeafPair =
        LeafPair { at_a: NO_LEAF, planes: [None; LEAF], at_b: NO_LEAF, block: Block::EMPTY };

    /// Loads the leaves that are not there already; tells whether that of `b` is new.
    #[inline(always)]
    pub(super) fn load(&mut self, placed: &Placed<'_>, a: Leaf, b: Leaf) -> bool {
        if self.at_a != a.first {
            self.at_a = a.first;
            for (k, plane) in self.planes.iter_mut().enumerate() {
                let place = a.first + k as u32;
                *plane = (place < a.first + a.count).then(|| Plane::of(&placed.a_triangle(place)));
            }
        }
        let new = self.at_b != b.first;
        if new {
            self.at_b = b.first;
            self.block.fill((b.first..b.first + b.count).map(|place| placed.b_triangle(place)));
        }
        new
    }
}
