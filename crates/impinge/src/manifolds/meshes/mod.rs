//! A mesh and another body.

pub(crate) mod mesh_and_mesh;
pub(crate) mod mesh_and_solid;
pub(crate) mod mesh_line;
pub(crate) mod mesh_sheets;
pub(crate) mod triangle_contact;
pub(crate) mod triangle_pair;
