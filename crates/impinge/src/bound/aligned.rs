//! Boxes along the axes of their own body: van den Bergen's AABB trees, in `f64`, for every verb.
//!
//! Both trees keep their boxes in their own frames, so the box of the moved tree is an oriented one to the other (G.
//! van den Bergen, *Efficient collision detection of complex deformable models using AABB trees*, JGT 2(4), 1997). The
//! six axes of the faces of both are tried to separate two boxes. The default tree has the same boxes in `f32`; these
//! are for comparison.
//!
//! Error: see [`Obb`], whose bound along face axes this is.

use glam::{DMat3, DVec3};

use super::node_volume::{Bound, Placement};
use super::obb::Obb;

/// A box along the coordinate axes.
///
/// ```
/// use impinge::{bound::{AlignedBox, Bound}, glam::DVec3};
/// let triangle = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0];
/// let around = AlignedBox::around(&[triangle]);
/// assert_eq!((around.centre, around.half), (DVec3::new(1.0, 1.0, 0.0), DVec3::new(1.0, 1.0, 0.0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlignedBox {
    /// Its middle.
    pub centre: DVec3,
    /// Half its extents.
    pub half: DVec3,
}

impl AlignedBox {
    #[inline]
    fn oriented(&self) -> Obb {
        Obb { centre: self.centre, axes: DMat3::IDENTITY, half: self.half }
    }
}

impl Bound for AlignedBox {
    type Placed = Obb;

    fn around(triangles: &[[DVec3; 3]]) -> AlignedBox {
        let corners = || triangles.iter().flatten().copied();
        let low = corners().fold(DVec3::INFINITY, DVec3::min);
        let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
        let centre = (low + high) * 0.5;
        AlignedBox { centre, half: (high - centre).max(centre - low) }
    }

    #[inline]
    fn place(&self, to: &Placement) -> Obb {
        self.oriented().place(to)
    }

    #[inline]
    fn apart(&self, other: &Obb) -> f64 {
        self.oriented().gap_along_faces(other)
    }

    #[inline]
    fn at_most(&self, other: &Obb) -> f64 {
        self.oriented().at_most(other)
    }
}
