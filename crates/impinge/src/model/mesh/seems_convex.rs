//! Which meshes seem to be convex, so that queries about them begin with their hulls.
//!
//! A convex body is as far from another as its hull is, and GJK or V-Clip computes that in a microsecond where trees of
//! boxes around a round surface take a hundred. Triangles of the meshes prove what the hulls say
//! (`narrow/mesh/convex_meshes.rs`), so all that is needed here is a good guess, made once a mesh: none of the planes
//! of some triangles has vertices on both sides. Most bodies that are not convex fail at the first plane.
//!
//! The hull may leave out vertices that lie on its faces, and, by rounding, a little above them. How far any vertex
//! stands out of the hull is measured: the distance of the hulls less that length is a lower bound for the meshes.

use glam::DVec3;

use super::triangle_mesh::Mesh;
use crate::math::EPS;
use crate::model::convex::polyhedron::Convex;
use crate::prim::squared_from;

/// Most vertices of a mesh whose hull is built without the user asking for it: some ten milliseconds.
const MOST_VERTICES: usize = 1 << 15;

/// Triangles whose planes are tried.
const PLANES: usize = 16;

/// How far behind a plane vertices may lie, by the size of the mesh.
const FLAT: f64 = 1e-9;

/// Vertices left out times faces: as long as the hull takes.
const MOST_WORK: usize = 1 << 24;

/// A mesh by its hull.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AsConvex<'m> {
    pub(crate) hull: &'m Convex,
    /// No point of the mesh is farther outside of the hull.
    pub(crate) out: f64,
}

impl Mesh {
    /// The hull, where the mesh seems to be convex and the user chose no other volumes.
    #[inline(always)]
    pub(crate) fn as_convex(&self) -> Option<AsConvex<'_>> {
        let out = (*self.out_of_hull.get_or_init(|| self.measure_out_of_hull()))?;
        Some(AsConvex { hull: self.hull()?, out })
    }

    #[cold]
    fn measure_out_of_hull(&self) -> Option<f64> {
        let plain = self.hulls.asked().is_none() && self.volumes.is_none();
        if !plain || self.vertices.len() > MOST_VERTICES || !self.seems_convex() {
            return None;
        }
        let hull = self.hull()?;
        let out = self.stands_out_of(hull)?;
        (out <= FLAT * hull.radius()).then_some(out)
    }

    /// Whether none of the planes of some triangles has vertices on both sides.
    fn seems_convex(&self) -> bool {
        let count = self.triangles.len();
        let step = count.div_ceil(PLANES).max(1);
        let size = self.radius();
        let planes = (0..count).step_by(step).map(|place| self.corners(place as u32));
        let mut seen = false;
        for t in planes {
            let n = (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero();
            let (mut above, mut below) = (false, false);
            for v in &self.vertices {
                let height = n.dot(*v - t[0]);
                above |= height > FLAT * size;
                below |= height < -FLAT * size;
                if above && below {
                    return false;
                }
            }
            seen |= n != DVec3::ZERO;
        }
        seen
    }

    /// How far any vertex is outside of the hull at most; `None` where measuring it would take too long.
    fn stands_out_of(&self, hull: &Convex) -> Option<f64> {
        let mut kept = vec![false; self.vertices.len()];
        for v in 0..hull.vertex_count() as u32 {
            *kept.get_mut(hull.vertex_id(v)? as usize)? = true;
        }
        let left_out = kept.iter().filter(|kept| !**kept).count();
        if left_out == 0 {
            return Some(0.0);
        }
        if hull.face_count() == 0 || left_out.saturating_mul(hull.face_count() + hull.vertex_count()) > MOST_WORK {
            return None;
        }
        let mut most: f64 = 0.0;
        for (v, _) in self.vertices.iter().zip(&kept).filter(|(_, kept)| !**kept) {
            let faces = 0..hull.face_count() as u32;
            let face = faces.max_by(|f, g| hull.height(*f, *v).total_cmp(&hull.height(*g, *v)))?;
            most = most.max(squared_from_face(hull, face, *v)?);
        }
        Some(most.sqrt() + 8.0 * EPS * hull.radius())
    }
}

/// The squared distance of a point from a face, as the triangles about its first corner; these lie in the hull.
fn squared_from_face(hull: &Convex, face: u32, p: DVec3) -> Option<f64> {
    let corners: Vec<DVec3> = hull.face_corners(face)?.map(|v| hull.vertex(v)).collect();
    let fan = corners.get(1..)?.windows(2).map(|side| squared_from(&[corners[0], side[0], side[1]], p));
    Some(fan.fold(f64::INFINITY, f64::min))
}
