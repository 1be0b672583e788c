//! Volumes around the nodes of a tree, besides its own boxes.

pub(crate) mod volume_tree;
