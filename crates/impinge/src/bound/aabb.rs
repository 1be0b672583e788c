//! Axis-aligned boxes: in `f64` around bodies, in `f32`, rounded outward, inside trees.

use glam::{DVec3, Vec3A};

use crate::math::LIMIT;

/// A closed box along the coordinate axes, in `f64`; empty when `min > max` on any of them.
///
/// ```
/// use impinge::bound::Aabb;
/// use impinge::glam::DVec3;
///
/// let a = Aabb::new(DVec3::ZERO, DVec3::ONE);
/// assert!(a.meets(&Aabb::new(DVec3::ONE, DVec3::splat(2.0))), "they share a corner");
/// assert!(!a.meets(&Aabb::EMPTY));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// The least coordinates.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number::vector"))]
    pub min: DVec3,
    /// The greatest coordinates.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number::vector"))]
    pub max: DVec3,
}

impl Aabb {
    /// The box without a point.
    pub const EMPTY: Aabb = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The box between two corners.
    pub const fn new(min: DVec3, max: DVec3) -> Aabb {
        Aabb { min, max }
    }

    /// Whether the two have a common point: boxes that only touch have one.
    #[inline(always)]
    pub fn meets(&self, other: &Aabb) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether every point of the other is one of this.
    #[inline(always)]
    pub fn contains(&self, other: &Aabb) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// The smallest box that holds both.
    pub fn join(&self, other: &Aabb) -> Aabb {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Moved out by a length on every side and rounded outward, but not beyond the supported scale: no body is there.
    #[inline]
    pub fn grown(&self, by: f64) -> Aabb {
        let out = |x: f64| (x + by).next_up().clamp(-LIMIT, LIMIT);
        let corner = |p: DVec3| DVec3::new(out(p.x), out(p.y), out(p.z));
        Aabb { min: -corner(-self.min), max: corner(self.max) }
    }

    /// Wider by half of `reach` on every side: of two bodies that come as near as `reach`, the boxes meet. Half of a
    /// float is exact and [`grown`](Aabb::grown) rounds outward, so nothing is lost to rounding. A box without a point
    /// stays so, and one beyond the supported scale is as it was, for a store to refuse.
    ///
    /// ```
    /// use impinge::bound::Aabb;
    /// use impinge::glam::DVec3;
    /// let a = Aabb::new(DVec3::ZERO, DVec3::ONE);
    /// let b = Aabb::new(DVec3::new(1.125, 0.0, 0.0), DVec3::splat(2.0));
    /// assert!(a.reaching(0.125).meets(&b.reaching(0.125)) && !a.reaching(0.1).meets(&b.reaching(0.1)));
    /// ```
    pub fn reaching(&self, reach: f64) -> Aabb {
        if reach == 0.0 || self.is_empty() || self.reach() > LIMIT { *self } else { self.grown(0.5 * reach) }
    }

    pub(crate) fn of(points: impl IntoIterator<Item = DVec3>) -> Aabb {
        points.into_iter().fold(Aabb::EMPTY, |b, p| Aabb { min: b.min.min(p), max: b.max.max(p) })
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// The middle, computed so that no sum overflows.
    pub(crate) fn centre(&self) -> DVec3 {
        self.min * 0.5 + self.max * 0.5
    }

    /// Largest absolute coordinate.
    pub(crate) fn reach(&self) -> f64 {
        self.min.abs().max(self.max.abs()).max_element()
    }
}

/// A closed box in `f32`, in a tree's own units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Box32 {
    pub(crate) min: Vec3A,
    pub(crate) max: Vec3A,
}

impl Box32 {
    pub(crate) const EMPTY: Box32 = Box32 { min: Vec3A::INFINITY, max: Vec3A::NEG_INFINITY };

    /// An `f32` box around an `f64` one that lies within ±1. Rounding to `f32` moves a face by 2⁻²⁵ at most, and the
    /// faces are moved out by 2⁻²⁴ before.
    #[inline(always)]
    pub(crate) fn around(min: DVec3, max: DVec3) -> Box32 {
        let out = DVec3::splat(1.0 / f64::from(1 << 24));
        Box32 { min: (min - out).as_vec3a(), max: (max + out).as_vec3a() }
    }

    #[inline(always)]
    pub(crate) fn union(&self, o: &Box32) -> Box32 {
        Box32 { min: self.min.min(o.min), max: self.max.max(o.max) }
    }

    /// Half the surface area, which is all that the builders compare; 0 when empty.
    #[inline(always)]
    pub(crate) fn half_area(&self) -> f32 {
        let d = (self.max - self.min).max(Vec3A::ZERO);
        d.x * d.y + d.y * d.z + d.z * d.x
    }

    /// Twice the middle.
    #[inline(always)]
    pub(crate) fn double_centre(&self) -> Vec3A {
        self.min + self.max
    }
}

/// The smallest `f32` not below `x`.
#[inline(always)]
pub(crate) fn round_up(x: f64) -> f32 {
    let c = x as f32;
    if f64::from(c) < x { c.next_up() } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_meet_at_their_reach() {
        let unit = |x: f64| Aabb::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 1.0));
        for (x, reach) in
            [(1.1, 1.1 - 1.0), (1e9 + 0.3, 1e9 + 0.3 - 1.0), (1.0 + 1e-15, 1e-15), (1.0, 0.0), (1e300, 1e149)]
        {
            let (a, b) = (unit(0.0).reaching(reach), unit(x).reaching(reach));
            assert_eq!(a.meets(&b), x < 1e150, "{x} {reach}");
            assert!(a.contains(&unit(0.0)) && a.reach() <= LIMIT);
        }
        let beyond = unit(1e151);
        assert_eq!((beyond.reaching(1.0), Aabb::EMPTY.reaching(1.0)), (beyond, Aabb::EMPTY));
    }

    #[test]
    fn rounding_is_outward() {
        for x in [0.1, -0.1, 1.0, 1e-50, -1e-50, 0.0, 16777217.0] {
            assert!(x <= f64::from(round_up(x)), "{x}");
        }
        assert_eq!(round_up(1.0), 1.0);
        for x in [0.1, -0.1, 1.0, -1.0, 1e-50, 0.3333333333333333] {
            let b = Box32::around(DVec3::splat(x), DVec3::splat(x));
            assert!(f64::from(b.min.x) <= x && x <= f64::from(b.max.x), "{x}");
        }
    }
}
