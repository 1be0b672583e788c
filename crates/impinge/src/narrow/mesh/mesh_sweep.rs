//! How near two meshes come while one moves straight: the tandem descent over swept boxes.
//!
//! Xavier 1997, §2.2 and §3.3. `b` moves along a vector in `a`'s frame; it is placed half way, and its boxes and
//! triangles reach half the way farther to both sides. The descent is that of the static distance (`mesh_distance.rs`)
//! with a metric that knows of the sweep, from the closest triangles of the last query. Two leaves are looked at as
//! they stand half way first, four triangles at a time, which is the hybrid of §3.3: what is farther apart than half
//! the way and the cut-off is dropped; so is what stays beyond the cut-off along the line of its closest points. What
//! is left is a triangle against a prism of six corners, by GJK.
//!
//! Whether anything comes as near as a small tolerance is asked as `mesh_overlap.rs` asks whether anything touches: in
//! depth, with boxes told apart by axes (`tree/descent/grazing.rs`), triangles and prisms too.
//!
//! Exact up to rounding: a prism is all positions of a triangle, and the blend of corners that is closest tells when.
//!
//! Invariant: no pair of triangles seen or ruled out comes nearer than `lower` at any time, up to the noise that the
//! caller takes off. At most [`MOST_PAIRS`] pairs of nodes are opened; the bounds of those left open widen the answer.

use std::ops::ControlFlow;

use glam::DVec3;

use super::sweep::look_ahead::LookAhead;
use super::sweep::prism::{ENDED, Prism};
use super::sweep::swept_trees::Course;
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::math::{EPS, Relative, normalising_scale};
use crate::model::Mesh;
use crate::narrow::convex::simplex::gjk;
use crate::narrow::convex::simplex::gjk::{GjkEnd, GjkQuestion, GjkStart};
use crate::narrow::convex::simplex::minkowski::Difference;
use crate::narrow::mesh::mesh_contact;
use crate::narrow::mesh::mesh_distance::Found;
use crate::narrow::mesh::mesh_query::{MeshMemory, MeshQuery, Trees};
use crate::narrow::mesh::mesh_solid::Corners;
use crate::narrow::mesh::placed::placed_meshes::Placed;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::Proximity;
use crate::prim::{Block, Plane, RegionWalk, Triangle, distances, triangles_overlap};
use crate::tree::descent::descend::{Metric, Order, Scratch, Visitor, descend};
use crate::tree::descent::grazing::Grazing;
use crate::tree::descent::separation::Separation;
use crate::tree::nodes::{LEAF, Leaf};

/// Pairs of nodes opened at most: a second or so.
const MOST_PAIRS: u64 = 1 << 20;

/// Two meshes of which `b` moves straight.
#[derive(Debug)]
pub(crate) struct MeshSweep<'q> {
    /// Half way.
    pub(crate) placed: Placed<'q>,
    /// Where `b` starts, and its way.
    pub(crate) start: DVec3,
    pub(crate) way: DVec3,
    /// By how much both may be off.
    pub(crate) blur: f64,
    /// Half the way, in scaled units.
    pub(crate) half: DVec3,
    /// Rounding of a distance, in scaled units.
    pub(crate) noise: f64,
}

/// Two triangles that come near.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    /// By places in leaf order.
    pub(crate) places: [u32; 2],
    /// No nearer at any time, and this near at some; in the bodies' unit, rounding counted.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// When, from 0 to 1.
    pub(crate) time: f64,
}

