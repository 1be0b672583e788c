//! A closed mesh cut into convex pieces whose union is the solid, up to rounding.
//!
//! Chazelle 1984 (*Convex partitions of polyhedra*) cuts a solid at its notches, the edges where it is not convex, by
//! planes through them, into at most O(r²) pieces for r notches: the slides' "quadratic time". Here the cuts are made
//! in the space around the solid instead of in its boundary, which needs no polyhedra with holes: the hull of the mesh
//! is cut by planes of its triangles until no triangle passes through a cell ([`super::cells`]), the cells
//! inside the solid are kept, and cells that are convex together are put together again ([`super::merge`]).
//!
//! Departure: cutting planes are those of the triangles, not bisectors, so that the pieces have no faces that are
//! nearly parallel to the surface.
//!
//! Invariant: the pieces have no common inside, their volumes add up to that of the mesh, and the surface lies in them;
//! this is checked.

use glam::DVec3;

use super::solid::solid_volume;
use super::{cells, merge};
use crate::error::BuildError;
use crate::model::convex::measure::volume;
use crate::model::convex::parts::Parts;
use crate::model::convex::polyhedron::Convex;
use crate::model::mesh::triangle_mesh::Mesh;

/// Most triangles of a mesh that is cut exactly: the work grows with the square of the notches.
const MOST_TRIANGLES: usize = 4096;

/// How far the volumes may be apart, relative to that of the mesh.
const VOLUME_ERROR: f64 = 1e-9;

/// What one merge may change it by: thousands of merges stay within the above.
const MERGE_ERROR: f64 = 1e-13;

impl Parts {
    /// A closed mesh, cut into convex pieces that make up the same solid, up to rounding: for up to 4096 triangles.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh, Parts};
    /// // A block with a step: the outline of an L, two units thick.
    /// let outline = [[0., 0.], [3., 0.], [3., 1.], [1., 1.], [1., 3.], [0., 3.]];
    /// let corners = [0.0, 2.0].iter().flat_map(|&z| outline.map(|[x, y]| DVec3::new(x, y, z))).collect();
    /// let top = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    /// let caps = top.iter().flat_map(|&[a, b, c]| [[a, c, b], [a + 6, b + 6, c + 6]]);
    /// let mut triangles: Vec<[u32; 3]> = caps.collect();
    /// triangles.extend((0..6).flat_map(|i| [[i, (i + 1) % 6, i + 6], [(i + 1) % 6, (i + 1) % 6 + 6, i + 6]]));
    /// let parts = Parts::decompose(&Mesh::new(corners, triangles)?)?;
    /// assert_eq!(parts.piece_count(), 2);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn decompose(mesh: &Mesh) -> Result<Parts, BuildError> {
        let expected = solid_volume(mesh)?;
        let count = mesh.triangle_count();
        if count > MOST_TRIANGLES {
            return Err(BuildError::TooMany { what: "triangles to cut at", count, limit: MOST_TRIANGLES });
        }
        let mut pieces = cells::inside(mesh)?;
        // A merge that loses more volume than rounding is not allowed either: a hull contains its parts.
        merge::merge(&mut pieces, expected, |added| added.abs() <= MERGE_ERROR * expected)?;
        let sum: f64 = pieces.iter().map(volume).sum();
        if (sum - expected).abs() > VOLUME_ERROR * expected {
            let why = "the pieces do not have its volume: its surface crosses itself, or it is too thin";
            return Err(BuildError::NotDecomposed { why });
        }
        if !cover(&pieces, mesh) {
            let why = "part of its surface has no inside: a sheet of two sides, or a component without volume";
            return Err(BuildError::NotDecomposed { why });
        }
        Parts::new(pieces)
    }
}

/// Whether corners and middles of all triangles lie in the pieces, up to rounding: what has no inside adds no volume,
/// but things may touch it.
fn cover(pieces: &[Convex], mesh: &Mesh) -> bool {
    let aabb = mesh.aabb();
    let near = VOLUME_ERROR * (aabb.max - aabb.min).max_element();
    let holds = |piece: &Convex, p: DVec3| (0..piece.face_count() as u32).all(|f| piece.height(f, p) <= near);
    let mut last = 0;
    (0..mesh.place_count()).flat_map(|place| samples(mesh.corners(place))).all(|p| {
        let found = pieces.get(last).is_some_and(|piece| holds(piece, p));
        found || pieces.iter().position(|piece| holds(piece, p)).inspect(|&k| last = k).is_some()
    })
}

fn samples([a, b, c]: [DVec3; 3]) -> [DVec3; 7] {
    [a, b, c, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0, (a + b + c) / 3.0]
}
