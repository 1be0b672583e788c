//! Builds a binary tree top-down by the surface area heuristic.
//!
//! After I. Wald, *On fast construction of SAH-based bounding volume hierarchies*, RT 2007: centroids fall into
//! [`BINS`] bins along each axis, and the plane between bins that minimises `area·count` summed over both sides is
//! taken. Where no plane splits (equal centroids), or the tree grows deeper than [`DEEP`], the primitives are halved by
//! index, which bounds the depth for any input. Subtrees are built in parallel; where each node goes is known
//! beforehand, so the tree does not depend on the number of threads.

use glam::Vec3A;

use super::binary::{Binary, BuildItem, DEEP, top_down};
use crate::bound::Box32;

const BINS: usize = 16;

/// Builds over at least one box.
pub(crate) fn build(boxes: &[Box32]) -> Binary {
    top_down(boxes, split)
}

/// Orders the items so that the first ones, whose number is returned, are the left side. Both sides have some.
fn split(items: &mut [BuildItem], depth: u32) -> usize {
    let centres = items.iter().fold(Box32::EMPTY, |b, i| {
        let c = i.bounds.double_centre();
        Box32 { min: b.min.min(c), max: b.max.max(c) }
    });
    let extent = centres.max - centres.min;
    let half = items.len() / 2;
    if extent.max_element() <= 0.0 || items.len() <= 2 || depth >= DEEP {
        return half;
    }
    // Along an axis without extent every item falls into bin 0, and no plane there splits.
    let scale = Vec3A::select(extent.cmpgt(Vec3A::ZERO), Vec3A::splat(BINS as f32 * 0.999_99) / extent, Vec3A::ZERO);
    let bin_of = |i: &BuildItem| ((i.bounds.double_centre() - centres.min) * scale).to_array().map(|x| x as usize);
    let mut bins = [[(Box32::EMPTY, 0u32); BINS]; 3];
    for item in items.iter() {
        let at = bin_of(item);
        for axis in 0..3 {
            let bin = &mut bins[axis][at[axis].min(BINS - 1)];
            *bin = (bin.0.union(&item.bounds), bin.1 + 1);
        }
    }
    let Some((axis, plane)) = best_plane(&bins) else { return half };
    let mut left = 0;
    for k in 0..items.len() {
        if bin_of(&items[k])[axis].min(BINS - 1) < plane {
            items.swap(left, k);
            left += 1;
        }
    }
    if left == 0 || left == items.len() { half } else { left }
}

/// The axis and the first bin of the right side that cost least; `None` when one bin holds all.
fn best_plane(bins: &[[(Box32, u32); BINS]; 3]) -> Option<(usize, usize)> {
    let mut best = (f32::INFINITY, None);
    for (axis, bins) in bins.iter().enumerate() {
        let mut right_cost = [f32::INFINITY; BINS];
        let mut right = (Box32::EMPTY, 0u32);
        for k in (1..BINS).rev() {
            right = (right.0.union(&bins[k].0), right.1 + bins[k].1);
            right_cost[k] = if right.1 == 0 { f32::INFINITY } else { right.0.half_area() * right.1 as f32 };
        }
        let mut left = (Box32::EMPTY, 0u32);
        for k in 1..BINS {
            left = (left.0.union(&bins[k - 1].0), left.1 + bins[k - 1].1);
            let cost = left.0.half_area() * left.1 as f32 + right_cost[k];
            if left.1 > 0 && cost < best.0 {
                best = (cost, Some((axis, k)));
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::build::binary::BinaryKind;

    #[test]
    fn equal_and_geometric_centres_stay_shallow() {
        let point = |x: f32| Box32 { min: Vec3A::splat(x), max: Vec3A::splat(x) };
        let equal = build(&vec![point(0.5); 10_000]);
        let geometric = build(&(0..10_000).map(|i| point(0.99f32.powi(i))).collect::<Vec<_>>());
        for tree in [equal, geometric] {
            assert_eq!(tree.nodes[tree.root as usize].count, 10_000);
            let mut deepest = 0;
            let mut open = vec![(tree.root, 0)];
            while let Some((n, depth)) = open.pop() {
                deepest = deepest.max(depth);
                if let BinaryKind::Inner(c) = tree.nodes[n as usize].kind {
                    open.extend(c.map(|c| (c, depth + 1)));
                }
            }
            assert!(deepest <= 64 + 14, "{deepest}");
        }
    }
}
