//! When two bodies made of many pieces first touch: stretches of time and pairs of nodes, divided together.
//!
//! A pair of nodes over a stretch of time is left when a plane proves the two apart for the whole stretch: the gap at
//! the middle is wider than all by which it can close until either end (`Approach::closed_within`). What closes a gap
//! is the speed along its direction, not the speed; nodes that slide past each other at a small distance are told apart
//! over stretches as long as the root of that distance. Otherwise the nodes are divided, or the stretch, if the bodies
//! move farther in it than the nodes are large. Two pieces are advanced until they touch ([`MovingTrees::advance`]).
//!
//! Xavier 1997 §2.2 bounds stretches by hulls, and takes the nearest pair first. Here the stretch that begins first
//! comes first. Other than in [`super::earliest`], each half of a stretch begins with the nodes of the whole, so nodes
//! that have passed each other cost nothing afterwards. For bodies that are near each other for long this is the faster
//! search; for bodies that fly into each other it is the slower one.
//!
//! Invariant: no pair of pieces touches before the least time in the queue and the best contact. Cost: about ten bounds
//! for each pair opened.

use std::cmp::Reverse;

use super::first_found::FirstFound;
use super::moving_trees::{MovingTrees, StretchEnds};
use crate::answer::Stats;
use crate::path::Motion;
use crate::search::best_first::{BestFirst, LowerBound};
use crate::time::impact::closing::{Closing, Moment};
use crate::time::movers::padded_box::PaddedBox;

/// The shortest stretch, as a share of the span, that is divided.
const SHORTEST: f64 = 1.0 / (1u64 << 40) as f64;

/// The share of a stretch in which two leaves have to be proven apart at once, to try that again for the rest of it.
const LEAST_PROGRESS: f64 = 0.125;

/// A pair of nodes over a stretch of time in which they may meet.
#[derive(Debug, Clone, Copy)]
struct Open {
    from: f64,
    to: f64,
    nodes: [u32; 2],
}

/// A stretch, both bodies at one of its times, and how long it reaches before and after that time.
#[derive(Debug, Clone, Copy)]
struct Stretch<'q> {
    from: f64,
    to: f64,
    closing: Closing<'q>,
    moment: Moment,
    reach: [f64; 2],
}