impl<'q> MeshSweep<'q> {
    /// `b` starts at `start` and moves by `way`, both in `a`'s frame, and both off by no more than `blur`. Both meshes
    /// have triangles.
    #[inline(always)]
    pub(crate) fn new(a: &'q Mesh, b: &'q Mesh, start: &Relative, way: DVec3, blur: f64) -> MeshSweep<'q> {
        let middle = Relative { rotation: start.rotation, translation: start.translation + way * 0.5 };
        let (from, length) = (start.translation.abs().max_element(), way.abs().max_element());
        let reach = a.aabb().reach().max(2.0 * b.aabb().reach() + middle.translation.abs().max_element());
        let placed = Placed { a, b, b_in_a: middle, scale: normalising_scale(reach + length) };
        let moved = (16.0 * EPS * (length + from) + blur) * placed.scale;
        let (half, noise) = (way * (0.5 * placed.scale), placed.noise(0.0) + moved);
        MeshSweep { placed, start: start.translation, way, blur, half, noise }
    }

    /// The least distance; with `within`, any pair of triangles that comes as near. `None` when there is none.
    pub(crate) fn nearest(&self, within: f64, memory: &mut MeshMemory, stats: &mut Stats) -> (f64, Option<Near>) {
        let enough = if within < f64::INFINITY { within * self.placed.scale + self.noise } else { -1.0 };
        let course = Course::new(self);
        let graze = course.is_touch_and_go(enough);
        if graze && (course.are_roots_apart(enough) || LookAhead::is_clear(self, within, memory, stats)) {
            stats.volume_tests += 1;
            return (within.next_up(), None);
        }
        let (seed, before) = (memory.last, stats.iterations);
        let mut leaves = Leaves::new(self, enough);
        // Whether anything is near asks for no distance to begin with, unless the last answer was one.
        if let Some(places) = seed.or((enough < 0.0).then_some([0, 0])).filter(|_| enough < 0.0 || enough > self.noise)
        {
            let done = leaves.evaluate(places, DVec3::ZERO).is_break();
            if done {
                return self.told(&leaves, within, memory, stats);
            }
        }
        dispatch(Search { course: &course, leaves: &mut leaves, remembered: seed.is_some(), memory, stats });
        if graze {
            memory.ahead.follow(self, within, leaves.best.is_none() && leaves.complete, stats.iterations - before);
        }
        self.told(&leaves, within, memory, stats)
    }

    /// How two triangles stand to each other where the bodies stand.
    pub(crate) fn at([a, b]: [&Mesh; 2], b_in_a: &Relative, places: [u32; 2]) -> Proximity {
        let placed = Placed::new(a, b, *b_in_a);
        if triangles_overlap(&placed.a_triangle(places[0]), &placed.b_triangle(places[1])) {
            return mesh_contact::touching(&placed, places);
        }
        mesh_contact::apart(&placed, &Found::at(&placed, places))
    }

    /// Which of two bodies holds the other, where their surfaces are apart.
    pub(crate) fn contained([a, b]: [&Mesh; 2], b_in_a: &Relative, stats: &mut Stats) -> Proximity {
        let held = MeshQuery::new(a, b, b_in_a, Method::Auto).containment(stats);
        held.map_or(Outcome::Beyond, Outcome::Contained)
    }

    /// What the leaves found, in the bodies' unit, and how near any triangles can come.
    fn told(
        &self,
        leaves: &Leaves<'_>,
        within: f64,
        memory: &mut MeshMemory,
        stats: &mut Stats,
    ) -> (f64, Option<Near>) {
        stats.primitive_tests += leaves.tests;
        let floor = (leaves.lower - self.noise).max(0.0) / self.placed.scale;
        let is_near = |best: &Near| leaves.enough < 0.0 || best.lower <= leaves.enough;
        match leaves.best.filter(is_near) {
            Some(best) => {
                memory.last = Some(best.places);
                // Broken off at the first that is near enough, nothing is known of the others.
                (if leaves.enough < 0.0 { floor } else { 0.0 }, Some(self.in_units(&best)))
            }
            None => (floor.min(within.next_up()), None),
        }
    }

    fn in_units(&self, near: &Near) -> Near {
        let unit = self.placed.scale.recip();
        let upper = if near.upper == 0.0 { 0.0 } else { (near.upper + self.noise) * unit };
        Near { lower: (near.lower - self.noise).max(0.0) * unit, upper, ..*near }
    }

    /// All pairs of triangles that come as near as `within`, up to a limit, and whether these are all. Where it is
    /// asked what touches, or nearly, no more than `patience` pairs of nodes are seen, to the next power of two.
    pub(crate) fn pairs(
        &self,
        within: f64,
        limit: usize,
        patience: u64,
        memory: &mut MeshMemory,
        stats: &mut Stats,
    ) -> (Vec<Near>, bool) {
        let mut leaves = Leaves::new(self, within * self.placed.scale + self.noise);
        leaves.collected = Some(Vec::new());
        (leaves.limit, leaves.patience) = (limit, patience);
        let course = Course::new(self);
        if course.is_touch_and_go(leaves.enough) && course.are_roots_apart(leaves.enough) {
            stats.volume_tests += 1;
            return (Vec::new(), true);
        }
        dispatch(Search { course: &course, leaves: &mut leaves, remembered: false, memory, stats });
        stats.primitive_tests += leaves.tests;
        let pairs = leaves.collected.unwrap_or_default().iter().map(|near| self.in_units(near)).collect();
        (pairs, leaves.complete)
    }
}

struct Search<'s, 'q> {
    course: &'s Course<'q>,
    leaves: &'s mut Leaves<'q>,
    remembered: bool,
    memory: &'s mut MeshMemory,
    stats: &'s mut Stats,
}

