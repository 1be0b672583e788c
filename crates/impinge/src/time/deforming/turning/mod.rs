//! When meshes that deform and turn touch.

pub(crate) mod carried_boxes;
pub(crate) mod carried_search;
pub(crate) mod tops;
