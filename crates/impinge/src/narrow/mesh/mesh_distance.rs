//! How far two meshes are apart: the tandem descent with a shrinking cut-off.
//!
//! Larsen et al. §5 and Xavier §2.1: the best distance so far cuts off every pair of boxes farther apart. The nearest
//! open pair comes next, which opens the fewest; measured, a third of those of a depth-first search. To keep the queue
//! short the search starts from a good distance: that of the closest triangles of the last query, or, when there was
//! none, of the first few leaves that a depth-first dive comes upon. Whether anything is nearer than a tolerance is a
//! dive to the end.
//!
//! The search opens at most [`Visitor::MOST_PAIRS`] pairs; the bounds of those left open then widen the answer
//! downward.
//!
//! Invariant: `lower² ≤` the squared distance of every pair of triangles seen or ruled out so far, `upper` is that of
//! the best pair of points, and both are in scaled units.

use std::ops::ControlFlow;

use glam::DVec3;

use super::apart_by_planes;
use super::mesh_query::{MeshMemory, Trees};
use super::placed::placed_meshes::Placed;
use crate::answer::Stats;
use crate::bound::Aabb;
use crate::math::EPS;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::narrow::precision::Precision;
use crate::prim::{Block, Nearest, Plane, distances, gap_across, lower_bound, nearest, triangles_overlap};
use crate::tree::descent::descend::{Metric, Order, Scratch, Visitor, descend};
use crate::tree::nodes::{LEAF, Leaf};

/// What a search for the least distance found, in scaled units and `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    /// Two triangles overlap; `places` names them and `near` means nothing.
    pub(crate) overlap: bool,
    /// No pair of triangles is nearer.
    pub(crate) lower: f64,
    /// The closest pair of points, and the places of their triangles.
    pub(crate) near: Nearest,
    pub(crate) places: [u32; 2],
}

impl Found {
    /// Nothing seen yet.
    const NONE: Found = Found { overlap: false, lower: f64::INFINITY, near: Nearest::NONE, places: [0; 2] };

    pub(crate) fn at(placed: &Placed<'_>, places: [u32; 2]) -> Found {
        let (a, b) = (placed.a_triangle(places[0]), placed.b_triangle(places[1]));
        let near = nearest(&a, &b);
        Found { overlap: triangles_overlap(&a, &b), lower: lower_bound(&a, &b, &near), near, places }
    }

    /// The best distance so far.
    pub(crate) fn upper(&self) -> f64 {
        self.near.squared.sqrt()
    }
}

/// Searches for the least distance, starting from the triangles at `seed` if they are likely to be near, and stops as
/// soon as a pair is found that is not certainly farther apart than `enough`. With nothing that near, the result is the
/// least distance when `enough` is negative, and otherwise only says that there is none; it may then be infinite.
pub(crate) fn search(
    placed: &Placed<'_>,
    seed: Option<[u32; 2]>,
    enough: f64,
    precision: Precision,
    memory: &mut MeshMemory,
    stats: &mut Stats,
) -> Found {
    let precision = precision.scaled(placed.scale);
    if enough >= 0.0 {
        // Whether anything is near asks for no distance to begin with, unless everything is, or the last answer may be
        // one again.
        let tolerance = enough / placed.scale;
        let (looked, nowhere) = (memory.looks(tolerance), tolerance <= memory.lost || seed.is_none());
        let is_lost = |places| !memory.front.is_begun() && are_farther(placed, places, enough);
        if (nowhere || seed.is_some_and(is_lost)) && !all_within(placed, enough) {
            memory.helped = false;
            if !looked && apart_by_planes::are_apart(placed.a, placed.b, &placed.b_in_a, tolerance) {
                stats.volume_tests += 1;
                memory.lost = tolerance;
                return Found::NONE;
            }
            let found = by_descent(placed, &Found::NONE, false, enough, precision, memory, stats);
            // A little more than was asked: what rounding adds changes with the pose.
            memory.lost = if found.overlap || found.lower <= enough { 0.0 } else { tolerance * (1.0 + 1e-6) };
            return found;
        }
    }
    memory.lost = 0.0;
    stats.primitive_tests += 1;
    let first = Found::at(placed, seed.unwrap_or([0, 0]));
    memory.helped = first.overlap || first.lower.min(first.upper()) <= enough;
    if memory.helped {
        return first;
    }
    if seed.is_some()
        && let Some(found) = memory.front.search(placed, &first, enough, precision, stats)
    {
        return found;
    }
    // After a leap the triangles of the last answer are no better than any: a dive finds nearer ones.
    let remembered = seed.is_some() && memory.front.is_coherent();
    by_descent(placed, &first, remembered, enough, precision, memory, stats)
}

