//! How near do two deforming meshes come during a step? Searches trees of moving boxes, the nearest first, and divides
//! the time for pairs of triangles.
//!
//! First the search for an impact, which misses none, decides whether they touch (`deforming_impact.rs`). If not, the
//! surfaces stay apart, and the least distance is that of two triangles (`nearing.rs`), over all pairs whose boxes come
//! near enough (`tree/descent/nearing.rs`).
//!
//! Invariant: no pair of triangles comes nearer at any time than `floor`, or than the least distance measured. Cost:
//! that of the impact, and pairs of nodes and triangles whose boxes come nearer than the bodies do. At most
//! [`MOST_PAIRS`] pairs of nodes are opened and [`MOST_MOMENTS`] distances measured; then the bounds of boxes widen the
//! answer.

use std::ops::ControlFlow;

use super::nearing::{MovingTriangles, StretchQueue, Wanted};
use crate::answer::{Feature, Impact, Stats, Sweep, Witness};
use crate::math::Interval;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Deforming;
use crate::prim::Part;
use crate::tree::descent::descend::{Order, Scratch, Visitor, descend};
use crate::tree::descent::{meeting, nearing};
use crate::tree::nodes::Leaf;

/// The most pairs of nodes opened: a second or so.
const MOST_PAIRS: u64 = 1 << 20;

/// The most distances of triangles measured: another second or so.
const MOST_MOMENTS: u64 = 1 << 20;

/// How narrow the interval of a least distance has to be, as a share of what both sweep, and what is near enough.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearnessWanted {
    pub(crate) tolerance: f64,
    pub(crate) enough: Option<f64>,
}

impl Deforming {
    /// How near do two deforming meshes come, between time 0 and time 1?
    ///
    /// A body inside a solid one touches it. The interval holds the least distance, and is `[0, 0]` where they touch
    /// for certain; [`Sweep::time`] is then a time by which they do. Where that is left open it begins at 0 and ends
    /// at the distance measured. The tolerance is relative to what both bodies sweep. Nothing turns, so the method does
    /// not matter.
    pub(crate) fn sweep(&self, b: &Deforming, wanted: &NearnessWanted) -> Sweep {
        let impact = self.impact(b);
        let Impact { time, certain, witness, semantics, mut stats, .. } = impact;
        if let Some(time) = time {
            let near = witness.map_or(0.0, |w| w.points[0].distance(w.points[1]));
            let upper = if certain { 0.0 } else { near };
            let interval = Interval { lower: 0.0, upper };
            return Sweep { interval, time: time.upper, witness, penetrating: certain, semantics, stats };
        }
        let closest = if self.is_empty() || b.is_empty() {
            Closest { interval: Interval::INFINITE, time: 0.0, witness: None }
        } else {
            closest(self, b, wanted, &mut stats)
        };
        let Closest { interval, time, witness } = closest;
        Sweep { interval, time, witness, penetrating: false, semantics, stats }
    }
}

struct Closest {
    interval: Interval,
    time: f64,
    witness: Option<Witness>,
}

/// The least distance of meshes that have triangles and stay apart.
fn closest(a: &Deforming, b: &Deforming, wanted: &NearnessWanted, stats: &mut Stats) -> Closest {
    let size = |body: &Deforming| (body.bounds.max * 0.5 - body.bounds.min * 0.5).max_element();
    let tolerance = wanted.tolerance.max(0.0) * (size(a) + size(b));
    let enough = wanted.enough.map(|d| d.max(0.0));
    let mut best = Best { places: [0, 0], time: 0.0, upper: nearest_at(a, b, [0, 0], 0.0).1 };
    let wanted =
        Wanted { before: enough.unwrap_or(f64::MAX).min(best.upper), known: best.upper, tolerance, divide: true };
    let mut floor = 0.0;
    if enough.is_none_or(|enough| best.upper > enough) {
        let stretches = StretchQueue::default();
        let mut leaves =
            Leaves { a, b, swapped: false, enough, wanted, floor: f64::INFINITY, best, stretches, tests: 0 };
        dispatch(Descent { leaves: &mut leaves, stats });
        best = leaves.best;
        // All that was dropped is no nearer than this.
        floor = leaves.floor.min(leaves.wanted.before.next_up());
    }
    let (witness, upper) = nearest_at(a, b, best.places, best.time);
    Closest { interval: Interval { lower: floor.min(upper), upper }, time: best.time, witness: Some(witness) }
}

