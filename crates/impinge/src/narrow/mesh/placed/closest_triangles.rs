//! The two triangles of two meshes that are closest, as far as a search knows.

use super::placed_meshes::PlacedMeshes;
use crate::prim::{Nearest, lower_bound, nearest, triangles_overlap};

/// What a search for the least distance found, in scaled units and `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClosestTriangles {
    /// Two triangles overlap; `places` names them and `near` means nothing.
    pub(crate) overlap: bool,
    /// No pair of triangles is nearer.
    pub(crate) lower: f64,
    /// The closest pair of points, and the places of their triangles.
    pub(crate) near: Nearest,
    pub(crate) places: [u32; 2],
}

impl ClosestTriangles {
    /// No triangles found yet.
    pub(crate) const NONE: ClosestTriangles =
        ClosestTriangles { overlap: false, lower: f64::INFINITY, near: Nearest::NONE, places: [0; 2] };

    pub(crate) fn at(placed: &PlacedMeshes<'_>, places: [u32; 2]) -> ClosestTriangles {
        let (a, b) = (placed.a_triangle(places[0]), placed.b_triangle(places[1]));
        let near = nearest(&a, &b);
        ClosestTriangles { overlap: triangles_overlap(&a, &b), lower: lower_bound(&a, &b, &near), near, places }
    }

    /// The best distance so far.
    pub(crate) fn upper(&self) -> f64 {
        self.near.squared.sqrt()
    }
}
