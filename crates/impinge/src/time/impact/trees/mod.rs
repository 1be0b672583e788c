//! Bodies made of many pieces.

pub(crate) mod by_stretches;
pub(crate) mod earliest;
pub(crate) mod first_found;
pub(crate) mod moving_trees;
pub(crate) mod tree_contact;
