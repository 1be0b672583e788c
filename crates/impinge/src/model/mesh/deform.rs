//! New positions for the vertices of a mesh: boxes are refitted where that is enough, else the mesh is built again.
//!
//! After a deformation a mesh is what [`Mesh::new`] would make of the new positions and the old triangles, but for the
//! shape of its tree. What depends on positions (box, area, volume, degenerate triangles, hull, volumes) is computed
//! anew. What depends on which vertices are equal (edges, components, copies of triangles) stays valid as long as the
//! same vertices are equal. Equality is therefore decided again, and where it differs, because a seam has opened or
//! vertices have met, the mesh is built again. It is built again too when refitted boxes have grown too much
//! (`tree/build/refit.rs`).
//!
//! Invariant: an error changes nothing; everything that can fail is checked first.

use glam::DVec3;

use super::triangle_mesh::{Mesh, validate_positions};
use super::{topology, weld};
use crate::bound::Aabb;
use crate::error::BuildError;
use crate::math::normalising_scale;
use crate::math::simd::axes;
use crate::threads::share;
use crate::tree::nodes::SERIAL;

/// What became of the tree of a mesh that was deformed.
///
/// ```
/// use impinge::{glam::DVec3, Mesh, Refit};
/// let mut corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
/// let mut sheet = Mesh::new(corners.clone(), vec![[0, 1, 2]])?;
/// corners[2].y = 1.5;
/// assert_eq!(sheet.deform(&corners)?, Refit::Refitted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refit {
    /// Its boxes were fitted to the new positions.
    Refitted,
    /// It was built again: other vertices than before are equal, or its boxes had grown to more than 1.5 times the cost
    /// that they had when it was built.
    Rebuilt,
}

crate::error::named! { Refit { Refitted = "refitted", Rebuilt = "rebuilt" } }

