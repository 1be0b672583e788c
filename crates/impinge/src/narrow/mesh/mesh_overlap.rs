//! Which triangles of two meshes have a common point: the tandem descent with the exact test at its leaves.
//!
//! Lin §5.2 with the boxes of the wide tree. At a pair of leaves the triangles of `b` are placed once and kept for the
//! next pair, and each triangle of `a` meets all of them in one vectorised rejection; what is left gets the exact test.
//!
//! All pairs of large meshes are the work of all cores. A descent that has visited [`PATIENCE`] node pairs stops, and
//! the pairs on its stack become descents of their own, in parallel, which are shared out the same way when they grow
//! long. A query that ends before then starts no thread and makes no list. The nesting is no deeper than the trees.
//!
//! When two bodies have been queried for long in close quarters, oriented boxes are fitted for them: they separate
//! nodes that the axis-aligned boxes do not (`tree/descent/grazing.rs`). Measured, this saves from a third to half of
//! the time.
//!
//! Invariant: which pairs are found does not depend on the order in which node pairs are opened, nor does the work
//! counted depend on the number of threads. A list that came to its limit does depend on both, and is made anew by one
//! thread.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::chosen_volumes::ChosenVolumes;
use super::memory::MeshMemory;
use super::placed::leaf_blocks::{LeafBlocks, LoadedLeaves};
use super::placed::placed_meshes::PlacedMeshes;
use super::placed::tree_pair::TreePair;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::narrow::context::Context;
use crate::prim::triangles_overlap_knowing;
use crate::threads::share;
use crate::tree::descent::descend::{Metric, Order, Scratch, Visitor, descend, descend_from};
use crate::tree::descent::gap::OrientedGap;
use crate::tree::descent::grazing::{Grazing, SOON};
use crate::tree::descent::separation::Separation;
use crate::tree::nodes::{Leaf, SERIAL};

/// Node pairs that a query visits before it shares out the rest: some tenths of a millisecond.
const PATIENCE: u64 = 1 << 12;

/// The same for a share. Each share that runs out of patience is divided into some fifty.
const PATIENCE_OF_SHARES: u64 = 1 << 15;

/// Finds pairs of overlapping triangles, by places in leaf order, up to `limit` of them, in no particular order.
pub(crate) fn find(
    placed: &PlacedMeshes<'_>,
    limit: usize,
    pairs: &mut Vec<[u32; 2]>,
    mut cx: Context<'_, MeshMemory>,
) {
    let before = *cx.stats;
    // One thread alone looks for the first few pairs.
    let patience = if cx.memory.stays_on_thread || limit <= SERIAL { u64::MAX } else { PATIENCE };
    let unvisited = dispatch(Find { placed, limit, patience, pairs, cx: cx.lend() });
    if !unvisited.is_empty() && find_rest(placed, limit, unvisited, pairs, cx.lend()) == Listed::UpToLimit {
        pairs.clear();
        *cx.stats = before;
        dispatch(Find { placed, limit, patience: u64::MAX, pairs, cx });
    }
}

struct Find<'q> {
    placed: &'q PlacedMeshes<'q>,
    limit: usize,
    /// Node pairs to visit.
    patience: u64,
    pairs: &'q mut Vec<[u32; 2]>,
    cx: Context<'q, MeshMemory>,
}

impl Kernel for Find<'_> {
    /// The pairs of slots still open when the patience ran out.
    type Output = Vec<[u32; 2]>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Vec<[u32; 2]> {
        let Find { placed, limit, patience, pairs, cx: Context { memory, stats } } = self;
        let trees = TreePair::new(placed);
        // Volumes other than boxes are placed as they are needed, and kept: by one thread.
        if let Some(other) = ChosenVolumes::of(&trees, &mut memory.placed_volumes, &mut memory.hulls) {
            let (metric, mut opened) = (other.volumes(), 0);
            if metric.roots_meet() {
                let scratch = &mut memory.distance_scratch;
                let walked = walk::<S, _>(&trees, &metric, limit, u64::MAX, pairs, scratch);
                opened = walked.opened;
                stats.primitive_tests += walked.tests;
            }
            metric.finish(opened, stats);
            return Vec::new();
        }
        stats.volume_tests += 1;
        let Some(boxes) = Separation::new(trees.outer, trees.inner, &trees.frame) else { return Vec::new() };
        // A yes or no that takes as long by itself fits them, too: long triangles that lie across the axes need them. A
        // list does not, so that threads that share it count as one does.
        let soon = match (memory.oriented_boxes_pay(trees.nodes()), limit) {
            (true, _) => SOON,
            (false, 1) => SOON.max(u32::try_from(trees.nodes()).unwrap_or(u32::MAX)),
            (false, _) => u32::MAX,
        };
        let metric = Grazing::new(boxes, soon, || trees.close_gap());
        let Walked { opened, tests, ran_out } =
            walk::<S, _>(&trees, &metric, limit, patience, pairs, &mut memory.overlap_scratch);
        memory.add_contact_work(opened);
        stats.iterations += opened;
        stats.volume_tests += 8 * opened;
        stats.primitive_tests += tests;
        if ran_out { memory.overlap_scratch.left() } else { Vec::new() }
    }
}