impl Kernel for Search<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Search { course, leaves, remembered, memory, stats } = self;
        let (trees, sweep) = (&course.trees, course.sweep);
        let (outer, inner, frame) = (trees.outer, trees.inner, &trees.frame);
        leaves.swapped = trees.swapped;
        leaves.to_outer = course.to_outer;
        let mut opened = 0;
        let scratch = &mut memory.volumes;
        if course.is_touch_and_go(leaves.enough) {
            stats.volume_tests += 1;
            let boxes = Separation::swept(outer, inner, frame, sweep.to_array());
            let metric = Grazing::new(boxes, || Some(trees.swept_gap(DVec3::ZERO, sweep)));
            opened +=
                descend::<S, _, _>(outer, inner, frame.scale, &metric, 0.0, &mut Graze(leaves), &mut memory.boxes);
            stats.iterations += opened;
            stats.volume_tests += 8 * opened;
            return;
        }
        let mut done = false;
        let to_the_end = leaves.enough >= 0.0;
        if to_the_end || !remembered {
            let gap = trees.swept_gap(leaves.direction, sweep);
            let mut dive = Dive { leaves, left: if to_the_end { usize::MAX } else { 1 } };
            opened += dive.walk::<S, _>(trees, &gap, scratch);
            done = dive.left > 0;
        }
        if !done {
            let gap = trees.swept_gap(leaves.direction, sweep);
            opened += descend::<S, _, _>(outer, inner, frame.scale, &gap, 0.0, leaves, scratch);
        }
        stats.iterations += opened;
        stats.volume_tests += 8 * opened;
    }
}

/// Looks at the triangles of two leaves.
struct Leaves<'q> {
    placed: &'q Placed<'q>,
    half: DVec3,
    half_length: f64,
    swapped: bool,
    /// From scaled units to those of the outer tree.
    to_outer: f64,
    /// Rounding of a distance.
    noise: f64,
    /// Negative when the least distance is wanted.
    enough: f64,
    /// What is farther does not matter.
    cutoff: f64,
    /// No pair dropped or seen comes nearer.
    lower: f64,
    best: Option<Near>,
    collected: Option<Vec<Near>>,
    limit: usize,
    patience: u64,
    complete: bool,
    /// Unit vector along the closest points known, from `a` to `b`, and what the sweep reaches along it.
    direction: DVec3,
    reach: f64,
    tests: u64,
    at_b: u32,
    block: Block,
    block_low: [f64; LEAF],
    at_a: u32,
    planes: [Option<Plane>; LEAF],
}

const NO_LEAF: u32 = u32::MAX;

/// Triangles that come no nearer than this times the best are as near as that.
const TIED: f64 = 1.0 - 1e-14;

