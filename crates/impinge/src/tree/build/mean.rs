//! Builds a binary tree top-down by the mean: RAPID's and PQP's builder.
//!
//! S. Gottschalk, M. Lin, D. Manocha, *OBBTree*, SIGGRAPH 1996, §4; Lin §5.2: a node is cut across the longest axis
//! of its oriented box, and triangles go to the side of their centroid. The plane goes through the mean of the
//! centroids. If all fall on one side, the next longest axis is tried, then the third; what none of them divides, and
//! what lies deeper than [`DEEP`], is halved by index, so that no input makes the tree deep.
//!
//! The axes are the principal axes by area. Cost: `O(n)` a level, some four times that of binning.

use glam::DVec3;

use super::binary::{Binary, BuildItem, DEEP, top_down};
use crate::bound::{Box32, Moments};
use crate::math::principal_axes;
use crate::prim::Triangle;

/// Builds over at least one box; `triangle` gives the corners in it.
pub(crate) fn build(boxes: &[Box32], triangle: impl Fn(usize) -> Triangle + Sync) -> Binary {
    let corners = |item: &BuildItem| triangle(item.index as usize);
    let centroid = |item: &BuildItem| corners(item).into_iter().sum::<DVec3>() / 3.0;
    top_down(boxes, |items, depth| {
        let half = items.len() / 2;
        if items.len() <= 2 || depth >= DEEP {
            return half;
        }
        let axes = principal_axes(items.iter().map(|item| Moments::of(&corners(item))).sum::<Moments>().covariance());
        let (mut low, mut high, mut mean) = (DVec3::INFINITY, DVec3::NEG_INFINITY, DVec3::ZERO);
        for item in items.iter() {
            for p in corners(item).map(|p| axes.transpose() * p) {
                low = low.min(p);
                high = high.max(p);
            }
            mean += centroid(item);
        }
        let (mean, extent) = (mean / items.len() as f64, high - low);
        let mut longest = [0, 1, 2];
        longest.sort_by(|&i, &j| extent[j].total_cmp(&extent[i]));
        for axis in longest.map(|k| axes.col(k)) {
            let at = axis.dot(mean);
            let mut left = 0;
            for k in 0..items.len() {
                if axis.dot(centroid(&items[k])) < at {
                    items.swap(left, k);
                    left += 1;
                }
            }
            if left > 0 && left < items.len() {
                return left;
            }
        }
        half
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::build::binary::BinaryKind;

    fn deepest(tree: &Binary) -> u32 {
        let (mut deepest, mut open) = (0, vec![(tree.root, 0)]);
        while let Some((n, depth)) = open.pop() {
            deepest = deepest.max(depth);
            if let BinaryKind::Inner(c) = tree.nodes[n as usize].kind {
                open.extend(c.map(|c| (c, depth + 1)));
            }
        }
        deepest
    }

    #[test]
    fn equal_and_geometric_centroids_stay_shallow() {
        let build = |at: &dyn Fn(usize) -> DVec3, count: usize| {
            let triangles: Vec<Triangle> = (0..count).map(|i| [at(i), at(i) + DVec3::X * 1e-9, at(i)]).collect();
            let boxes: Vec<Box32> = triangles.iter().map(|t| Box32::around(t[0], t[1])).collect();
            build(&boxes, |i| triangles[i])
        };
        let equal = build(&|_| DVec3::splat(0.5), 10_000);
        assert!(deepest(&equal) == 14, "{}", deepest(&equal));
        let geometric = build(&|i| DVec3::splat(0.9f64.powi(i as i32)), 10_000);
        assert!(deepest(&geometric) <= DEEP + 14, "{}", deepest(&geometric));
    }

    /// A row of triangles along a slanted line: the first cut is across it, in the middle.
    #[test]
    fn cuts_across_the_longest_axis() {
        let along = DVec3::new(0.6, 0.48, 0.64);
        let triangles: Vec<Triangle> = (0..100)
            .map(|i| {
                let p = along * (f64::from(i) * 0.01);
                [p, p + DVec3::X * 0.001, p + DVec3::Y * 0.001]
            })
            .collect();
        let boxes: Vec<Box32> = triangles.iter().map(|t| Box32::around(t[0], t[0].max(t[1]).max(t[2]))).collect();
        let tree = build(&boxes, |i| triangles[i]);
        let BinaryKind::Inner(children) = tree.nodes[tree.root as usize].kind else { panic!("the root is a leaf") };
        assert_eq!(children.map(|c| tree.nodes[c as usize].count), [50, 50]);
    }
}
