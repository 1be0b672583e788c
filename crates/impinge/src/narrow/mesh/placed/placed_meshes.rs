//! Two meshes in `a`'s frame, scaled by a power of two: where every triangle of a query comes from.

use super::leaf_blocks::PlacedTriangles;
use crate::math::simd::axes;
use crate::math::{EPS, Interval, Relative, normalising_scale};
use crate::model::Mesh;
use crate::prim::Triangle;

/// Mesh `a` as it is and mesh `b` placed relative to it.
///
/// Coordinates are multiplied by a power of two that brings the largest to about 1. That is exact, and it keeps every
/// product of the predicates and every square of a distance away from overflow and underflow, whatever the units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedMeshes<'m> {
    pub(crate) a: &'m Mesh,
    pub(crate) b: &'m Mesh,
    pub(crate) b_in_a: Relative,
    /// The power of two.
    pub(crate) scale: f64,
}

impl<'m> PlacedMeshes<'m> {
    /// Both meshes have triangles.
    pub(crate) fn new(a: &'m Mesh, b: &'m Mesh, b_in_a: Relative) -> PlacedMeshes<'m> {
        let reach = 2.0 * b.aabb().reach() + b_in_a.translation.abs().max_element();
        PlacedMeshes { a, b, b_in_a, scale: normalising_scale(a.aabb().reach().max(reach)) }
    }

    /// The triangle of `a` at a place in leaf order.
    #[inline(always)]
    pub(crate) fn a_triangle(&self, place: u32) -> Triangle {
        let t = self.a.corners(place);
        axes!(k => t[k] * self.scale)
    }

    /// The triangle of `b` at a place in leaf order, in `a`'s frame.
    #[inline(always)]
    pub(crate) fn b_triangle(&self, place: u32) -> Triangle {
        let t = self.b.corners(place);
        axes!(k => self.b_in_a.apply(t[k]) * self.scale)
    }

    /// How far a distance between the true bodies may be from that between the rounded ones, in scaled units.
    ///
    /// Placing `b` rounds: not at all without rotation and translation; once a coordinate without rotation; else the
    /// matrix is off by some `8ε` an entry and the map rounds `6` times. The closest points are then computed from
    /// differences of corners, to within `12ε` of the bodies' sizes and the distance itself.
    pub(crate) fn noise(&self, distance: f64) -> f64 {
        let (reach, shift) = (self.b.aabb().reach(), self.b_in_a.translation.abs().max_element());
        let placing = match (self.b_in_a.is_rotated(), shift > 0.0) {
            (true, _) => 64.0 * reach + 8.0 * shift,
            (false, true) => 2.0 * reach + 8.0 * shift,
            (false, false) => 0.0,
        };
        let size = |m: &Mesh| (m.aabb().max * 0.5 - m.aabb().min * 0.5).max_element() * 2.0;
        EPS * ((placing + 12.0 * (size(self.a) + size(self.b))) * self.scale + 12.0 * distance)
    }

    /// In scaled units, the distance beyond which bodies are certainly farther apart than `distance`.
    pub(crate) fn enough(&self, distance: f64) -> f64 {
        distance * self.scale + self.noise(distance * self.scale)
    }

    /// The interval, in the bodies' own unit, around bounds in scaled units. Never `[0, 0]`: that is for overlap.
    pub(crate) fn interval(&self, lower: f64, upper: f64) -> Interval {
        let noise = self.noise(upper);
        let unit = self.scale.recip();
        Interval { lower: (lower - noise).max(0.0) * unit, upper: ((upper + noise) * unit).max(f64::MIN_POSITIVE) }
    }
}

impl PlacedTriangles for PlacedMeshes<'_> {
    #[inline(always)]
    fn a_triangle(&self, place: u32) -> Triangle {
        PlacedMeshes::a_triangle(self, place)
    }

    #[inline(always)]
    fn b_triangle(&self, place: u32) -> Triangle {
        PlacedMeshes::b_triangle(self, place)
    }
}
