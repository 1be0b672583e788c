//! Which triangles of two meshes have a common point: the tandem descent with the exact test at its leaves.
//!
//! Lin §5.2 with the boxes of the wide tree. At a pair of leaves the triangles of `b` are placed once and kept for the
//! next pair, and each triangle of `a` meets all of them in one vectorised rejection; what is left gets the exact test.
//!
//! All pairs of large meshes are the work of all cores. A descent that has visited 2¹² node pairs stops, and the pairs
//! on its stack are descents of their own, in parallel, which are shared out the same way when they grow long. Who
//! finishes soon never learns of it. The nesting is no deeper than the trees.
//!
//! A pair that goes on asking in close quarters has oriented boxes fitted, for what the boxes of the nodes do not tell
//! apart (`tree/descent/grazing.rs`): measured, from a third less to half the time.
//!
//! Invariant: which pairs are found does not depend on the order in which node pairs are opened, nor the work counted
//! on the number of threads; a list that came to its limit does, and is made anew by one thread.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::mesh_query::{MeshMemory, Trees};
use super::placed::placed_meshes::Placed;
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::prim::{Block, Plane, triangles_overlap_knowing};
use crate::tree::descent::descend::{Metric, Order, Scratch, Visitor, descend, descend_from};
use crate::tree::descent::gap::OrientedGap;
use crate::tree::descent::grazing::Grazing;
use crate::tree::descent::separation::Separation;
use crate::tree::nodes::{LEAF, Leaf, SERIAL};

/// Node pairs that a query visits before it shares out the rest: some tenths of a millisecond.
const PATIENCE: u64 = 1 << 12;

/// The same for a share. Each that is given up makes some fifty.
const PATIENCE_OF_SHARES: u64 = 1 << 15;

/// Finds pairs of overlapping triangles, by places in leaf order, up to `limit` of them, in no particular order.
pub(crate) fn find(
    placed: &Placed<'_>,
    limit: usize,
    pairs: &mut Vec<[u32; 2]>,
    memory: &mut MeshMemory,
    stats: &mut Stats,
) {
    let before = *stats;
    // The first few are the work of one.
    let patience = if memory.alone || limit <= SERIAL { u64::MAX } else { PATIENCE };
    dispatch(Find { placed, limit, patience, pairs, memory, stats });
    let left = std::mem::take(&mut memory.left);
    if !left.is_empty() && !find_rest(placed, limit, left, pairs, memory, stats) {
        pairs.clear();
        *stats = before;
        dispatch(Find { placed, limit, patience: u64::MAX, pairs, memory, stats });
    }
}

struct Find<'q> {
    placed: &'q Placed<'q>,
    limit: usize,
    /// Node pairs to visit; those still open then go to `memory.left`.
    patience: u64,
    pairs: &'q mut Vec<[u32; 2]>,
    memory: &'q mut MeshMemory,
    stats: &'q mut Stats,
}

impl Kernel for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Find { placed, limit, patience, pairs, memory, stats } = self;
        let trees = Trees::new(placed);
        // Volumes other than boxes are placed as they are needed, and kept: by one thread.
        if let Some(worn) = trees.worn(&mut memory.placed_volumes, &mut memory.hulls) {
            let (metric, mut opened) = (worn.volumes(), 0);
            if metric.roots_meet() {
                let tests;
                (opened, tests, _) = walk::<S, _>(&trees, &metric, placed, limit, u64::MAX, pairs, &mut memory.volumes);
                stats.primitive_tests += tests;
            }
            metric.finish(opened, stats);
            return;
        }
        stats.volume_tests += 1;
        let Some(boxes) = Separation::new(trees.outer, trees.inner, &trees.frame) else { return };
        let fitted = trees.are_worth_fitting(memory);
        let metric = Grazing::new(boxes, || if fitted { trees.close_gap() } else { None });
        let (opened, tests, tired) = walk::<S, _>(&trees, &metric, placed, limit, patience, pairs, &mut memory.boxes);
        memory.has_searched(opened);
        if tired {
            memory.left = memory.boxes.left();
        }
        stats.iterations += opened;
        stats.volume_tests += 8 * opened;
        stats.primitive_tests += tests;
    }
}

/// Node pairs opened, triangle pairs tested, and whether it took more than `patience`.
#[inline(always)]
fn walk<S: Simd, M: Metric<Bound: From<f32>>>(
    trees: &Trees<'_>,
    metric: &M,
    placed: &Placed<'_>,
    limit: usize,
    patience: u64,
    pairs: &mut Vec<[u32; 2]>,
    scratch: &mut Scratch<M::Bound>,
) -> (u64, u64, bool) {
    let (outer, inner, scale, root) = (trees.outer, trees.inner, trees.frame.scale, M::Bound::from(0.0));
    // Order helps to find the first pair; it does nothing for all of them.
    if limit == 1 {
        let mut leaves = Leaves::<true>::new(placed, trees.swapped, limit, patience, pairs);
        let opened = descend::<S, _, _>(outer, inner, scale, metric, root, &mut leaves, scratch);
        (opened, leaves.tests, leaves.tired)
    } else {
        let mut leaves = Leaves::<false>::new(placed, trees.swapped, limit, patience, pairs);
        let opened = descend::<S, _, _>(outer, inner, scale, metric, root, &mut leaves, scratch);
        (opened, leaves.tests, leaves.tired)
    }
}

