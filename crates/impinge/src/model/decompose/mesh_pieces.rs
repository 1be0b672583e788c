//! Whether a mesh is convex, and the few convex pieces of one that is not, made when they are first asked for.

use glam::DVec3;

use super::solid::has_inside;
use crate::model::convex::measure;
use crate::model::convex::parts::Parts;
use crate::model::convex::polyhedron::Convex;
use crate::model::mesh::triangle_mesh::Interior;
use crate::model::mesh::triangle_mesh::Mesh;

/// Most triangles of a mesh that is cut into pieces without the user asking for it: some milliseconds.
const MOST_TRIANGLES: usize = 96;

/// Most pieces that count as few.
const MOST_PIECES: usize = 16;

impl Mesh {
    /// The convex hull of the vertices that triangles use; `None` for the empty mesh, and for one beyond the scale of
    /// convex bodies.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].to_vec();
    /// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// assert_eq!(mesh.hull().map(|hull| hull.vertex_count()), Some(4));
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn hull(&self) -> Option<&Convex> {
        self.hull.get_or_init(|| Convex::hull(&self.vertices).ok()).as_ref()
    }

    /// Whether the mesh is the boundary of a convex solid, up to rounding: closed, in one piece, all its vertices on
    /// its hull, and as large as that.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].to_vec();
    /// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// assert!(mesh.is_convex());
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn is_convex(&self) -> bool {
        *self.convexity.get_or_init(|| {
            let Some(hull) = self.hull() else { return false };
            let size = hull.radius();
            let on_hull = |v: &DVec3| (0..hull.face_count() as u32).any(|f| hull.height(f, *v) >= -1e-12 * size);
            let same = |x: f64, y: f64| (x - y).abs() <= 1e-12 * size.powi(3);
            self.report.components == 1
                && self.report.volume.is_some_and(|volume| same(volume.abs(), measure::volume(hull)))
                && (self.vertices.len() == hull.vertex_count() || self.vertices.iter().all(on_hull))
        })
    }

    /// Whether what counts as inside is the inside of the hull, up to rounding.
    pub(crate) fn is_convex_solid(&self) -> bool {
        self.is_solid() && self.encloses() && self.is_convex()
    }

    /// Convex bodies with volume whose union is the solid, up to rounding: its hull, or the pieces it was cut into when
    /// first asked for. `None` for surfaces, for more than [`MOST_TRIANGLES`] and for more than [`MOST_PIECES`].
    pub(crate) fn convex_pieces(&self) -> Option<&[Convex]> {
        if self.is_convex_solid() {
            return self.hull().filter(|hull| has_inside(hull)).map(std::slice::from_ref);
        }
        self.convex_parts().map(|parts| parts.pieces())
    }

    /// The pieces of a mesh that is not convex, with a tree of hulls.
    pub(crate) fn convex_parts(&self) -> Option<&Parts> {
        if !(self.is_solid() && self.encloses() && self.triangle_count() <= MOST_TRIANGLES) {
            return None;
        }
        let few = |parts: &Parts| parts.piece_count() <= MOST_PIECES && parts.pieces().iter().all(has_inside);
        let cut = || Parts::decompose(self).ok().filter(few).map(Box::new);
        self.pieces.get_or_init(cut).as_deref()
    }

    /// Whether inside is what the surface encloses, by either rule: a winding number must be positive.
    fn encloses(&self) -> bool {
        self.report.closed
            && (self.interior == Interior::Enclosed || self.report.volume.is_some_and(|volume| volume > 0.0))
    }
}
