//! Solid meshes cut into convex pieces.

#[cfg(feature = "vhacd")]
pub(crate) mod approximate;
pub(crate) mod cells;
pub(crate) mod exact;
pub(crate) mod merge;
pub(crate) mod mesh_pieces;
pub(crate) mod solid;