/// The search from the roots. `first` is known, and `remembered` if it is likely to be near.
fn by_descent(
    placed: &Placed<'_>,
    first: &Found,
    remembered: bool,
    enough: f64,
    precision: Precision,
    memory: &mut MeshMemory,
    stats: &mut Stats,
) -> Found {
    let mut once =
        |patient| dispatch(Search { placed, first: *first, remembered, enough, precision, patient, memory, stats });
    once(true).or_else(|| once(false)).unwrap_or(*first)
}

/// Whether two triangles are farther apart than a scaled distance along the line of their first corners.
fn are_farther(placed: &Placed<'_>, [i, j]: [u32; 2], distance: f64) -> bool {
    let (a, b) = (placed.a_triangle(i), placed.b_triangle(j));
    let way = b[0] - a[0];
    let highest = a.iter().map(|p| way.dot(*p - a[0])).fold(0.0, f64::max);
    let lowest = b.iter().map(|q| way.dot(*q - a[0])).fold(f64::INFINITY, f64::min);
    lowest - highest > way.length() * (distance * (1.0 + 1e-9) + 64.0 * EPS)
}

/// Whether every point of `a` is within a scaled distance of every point of `b`, by the middles and diagonals of their
/// boxes. The descent asks the same of every pair of nodes of a dressed tree ([`Visitor::enough`]). Not so by default:
/// from a pair that is near enough any way down leads to an answer, so that little is left to save.
pub(crate) fn all_within(placed: &Placed<'_>, distance: f64) -> bool {
    let (a, b) = (placed.a.aabb(), placed.b.aabb());
    let diagonal = |x: &Aabb| (x.max * 0.5 - x.min * 0.5) * placed.scale;
    // As a rule the tolerance is less than a body: then no more is computed.
    if diagonal(a).length_squared() > distance * distance {
        return false;
    }
    let between = (placed.b_in_a.apply(b.centre()) - a.centre()) * placed.scale;
    (between.length() + diagonal(a).length() + diagonal(b).length()) * (1.0 + 1e-12) <= distance
}

struct Search<'q> {
    placed: &'q Placed<'q>,
    first: Found,
    remembered: bool,
    enough: f64,
    precision: Precision,
    /// Whether closest points are computed as late as possible.
    patient: bool,
    memory: &'q mut MeshMemory,
    stats: &'q mut Stats,
}

impl Kernel for Search<'_> {
    type Output = Option<Found>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<Found> {
        let Search { placed, first, remembered, enough, precision, patient, memory, stats } = self;
        let trees = Trees::new(placed);
        let to_outer = (placed.scale * trees.outer.unit).recip().powi(2);
        let mut leaves = Leaves::new(placed, trees.swapped, to_outer, first, enough, precision, patient);
        if let Some(worn) = trees.worn(&mut memory.placed_volumes, &mut memory.hulls) {
            let metric = |direction| {
                worn.volumes().towards(direction);
                worn.volumes()
            };
            let opened = walk::<S, _>(&trees, metric, &mut leaves, remembered, &mut memory.volumes);
            worn.volumes().finish(opened, stats);
        } else {
            let gap = |direction| trees.gap(direction);
            let opened = walk::<S, _>(&trees, gap, &mut leaves, remembered, &mut memory.volumes);
            stats.iterations += opened;
            stats.volume_tests += 8 * opened;
        }
        stats.primitive_tests += leaves.tests;
        leaves.found()
    }
}

/// The descents of one search, with the metric that belongs to a direction between the bodies; returns pairs opened.
#[inline(always)]
fn walk<S: Simd, M: Metric<Bound = f64>>(
    trees: &Trees<'_>,
    metric: impl Fn(DVec3) -> M,
    leaves: &mut Leaves<'_>,
    remembered: bool,
    scratch: &mut Scratch<f64>,
) -> u64 {
    let (outer, inner, scale) = (trees.outer, trees.inner, trees.frame.scale);
    let mut opened = 0;
    let mut done = false;
    let to_the_end = leaves.enough >= 0.0;
    if to_the_end || !remembered {
        let along = metric(leaves.direction);
        let mut dive = Dive { leaves, left: if to_the_end { usize::MAX } else { DIVE } };
        opened += descend::<S, _, _>(outer, inner, scale, &along, 0.0, &mut dive, scratch);
        done = dive.left > 0;
    }
    if !done {
        let along = metric(leaves.direction);
        opened += descend::<S, _, _>(outer, inner, scale, &along, 0.0, leaves, scratch);
    }
    opened
}

