//! All pairs of triangles of two meshes that come as near as a distance: the tandem descent with a cut-off that stays.
//!
//! Larsen et al. §5, their tolerance query asked to its end; Xavier §3.3 collects witnesses so. What is beyond the
//! distance is dropped by boxes, then by planes between triangles, four at a time; of what is left a pair counts unless
//! it is certainly farther apart, which is how `within` decides of the nearest.

use std::ops::ControlFlow;

use glam::DVec3;

use super::mesh_query::{MeshMemory, Trees};
use super::placed::placed_meshes::Placed;
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::prim::{Block, Plane, Triangle, distances, lower_bound, nearest, triangles_overlap};
use crate::tree::descent::descend::{Order, Visitor, descend};
use crate::tree::nodes::{LEAF, Leaf};

/// Whether two triangles may be as near as `enough`.
pub(crate) fn are_near(a: &Triangle, b: &Triangle, enough: f64) -> bool {
    lower_bound(a, b, &nearest(a, b)) <= enough || triangles_overlap(a, b)
}

/// Pairs of triangles as near as `enough`, in scaled units, by places in leaf order, up to `limit` of them.
pub(crate) fn find(
    placed: &Placed<'_>,
    enough: f64,
    limit: usize,
    memory: &mut MeshMemory,
    stats: &mut Stats,
) -> Vec<[u32; 2]> {
    dispatch(Find { placed, enough, limit, memory, stats })
}

struct Find<'q> {
    placed: &'q Placed<'q>,
    enough: f64,
    limit: usize,
    memory: &'q mut MeshMemory,
    stats: &'q mut Stats,
}

impl Kernel for Find<'_> {
    type Output = Vec<[u32; 2]>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Vec<[u32; 2]> {
        let Find { placed, enough, limit, memory, stats } = self;
        let trees = Trees::new(placed);
        let (outer, inner, scale) = (trees.outer, trees.inner, trees.frame.scale);
        let mut leaves = Leaves {
            placed,
            swapped: trees.swapped,
            to_outer: (placed.scale * outer.unit).recip(),
            enough,
            cutoff: (enough * enough * (1.0 + 1e-15)).min(f64::MAX),
            limit,
            pairs: Vec::new(),
            tests: 0,
            at_b: NO_LEAF,
            block: Block::EMPTY,
        };
        let scratch = &mut memory.volumes;
        if let Some(worn) = trees.worn(&mut memory.placed_volumes, &mut memory.hulls) {
            let opened = descend::<S, _, _>(outer, inner, scale, &worn.volumes(), 0.0, &mut leaves, scratch);
            worn.volumes().finish(opened, stats);
        } else {
            let gap = trees.gap(DVec3::ZERO);
            let opened = descend::<S, _, _>(outer, inner, scale, &gap, 0.0, &mut leaves, scratch);
            stats.iterations += opened;
            stats.volume_tests += 8 * opened;
        }
        stats.primitive_tests += leaves.tests;
        leaves.pairs
    }
}

/// Measures the triangles of leaf pairs.
struct Leaves<'q> {
    placed: &'q Placed<'q>,
    swapped: bool,
    /// From scaled units to those of the outer tree.
    to_outer: f64,
    enough: f64,
    /// The same squared.
    cutoff: f64,
    limit: usize,
    pairs: Vec<[u32; 2]>,
    tests: u64,
    /// The leaf of `b` in `block`.
    at_b: u32,
    block: Block,
}

const NO_LEAF: u32 = u32::MAX;

impl Leaves<'_> {
    /// The lanes of the block, of so many, that are as near to a triangle.
    #[inline(always)]
    fn near<S: Simd>(&self, plane: &Plane, count: u32) -> u32 {
        let sieve = |near: u32, squared: &[f64; LEAF]| {
            (0..LEAF).fold(near, |left, lane| left & !(u32::from(squared[lane] > self.cutoff) << lane))
        };
        let near = sieve((1 << count) - 1, &plane.between::<S>(&self.block));
        if near == 0 {
            return 0;
        }
        let near = sieve(near, &plane.apart::<S>(&self.block).squared);
        if near == 0 {
            return 0;
        }
        let lanes = distances::<S>(plane, &self.block);
        let near = sieve(near, &lanes.lower_squared);
        (0..LEAF).filter(|lane| near >> lane & 1 == 1).fold(0, |all, lane| {
            let (lower, squared) = (lanes.lower_squared[lane], lanes.squared[lane]);
            // Told by the lanes, unless they are at the border, touch, or a sliver seems nearer than it is.
            let told = lower > 0.0 && lower >= squared * (1.0 - 1e-9) && squared <= self.cutoff * (1.0 - 1e-8);
            let is_near = told || are_near(plane.triangle(), &self.block.triangle(lane), self.enough);
            all | u32::from(is_near) << lane
        })
    }
}

impl Visitor<f64> for Leaves<'_> {
    const ORDER: Order = Order::Any;

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        (self.cutoff * self.to_outer * self.to_outer).min(f64::MAX)
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
        self.tests += u64::from(a.count * b.count);
        for place in a.places() {
            let mut near = self.near::<S>(&Plane::of(&self.placed.a_triangle(place)), b.count);
            while near != 0 {
                self.pairs.push([place, b.first + near.trailing_zeros()]);
                near &= near - 1;
                if self.pairs.len() >= self.limit {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }
}
