//! How far two meshes are apart: the tandem descent with a shrinking cut-off.
//!
//! Larsen et al. §5 and Xavier §2.1: the best distance so far cuts off every pair of boxes farther apart. The nearest
//! open pair comes next, which opens the fewest; measured, a third of those of a depth-first search. To keep the queue
//! short the search starts from a good distance: that of the closest triangles of the last query, or, when there was
//! none, of the first leaves that a descent in depth, a *dive*, comes upon. For a question about a tolerance the dive
//! goes on until it finds triangles near enough, or until no pair is left.
//!
//! The search opens at most [`Visitor::MOST_PAIRS`] pairs; the bounds of those left open then widen the answer
//! downward.
//!
//! The triangles of the pairs of leaves that a descent reaches are evaluated in `distance/distance_leaves.rs`; where
//! the bodies move little from query to query, `distance/front.rs` leaves out what the last searches have ruled out.

use std::ops::ControlFlow;

use glam::DVec3;

use super::apart_by_planes;
use super::chosen_volumes::ChosenVolumes;
use super::distance::distance_leaves::{DistanceAsk, DistanceLeaves, Measuring};
use super::distance::front::Front;
use super::memory::MeshMemory;
use super::placed::closest_triangles::ClosestTriangles;
use super::placed::placed_meshes::PlacedMeshes;
use super::placed::tree_pair::TreePair;
use crate::bound::Aabb;
use crate::math::EPS;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::narrow::context::Context;
use crate::narrow::precision::Precision;
use crate::tree::descent::descend::{Metric, Order, Scratch, Visitor, descend};
use crate::tree::nodes::Leaf;

/// Searches for the least distance, starting from the triangles at `seed` if they are likely to be near, and stops as
/// soon as a pair is found that is not certainly farther apart than `enough`. If there is no such pair, the result is
/// the least distance when `enough` is negative; otherwise it only says that there is none, and may be infinite.
pub(crate) fn search(
    placed: &PlacedMeshes<'_>,
    seed: Option<[u32; 2]>,
    enough: f64,
    precision: Precision,
    mut cx: Context<'_, MeshMemory>,
) -> ClosestTriangles {
    let precision = precision.scaled(placed.scale);
    if enough >= 0.0
        && let Some(found) = search_from_bodies(placed, seed, enough, precision, cx.lend())
    {
        return found;
    }
    let memory = &mut *cx.memory;
    memory.clear_within = 0.0;
    cx.stats.primitive_tests += 1;
    let first = ClosestTriangles::at(placed, seed.unwrap_or([0, 0]));
    memory.last_were_near = first.overlap || first.lower.min(first.upper()) <= enough;
    if memory.last_were_near {
        return first;
    }
    if seed.is_some()
        && let Some(found) = Front::search(placed, &first, enough, precision, cx.part(|memory| &mut memory.front))
    {
        return found;
    }
    // After a leap the triangles of the last answer are no better than any: a dive finds nearer ones.
    let coherent = seed.is_some() && cx.memory.front.is_coherent();
    let beginning = if coherent { Beginning::Nearest } else { Beginning::Dive };
    by_descent(placed, &first, beginning, enough, precision, cx)
}

/// Answers a question about a tolerance by a descent that begins with the bodies as a whole: no distance between
/// triangles is computed before the descent comes to them.
///
/// `None` in two cases: the triangles at `seed` may be near enough, and are to be measured first; or every point of the
/// one body is within the tolerance of every point of the other, and any two triangles are an answer.
fn search_from_bodies(
    placed: &PlacedMeshes<'_>,
    seed: Option<[u32; 2]>,
    enough: f64,
    precision: Precision,
    cx: Context<'_, MeshMemory>,
) -> Option<ClosestTriangles> {
    let Context { memory, stats } = cx;
    let tolerance = enough / placed.scale;
    // If so, the caller has already tried planes between the bodies.
    let tried_planes = memory.begins_with_bodies(tolerance);
    let is_far = |places| !memory.front.is_begun() && are_farther(placed, places, enough);
    let from_bodies = tolerance <= memory.clear_within || seed.is_none_or(is_far);
    if !from_bodies || all_within(placed, enough) {
        return None;
    }
    memory.last_were_near = false;
    if !tried_planes && apart_by_planes::are_apart(placed.a, placed.b, &placed.b_in_a, tolerance) {
        stats.volume_tests += 1;
        memory.clear_within = tolerance;
        return Some(ClosestTriangles::NONE);
    }
    let mut cx = Context::new(memory, stats);
    let found = by_descent(placed, &ClosestTriangles::NONE, Beginning::Dive, enough, precision, cx.lend());
    // A little more than the tolerance, because what rounding adds changes with the pose.
    let is_near = found.overlap || found.lower <= enough;
    cx.memory.clear_within = if is_near { 0.0 } else { tolerance * (1.0 + 1e-6) };
    Some(found)
}