/// What a descent did.
struct Walked {
    /// Node pairs.
    opened: u64,
    /// Triangle pairs.
    tests: u64,
    /// Whether its patience ran out.
    ran_out: bool,
}

#[inline(always)]
fn walk<S: Simd, M: Metric<Bound: From<f32>>>(
    trees: &TreePair<'_>,
    metric: &M,
    limit: usize,
    patience: u64,
    pairs: &mut Vec<[u32; 2]>,
    scratch: &mut Scratch<M::Bound>,
) -> Walked {
    let (outer, inner, scale, root) = (trees.outer, trees.inner, trees.frame.scale, M::Bound::from(0.0));
    // Order helps to find the first pair; it does nothing for all of them.
    if limit == 1 {
        let mut leaves = OverlapLeaves::<true>::new(trees, limit, patience, pairs);
        let opened = descend::<S, _, _>(outer, inner, scale, metric, root, &mut leaves, scratch);
        Walked { opened, tests: leaves.tests, ran_out: leaves.ran_out }
    } else {
        let mut leaves = OverlapLeaves::<false>::new(trees, limit, patience, pairs);
        let opened = descend::<S, _, _>(outer, inner, scale, metric, root, &mut leaves, scratch);
        Walked { opened, tests: leaves.tests, ran_out: leaves.ran_out }
    }
}

/// Whether a list holds all pairs that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listed {
    All,
    UpToLimit,
}

/// Adds what is found below these pairs of slots.
fn find_rest(
    placed: &PlacedMeshes<'_>,
    limit: usize,
    starts: Vec<[u32; 2]>,
    pairs: &mut Vec<[u32; 2]>,
    cx: Context<'_, MeshMemory>,
) -> Listed {
    let trees = TreePair::new(placed);
    let Some(boxes) = Separation::new(trees.outer, trees.inner, &trees.frame) else { return Listed::All };
    let found = AtomicUsize::new(pairs.len());
    let gap = if cx.memory.oriented_boxes_pay(trees.nodes()) { trees.close_gap() } else { None };
    let rest = Rest { trees: &trees, boxes, gap, limit, found: &found };
    let shares = rest.shares(starts);
    let listed = if found.load(Ordering::Relaxed) < limit { Listed::All } else { Listed::UpToLimit };
    for share in shares {
        pairs.extend(share.pairs);
        if listed == Listed::All {
            cx.memory.add_contact_work(share.opened);
        }
        cx.stats.iterations += share.opened;
        cx.stats.volume_tests += 8 * share.opened;
        cx.stats.primitive_tests += share.tests;
    }
    listed
}

/// A query that is shared out.
#[derive(Clone, Copy)]
struct Rest<'q> {
    trees: &'q TreePair<'q>,
    boxes: Separation<'q>,
    gap: Option<OrientedGap<'q>>,
    limit: usize,
    /// Pairs found by all threads.
    found: &'q AtomicUsize,
}

/// What one descent found, what it cost, and the pairs of slots that were still open when its patience ran out.
struct Share {
    pairs: Vec<[u32; 2]>,
    opened: u64,
    tests: u64,
    unvisited: Vec<[u32; 2]>,
}

