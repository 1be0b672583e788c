//! Which nodes of a binary tree become the children of a wide one: the fold that costs least.
//!
//! H. Ylitie, T. Karras and S. Laine, *Efficient incoherent ray traversal on GPUs through compressed wide BVHs*, HPG
//! 2017, §3.1. With the surface area `A(n)` for the chance that a node is met, a wide node costs `A(n)` to open and a
//! leaf `A(n)` times [`LEAF_COST`] to look at, however many triangles it has, up to four: they are tested together.
//! Let `C(n, i)` be the least cost of the subtree of `n` in up to `i` slots of the wide node above:
//!
//! ```text
//!     C(n, 1) = A(n)·LEAF_COST                   of a leaf
//!     C(n, 1) = A(n) + D(n, 8)                   of a node that becomes a wide one
//!     D(n, i) = min_k C(left, k) + C(right, i − k)
//!     C(n, i) = min(D(n, i), C(n, i − 1))
//! ```
//!
//! Opening the child of largest area instead, until the slots are full, leaves most of the lowest nodes with two or
//! three children: twice the nodes. Cost: 28 sums for each of the nodes that are no leaf.

use super::WIDTH;
use super::binary::{Binary, Kind};

/// Of a leaf, in units of opening a node.
const LEAF_COST: f32 = 0.5;

pub(super) struct Fold<'b> {
    binary: &'b Binary,
    width: usize,
    leaf: usize,
    /// `C(n, 1 ..= 8)` of the binary nodes that are no leaf.
    costs: Vec<[f32; WIDTH]>,
    /// Slots of the left child of such a node where `i + 1` are shared out, 0 where one slot less is as good; first
    /// those of the wide node itself, where all have to be.
    lefts: Vec<[u8; WIDTH]>,
}

impl<'b> Fold<'b> {
    /// With up to `width` ≥ 2 children a node and up to `leaf` primitives a leaf.
    pub(super) fn new(binary: &'b Binary, width: usize, leaf: usize) -> Fold<'b> {
        let count = binary.nodes.len();
        let mut fold = Fold { binary, width, leaf, costs: vec![[0.0; WIDTH]; count], lefts: vec![[0; WIDTH]; count] };
        if binary.root == 0 {
            (0..count).rev().for_each(|n| fold.share(n));
        } else {
            (0..count).for_each(|n| fold.share(n));
        }
        fold
    }

    fn cost(&self, n: u32) -> [f32; WIDTH] {
        let node = &self.binary.nodes[n as usize];
        if node.count as usize > self.leaf {
            self.costs[n as usize]
        } else {
            [node.bounds.half_area() * LEAF_COST; WIDTH]
        }
    }

    fn share(&mut self, n: usize) {
        let node = &self.binary.nodes[n];
        let Kind::Inner([left, right]) = node.kind else { return };
        if node.count as usize <= self.leaf {
            return;
        }
        let (l, r) = (self.cost(left), self.cost(right));
        let (cost, lefts) = (&mut self.costs[n], &mut self.lefts[n]);
        let split = |slots: usize| {
            (1..slots).fold((f32::INFINITY, 1), |best, k| {
                let cost = l[k - 1] + r[slots - k - 1];
                if cost < best.0 { (cost, k as u8) } else { best }
            })
        };
        let all = split(self.width);
        (cost[0], lefts[0]) = (node.bounds.half_area() + all.0, all.1);
        for slots in 2..=self.width {
            let (with, at) = if slots < self.width { split(slots) } else { all };
            let fewer = cost[slots - 2];
            (cost[slots - 1], lefts[slots - 1]) = if with < fewer { (with, at) } else { (fewer, 0) };
        }
    }

    /// The binary nodes that make up the wide node of `root`, which is no leaf, from left to right.
    pub(super) fn children(&self, root: u32) -> ([u32; WIDTH], usize) {
        let (mut children, mut len) = ([root; WIDTH], 0);
        let Kind::Inner([left, right]) = self.binary.nodes[root as usize].kind else { return (children, len) };
        let slots = self.lefts[root as usize][0];
        let mut stack = [(right, self.width as u8 - slots); WIDTH];
        stack[1] = (left, slots);
        let mut count = 2;
        while count > 0 {
            count -= 1;
            let (n, mut slots) = stack[count];
            let lefts = &self.lefts[n as usize];
            while slots > 1 && lefts[usize::from(slots) - 1] == 0 {
                slots -= 1;
            }
            match self.binary.nodes[n as usize].kind {
                Kind::Inner([left, right]) if slots > 1 => {
                    let at = lefts[usize::from(slots) - 1];
                    (stack[count], stack[count + 1]) = ((right, slots - at), (left, at));
                    count += 2;
                }
                _ => {
                    children[len] = n;
                    len += 1;
                }
            }
        }
        (children, len)
    }
}