/// What a descent from the roots begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beginning {
    /// With the first leaves that a descent in depth comes upon: nothing known so far is likely to be near.
    Dive,
    /// With the nearest pairs of boxes: what is known so far is likely to be near.
    Nearest,
}

/// The search from the roots. `first` is known.
fn by_descent(
    placed: &PlacedMeshes<'_>,
    first: &ClosestTriangles,
    beginning: Beginning,
    enough: f64,
    precision: Precision,
    mut cx: Context<'_, MeshMemory>,
) -> ClosestTriangles {
    let mut once = |points| {
        let ask = DistanceAsk { first: *first, enough, precision, points };
        dispatch(Search { placed, ask, beginning, cx: cx.lend() })
    };
    once(Measuring::Late).or_else(|| once(Measuring::AtOnce)).unwrap_or(*first)
}

/// Whether two triangles are farther apart than a scaled distance along the line of their first corners.
fn are_farther(placed: &PlacedMeshes<'_>, [i, j]: [u32; 2], distance: f64) -> bool {
    let (a, b) = (placed.a_triangle(i), placed.b_triangle(j));
    let way = b[0] - a[0];
    let highest = a.iter().map(|p| way.dot(*p - a[0])).fold(0.0, f64::max);
    let lowest = b.iter().map(|q| way.dot(*q - a[0])).fold(f64::INFINITY, f64::min);
    lowest - highest > way.length() * (distance * (1.0 + 1e-9) + 64.0 * EPS)
}

/// Whether every point of `a` is within a scaled distance of every point of `b`, by the middles and diagonals of their
/// boxes. A descent over other volumes than boxes asks the same of every pair of nodes ([`Visitor::enough`]); one over
/// boxes does not, since from a pair that is near enough any way down leads to an answer.
pub(crate) fn all_within(placed: &PlacedMeshes<'_>, distance: f64) -> bool {
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
    placed: &'q PlacedMeshes<'q>,
    ask: DistanceAsk,
    beginning: Beginning,
    cx: Context<'q, MeshMemory>,
}

impl Kernel for Search<'_> {
    type Output = Option<ClosestTriangles>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<ClosestTriangles> {
        let Search { placed, ask, beginning, cx: Context { memory, stats } } = self;
        let trees = TreePair::new(placed);
        let mut leaves = DistanceLeaves::new(&trees, &ask);
        let scratch = &mut memory.distance_scratch;
        if let Some(other) = ChosenVolumes::of(&trees, &mut memory.placed_volumes, &mut memory.hulls) {
            let metric = |direction| {
                other.volumes().towards(direction);
                other.volumes()
            };
            let opened = walk::<S, _>(&trees, metric, &mut leaves, beginning, scratch);
            other.volumes().finish(opened, stats);
        } else {
            let gap = |direction| trees.gap(direction);
            let opened = walk::<S, _>(&trees, gap, &mut leaves, beginning, scratch);
            stats.iterations += opened;
            stats.volume_tests += 8 * opened;
        }
        stats.primitive_tests += leaves.tests();
        leaves.found()
    }
}

/// The descents of one search, with the metric that belongs to a direction between the bodies; returns pairs opened.
#[inline(always)]
fn walk<S: Simd, M: Metric<Bound = f64>>(
    trees: &TreePair<'_>,
    metric: impl Fn(DVec3) -> M,
    leaves: &mut DistanceLeaves<'_>,
    beginning: Beginning,
    scratch: &mut Scratch<f64>,
) -> u64 {
    let (outer, inner, scale) = (trees.outer, trees.inner, trees.frame.scale);
    let mut opened = 0;
    let mut done = false;
    let to_the_end = leaves.enough() >= 0.0;
    if to_the_end || beginning == Beginning::Dive {
        let along = metric(leaves.direction());
        let mut dive = Dive { leaves, left: if to_the_end { usize::MAX } else { DIVE } };
        opened += descend::<S, _, _>(outer, inner, scale, &along, 0.0, &mut dive, scratch);
        done = dive.left > 0;
    }
    if !done {
        let along = metric(leaves.direction());
        opened += descend::<S, _, _>(outer, inner, scale, &along, 0.0, leaves, scratch);
    }
    opened
}

/// Leaf pairs visited before the search proper: measured, more do not pay.
const DIVE: usize = 1;

/// A depth-first search that ends after some leaf pairs.
struct Dive<'d, 'q> {
    leaves: &'d mut DistanceLeaves<'q>,
    left: usize,
}

impl Visitor<f64> for Dive<'_, '_> {
    const ORDER: Order = Order::DepthFirst;
    const MOST_PAIRS: u64 = <DistanceLeaves<'_> as Visitor<f64>>::MOST_PAIRS;

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
        let enough = self.leaves.enough();
        (enough >= 0.0).then_some(enough * enough * self.leaves.to_outer())
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        self.leaves.leaves::<S>(outer, inner)?;
        self.left -= 1;
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
