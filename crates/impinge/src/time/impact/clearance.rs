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
/// span. `most` is the number of pairs that may be opened.
pub(crate) fn clear_until(movers: &Movers<'_>, span: Span, near: f64, most: usize, stats: &mut Stats) -> Option<f64> {
    let [Some(a), Some(b)] = movers.models.map(BodyKind::with_points) else { return None };
    ClearanceSearch::new(movers, [a, b], span, near, stats).go_on([span.from(), span.to()], most, stats)
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
    let is_steady = movers.are_steady();
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

/// A search that may be interrupted, and go on.
#[derive(Debug)]
pub(crate) struct ClearanceSearch<'q> {
    movers: &'q Movers<'q>,
    trees: [BodyKind<'q>; 2],
    near: f64,
    /// Pairs by the time at which their stretch begins; at equal times the last one added comes first.
    queue: BestFirst<(LowerBound, Reverse<u64>), Open>,
    added: u64,
    /// The stretch of the last pair opened, which the next one often shares.
    last: Option<SweptStretch>,
    shortest: f64,
    /// How far the bodies turn in the span at most, together.
    turning: f64,
    /// Where no pair can be divided any more.
    stuck: Option<f64>,
}

impl<'q> ClearanceSearch<'q> {
    /// A search through a span for times at which the bodies are as near as `near`.
    pub(crate) fn new(
        movers: &'q Movers<'q>,
        trees: [BodyKind<'q>; 2],
        span: Span,
        near: f64,
        stats: &mut Stats,
    ) -> ClearanceSearch<'q> {
        let (queue, shortest) = (BestFirst::default(), SHORTEST * (span.to() - span.from()));
        let (last, turning, stuck) = (None, 0.0, None);
        let mut search = ClearanceSearch { movers, trees, near, queue, added: 0, last, shortest, turning, stuck };
        let roots = [0, 1].map(|k| SweepNode::Node(search.trees[k].root()));
        let mut from = span.from();
        for part in 0..MOST_PARTS {
            let until = movers.motions.iter().map(|motion| motion.smooth_until(from)).filter(|t| *t > from);
            let until = if part + 1 == MOST_PARTS { span.to() } else { until.fold(span.to(), f64::min) };
            let stretch = search.stretch(from, until);
            search.turning += stretch.turning();
            search.add_pair(&stretch, roots, stats);
            if until >= span.to() {
                break;
            }
            from = until;
        }
        search
    }

    /// The same search, which divides no shorter stretches.
    pub(crate) fn with_shortest(self, shortest: f64) -> ClearanceSearch<'q> {
        ClearanceSearch { shortest, ..self }
    }

    /// Opens at most so many pairs: the time before which the bodies are farther apart than that, if the caller knows
    /// that they are before `clear`; `None` where that is all the time until `to`.
    pub(crate) fn go_on(&mut self, [clear, to]: [f64; 2], most: usize, stats: &mut Stats) -> Option<f64> {
        let mut left = work_for(self.turning, most as u64);
        if let Some(stuck) = self.stuck {
            return Some(stuck.max(clear));
        }
        while let Some(((LowerBound(t), added), open)) = self.queue.pop() {
            if open.to < clear {
                continue;
            }
            if t > to || left == 0 {
                self.queue.push((LowerBound(t), added), open);
                return (t <= to).then_some(t.max(clear));
            }
            if !self.open(&open, stats) {
                self.stuck = Some(t);
                return Some(t.max(clear));
            }
            left -= 1;
            stats.iterations += 1;
        }
        None
    }

    fn stretch(&mut self, from: f64, to: f64) -> SweptStretch {
        match &self.last {
            Some(last) if last.from == from && last.to == to => *last,
            _ => *self.last.insert(SweptStretch::new(self.movers, from, to, SweepBound::Bulge)),
        }
    }

    /// Divides a node of the pair or its stretch, whichever makes the bound looser; `false` where neither can be
    /// divided.
    fn open(&mut self, open: &Open, stats: &mut Stats) -> bool {
        let stretch = self.stretch(open.from, open.to);
        let shapes = [0, 1].map(|k| self.trees[k].shape(open.nodes[k]));
        let below = [0, 1].map(|k| self.trees[k].divided(open.nodes[k]));
        let size = |k: usize| if below[k].is_empty() { -1.0 } else { shapes[k].shape.radius() };
        let middle = stretch.at(0.5);
        let single = below.iter().all(|nodes| nodes.is_empty());
        let is_long = open.to - open.from > self.shortest && open.from < middle && middle < open.to;
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