impl<'q> Leaves<'q> {
    fn new(sweep: &'q MeshSweep<'q>, enough: f64) -> Leaves<'q> {
        Leaves {
            placed: &sweep.placed,
            half: sweep.half,
            half_length: sweep.half.length() * (1.0 + 4.0 * EPS),
            swapped: false,
            to_outer: 1.0,
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
            at_b: NO_LEAF,
            block: Block::EMPTY,
            block_low: [0.0; LEAF],
            at_a: NO_LEAF,
            planes: [None; LEAF],
        }
    }

    /// Triangles that come no nearer than this are as near as the best, up to rounding.
    #[inline(always)]
    fn tied(&self) -> f64 {
        (self.cutoff - self.noise).min(self.cutoff * TIED)
    }

    fn head(&mut self, way: DVec3) {
        self.direction = way.normalize_or_zero();
        self.reach = self.direction.dot(self.half).abs() + 32.0 * EPS;
        if self.at_b != NO_LEAF {
            self.block_low = self.block.lowest(self.direction);
        }
    }

    /// The leaves of `a` and of `b`, whose triangles are at hand from now on.
    #[inline(always)]
    fn load(&mut self, outer: Leaf, inner: Leaf) -> [Leaf; 2] {
        let (a, b) = if self.swapped { (inner, outer) } else { (outer, inner) };
        if self.at_b != b.first {
            self.at_b = b.first;
            self.block.clear();
            for place in b.places() {
                self.block.push(&self.placed.b_triangle(place));
            }
            let headed = self.direction != DVec3::ZERO;
            self.block_low = if headed { self.block.lowest(self.direction) } else { [0.0; LEAF] };
        }
        if self.at_a != a.first {
            self.at_a = a.first;
            for (k, plane) in self.planes.iter_mut().enumerate() {
                let place = a.first + k as u32;
                *plane = if place < a.first + a.count { Some(Plane::of(&self.placed.a_triangle(place))) } else { None };
            }
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
            let Some(plane) = self.planes[k as usize] else { break };
            self.meet::<S>(a.first + k, &plane, b)?;
        }
        ControlFlow::Continue(())
    }

    /// How far the two leaves stay apart along the line between their first corners when these are nearest.
    #[inline(always)]
    fn between_corners(&self) -> f64 {
        let Some(first) = &self.planes[0] else { return 0.0 };
        let n = self.nearest_way(self.block.triangle(0)[0] - first.triangle()[0]).normalize_or_zero();
        let high = self.planes.iter().flatten().fold(f64::NEG_INFINITY, |high, a| high.max(a.highest(n)));
        let [w, x, y, z] = self.block.lowest(n);
        (w.min(x).min(y).min(z) - high - n.dot(self.half).abs()) * (1.0 - 8.0 * EPS) - 64.0 * EPS
    }

    /// One triangle of `a` against the block.
    #[inline(always)]
    fn meet<S: Simd>(&mut self, place: u32, plane: &Plane, b: Leaf) -> ControlFlow<()> {
        let sieve = |near: u32, gaps: &[f64; LEAF], most: f64| {
            (0..LEAF).fold(near, |left, lane| left & !(u32::from(gaps[lane] > most) << lane))
        };
        let high = plane.highest(self.direction) + self.reach;
        let along = self.block_low.map(|low| (low - high) * (1.0 - 8.0 * EPS));
        let mut near = sieve((1 << b.count) - 1, &along, self.cutoff);
        if near == 0 {
            return ControlFlow::Continue(());
        }
        near = sieve(near, &plane.between_swept::<S>(&self.block, self.half), self.cutoff * self.cutoff);
        if near == 0 {
            return ControlFlow::Continue(());
        }
        if self.enough < 0.0 && (0.0..self.half_length).contains(&self.tied()) {
            // On a way as long as this, where they stand half way tells little.
            let nearer = near & plane.may_come_near::<S>(&self.block, self.half, self.tied());
            self.lower = if nearer == near { self.lower } else { self.lower.min(self.tied()) };
            near = nearer;
        } else {
            // As they stand half way, they may be as much farther apart.
            let far = (self.cutoff + self.half_length).powi(2);
            near = sieve(near, &plane.apart::<S>(&self.block).squared, far);
        }
        if near == 0 {
            return ControlFlow::Continue(());
        }
        let lanes = distances::<S>(plane, &self.block);
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
                    self.take(Near { places, lower, upper, time: 0.5 }, lanes.vector(lane))?;
                } else {
                    self.measure(places, plane.triangle(), lane)?;
                }
                continue;
            }
            let way = self.nearest_way(lanes.vector(lane));
            let lower = self.gap(plane.triangle(), &self.block.triangle(lane), way);
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

    /// A vector from `a` to `b` half way, when `b` is where on its way it is nearest.
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
        let b = self.block.triangle(lane);
        if triangles_overlap(a, &b) {
            return self.take(Near { places, lower: 0.0, upper: 0.0, time: 0.5 }, DVec3::ZERO);
        }
        let way = (b[0] + b[1] + b[2] - a[0] - a[1] - a[2]) / 3.0;
        self.evaluate(places, self.nearest_way(way))
    }

    /// A triangle against a prism; `way` leads from `a` to `b`, roughly.
    #[inline(never)]
    fn evaluate(&mut self, places: [u32; 2], way: DVec3) -> ControlFlow<()> {
        let (a, b) = (self.placed.a_triangle(places[0]), self.placed.b_triangle(places[1]));
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
        self.take(Near { places, lower, upper, time }, -found.v)
    }

    /// Takes note of two triangles; `way` leads from the one to the other when they are nearest.
    fn take(&mut self, near: Near, way: DVec3) -> ControlFlow<()> {
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
            self.head(way);
        }
        let done = near.upper == 0.0 || near.lower <= self.enough;
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Visitor<f64> for Leaves<'_> {
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
        self.visit::<S>(outer, inner)
    }
}

/// A depth-first search that ends after some leaf pairs.
struct Dive<'d, 'q> {
    leaves: &'d mut Leaves<'q>,
    left: usize,
}

impl Dive<'_, '_> {
    #[inline(always)]
    fn walk<S: Simd, M: Metric<Bound = f64>>(&mut self, trees: &Trees<'_>, gap: &M, scratch: &mut Scratch<f64>) -> u64 {
        descend::<S, _, _>(trees.outer, trees.inner, trees.frame.scale, gap, 0.0, self, scratch)
    }
}

impl Visitor<f64> for Dive<'_, '_> {
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
        self.leaves.visit::<S>(outer, inner)?;
        self.left -= 1;
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A depth-first search for what comes as near as is enough: what the axes do not tell apart is measured.
struct Graze<'d, 'q>(&'d mut Leaves<'q>);

impl Visitor<f32> for Graze<'_, '_> {
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
            let Some(plane) = leaves.planes[k as usize] else { break };
            let mut near = plane.may_come_near::<S>(&leaves.block, leaves.half, leaves.enough);
            while near != 0 {
                let lane = near.trailing_zeros();
                near &= near - 1;
                leaves.measure([a.first + k, b.first + lane], plane.triangle(), lane as usize)?;
            }
        }
        ControlFlow::Continue(())
    }
}
