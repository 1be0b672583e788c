//! A point that moves straight past a mesh, with a box around it: the path along which a shape is cast.

use glam::DVec3;

use crate::math::{EPS, normalising_scale};
use crate::model::Mesh;
use crate::prim::Triangle;
use crate::tree::descent::line::{TreeLine, inverse};

/// The path of the middle of a shape, in the frame of a mesh.
pub(super) struct MeshPath<'m> {
    pub(super) mesh: &'m Mesh,
    /// Where the path begins to be of interest, how far that is from where the shape begins, and how far it may be off.
    pub(super) start: DVec3,
    pub(super) shift: f64,
    pub(super) off: f64,
    /// The unit direction, and the length from the start on.
    pub(super) unit: DVec3,
    pub(super) length: f64,
    /// A power of two that keeps squares of coordinates within range.
    pub(super) scale: f64,
    pub(super) in_tree: TreeLine,
}

impl<'m> MeshPath<'m> {
    /// `None` where a box with these half extents passes the box of the mesh. The way is not zero.
    pub(super) fn new(mesh: &'m Mesh, from: DVec3, way: DVec3, half: DVec3) -> Option<MeshPath<'m>> {
        if mesh.is_empty() {
            return None;
        }
        let long = normalising_scale(way.abs().max_element());
        let length = (way * long).length() / long;
        let unit = (way * long).normalize();
        let bounds = &mesh.bounds;
        let most = from.abs().max_element();
        let slack = half + DVec3::splat(64.0 * EPS * (bounds.reach() + most + half.max_element()));
        let inverse = inverse(unit);
        let (low, high) = ((bounds.min - slack - from) * inverse, (bounds.max + slack - from) * inverse);
        let (enter, leave) = (low.min(high).max_element(), low.max(high).min_element());
        if !(enter <= leave && leave >= 0.0 && enter <= length) {
            return None;
        }
        // A little before the box, so that nothing touches there yet.
        let size = (bounds.max - bounds.min).max_element() + half.max_element();
        let shift = if enter > 2.0 * size { enter - 0.5 * size } else { 0.0 };
        let start = from + unit * shift;
        let off = if shift > 0.0 { 4.0 * EPS * most } else { 0.0 };
        let reach = bounds.reach().max(start.abs().max_element()) + half.max_element();
        let in_tree = TreeLine::new(mesh.tree(), start, inverse, off).widened(half / mesh.tree().unit);
        let scale = normalising_scale(reach);
        Some(MeshPath { mesh, start, shift, off, unit, length: length - shift, scale, in_tree })
    }

    /// Corners of a triangle, from the start.
    #[inline]
    pub(super) fn corners(&self, place: u32) -> Triangle {
        self.mesh.corners(place).map(|p| p - self.start)
    }

    /// A length from the start in units of the tree.
    pub(super) fn in_tree(&self, length: f64) -> f64 {
        length / self.mesh.tree().unit
    }
}
