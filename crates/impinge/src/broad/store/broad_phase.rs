//! The trait [`BroadPhase`], and the counts of its work.

use std::fmt::Debug;

use super::boxes::Boxes;
use super::events::Events;
use crate::bound::Aabb;

/// An algorithm that finds the pairs of boxes that meet.
///
/// Two boxes meet when they have a common point (boxes are closed), their filters admit each other and not both are
/// static.
///
/// **Order.** Pairs come in an order that follows from the calls made on the store and on the phase alone: not from the
/// number of threads, nor from clocks or addresses. It differs from phase to phase; a caller that needs one order has
/// to sort.
///
/// **Memory.** Pairs come in slices: when all of n boxes meet, n² pairs are shown and not stored.
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, Filter, Mobility, Phase}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// for phase in Phase::EACH {
///     let mut phase = phase.start();
///     phase.refresh(&boxes);
///     let mut count = 0;
///     phase.pairs(&boxes, &mut |pairs| count += pairs.len());
///     assert_eq!(count, 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait BroadPhase: Debug + Send + Sync {
    /// A copy that goes on from where this one is, for a copy of the [`World`](crate::World) that has it:
    /// `Box::new(self.clone())`.
    fn boxed_clone(&self) -> Box<dyn BroadPhase>;

    /// Takes in what changed since the last refresh ([`Boxes::changed`]), or everything when it missed a frame
    /// ([`Boxes::continues`]). To refresh twice in a frame does no harm.
    fn refresh(&mut self, boxes: &Boxes);

    /// Shows every pair of slots `[i, j]`, `i < j`, whose boxes meet, each once. `boxes` is as it was at the last
    /// refresh.
    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]]));

    /// Shows the pairs that the algorithm itself takes for near, before boxes are compared: a superset of
    /// [`pairs`](BroadPhase::pairs) in the same form, the filters being applied. Spatial hashing calls it *close*.
    fn close(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.pairs(boxes, visit);
    }

    /// Shows the slots of boxes that met these bounds at the last refresh, each once, and maybe of others that only
    /// came near, and returns `true`. Boxes that have changed since may be missing, and filters are not applied: the
    /// caller has to compare. For a few boxes that change between two refreshes.
    ///
    /// Returns `false`, and shows nothing, where the algorithm keeps no order in which it could look up one box.
    fn near_box(&mut self, _boxes: &Boxes, _bounds: &Aabb, _visit: &mut dyn FnMut(u32)) -> bool {
        false
    }

    /// Adds the pairs that came and went since the last call to `events` and returns `true`, where the algorithm knows
    /// them without listing all pairs. A pair whose box was removed is gone; where the slot has a new box and the two
    /// meet, the pair is also new. Returns `false` where the algorithm does not know; nothing is added then.
    fn changes(&mut self, _boxes: &Boxes, _events: &mut Events) -> bool {
        false
    }

    /// The counts of its work since it was started.
    fn counts(&self) -> Counts;

    /// Bytes on the heap.
    fn bytes(&self) -> usize;
}

/// The work of a phase since it was started. An algorithm counts what applies to it.
///
/// ```
/// use impinge::{bound::Aabb, broad::{AllPairs, Boxes, BroadPhase, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = AllPairs::new();
/// phase.refresh(&boxes);
/// phase.pairs(&boxes, &mut |_| {});
/// assert!(phase.counts().tests >= 3 && phase.counts().cells == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