impl Mesh {
    /// Moves the vertices: `positions` are those of all vertices as given to [`Mesh::new`], in that order, and are
    /// validated like the first ones. On an error the mesh is as it was.
    ///
    /// The mesh is then what [`Mesh::new`] would make of these positions: the [report](Mesh::report) and the
    /// [box](Mesh::bounds) are up to date; vertices that have met are one, and those that have parted are two. A closed
    /// mesh that comes apart is a surface until it closes again; [`Mesh::into_surface`] and
    /// [`Mesh::into_solid_by_winding`] stay in force.
    ///
    /// Answers do not depend on whether the tree was refitted or built again; a refit takes a fraction of the time.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use impinge::{glam::DVec3, BuildError, Mesh, Pair, Pose, Refit};
    /// let mut v = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array).to_vec();
    /// let mut body = Arc::new(Mesh::new(v.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
    /// let mut pair = Pair::new(body.clone(), body.clone());
    ///
    /// v[3].z = 2.0;
    /// // The pair keeps the old body, so this makes a copy and deforms that.
    /// assert_eq!(Arc::make_mut(&mut body).deform(&v)?, Refit::Refitted);
    /// assert_eq!(body.report().volume, Some(1.0 / 3.0));
    /// pair.replace_a(body.clone());
    /// let above = Pose::at(DVec3::new(0.0, 0.0, 2.5))?;
    /// assert!(pair.distance(&Pose::IDENTITY, &above).interval.contains(0.5));
    ///
    /// let refused = Arc::make_mut(&mut body).deform(&v[1..]);
    /// assert_eq!(refused, Err(BuildError::WrongCount { count: 3, vertices: 4 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deform(&mut self, positions: &[DVec3]) -> Result<Refit, BuildError> {
        let (count, vertices) = (positions.len(), self.vertex_count());
        if count != vertices {
            return Err(BuildError::WrongCount { count, vertices });
        }
        validate_positions(positions)?;
        if self.is_empty() {
            return Ok(Refit::Refitted);
        }
        let weld = || weld::first_equal(positions);
        let (first, ()) = if self.place_count() as usize > SERIAL {
            share::join(weld, || self.refit(positions))
        } else {
            (weld(), self.refit(positions))
        };
        if self.is_welded_by(&first) && !self.tree.is_worth_rebuilding() {
            self.recount(&first);
            return Ok(Refit::Refitted);
        }
        let (interior, volumes, hulls) = (self.interior, self.volumes.unfitted(), self.hulls.unbuilt());
        *self = Mesh::assemble(positions, &self.original_triangles(), self.builder);
        (self.interior, self.volumes, self.hulls) = (interior, volumes, hulls);
        Ok(Refit::Rebuilt)
    }

    /// Takes the positions over, and all that follows from them and the welded triangles.
    fn refit(&mut self, positions: &[DVec3]) {
        for (v, &id) in self.vertices.iter_mut().zip(&self.vertex_ids) {
            *v = positions[id as usize];
        }
        self.forget_fitted();
        self.bounds = Aabb::of(self.vertices.iter().copied());
        let scale = normalising_scale(self.bounds.reach());
        let (vertices, triangles) = (&self.vertices, &self.triangles);
        let corners = |place: u32| axes!(k => vertices[triangles[place as usize][k] as usize]);
        let in_order = self.in_original_order();
        let measure = || topology::measure(vertices, &in_order, scale);
        let (tree, bounds) = (&mut self.tree, &self.bounds);
        let (measures, ()) = if triangles.len() > SERIAL {
            share::join(measure, || tree.refit(bounds, corners))
        } else {
            (measure(), tree.refit(bounds, corners))
        };
        self.report.area = measures.area;
        self.report.volume = self.report.volume.map(|_| measures.volume);
        self.report.degenerate_triangles = measures.degenerate;
    }

    /// Whether the corners of the triangles are still welded as they were, when each vertex is welded to `first` of it.
    fn is_welded_by(&self, first: &[u32]) -> bool {
        let leads = |&id: &u32| first[id as usize] == id;
        let welds = |original: &[u32; 3], corners: [u32; 3]| {
            (0..3).all(|k| first[original[k] as usize] == self.vertex_ids[corners[k] as usize])
        };
        let copy = |c: usize| self.duplicates[c].corners_of(self.triangles[self.duplicates[c].of as usize]);
        self.vertex_ids.iter().all(leads)
            && self
                .original_corners
                .all_others(&self.ids, |p, k, v| first[v as usize] == self.vertex_ids[self.triangles[p][k] as usize])
            && self.original_copies.iter().enumerate().all(|(c, original)| welds(original, copy(c)))
    }

    /// Counts the vertices that are merged or unused: those that no triangle names may have met others.
    fn recount(&mut self, first: &[u32]) {
        let mut used = vec![false; first.len()];
        self.vertex_ids.iter().for_each(|&id| used[id as usize] = true);
        self.report.merged_vertices = first.iter().enumerate().filter(|&(i, &f)| i != f as usize).count();
        self.report.unused_vertices = first.iter().filter(|&&f| !used[f as usize]).count();
    }

    /// The corners of all triangles by places of vertices, in the order in which the builder received the triangles.
    fn in_original_order(&self) -> Vec<[u32; 3]> {
        let mut all = vec![[0; 3]; self.places.len()];
        for (&id, &corners) in self.ids.iter().zip(&self.triangles) {
            all[id as usize] = corners;
        }
        for copy in &self.duplicates {
            all[copy.id as usize] = copy.corners_of(self.triangles[copy.of as usize]);
        }
        all
    }

    /// The triangles as the builder received them.
    pub(crate) fn original_triangles(&self) -> Vec<[u32; 3]> {
        let named = |corners: [u32; 3]| corners.map(|v| self.vertex_ids[v as usize]);
        let mut all: Vec<[u32; 3]> = self.in_original_order().into_iter().map(named).collect();
        for (place, &id) in self.ids.iter().enumerate() {
            all[id as usize] = self.corner_ids(place as u32);
        }
        for (copy, &original) in self.duplicates.iter().zip(&self.original_copies) {
            all[copy.id as usize] = original;
        }
        all
    }

    /// The same body in another unit of length.
    pub(crate) fn scaled(&self, factor: f64) -> Mesh {
        let mut scaled = self.clone();
        // It can fail only where a coordinate leaves the supported range.
        let _ = scaled.deform(&self.given_positions(|v| v * factor));
        scaled
    }

    /// Where `moved` takes each vertex as given; those that no triangle names are at the origin.
    pub(crate) fn given_positions(&self, moved: impl Fn(DVec3) -> DVec3) -> Vec<DVec3> {
        let mut positions = vec![DVec3::ZERO; self.vertex_count()];
        for (original, corners) in self.original_triangles().iter().zip(self.in_original_order()) {
            for (&id, v) in original.iter().zip(corners) {
                positions[id as usize] = moved(self.vertices[v as usize]);
            }
        }
        positions
    }

    /// Whether both meshes have the same triangles in the same places of the same tree, wherever their vertices are.
    pub(crate) fn has_layout_of(&self, other: &Mesh) -> bool {
        self.ids == other.ids && self.triangles == other.triangles && self.tree.has_shape_of(&other.tree)
    }
}
