//! The triangles of the two leaves that a search is visiting, loaded and placed once for all tests on them.
//!
//! At a pair of leaves each triangle of `a` is tested against those of `b` four at a time: of `a` the planes are kept,
//! of `b` the corners in lanes. As a descent mostly goes on with one of the two leaves, each is kept until another leaf
//! of the same body replaces it.

use crate::prim::{Triangle, TriangleBlock, TrianglePlane};
use crate::tree::nodes::{LEAF, Leaf};

/// Where the triangles of two bodies come from, by their places in leaf order, in one frame and unit.
pub(crate) trait PlacedTriangles {
    /// A triangle of `a`.
    fn a_triangle(&self, place: u32) -> Triangle;

    /// A triangle of `b`.
    fn b_triangle(&self, place: u32) -> Triangle;
}

impl<T: PlacedTriangles> PlacedTriangles for &T {
    #[inline(always)]
    fn a_triangle(&self, place: u32) -> Triangle {
        (**self).a_triangle(place)
    }

    #[inline(always)]
    fn b_triangle(&self, place: u32) -> Triangle {
        (**self).b_triangle(place)
    }
}

/// The triangles of a leaf of `a` and of a leaf of `b`.
pub(crate) struct LeafBlocks<T> {
    pub(crate) triangles: T,
    /// Whether the outer tree is `b`'s.
    swapped: bool,
    /// First place of the leaf of `a`, and its triangles.
    at_a: u32,
    pub(crate) planes: [Option<TrianglePlane>; LEAF],
    /// First place of the leaf of `b`, and its triangles.
    at_b: u32,
    pub(crate) block: TriangleBlock,
}

/// The leaves that were loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadedLeaves {
    pub(crate) a: Leaf,
    pub(crate) b: Leaf,
    /// Whether the leaf of `b` is another than before.
    pub(crate) b_is_new: bool,
}

const NO_LEAF: u32 = u32::MAX;

impl<T: PlacedTriangles> LeafBlocks<T> {
    #[inline(always)]
    pub(crate) fn new(triangles: T, swapped: bool) -> LeafBlocks<T> {
        LeafBlocks {
            triangles,
            swapped,
            at_a: NO_LEAF,
            planes: [None; LEAF],
            at_b: NO_LEAF,
            block: TriangleBlock::EMPTY,
        }
    }

    /// Where the outer tree is `a`'s.
    #[inline(always)]
    pub(crate) fn in_order(triangles: T) -> LeafBlocks<T> {
        LeafBlocks::new(triangles, false)
    }

    /// Whether a leaf of `b` is loaded.
    #[inline(always)]
    pub(crate) fn has_b(&self) -> bool {
        self.at_b != NO_LEAF
    }

    /// Loads the triangles of two leaves, unless they are loaded already.
    #[inline(always)]
    pub(crate) fn load(&mut self, outer: Leaf, inner: Leaf) -> LoadedLeaves {
        let (a, b) = if self.swapped { (inner, outer) } else { (outer, inner) };
        let b_is_new = self.at_b != b.first;
        if b_is_new {
            self.at_b = b.first;
            self.block.clear();
            for place in b.places() {
                self.block.push(&self.triangles.b_triangle(place));
            }
        }
        if self.at_a != a.first {
            self.at_a = a.first;
            for (k, plane) in self.planes.iter_mut().enumerate() {
                let place = a.first + k as u32;
                *plane = if place < a.first + a.count {
                    Some(TrianglePlane::of(&self.triangles.a_triangle(place)))
                } else {
                    None
                };
            }
        }
        LoadedLeaves { a, b, b_is_new }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use glam::DVec3;

    use super::*;

    /// Triangles of `a` in one row, those of `b` in another; counts how many are loaded.
    struct Rows(Cell<u32>);

    fn in_row(place: u32, y: f64) -> Triangle {
        let at = DVec3::new(f64::from(place), y, 0.0);
        [at, at + DVec3::X, at + DVec3::Y]
    }

    impl PlacedTriangles for Rows {
        fn a_triangle(&self, place: u32) -> Triangle {
            self.0.set(self.0.get() + 1);
            in_row(place, 0.0)
        }

        fn b_triangle(&self, place: u32) -> Triangle {
            self.0.set(self.0.get() + 1);
            in_row(place, 5.0)
        }
    }

    #[test]
    fn leaves_are_kept_until_others_come() {
        let leaf = |first, count| Leaf { first, count };
        for swapped in [false, true] {
            let mut blocks = LeafBlocks::new(Rows(Cell::new(0)), swapped);
            assert!(!blocks.has_b());
            // What comes from the outer and the inner tree, whether the leaf of `b` is new, and how many triangles were
            // loaded.
            let [p, q, r] = [leaf(0, 4), leaf(4, 2), leaf(6, 3)];
            for (a, b, b_is_new, asked) in [(p, q, true, 6), (p, q, false, 6), (r, q, false, 9), (r, p, true, 13)] {
                let loaded = if swapped { blocks.load(b, a) } else { blocks.load(a, b) };
                assert_eq!((loaded.a, loaded.b, loaded.b_is_new, blocks.has_b()), (a, b, b_is_new, true));
                assert_eq!(blocks.triangles.0.get(), asked);
                for (k, place) in b.places().enumerate() {
                    assert_eq!(blocks.block.triangle(k), in_row(place, 5.0));
                }
                let planes: Vec<_> = blocks.planes.iter().flatten().map(|plane| *plane.triangle()).collect();
                assert_eq!(planes, a.places().map(|place| in_row(place, 0.0)).collect::<Vec<_>>());
            }
        }
    }
}
