//! The triangles of pairs of leaves, for the least distance of two meshes.
//!
//! A pair of triangles is dropped by cheap bounds first, four at a time: along the closest points known, by planes
//! between the triangles, by their distance in lanes. What is left is measured.
//!
//! Invariant: `lower² ≤` the squared distance of every pair of triangles seen or ruled out so far, `upper` is that of
//! the best pair of points, and both are in scaled units.

use std::ops::ControlFlow;

use glam::DVec3;

use crate::math::EPS;
use crate::math::simd::{Kernel, Simd};
use crate::narrow::mesh::placed::closest_triangles::ClosestTriangles;
use crate::narrow::mesh::placed::leaf_blocks::{LeafBlocks, LoadedLeaves};
use crate::narrow::mesh::placed::placed_meshes::PlacedMeshes;
use crate::narrow::mesh::placed::tree_pair::TreePair;
use crate::narrow::precision::Precision;
use crate::prim::{TrianglePlane, distances, gap_across, lower_bound, nearest, triangles_overlap};
use crate::tree::descent::descend::{Order, Visitor};
use crate::tree::nodes::{LEAF, Leaf};

/// Whether two triangles nearer than all before are measured at once, or when no nearer ones have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measuring {
    /// As late as possible: as a rule a still nearer pair comes. Slivers may turn out to be farther apart than they
    /// seemed; then the search has to be done again, the other way.
    Late,
    AtOnce,
}

/// What a search for the least distance begins with, and how much has to be found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DistanceAsk {
    /// What is known so far.
    pub(crate) first: ClosestTriangles,
    /// In scaled units: any distance not certainly greater will do. Negative when the least is wanted.
    pub(crate) enough: f64,
    /// In scaled units.
    pub(crate) precision: Precision,
    pub(crate) points: Measuring,
}

/// Evaluates the triangles of leaf pairs.
///
/// With `KEEPING` it also knows how far the triangles it drops are apart at least.
pub(crate) struct DistanceLeaves<'q, const KEEPING: bool = false> {
    blocks: LeafBlocks<&'q PlacedMeshes<'q>>,
    /// From squared scaled units to squared units of the outer tree.
    to_outer: f64,
    found: ClosestTriangles,
    enough: f64,
    precision: Precision,
    /// Squared, in scaled units: the best distance known, and what is farther does not matter.
    best: f64,
    cutoff: f64,
    /// Unit vector along the closest points known, from `a` to `b`.
    direction: DVec3,
    tests: u64,
    /// Least extent of the triangles of the leaf of `b` along `direction`.
    block_low: [f64; LEAF],
    /// Squared: no triangles of the two leaves now compared are nearer.
    least: f64,
    points: Measuring,
    /// Whether the closest points of the triangles found are yet to be computed.
    is_unmeasured: bool,
    /// Whether some triangles were farther apart than they seemed.
    is_mistaken: bool,
}

impl<'q, const KEEPING: bool> DistanceLeaves<'q, KEEPING> {
    #[inline(always)]
    pub(crate) fn new(trees: &TreePair<'q>, ask: &DistanceAsk) -> Self {
        let mut leaves = DistanceLeaves {
            blocks: LeafBlocks::new(trees.placed, trees.swapped),
            to_outer: (trees.placed.scale * trees.outer.unit).recip().powi(2),
            found: ask.first,
            enough: ask.enough,
            precision: ask.precision,
            best: 0.0,
            cutoff: 0.0,
            direction: DVec3::ZERO,
            tests: 0,
            block_low: [0.0; LEAF],
            least: 0.0,
            points: ask.points,
            is_unmeasured: false,
            is_mistaken: false,
        };
        leaves.shrink();
        leaves
    }

    /// Negative when the least distance is wanted.
    pub(crate) fn enough(&self) -> f64 {
        self.enough
    }

    /// From squared scaled units to squared units of the outer tree.
    pub(crate) fn to_outer(&self) -> f64 {
        self.to_outer
    }

    pub(crate) fn tests(&self) -> u64 {
        self.tests
    }

    /// Unit vector along the closest points known, from `a` to `b`.
    pub(crate) fn direction(&self) -> DVec3 {
        self.direction
    }

    /// The squared distance of the two leaves last visited is at least this.
    #[inline(always)]
    pub(crate) fn least(&self) -> f64 {
        self.least
    }

    /// Sets the cut-off to the best distance, or to `enough` where any such distance will do, and the direction.
    fn shrink(&mut self) {
        let enough = if self.enough >= 0.0 { self.enough * self.enough * (1.0 + 1e-15) } else { f64::INFINITY };
        let [p, q] = self.found.near.points();
        self.set_best(self.found.near.squared.min(enough), q - p);
    }

    /// Sets the best distance, squared, with the cut-off, and the direction.
    #[inline(always)]
    fn set_best(&mut self, best: f64, way: DVec3) {
        self.best = best;
        self.cutoff = if self.enough < 0.0 { self.precision.cutoff(best) } else { best };
        self.direction = way.normalize_or_zero();
        if self.blocks.has_b() {
            self.block_low = self.blocks.block.lowest(self.direction);
        }
    }

