//! Volumes around the nodes of a tree, besides its own boxes.

pub(crate) mod fitted_volumes;
pub(crate) mod placed_volumes;
pub(crate) mod volume_pair;
