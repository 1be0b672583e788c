//! Two trees of fat boxes, one of static and one of moving boxes: the choice for scenes in which little changes.
//!
//! A frame costs as much as changed: a box that stays in its fat box costs nothing; those that left make their leaves
//! grow, and the nodes above these are built anew ([`super::aabb_tree_build`]); new boxes are inserted one by one
//! ([`super::aabb_tree_insert`]). When one in [`FEW`] left, or the tree is too high, all of it is built anew. Pairs are
//! found by a traversal of the moving tree against itself and against the static one ([`super::aabb_tree_pairs`]), so
//! static boxes are never compared with each other. Robust against sizes and clusters of any kind: nothing is a grid.

use super::aabb_tree::{AabbTree, TALLEST};
use super::aabb_tree_pairs::tree_pairs;
use super::local::{Local, LocalBox};
use super::places::is_within;
use super::{Boxes, BroadPhase, Counts};
use crate::bound::Aabb;
use crate::math::simd::{F32x8, Kernel, Simd, Vector, dispatch};

/// Room on every side, as a part of the longest extent.
const MARGIN: f32 = 0.1;
/// One box in so many that left its fat box, and all is built anew.
const FEW: usize = 5;

/// Trees of static and of moving boxes.
#[derive(Debug)]
pub struct DynamicTree {
    local: Local,
    moving: AabbTree,
    fixed: AabbTree,
    seen: u64,
    counts: Counts,
}

impl Default for DynamicTree {
    fn default() -> DynamicTree {
        DynamicTree::new()
    }
}

impl DynamicTree {
    /// No boxes known.
    pub fn new() -> DynamicTree {
        let local = Local::of(&Aabb::EMPTY);
        let (moving, fixed) = (AabbTree::default(), AabbTree::default());
        DynamicTree { local, moving, fixed, seen: 0, counts: Counts::default() }
    }

    /// Builds both trees over all boxes.
    fn build(&mut self, boxes: &Boxes) {
        self.local = Local::of(&boxes.world());
        let local = self.local;
        let fat = |slot: u32| (slot, dispatch(Read { local, b: &boxes.all()[slot as usize] }).fat);
        self.moving.build(boxes.live().filter(|&slot| !boxes.is_static(slot)).map(fat));
        self.fixed.build(boxes.live().filter(|&slot| boxes.is_static(slot)).map(fat));
        self.counts.builds += 1;
    }

    /// Takes in one slot that changed. `false` when the world has to be measured.
    fn take_in(&mut self, slot: u32, boxes: &Boxes, left: &mut [usize; 2]) -> bool {
        let fixed = boxes.is_static(slot);
        if boxes.is_born(slot) || !boxes.is_live(slot) {
            // The slot may have had a box of the other kind.
            self.moving.remove(slot);
            self.fixed.remove(slot);
            if !boxes.is_live(slot) {
                return true;
            }
        }
        let read = dispatch(Read { local: self.local, b: &boxes.all()[slot as usize] });
        if !read.within {
            return false;
        }
        let tree = if fixed { &mut self.fixed } else { &mut self.moving };
        match tree.leaf_of(slot) {
            None => tree.insert(slot, read.fat),
            Some(leaf) if contains(&tree.bounds[leaf as usize], &read.tight) => return true,
            Some(leaf) => {
                left[usize::from(fixed)] += 1;
                tree.grow(leaf, read.fat);
            }
        }
        self.counts.moves += 1;
        true
    }
}

impl BroadPhase for DynamicTree {
    fn refresh(&mut self, boxes: &Boxes) {
        let continued = boxes.continues(self.seen);
        self.seen = boxes.frame();
        let mut left = [0; 2];
        // Many new boxes are not inserted one by one.
        let many = boxes.born().count() * FEW > boxes.len();
        if !continued || many || !boxes.changed().all(|slot| self.take_in(slot, boxes, &mut left)) {
            return self.build(boxes);
        }
        for (tree, left) in [&mut self.moving, &mut self.fixed].into_iter().zip(left) {
            if left * FEW > tree.count || tree.height() > TALLEST {
                let leaves = tree.leaf.iter().enumerate();
                let known = leaves.filter_map(|(slot, &leaf)| Some((slot as u32, *tree.bounds.get(leaf as usize)?)));
                let known: Vec<(u32, LocalBox)> = known.collect();
                tree.build(known.into_iter());
                self.counts.builds += 1;
            } else if left > 0 {
                tree.rebuild_grown();
            }
        }
    }

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.counts.nodes += tree_pairs(&self.moving, &self.moving, boxes, visit);
        self.counts.nodes += tree_pairs(&self.moving, &self.fixed, boxes, visit);
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        self.moving.bytes() + self.fixed.bytes()
    }
}

fn contains(outer: &LocalBox, inner: &LocalBox) -> bool {
    (0..8).all(|k| outer[k] <= inner[k])
}

/// A box as the trees know it.
struct AsRead {
    tight: LocalBox,
    fat: LocalBox,
    within: bool,
}

struct Read<'a> {
    local: Local,
    b: &'a Aabb,
}

impl Kernel for Read<'_> {
    type Output = AsRead;

    #[inline(always)]
    fn run<S: Simd>(self) -> AsRead {
        let tight = self.local.outward::<S>(self.b);
        let lanes = tight.array();
        let longest = (-lanes[0] - lanes[4]).max(-lanes[1] - lanes[5]).max(-lanes[2] - lanes[6]);
        let fat = tight.sub(S::F32x8::splat(MARGIN * longest)).array();
        AsRead { tight: lanes, fat, within: is_within::<S>(tight) }
    }
}
