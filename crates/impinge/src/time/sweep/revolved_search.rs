//! The least distance of two bodies of which one is seen as what it covers while it turns ([`Revolved`]).
//!
//! Where a shaft turns in its bore, the bounds of all pairs of pieces would have to be made narrow at thousands of
//! times. What the shaft covers moves only as much as it wobbles, so few pieces of the other body and few stretches are
//! left. This search takes turns with the one for pairs as they are ([`super::search`]): both know the best pair found,
//! and each has a floor of its own. Pairs that it cannot decide are divided as any other.

use std::cmp::Reverse;
use std::mem;
use std::ops::ControlFlow;

use super::node_shape::SweepNode;
use super::search::{Open, ParkedSearch, SweepSearch};
use super::stretch::SweepBound;
use crate::answer::Stats;
use crate::search::best_first::{BestFirst, LowerBound};
use crate::time::coaxial::revolved::Revolved;

/// What a body covers is looked at where that is farther away, at the time of the nearest pair found, than this share
/// of the distance of that pair.
const LEAST_SHARE: f64 = 0.25;
/// A stretch is divided until what is not known of the line of such a body is less than this share of the tolerance.
const SHARE_OF_TOLERANCE: f64 = 0.25;
/// Before that, the whole bodies are divided until it is less than this share of the distance of the nearest pair
/// found.
const LOOSE_SHARE: f64 = 0.125;
impl SweepSearch<'_> {
    /// Begins again with one body seen as what it covers while it turns, if that is near the body itself.
    pub(super) fn see_revolved(&mut self, stats: &mut Stats) {
        let [from, to] = [self.span.from(), self.span.to()];
        if self.ask.all || self.ask.kind != SweepBound::Bulge {
            return;
        }
        let (time, near) = self.found.best.map_or((from, 0.0), |best| (best.time, LEAST_SHARE * best.upper));
        let [Some(a), Some(b)] = self.trees.map(|tree| tree.rigid()) else { return };
        let bodies = [a, b];
        let revolved = (0..2).find_map(|k| {
            let mut revolved = Revolved::new(self.movers, bodies[k], k, from, to)?;
            if !revolved.is_clear_at(self.movers, bodies[1 - k], time, near) {
                return None;
            }
            revolved.add_corners(bodies[k]);
            Some(revolved)
        });
        if revolved.is_some() {
            self.parked = Some(ParkedSearch { queue: BestFirst::default(), floor: f64::INFINITY, revolved });
            self.change_turns();
            self.add_revolved([from, to], self.roots(), 0.0, stats);
        }
    }

    pub(super) fn change_turns(&mut self) {
        if let Some(parked) = &mut self.parked {
            mem::swap(&mut self.queue, &mut parked.queue);
            mem::swap(&mut self.found.floor, &mut parked.floor);
            mem::swap(&mut self.revolved, &mut parked.revolved);
        }
    }

    /// Goes on with the one of the two searches that has come farther.
    pub(super) fn keep_higher_floor(&mut self) {
        let reached = |queue: &BestFirst<(LowerBound, Reverse<u64>), Open>, floor: f64| {
            queue.first_key().map_or(floor, |(LowerBound(lower), _)| floor.min(*lower))
        };
        if let Some(parked) = &self.parked
            && reached(&parked.queue, parked.floor) > reached(&self.queue, self.found.floor)
        {
            self.change_turns();
        }
    }

    /// How far a pair certainly stays apart, by what one body covers while it turns, or 0.
    pub(super) fn gap_to_revolved(&mut self, stretch: [f64; 2], nodes: [SweepNode; 2]) -> f64 {
        let enough = (self.cutoff() * (1.0 + 1e-12)).next_up();
        let Some(revolved) = &mut self.revolved else { return 0.0 };
        let other = 1 - revolved.k;
        let path = revolved.kept_path(self.movers, stretch);
        let gap = match nodes[other] {
            SweepNode::Triangle(piece) => {
                revolved.gap_to_piece(&path, &self.trees[other].piece(piece, stretch[0]), enough)
            }
            SweepNode::Node(node) => match self.trees[other].rigid().and_then(|body| body.padded_box(node)) {
                Some(of) => revolved.gap_to_box(&path, &of, enough),
                None => 0.0,
            },
        };
        gap.max(0.0)
    }

    /// Adds a pair to those that are bounded by what one body covers while it turns.
    fn add_revolved(&mut self, [from, to]: [f64; 2], nodes: [SweepNode; 2], above: f64, stats: &mut Stats) {
        stats.volume_tests += 1;
        let lower = above.max(self.gap_to_revolved([from, to], nodes));
        if lower > self.cutoff() {
            self.found.floor = self.found.floor.min(lower);
            return;
        }
        self.added += 1;
        self.queue.push((LowerBound(lower), Reverse(self.added)), Open { from, to, nodes, revolved: true });
    }

    /// Divides the node that does not turn down to its pieces, and the stretch, until the line of the body that turns
    /// is known well enough. Then the corner that comes nearest to the piece is measured, and where corners may come
    /// nearer than that, the pair is divided as any other.
    pub(super) fn open_revolved(&mut self, open: &Open, lower: f64, stats: &mut Stats) -> ControlFlow<()> {
        let Some(revolved) = &mut self.revolved else { return ControlFlow::Continue(()) };
        let (k, other) = (revolved.k, 1 - revolved.k);
        let span = [open.from, open.to];
        let path = revolved.kept_path(self.movers, span);
        let below = self.trees[other].divided(open.nodes[other]);
        let middle = self.movers.divide_at(open.from, open.to);
        // The whole is divided in time first, until what is not known is little compared with the distance.
        let off = path.off[0].max(path.off[1]);
        let whole = LOOSE_SHARE * self.found.best.map_or(f64::INFINITY, |best| best.upper);
        let tight = SHARE_OF_TOLERANCE * self.ask.tolerance;
        let is_known = off <= if below.is_empty() { tight } else { whole.max(tight) };
        let can_divide = open.from < middle && middle < open.to;
        let halves = [[open.from, middle], [middle, open.to]];
        if can_divide && !is_known {
            halves.into_iter().for_each(|half| self.add_revolved(half, open.nodes, lower, stats));
            return ControlFlow::Continue(());
        }
        if !below.is_empty() {
            for child in below {
                let mut nodes = open.nodes;
                nodes[other] = child;
                self.add_revolved(span, nodes, lower, stats);
            }
            return ControlFlow::Continue(());
        }
        let nearest = match (&self.revolved, open.nodes[other]) {
            (Some(revolved), SweepNode::Triangle(i)) => {
                revolved.nearest_corner(&path, &self.trees[other].piece(i, open.from))
            }
            _ => None,
        };
        let Some(nearest) = nearest else {
            // Too many corners pass, or none are known.
            if can_divide && self.revolved.as_ref().is_some_and(|revolved| revolved.turns_far(&path)) {
                halves.into_iter().for_each(|half| self.add_revolved(half, open.nodes, lower, stats));
                return ControlFlow::Continue(());
            }
            return self.open_smooth(open, lower, stats);
        };
        let lower = lower.max(nearest.gap);
        if let Some(triangle) = nearest.triangle
            && lower <= self.cutoff()
        {
            let mut nodes = open.nodes;
            nodes[k] = SweepNode::Triangle(triangle);
            let shapes = [0, 1].map(|k| self.trees[k].shape(nodes[k], span));
            let time = (open.from + nearest.share * (open.to - open.from)).clamp(open.from, open.to);
            stats.primitive_tests += 1;
            let piece = self.measure_at(time, [&shapes[0], &shapes[1]], nodes);
            self.offer(piece, stats);
        }
        if lower > self.cutoff() {
            self.found.floor = self.found.floor.min(lower);
            return ControlFlow::Continue(());
        }
        self.open_smooth(open, lower, stats)
    }

    /// Goes on with a pair as any other; for that, motions must not change within its stretch.
    fn open_smooth(&mut self, open: &Open, lower: f64, stats: &mut Stats) -> ControlFlow<()> {
        let middle = self.movers.divide_at(open.from, open.to);
        if self.smooth_until(open.from) < open.to && open.from < middle && middle < open.to {
            for half in [[open.from, middle], [middle, open.to]] {
                self.add_revolved(half, open.nodes, lower, stats);
            }
            return ControlFlow::Continue(());
        }
        let stretch = self.stretch(open.from, open.to);
        self.add_pair(&stretch, open.nodes, lower, stats)
    }
}
