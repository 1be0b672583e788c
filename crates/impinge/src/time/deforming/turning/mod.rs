//! When a mesh that deforms and turns first touches.

pub(crate) mod carried_body;
pub(crate) mod carried_search;
pub(crate) mod tops;