/// Adds what is found below these pairs of slots; false when `limit` was reached.
fn find_rest(
    placed: &Placed<'_>,
    limit: usize,
    left: Vec<[u32; 2]>,
    pairs: &mut Vec<[u32; 2]>,
    memory: &mut MeshMemory,
    stats: &mut Stats,
) -> bool {
    let trees = Trees::new(placed);
    let Some(boxes) = Separation::new(trees.outer, trees.inner, &trees.frame) else { return true };
    let found = AtomicUsize::new(pairs.len());
    let gap = if trees.are_worth_fitting(memory) { trees.close_gap() } else { None };
    let rest = Rest { placed, trees: &trees, boxes, gap, limit, found: &found };
    let shares = rest.shares(left);
    let complete = found.load(Ordering::Relaxed) < limit;
    for share in shares {
        pairs.extend(share.pairs);
        if complete {
            memory.has_searched(share.opened);
        }
        stats.iterations += share.opened;
        stats.volume_tests += 8 * share.opened;
        stats.primitive_tests += share.tests;
    }
    complete
}

/// A query that is shared out.
#[derive(Clone, Copy)]
struct Rest<'q> {
    placed: &'q Placed<'q>,
    trees: &'q Trees<'q>,
    boxes: Separation<'q>,
    gap: Option<OrientedGap<'q>>,
    limit: usize,
    /// Pairs found by all threads.
    found: &'q AtomicUsize,
}

/// What one descent found, what it cost, and the pairs of slots that it left.
struct Share {
    pairs: Vec<[u32; 2]>,
    opened: u64,
    tests: u64,
    left: Vec<[u32; 2]>,
}

impl Rest<'_> {
    /// Descents from these pairs of slots, and from those that they left.
    fn shares(&self, starts: Vec<[u32; 2]>) -> Vec<Share> {
        let each = |start: [u32; 2]| {
            let mut share = dispatch(Below { rest: *self, start });
            let left = std::mem::take(&mut share.left);
            let more = if left.is_empty() { Vec::new() } else { self.shares(left) };
            std::iter::once(share).chain(more)
        };
        starts.into_par_iter().flat_map_iter(each).collect()
    }
}

/// One share: what lies below a pair of slots.
struct Below<'q> {
    rest: Rest<'q>,
    start: [u32; 2],
}

impl Kernel for Below<'_> {
    type Output = Share;

    #[inline(always)]
    fn run<S: Simd>(self) -> Share {
        let Rest { placed, trees, boxes, gap, limit, found } = self.rest;
        let (mut pairs, mut scratch) = (Vec::new(), Scratch::default());
        if found.load(Ordering::Relaxed) >= limit {
            return Share { pairs, opened: 0, tests: 0, left: Vec::new() };
        }
        let metric = &Grazing::new(boxes, || gap);
        let (both, scale) = ([trees.outer, trees.inner], trees.frame.scale);
        let mut leaves = Leaves::<false>::new(placed, trees.swapped, limit, PATIENCE_OF_SHARES, &mut pairs);
        let (opened, _) = descend_from::<S, _, _>(both, scale, metric, self.start, 0.0, &mut leaves, &mut scratch);
        let (tests, tired) = (leaves.tests, leaves.tired);
        found.fetch_add(pairs.len(), Ordering::Relaxed);
        Share { pairs, opened, tests, left: if tired { scratch.left() } else { Vec::new() } }
    }
}

/// Tests the triangles of leaf pairs.
struct Leaves<'q, const NEAREST_FIRST: bool> {
    placed: &'q Placed<'q>,
    swapped: bool,
    limit: usize,
    patience: u64,
    /// Whether more node pairs came.
    tired: bool,
    pairs: &'q mut Vec<[u32; 2]>,
    tests: u64,
    /// The leaf of `b` in `block`.
    at_b: u32,
    block: Block,
    /// The leaf of `a` in `planes`.
    at_a: u32,
    planes: [Option<Plane>; LEAF],
}

const NO_LEAF: u32 = u32::MAX;

impl<'q, const NEAREST_FIRST: bool> Leaves<'q, NEAREST_FIRST> {
    fn new(placed: &'q Placed<'q>, swapped: bool, limit: usize, patience: u64, pairs: &'q mut Vec<[u32; 2]>) -> Self {
        let (tired, block, planes) = (false, Block::EMPTY, [None; LEAF]);
        let (at_b, at_a) = (NO_LEAF, NO_LEAF);
        Leaves { placed, swapped, limit, patience, tired, pairs, tests: 0, at_b, block, at_a, planes }
    }
}

impl<B: From<f32>, const NEAREST_FIRST: bool> Visitor<B> for Leaves<'_, NEAREST_FIRST> {
    const ORDER: Order = if NEAREST_FIRST { Order::DepthFirst } else { Order::Any };

    #[inline(always)]
    fn cutoff(&self) -> B {
        B::from(0.0)
    }

    fn long(&mut self, seen: u64) -> ControlFlow<()> {
        self.tired = seen >= self.patience;
        if self.tired { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let (a, b) = if self.swapped { (inner, outer) } else { (outer, inner) };
        if self.at_b != b.first {
            self.at_b = b.first;
            self.block.clear();
            for place in b.places() {
                self.block.push(&self.placed.b_triangle(place));
            }
        }
        if self.at_a != a.first {
            self.at_a = a.first;
            for (k, plane) in self.planes.iter_mut().enumerate() {
                let place = a.first + k as u32;
                *plane = if place < a.first + a.count { Some(Plane::of(&self.placed.a_triangle(place))) } else { None };
            }
        }
        self.tests += u64::from(a.count * b.count);
        for (k, plane) in self.planes.iter().flatten().enumerate() {
            let (mut lanes, heights) = plane.may_overlap::<S>(&self.block);
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                lanes &= lanes - 1;
                let known = heights.signs(lane as usize);
                if triangles_overlap_knowing(plane.triangle(), &self.block.triangle(lane as usize), known) {
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
