//! Trees of convex hulls: the metric of the descent that compares hulls by GJK where boxes are not enough.
//!
//! P. Xavier, *Fast Swept-Volume Distance for Robust Collision Detection*, 1997, §2.1 and Figure 2: before a pair of
//! nodes is opened the distance of their hulls is compared with the best distance so far. Of the five optimisations of
//! appendix A the leaf pair that starts the search is in `mesh_query.rs` (1), `maxdist` is `GjkQuestion::enough` of GJK
//! (2), the pairs to be compared are chosen by `cut_table.rs` (3), hulls have a bounded number of vertices by
//! `model/mesh/hull_slots.rs` (4), and the last simplices are in `simplex_cache.rs` (5).
//!
//! Here we deviate: pairs come from the one tandem descent over eight-wide trees, nearest first; every pair is first
//! compared by its oriented boxes, eight at once ([`OrientedGap`]), which cost less than one step of GJK; and two
//! leaves are not compared by their hulls, because their triangles are next.
//!
//! Invariant: a bound is the width of a slab between two hulls, less the rounding of both, and each hull contains the
//! triangles below its node. So what is remembered from other poses, or from other bodies, may cost time, but every
//! bound still holds.

use std::cell::{Cell, RefCell};

use glam::{DMat3, DVec3};

use super::cut_table::{Comparison, CutTable, NEARLY};
use super::simplex_cache::{SimplexCache, SimplexNames};
use crate::answer::Stats;
use crate::bound::HullTree;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::math::{EPS, Relative};
use crate::model::mesh::hull_slots::{HullSlots, HullVertices, SLACK as HULL_SLACK};
use crate::narrow::convex::simplex::gjk;
use crate::narrow::convex::simplex::gjk::{GjkEnd, GjkQuestion, GjkResult, GjkStart};
use crate::narrow::convex::simplex::minkowski::{Difference, Mapped};
use crate::narrow::mesh::placed::tree_pair::TreePair;
use crate::prim::RegionWalk;
use crate::tree::descent::descend::{ChildBounds, Metric, Volumes};
use crate::tree::descent::gap::OrientedGap;
use crate::tree::nodes::WIDTH;

/// Hulls of bodies farther apart than this, in units of the larger one, are not compared: only their boxes are.
const FARTHEST: f64 = 1e30;

/// How much of the distance of two hulls may be missing from a bound.
const RELATIVE: f64 = 1e-3;

/// What trees of hulls remember between queries: simplices to start GJK from, and which hulls are worth comparing.
#[derive(Debug, Clone, Default)]
pub(crate) struct HullMemory {
    simplices: SimplexCache,
    cuts: CutTable,
    /// The work of the last query.
    pub(crate) last: Count,
}

impl HullMemory {
    pub(crate) fn forget(&mut self) {
        self.simplices.forget();
        self.cuts.forget();
    }
}

impl Mapped for HullVertices<'_> {
    type Start = ();

    #[inline(always)]
    fn start(&self, _: DVec3, _: u32) {}

    #[inline(always)]
    fn farthest(&self, d: DVec3, (): ()) -> (u32, DVec3) {
        HullVertices::farthest(self, d)
    }

    #[inline(always)]
    fn named(&self, name: u32) -> Option<DVec3> {
        self.get(name)
    }

    #[inline(always)]
    fn centre(&self) -> DVec3 {
        self.centre
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.radius
    }
}

/// The hulls of two trees, in the frame and unit of the outer one, behind the boxes of both.
pub(crate) struct HullPair<'q> {
    trees: &'q TreePair<'q>,
    outer: &'q HullSlots,
    inner: &'q HullSlots,
    inner_in_outer: Relative,
    /// The inner unit in outer units.
    scale: f64,
    slack: f64,
    options: HullTree,
    gap: Cell<OrientedGap<'q>>,
    work: RefCell<Work<'q>>,
}

struct Work<'q> {
    memory: &'q mut HullMemory,
    count: Count,
}

/// The work of a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) boxes: u64,
    /// Pairs of hulls compared.
    pub(crate) hulls: u64,
    /// Steps of GJK.
    pub(crate) steps: u64,
    /// Vertices looked at in these.
    pub(crate) scanned: u64,
}

