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

/// Local boxes within ±2 that overlap by more than this belong to boxes that do: twice 2⁻²⁰ and the rounding of the
/// difference.
pub(crate) const CERTAIN: f32 = 1.0 / (1 << 18) as f32;

/// How far from the middle a box may go before the world has to be measured anew.
const REACH: f64 = 2.0;

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

    /// Whether the box lies where [`CERTAIN`] holds.
    #[inline(always)]
    pub(crate) fn reaches(&self, b: &Aabb) -> bool {
        let (low, high) = ((b.min - self.origin) * self.scale, (b.max - self.origin) * self.scale);
        low.min_element() >= -REACH && high.max_element() <= REACH
    }

    /// The local box; its free lanes are below every number.
    #[inline(always)]
    pub(crate) fn outward(&self, b: &Aabb) -> [f32; 8] {
        let low = (b.min - self.origin) * self.scale;
        let high = (self.origin - b.max) * self.scale;
        let mut lanes = [low.x, low.y, low.z, -1.0, high.x, high.y, high.z, -1.0].map(|x| x as f32);
        for f in &mut lanes {
            *f -= f.abs() * (1.0 / (1 << 22) as f32) + f32::MIN_POSITIVE;
        }
        lanes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_boxes_contain_and_stay_near() {
        for (middle, size) in [(0.0, 1.0), (1e9, 1e-3), (-3e140, 1e140), (1e-300, 1e-300), (0.3, 0.0)] {
            let world = Aabb::new(DVec3::splat(middle - size), DVec3::splat(middle + size));
            let local = Local::of(&world);
            for k in 0..=16 {
                let x = middle - size + size * f64::from(k) / 8.0;
                let b = Aabb::new(DVec3::splat(x), DVec3::splat(x));
                assert!(local.reaches(&b));
                let lanes = local.outward(&b);
                let exact = (x - local.origin.x) * local.scale;
                let (low, high) = (f64::from(lanes[0]), f64::from(-lanes[4]));
                assert!(low <= exact && exact <= high, "{x} is not in {low}..{high}");
                assert!(high - low < f64::from(CERTAIN), "{x}");
            }
        }
    }
}
