//! The manifold of two convex bodies, or pieces.

pub(crate) mod edge_contact;
pub(crate) mod solid_contact;