/// Evaluates the triangles of leaf pairs.
///
/// With `KEEPING` it also knows how far the triangles it drops are apart at least.
pub(crate) struct Leaves<'q, const KEEPING: bool = false> {
    placed: &'q Placed<'q>,
    swapped: bool,
    /// From squared scaled units to squared units of the outer tree.
    to_outer: f64,
    found: Found,
    enough: f64,
    precision: Precision,
    /// Squared, in scaled units: the best distance known, and what is farther does not matter.
    best: f64,
    cutoff: f64,
    /// Unit vector along the closest points known, from `a` to `b`.
    direction: DVec3,
    tests: u64,
    at_b: u32,
    block: Block,
    /// Least extent of the triangles in `block` along `direction`.
    block_low: [f64; LEAF],
    at_a: u32,
    planes: [Option<Plane>; LEAF],
    /// Squared: no triangles of the two leaves at hand are nearer.
    least: f64,
    /// Whether the closest points of the triangles found are yet to be computed, and whether they may be.
    owing: bool,
    patient: bool,
    /// Whether some triangles were farther apart than they seemed.
    mistaken: bool,
}

const NO_LEAF: u32 = u32::MAX;

impl<'q, const KEEPING: bool> Leaves<'q, KEEPING> {
    /// `found` is what is known so far.
    #[inline(always)]
    pub(crate) fn new(
        placed: &'q Placed<'q>,
        swapped: bool,
        to_outer: f64,
        found: Found,
        enough: f64,
        precision: Precision,
        patient: bool,
    ) -> Self {
        let mut leaves = Leaves {
            placed,
            swapped,
            to_outer,
            found,
            enough,
            precision,
            best: 0.0,
            cutoff: 0.0,
            direction: DVec3::ZERO,
            tests: 0,
            at_b: NO_LEAF,
            block: Block::EMPTY,
            block_low: [0.0; LEAF],
            at_a: NO_LEAF,
            planes: [None; LEAF],
            least: 0.0,
            owing: false,
            patient,
            mistaken: false,
        };
        leaves.shrink();
        leaves
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

    /// Sets the cut-off to the best distance, or to what is enough if that is all that is asked, and the direction.
    fn shrink(&mut self) {
        let enough = if self.enough >= 0.0 { self.enough * self.enough * (1.0 + 1e-15) } else { f64::INFINITY };
        let [p, q] = self.found.near.points();
        self.head(self.found.near.squared.min(enough), q - p);
    }

    /// Sets the best distance, squared, with the cut-off, and the direction.
    #[inline(always)]
    fn head(&mut self, best: f64, way: DVec3) {
        self.best = best;
        self.cutoff = if self.enough < 0.0 { self.precision.cutoff(best) } else { best };
        self.direction = way.normalize_or_zero();
        if self.at_b != NO_LEAF {
            self.block_low = self.block.lowest(self.direction);
        }
    }

    /// Computes the closest points, if they are owing. Where slivers are farther apart than they seemed, what was cut
    /// off may be nearer.
    #[inline(never)]
    fn settle(&mut self) {
        if std::mem::take(&mut self.owing) {
            let [i, j] = self.found.places;
            let (a, b) = (self.placed.a_triangle(i), self.placed.b_triangle(j));
            self.found.near = nearest(&a, &b);
            self.found.lower = self.found.lower.min(lower_bound(&a, &b, &self.found.near));
            self.mistaken |= self.found.near.squared > self.best * (1.0 + 1e-9);
        }
    }

    /// What was found; `None` where the search is to be done again, without patience.
    pub(crate) fn found(&mut self) -> Option<Found> {
        self.settle();
        if self.cutoff < self.best {
            self.found.lower = self.found.lower.min(self.cutoff.sqrt());
        }
        (!self.mistaken).then_some(self.found)
    }

    /// How far the two leaves are apart along the line between their first corners, squared.
    #[inline(always)]
    fn between_corners(&self) -> f64 {
        let Some(first) = &self.planes[0] else { return 0.0 };
        let n = (self.block.triangle(0)[0] - first.triangle()[0]).normalize_or_zero();
        let high = self.planes.iter().flatten().fold(f64::NEG_INFINITY, |high, a| high.max(a.highest(n)));
        let [w, x, y, z] = self.block.lowest(n);
        let gap = (w.min(x).min(y).min(z) - high - 32.0 * EPS).max(0.0);
        gap * gap * (1.0 - 8.0 * EPS)
    }

    /// How far the lanes of the block are apart from a triangle along the direction of the closest points, squared.
    #[inline(always)]
    fn along(&self, a: &Plane) -> [f64; LEAF] {
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
    fn meet<S: Simd>(&mut self, place: u32, plane: &Plane, first_b: u32) -> ControlFlow<()> {
        let along = self.along(plane);
        let mut near = self.sieve((1 << LEAF) - 1, &along);
        if near == 0 {
            return ControlFlow::Continue(());
        }
        near = self.sieve(near, &plane.between::<S>(&self.block));
        if near == 0 {
            return ControlFlow::Continue(());
        }
        let apart = plane.apart::<S>(&self.block);
        near = self.sieve(near, &apart.squared);
        if near == 0 {
            return ControlFlow::Continue(());
        }
        let lanes = distances::<S>(plane, &self.block);
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
                // Nearer than all before: the points can wait, as a rule a still nearer pair comes. What this one is
                // apart at least is more than that.
                if self.patient
                    && lower > 0.0
                    && squared < self.cutoff * (1.0 - 1e-10)
                    && lower >= squared * (1.0 - 1e-10)
                {
                    self.found.places = places;
                    self.owing = true;
                    self.head(squared, lanes.vector(lane));
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
        let (a, b) = (self.placed.a.place_count(), self.placed.b.place_count());
        let origin = self.found.near.points()[0];
        let (mut high, mut low, mut reach) = (f64::NEG_INFINITY, f64::INFINITY, 0.0f64);
        for x in (0..a).flat_map(|i| self.placed.a_triangle(i)) {
            high = high.max(self.direction.dot(x - origin));
            reach = reach.max((x - origin).abs().max_element());
        }
        for x in (0..b).flat_map(|j| self.placed.b_triangle(j)) {
            low = low.min(self.direction.dot(x - origin));
            reach = reach.max((x - origin).abs().max_element());
        }
        let rounding = 32.0 * EPS * reach;
        [low - high - rounding, rounding]
    }

    #[inline(never)]
    fn evaluate(&mut self, places: [u32; 2], a: &Plane, lane: usize, may_overlap: bool) -> ControlFlow<()> {
        let (a, b) = (a.triangle(), &self.block.triangle(lane));
        if may_overlap && triangles_overlap(a, b) {
            self.found = Found { overlap: true, places, ..self.found };
            self.owing = false;
            return ControlFlow::Break(());
        }
        if self.enough < 0.0 {
            self.settle();
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
            self.found = Found { near, places, ..self.found };
            self.owing = false;
            self.shrink();
        }
        if lower <= self.enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Leaf pairs visited before the search proper: measured, more do not pay.
const DIVE: usize = 1;

/// A depth-first search that ends after some leaf pairs.
struct Dive<'d, 'q> {
    leaves: &'d mut Leaves<'q>,
    left: usize,
}

impl Visitor<f64> for Dive<'_, '_> {
    const ORDER: Order = Order::DepthFirst;
    const MOST_PAIRS: u64 = <Leaves<'_> as Visitor<f64>>::MOST_PAIRS;

    fn left_open(&mut self, bound: f64) {
        self.leaves.left_open(bound);
    }

    fn long(&mut self, seen: u64) -> ControlFlow<()> {
        self.leaves.long(seen)
    }

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        self.leaves.cutoff()
    }

    #[inline(always)]
    fn enough(&self) -> Option<f64> {
        let enough = self.leaves.enough;
        (enough >= 0.0).then_some(enough * enough * self.leaves.to_outer)
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        self.leaves.leaves::<S>(outer, inner)?;
        self.left -= 1;
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<const KEEPING: bool> Visitor<f64> for Leaves<'_, KEEPING> {
    const ORDER: Order = Order::BestFirst;

    /// A second or so. Only triangles that nearly coincide in great numbers need as many.
    const MOST_PAIRS: u64 = 1 << 20;

    fn left_open(&mut self, bound: f64) {
        self.found.lower = self.found.lower.min((bound / self.to_outer).sqrt());
    }

    fn long(&mut self, seen: u64) -> ControlFlow<()> {
        let corners = 3 * (u64::from(self.placed.a.place_count()) + u64::from(self.placed.b.place_count()));
        // The slab is known to fewer digits than the triangles' distance, and a short search needs none.
        if seen < 1024 || 16 * seen < corners {
            return ControlFlow::Continue(());
        }
        self.settle();
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
        let (a, b) = if self.swapped { (inner, outer) } else { (outer, inner) };
        if self.at_b != b.first {
            self.at_b = b.first;
            self.block.clear();
            for place in b.places() {
                self.block.push(&self.placed.b_triangle(place));
            }
            self.block_low = self.block.lowest(self.direction);
        }
        if self.at_a != a.first {
            self.at_a = a.first;
            for (k, plane) in self.planes.iter_mut().enumerate() {
                let place = a.first + k as u32;
                *plane = if place < a.first + a.count { Some(Plane::of(&self.placed.a_triangle(place))) } else { None };
            }
        }
        self.tests += u64::from(a.count * b.count);
        self.least = self.between_corners();
        if self.least > self.cutoff {
            return ControlFlow::Continue(());
        }
        self.least = f64::INFINITY;
        for k in 0..a.count {
            let Some(plane) = self.planes[k as usize] else { break };
            self.meet::<S>(a.first + k, &plane, b.first)?;
        }
        ControlFlow::Continue(())
    }
}
