//! Where two surfaces of triangles cross: the curves that they share, and the polygons where they lie in one plane.

pub(crate) mod cut;
pub(crate) mod find_crossings;
pub(crate) mod join;

pub use find_crossings::{CrossingCurve, Crossings, SharedFace};
