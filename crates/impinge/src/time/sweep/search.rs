//! Finds the least distance of two bodies over a motion: one search through time and both trees.
//!
//! Xavier 1997, §2.2 and §2.3, by hierarchy: a pair of nodes and a stretch of time are bounded together (`stretch.rs`).
//! The search drops a pair whose bound exceeds the best distance found; of the open pairs it takes the one with the
//! least bound next, and divides one of its nodes or its stretch, whichever makes the bound loosest. Two single pieces
//! are measured at the time at which their bound is least: this distance occurs, so it bounds the least distance from
//! above. Where nothing turns, time is never divided, and the bound of two pieces is their distance.
//!
//! Here we depart: Xavier takes the step as a whole, with an error that he bounds; here time is divided until the bound
//! is as near to the distance as was asked, so bodies may turn by any angle.
//!
//! Where many pairs come equally near, as a shaft and its bore do everywhere, the bounds of all of them would have to
//! be made as narrow as asked. So after a while the bodies are seen along their common axis, if they have one: their
//! profiles tell how near they can come at most (`profile_gap`). From then on, the times of the nearest pair found are
//! searched by themselves until its distance is as narrow as asked; mostly it is that of the profiles, and all is done.
//!
//! Invariant: no pair of pieces comes nearer at any time than `floor`, the least bound of all pairs dropped or open.
//! Cost: a GJK query for each pair bounded; at most [`MOST_OPENED`] pairs are opened, then the interval is wider.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::node_shape::{PaddedShape, SweepNode};
use super::side_planes::beyond_planes;
use super::stretch::{StretchBound, SweepBound, SweptStretch};
use crate::answer::Stats;
use crate::narrow::body::BodyKind;
use crate::path::Span;
use crate::search::best_first::{BestFirst, LowerBound};
use crate::time::coaxial::common_axis::common_axis;
use crate::time::coaxial::profile_gap::profile_gap;
use crate::time::coaxial::revolved::Revolved;
use crate::time::movers::carried_body::CarriedBody;
use crate::time::movers::two_bodies::{Movers, work_for};

/// The most pairs of nodes and stretches opened before a search gives up: a second or so.
pub(crate) const MOST_OPENED: usize = 1 << 16;

/// The pairs opened before the bodies are seen along their common axis, and what is added for each piece of the bodies.
const OPENED_BEFORE_PROFILES: [f64; 2] = [512.0, 0.25];
/// The pairs opened before one body is seen as what it covers while it turns, and what is added for each piece.
const OPENED_BEFORE_REVOLVING: [f64; 2] = [128.0, 0.0625];
/// The most pairs of pieces whose times are searched by themselves, and the most stretches of each.
const MOST_DIVES: usize = 64;
const MOST_STRETCHES_OF_DIVE: usize = 512;

/// The most stretches that a span is divided into where motions change; the rest of the span is the last stretch.
const MOST_PARTS: usize = 1 << 10;

/// A pair of nodes over a stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) nodes: [SweepNode; 2],
    /// Whether the bound is that of what one body covers while it turns.
    pub(super) revolved: bool,
}

/// What a search is to find.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SweepQuestion {
    pub(crate) kind: SweepBound,
    /// How wide the interval may be.
    pub(crate) tolerance: f64,
    /// Pairs farther apart than this do not matter.
    pub(crate) within: f64,
    /// Whether all pairs within that distance are wanted, or only the nearest.
    pub(crate) all: bool,
    /// The most pairs to be collected.
    pub(crate) limit: usize,
}

/// Two pieces that come near.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearPieces {
    pub(crate) nodes: [SweepNode; 2],
    pub(crate) upper: f64,
    pub(crate) time: f64,
}

/// What a search found.
#[derive(Debug, Clone)]
pub(crate) struct SweepFindings {
    /// No pieces come nearer than this at any time; infinite when everything was measured.
    pub(crate) floor: f64,
    /// The nearest pair, if any comes as near as was asked.
    pub(crate) best: Option<NearPieces>,
    /// Where the search reached a cap: a time at which an open pair may be nearest.
    pub(crate) open: Option<f64>,
    /// All pairs, where they were asked for, in the order in which their nodes were found.
    pub(crate) all: Vec<NearPieces>,
    /// Whether a cap or the limit left something out of `all`.
    pub(crate) complete: bool,
}