impl<'q> Stretch<'q> {
    fn new(motions: [&'q dyn Motion; 2], radii: [f64; 2], from: f64, to: f64) -> Stretch<'q> {
        let closing = Closing::new(motions, radii, from, to);
        // Bounds that have no accelerations hold from the moment on.
        let at = if closing.has_accelerations() { 0.5 * from + 0.5 * to } else { from };
        let moment = closing.at(at);
        Stretch { from, to, closing, moment, reach: [at - from, to - at] }
    }
}

/// A search that may be interrupted, and go on.
#[derive(Debug)]
pub(crate) struct StretchSearch<'q> {
    motions: [&'q dyn Motion; 2],
    radii: [f64; 2],
    /// Pairs by the time at which their stretch begins; at equal times the last one added comes first.
    queue: BestFirst<(LowerBound, Reverse<u64>), Open>,
    added: u64,
    stretch: Stretch<'q>,
    shortest: f64,
}

impl<'q> StretchSearch<'q> {
    /// A search from one time to another, between which both motions are smooth.
    pub(crate) fn new(
        trees: &MovingTrees<'_>,
        motions: [&'q dyn Motion; 2],
        radii: [f64; 2],
        [from, to]: [f64; 2],
    ) -> StretchSearch<'q> {
        let stretch = Stretch::new(motions, radii, from, to);
        let shortest = SHORTEST * (to - from);
        let mut search = StretchSearch { motions, radii, queue: BestFirst::default(), added: 0, stretch, shortest };
        search.push(Open { from, to, nodes: trees.roots() });
        search
    }

    /// As [`EarliestSearch::go_on`](super::earliest::EarliestSearch::go_on).
    pub(crate) fn go_on(
        &mut self,
        trees: &MovingTrees<'_>,
        clear: f64,
        work: u64,
        found: &mut FirstFound,
        stats: &mut Stats,
    ) -> Option<f64> {
        let (mut opened, before) = (0, stats.iterations);
        let mut left = None;
        while let Some(((LowerBound(t), added), open)) = self.queue.pop() {
            let from = t.max(clear);
            if from >= found.limit {
                break;
            }
            if opened + stats.iterations - before > work {
                self.queue.push((LowerBound(t), added), open);
                left = Some(from);
                break;
            }
            if open.to <= from && t < from {
                continue;
            }
            opened += 1;
            self.open(trees, &Open { from, to: open.to.min(found.limit), ..open }, found, stats);
        }
        stats.iterations += opened;
        left
    }

    fn push(&mut self, open: Open) {
        self.added += 1;
        self.queue.push((LowerBound(open.from), Reverse(self.added)), open);
    }

    fn move_to(&mut self, from: f64, to: f64) {
        if self.stretch.from != from || self.stretch.to != to {
            self.stretch = Stretch::new(self.motions, self.radii, from, to);
        }
    }

    fn open(&mut self, trees: &MovingTrees<'_>, open: &Open, found: &mut FirstFound, stats: &mut Stats) {
        self.move_to(open.from, open.to);
        let Stretch { closing, moment, reach, .. } = self.stretch;
        let boxes = [0, 1].map(|k| trees.padded_box(k, open.nodes[k], &moment));
        let below = [0, 1].map(|k| trees.children(k, open.nodes[k]));
        let size = |k: usize| if below[k].is_empty() { -1.0 } else { boxes[k].map_or(0.0, |b: PaddedBox| b.breadth()) };
        let bounded = trees.bounded_boxes(&moment, boxes);
        let moved = bounded.map_or(f64::INFINITY, |[a, b]| closing.approach(&moment, [&a, &b]).moved_within(reach));
        let single = below.iter().all(|nodes| nodes.is_empty());
        let middle = 0.5 * open.from + 0.5 * open.to;
        let is_long = open.to - open.from > self.shortest && open.from < middle && middle < open.to;
        if is_long && !single && moved > size(0).max(size(1)) {
            // The earlier half is added last, since at equal times the pair added last comes first.
            for [from, to] in [[middle, open.to], [open.from, middle]] {
                self.move_to(from, to);
                let Stretch { closing, moment, reach, .. } = self.stretch;
                let boxes = [0, 1].map(|k| trees.padded_box(k, open.nodes[k], &moment));
                stats.volume_tests += 1;
                if let Some([a, b]) = trees.bounded_boxes(&moment, boxes)
                    && trees.are_apart_around(&closing, &moment, [&a, &b], reach)
                {
                    continue;
                }
                self.push(Open { from, to, ..*open });
            }
            return;
        }
        if single {
            return self.leaves(trees, open, boxes, found, stats);
        }
        let k = usize::from(size(1) > size(0));
        for &child in &below[k] {
            stats.volume_tests += 1;
            let (mut nodes, mut near) = (open.nodes, boxes);
            (nodes[k], near[k]) = (child, trees.padded_box(k, child, &moment));
            if let Some([a, b]) = trees.bounded_boxes(&moment, near)
                && trees.are_apart_around(&closing, &moment, [&a, &b], reach)
            {
                continue;
            }
            self.push(Open { nodes, ..*open });
        }
    }

    /// Advances all pairs of pieces of two leaves that may meet in a stretch.
    fn leaves(
        &mut self,
        trees: &MovingTrees<'_>,
        open: &Open,
        boxes: [Option<PaddedBox>; 2],
        found: &mut FirstFound,
        stats: &mut Stats,
    ) {
        let Stretch { closing, moment, reach, .. } = self.stretch;
        let [ours, theirs] = [0, 1].map(|k| trees.pieces(k, open.nodes[k]));
        let [before, after] = trees.leaves_free_around(&closing, &moment, boxes, [&ours, &theirs], stats);
        let (clear_from, clear_to) = (moment.t - before, moment.t + after);
        if clear_to - clear_from >= LEAST_PROGRESS * (open.to - open.from) {
            for [from, to] in [[clear_to, open.to], [open.from, clear_from]] {
                if from < to {
                    self.push(Open { from, to, ..*open });
                }
            }
            return;
        }
        let ends = StretchEnds::new(&closing, [open.from, open.to]);
        for (i, a) in &ours {
            for (j, b) in &theirs {
                if !trees.pieces_apart_around(&closing, &moment, [a, b], reach)
                    && !trees.pieces_apart_between(&closing, &moment, [a, b], &ends)
                {
                    let to = if open.to >= closing.until { open.to.next_up() } else { open.to };
                    trees.advance(&closing, [open.from, to.min(found.limit)], [*i, *j], found, stats);
                }
            }
        }
    }
}
