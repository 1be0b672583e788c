//! How far a box, or a point, is from the boxes of a tree, eight at once.
//!
//! Distances are in the units of the tree and signed: within a box a point has minus the distance from the nearest
//! side, for what is in the box is not deeper. For a box that is no point this is a bound still.
//!
//! **Error.** Of an own box that reaches beyond ±4 the end that is away from the tree has no effect, and is moved to ±4
//! or to the other end. Within 16 units of the tree all is in `f32`: own coordinates, differences and gaps are off by
//! 2⁻²⁰ each, the root of the sum of three squares by 2⁻²² of 32 more, together by less than [`SLACK`], which is added
//! to the limit. A box farther away is compared in `f64`, as the difference from the distance of the whole tree, since
//! in `f32` all would be equally far; own coordinates are off by 2⁻⁵³ of themselves, the distance by four times as
//! much. A box beyond 10¹⁵ units is taken to be there: nothing is nearer than it seems, and what is nearest cannot be
//! told there.

use glam::DVec3;

use crate::bound::Aabb;
use crate::math::simd::{F32x8, F64x4, Simd, Vector, axes};
use crate::tree::nodes::{Tree, TreeNode};

/// How much a distance may be too large, in units of the tree.
const SLACK: f64 = 1.0 / 65_536.0;
/// Farthest from the middle of the tree at which `f32` is used.
const NEAR: f64 = 16.0;
/// Farthest at which a box is taken to be.
const FARTHEST: DVec3 = DVec3::splat(1e15);
/// Where ends that have no effect are.
const BESIDE: f64 = 4.0;

/// A box as seen from a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxGap {
    middle: [f32; 3],
    half: [f32; 3],
    /// Both in `f64`, and the distance of the whole tree, where the box is far away.
    far: Option<(DVec3, DVec3, f64)>,
    per_unit: f64,
    slack: f64,
}

impl BoxGap {
    /// Boxes that overlap by more than this have a common point: those of the tree are larger than what they hold by
    /// less.
    pub(super) const SURE: f32 = -SLACK as f32;

    /// In no tree yet.
    pub(super) const NONE: BoxGap = BoxGap { middle: [0.0; 3], half: [0.0; 3], far: None, per_unit: 1.0, slack: 0.0 };

    /// For a box that is not empty; it may be infinite.
    pub(super) fn new(tree: &Tree, own: &Aabb) -> BoxGap {
        // The unit is a power of two.
        let per_unit = tree.unit.recip();
        let [far_low, far_high] = [own.min, own.max].map(|x| (x - tree.centre) * per_unit);
        // The far end of a box has no effect.
        let low = far_low.max(far_high.min(DVec3::splat(-BESIDE))).clamp(-FARTHEST, FARTHEST);
        let high = far_high.min(far_low.max(DVec3::splat(BESIDE))).clamp(-FARTHEST, FARTHEST);
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let away = low.max_element().max((-high).max_element());
        let base = || (low - 1.0).max(-1.0 - high).max(DVec3::ZERO).length();
        let far = (away > NEAR).then(|| (middle, half, base()));
        let slack = SLACK + if far.is_some() { 32.0 * f64::EPSILON * middle.abs().max_element() } else { 0.0 };
        let single = |x: DVec3| x.as_vec3().to_array();
        BoxGap { middle: single(middle), half: single(half), far, per_unit, slack }
    }

    /// What [`BoxGap::signed`] is compared with, to keep all that is within a distance.
    #[inline(always)]
    pub(super) fn limit(&self, distance: f64) -> f32 {
        if distance == f64::NEG_INFINITY {
            return f32::NEG_INFINITY;
        }
        let base = self.far.map_or(0.0, |(_, _, base)| base);
        let limit = (distance * self.per_unit - base + self.slack) as f32;
        // An empty slot is infinitely far.
        (limit + limit.abs() * f32::EPSILON).min(f32::MAX)
    }

    /// The distances, and which are within the limit.
    #[inline(always)]
    pub(super) fn within<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
        let signed = self.signed::<S>(node);
        (signed, signed.le(S::F32x8::splat(limit)))
    }

    #[inline(always)]
    pub(super) fn signed<S: Simd>(&self, node: &TreeNode) -> S::F32x8 {
        if let Some((middle, half, base)) = &self.far {
            let halves = [0, 1].map(|part| far_half::<S>(node, part, middle, half, *base));
            return S::narrow(halves[0], halves[1]);
        }
        let zero = S::F32x8::splat(0.0);
        let gap = axes!(i => {
            let away = S::F32x8::load(&node.centre[i]).sub(S::F32x8::splat(self.middle[i])).abs();
            away.sub(S::F32x8::load(&node.half[i]).add(S::F32x8::splat(self.half[i])))
        });
        let out = axes!(i => gap[i].max(zero));
        let length = out[0].mul(out[0]).add(out[1].mul(out[1])).add(out[2].mul(out[2])).sqrt();
        length.add(gap[0].max(gap[1]).max(gap[2]).min(zero))
    }

    /// Which boxes may have a point in common with this one. Where the number is at most [`BoxGap::SURE`], they have.
    #[inline(always)]
    pub(super) fn meets<S: Simd>(&self, node: &TreeNode) -> (S::F32x8, u32) {
        let gap = axes!(i => {
            let away = S::F32x8::load(&node.centre[i]).sub(S::F32x8::splat(self.middle[i])).abs();
            away.sub(S::F32x8::load(&node.half[i]).add(S::F32x8::splat(self.half[i])))
        });
        let most = gap[0].max(gap[1]).max(gap[2]);
        (most, most.le(S::F32x8::splat(SLACK as f32)))
    }
}

/// Distances of four boxes less that of the tree.
#[inline(always)]
fn far_half<S: Simd>(node: &TreeNode, part: usize, middle: &DVec3, half: &DVec3, base: f64) -> S::F64x4 {
    let zero = S::F64x4::splat(0.0);
    let gap = axes!(i => {
        let away = S::F64x4::widen(&node.centre[i], part).sub(S::F64x4::splat(middle[i])).abs();
        away.sub(S::F64x4::widen(&node.half[i], part).add(S::F64x4::splat(half[i]))).max(zero)
    });
    gap[0].mul(gap[0]).add(gap[1].mul(gap[1])).add(gap[2].mul(gap[2])).sqrt().sub(S::F64x4::splat(base))
}
