//! The phase of two dynamic trees of boxes, one static and one moving.

pub(crate) mod aabb_tree;
pub(crate) mod build;
pub(crate) mod dynamic_tree;
pub(crate) mod fat_pairs;
pub(crate) mod insert;
pub(crate) mod pairs;