pub(crate) fn search(
    movers: &Movers<'_>,
    trees: [&CarriedBody<'_>; 2],
    span: Span,
    ask: &SweepQuestion,
    stats: &mut Stats,
) -> SweepFindings {
    let found = SweepFindings { floor: f64::INFINITY, best: None, open: None, all: Vec::new(), complete: true };
    let mut search = SweepSearch {
        movers,
        trees,
        ask,
        found,
        queue: BestFirst::default(),
        added: 0,
        collected: BTreeSet::new(),
        opening: 0.0,
        span,
        profiles: None,
        revolved: None,
        parked: None,
        dives: 0,
    };
    if search.run(span, stats).is_break() {
        // The pair with the least bound comes first: pairs still in the queue are no nearer than the one being opened.
        search.found.floor = search.found.floor.min(search.opening);
    }
    search.found.floor = search.found.floor.max(search.profiles.unwrap_or(0.0));
    search.found
}

pub(super) struct SweepSearch<'q> {
    pub(super) movers: &'q Movers<'q>,
    pub(super) trees: [&'q CarriedBody<'q>; 2],
    pub(super) ask: &'q SweepQuestion,
    pub(super) found: SweepFindings,
    /// Pairs by how near they can come; of equal ones the last one added comes first.
    pub(super) queue: BestFirst<(LowerBound, Reverse<u64>), Open>,
    pub(super) added: u64,
    /// Pairs of pieces that are already collected.
    collected: BTreeSet<[u32; 2]>,
    /// The bound of the pair being opened.
    opening: f64,
    pub(super) span: Span,
    /// What the profiles about a common axis tell: no pieces come nearer; `None` before they were asked.
    profiles: Option<f64>,
    /// One body as what it covers while it turns, where that is near the body itself.
    pub(super) revolved: Option<Revolved>,
    /// The search whose turn it is not.
    pub(super) parked: Option<ParkedSearch>,
    dives: usize,
}

/// One of two searches that take turns: pairs as they are, and with one body as what it covers while it turns. Both
/// know the best pair found, and each has a floor of its own.
pub(super) struct ParkedSearch {
    pub(super) queue: BestFirst<(LowerBound, Reverse<u64>), Open>,
    pub(super) floor: f64,
    pub(super) revolved: Option<Revolved>,
}

