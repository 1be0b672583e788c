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
pub(super) struct NodeGaps {
    /// The squared gaps.
    pub(super) squared: [f64; WIDTH],
    /// The greatest squared distance of a point of a box, of that box where it is least.
    pub(super) farthest: f64,
}

/// What a search asks of the boxes.
pub(super) trait BoxGaps: Copy {
    /// Boxes with a larger squared gap are not looked at when something is as near as `squared`.
    fn bar(&self, squared: f64) -> f64;

    /// The bar when some box lies wholly within the squared distance: each holds a triangle.
    fn bar_of_box(&self, farthest: f64) -> f64;

    fn gaps<S: Simd>(&self, node: &TreeNode) -> NodeGaps;
}

/// In `f32`.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearGaps {
    q: [f32; 3],
    slack: f64,
}

impl NearGaps {
    pub(super) fn new(seen: &SeenTree) -> NearGaps {
        NearGaps { q: seen.q.as_vec3().to_array(), slack: seen.slack }
    }
}

impl BoxGaps for NearGaps {
    #[inline(always)]
    fn bar(&self, squared: f64) -> f64 {
        let reach = squared.sqrt() + self.slack;
        // An empty slot is infinitely far, which is above every bar.
        f64::from((reach * reach * (1.0 + 1e-6)).min(f64::from(f32::MAX)) as f32)
    }

    #[inline(always)]
    fn bar_of_box(&self, farthest: f64) -> f64 {
        // A distance is as much too small as a gap is too large.
        let reach = farthest.sqrt() * (1.0 + 1e-6) + self.slack;
        self.bar(reach * reach)
    }

    #[inline(always)]
    fn gaps<S: Simd>(&self, node: &TreeNode) -> NodeGaps {
        let zero = S::F32x8::splat(0.0);
        let away = axes!(i => S::F32x8::load(&node.centre[i]).sub(S::F32x8::splat(self.q[i])).abs());
        let gap = axes!(i => away[i].sub(S::F32x8::load(&node.half[i])).max(zero));
        let far = axes!(i => away[i].add(S::F32x8::load(&node.half[i])));
        let farthest = far[0].mul(far[0]).add(far[1].mul(far[1])).add(far[2].mul(far[2])).least();
        let squared = gap[0].mul(gap[0]).add(gap[1].mul(gap[1])).add(gap[2].mul(gap[2])).array();
        let halves = [S::F64x4::widen(&squared, 0).array(), S::F64x4::widen(&squared, 1).array()];
        NodeGaps { squared: joined(halves), farthest: f64::from(farthest) }
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
        [
            gap[0].mul(gap[0]).add(gap[1].mul(gap[1])).add(gap[2].mul(gap[2])),
            far[0].mul(far[0]).add(far[1].mul(far[1])).add(far[2].mul(far[2])),
        ]
    }
}

impl BoxGaps for FarGaps {
    #[inline(always)]
    fn bar(&self, squared: f64) -> f64 {
        (squared * (1.0 - 1.0 / (1u64 << 48) as f64)).min(f64::MAX)
    }

    #[inline(always)]
    fn bar_of_box(&self, farthest: f64) -> f64 {
        (farthest * (1.0 + 1.0 / (1u64 << 40) as f64)).min(f64::MAX)
    }

    #[inline(always)]
    fn gaps<S: Simd>(&self, node: &TreeNode) -> NodeGaps {
        let ([a, far_a], [b, far_b]) = (self.half::<S>(node, 0), self.half::<S>(node, 1));
        let [x, y, z, w] = far_a.min(far_b).array();
        NodeGaps { squared: joined([a.array(), b.array()]), farthest: x.min(y).min(z.min(w)) }
    }
}

#[inline(always)]
fn joined([[a, b, c, d], [e, f, g, h]]: [[f64; 4]; 2]) -> [f64; WIDTH] {
    [a, b, c, d, e, f, g, h]
}
