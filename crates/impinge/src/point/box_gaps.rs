//! How far a point is from the eight boxes of a node, never more than the truth but for a stated error.
//!
//! All is in a unit in which the tree is at most as large as its own unit, and the point at most `2²⁰⁰` away. A point
//! that is near (within 16) is compared in `f32`, eight boxes at once. Its coordinates, the differences from the
//! middles and those from the half extents round by at most `2⁻²⁴(|q| + 1)` an axis each, so a gap is too large by at
//! most `2⁻²¹(|q| + 1)`, and its square by a further millionth of itself.
//!
//! A point that is far is compared in `f64`: in `f32` all boxes would be equally far. What rounding cannot tell apart
//! does not have to be looked at either: a box is passed over when it is not nearer by `2⁻⁴⁸` of the squared distance.

use glam::DVec3;

use crate::math::simd::{F32x8, F64x4, Simd, Vector, axes};
use crate::model::Mesh;
use crate::tree::nodes::{TreeNode, WIDTH};

/// Farthest that a point may be, in units of the tree, to be compared in `f32`.
const NEAR: f64 = 16.0;

/// Farthest that a point may be in the unit of a search: products of four lengths are still finite.
const FARTHEST: f64 = (1u128 << 100) as f64 * (1u128 << 100) as f64;

/// A point seen from a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct SeenTree {
    /// From the mesh's unit into that of the search.
    pub(super) scale: f64,
    /// The tree's unit in that of the search: 1 unless the point is extremely far.
    pub(super) unit: f64,
    /// The point, from the middle of the tree.
    pub(super) q: DVec3,
    /// How much a gap may be too large.
    slack: f64,
}

impl SeenTree {
    /// The mesh has triangles.
    pub(super) fn new(mesh: &Mesh, at: DVec3) -> SeenTree {
        let tree = mesh.tree();
        let (own, off) = (tree.unit.recip(), at - tree.centre);
        let reach = off.abs().max_element();
        let scale = if reach * own <= FARTHEST { own } else { FARTHEST / reach };
        let (q, unit) = (off * scale, (tree.unit * scale).clamp(1e-300, 1.0));
        let size = q.abs().max_element() + 1.0;
        // Boxes are relative to the middle, from which corners are subtracted.
        let middle = tree.centre.abs().max_element() * scale / (1u64 << 51) as f64;
        let grain = if size <= NEAR + 1.0 { 1.0 / (1u64 << 21) as f64 } else { 1.0 / (1u64 << 49) as f64 };
        SeenTree { scale, unit, q, slack: grain * size + middle }
    }

    pub(super) fn is_far(&self) -> bool {
        self.q.abs().max_element() > NEAR
    }

    /// How much nearer what was passed over may be than the distance found.
    pub(super) fn passed_over(&self, distance: f64) -> f64 {
        if self.is_far() { self.slack + distance / (1u64 << 48) as f64 } else { 0.0 }
    }
}

/// The eight boxes of a node, seen from the point.
pub(super) struct NodeGaps<K, O> {
    /// The squared gaps.
    pub(super) squared: [K; WIDTH],
    /// In which order to look at them.
    pub(super) order: O,
    /// A squared distance within which one of the boxes has a point of its triangles.
    pub(super) farthest: K,
}

/// What a search asks of the boxes.
///
/// Each side of a box touches a triangle, but for `2⁻²²` by which it was rounded outward. So a triangle in it is no
/// farther than the farthest point of the nearer of the two sides along an axis (N. Roussopoulos, S. Kelley and F.
/// Vincent, *Nearest neighbor queries*, SIGMOD 1995): with `f` for the distance of the farther side along each axis and
/// `n` for that of the nearer one, `Σf² − max(f² − n²)` over the axes, where `f² − n²` is 4 times the product of half
/// the extent and the distance of the middle. The sum is taken a millionth larger, for the rounding of what is taken
/// off.
pub(super) trait BoxGaps: Copy {
    type Gap: Copy + Default + PartialOrd;

    /// Boxes with a larger squared gap are not looked at when something is as near as `squared`.
    fn bar(&self, squared: f64) -> Self::Gap;

    /// The bar when a triangle has a point within the squared distance of boxes.
    fn bar_of_box(&self, farthest: Self::Gap) -> Self::Gap;

    /// The lesser of two bars.
    #[inline(always)]
    fn lesser(&self, x: Self::Gap, y: Self::Gap) -> Self::Gap {
        if x < y { x } else { y }
    }

    fn gaps<S: Simd>(&self, node: &TreeNode) -> NodeGaps<Self::Gap, S::F32x8>;

    /// The boxes within the bar.
    fn within<S: Simd>(&self, squared: &[Self::Gap; WIDTH], bar: Self::Gap) -> u32;
}

/// In `f32`.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearGaps {
    q: [f32; 3],
    slack: f32,
}

impl NearGaps {
    pub(super) fn new(seen: &SeenTree) -> NearGaps {
        NearGaps { q: seen.q.as_vec3().to_array(), slack: (seen.slack * (1.0 + 1e-6)) as f32 }
    }

    #[inline(always)]
    fn bar_within(&self, reach: f32) -> f32 {
        let reach = reach + self.slack;
        // An empty slot is infinitely far, which is above every bar.
        (reach * reach * (1.0 + 2e-6)).min(f32::MAX)
    }
}

impl BoxGaps for NearGaps {
    type Gap = f32;

    #[inline(always)]
    fn bar(&self, squared: f64) -> f32 {
        // Infinite at first, and so far from where a near point and the tree are.
        self.bar_within((squared.min(1e30) as f32).sqrt())
    }

