//! Phases that sweep a grid of rows, from scratch or over boxes with room to move.

pub(crate) mod blocks;
pub(crate) mod candidates;
pub(crate) mod fat_boxes;
pub(crate) mod fat_sweep;
pub(crate) mod grid_sweep;
pub(crate) mod row;
pub(crate) mod row_grid;
pub(crate) mod row_order;
pub(crate) mod spatial_order;
