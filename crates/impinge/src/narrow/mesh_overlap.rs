//! Which triangles of two meshes have a common point: the tandem descent with the exact test at its leaves.
//!
//! Lin §5.2 with the boxes of the wide tree. At a pair of leaves the triangles of `b` are placed once and kept for the
//! next pair, and each triangle of `a` meets all of them in one vectorised rejection; what is left gets the exact test.

use std::ops::ControlFlow;

use super::Placed;
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::prim::{Block, Plane, triangles_overlap_knowing};
use crate::tree::{Frame, LEAF, Leaf, Order, Scratch, Separation, Visitor, descend};

/// Finds pairs of overlapping triangles, by places in leaf order, up to `limit` of them, in no particular order.
pub(crate) fn find(
    placed: &Placed<'_>,
    limit: usize,
    pairs: &mut Vec<[u32; 2]>,
    scratch: &mut Scratch<f32>,
    stats: &mut Stats,
) {
    dispatch(Find { placed, limit, pairs, scratch, stats });
}

struct Find<'q> {
    placed: &'q Placed<'q>,
    limit: usize,
    pairs: &'q mut Vec<[u32; 2]>,
    scratch: &'q mut Scratch<f32>,
    stats: &'q mut Stats,
}

impl Kernel for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Find { placed, limit, pairs, scratch, stats } = self;
        let (a, b) = (placed.a.tree(), placed.b.tree());
        let swapped = b.unit > a.unit;
        let (outer, inner) = if swapped { (b, a) } else { (a, b) };
        let inner_in_outer = if swapped { placed.b_in_a.inverse() } else { placed.b_in_a };
        let frame = Frame::new(outer, inner, &inner_in_outer);
        stats.volume_tests += 1;
        let Some(metric) = Separation::new(outer, inner, &frame) else { return };
        // Order helps to find the first pair; it does nothing for all of them.
        let (opened, tests) = if limit == 1 {
            let mut leaves = Leaves::<true>::new(placed, swapped, limit, pairs);
            let opened = descend::<S, _, _>(outer, inner, frame.scale, &metric, 0.0, &mut leaves, scratch);
            (opened, leaves.tests)
        } else {
            let mut leaves = Leaves::<false>::new(placed, swapped, limit, pairs);
            let opened = descend::<S, _, _>(outer, inner, frame.scale, &metric, 0.0, &mut leaves, scratch);
            (opened, leaves.tests)
        };
        stats.iterations += opened;
        stats.volume_tests += 8 * opened;
        stats.primitive_tests += tests;
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

impl<const NEAREST_FIRST: bool> Visitor<f32> for Leaves<'_, NEAREST_FIRST> {
    const ORDER: Order = if NEAREST_FIRST { Order::DepthFirst } else { Order::Any };

    #[inline(always)]
    fn cutoff(&self) -> f32 {
        0.0
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
