//! Two convex bodies.

pub(crate) mod edge_contact;
pub(crate) mod solid_contact;
