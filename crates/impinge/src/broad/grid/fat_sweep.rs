//! A grid sweep that keeps what it found: candidates are found once, and used while boxes stay in their fat boxes.
//!
//! The idea is that of the neighbour lists of molecular dynamics (L. Verlet, *Computer "experiments" on classical
//! fluids I*, Phys. Rev. 159, 1967), with a fat box for each box in place of one margin for all, so that sizes and
//! speeds may differ from box to box. A frame is one of three:
//!
//! - *coasting*: boxes are read and the candidates compared. The few *strays* that have left their fat boxes are looked
//!   up in a tree of blocks ([`super::blocks`]) and swept among themselves;
//! - *renewing*: boxes are read, fattened by their last step, and swept; the candidates are kept. This is done when
//!   there were many strays in the frame before;
//! - *from scratch*: as [`super::grid_sweep::GridSweep`]: in the first frame, when boxes move too fast for fat boxes to
//!   last [`SHORTEST`] frames, when too many have strayed at once, and when there are too many candidates.
//!
//! Counts and positions alone decide which one it is, so that the order of pairs does not depend on clocks. Where fat
//! boxes do not last, they are not tried again for some frames, twice as many each time up to [`LONGEST_PAUSE`].

use super::blocks::Blocks;
use super::candidates::Candidates;
use super::fat_boxes::{FatBoxes, Strays, opened, pace};
use super::grid_sweep::{lay_out, sweep, sweep_pairs, tidy, wide};
use super::row::PairSink;
use super::row_grid::RowGrid;
use super::spatial_order::{News, SpatialOrder};
use crate::bound::Aabb;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::{BroadPhase, Counts};
use crate::broad::store::local::{LocalBox, meets};
use crate::broad::store::stream::{Stream, in_order};
use crate::math::simd::{F32x8, Kernel, Simd, dispatch};
use crate::search::backoff::Backoff;

/// How much a box may grow by looking ahead, as a part of its side.
const GROWTH: f32 = 0.3;
/// The least and the greatest number of frames that fat boxes look ahead.
const SHORTEST: f32 = 3.0;
const LONGEST: f32 = 64.0;
/// With one stray in so many boxes, the next frame looks for new candidates.
const MANY: usize = 64;
/// With one stray in so many boxes, this frame sweeps the boxes from scratch.
const TOO_MANY: usize = 8;
/// The most frames before fat boxes are tried again.
const LONGEST_PAUSE: u16 = 32;
/// The number of strays up to which each is compared with each.
const FEW: usize = 32;
/// The number of strays that one thread looks up at a time.
const TASK: usize = 1 << 10;

/// What the next frame does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Plan {
    /// It uses the candidates there are.
    Coast,
    /// It has to find candidates.
    #[default]
    Renew,
}

/// Sweeps fat boxes, and keeps the candidates it found.
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, BroadPhase, FatSweep, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = FatSweep::new();
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct FatSweep {
    places: SpatialOrder,
    rows: RowGrid,
    fat: FatBoxes,
    candidates: Candidates,
    strays: Vec<u32>,
    blocks: Blocks,
    plan: Plan,
    /// Whether this frame's pairs come from the candidates.
    kept: bool,
    /// Frames since candidates were found.
    age: u32,
    /// Frames until candidates may be looked for again.
    pause: Backoff<2, LONGEST_PAUSE>,
    counts: Counts,
}

impl FatSweep {
    /// A phase that knows no boxes yet.
    pub fn new() -> FatSweep {
        FatSweep::default()
    }

    /// Sweeps the boxes themselves, from scratch.
    fn scratch(&mut self, boxes: &Boxes) {
        self.kept = false;
        self.plan = Plan::Renew;
        self.blocks.forget();
        self.strays.clear();
        lay_out(&mut self.places, &mut self.rows, boxes);
        self.counts.builds += 1;
    }

    /// Looks for candidates that last some frames. `false` when that is of no use.
    fn renew(&mut self, boxes: &Boxes) -> bool {
        if self.pause.sits_out() {
            return false;
        }
        let horizon = (GROWTH / pace(&self.places, boxes).max(f32::MIN_POSITIVE)).min(LONGEST);
        if horizon < SHORTEST || horizon.is_nan() {
            return false;
        }
        // The order is made before boxes are read: to change it later, the boxes read would have to be moved as well.
        tidy(&mut self.places, &self.rows);
        if !self.fat.fatten(&mut self.places, boxes, horizon) {
            return false;
        }
        self.rows.cut(&self.fat.boxes);
        self.rows.build(&self.fat.boxes);
        let Some(tests) = self.candidates.find(&self.fat.boxes, &self.rows, &self.places, boxes) else {
            self.pause.failed();
            return false;
        };
        self.counts.tests += tests;
        self.counts.builds += 1;
        self.blocks.forget();
        self.strays.clear();
        (self.kept, self.plan, self.age) = (true, Plan::Coast, 0);
        true
    }

    /// Reads boxes and separates the strays. `false` when there are too many.
    fn coast(&mut self, boxes: &Boxes, replaced: bool) -> bool {
        let Strays { places: strays, empty, beyond } = self.fat.check(&mut self.places, boxes, replaced);
        self.age += 1;
        let (count, n) = (strays.len() + empty, self.places.len());
        self.counts.moves += strays.len() as u64;
        if count * MANY > n + MANY {
            self.plan = Plan::Renew;
            // Only candidates that were used for some frames were worth their cost.
            if (self.age as f32) < SHORTEST {
                self.pause.failed();
            } else {
                self.pause.paid();
            }
        }
        self.strays = strays;
        if !self.strays.is_empty() && self.blocks.is_empty() {
            self.blocks.build(&self.fat.boxes);
        }
        !beyond && count * TOO_MANY <= n + MANY
    }

