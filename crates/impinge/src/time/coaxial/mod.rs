//! Bodies that turn about one axis, or screw along it.

pub(crate) mod axis_line;
pub(crate) mod common_axis;
pub(crate) mod corners;
pub(crate) mod line_path;
pub(crate) mod meeting_pieces;
pub(crate) mod profile;
pub(crate) mod profile_gap;
pub(crate) mod profile_tree;
pub(crate) mod revolved;
pub(crate) mod rings;
