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

use std::fmt::Debug;

pub use all_pairs::{AllPairs, plain_pairs};
pub use auto::Auto;
pub use box_intersect::BoxIntersect;
pub use boxes::{BoxId, Boxes, Filter, Mobility};
pub use coherent_hash::CoherentHash;
pub use dynamic_tree::DynamicTree;
pub use error::BoxError;
pub use events::{Events, PairSet};
pub use fat_sweep::FatSweep;
pub use grid_sweep::GridSweep;
pub use levels::{LevelError, Levels};
pub use plane_sweep::PlaneSweep;
pub use segmented_sweep::SegmentedSweep;
pub use spatial_hash::SpatialHash;
pub use sweep_axes::SweepAxes;
pub use sweep_prune::SweepPrune;

/// An algorithm that finds the pairs of boxes that meet.
///
/// Two boxes meet when they have a common point (boxes are closed), their filters admit each other and not both are
/// static.
///
/// **Order.** Pairs come in an order that follows from the calls made on the store and on the phase alone: not from the
/// number of threads, nor from clocks or addresses. It differs from phase to phase; who needs one order sorts.
///
/// **Memory.** Pairs come in slices: when all of n boxes meet, n² pairs are shown and not stored.
pub trait BroadPhase: Debug + Send {
    /// Takes in what changed since the last refresh ([`Boxes::changed`]), or everything when it missed a frame
    /// ([`Boxes::continues`]). To refresh twice in a frame does no harm.
    fn refresh(&mut self, boxes: &Boxes);

    /// Shows every pair of slots `[i, j]`, `i < j`, whose boxes meet, each once. `boxes` is as it was at the last
    /// refresh.
    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]]));

    /// Shows what the algorithm itself takes for near, before boxes are compared: a superset of
    /// [`pairs`](BroadPhase::pairs) in the same form, the filters being applied. Spatial hashing calls it *close*.
    fn close(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.pairs(boxes, visit);
    }

    /// Adds the pairs that came and went since the last call to `events` and says `true`, where the algorithm knows
    /// them without listing all pairs. A pair whose box was removed has gone, also when the slot has a new box and they
    /// meet: then it has come, too. `false` where the algorithm does not know; nothing is added then.
    fn changes(&mut self, _boxes: &Boxes, _events: &mut Events) -> bool {
        false
    }

    /// What it did since it was started.
    fn counts(&self) -> Counts;

    /// Bytes on the heap.
    fn bytes(&self) -> usize;
}

/// What a phase did since it was started. An algorithm counts what it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Boxes compared with boxes; eight at a time count as eight.
    pub tests: u64,
    /// Cells of grids and hash tables entered, left or looked into.
    pub cells: u64,
    /// Counters of close pairs changed.
    pub counters: u64,
    /// Neighbours exchanged by insertion sorts.
    pub swaps: u64,
    /// Boxes of nodes of trees compared with boxes.
    pub nodes: u64,
    /// How often everything was built anew.
    pub builds: u64,
    /// Boxes taken out and put in again.
    pub moves: u64,
}

impl Counts {
    /// Both together.
    pub fn plus(&self, other: &Counts) -> Counts {
        Counts {
            tests: self.tests + other.tests,
            cells: self.cells + other.cells,
            counters: self.counters + other.counters,
            swaps: self.swaps + other.swaps,
            nodes: self.nodes + other.nodes,
            builds: self.builds + other.builds,
            moves: self.moves + other.moves,
        }
    }
}

/// The algorithms there are. All find the same pairs.
///
/// ```
/// use impinge::broad::Phase;
/// assert_eq!("all-pairs".parse(), Ok(Phase::AllPairs));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The one that suits the boxes; it may change from frame to frame.
    #[default]
    Auto,
    /// Each box against each.
    AllPairs,
    /// Sort-and-sweep over a grid, from scratch.
    GridSweep,
    /// The same over fat boxes, whose pairs are kept while boxes stay inside.
    FatSweep,
    /// Trees of fat boxes that change box by box.
    DynamicTree,
    /// Hierarchical spatial hash, built anew at every call.
    SpatialHash,
    /// Hierarchical spatial hash with counters of close pairs, kept from call to call.
    CoherentHash,
    /// Coordinates along three axes, kept sorted by insertion.
    SweepPrune,
    /// Coordinates along two axes: the one on which boxes are most crowded is left out.
    SweepTwoAxes,
    /// Coordinates along three axes that are skewed to those of the boxes.
    SkewedSweep,
    /// Coordinates along three axes, in segments of space.
    SegmentedSweep,
    /// Rectangles in the plane where boxes are least crowded, met by a line that sweeps it.
    PlaneSweep,
    /// Segment trees that are walked and not kept, with scans of what is few.
    BoxIntersect,
}

crate::error::named! { Phase {
    Auto = "auto",
    AllPairs = "all-pairs",
    GridSweep = "grid-sweep",
    FatSweep = "fat-sweep",
    DynamicTree = "dynamic-tree",
    SpatialHash = "spatial-hash",
    CoherentHash = "coherent-hash",
    SweepPrune = "sweep-prune",
    SweepTwoAxes = "sweep-two-axes",
    SkewedSweep = "skewed-sweep",
    SegmentedSweep = "segmented-sweep",
    PlaneSweep = "plane-sweep",
    BoxIntersect = "box-intersect",
} }

impl Phase {
    /// Every phase.
    pub const EACH: &[Phase] = &[
        Phase::Auto,
        Phase::AllPairs,
        Phase::GridSweep,
        Phase::FatSweep,
        Phase::DynamicTree,
        Phase::SpatialHash,
        Phase::CoherentHash,
        Phase::SweepPrune,
        Phase::SweepTwoAxes,
        Phase::SkewedSweep,
        Phase::SegmentedSweep,
        Phase::PlaneSweep,
        Phase::BoxIntersect,
    ];

    /// Starts the algorithm, with no boxes known.
    pub fn start(self) -> Box<dyn BroadPhase> {
        match self {
            Phase::Auto => Box::new(Auto::new()),
            Phase::AllPairs => Box::new(AllPairs::new()),
            Phase::GridSweep => Box::new(GridSweep::new()),
            Phase::FatSweep => Box::new(FatSweep::new()),
            Phase::DynamicTree => Box::new(DynamicTree::new()),
            Phase::SpatialHash => Box::new(SpatialHash::default()),
            Phase::CoherentHash => Box::new(CoherentHash::default()),
            Phase::SweepPrune => Box::new(SweepPrune::new(SweepAxes::Three)),
            Phase::SweepTwoAxes => Box::new(SweepPrune::new(SweepAxes::Two)),
            Phase::SkewedSweep => Box::new(SweepPrune::new(SweepAxes::Skewed)),
            Phase::SegmentedSweep => Box::new(SegmentedSweep::default()),
            Phase::PlaneSweep => Box::new(PlaneSweep::default()),
            Phase::BoxIntersect => Box::new(BoxIntersect::default()),
        }
    }
}
