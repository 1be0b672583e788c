//! The points of contact that a constraint solver consumes.

pub(crate) mod choose_four;
pub(crate) mod edge_contact;
pub(crate) mod face_contact;
pub(crate) mod find;
pub(crate) mod gather;
pub(crate) mod list;
pub(crate) mod memory;
pub(crate) mod mesh_and_mesh;
pub(crate) mod mesh_and_solid;
pub(crate) mod mesh_line;
pub(crate) mod options;
pub(crate) mod refine;
pub(crate) mod solids;
pub(crate) mod triangle_contact;
pub(crate) mod triangle_pair;

pub use list::{ContactPoint, Manifold, Manifolds};
pub use options::{KeptPoints, ManifoldOptions};
