//! The points of contact that a constraint solver consumes.

pub(crate) mod any_bodies;
pub(crate) mod choose_four;
pub(crate) mod crossings;
pub(crate) mod face_contact;
pub(crate) mod gather;
pub(crate) mod list;
pub(crate) mod memory;
pub(crate) mod meshes;
pub(crate) mod options;
pub(crate) mod solids;

pub use crossings::{CrossingCurve, Crossings, SharedFace};
pub use list::{ContactPoint, Manifold, Manifolds};
pub use options::{KeptPoints, ManifoldOptions};