impl<'q> HullPair<'q> {
    /// `reach` is the largest coordinate in play besides those of the trees, in the outer unit; `None` when it is too
    /// large for GJK.
    pub(crate) fn new(
        trees: &'q TreePair<'q>,
        [outer, inner]: [&'q HullSlots; 2],
        options: HullTree,
        reach: f64,
        memory: &'q mut HullMemory,
    ) -> Option<HullPair<'q>> {
        let frame = &trees.frame;
        if reach.is_nan() || reach >= FARTHEST {
            return None;
        }
        if options.simplex_cache {
            memory.simplices.open(outer.len() + inner.len());
        }
        if options.cut_table {
            memory.cuts.begin(outer.len() + inner.len());
        }
        let rotation = DMat3::from_cols_array_2d(&frame.rotation).transpose();
        let translation = DVec3::from_array(frame.translation);
        Some(HullPair {
            trees,
            outer,
            inner,
            inner_in_outer: Relative { rotation: rotation * frame.scale, translation },
            scale: frame.scale,
            // GJK rounds some twenty times, the map ten times.
            slack: HULL_SLACK * (1.0 + frame.scale) + 128.0 * EPS * (2.0 + reach),
            options,
            gap: Cell::new(trees.gap(DVec3::ZERO)),
            work: RefCell::new(Work { memory, count: Count::default() }),
        })
    }

    /// Compares the hulls of those children of an opened pair whose boxes are within the cut-off, where the cut table
    /// says that it is worth the time, and sharpens their bounds.
    fn sharpen(&self, bounds: &mut ChildBounds<f64>, cutoff: f64, opening: Opening) {
        let mut work = self.work.borrow_mut();
        let Opening { pair: [o, i], children, count } = opening;
        work.count.boxes += u64::from(count);
        let learns = self.options.cut_table;
        let logged = learns
            .then(|| {
                let from = [[self.outer.above(o as usize / WIDTH), i], [o, self.inner.above(i as usize / WIDTH)]];
                work.memory.cuts.opened([o, i], from)
            })
            .flatten();
        for k in 0..count {
            if bounds.within >> k & 1 == 0 {
                continue;
            }
            let pair = match children {
                Children::Outer(first) => [first + k, i],
                Children::Inner(first) => [o, first + k],
            };
            if self.outer.is_leaf(pair[0]) && self.inner.is_leaf(pair[1]) {
                work.memory.cuts.cost(logged);
                continue;
            }
            if learns && !work.memory.cuts.is_worth_comparing(pair) {
                continue;
            }
            let gap = self.apart(pair, cutoff, &mut work);
            let squared = gap * gap * (1.0 - 4.0 * EPS);
            let cut = squared > cutoff;
            let bound = &mut bounds.bound[k as usize];
            *bound = bound.max(squared);
            if cut {
                bounds.within &= !(1 << k);
            }
            if learns {
                work.memory.cuts.cost(logged);
                let near = gap > 0.0 && gap >= NEARLY * cutoff.sqrt();
                let comparison =
                    if cut { Comparison::Cut } else { [Comparison::Far, Comparison::Near][usize::from(near)] };
                work.memory.cuts.compared(pair, comparison);
            }
        }
    }

    /// How far two hulls are apart at least. With `maxdist` GJK stops as soon as that is more than the cut-off.
    #[inline(never)]
    fn apart(&self, pair: [u32; 2], cutoff: f64, work: &mut Work<'_>) -> f64 {
        let (a, b) = (self.outer.vertices(pair[0]), self.inner.vertices(pair[1]));
        let m = Difference::new(&a, &b, self.inner_in_outer);
        let enough = if self.options.maxdist { cutoff.sqrt() * (1.0 + 8.0 * EPS) + self.slack } else { f64::INFINITY };
        let ask = GjkQuestion { enough, relative: RELATIVE, momentum: false };
        let known = if self.options.simplex_cache { work.memory.simplices.get(pair) } else { SimplexNames::default() };
        let start = GjkStart { names: known.as_slice(), ..GjkStart::default() };
        let mut stats = Stats::default();
        let found = dispatch(Run { m: &m, ask: &ask, start: &start, stats: &mut stats });
        if self.options.simplex_cache {
            work.memory.simplices.put(pair, &SimplexNames::of(&found.simplex.names, found.simplex.count));
        }
        work.count.hulls += 1;
        work.count.steps += stats.iterations;
        work.count.scanned += stats.iterations * u64::from(a.count() + b.count());
        // Only a gap that is certainly positive counts; NaN is not.
        let gap = if found.end == GjkEnd::Origin { 0.0 } else { found.lower - self.slack };
        if gap > 0.0 { gap } else { 0.0 }
    }
}

