//! Which triangles of two meshes have a common point: the tandem descent with the exact test at its leaves.
//!
//! Lin §5.2 with the boxes of the wide tree. At a pair of leaves the triangles of `b` are placed once and kept for the
//! next pair, and each triangle of `a` meets all of them in one vectorised rejection; what is left gets the exact test.

use std::ops::ControlFlow;

use super::Placed;
use super::mesh_query::{MeshMemory, Trees};
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::prim::{Block, Plane, triangles_overlap_knowing};
use crate::tree::{LEAF, Leaf, Metric, Order, Scratch, Separation, Visitor, descend};

/// Finds pairs of overlapping triangles, by places in leaf order, up to `limit` of them, in no particular order.
pub(crate) fn find(
    placed: &Placed<'_>,
    limit: usize,
    pairs: &mut Vec<[u32; 2]>,
    memory: &mut MeshMemory,
    stats: &mut Stats,
) {
    dispatch(Find { placed, limit, pairs, memory, stats });
}

struct Find<'q> {
    placed: &'q Placed<'q>,
    limit: usize,
    pairs: &'q mut Vec<[u32; 2]>,
    memory: &'q mut MeshMemory,
    stats: &'q mut Stats,
}

impl Kernel for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Find { placed, limit, pairs, memory, stats } = self;
        let trees = Trees::new(placed);
        if let Some(metric) = trees.dressed(&mut memory.wardrobe) {
            if metric.roots_meet::<S>() {
                let (opened, tests) = walk::<S, _>(&trees, &metric, placed, limit, pairs, &mut memory.volumes);
                stats.iterations += opened;
                stats.primitive_tests += tests;
            }
            stats.volume_tests += metric.tests();
            return;
        }
        stats.volume_tests += 1;
        let Some(metric) = Separation::new(trees.outer, trees.inner, &trees.frame) else { return };
        let (opened, tests) = walk::<S, _>(&trees, &metric, placed, limit, pairs, &mut memory.boxes);
        stats.iterations += opened;
        stats.volume_tests += 8 * opened;
        stats.primitive_tests += tests;
    }
}

/// Node pairs opened, and triangle pairs tested.
#[inline(always)]
fn walk<S: Simd, M: Metric<Bound: From<f32>>>(
    trees: &Trees<'_>,
    metric: &M,
    placed: &Placed<'_>,
    limit: usize,
    pairs: &mut Vec<[u32; 2]>,
    scratch: &mut Scratch<M::Bound>,
) -> (u64, u64) {
    let (outer, inner, scale, root) = (trees.outer, trees.inner, trees.frame.scale, M::Bound::from(0.0));
    // Order helps to find the first pair; it does nothing for all of them.
    if limit == 1 {
        let mut leaves = Leaves::<true>::new(placed, trees.swapped, limit, pairs);
        let opened = descend::<S, _, _>(outer, inner, scale, metric, root, &mut leaves, scratch);
        (opened, leaves.tests)
    } else {
        let mut leaves = Leaves::<false>::new(placed, trees.swapped, limit, pairs);
        let opened = descend::<S, _, _>(outer, inner, scale, metric, root, &mut leaves, scratch);
        (opened, leaves.tests)
    }
}

/// Tests the triangles of leaf pairs.
struct Leaves<'q, const NEAREST_FIRST: bool> {
    placed: &'q Placed<'q>,
    swapped: bool,
    limit: usize,
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
    fn new(placed: &'q Placed<'q>, swapped: bool, limit: usize, pairs: &'q mut Vec<[u32; 2]>) -> Self {
        let (block, planes) = (Block::EMPTY, [None; LEAF]);
        Leaves { placed, swapped, limit, pairs, tests: 0, at_b: NO_LEAF, block, at_a: NO_LEAF, planes }
    }
}

impl<B: From<f32>, const NEAREST_FIRST: bool> Visitor<B> for Leaves<'_, NEAREST_FIRST> {
    const ORDER: Order = if NEAREST_FIRST { Order::DepthFirst } else { Order::Any };

    #[inline(always)]
    fn cutoff(&self) -> B {
        B::from(0.0)
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let (a, b) = if self.swapped { (inner, outer) } else { (outer, inner) };
        if self.at_b != b.first {
            self.at_b = b.first;
            let placed = self.placed;
            self.block.fill(b.count, |lane| placed.b_triangle(b.first + lane));
        }
        if self.at_a != a.first {
            self.at_a = a.first;
            for (k, plane) in self.planes.iter_mut().enumerate() {
                let place = a.first + k as u32;
                *plane = (place < a.first + a.count).then(|| Plane::of(&self.placed.a_triangle(place)));
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
