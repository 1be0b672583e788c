//! New boxes for a tree whose triangles have moved: bottom-up, the shape of the tree kept.
//!
//! After G. van den Bergen, *Efficient collision detection of complex deformable models using AABB trees*, JGT 2(4),
//! 1997: a box is the union of the boxes below it, children come after their parents in the array, and so one walk
//! backward refits them all. When neighbouring triangles move apart, the boxes of a tree that is only refitted grow and
//! overlap. How far that has gone is measured by what the boxes cost by area, as in the surface area heuristic,
//! compared with their cost when the tree was built. Beyond [`MOST_COST`] times that the caller should build another.
//! Departure: the whole tree is judged, not each subtree, and the centre and the unit are chosen anew every time, so
//! that boxes are what a build of this shape would have written, bit for bit.
//!
//! Invariant: every box contains the triangles below it, rounded outward, within ±1 of the new unit.
//!
//! Cost: one pass over the corners, in parallel for large trees, and one over the nodes, a twentieth as many.

use super::wide::write_box;
use crate::bound::{Aabb, Box32};
use crate::prim::Triangle;
use crate::threads::share;
use crate::tree::nodes::{GRAIN, Leaf, NOWHERE, SERIAL, Tree, TreeNode, WIDTH, own_units};

/// How many times the cost at the time of its building a tree may reach.
const MOST_COST: f64 = 1.5;

impl Tree {
    /// Fits all boxes to where the triangles are now; `bounds` is the box around them all.
    pub(crate) fn refit(&mut self, bounds: &Aabb, triangle: impl Fn(u32) -> Triangle + Sync) {
        let (centre, scale) = own_units(bounds);
        (self.centre, self.unit) = (centre, scale.recip());
        let around = |leaf: Leaf| {
            let b = leaf.places().fold(Aabb::EMPTY, |b, place| {
                let [p, q, r] = triangle(place);
                Aabb { min: b.min.min(p.min(q).min(r)), max: b.max.max(p.max(q).max(r)) }
            });
            Box32::around((b.min - centre) * scale, (b.max - centre) * scale)
        };
        let leaves = |node: &mut TreeNode| fit_leaves(node, around);
        let mut boxes: Vec<Box32> = if self.nodes.len() * WIDTH > SERIAL {
            let some = |_, some: &mut [TreeNode]| some.iter_mut().map(leaves).collect::<Vec<_>>();
            share::each_piece(self.nodes.chunks_mut(GRAIN / WIDTH), some).concat()
        } else {
            self.nodes.iter_mut().map(leaves).collect()
        };
        for n in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[n];
            for k in 0..WIDTH {
                if node.half[0][k] != NOWHERE && node.child[k].as_leaf().is_none() {
                    let below = boxes[node.child[k].index()];
                    write_box(node, k, &below);
                    boxes[n] = boxes[n].union(&below);
                }
            }
        }
    }

    /// Whether the boxes have grown so much since the tree was built that another one would pay.
    pub(crate) fn is_worth_rebuilding(&self) -> bool {
        cost(&self.nodes) > MOST_COST * self.built_cost
    }

    /// Whether both trees have the same nodes over the same leaves, whatever their boxes.
    pub(crate) fn has_shape_of(&self, other: &Tree) -> bool {
        let same = |(x, y): (&TreeNode, &TreeNode)| x.child == y.child;
        self.nodes.len() == other.nodes.len() && self.nodes.iter().zip(&other.nodes).all(same)
    }
}

/// Fits the leaf boxes of a node; returns the box around them.
fn fit_leaves(node: &mut TreeNode, around: impl Fn(Leaf) -> Box32) -> Box32 {
    let mut all = Box32::EMPTY;
    for k in 0..WIDTH {
        if let (true, Some(leaf)) = (node.half[0][k] != NOWHERE, node.child[k].as_leaf()) {
            let b = around(leaf);
            write_box(node, k, &b);
            all = all.union(&b);
        }
    }
    all
}

/// Surface area of every box over that of the root's, leaves counted once for each triangle: the tests that a random
/// line through the root may expect.
pub(crate) fn cost(nodes: &[TreeNode]) -> f64 {
    let area = |node: &TreeNode, k: usize| {
        let [x, y, z] = node.slot(k).half.map(f64::from);
        x * y + y * z + z * x
    };
    let mut sum = 0.0;
    for node in nodes {
        for k in (0..WIDTH).filter(|&k| node.half[0][k] != NOWHERE) {
            sum += area(node, k) * node.child[k].as_leaf().map_or(1.0, |leaf| f64::from(leaf.count));
        }
    }
    // Boxes are rounded outward, so that not even that of a point is without area.
    nodes.first().map_or(0.0, |root| sum / area(root, 0))
}
