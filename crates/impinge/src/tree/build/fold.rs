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
//! three children: twice the nodes. Cost: 28 sums for each of the nodes that are no leaf, run by run of the binary
//! tree on all cores.

use super::binary::{Binary, BinaryKind, BinaryNode};
use crate::threads::share;
use crate::tree::nodes::{GRAIN, SERIAL, WIDTH};

/// Of a leaf, in units of opening a node.
const LEAF_COST: f32 = 0.5;

pub(crate) struct WideFold<'b> {
    binary: &'b Binary,
    width: usize,
    leaf: usize,
    /// The binary nodes before this one are primitives.
    inner: usize,
    /// For each later node that is no leaf: how many of `i + 1` slots its left child gets, or 0 where one slot less
    /// costs no more. The first entry is for the wide node itself, where all slots have to be shared out.
    lefts: Vec<[u8; WIDTH]>,
}

impl<'b> WideFold<'b> {
    /// With up to `width` ≥ 2 children a node and up to `leaf` primitives a leaf.
    pub(crate) fn new(binary: &'b Binary, width: usize, leaf: usize) -> WideFold<'b> {
        // In a tree with its root last, the first run of nodes is the primitives.
        let inner = binary.runs.first().copied().unwrap_or(0);
        let count = binary.nodes.len() - inner;
        let (mut costs, mut lefts) = (vec![[0.0; WIDTH]; count], vec![[0; WIDTH]; count]);
        let share = |n: usize, known: &Known<'_>| known.share(&binary.nodes, n, width, leaf);
        if binary.runs.is_empty() {
            for n in (0..count).rev() {
                let (_, after) = costs.split_at(n + 1);
                if let Some((cost, left)) = share(n, &Known { first: n + 1, costs: after }) {
                    (costs[n], lefts[n]) = (cost, left);
                }
            }
        }
        for run in binary.runs.windows(2) {
            let [begin, end] = [run[0] - inner, run[1] - inner];
            let (before, costs) = costs[..end].split_at_mut(begin);
            let known = Known { first: inner, costs: before };
            let fill = |chunk: usize, (costs, lefts): (&mut [_], &mut [_])| {
                for (k, (cost, left)) in costs.iter_mut().zip(lefts).enumerate() {
                    if let Some(shared) = share(run[0] + chunk * GRAIN + k, &known) {
                        (*cost, *left) = shared;
                    }
                }
            };
            let lefts = &mut lefts[begin..end];
            if costs.len() > SERIAL {
                share::each_piece(costs.chunks_mut(GRAIN).zip(lefts.chunks_mut(GRAIN)), fill);
            } else {
                fill(0, (costs, lefts));
            }
        }
        WideFold { binary, width, leaf, inner, lefts }
    }

    pub(crate) fn binary(&self) -> &'b Binary {
        self.binary
    }

    /// Whether a binary node is a leaf of the wide tree.
    pub(crate) fn is_leaf(&self, n: u32) -> bool {
        self.count(n) <= self.leaf
    }

    /// Primitives below a binary node.
    pub(crate) fn count(&self, n: u32) -> usize {
        self.binary.nodes[n as usize].count as usize
    }

    /// The binary nodes that make up the wide node of `root`, which is no leaf, from left to right.
    pub(crate) fn children(&self, root: u32) -> ([u32; WIDTH], usize) {
        let (mut children, mut len) = ([root; WIDTH], 0);
        let BinaryKind::Inner([left, right]) = self.binary.nodes[root as usize].kind else { return (children, len) };
        let slots = self.lefts[root as usize - self.inner][0];
        let mut stack = [(right, self.width as u8 - slots); WIDTH];
        stack[1] = (left, slots);
        let mut count = 2;
        while count > 0 {
            count -= 1;
            let (n, mut slots) = stack[count];
            let lefts = if self.is_leaf(n) { &[0; WIDTH] } else { &self.lefts[n as usize - self.inner] };
            while slots > 1 && lefts[usize::from(slots) - 1] == 0 {
                slots -= 1;
            }
            match self.binary.nodes[n as usize].kind {
                BinaryKind::Inner([left, right]) if slots > 1 => {
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

/// `C(n, 1 ..= 8)` of the binary nodes from `first` on; those of leaves are not stored.
struct Known<'c> {
    first: usize,
    costs: &'c [[f32; WIDTH]],
}

impl Known<'_> {
    #[inline(always)]
    fn cost(&self, nodes: &[BinaryNode], n: u32, leaf: usize) -> [f32; WIDTH] {
        let node = &nodes[n as usize];
        if node.count as usize > leaf {
            self.costs[n as usize - self.first]
        } else {
            [node.bounds.half_area() * LEAF_COST; WIDTH]
        }
    }

    /// The costs of a node whose children are known, and the slots of its left one; `None` of a leaf.
    #[inline(always)]
    fn share(&self, nodes: &[BinaryNode], n: usize, width: usize, leaf: usize) -> Option<([f32; WIDTH], [u8; WIDTH])> {
        let node = &nodes[n];
        let BinaryKind::Inner([left, right]) = node.kind else { return None };
        if node.count as usize <= leaf {
            return None;
        }
        let (l, r) = (self.cost(nodes, left, leaf), self.cost(nodes, right, leaf));
        let (mut cost, mut lefts) = ([0.0; WIDTH], [0; WIDTH]);
        let split = |slots: usize| {
            (1..slots).fold((f32::INFINITY, 1), |best, k| {
                let cost = l[k - 1] + r[slots - k - 1];
                if cost < best.0 { (cost, k as u8) } else { best }
            })
        };
        let all = split(width);
        (cost[0], lefts[0]) = (node.bounds.half_area() + all.0, all.1);
        for slots in 2..=width {
            let (with, at) = if slots < width { split(slots) } else { all };
            let fewer = cost[slots - 2];
            (cost[slots - 1], lefts[slots - 1]) = if with < fewer { (with, at) } else { (fewer, 0) };
        }
        Some((cost, lefts))
    }
}
