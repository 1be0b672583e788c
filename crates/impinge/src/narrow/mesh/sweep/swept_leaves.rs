//! The triangles of pairs of leaves while one mesh moves straight: how near they come, or which come near.
//!
//! The triangles are first compared at their positions half way, four at a time, which is the hybrid of Xavier 1997,
//! §3.3: a pair farther apart than half the way and the cut-off together is dropped; so is one that stays beyond the
//! cut-off along the line of its closest points. For a pair that is left, GJK compares the triangle with a prism of six
//! corners.
//!
//! Invariant: no pair of triangles compared or dropped comes nearer than `lower` at any time, up to the noise that the
//! caller takes off. At most [`MOST_PAIRS`] pairs of nodes are opened; the bounds of those left open widen the answer.

use std::ops::ControlFlow;

use glam::DVec3;

use super::prism::{ENDED, Prism};
use super::swept_meshes::SweptTriangles;
use super::swept_trees::SweptTrees;
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd};
use crate::math::{EPS, Relative};
use crate::narrow::convex::simplex::gjk;
use crate::narrow::convex::simplex::gjk::{GjkEnd, GjkQuestion, GjkStart};
use crate::narrow::convex::simplex::minkowski::Difference;
use crate::narrow::mesh::placed::gjk_shapes::Corners;
use crate::narrow::mesh::placed::leaf_blocks::{LeafBlocks, LoadedLeaves};
use crate::narrow::mesh::placed::placed_meshes::PlacedMeshes;
use crate::prim::{RegionWalk, Triangle, TrianglePlane, distances, triangles_overlap};
use crate::tree::descent::descend::{Order, Visitor};
use crate::tree::nodes::{LEAF, Leaf};

/// Pairs of nodes opened at most: a second or so.
const MOST_PAIRS: u64 = 1 << 20;

/// Looks at the triangles of two leaves.
pub(crate) struct SweptLeaves<'q> {
    blocks: LeafBlocks<&'q PlacedMeshes<'q>>,
    half: DVec3,
    half_length: f64,
    /// From scaled units to those of the outer tree.
    to_outer: f64,
    /// Rounding of a distance.
    noise: f64,
    /// Negative when the least distance is wanted.
    pub(crate) enough: f64,
    /// What is farther does not matter.
    cutoff: f64,
    /// No pair dropped or measured so far comes nearer.
    pub(crate) lower: f64,
    pub(crate) best: Option<SweptTriangles>,
    pub(crate) collected: Option<Vec<SweptTriangles>>,
    pub(crate) limit: usize,
    pub(crate) patience: u64,
    pub(crate) complete: bool,
    /// Unit vector along the closest points known, from `a` to `b`, and what the sweep reaches along it.
    pub(crate) direction: DVec3,
    reach: f64,
    pub(crate) tests: u64,
    /// Least extent of the triangles of the leaf of `b` along `direction`.
    block_low: [f64; LEAF],
}

/// Triangles that come no nearer than this times the best are as near as that.
const TIED: f64 = 1.0 - 1e-14;

