//! The least distance of two meshes: their leaves, and what stays ruled out from query to query.

pub(crate) mod distance_leaves;
pub(crate) mod front;
