//! Rank 2: many boxes, and which of them meet. It never sees a body.
//!
//! [`Boxes`] is the store; a [`BroadPhase`] finds the pairs of boxes with a common point. [`Phase`] names the
//! algorithms of the papers; all find the same pairs. [`PairSet`] says which came and which went.
//!
//! One frame: change the store, [`refresh`](BroadPhase::refresh) the phase, [`settle`](Boxes::settle) the store, ask
//! for [`pairs`](BroadPhase::pairs). The store is borrowed while pairs are visited: what a visitor wants removed is
//! removed after.

mod aabb_tree;
mod aabb_tree_build;
mod aabb_tree_insert;
mod aabb_tree_pairs;
mod all_pairs;
mod auto;
mod bits;
mod blocks;
pub mod body_box;
mod box_intersect;
mod boxes;
mod broad_phase;
mod candidates;
mod cell_key;
mod coherent_hash;
mod dynamic_tree;
mod error;
mod events;
mod fat_boxes;
mod fat_pairs;
mod fat_sweep;
mod grid_sweep;
#[cfg(test)]
mod hash_trials;
mod homes;
mod interval_tree;
mod levels;
mod local;
mod pair_table;
mod phase;
mod places;
mod plane_sweep;
mod row;
mod row_order;
mod rows;
mod segmented_sweep;
mod segments;
mod spatial_hash;
mod spread;
mod stream;
mod sweep_axes;
mod sweep_lists;
mod sweep_prune;

pub use all_pairs::{AllPairs, plain_pairs};
pub use auto::Auto;
pub use box_intersect::BoxIntersect;
pub use boxes::{BoxId, Boxes, Filter, Mobility};
pub use broad_phase::{BroadPhase, Counts};
pub use coherent_hash::CoherentHash;
pub use dynamic_tree::DynamicTree;
pub use error::BoxError;
pub use events::{Events, PairSet};
pub use fat_sweep::FatSweep;
pub use grid_sweep::GridSweep;
pub use levels::{LevelError, Levels};
pub use phase::Phase;
pub use plane_sweep::PlaneSweep;
pub use segmented_sweep::SegmentedSweep;
pub use spatial_hash::SpatialHash;
pub use sweep_axes::SweepAxes;
pub use sweep_prune::SweepPrune;
