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

/// For each binary node, `C(n, 1 ..= 8)`, and how the slots are shared out.
#[derive(Debug, Clone, Copy)]
struct Share {
    cost: [f32; WIDTH],
    /// Slots of the left child where `i + 1` are shared out; 0 where one slot less is as good.
    left: [u8; WIDTH],
    /// The same where they have to be: of the wide node itself.
    below: u8,
}

pub(super) struct Fold<'b> {
    binary: &'b Binary,
    width: usize,
    shares: Vec<Share>,
}

impl<'b> Fold<'b> {
    /// With up to `width` ≥ 2 children a node and up to `leaf` primitives a leaf.
    pub(super) fn new(binary: &'b Binary, width: usize, leaf: usize) -> Fold<'b> {
        let blank = Share { cost: [0.0; WIDTH], left: [0; WIDTH], below: 0 };
        let mut fold = Fold { binary, width, shares: vec![blank; binary.nodes.len()] };
        // Children first.
        let mut open = vec![(binary.root, false)];
        while let Some((n, ready)) = open.pop() {
            let node = &binary.nodes[n as usize];
            match node.kind {
                Kind::Inner([left, right]) if node.count as usize > leaf => {
                    if ready {
                        fold.shares[n as usize] = fold.share(n, left, right);
                    } else {
                        open.extend([(n, true), (left, false), (right, false)]);
                    }
                }
                _ => fold.shares[n as usize].cost = [node.bounds.half_area() * LEAF_COST; WIDTH],
            }
        }
        fold
    }

    fn share(&self, n: u32, left: u32, right: u32) -> Share {
        let (l, r) = (&self.shares[left as usize].cost, &self.shares[right as usize].cost);
        let mut share = Share { cost: [f32::INFINITY; WIDTH], left: [0; WIDTH], below: 0 };
        let split = |slots: usize| {
            (1..slots).fold((f32::INFINITY, 1), |best, k| {
                let cost = l[k - 1] + r[slots - k - 1];
                if cost < best.0 { (cost, k as u8) } else { best }
            })
        };
        let (below, at) = split(self.width);
        share.cost[0] = self.binary.nodes[n as usize].bounds.half_area() + below;
        share.below = at;
        for slots in 2..=self.width {
            let (cost, at) = split(slots);
            let fewer = share.cost[slots - 2];
            (share.cost[slots - 1], share.left[slots - 1]) = if cost < fewer { (cost, at) } else { (fewer, 0) };
        }
        share
    }

    /// The binary nodes that make up the wide node of `root`, which is no leaf, from left to right.
    pub(super) fn children(&self, root: u32) -> ([u32; WIDTH], usize) {
        let (mut children, mut len) = ([root; WIDTH], 0);
        let Kind::Inner([left, right]) = self.binary.nodes[root as usize].kind else { return (children, len) };
        let slots = self.shares[root as usize].below;
        let mut stack = [(right, self.width as u8 - slots); WIDTH];
        stack[1] = (left, slots);
        let mut count = 2;
        while count > 0 {
            count -= 1;
            let (n, mut slots) = stack[count];
            let share = &self.shares[n as usize];
            while slots > 1 && share.left[usize::from(slots) - 1] == 0 {
                slots -= 1;
            }
            match self.binary.nodes[n as usize].kind {
                Kind::Inner([left, right]) if slots > 1 => {
                    let at = share.left[usize::from(slots) - 1];
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