impl<'q> SweptLeaves<'q> {
    pub(crate) fn new(trees: &SweptTrees<'q>, enough: f64) -> SweptLeaves<'q> {
        let sweep = trees.of;
        SweptLeaves {
            blocks: LeafBlocks::new(&sweep.placed, trees.trees.swapped),
            half: sweep.half,
            half_length: sweep.half.length() * (1.0 + 4.0 * EPS),
            to_outer: trees.to_outer,
            noise: sweep.noise,
            enough,
            cutoff: if enough >= 0.0 { enough } else { f64::INFINITY },
            lower: f64::INFINITY,
            best: None,
            collected: None,
            limit: usize::MAX,
            patience: u64::MAX,
            complete: true,
            direction: DVec3::ZERO,
            reach: 0.0,
            tests: 0,
            block_low: [0.0; LEAF],
        }
    }

    /// Triangles that come no nearer than this are as near as the best, up to rounding.
    #[inline(always)]
    fn tied(&self) -> f64 {
        (self.cutoff - self.noise).min(self.cutoff * TIED)
    }

    fn set_direction(&mut self, way: DVec3) {
        self.direction = way.normalize_or_zero();
        self.reach = self.direction.dot(self.half).abs() + 32.0 * EPS;
        if self.blocks.has_b() {
            self.block_low = self.blocks.block.lowest(self.direction);
        }
    }

    /// Loads the triangles of two leaves; returns the leaves of `a` and of `b`.
    #[inline(always)]
    fn load(&mut self, outer: Leaf, inner: Leaf) -> [Leaf; 2] {
        let LoadedLeaves { a, b, b_is_new } = self.blocks.load(outer, inner);
        if b_is_new {
            let is_known = self.direction != DVec3::ZERO;
            self.block_low = if is_known { self.blocks.block.lowest(self.direction) } else { [0.0; LEAF] };
        }
        self.tests += u64::from(a.count * b.count);
        [a, b]
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let [a, b] = self.load(outer, inner);
        if self.between_corners() > self.cutoff {
            return ControlFlow::Continue(());
        }
        for k in 0..a.count {
            let Some(plane) = self.blocks.planes[k as usize] else { break };
            self.meet::<S>(a.first + k, &plane, b)?;
        }
        ControlFlow::Continue(())
    }

    /// How far the two leaves stay apart along the line between their first corners when these are nearest.
    #[inline(always)]
    fn between_corners(&self) -> f64 {
        let Some(first) = &self.blocks.planes[0] else { return 0.0 };
        let n = self.nearest_way(self.blocks.block.triangle(0)[0] - first.triangle()[0]).normalize_or_zero();
        let high = self.blocks.planes.iter().flatten().fold(f64::NEG_INFINITY, |high, a| high.max(a.highest(n)));
        let [w, x, y, z] = self.blocks.block.lowest(n);
        (w.min(x).min(y).min(z) - high - n.dot(self.half).abs()) * (1.0 - 8.0 * EPS) - 64.0 * EPS
    }

    /// One triangle of `a` against the block.
    #[inline(always)]
    fn meet<S: Simd>(&mut self, place: u32, plane: &TrianglePlane, b: Leaf) -> ControlFlow<()> {
        let sieve = |near: u32, gaps: &[f64; LEAF], most: f64| {
            (0..LEAF).fold(near, |left, lane| left & !(u32::from(gaps[lane] > most) << lane))
        };
        let high = plane.highest(self.direction) + self.reach;
        let along = self.block_low.map(|low| (low - high) * (1.0 - 8.0 * EPS));
        let mut near = sieve((1 << b.count) - 1, &along, self.cutoff);
        if near == 0 {
            return ControlFlow::Continue(());
        }
        near = sieve(near, &plane.between_swept::<S>(&self.blocks.block, self.half), self.cutoff * self.cutoff);
        if near == 0 {
            return ControlFlow::Continue(());
        }
        if self.enough < 0.0 && (0.0..self.half_length).contains(&self.tied()) {
            // On a way as long as this, the distance of the triangles half way says little.
            let nearer = near & plane.may_come_near::<S>(&self.blocks.block, self.half, self.tied());
            self.lower = if nearer == near { self.lower } else { self.lower.min(self.tied()) };
            near = nearer;
        } else {
            // What is farther apart half way than the cut-off and half the way together cannot come within the cut-off.
            let far = (self.cutoff + self.half_length).powi(2);
            near = sieve(near, &plane.apart::<S>(&self.blocks.block).squared, far);
        }
        if near == 0 {
            return ControlFlow::Continue(());
        }
        let lanes = distances::<S>(plane, &self.blocks.block);
        while near != 0 {
            let mut lane = near.trailing_zeros() as usize;
            for other in lane + 1..LEAF {
                if near >> other & 1 == 1 && lanes.squared[other] < lanes.squared[lane] {
                    lane = other;
                }
            }
            near &= !(1 << lane);
            let places = [place, b.first + lane as u32];
            let squared = lanes.squared[lane];
            if self.enough >= 0.0 && squared <= self.cutoff * self.cutoff {
                let lower = lanes.lower_squared[lane];
                // Near enough half way, unless a sliver seems nearer than it is.
                if lower > 0.0 && lower >= squared * (1.0 - 1e-9) {
                    let (upper, lower) = (squared.sqrt(), (lower.sqrt() - self.half_length).max(0.0));
                    self.take(SweptTriangles { places, lower, upper, time: 0.5 }, lanes.vector(lane))?;
                } else {
                    self.measure(places, plane.triangle(), lane)?;
                }
                continue;
            }
            let way = self.nearest_way(lanes.vector(lane));
            let lower = self.gap(plane.triangle(), &self.blocks.block.triangle(lane), way);
            if lower > self.cutoff {
                continue;
            }
            // As near as the best, and no nearer.
            if self.enough < 0.0 && lower >= self.tied() {
                self.lower = self.lower.min(lower);
                continue;
            }
            self.evaluate(places, way)?;
        }
        ControlFlow::Continue(())
    }

    /// The vector from `a` to `b` at the nearest point of the way, given the vector half way.
    #[inline(always)]
    fn nearest_way(&self, way: DVec3) -> DVec3 {
        let square = self.half_length * self.half_length;
        let at = if square > 0.0 { (way.dot(self.half) / square).clamp(-1.0, 1.0) } else { 0.0 };
        way - self.half * at
    }

    /// What lies between a triangle and all positions of another along `n`, less the rounding; negative if nothing.
    #[inline(always)]
    fn gap(&self, a: &Triangle, b: &Triangle, n: DVec3) -> f64 {
        let length = n.length();
        if length == 0.0 {
            return -1.0;
        }
        let at = |x: DVec3| n.dot(x - a[0]);
        let low = at(b[0]).min(at(b[1])).min(at(b[2]));
        let high = at(a[1]).max(at(a[2])).max(0.0);
        (low - high - n.dot(self.half).abs()) / length * (1.0 - 8.0 * EPS) - 32.0 * EPS
    }

    /// A triangle against a prism, first as they stand half way.
    #[inline(never)]
    fn measure(&mut self, places: [u32; 2], a: &Triangle, lane: usize) -> ControlFlow<()> {
        let b = self.blocks.block.triangle(lane);
        if triangles_overlap(a, &b) {
            return self.take(SweptTriangles { places, lower: 0.0, upper: 0.0, time: 0.5 }, DVec3::ZERO);
        }
        let way = (b[0] + b[1] + b[2] - a[0] - a[1] - a[2]) / 3.0;
        self.evaluate(places, self.nearest_way(way))
    }

    /// A triangle against a prism; `way` leads from `a` to `b`, roughly.
    #[inline(never)]
    pub(crate) fn evaluate(&mut self, places: [u32; 2], way: DVec3) -> ControlFlow<()> {
        let (a, b) = (self.blocks.triangles.a_triangle(places[0]), self.blocks.triangles.b_triangle(places[1]));
        // From a corner of `a`, so that being far from the origin costs nothing.
        let origin = a[0];
        let (a, b) = (Corners(a.map(|x| x - origin)), Corners(b.map(|x| x - origin)));
        let prism = Prism { corners: b, half: self.half };
        // Pairs as near as the best, which are many where surfaces slide along each other, need not be measured.
        let enough = if self.enough < 0.0 { self.tied() } else { self.cutoff };
        let ask = GjkQuestion { enough, ..GjkQuestion::DISTANCE };
        let start = GjkStart { direction: (way != DVec3::ZERO).then_some(-way), ..GjkStart::default() };
        let difference = Difference::new(&a, &prism, Relative::IDENTITY);
        let found = gjk::distance::<RegionWalk, _, _>(&difference, &ask, &start, &mut Stats::default());
        if found.end == GjkEnd::Enough {
            self.lower = self.lower.min(if self.enough < 0.0 { enough } else { f64::INFINITY });
            return ControlFlow::Continue(());
        }
        let s = &found.simplex;
        let time: f64 = (0..s.count).filter(|&k| s.names[k][1] >= ENDED).map(|k| s.weights[k]).sum();
        let time = if time.is_finite() { time.clamp(0.0, 1.0) } else { 0.5 };
        let upper = found.upper();
        let lower = if upper == 0.0 { 0.0 } else { found.lower.min(upper) };
        self.take(SweptTriangles { places, lower, upper, time }, -found.v)
    }

    /// Takes note of two triangles; `way` leads from the one to the other when they are nearest.
    fn take(&mut self, near: SweptTriangles, way: DVec3) -> ControlFlow<()> {
        if let Some(collected) = &mut self.collected {
            if near.lower > self.cutoff {
                return ControlFlow::Continue(());
            }
            if collected.len() >= self.limit {
                self.complete = false;
                return ControlFlow::Break(());
            }
            collected.push(near);
            return ControlFlow::Continue(());
        }
        self.lower = self.lower.min(near.lower);
        if self.best.is_none_or(|best| near.upper < best.upper) {
            self.best = Some(near);
            self.cutoff = self.cutoff.min(near.upper);
            self.set_direction(way);
        }
        let done = near.upper == 0.0 || near.lower <= self.enough;
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Visitor<f64> for SweptLeaves<'_> {
    const ORDER: Order = Order::BestFirst;
    const MOST_PAIRS: u64 = MOST_PAIRS;

    fn left_open(&mut self, bound: f64) {
        self.lower = self.lower.min(bound.sqrt() / self.to_outer);
        self.complete = false;
    }

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        (self.cutoff * self.to_outer).powi(2).min(f64::MAX)
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        S::part(Visit { leaves: self, outer, inner })
    }
}

/// A visit of two leaves.
struct Visit<'v, 'q> {
    leaves: &'v mut SweptLeaves<'q>,
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

/// A depth-first search that ends after some leaf pairs.
pub(crate) struct SweptDive<'d, 'q> {
    pub(crate) leaves: &'d mut SweptLeaves<'q>,
    /// Leaf pairs still to visit.
    pub(crate) left: usize,
}

impl Visitor<f64> for SweptDive<'_, '_> {
    const ORDER: Order = Order::DepthFirst;
    const MOST_PAIRS: u64 = MOST_PAIRS;