    /// Computes the closest points, if they are not yet. Where slivers are farther apart than they seemed, what was cut
    /// off may be nearer.
    #[inline(never)]
    fn measure_found(&mut self) {
        if std::mem::take(&mut self.is_unmeasured) {
            let [i, j] = self.found.places;
            let (a, b) = (self.blocks.triangles.a_triangle(i), self.blocks.triangles.b_triangle(j));
            self.found.near = nearest(&a, &b);
            self.found.lower = self.found.lower.min(lower_bound(&a, &b, &self.found.near));
            self.is_mistaken |= self.found.near.squared > self.best * (1.0 + 1e-9);
        }
    }

    /// What was found; `None` where the search is to be done again, with [`Measuring::AtOnce`].
    pub(crate) fn found(&mut self) -> Option<ClosestTriangles> {
        self.measure_found();
        if self.cutoff < self.best {
            self.found.lower = self.found.lower.min(self.cutoff.sqrt());
        }
        (!self.is_mistaken).then_some(self.found)
    }

    /// How far the two leaves are apart along the line between their first corners, squared.
    #[inline(always)]
    fn between_corners(&self) -> f64 {
        let Some(first) = &self.blocks.planes[0] else { return 0.0 };
        let n = (self.blocks.block.triangle(0)[0] - first.triangle()[0]).normalize_or_zero();
        let high = self.blocks.planes.iter().flatten().fold(f64::NEG_INFINITY, |high, a| high.max(a.highest(n)));
        let [w, x, y, z] = self.blocks.block.lowest(n);
        let gap = (w.min(x).min(y).min(z) - high - 32.0 * EPS).max(0.0);
        gap * gap * (1.0 - 8.0 * EPS)
    }

    /// How far the lanes of the block are apart from a triangle along the direction of the closest points, squared.
    #[inline(always)]
    fn along(&self, a: &TrianglePlane) -> [f64; LEAF] {
        let high = a.highest(self.direction) + 32.0 * EPS;
        let squared = |low: f64| {
            let gap = (low - high).max(0.0);
            gap * gap * (1.0 - 8.0 * EPS)
        };
        let [w, x, y, z] = self.block_low;
        [squared(w), squared(x), squared(y), squared(z)]
    }

    /// Drops the lanes that are farther apart than the cut-off by these bounds.
    #[inline(always)]
    fn sieve(&mut self, near: u32, squared: &[f64; LEAF]) -> u32 {
        let mut left = near;
        let mut least = self.least;
        for (lane, &squared) in squared.iter().enumerate() {
            let dropped = near >> lane & u32::from(squared > self.cutoff);
            left &= !(dropped << lane);
            if KEEPING {
                least = if dropped == 1 && squared < least { squared } else { least };
            }
        }
        self.least = least;
        left
    }

    /// One triangle of `a` against the block, whose first lane is at `first_b`.
    #[inline(always)]
    fn meet<S: Simd>(&mut self, place: u32, plane: &TrianglePlane, first_b: u32) -> ControlFlow<()> {
        let along = self.along(plane);
        let mut near = self.sieve((1 << LEAF) - 1, &along);
        if near == 0 {
            return ControlFlow::Continue(());
        }
        near = self.sieve(near, &plane.between::<S>(&self.blocks.block));
        if near == 0 {
            return ControlFlow::Continue(());
        }
        let apart = plane.apart::<S>(&self.blocks.block);
        near = self.sieve(near, &apart.squared);
        if near == 0 {
            return ControlFlow::Continue(());
        }
        let lanes = distances::<S>(plane, &self.blocks.block);
        while near != 0 {
            // The nearest lane first: it may rule out the others.
            let mut lane = near.trailing_zeros() as usize;
            for other in lane + 1..LEAF {
                if near >> other & 1 == 1 && lanes.squared[other] < lanes.squared[lane] {
                    lane = other;
                }
            }
            near &= !(1 << lane);
            if KEEPING {
                self.least = self.least.min(lanes.lower_squared[lane]);
            }
            if lanes.lower_squared[lane] > self.cutoff {
                continue;
            }
            let may_overlap = apart.may_overlap >> lane & 1 == 1;
            let places = [place, first_b + lane as u32];
            let squared = lanes.squared[lane];
            if !may_overlap && self.enough < 0.0 {
                let lower = lanes.lower_squared[lane];
                // Nearer than all before. The points can be computed later, because a still nearer pair usually comes.
                // The lower bound on the distance of this pair is above the distances still searched for.
                if self.points == Measuring::Late
                    && lower > 0.0
                    && squared < self.cutoff * (1.0 - 1e-10)
                    && lower >= squared * (1.0 - 1e-10)
                {
                    self.found.places = places;
                    self.is_unmeasured = true;
                    self.set_best(squared, lanes.vector(lane));
                    continue;
                }
                let tight = self.cutoff * (1.0 - 1e-14);
                if squared >= tight && lower >= tight {
                    self.found.lower = self.found.lower.min(lower.sqrt());
                    continue;
                }
            }
            self.evaluate(places, plane, lane, may_overlap)?;
        }
        ControlFlow::Continue(())
    }

