//! The time until which two bodies are proven apart: by the bounds of a sweep, earliest first.
//!
//! Advancement takes steps as long as what it proves at one time. Where bodies turn fast around each other at a small
//! distance, it reaches its cap on steps. Here the distance is bounded over a whole stretch of time (`stretch.rs`), and
//! time is divided only until the motion in each part is small compared with the distance, however long the bodies stay
//! near.
//! Xavier 1997 §2.2, with the queue of the sweep in the order of time.
//!
//! Invariant: before the least time in the queue the bodies are farther apart than `near`. Cost: a GJK query for each
//! pair bounded; the caller limits their number.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::answer::Stats;
use crate::narrow::body::BodyKind;
use crate::path::Span;
use crate::search::best_first::{BestFirst, LowerBound};
use crate::time::movers::two_bodies::{Movers, work_for};
use crate::time::sweep::node_shape::{ConvexShape, SweepNode};
use crate::time::sweep::stretch::{SweepBound, SweptStretch};

/// The most stretches that a span is divided into where motions change; the rest of the span is the last stretch.
const MOST_PARTS: usize = 1 << 10;
/// The shortest stretch, as a share of the span, that is divided.
const SHORTEST: f64 = 1.0 / (1u64 << 40) as f64;

/// The most stretches for which volumes around whole bodies are bounded, and the most that are open at once.
const MOST_FAR: usize = 8;
const MOST_HALVES: usize = MOST_FAR + 2;

/// A pair of nodes over a stretch of time in which they may come near.
#[derive(Debug, Clone, Copy)]
struct Open {
    from: f64,
    to: f64,
    nodes: [SweepNode; 2],
}

/// The time of the span before which the bodies are certainly farther apart than `near`; `None` where that is the whole
/// span. `budget` is the number of pairs that may be opened, and afterwards what is left of it.
pub(crate) fn clear_until(
    movers: &Movers<'_>,
    span: Span,
    near: f64,
    budget: &mut usize,
    stats: &mut Stats,
) -> Option<f64> {
    let [Some(a), Some(b)] = movers.models.map(BodyKind::with_points) else { return None };
    let mut search = ClearanceSearch { movers, trees: [&a, &b], near, queue: BestFirst::default(), added: 0 };
    let (mut from, mut turning) = (span.from(), 0.0);
    for part in 0..MOST_PARTS {
        let until = movers.motions.iter().map(|motion| motion.smooth_until(from)).filter(|t| *t > from);
        let until = if part + 1 == MOST_PARTS { span.to() } else { until.fold(span.to(), f64::min) };
        let stretch = search.stretch(from, until);
        turning += stretch.turning();
        search.add_pair(&stretch, [a, b].map(|body| SweepNode::Node(body.root())), stats);
        if until >= span.to() {
            break;
        }
        from = until;
    }
    *budget = work_for(turning, *budget as u64) as usize;
    let shortest = SHORTEST * (span.to() - span.from());
    while let Some((_, open)) = search.queue.pop() {
        if *budget == 0 || !search.open(&open, shortest, stats) {
            return Some(open.from);
        }
        *budget -= 1;
        stats.iterations += 1;
    }
    None
}