    fn left_open(&mut self, bound: f64) {
        self.leaves.left_open(bound);
    }

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        Visitor::<f64>::cutoff(&*self.leaves)
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        S::part(Visit { leaves: self.leaves, outer, inner })?;
        self.left -= 1;
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A depth-first search for any pair that comes near enough: pairs that no axis separates are measured.
pub(crate) struct SweptGraze<'d, 'q>(pub(crate) &'d mut SweptLeaves<'q>);

impl Visitor<f32> for SweptGraze<'_, '_> {
    const ORDER: Order = Order::DepthFirst;
    const MOST_PAIRS: u64 = MOST_PAIRS;

    fn left_open(&mut self, bound: f32) {
        self.0.lower = self.0.lower.min(f64::from(bound).max(0.0) / self.0.to_outer);
        self.0.complete = false;
    }

    fn long(&mut self, seen: u64) -> ControlFlow<()> {
        if seen <= self.0.patience {
            return ControlFlow::Continue(());
        }
        self.0.complete = false;
        ControlFlow::Break(())
    }

    #[inline(always)]
    fn cutoff(&self) -> f32 {
        ((self.0.enough * self.0.to_outer) as f32).next_up()
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let leaves = &mut *self.0;
        let [a, b] = leaves.load(outer, inner);
        for k in 0..a.count {
            let Some(plane) = leaves.blocks.planes[k as usize] else { break };
            let mut near = plane.may_come_near::<S>(&leaves.blocks.block, leaves.half, leaves.enough);
            while near != 0 {
                let lane = near.trailing_zeros();
                near &= near - 1;
                leaves.measure([a.first + k, b.first + lane], plane.triangle(), lane as usize)?;
            }
        }
        ControlFlow::Continue(())
    }
}
