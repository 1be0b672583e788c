//! When a mesh that deforms while a motion carries and turns it first touches a body of any kind.

pub(crate) mod carried_body;
pub(crate) mod carried_search;
pub(crate) mod tops;
