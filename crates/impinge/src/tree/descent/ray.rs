//! The leaves that a ray along +x may meet: for the decision whether a point is inside a solid.

use glam::DVec3;

use crate::math::Relative;
use crate::tree::nodes::{Leaf, NOWHERE, NodeSlot, Tree, WIDTH};

/// Calls `visit` for every leaf whose box, placed by `placed`, the ray from `origin` along +x may meet. A point outside
/// the root's box meets none.
pub(crate) fn along_x(tree: &Tree, placed: &Relative, origin: DVec3, mut visit: impl FnMut(Leaf)) {
    let seen = SeenFrom::new(tree, placed, origin);
    let (middle, half) = seen.box_at(&tree.nodes[0].slot(0));
    if !middle.abs().cmple(half).all() {
        return;
    }
    let mut open = vec![0u32];
    while let Some(slot) = open.pop() {
        let (node, k) = (&tree.nodes[slot as usize / WIDTH], slot as usize % WIDTH);
        if node.half[0][k] == NOWHERE {
            continue;
        }
        let (middle, half) = seen.box_at(&node.slot(k));
        if middle.y.abs() > half.y || middle.z.abs() > half.z || middle.x + half.x < 0.0 {
            continue;
        }
        match node.child[k].as_leaf() {
            Some(leaf) => visit(leaf),
            None => {
                let first = (node.child[k].index() * WIDTH) as u32;
                open.extend(first..first + WIDTH as u32);
            }
        }
    }
}

/// Boxes of a placed tree, seen from a point.
struct SeenFrom<'t> {
    tree: &'t Tree,
    placed: &'t Relative,
    origin: DVec3,
    /// Added to half extents for rounding: `2⁻⁴⁶` of the largest distance involved.
    slack: DVec3,
}

impl<'t> SeenFrom<'t> {
    fn new(tree: &'t Tree, placed: &'t Relative, origin: DVec3) -> SeenFrom<'t> {
        let reach = |v: DVec3| v.abs().max_element();
        let noise = reach(tree.centre) + reach(placed.translation) + reach(origin) + 2.0 * tree.unit;
        SeenFrom { tree, placed, origin, slack: DVec3::splat(noise / (1u64 << 46) as f64) }
    }

    /// Middle and half extents of the box along the axes of the ray's frame.
    fn box_at(&self, slot: &NodeSlot) -> (DVec3, DVec3) {
        let wide = |x: [f32; 3]| DVec3::from_array(x.map(f64::from)) * self.tree.unit;
        let (centre, half, r) = (wide(slot.centre), wide(slot.half), &self.placed.rotation);
        let middle = self.placed.apply(self.tree.centre + centre) - self.origin;
        (middle, r.x_axis.abs() * half.x + r.y_axis.abs() * half.y + r.z_axis.abs() * half.z + self.slack)
    }
}