/// The closest points of two triangles at a time, and their distance from above.
pub(crate) fn nearest_at(a: &Deforming, b: &Deforming, places: [u32; 2], time: f64) -> (Witness, f64) {
    let [i, j] = places;
    let (near, points, upper) = MovingTriangles::new(a.corners(i), b.corners(j)).closest_at(time);
    let [start, end] = b.corners(j)[0];
    let origin = start * (1.0 - time) + end * time;
    let features = [a.feature(i, near.parts[0]), b.feature(j, near.parts[1])];
    (Witness { points: points.map(|x| x + origin), features }, upper)
}

impl Deforming {
    /// The name of a part of the triangle at a place.
    pub(crate) fn feature(&self, place: u32, part: Part) -> Feature {
        let triangle = self.ids[place as usize];
        let vertex = |k: u8| self.vertex_ids[self.triangles[place as usize][usize::from(k % 3)] as usize];
        match part {
            Part::Vertex(k) => Feature::Vertex { triangle, vertex: vertex(k) },
            Part::Edge(k) => Feature::Edge { triangle, vertices: [vertex(k), vertex(k + 1)] },
            Part::Face => Feature::Face { triangle },
        }
    }
}

struct Descent<'s, 'q> {
    leaves: &'s mut Leaves<'q>,
    stats: &'s mut Stats,
}

impl Kernel for Descent<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Descent { leaves, stats } = self;
        let (a, b) = (leaves.a, leaves.b);
        leaves.swapped = b.trees[0].unit > a.trees[0].unit;
        let (outer, inner) = if leaves.swapped { (b, a) } else { (a, b) };
        let metric = nearing::BoxNearing(meeting::BoxMeeting::new(&outer.trees, &inner.trees, 0.0));
        let (trees, scale) = ((&outer.trees[0], &inner.trees[0]), metric.0.scale);
        let opened = descend::<S, _, _>(trees.0, trees.1, scale, &metric, 0.0, leaves, &mut Scratch::default());
        stats.volume_tests += 8 * opened;
        stats.primitive_tests += leaves.tests;
        stats.iterations += opened + leaves.stretches.measured;
    }
}

/// The nearest triangles known, and when.
#[derive(Debug, Clone, Copy)]
struct Best {
    places: [u32; 2],
    time: f64,
    upper: f64,
}

/// Measures the triangles at the leaves.
struct Leaves<'q> {
    a: &'q Deforming,
    b: &'q Deforming,
    swapped: bool,
    /// The search ends with the first pair that is as near as this.
    enough: Option<f64>,
    wanted: Wanted,
    /// No pair that was searched, or that a cap left open, comes nearer.
    floor: f64,
    best: Best,
    stretches: StretchQueue,
    tests: u64,
}

impl Leaves<'_> {
    fn unit(&self) -> f64 {
        if self.swapped { self.b.trees[0].unit } else { self.a.trees[0].unit }
    }

    fn triangles(&mut self, places: [u32; 2]) {
        self.tests += 1;
        self.wanted.divide = self.stretches.measured < MOST_MOMENTS;
        let pair = MovingTriangles::new(self.a.corners(places[0]), self.b.corners(places[1]));
        let near = pair.search(&self.wanted, &mut self.stretches);
        self.floor = self.floor.min(near.lower);
        if near.upper < self.wanted.known {
            self.wanted.known = near.upper;
            self.wanted.before = self.wanted.before.min(near.upper);
            self.best = Best { places, time: near.time, upper: near.upper };
        }
    }
}

impl Visitor<f64> for Leaves<'_> {
    const ORDER: Order = Order::BestFirst;
    const MOST_PAIRS: u64 = MOST_PAIRS;

    fn left_open(&mut self, bound: f64) {
        self.floor = self.floor.min(bound * self.unit());
    }

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        (self.wanted.before / self.unit()).min(f64::MAX)
    }

    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let (a, b) = if self.swapped { (inner, outer) } else { (outer, inner) };
        for i in a.places() {
            for j in b.places() {
                self.triangles([i, j]);
                if self.enough.is_some_and(|enough| self.wanted.known <= enough) {
                    // Nothing is known of the others.
                    self.floor = 0.0;
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }
}
