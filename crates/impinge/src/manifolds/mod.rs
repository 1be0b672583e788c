//! The points of contact that a constraint solver consumes.

pub(crate) mod choose_four;
pub(crate) mod edge_contact;
pub(crate) mod face_contact;
pub(crate) mod find;
pub(crate) mod list;
pub(crate) mod memory;
pub(crate) mod options;
pub(crate) mod solids;

pub use list::{ContactPoint, Manifold, Manifolds};
pub use options::{KeptPoints, ManifoldOptions};