    #[inline(always)]
    fn bar_of_box(&self, farthest: f32) -> f32 {
        // A distance is as much too small as a gap is too large, and a side is not off by more. Without a root, by
        // `(x + y)² ≤ (1 + η)x² + (1 + 1/η)y²`: a bar of boxes soon gives way to that of a triangle.
        let slack = 3.0 * self.slack;
        (farthest * (1.0 + 1.0 / 255.0) + slack * slack * 260.0).min(f32::MAX)
    }

    #[inline(always)]
    fn gaps<S: Simd>(&self, node: &TreeNode) -> NodeGaps<f32, S::F32x8> {
        let zero = S::F32x8::splat(0.0);
        let half = axes!(i => S::F32x8::load(&node.half[i]));
        let away = axes!(i => S::F32x8::load(&node.centre[i]).sub(S::F32x8::splat(self.q[i])).abs());
        let gap = axes!(i => away[i].sub(half[i]).max(zero));
        let far = axes!(i => away[i].add(half[i]));
        let far = far[0].mul(far[0]).add(far[1].mul(far[1])).add(far[2].mul(far[2]));
        // Not a number where a slot is empty, and then 0.
        let most = axes!(i => away[i].mul(half[i]).max(zero));
        let nearer_side = most[0].max(most[1]).max(most[2]).mul(S::F32x8::splat(4.0));
        let touched = far.mul(S::F32x8::splat(1.0 + 1e-6)).sub(nearer_side);
        let squared = gap[0].mul(gap[0]).add(gap[1].mul(gap[1])).add(gap[2].mul(gap[2]));
        // Of boxes around the point, the one that holds something near.
        let order = squared.add(touched.mul(S::F32x8::splat(1.0 / 1024.0)));
        NodeGaps { squared: squared.array(), order, farthest: touched.least() }
    }

    #[inline(always)]
    fn within<S: Simd>(&self, squared: &[f32; WIDTH], bar: f32) -> u32 {
        S::F32x8::load(squared).le(S::F32x8::splat(bar))
    }
}

/// In `f64`.
#[derive(Debug, Clone, Copy)]
pub(super) struct FarGaps {
    q: DVec3,
    unit: f64,
}

impl FarGaps {
    pub(super) fn new(seen: &SeenTree) -> FarGaps {
        FarGaps { q: seen.q, unit: seen.unit }
    }

    #[inline(always)]
    fn half<S: Simd>(&self, node: &TreeNode, half: usize) -> [S::F64x4; 2] {
        let (zero, unit) = (S::F64x4::splat(0.0), S::F64x4::splat(self.unit));
        let size = axes!(i => S::F64x4::widen(&node.half[i], half).mul(unit));
        let away = axes!(i => {
            S::F64x4::widen(&node.centre[i], half).mul(unit).sub(S::F64x4::splat(self.q[i])).abs()
        });
        let gap = axes!(i => away[i].sub(size[i]).max(zero));
        let far = axes!(i => away[i].add(size[i]));
        let far = far[0].mul(far[0]).add(far[1].mul(far[1])).add(far[2].mul(far[2]));
        let most = axes!(i => away[i].mul(size[i]).max(zero));
        let nearer_side = most[0].max(most[1]).max(most[2]).mul(S::F64x4::splat(4.0));
        let touched = far.mul(S::F64x4::splat(1.0 + 1e-14)).sub(nearer_side);
        [gap[0].mul(gap[0]).add(gap[1].mul(gap[1])).add(gap[2].mul(gap[2])), touched]
    }
}

impl BoxGaps for FarGaps {
    type Gap = f64;

    #[inline(always)]
    fn bar(&self, squared: f64) -> f64 {
        (squared * (1.0 - 1.0 / (1u64 << 48) as f64)).min(f64::MAX)
    }

    #[inline(always)]
    fn bar_of_box(&self, farthest: f64) -> f64 {
        // The sides of boxes are rounded by less than 2⁻²⁰; without a root, with η = 2⁻³⁰.
        let slack = self.unit / (1u64 << 20) as f64;
        let (share, most) = (1.0 / (1u64 << 30) as f64, (1u64 << 31) as f64);
        (farthest * (1.0 + share) + slack * slack * most).min(f64::MAX)
    }

    #[inline(always)]
    fn gaps<S: Simd>(&self, node: &TreeNode) -> NodeGaps<f64, S::F32x8> {
        let ([a, far_a], [b, far_b]) = (self.half::<S>(node, 0), self.half::<S>(node, 1));
        let least = far_a.min(far_b);
        let [x, y, z, w] = least.array();
        // In `f32` many are as far as others; by how much the nearest box is passed, they differ.
        let [i, j, k, l] = a.min(b).array();
        let nearest = S::F64x4::splat(i.min(j).min(k.min(l)));
        let order = S::narrow(a.sub(nearest), b.sub(nearest));
        NodeGaps { squared: joined([a.array(), b.array()]), order, farthest: x.min(y).min(z.min(w)) }
    }

    #[inline(always)]
    fn within<S: Simd>(&self, squared: &[f64; WIDTH], bar: f64) -> u32 {
        let (bar, [a, b, c, d, e, f, g, h]) = (S::F64x4::splat(bar), *squared);
        let beyond = bar.lt(S::F64x4::load(&[a, b, c, d])) | bar.lt(S::F64x4::load(&[e, f, g, h])) << 4;
        !beyond & ((1 << WIDTH) - 1)
    }
}

#[inline(always)]
fn joined([[a, b, c, d], [e, f, g, h]]: [[f64; 4]; 2]) -> [f64; WIDTH] {
    [a, b, c, d, e, f, g, h]
}