/// Whether volumes around the whole bodies certainly stay farther apart than `near` during a span. Only the span is
/// divided, and only a few times, so this costs little where it proves nothing. Inside such a volume there is no other
/// body, so nothing is contained either.
pub(crate) fn stay_far_apart(
    movers: &Movers<'_>,
    trees: [&BodyKind<'_>; 2],
    span: Span,
    near: f64,
    stats: &mut Stats,
) -> bool {
    let shapes = trees.map(|body| body.shape(SweepNode::Node(body.root())));
    let shapes = [&shapes[0], &shapes[1]];
    let size = shapes[0].shape.radius().max(shapes[1].shape.radius());
    let meet = |from: f64, to: f64| {
        let stretch = SweptStretch::new(movers, from, to, SweepBound::Bulge);
        stretch.bound(shapes, near, &mut Stats::default()).is_some().then_some(stretch)
    };
    // Bounds over a span cost much more than one time where motions are not steady.
    let is_steady = movers.motions.iter().all(|motion| motion.always_steady().is_some());
    if !is_steady {
        stats.volume_tests += 1;
        let centre = |k: usize| movers.motions[k].pose(span.from()).apply(shapes[k].shape.centre());
        let radii = shapes.map(|shape| shape.shape.radius() + shape.margin);
        let has_plane = shapes.iter().any(|shape| matches!(shape.shape, ConvexShape::HalfSpace { .. }));
        if has_plane || centre(0).distance(centre(1)) <= radii[0] + radii[1] + near {
            return false;
        }
    }
    let mut open: ArrayVec<[f64; 2], MOST_HALVES> = ArrayVec::new();
    open.push([span.from(), span.to()]);
    let mut bounded = 0;
    while let Some([from, to]) = open.pop() {
        stats.volume_tests += 1;
        bounded += 1;
        let Some(stretch) = meet(from, to) else { continue };
        // Where the bound is about as tight as the volumes are large, halves of the stretch prove no more.
        let middle = stretch.at(0.5);
        let can_divide = from < middle && middle < to && stretch.excess(shapes) > 0.5 * size;
        if !can_divide || bounded >= MOST_FAR || open.is_full() {
            return false;
        }
        open.extend([[middle, to], [from, middle]]);
    }
    true
}

struct ClearanceSearch<'q> {
    movers: &'q Movers<'q>,
    trees: [&'q BodyKind<'q>; 2],
    near: f64,
    /// Pairs by the time at which their stretch begins; at equal times the last one added comes first.
    queue: BestFirst<(LowerBound, Reverse<u64>), Open>,
    added: u64,
}

impl ClearanceSearch<'_> {
    fn stretch(&self, from: f64, to: f64) -> SweptStretch {
        SweptStretch::new(self.movers, from, to, SweepBound::Bulge)
    }

    /// Divides a node of the pair or its stretch, whichever makes the bound looser; `false` where neither can be
    /// divided.
    fn open(&mut self, open: &Open, shortest: f64, stats: &mut Stats) -> bool {
        let stretch = self.stretch(open.from, open.to);
        let shapes = [0, 1].map(|k| self.trees[k].shape(open.nodes[k]));
        let below = [0, 1].map(|k| self.trees[k].divided(open.nodes[k]));
        let size = |k: usize| if below[k].is_empty() { -1.0 } else { shapes[k].shape.radius() };
        let middle = stretch.at(0.5);
        let single = below.iter().all(|nodes| nodes.is_empty());
        let is_long = open.to - open.from > shortest && open.from < middle && middle < open.to;
        // A stretch of two single pieces is divided even if it is straight, to find when they come near.
        let slack = if stretch.is_straight() { 0.0 } else { stretch.excess([&shapes[0], &shapes[1]]) };
        if is_long && (single || slack > size(0).max(size(1))) {
            // The earlier half is added last, since at equal times the pair added last comes first.
            for [from, to] in [[middle, open.to], [open.from, middle]] {
                let part = self.stretch(from, to);
                self.add_pair(&part, open.nodes, stats);
            }
            return true;
        }
        let k = usize::from(size(1) > size(0));
        for &child in &below[k] {
            let mut nodes = open.nodes;
            nodes[k] = child;
            self.add_pair(&stretch, nodes, stats);
        }
        !single
    }

    /// Bounds the distance of a pair, and adds it to the queue unless it certainly stays farther apart than `near`.
    fn add_pair(&mut self, stretch: &SweptStretch, nodes: [SweepNode; 2], stats: &mut Stats) {
        let shapes = [0, 1].map(|k| self.trees[k].shape(nodes[k]));
        stats.volume_tests += 1;
        if stretch.bound([&shapes[0], &shapes[1]], self.near, &mut Stats::default()).is_some() {
            self.added += 1;
            let open = Open { from: stretch.from, to: stretch.to, nodes };
            self.queue.push((LowerBound(stretch.from), Reverse(self.added)), open);
        }
    }
}
