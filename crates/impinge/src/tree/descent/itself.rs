//! A tree against itself: every pair of leaves whose boxes meet, none twice.
//!
//! Two triangles lie in one leaf, or there is one node that holds them in two of its slots. So each node yields the
//! pairs of its slots, and the tandem descent takes each such pair as two trees. Which pairs a node yields does not
//! depend on other nodes, so nodes may be shared out between threads.

use std::ops::{ControlFlow, Range};

use super::descend::{Metric, Opened, Scratch, Visitor, descend_from};
use crate::math::simd::Simd;
use crate::tree::nodes::{Tree, WIDTH};

/// Visits the pairs of triangles that lie in one leaf or different slots of one of these `nodes`; `root` is a bound
/// within any cut-off. `Break` when the visitor ended it.
#[inline(always)]
pub(crate) fn descend_itself<S: Simd, M: Metric, V: Visitor<M::Bound>>(
    tree: &Tree,
    nodes: Range<usize>,
    metric: &M,
    root: M::Bound,
    visitor: &mut V,
    scratch: &mut Scratch<M::Bound>,
) -> (Opened, ControlFlow<()>) {
    let mut opened = 0;
    for n in nodes {
        for i in 0..WIDTH {
            let node = &tree.nodes[n];
            if node.half[0][i] == crate::tree::nodes::NOWHERE {
                continue;
            }
            if let Some(leaf) = node.child[i].as_leaf()
                && visitor.leaves::<S>(leaf, leaf).is_break()
            {
                return (opened, ControlFlow::Break(()));
            }
            let slot = n * WIDTH + i;
            opened += 1;
            let mut later = metric.outer_children::<S>(n, slot, visitor.cutoff()).within & (!1 << i);
            while later != 0 {
                let j = n * WIDTH + later.trailing_zeros() as usize;
                later &= later - 1;
                let start = [j as u32, slot as u32];
                let (more, flow) = descend_from::<S, M, V>([tree; 2], 1.0, metric, start, root, visitor, scratch);
                opened += more;
                if flow.is_break() {
                    return (opened, flow);
                }
            }
        }
    }
    (opened, ControlFlow::Continue(()))
}
