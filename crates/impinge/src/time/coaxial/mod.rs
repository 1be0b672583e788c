//! Bodies that turn about a common axis, or screw along one.

pub(crate) mod common_axis;
pub(crate) mod meeting_pieces;
pub(crate) mod profile;
pub(crate) mod profile_tree;
