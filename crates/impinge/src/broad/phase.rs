//! The names of the algorithms.

use super::all_pairs::AllPairs;
use super::auto::Auto;
use super::grid::fat_sweep::FatSweep;
use super::grid::grid_sweep::GridSweep;
use super::hash::coherent_hash::CoherentHash;
use super::hash::spatial_hash::SpatialHash;
use super::sorted::plane_sweep::PlaneSweep;
use super::sorted::segmented_sweep::SegmentedSweep;
use super::sorted::streamed_segment_tree::BoxIntersect;
use super::sorted::sweep_axes::SweepAxes;
use super::sorted::sweep_prune::SweepPrune;
use super::store::broad_phase::BroadPhase;
use super::tree::dynamic_tree::DynamicTree;

/// The algorithms. All find the same pairs.
///
/// ```
/// use impinge::broad::Phase;
/// assert_eq!("all-pairs".parse(), Ok(Phase::AllPairs));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Chooses the one that suits the boxes; the choice may change from frame to frame.
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
    /// Segment trees that are walked and not kept; small sets are scanned.
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
