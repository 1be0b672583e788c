//! The leaves of a tree that a search may use, the cheapest boxes first.
//!
//! N. Roussopoulos, S. Kelley and F. Vincent, *Nearest neighbor queries*, SIGMOD 1995, for any measure: a search tells
//! the least cost of anything within a box (how far along a ray, how far from a point, how early), and what costs too
//! much by now. Depth first, eight boxes at a time, the cheapest of the eight before the others.
//!
//! Invariant: a leaf is passed over only if the bound of a box around it is above the limit. Cost: the nodes whose
//! bound is below the cost of the answer.

use smallvec::SmallVec;

use crate::math::simd::{F32x8, Simd};
use crate::tree::nodes::{Child, Leaf, Tree, TreeNode, WIDTH};

/// What is sought among the leaves of a tree.
pub(crate) trait LeafSearch {
    /// Whether cheap boxes come before dear ones; else they come in the order of the tree, for less work.
    const IN_ORDER: bool;

    /// Lower bounds on the cost of everything in each of the eight boxes of a node, and bits for the boxes whose bound
    /// is at most the limit. That of a box is never above that of a box within. Bits of empty slots are not set.
    fn bounds<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32);

    /// What costs more is of no use: [`f32::NEG_INFINITY`] when nothing more is wanted.
    fn limit(&self) -> f32;

    /// Looks at a leaf whose box is within the limit and has this bound.
    fn look(&mut self, leaf: Leaf, bound: f32);
}

/// Shows a search the leaves that it may use.
#[inline(always)]
pub(crate) fn cheapest_first<S: Simd, Q: LeafSearch>(tree: &Tree, search: &mut Q) {
    let mut limit = search.limit();
    let Some(root) = tree.nodes.first().filter(|_| limit > f32::NEG_INFINITY) else { return };
    let mut open: SmallVec<[(f32, Child); 96]> = SmallVec::new();
    // The first node has one box only; where that is a leaf's, it is looked at like all others.
    let top = root.child[0];
    open.push((f32::NEG_INFINITY, if top.as_leaf().is_some() { Child::node(0) } else { top }));
    while let Some((cost, child)) = open.pop() {
        if cost > limit {
            continue;
        }
        if let Some(leaf) = child.as_leaf() {
            search.look(leaf, cost);
            limit = search.limit();
            if limit == f32::NEG_INFINITY {
                return;
            }
            continue;
        }
        let node = &tree.nodes[child.index()];
        let (costs, mut within) = search.bounds::<S>(node, limit);
        let costs = costs.array();
        let (mut next, mut count) = ([(0.0, child); WIDTH], 0);
        while within != 0 {
            let k = within.trailing_zeros() as usize;
            within &= within - 1;
            if !Q::IN_ORDER
                && let Some(leaf) = node.child[k].as_leaf()
            {
                search.look(leaf, costs[k]);
                continue;
            }
            let mut at = count;
            // The cheapest is put last: the last is opened first.
            while Q::IN_ORDER && at > 0 && next[at - 1].0 < costs[k] {
                next[at] = next[at - 1];
                at -= 1;
            }
            next[at] = (costs[k], node.child[k]);
            count += 1;
        }
        if !Q::IN_ORDER {
            limit = search.limit();
            if limit == f32::NEG_INFINITY {
                return;
            }
        }
        open.extend_from_slice(&next[..count]);
    }
}