impl Rest<'_> {
    /// Descents from these pairs of slots, and from those that they did not visit.
    fn shares(&self, starts: Vec<[u32; 2]>) -> Vec<Share> {
        let each = |start: [u32; 2]| {
            let mut share = dispatch(ShareBelow { rest: *self, start });
            let unvisited = std::mem::take(&mut share.unvisited);
            let more = if unvisited.is_empty() { Vec::new() } else { self.shares(unvisited) };
            std::iter::once(share).chain(more)
        };
        share::results(starts.len(), |k| each(starts[k])).into_iter().flatten().collect()
    }
}

/// One share: what lies below a pair of slots.
struct ShareBelow<'q> {
    rest: Rest<'q>,
    start: [u32; 2],
}

impl Kernel for ShareBelow<'_> {
    type Output = Share;

    #[inline(always)]
    fn run<S: Simd>(self) -> Share {
        let Rest { trees, boxes, gap, limit, found } = self.rest;
        let (mut pairs, mut scratch) = (Vec::new(), Scratch::default());
        if found.load(Ordering::Relaxed) >= limit {
            return Share { pairs, opened: 0, tests: 0, unvisited: Vec::new() };
        }
        let metric = &Grazing::new(boxes, SOON, || gap);
        let (both, scale) = ([trees.outer, trees.inner], trees.frame.scale);
        let mut leaves = OverlapLeaves::<false>::new(trees, limit, PATIENCE_OF_SHARES, &mut pairs);
        let (opened, _) = descend_from::<S, _, _>(both, scale, metric, self.start, 0.0, &mut leaves, &mut scratch);
        let (tests, ran_out) = (leaves.tests, leaves.ran_out);
        found.fetch_add(pairs.len(), Ordering::Relaxed);
        Share { pairs, opened, tests, unvisited: if ran_out { scratch.left() } else { Vec::new() } }
    }
}

/// Tests the triangles of leaf pairs.
struct OverlapLeaves<'q, const NEAREST_FIRST: bool> {
    blocks: LeafBlocks<&'q PlacedMeshes<'q>>,
    limit: usize,
    patience: u64,
    /// Whether there were more node pairs than that.
    ran_out: bool,
    pairs: &'q mut Vec<[u32; 2]>,
    tests: u64,
}

impl<'q, const NEAREST_FIRST: bool> OverlapLeaves<'q, NEAREST_FIRST> {
    fn new(trees: &TreePair<'q>, limit: usize, patience: u64, pairs: &'q mut Vec<[u32; 2]>) -> Self {
        let blocks = LeafBlocks::new(trees.placed, trees.swapped);
        OverlapLeaves { blocks, limit, patience, ran_out: false, pairs, tests: 0 }
    }
}

impl<B: From<f32>, const NEAREST_FIRST: bool> Visitor<B> for OverlapLeaves<'_, NEAREST_FIRST> {
    const ORDER: Order = if NEAREST_FIRST { Order::DepthFirst } else { Order::Any };

    #[inline(always)]
    fn cutoff(&self) -> B {
        B::from(0.0)
    }

    fn long(&mut self, seen: u64) -> ControlFlow<()> {
        self.ran_out = seen >= self.patience;
        if self.ran_out { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        S::brief_part(Visit { leaves: self, outer, inner })
    }
}

/// A visit of two leaves.
struct Visit<'v, 'q, const NEAREST_FIRST: bool> {
    leaves: &'v mut OverlapLeaves<'q, NEAREST_FIRST>,
    outer: Leaf,
    inner: Leaf,
}

impl<const NEAREST_FIRST: bool> Kernel for Visit<'_, '_, NEAREST_FIRST> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        self.leaves.visit::<S>(self.outer, self.inner)
    }
}

impl<const NEAREST_FIRST: bool> OverlapLeaves<'_, NEAREST_FIRST> {
    #[inline(always)]
    fn visit<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let LoadedLeaves { a, b, .. } = self.blocks.load(outer, inner);
        self.tests += u64::from(a.count * b.count);
        for (k, plane) in self.blocks.planes.iter().flatten().enumerate() {
            let (mut lanes, heights) = plane.may_overlap::<S>(&self.blocks.block);
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                lanes &= lanes - 1;
                let known = heights.signs(lane as usize);
                if triangles_overlap_knowing(plane.triangle(), &self.blocks.block.triangle(lane as usize), known) {
                    self.pairs.push([a.first + k as u32, b.first + lane]);
                    if self.pairs.len() >= self.limit {
                        return ControlFlow::Break(());
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}
