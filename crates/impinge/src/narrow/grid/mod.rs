//! The grid of pairs: which engine answers which question about which two models.

pub(crate) mod dispatch;
pub(crate) mod grid_contacts;
pub(crate) mod grid_depth;
pub(crate) mod grid_mesh_depth;
pub(crate) mod grid_parts;
pub(crate) mod memory;
pub(crate) mod rescaled_depth;
