//! Boxes in `f32`, rounded outwards, in coordinates relative to the middle of the world.
//!
//! A *local* box is eight floats, `[min x, min y, min z, ·, −max x, −max y, −max z, ·]`. With the maxima negated both
//! ends are rounded the same way, downwards, and two boxes `a`, `b` have a common point iff `a[k] ≤ −b[k ± 4]` in six
//! lanes: one comparison of vectors. The two lanes left belong to whoever keeps the box.
//!
//! Coordinates are scaled by a power of two such that the world lies within ±1. `x` in `f64` becomes `(x −
//! origin)·scale`, off by 2⁻⁵³ of itself (scaling is exact but for underflow, which is 2⁻¹⁰⁷⁴), then a float `f`, off
//! by 2⁻²⁴ |f| or, below the normal floats, by 2⁻¹⁵⁰. `f − (2⁻²² |f| + 2⁻¹²⁶)` is below by at least the sum of both,
//! its own roundings included: 2⁻²² |f| outweighs 2⁻²⁴ (1 + 2⁻²⁸) |f| and one rounding of the difference, 2⁻²⁴
//! |f|·1.01.
//!
//! Where |f| ≤ 2 a face is moved by no more than 2⁻²⁰. So two local boxes that overlap by more than [`CERTAIN`] on
//! every axis belong to boxes that overlap, and only the others have to be compared in `f64`.

use glam::DVec3;

use crate::bound::Aabb;
use crate::math::normalising_scale;
use crate::math::simd::{F32x8, F64x4, Simd, Vector};

/// Local boxes within ±2 that overlap by more than this belong to boxes that do: twice 2⁻²⁰ and the rounding of the
/// difference.
pub(crate) const CERTAIN: f32 = 1.0 / (1 << 18) as f32;

/// How far from the middle a box may go before the world has to be measured anew.
pub(crate) const REACH: f32 = 2.0;

/// All lanes of a comparison hold.
pub(crate) const ALL: u32 = 0xff;

/// A box in local coordinates.
pub(crate) type LocalBox = [f32; 8];

/// What no local box meets: every comparison with it fails.
pub(crate) const NOWHERE: LocalBox = [f32::NAN; 8];

/// The map to local coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Local {
    pub(crate) origin: DVec3,
    pub(crate) scale: f64,
}

impl Local {
    /// The map for a world within these bounds, which may be empty.
    pub(crate) fn of(world: &Aabb) -> Local {
        if world.is_empty() {
            return Local { origin: DVec3::ZERO, scale: 1.0 };
        }
        let origin = world.centre();
        let half = (world.max - origin).max(origin - world.min).max_element();
        Local { origin, scale: normalising_scale(half) }
    }

    /// The local box, with about −1 in the free lanes; NaN in the others where the box is empty.
    #[inline(always)]
    pub(crate) fn outward<S: Simd>(&self, b: &Aabb) -> S::F32x8 {
        let (o, s) = (self.origin, S::F64x4::splat(self.scale));
        // 1/scale is exact, and so is its product with the scale.
        let free = self.scale.recip();
        let low = S::F64x4::load(&[b.min.x, b.min.y, b.min.z, 0.0]).sub(S::F64x4::load(&[o.x, o.y, o.z, free]));
        let high = S::F64x4::load(&[o.x, o.y, o.z, 0.0]).sub(S::F64x4::load(&[b.max.x, b.max.y, b.max.z, free]));
        let near = S::narrow(low.mul(s), high.mul(s));
        let slack = near.abs().mul(S::F32x8::splat(1.0 / (1 << 22) as f32));
        near.sub(slack.add(S::F32x8::splat(f32::MIN_POSITIVE)))
    }
}

/// How far two local boxes are from meeting, lane by lane: they meet where no lane is positive. The sign of a sum of
/// two floats is exact.
#[inline(always)]
pub(crate) fn gaps<S: Simd>(a: S::F32x8, b: S::F32x8) -> S::F32x8 {
    a.add(b.swap())
}

/// Whether two local boxes have a common point.
#[inline(always)]
pub(crate) fn meets<S: Simd>(a: &LocalBox, b: &LocalBox) -> bool {
    gaps::<S>(S::F32x8::load(a), S::F32x8::load(b)).le(S::F32x8::splat(0.0)) == ALL
}

/// Whether two local boxes within [`REACH`] overlap so far that the boxes themselves do.
#[inline(always)]
pub(crate) fn surely_meets<S: Simd>(a: &LocalBox, b: &LocalBox) -> bool {
    gaps::<S>(S::F32x8::load(a), S::F32x8::load(b)).le(S::F32x8::splat(-CERTAIN)) == ALL
}

/// Whether a box lies within [`REACH`]; NaN does not.
#[inline(always)]
pub(crate) fn is_within<S: Simd>(b: S::F32x8) -> bool {
    S::F32x8::splat(-REACH).le(b) == ALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::{Kernel, dispatch};

    struct Outward<'a>(&'a Local, &'a Aabb);
    impl Kernel for Outward<'_> {
        type Output = LocalBox;
        fn run<S: Simd>(self) -> LocalBox {
            self.0.outward::<S>(self.1).array()
        }
    }

    #[test]
    fn local_boxes_contain_and_stay_near() {
        for (middle, size) in [(0.0, 1.0), (1e9, 1e-3), (-3e140, 1e140), (1e-300, 1e-300), (0.3, 0.0)] {
            let world = Aabb::new(DVec3::splat(middle - size), DVec3::splat(middle + size));
            let local = Local::of(&world);
            for k in 0..=16 {
                let x = middle - size + size * f64::from(k) / 8.0;
                let b = Aabb::new(DVec3::splat(x), DVec3::splat(x));
                let lanes = dispatch(Outward(&local, &b));
                let exact = (x - local.origin.x) * local.scale;
                let (low, high) = (f64::from(lanes[0]), f64::from(-lanes[4]));
                assert!(low <= exact && exact <= high, "{x} is not in {low}..{high}");
                assert!(high - low < f64::from(CERTAIN) && low >= -1.001 && high <= 1.001, "{x}");
                assert!((lanes[3] + 1.0).abs() < 1e-6 && (lanes[7] + 1.0).abs() < 1e-6, "{lanes:?}");
            }
            assert!(dispatch(Outward(&local, &Aabb::EMPTY))[0].is_nan());
        }
    }
}
