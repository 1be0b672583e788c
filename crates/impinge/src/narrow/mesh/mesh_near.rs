//! All pairs of triangles of two meshes that come as near as a distance: the tandem descent with a cut-off that stays.
//!
//! This is Larsen et al. §5, their tolerance query continued until it has found every pair; Xavier §3.3 collects
//! witnesses in this way. Boxes drop what is beyond the distance, then planes between triangles do, four at a time. A
//! pair that is left counts unless it is certainly farther apart: by the same rule `within` decides about the nearest
//! pair.

use std::ops::ControlFlow;

use glam::DVec3;

use super::chosen_volumes::ChosenVolumes;
use super::memory::MeshMemory;
use super::placed::leaf_blocks::{LeafBlocks, LoadedLeaves};
use super::placed::placed_meshes::PlacedMeshes;
use super::placed::tree_pair::TreePair;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::narrow::context::Context;
use crate::prim::{Triangle, TrianglePlane, distances, lower_bound, nearest, triangles_overlap};
use crate::tree::descent::descend::{Order, Visitor, descend};
use crate::tree::nodes::{LEAF, Leaf};

/// Whether two triangles may be as near as `enough`.
pub(crate) fn are_near(a: &Triangle, b: &Triangle, enough: f64) -> bool {
    lower_bound(a, b, &nearest(a, b)) <= enough || triangles_overlap(a, b)
}

/// Pairs of triangles as near as `enough`, in scaled units, by places in leaf order, up to `limit` of them.
pub(crate) fn find(placed: &PlacedMeshes<'_>, enough: f64, limit: usize, cx: Context<'_, MeshMemory>) -> Vec<[u32; 2]> {
    dispatch(Find { placed, enough, limit, cx })
}

struct Find<'q> {
    placed: &'q PlacedMeshes<'q>,
    enough: f64,
    limit: usize,
    cx: Context<'q, MeshMemory>,
}

impl Kernel for Find<'_> {
    type Output = Vec<[u32; 2]>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Vec<[u32; 2]> {
        let Find { placed, enough, limit, cx: Context { memory, stats } } = self;
        let trees = TreePair::new(placed);
        let (outer, inner, scale) = (trees.outer, trees.inner, trees.frame.scale);
        let mut leaves = NearLeaves {
            blocks: LeafBlocks::new(placed, trees.swapped),
            to_outer: (placed.scale * outer.unit).recip(),
            enough,
            cutoff: (enough * enough * (1.0 + 1e-15)).min(f64::MAX),
            limit,
            pairs: Vec::new(),
            tests: 0,
        };
        let scratch = &mut memory.distance_scratch;
        if let Some(other) = ChosenVolumes::of(&trees, &mut memory.placed_volumes, &mut memory.hulls) {
            let opened = descend::<S, _, _>(outer, inner, scale, &other.volumes(), 0.0, &mut leaves, scratch);
            other.volumes().finish(opened, stats);
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
struct NearLeaves<'q> {
    blocks: LeafBlocks<&'q PlacedMeshes<'q>>,
    /// From scaled units to those of the outer tree.
    to_outer: f64,
    enough: f64,
    /// The same squared.
    cutoff: f64,
    limit: usize,
    pairs: Vec<[u32; 2]>,
    tests: u64,
}

impl NearLeaves<'_> {
    /// The lanes of the block, of so many, that are as near to a triangle.
    #[inline(always)]
    fn near<S: Simd>(&self, plane: &TrianglePlane, count: u32) -> u32 {
        let sieve = |near: u32, squared: &[f64; LEAF]| {
            (0..LEAF).fold(near, |left, lane| left & !(u32::from(squared[lane] > self.cutoff) << lane))
        };
        let near = sieve((1 << count) - 1, &plane.between::<S>(&self.blocks.block));
        if near == 0 {
            return 0;
        }
        let near = sieve(near, &plane.apart::<S>(&self.blocks.block).squared);
        if near == 0 {
            return 0;
        }
        let lanes = distances::<S>(plane, &self.blocks.block);
        let near = sieve(near, &lanes.lower_squared);
        (0..LEAF).filter(|lane| near >> lane & 1 == 1).fold(0, |all, lane| {
            let (lower, squared) = (lanes.lower_squared[lane], lanes.squared[lane]);
            // The lanes decide, unless the distance is near the cut-off, the triangles touch, or a sliver seems nearer
            // than it is.
            let told = lower > 0.0 && lower >= squared * (1.0 - 1e-9) && squared <= self.cutoff * (1.0 - 1e-8);
            let is_near = told || are_near(plane.triangle(), &self.blocks.block.triangle(lane), self.enough);
            all | u32::from(is_near) << lane
        })
    }
}

impl Visitor<f64> for NearLeaves<'_> {
    const ORDER: Order = Order::Any;

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        (self.cutoff * self.to_outer * self.to_outer).min(f64::MAX)
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        S::part(Visit { leaves: self, outer, inner })
    }
}

/// A visit of two leaves.
struct Visit<'v, 'q> {
    leaves: &'v mut NearLeaves<'q>,
    outer: Leaf,
    inner: Leaf,
}

impl Kernel for Visit<'_, '_> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        self.leaves.visit::<S>(self.outer, self.inner)
    }
}

impl NearLeaves<'_> {
    #[inline(always)]
    fn visit<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let LoadedLeaves { a, b, .. } = self.blocks.load(outer, inner);
        self.tests += u64::from(a.count * b.count);
        for k in 0..a.count {
            let Some(plane) = self.blocks.planes[k as usize] else { break };
            let place = a.first + k;
            let mut near = self.near::<S>(&plane, b.count);
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
