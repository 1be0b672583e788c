//! One tree against one box that stands for another kind of body: the leaves near it, nearest boxes first.

use std::ops::ControlFlow;

use glam::DVec3;

use crate::bound::Aabb;
use crate::tree::nodes::{Leaf, NOWHERE, Tree, WIDTH};

/// What a query does with the leaves and boxes near its body.
pub(crate) trait Probe {
    /// What is farther does not matter.
    fn cutoff(&self) -> f64;

    /// Whether the box, by middle and half extents in the mesh's frame, may be as near as the cut-off.
    fn enters(&mut self, middle: DVec3, half: DVec3) -> bool;

    /// A leaf within the cut-off. `Break` ends the search.
    fn leaf(&mut self, leaf: Leaf) -> ControlFlow<()>;
}

/// Visits the leaves whose boxes are within the cut-off of `target`; returns the number of boxes tested.
pub(crate) fn probe(tree: &Tree, target: &Aabb, query: &mut impl Probe) -> u64 {
    let (centre, half) = (target.centre(), (target.max - target.min) * 0.5);
    // Rounding of what is added up here, by the largest numbers that occur.
    let slack = (tree.centre.abs().max_element() + tree.unit + target.reach()) / (1u64 << 46) as f64;
    let mut tests = 0;
    if tree.nodes.is_empty() {
        return tests;
    }
    let mut open: Vec<(f64, u32)> = vec![(0.0, 0)];
    while let Some((gap, slot)) = open.pop() {
        if gap > query.cutoff() {
            continue;
        }
        let node = &tree.nodes[slot as usize / WIDTH];
        let child = node.child[slot as usize % WIDTH];
        if let Some(leaf) = child.as_leaf() {
            if query.leaf(leaf).is_break() {
                return tests;
            }
            continue;
        }
        let (below, start) = (&tree.nodes[child.index()], open.len());
        for k in (0..WIDTH).filter(|&k| below.half[0][k] != NOWHERE) {
            tests += 1;
            let wide = |x: [f32; 3]| DVec3::from_array(x.map(f64::from)) * tree.unit;
            let slot = below.slot(k);
            let (middle, size) = (tree.centre + wide(slot.centre), wide(slot.half) + slack);
            let gap = ((middle - centre).abs() - size - half).max(DVec3::ZERO).length();
            // Where the boxes meet, the query's own, closer test may still rule the box out.
            if gap <= query.cutoff() && (gap > 0.0 || query.enters(middle, size)) {
                open.push((gap, (child.index() * WIDTH + k) as u32));
            }
        }
        open[start..].sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(y.1.cmp(&x.1)));
    }
    tests
}
