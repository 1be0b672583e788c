//! Triangle meshes: validated, welded, with a tree, and what kind of surface they are.

pub(crate) mod bounded_hull;
pub(crate) mod copies;
pub(crate) mod deform;
pub(crate) mod deforming_mesh;
pub(crate) mod hull_slots;
pub(crate) mod original_corners;
pub(crate) mod seems_convex;
pub(crate) mod sheets;
pub(crate) mod slices;
pub(crate) mod surroundings;
pub(crate) mod topology;
pub(crate) mod triangle_mesh;
pub(crate) mod weld;
pub(crate) mod winding;
pub(crate) mod winding_moments;
