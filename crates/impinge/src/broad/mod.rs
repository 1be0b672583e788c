//! Many boxes, and which of them meet. It never sees a body.
//!
//! [`Boxes`] is the store; a [`BroadPhase`] finds the pairs of boxes with a common point. [`Phase`] names the
//! algorithms of the papers; all find the same pairs. [`PairSet`] tells which pairs are new and which are gone.
//!
//! One frame: change the store, [`refresh`](BroadPhase::refresh) the phase, [`settle`](Boxes::settle) the store, ask
//! for [`pairs`](BroadPhase::pairs). The store is borrowed while pairs are visited: a visitor that wants boxes removed
//! has to do so afterwards.

pub(crate) mod all_pairs;
pub(crate) mod auto;
pub mod body_box;
pub(crate) mod grid;
pub(crate) mod hash;
pub(crate) mod near_pairs;
pub(crate) mod phase;
pub(crate) mod sorted;
pub(crate) mod store;
pub(crate) mod tree;

pub use all_pairs::AllPairs;
pub use auto::Auto;
pub use grid::fat_sweep::FatSweep;
pub use grid::grid_sweep::GridSweep;
pub use hash::coherent_hash::CoherentHash;
pub use hash::levels::{LevelError, Levels};
pub use hash::spatial_hash::SpatialHash;
pub use near_pairs::{NearPairs, Space};
pub use phase::Phase;
pub use sorted::plane_sweep::PlaneSweep;
pub use sorted::segmented_sweep::SegmentedSweep;
pub use sorted::streamed_segment_tree::BoxIntersect;
pub use sorted::sweep_axes::SweepAxes;
pub use sorted::sweep_prune::SweepPrune;
pub use store::box_id::BoxId;
pub use store::boxes::Boxes;
pub use store::broad_phase::{BroadPhase, Counts};
pub use store::error::BoxError;
pub use store::events::Events;
pub use store::filter::{Filter, Mobility};
pub use store::pair_set::PairSet;
pub use store::plain_pairs::plain_pairs;
pub use tree::dynamic_tree::DynamicTree;
