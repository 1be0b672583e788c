//! Two meshes, a mesh and a convex body, and a mesh with itself.

pub(crate) mod apart_by_planes;
pub(crate) mod brute;
pub(crate) mod chosen_volumes;
pub(crate) mod convex_meshes;
pub(crate) mod distance;
pub(crate) mod hulls;
pub(crate) mod inside;
pub(crate) mod memory;
pub(crate) mod mesh_contact;
pub(crate) mod mesh_distance;
pub(crate) mod mesh_near;
pub(crate) mod mesh_overlap;
pub(crate) mod mesh_query;
pub(crate) mod mesh_solid;
pub(crate) mod mesh_sweep;
pub(crate) mod placed;
pub(crate) mod self_contacts;
pub(crate) mod sweep;
#[cfg(test)]
mod trials;
