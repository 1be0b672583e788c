//! The leaves that a ray along +x may meet: for telling inside from outside.

use glam::DVec3;

use super::{Leaf, NOWHERE, Tree, WIDTH};
use crate::math::Relative;

/// Calls `visit` for every leaf whose box, placed by `placed`, the ray from `origin` along +x may meet.
///
/// Boxes are taken in the ray's frame, widened by `2⁻⁴⁶` of their distance for rounding.
pub(crate) fn along_x(tree: &Tree, placed: &Relative, origin: DVec3, mut visit: impl FnMut(Leaf)) {
    let abs = [placed.rotation.x_axis.abs(), placed.rotation.y_axis.abs(), placed.rotation.z_axis.abs()];
    let may_meet = |centre: DVec3, half: DVec3| {
        let middle = placed.apply(tree.centre + centre * tree.unit) - origin;
        let half = half * tree.unit;
        let half = abs[0] * half.x + abs[1] * half.y + abs[2] * half.z;
        let noise =
            tree.centre.abs().max_element() + placed.translation.abs().max_element() + origin.abs().max_element();
        let half = half + DVec3::splat((noise + 2.0 * tree.unit) / (1u64 << 46) as f64);
        middle.y.abs() <= half.y && middle.z.abs() <= half.z && middle.x + half.x >= 0.0
    };
    let mut open = vec![0u32];
    while let Some(slot) = open.pop() {
        let (node, k) = (&tree.nodes[slot as usize / WIDTH], slot as usize % WIDTH);
        let s = node.slot(k);
        if s.half[0] == NOWHERE || !may_meet(widened(s.centre), widened(s.half)) {
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

fn widened(x: [f32; 3]) -> DVec3 {
    DVec3::from_array(x.map(f64::from))
}
