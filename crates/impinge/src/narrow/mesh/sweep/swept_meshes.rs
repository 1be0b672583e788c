//! Two meshes, one of which moves straight, in one scaled frame; and the bounds known of two triangles on the way.

use glam::DVec3;

use crate::math::{EPS, Relative, normalising_scale};
use crate::model::Mesh;
use crate::narrow::mesh::placed::placed_meshes::PlacedMeshes;

/// Two meshes of which `b` moves straight.
#[derive(Debug)]
pub(crate) struct MeshSweep<'q> {
    /// Both meshes, with `b` half way.
    pub(crate) placed: PlacedMeshes<'q>,
    /// Where `b` starts.
    pub(crate) start: DVec3,
    /// How far it moves, and in which direction.
    pub(crate) way: DVec3,
    /// By how much `start` and `way` may be wrong.
    pub(crate) blur: f64,
    /// Half the way, in scaled units.
    pub(crate) half: DVec3,
    /// Rounding of a distance, in scaled units.
    pub(crate) noise: f64,
}

/// Two triangles that come near.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SweptTriangles {
    /// By places in leaf order.
    pub(crate) places: [u32; 2],
    /// They come no nearer than `lower`, and at some time as near as `upper`; rounding counted.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// At this time, from 0 to 1.
    pub(crate) time: f64,
}

impl<'q> MeshSweep<'q> {
    /// `b` starts at `start` and moves by `way`, both in `a`'s frame, and both off by no more than `blur`. Both meshes
    /// have triangles.
    #[inline(always)]
    pub(crate) fn new(a: &'q Mesh, b: &'q Mesh, start: &Relative, way: DVec3, blur: f64) -> MeshSweep<'q> {
        let middle = Relative { rotation: start.rotation, translation: start.translation + way * 0.5 };
        let (from, length) = (start.translation.abs().max_element(), way.abs().max_element());
        let reach = a.aabb().reach().max(2.0 * b.aabb().reach() + middle.translation.abs().max_element());
        let placed = PlacedMeshes { a, b, b_in_a: middle, scale: normalising_scale(reach + length) };
        let moved = (16.0 * EPS * (length + from) + blur) * placed.scale;
        let (half, noise) = (way * (0.5 * placed.scale), placed.noise(0.0) + moved);
        MeshSweep { placed, start: start.translation, way, blur, half, noise }
    }

    /// Two triangles in the bodies' unit, rounding counted.
    pub(crate) fn in_units(&self, near: &SweptTriangles) -> SweptTriangles {
        let unit = self.placed.scale.recip();
        let upper = if near.upper == 0.0 { 0.0 } else { (near.upper + self.noise) * unit };
        SweptTriangles { lower: (near.lower - self.noise).max(0.0) * unit, upper, ..*near }
    }
}
