//! Bodies that turn about one axis, or screw along it.

pub(crate) mod common_axis;
pub(crate) mod meeting_pieces;
pub(crate) mod profile;
pub(crate) mod profile_gap;
pub(crate) mod profile_tree;
