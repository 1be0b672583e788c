//! Sort-and-sweep over a grid of rows, from scratch in every frame: nothing is assumed about how boxes moved.
//!
//! Boxes are kept in spatial order ([`super::spatial_order`]), put into rows ([`super::row_grid`]) and swept row by row
//! ([`super::row`]). A frame costs one pass over all boxes for each of these: about linear where boxes are spread
//! evenly, whatever their motion. Where all boxes lie in few rows it is a sweep along one axis, O(n^5/3) for a cube of
//! them.
//!
//! Places are put in a new order when one in [`STALE`] no longer lies in its place of the order.

use std::ops::Range;

use super::row::{PairSink, Row};
use super::row_grid::RowGrid;
use super::spatial_order::SpatialOrder;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::{BroadPhase, Counts};
use crate::broad::store::local::{LocalBox, meets, surely_meets};
use crate::broad::store::stream::{Stream, in_order};
use crate::math::simd::{Kernel, Simd, dispatch};

/// With one place in so many out of order, the order is made anew.
const STALE: usize = 8;
/// The number of places in one cell of the order.
const CELL: usize = 32;

/// Sorts and sweeps all boxes in every frame.
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, BroadPhase, Filter, GridSweep, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = GridSweep::new();
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct GridSweep {
    places: SpatialOrder,
    rows: RowGrid,
    counts: Counts,
}

impl GridSweep {
    /// A phase that knows no boxes yet.
    pub fn new() -> GridSweep {
        GridSweep::default()
    }
}

impl BroadPhase for GridSweep {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, boxes: &Boxes) {
        self.places.admit(boxes);
        if self.places.len() > boxes.len() {
            self.places.compact(boxes);
        }
        self.places.measure_at_times(boxes);
        lay_out(&mut self.places, &mut self.rows, boxes);
        self.counts.builds += 1;
    }

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.counts.tests += sweep_pairs(&self.places, &self.rows, boxes, visit);
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        self.places.bytes() + self.rows.bytes()
    }
}

/// Reads all boxes in spatial order and puts them into rows.
///
/// The order is that of the boxes in the last frame, if they were read then, so that they need not be moved; the rows
/// are cut for the boxes of this frame.
pub(crate) fn lay_out(places: &mut SpatialOrder, rows: &mut RowGrid, boxes: &Boxes) {
    if !places.is_read() {
        places.read_anywhere(boxes);
        rows.cut(&places.tight);
    }
    if let Some(order) = rows.cells(&places.tight, CELL).order_unless(STALE) {
        places.rearrange_slots(&order);
    }
    places.read_anywhere(boxes);
    rows.cut(&places.tight);
    rows.build(&places.tight);
}

/// Puts places in a new order where the old one is stale.
pub(crate) fn tidy(places: &mut SpatialOrder, rows: &RowGrid) {
    if let Some(order) = rows.cells(&places.tight, CELL).order_unless(STALE) {
        places.rearrange(&order);
    }
}

/// Shows all pairs of boxes that meet, found in the rows. Returns how many were compared.
pub(crate) fn sweep_pairs(
    places: &SpatialOrder,
    rows: &RowGrid,
    boxes: &Boxes,
    visit: &mut dyn FnMut(&[[u32; 2]]),
) -> u64 {
    let groups = rows.groups();
    in_order(groups.len() + rows.wide.len(), visit, |task, out| {
        let mut found = Met { places, boxes, out };
        match groups.get(task) {
            Some(group) => sweep(rows, group.clone(), &places.tight, &mut found),
            None => wide(rows, task - groups.len(), &places.tight, &mut found),
        }
    })
}

/// Sweeps some rows. Returns how many boxes were compared.
pub(crate) fn sweep<F: PairSink>(rows: &RowGrid, group: Range<usize>, boxes: &[LocalBox], found: &mut F) -> u64 {
    dispatch(Sweep { rows, group, boxes, found })
}

/// Compares one wide box with all others. Returns how many were compared.
pub(crate) fn wide<F: PairSink>(rows: &RowGrid, which: usize, boxes: &[LocalBox], found: &mut F) -> u64 {
    dispatch(Wide { rows, which, boxes, found })
}

/// Pairs of boxes that meet, by their slots.
struct Met<'a, 'b> {
    places: &'a SpatialOrder,
    boxes: &'a Boxes,
    out: &'a mut Stream<'b>,
}

impl PairSink for Met<'_, '_> {
    #[inline(always)]
    fn pair<S: Simd>(&mut self, p: u32, q: u32) -> bool {
        let SpatialOrder { order, tight, .. } = self.places;
        let (p, q) = (p as usize, q as usize);
        let (i, j) = (order[p], order[q]);
        if (surely_meets::<S>(&tight[p], &tight[q]) || self.boxes.touch(i, j)) && self.boxes.admits(i, j) {
            self.out.push(i, j);
        }
        !self.out.is_full()
    }
}

struct Sweep<'a, F> {
    rows: &'a RowGrid,
    group: Range<usize>,
    boxes: &'a [LocalBox],
    found: &'a mut F,
}

impl<F: PairSink> Kernel for Sweep<'_, F> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self) -> u64 {
        let mut row = Row::default();
        let mut tests = 0;
        for index in self.group {
            row.fill(self.rows, index, self.boxes);
            let (more, on) = row.sweep::<S, F>(self.found);
            tests += more;
            if !on {
                break;
            }
        }
        tests
    }
}

struct Wide<'a, F> {
    rows: &'a RowGrid,
    which: usize,
    boxes: &'a [LocalBox],
    found: &'a mut F,
}

impl<F: PairSink> Kernel for Wide<'_, F> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self) -> u64 {
        let wide = self.rows.wide[self.which];
        for (q, b) in self.boxes.iter().enumerate() {
            let q = q as u32;
            // Of two wide boxes the first finds the pair.
            if meets::<S>(&self.boxes[wide as usize], b)
                && q != wide
                && (q > wide || self.rows.wide.binary_search(&q).is_err())
                && !self.found.pair::<S>(wide, q)
            {
                break;
            }
        }
        self.boxes.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Aabb;
    use crate::broad::store::filter::{Filter, Mobility};
    use glam::DVec3;

    /// While one box is far away `f32` cannot tell the others apart; when it is gone it can.
    #[test]
    fn the_world_may_shrink() {
        let mut boxes = Boxes::new();
        let mut put = |at: DVec3| boxes.insert(Aabb::new(at, at + DVec3::ONE), Filter::ALL, Mobility::Moving);
        for k in 0..1000 {
            put(DVec3::new(f64::from(k % 10), f64::from(k / 10 % 10), f64::from(k / 100)) * 3.0).expect("a box");
        }
        let far = put(DVec3::splat(1e10)).expect("a box");
        let mut phase = GridSweep::new();
        let mut tests = |boxes: &mut Boxes| {
            let before = phase.counts().tests;
            phase.refresh(boxes);
            boxes.settle();
            phase.pairs(boxes, &mut |pairs| panic!("{pairs:?} do not meet"));
            phase.counts().tests - before
        };
        assert!(tests(&mut boxes) > 400_000);
        boxes.remove(far).expect("a box");
        let last = (0..70).map(|_| tests(&mut boxes)).last();
        assert!(last.is_some_and(|tests| tests < 30_000), "{last:?}");
    }
}
