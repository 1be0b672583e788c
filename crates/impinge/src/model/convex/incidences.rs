//! What each part of a polyhedron bounds, and its measures: for code that draws, writes or walks hulls.

use std::fmt;

use glam::DVec3;

use super::measure;
use super::polyhedron::{Convex, Edge, Face, NONE};

/// As many vertices are listed when a hull is printed for debugging.
const LISTED: usize = 8;

impl Edge {
    /// The vertices at its tail and its head, as places in [`Convex::vertices`].
    pub fn ends(&self) -> [u32; 2] {
        self.ends
    }

    /// The faces to its left and to its right, seen from outside with the head ahead; `None` for a segment.
    pub fn faces(&self) -> Option<[u32; 2]> {
        (self.faces[0] != NONE).then_some(self.faces)
    }

    /// The unit vector from tail to head.
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// Its length.
    pub fn length(&self) -> f64 {
        self.length
    }
}

impl Face {
    /// The outward normal, of unit length.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// How far the plane is from the origin along the normal.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

impl Convex {
    /// For each vertex its index among the points given.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Convex};
    /// let hull = Convex::hull(&[DVec3::ZERO, DVec3::X * 0.5, DVec3::X])?;
    /// let mut ids = hull.vertex_ids().to_vec();
    /// ids.sort_unstable();
    /// assert_eq!(ids, [0, 2], "the middle of the segment is no vertex");
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn vertex_ids(&self) -> &[u32] {
        self.ids()
    }

    /// The edges around face `f`, as places in [`Convex::edges`]: the first runs from the first to the second of its
    /// [corners](Convex::face_corners), the last back to the first.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Convex};
    /// let body = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])?;
    /// let corners: Vec<u32> = body.face_corners(0).expect("the first face").collect();
    /// let first = body.face_sides(0).and_then(|mut sides| sides.next()).expect("its first side");
    /// let ends = body.edges()[first as usize].ends();
    /// assert!(ends == [corners[0], corners[1]] || ends == [corners[1], corners[0]]);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn face_sides(&self, f: u32) -> Option<impl ExactSizeIterator<Item = u32> + '_> {
        ((f as usize) < self.face_count()).then(|| self.face_edges(f).iter().map(|h| h.edge()))
    }

    /// The edges that meet at vertex `v`, as places in [`Convex::edges`], counterclockwise from outside.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Convex};
    /// let body = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])?;
    /// assert_eq!(body.edges_at(0).map(|edges| edges.len()), Some(3));
    /// assert!(body.edges_at(4).is_none(), "there is no vertex 4");
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn edges_at(&self, v: u32) -> Option<impl ExactSizeIterator<Item = u32> + '_> {
        ((v as usize) < self.vertex_count()).then(|| self.vertex_edges(v).iter().map(|h| h.edge()))
    }

    /// The area of the surface; both sides of a flat body count.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Convex};
    /// let triangle = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y])?;
    /// assert_eq!((triangle.area(), triangle.volume()), (1.0, 0.0));
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn area(&self) -> f64 {
        measure::area(self)
    }

    /// The volume; 0 of a flat body.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Convex};
    /// let corner = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z * 3.0])?;
    /// assert!((corner.volume() - 0.5).abs() < 1e-15);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn volume(&self) -> f64 {
        measure::volume(self)
    }
}

/// Its numbers of parts; of a small one, the vertices.
impl fmt::Debug for Convex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Convex");
        match self.vertices() {
            few if few.len() <= LISTED => shown.field("vertices", &few),
            many => shown.field("vertices", &many.len()),
        };
        shown.field("edges", &self.edge_count()).field("faces", &self.face_count()).finish_non_exhaustive()
    }
}