impl SweepSearch<'_> {
    pub(super) fn cutoff(&self) -> f64 {
        match &self.found.best {
            Some(best) if !self.ask.all => (best.upper - self.ask.tolerance).max(0.0).min(self.ask.within),
            _ => self.ask.within,
        }
    }

    pub(super) fn stretch(&self, from: f64, to: f64) -> SweptStretch {
        SweptStretch::new(self.movers, from, to, self.ask.kind)
    }

    fn run(&mut self, span: Span, stats: &mut Stats) -> ControlFlow<()> {
        let (mut from, mut turning) = (span.from(), 0.0);
        for part in 0..MOST_PARTS {
            let until = if part + 1 == MOST_PARTS { span.to() } else { self.smooth_until(from).min(span.to()) };
            let stretch = self.stretch(from, until);
            turning += stretch.turning();
            self.add_pair(&stretch, self.roots(), 0.0, stats)?;
            if until >= span.to() {
                break;
            }
            from = until;
        }
        let pieces: f64 = self.trees.iter().map(|tree| tree.piece_count() as f64).sum();
        let most = work_for(turning, MOST_OPENED as u64) as usize;
        let before = |[least, each]: [f64; 2]| ((least + each * pieces) as usize).min(most / 2);
        let [before_revolving, before_profiles] = [OPENED_BEFORE_REVOLVING, OPENED_BEFORE_PROFILES].map(before);
        let (mut turn, mut turn_ends) = (before_revolving, usize::MAX);
        for opened in 0..most {
            if opened == turn_ends {
                self.change_turns();
                (turn, turn_ends) = (2 * turn, opened + 2 * turn);
            }
            // Again later, since the best pair found may be a far one at first.
            if self.parked.is_none() && [1, 2, 4].iter().any(|times| opened == times * before_revolving) {
                self.see_revolved(stats);
                turn_ends = if self.parked.is_some() { opened + turn } else { turn_ends };
            }
            if opened == before_profiles {
                self.see_profiles(stats);
            }
            if let Some(gap) = self.profiles.filter(|gap| self.is_decided_by(*gap)) {
                self.found.floor = self.found.floor.min(gap);
                return ControlFlow::Continue(());
            }
            let Some(((LowerBound(lower), _), open)) = self.queue.pop() else { return ControlFlow::Continue(()) };
            if lower > self.cutoff() {
                self.found.floor = self.found.floor.min(lower);
                return ControlFlow::Continue(());
            }
            stats.iterations += 1;
            self.opening = lower;
            self.open(&open, lower, stats)?;
        }
        self.keep_higher_floor();
        // The pair with the least bound comes first: none of those left is nearer.
        if let Some(((LowerBound(lower), _), open)) = self.queue.pop() {
            self.found.floor = self.found.floor.min(lower);
            self.found.open = Some(0.5 * open.from + 0.5 * open.to);
            self.found.complete = false;
            let all = self.ask.all;
            let left = self.queue.drain().map(|(_, open)| open).chain([open]);
            for open in left.filter(|_| all) {
                let near = NearPieces { nodes: open.nodes, upper: f64::INFINITY, time: open.from };
                if self.is_single(open.nodes) && !self.collected.contains(&self.ids(open.nodes)) {
                    self.collect(near)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn ids(&self, nodes: [SweepNode; 2]) -> [u32; 2] {
        [0, 1].map(|k| self.trees[k].given_index(nodes[k]))
    }

    /// The time until which both motions go on from `from` without a jump, and no body begins or ends to deform.
    pub(super) fn smooth_until(&self, from: f64) -> f64 {
        let until = |k: usize| self.movers.motions[k].smooth_until(from);
        let step = if self.movers.deform() { [0.0, 1.0] } else { [f64::INFINITY; 2] };
        [until(0), until(1), step[0], step[1]].into_iter().filter(|t| *t > from).fold(f64::INFINITY, f64::min)
    }

    pub(super) fn shapes(&self, stretch: &SweptStretch, nodes: [SweepNode; 2]) -> [PaddedShape<'_>; 2] {
        [0, 1].map(|k| self.trees[k].shape(nodes[k], [stretch.from, stretch.to]))
    }

    fn is_single(&self, nodes: [SweepNode; 2]) -> bool {
        (0..2).all(|k| self.trees[k].divided(nodes[k]).is_empty())
    }

    pub(super) fn roots(&self) -> [SweepNode; 2] {
        self.trees.map(|body| SweepNode::Node(body.root()))
    }

    /// Divides a node of the pair or its stretch, whichever makes the bound looser.
    fn open(&mut self, open: &Open, lower: f64, stats: &mut Stats) -> ControlFlow<()> {
        if open.revolved {
            return self.open_revolved(open, lower, stats);
        }
        let stretch = self.stretch(open.from, open.to);
        let shapes = self.shapes(&stretch, open.nodes);
        let below = [0, 1].map(|k| self.trees[k].divided(open.nodes[k]));
        let size = |k: usize| if below[k].is_empty() { -1.0 } else { shapes[k].shape.radius() };
        let slack = self.slack(&stretch, [&shapes[0], &shapes[1]]);
        if slack > size(0).max(size(1)) {
            let middle = stretch.at(0.5);
            for [from, to] in [[open.from, middle], [middle, open.to]] {
                let lower = lower.max(self.gap_to_revolved([from, to], open.nodes));
                if lower > self.cutoff() {
                    self.found.floor = self.found.floor.min(lower);
                    continue;
                }
                let part = self.stretch(from, to);
                self.add_pair(&part, open.nodes, lower, stats)?;
            }
            return ControlFlow::Continue(());
        }
        let k = usize::from(size(1) > size(0));
        for &child in &below[k] {
            let mut nodes = open.nodes;
            nodes[k] = child;
            self.add_pair(&stretch, nodes, lower, stats)?;
        }
        ControlFlow::Continue(())
    }

    /// How much tighter the bound could become if the stretch were divided; −1 where not at all, or where it cannot be
    /// divided.
    fn slack(&self, stretch: &SweptStretch, shapes: [&PaddedShape<'_>; 2]) -> f64 {
        let middle = stretch.at(0.5);
        let whole = stretch.is_straight() || !(stretch.from < middle && middle < stretch.to);
        if whole || (self.ask.kind == SweepBound::Ends && !stretch.is_long()) { -1.0 } else { stretch.excess(shapes) }
    }

    /// Bounds the distance of a pair, and adds it to the queue unless it is too far or cannot be divided.
    pub(super) fn add_pair(
        &mut self,
        stretch: &SweptStretch,
        nodes: [SweepNode; 2],
        above: f64,
        stats: &mut Stats,
    ) -> ControlFlow<()> {
        let shapes = self.shapes(stretch, nodes);
        let shapes = [&shapes[0], &shapes[1]];
        let cutoff = self.cutoff();
        let single = self.is_single(nodes);
        if single && self.collected.contains(&self.ids(nodes)) {
            return ControlFlow::Continue(());
        }
        *(if single { &mut stats.primitive_tests } else { &mut stats.volume_tests }) += 1;
        let Some(near) = stretch.bound(shapes, cutoff, &mut Stats::default()) else {
            self.found.floor = self.found.floor.min(cutoff.max(above).next_up());
            return ControlFlow::Continue(());
        };
        let lower = near.lower.max(above);
        if !single {
            self.push(stretch, nodes, lower);
            return ControlFlow::Continue(());
        }
        let lower = lower.max(self.beyond_planes(stretch, nodes));
        if lower > cutoff {
            self.found.floor = self.found.floor.min(lower);
            return ControlFlow::Continue(());
        }
        let divisible = self.slack(stretch, shapes) >= 0.0;
        let piece = self.measure(stretch, shapes, nodes, &near);
        let near_enough = piece.upper <= self.ask.within;
        if !self.ask.all && self.is_within_margin(&piece) {
            self.found.best = Some(self.found.best.filter(|best| best.upper <= piece.upper).unwrap_or(piece));
            self.found.floor = 0.0;
            return ControlFlow::Break(());
        }
        if self.ask.all {
            if near_enough || !divisible || piece.upper - lower <= self.ask.tolerance {
                return self.collect(piece);
            }
        } else if self.offer(piece, stats) {
            let piece = self.found.best.unwrap_or(piece);
            let near_enough = piece.upper <= self.ask.within;
            if piece.upper == 0.0 || (self.ask.within < f64::INFINITY && near_enough) {
                self.found.floor = self.found.floor.min(lower);
                return ControlFlow::Break(());
            }
        }
        if divisible && lower <= self.cutoff() {
            self.push(stretch, nodes, lower);
        } else {
            self.found.floor = self.found.floor.min(lower);
        }
        ControlFlow::Continue(())
    }

    /// Whether the pieces are within the margins of their motions: then they may touch, and no bound ever exceeds 0.
    fn is_within_margin(&self, piece: &NearPieces) -> bool {
        let margin = self.movers.margin(piece.time, piece.time);
        margin > 0.0 && piece.upper <= 2.0 * margin
    }

    /// How far two triangles certainly stay apart by their planes, or 0.
    fn beyond_planes(&self, stretch: &SweptStretch, nodes: [SweepNode; 2]) -> f64 {
        let [Some(BodyKind::Mesh(a)), Some(BodyKind::Mesh(b))] = self.trees.map(|tree| tree.rigid()) else {
            return 0.0;
        };
        let [SweepNode::Triangle(i), SweepNode::Triangle(j)] = nodes else { return 0.0 };
        let can_turn = self.ask.kind == SweepBound::Bulge && !stretch.is_straight();
        if can_turn { beyond_planes(self.movers, stretch, [&a.corners(i), &b.corners(j)]) } else { 0.0 }
    }

    /// Asks for the profiles about the common axis.
    fn see_profiles(&mut self, stats: &mut Stats) {
        let [from, to] = [self.span.from(), self.span.to()];
        if self.ask.all || self.ask.kind != SweepBound::Bulge {
            return;
        }
        let [CarriedBody::Rigid(a), CarriedBody::Rigid(b)] = self.trees else { return };
        let reach = self.movers.models[1].reach();
        let Some(axis) = common_axis(self.movers.motions, from, to, reach) else { return };
        let gap = profile_gap([a, b], &axis, &self.movers.b_in_a(from)) - self.movers.margin(from, to);
        if gap > 0.0 {
            self.profiles = Some(gap);
            self.dive(stats);
        }
    }

    /// Whether it is enough that nothing comes nearer than `gap`: the best pair found is as near, up to the tolerance,
    /// or it is farther than what matters.
    fn is_decided_by(&self, gap: f64) -> bool {
        gap > self.ask.within || self.found.best.is_some_and(|best| gap >= best.upper - self.ask.tolerance)
    }

    /// Divides the span for the best pair of pieces alone, until its least distance is known.
    fn dive(&mut self, stats: &mut Stats) {
        if self.profiles.is_none() || self.dives >= MOST_DIVES {
            return;
        }
        let Some(mut best) = self.found.best else { return };
        self.dives += 1;
        let mut open = BestFirst::default();
        open.push((LowerBound(0.0), LowerBound(self.span.from())), self.span.to());
        for _ in 0..MOST_STRETCHES_OF_DIVE {
            let Some(((LowerBound(lower), LowerBound(from)), to)) = open.pop() else { break };
            if lower >= best.upper - 0.25 * self.ask.tolerance {
                break;
            }
            let middle = 0.5 * from + 0.5 * to;
            for [from, to] in [[from, middle], [middle, to]] {
                let part = self.stretch(from, to);
                stats.primitive_tests += 1;
                let shapes = self.shapes(&part, best.nodes);
                let Some(near) = part.bound([&shapes[0], &shapes[1]], best.upper, &mut Stats::default()) else {
                    continue;
                };
                let piece = self.measure(&part, [&shapes[0], &shapes[1]], best.nodes, &near);
                if piece.upper < best.upper {
                    best = piece;
                }
                if from < to && near.lower < best.upper {
                    open.push((LowerBound(near.lower), LowerBound(from)), to);
                }
            }
        }
        self.found.best = Some(best);
    }

    /// Keeps a pair of pieces if it is nearer than the best one; whether it is.
    pub(super) fn offer(&mut self, piece: NearPieces, stats: &mut Stats) -> bool {
        let nearer = self.found.best.is_none_or(|best| piece.upper < best.upper);
        if nearer {
            self.found.best = Some(piece);
            self.dive(stats);
        }
        nearer
    }

    fn push(&mut self, stretch: &SweptStretch, nodes: [SweepNode; 2], lower: f64) {
        self.added += 1;
        let open = Open { from: stretch.from, to: stretch.to, nodes, revolved: false };
        self.queue.push((LowerBound(lower), Reverse(self.added)), open);
    }

    fn collect(&mut self, piece: NearPieces) -> ControlFlow<()> {
        if self.found.all.len() >= self.ask.limit {
            self.found.complete = false;
            return ControlFlow::Break(());
        }
        self.collected.insert(self.ids(piece.nodes));
        self.found.all.push(piece);
        ControlFlow::Continue(())
    }

    /// How near two pieces are at the time at which their bound is least.
    fn measure(
        &self,
        stretch: &SweptStretch,
        shapes: [&PaddedShape<'_>; 2],
        nodes: [SweepNode; 2],
        near: &StretchBound,
    ) -> NearPieces {
        self.measure_at(stretch.at(near.time), shapes, nodes)
    }

    pub(super) fn measure_at(&self, time: f64, shapes: [&PaddedShape<'_>; 2], nodes: [SweepNode; 2]) -> NearPieces {
        let there = self.stretch(time, time);
        let still = if shapes.iter().all(|shape| shape.drift.is_none()) {
            there.bound(shapes, f64::INFINITY, &mut Stats::default())
        } else {
            let shapes = self.shapes(&there, nodes);
            there.bound([&shapes[0], &shapes[1]], f64::INFINITY, &mut Stats::default())
        };
        // The bound is less by the margins of the motions; the distance may be more by as much.
        let upper = still.map_or(f64::INFINITY, |still| still.hull + there.margin);
        NearPieces { nodes, upper, time }
    }
}