    /// Width of the slab between the whole bodies across the direction of the closest points: a lower bound on the
    /// distance. Where many pairs are equally near (two tips, two plates), it ends a search that would look at all of
    /// them. Measured from one of the points, so that the rounding, which is returned beside it and already taken off,
    /// is that of the bodies' sizes and not of where they are.
    fn slab(&self) -> [f64; 2] {
        let (a, b) = (self.blocks.triangles.a.place_count(), self.blocks.triangles.b.place_count());
        let origin = self.found.near.points()[0];
        let (mut high, mut low, mut reach) = (f64::NEG_INFINITY, f64::INFINITY, 0.0f64);
        for x in (0..a).flat_map(|i| self.blocks.triangles.a_triangle(i)) {
            high = high.max(self.direction.dot(x - origin));
            reach = reach.max((x - origin).abs().max_element());
        }
        for x in (0..b).flat_map(|j| self.blocks.triangles.b_triangle(j)) {
            low = low.min(self.direction.dot(x - origin));
            reach = reach.max((x - origin).abs().max_element());
        }
        let rounding = 32.0 * EPS * reach;
        [low - high - rounding, rounding]
    }

    #[inline(never)]
    fn evaluate(&mut self, places: [u32; 2], a: &TrianglePlane, lane: usize, may_overlap: bool) -> ControlFlow<()> {
        let (a, b) = (a.triangle(), &self.blocks.block.triangle(lane));
        if may_overlap && triangles_overlap(a, b) {
            self.found = ClosestTriangles { overlap: true, places, ..self.found };
            self.is_unmeasured = false;
            return ControlFlow::Break(());
        }
        if self.enough < 0.0 {
            self.measure_found();
            // As near as the best, and no nearer: it touches what carries the closest points, as a rule.
            let gap = gap_across(a, b, &self.found.near);
            if gap >= self.found.upper() * (1.0 - 1e-15) {
                self.found.lower = self.found.lower.min(gap);
                return ControlFlow::Continue(());
            }
        }
        let near = nearest(a, b);
        let lower = lower_bound(a, b, &near);
        self.found.lower = self.found.lower.min(lower);
        let enough = self.enough >= 0.0;
        if near.squared < (if enough { self.found.near.squared } else { self.cutoff }) {
            self.found = ClosestTriangles { near, places, ..self.found };
            self.is_unmeasured = false;
            self.shrink();
        }
        if lower <= self.enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<const KEEPING: bool> Visitor<f64> for DistanceLeaves<'_, KEEPING> {
    const ORDER: Order = Order::BestFirst;

    /// A second or so. Only triangles that nearly coincide in great numbers need as many.
    const MOST_PAIRS: u64 = 1 << 20;

    fn left_open(&mut self, bound: f64) {
        self.found.lower = self.found.lower.min((bound / self.to_outer).sqrt());
    }

    fn long(&mut self, seen: u64) -> ControlFlow<()> {
        let corners =
            3 * (u64::from(self.blocks.triangles.a.place_count()) + u64::from(self.blocks.triangles.b.place_count()));
        // The slab is known to fewer digits than the triangles' distance, and a short search needs none.
        if seen < 1024 || 16 * seen < corners {
            return ControlFlow::Continue(());
        }
        self.measure_found();
        let [lower, rounding] = self.slab();
        // Bodies that are surely apart, and by the best distance up to rounding: nothing nearer is left to find.
        if lower <= 0.0 || lower < self.found.upper() * (1.0 - 1e-14) - 2.0 * rounding {
            return ControlFlow::Continue(());
        }
        self.found.lower = self.found.lower.min(lower);
        ControlFlow::Break(())
    }

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        (self.cutoff * self.to_outer).min(f64::MAX)
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        S::part(Visit { leaves: self, outer, inner })
    }
}

/// A visit of two leaves.
struct Visit<'v, 'q, const KEEPING: bool> {
    leaves: &'v mut DistanceLeaves<'q, KEEPING>,
    outer: Leaf,
    inner: Leaf,
}

impl<const KEEPING: bool> Kernel for Visit<'_, '_, KEEPING> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        self.leaves.visit::<S>(self.outer, self.inner)
    }
}

impl<const KEEPING: bool> DistanceLeaves<'_, KEEPING> {
    #[inline(always)]
    fn visit<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let LoadedLeaves { a, b, b_is_new } = self.blocks.load(outer, inner);
        if b_is_new {
            self.block_low = self.blocks.block.lowest(self.direction);
        }
        self.tests += u64::from(a.count * b.count);
        self.least = self.between_corners();
        if self.least > self.cutoff {
            return ControlFlow::Continue(());
        }
        self.least = f64::INFINITY;
        for k in 0..a.count {
            let Some(plane) = self.blocks.planes[k as usize] else { break };
            self.meet::<S>(a.first + k, &plane, b.first)?;
        }
        ControlFlow::Continue(())
    }
}
