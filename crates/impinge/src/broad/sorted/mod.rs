//! Phases that sort the ends of intervals along chosen axes, and those that walk segment and interval trees.

pub(crate) mod interval_tree;
pub(crate) mod plane_sweep;
pub(crate) mod segmented_sweep;
pub(crate) mod segments;
pub(crate) mod spread;
pub(crate) mod streamed_segment_tree;
pub(crate) mod sweep_axes;
pub(crate) mod sweep_lists;
pub(crate) mod sweep_prune;