struct Run<'r, 'q> {
    m: &'r Difference<'r, HullVertices<'q>, HullVertices<'q>>,
    ask: &'r GjkQuestion,
    start: &'r GjkStart<'r>,
    stats: &'r mut Stats,
}

impl Kernel for Run<'_, '_> {
    type Output = GjkResult;

    #[inline(always)]
    fn run<S: Simd>(self) -> GjkResult {
        gjk::distance::<RegionWalk, _, _>(self.m, self.ask, self.start, self.stats)
    }
}

/// A pair of slots that is opened, and the children of the one that are to be compared with the other.
#[derive(Debug, Clone, Copy)]
struct Opening {
    pair: [u32; 2],
    children: Children,
    count: u32,
}

/// The first child.
#[derive(Debug, Clone, Copy)]
enum Children {
    Outer(u32),
    Inner(u32),
}

/// The boxes of eight children against another.
struct ChildBoxes<'q> {
    gap: OrientedGap<'q>,
    /// The node is the outer tree's, the slot the inner's; or the other way round.
    outer: bool,
    node: usize,
    slot: usize,
    cutoff: f64,
}

impl Kernel for ChildBoxes<'_> {
    type Output = ChildBounds<f64>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ChildBounds<f64> {
        match self.outer {
            true => self.gap.outer_children::<S>(self.node, self.slot, self.cutoff),
            false => self.gap.inner_children::<S>(self.slot, self.node, self.cutoff),
        }
    }
}

/// Boxes are compared first, then hulls.
impl Volumes for HullPair<'_> {
    fn outer_children(&self, node: usize, inner: usize, cutoff: f64) -> ChildBounds<f64> {
        let mut bounds = dispatch(ChildBoxes { gap: self.gap.get(), outer: true, node, slot: inner, cutoff });
        let (above, count) = (self.outer.above(node), self.outer.children(node));
        let (pair, children) = ([above, inner as u32], Children::Outer((node * WIDTH) as u32));
        self.sharpen(&mut bounds, cutoff, Opening { pair, children, count });
        bounds
    }

    fn inner_children(&self, outer: usize, node: usize, cutoff: f64) -> ChildBounds<f64> {
        let mut bounds = dispatch(ChildBoxes { gap: self.gap.get(), outer: false, node, slot: outer, cutoff });
        let (above, count) = (self.inner.above(node), self.inner.children(node));
        let (pair, children) = ([outer as u32, above], Children::Inner((node * WIDTH) as u32));
        self.sharpen(&mut bounds, cutoff, Opening { pair, children, count });
        bounds
    }

    /// Bounded by the balls around the two hulls.
    fn at_most(&self, outer: usize, inner: usize) -> f64 {
        let (a, b) = (self.outer.vertices(outer as u32), self.inner.vertices(inner as u32));
        let between = a.centre.distance(self.inner_in_outer.apply(b.centre));
        let most = between + a.radius + b.radius * self.scale + self.slack;
        most * most * (1.0 + 4.0 * EPS)
    }

    fn towards(&self, direction: DVec3) {
        self.gap.set(self.trees.gap(direction));
    }

    /// Tells the cut table what this query cost, for the next one.
    fn finish(&self, opened: u64, stats: &mut Stats) {
        let mut work = self.work.borrow_mut();
        let Count { hulls, steps, .. } = work.count;
        if self.options.cut_table {
            work.memory.cuts.learn(opened, hulls, steps);
        }
        stats.volume_tests += work.count.boxes + work.count.hulls;
        stats.iterations += work.count.steps;
        work.memory.last = work.count;
    }
}
