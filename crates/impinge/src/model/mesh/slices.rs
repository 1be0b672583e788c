//! The vertices and triangles of a mesh, as it keeps them and as they were given.
//!
//! A mesh keeps each vertex that a triangle uses once, and each triangle once, in the order of its tree. Two tables
//! lead from there to the indices given to the builder, by which all answers name things.

use std::fmt;

use glam::DVec3;

use super::triangle_mesh::Mesh;
use crate::tree::Builder;

impl Mesh {
    /// The vertices that triangles use, each position once, in an order of the mesh's own; [`Mesh::vertex_ids`] tells
    /// which of those given they are.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ZERO, DVec3::X, DVec3::Z].to_vec();
    /// let mesh = Mesh::new(corners.clone(), vec![[0, 1, 2], [3, 4, 5]])?;
    /// assert_eq!(mesh.vertices().len(), 4, "two are equal to others");
    /// for (vertex, &id) in mesh.vertices().iter().zip(mesh.vertex_ids()) {
    ///     assert_eq!(*vertex, corners[id as usize]);
    /// }
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// For each of [`Mesh::vertices`] its index as given; of several equal ones the first.
    pub fn vertex_ids(&self) -> &[u32] {
        &self.vertex_ids
    }

    /// The triangles by the places of their corners in [`Mesh::vertices`], each three corners once, in an order of the
    /// mesh's own; [`Mesh::triangle_ids`] tells which of those given they are. What is drawn from these two slices is
    /// the whole surface.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].to_vec();
    /// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// for (corners, &id) in mesh.triangles().iter().zip(mesh.triangle_ids()) {
    ///     assert_eq!(mesh.triangle(id), Some(corners.map(|v| mesh.vertices()[v as usize])));
    /// }
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// For each of [`Mesh::triangles`] its index as given; of copies the first.
    pub fn triangle_ids(&self) -> &[u32] {
        &self.ids
    }

    /// Positions and triangles as they were given to [`Mesh::new`], in that order: copies, equal vertices and all.
    /// After [`Mesh::deform`] the positions are the new ones. Vertices that no triangle names are not kept: they are at
    /// the origin.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].to_vec();
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let (vertices, triangles) = Mesh::new(corners.clone(), faces.clone())?.as_given();
    /// assert_eq!((vertices, triangles), (corners, faces));
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn as_given(&self) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        (self.given_positions(|p| p), self.original_triangles())
    }

    /// How its tree is built.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Builder, Mesh};
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    /// assert_eq!(Mesh::with_builder(corners, vec![[0, 1, 2]], Builder::Sah)?.builder(), Builder::Sah);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn builder(&self) -> Builder {
        self.builder
    }
}

/// Its numbers of parts, whether it is a solid, and its bounds.
impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mesh")
            .field("vertices", &self.vertex_count())
            .field("triangles", &self.triangle_count())
            .field("solid", &self.is_solid())
            .field("bounds", &self.bounds())
            .finish_non_exhaustive()
    }
}