    /// Pairs of strays with all others, and with each other.
    fn stray_pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        let open: Vec<LocalBox> = self.strays.iter().map(|&p| opened(&self.places.tight[p as usize])).collect();
        let (places, blocks, strays) = (&self.places, &self.blocks, &self.strays);
        in_order(open.len().div_ceil(TASK), visit, |task, out| {
            let some = task * TASK..open.len().min((task + 1) * TASK);
            dispatch(LookUp { places, blocks, boxes, strays: &strays[some.clone()], open: &open[some], out });
            0
        });
        if strays.len() <= FEW {
            let mut out = Stream::to(visit);
            for (k, &p) in strays.iter().enumerate() {
                let i = places.order[p as usize];
                let others = strays[k + 1..].iter().map(|&q| places.order[q as usize]);
                others.filter(|&j| boxes.meet(i, j)).for_each(|j| out.push(i, j));
            }
            return out.finish();
        }
        self.rows.cut(&open);
        self.rows.build(&open);
        let rows = &self.rows;
        let groups = rows.groups();
        in_order(groups.len() + rows.wide.len(), visit, |task, out| {
            let mut found = Met { places, boxes, strays, out };
            match groups.get(task) {
                Some(group) => sweep(rows, group.clone(), &open, &mut found),
                None => wide(rows, task - groups.len(), &open, &mut found),
            }
        });
    }
}

impl BroadPhase for FatSweep {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, boxes: &Boxes) {
        let news = self.places.admit(boxes);
        if news == News::Everything {
            self.pause.paid();
            return self.scratch(boxes);
        }
        if self.plan == Plan::Coast && self.coast(boxes, news == News::Replaced) {
            return;
        }
        let coasted = self.plan == Plan::Coast;
        self.places.measure_at_times(boxes);
        if self.places.len() > boxes.len() {
            self.places.compact(boxes);
        }
        if coasted || !self.renew(boxes) {
            self.scratch(boxes);
        }
    }

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        if !self.kept {
            self.counts.tests += sweep_pairs(&self.places, &self.rows, boxes, visit);
            return;
        }
        self.counts.tests += self.candidates.len() as u64;
        self.candidates.compare(&self.places, boxes, visit);
        if !self.strays.is_empty() {
            self.stray_pairs(boxes, visit);
        }
    }

    fn near_box(&mut self, _: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) -> bool {
        if self.blocks.is_empty() {
            // Built once for all look-ups until candidates, or all boxes, are read anew.
            self.blocks.build(if self.kept { &self.fat.boxes } else { &self.places.tight });
        }
        let (places, blocks, strays) = (&self.places, &self.blocks, &self.strays);
        self.counts.tests += dispatch(NearBox { places, blocks, strays, bounds, visit });
        true
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        let parts = [self.places.bytes(), self.rows.bytes(), self.fat.bytes(), self.candidates.bytes()];
        parts.iter().sum::<usize>() + self.blocks.bytes() + self.strays.capacity() * 4
    }
}

/// Compares strays with all boxes that are none.
struct LookUp<'a, 'b> {
    places: &'a SpatialOrder,
    blocks: &'a Blocks,
    boxes: &'a Boxes,
    strays: &'a [u32],
    open: &'a [LocalBox],
    out: &'a mut Stream<'b>,
}

impl Kernel for LookUp<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let SpatialOrder { order, tight, .. } = self.places;
        for (p, b) in self.strays.iter().zip(self.open) {
            let i = order[*p as usize];
            self.blocks.search::<S>(tight, b, |q| {
                let j = order[q];
                if self.boxes.meet(i, j) {
                    self.out.push(i, j);
                }
            });
            if self.out.is_full() {
                return;
            }
        }
    }
}

/// Collects the boxes that meet one box: boxes in their fat boxes are found by the blocks, and all strays are compared.
struct NearBox<'a, 'v> {
    places: &'a SpatialOrder,
    blocks: &'a Blocks,
    strays: &'a [u32],
    bounds: &'a Aabb,
    visit: &'a mut (dyn FnMut(u32) + 'v),
}

impl Kernel for NearBox<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self) -> u64 {
        let SpatialOrder { local, order, tight, .. } = self.places;
        let b = local.outward::<S>(self.bounds).array();
        let tests = self.blocks.search::<S>(tight, &b, |place| (self.visit)(order[place]));
        for &place in self.strays {
            if meets::<S>(&b, &opened(&tight[place as usize])) {
                (self.visit)(order[place as usize]);
            }
        }
        tests + self.strays.len() as u64
    }
}

/// Pairs of strays.
struct Met<'a, 'b> {
    places: &'a SpatialOrder,
    boxes: &'a Boxes,
    strays: &'a [u32],
    out: &'a mut Stream<'b>,
}

impl PairSink for Met<'_, '_> {
    #[inline(always)]
    fn pair<S: Simd>(&mut self, p: u32, q: u32) -> bool {
        let [i, j] = [p, q].map(|k| self.places.order[self.strays[k as usize] as usize]);
        if self.boxes.meet(i, j) {
            self.out.push(i, j);
        }
        !self.out.is_full()
    }
}
