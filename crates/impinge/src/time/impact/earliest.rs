//! When two bodies made of many pieces first touch: conservative advancement through both trees, earliest first.
//!
//! M. Tang, Y. Kim, D. Manocha, *C²A*, ICRA 2009, advance both bodies together, by the least of the bounds of all pairs
//! of nodes, again and again. Here we deviate: every pair of nodes has a time of its own, before which it is known to
//! be apart. The search opens the pair with the earliest time, and computes from that time on how long the pairs of its
//! children stay apart (`Approach::free_for`). So pairs that are far apart or move away from each other are tested only
//! once. The answer is the first pair of pieces that touches ([`PiecePair::advance`]) before the time of every open
//! pair.
//!
//! Invariant: no pair of pieces touches before the least time in the queue and the best contact. Cost: the pairs of
//! nodes that come near before the first contact; at most [`MOST_PAIRS`]. Pairs that are then left open widen the
//! interval of the answer.

use std::cmp::Reverse;

use glam::DVec3;
use smallvec::SmallVec;

use super::advance::PiecePair;
use super::closing::{Closing, Moment};
use super::padded_box::PaddedBox;
use super::piece_contact::PieceContact;
use crate::answer::Stats;
use crate::math::{EPS, Interval};
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::parts::piece::{ConvexPiece, gap, more_directions};
use crate::search::best_first::{BestFirst, LowerBound};
use crate::tree::nodes::LEAF;

/// The most pairs of nodes opened before the search gives up: this takes seconds.
const MOST_PAIRS: u64 = 1 << 22;

/// The most steps for all pairs of pieces together before the search gives up: this takes seconds, too.
const MOST_STEPS: u64 = 1 << 20;

/// How far the axes of a box may be from unit length, and from right angles to each other.
const SLANT: f64 = 2e-6;

/// Whether a pair in the queue is of nodes or of pieces.
#[derive(Debug, Clone, Copy)]
enum Level {
    Nodes,
    Pieces,
}

/// Pairs, each with a time before which the two do not touch, the earliest first. At equal times the greatest numbers
/// come first, since these nodes are nearest to the leaves.
type Queue = BestFirst<(LowerBound, Reverse<[u32; 2]>), Level>;

/// Memory that is allocated once and used again by the next search.
#[derive(Debug, Clone, Default)]
pub(crate) struct EarliestMemory {
    open: Queue,
}

/// The first contact of two bodies, and the names of the pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EarliestContact {
    pub(crate) touch: PieceContact,
    pub(crate) pieces: [u32; 2],
}

/// The trees of two moving bodies.
pub(crate) struct EarliestSearch<'q> {
    pub(crate) bodies: [BodyKind<'q>; 2],
    pub(crate) tolerance: f64,
}

impl EarliestSearch<'_> {
    /// The first contact from `from` on, in the span of `closing`.
    pub(crate) fn run(
        &self,
        closing: &Closing<'_>,
        from: f64,
        context: Context<'_, EarliestMemory>,
    ) -> Option<EarliestContact> {
        let mut open = std::mem::take(&mut context.memory.open);
        open.clear();
        let roots = [self.bodies[0].root(), self.bodies[1].root()];
        open.push((LowerBound(from), Reverse(roots)), Level::Nodes);
        let mut found = Found { first: None, limit: closing.until.next_up(), sure: None };
        let mut moment = closing.at(from);
        let (mut opened, before) = (0, context.stats.iterations);
        while let Some(((LowerBound(t), Reverse(nodes)), level)) = open.pop() {
            if t >= found.limit {
                break;
            }
            opened += 1;
            if opened > MOST_PAIRS || context.stats.iterations - before > MOST_STEPS {
                found.give_up(t, closing.until);
                break;
            }
            if t > moment.t {
                moment = closing.at(t);
            }
            match level {
                Level::Pieces => self.advance(closing, t, nodes, &mut found, context.stats),
                Level::Nodes => self.open(closing, &moment, nodes, &mut open, &mut found, context.stats),
            }
        }
        context.stats.iterations += opened;
        context.memory.open = open;
        found.earliest()
    }

    fn open(
        &self,
        closing: &Closing<'_>,
        moment: &Moment,
        nodes: [u32; 2],
        open: &mut Queue,
        found: &mut Found,
        stats: &mut Stats,
    ) {
        let boxes = [self.padded_box(0, nodes[0], moment), self.padded_box(1, nodes[1], moment)];
        let size = |k: usize| boxes[k].map_or(f64::INFINITY, |h: PaddedBox| h.radius);
        let below = [self.bodies[0].children(nodes[0]), self.bodies[1].children(nodes[1])];
        let side = match (below[0].is_empty(), below[1].is_empty()) {
            (true, true) => return self.leaves(closing, moment, nodes, open, found),
            (true, false) => 1,
            (false, true) => 0,
            (false, false) => usize::from(size(1) > size(0)),
        };
        for &child in &below[side] {
            stats.volume_tests += 1;
            let (mut pair, mut near) = (nodes, boxes);
            pair[side] = child;
            near[side] = self.padded_box(side, child, moment);
            let free = match self.bounded_boxes(moment, near) {
                Some([a, b]) => self.free_for(closing, moment, [&a, &b]),
                None => 0.0,
            };
            let t = moment.t + free;
            if t < found.limit {
                open.push((LowerBound(t), Reverse(pair)), Level::Nodes);
            }
        }
    }

    fn padded_box(&self, k: usize, node: u32, moment: &Moment) -> Option<PaddedBox> {
        let own = self.bodies[k].padded_box(node)?;
        Some(if k == 0 { own } else { own.placed(&moment.b_in_a) })
    }

    /// Both boxes. A half-space has no box: it gets the point of its border that is nearest to the other box.
    fn bounded_boxes(&self, moment: &Moment, boxes: [Option<PaddedBox>; 2]) -> Option<[PaddedBox; 2]> {
        let border = |k: usize| {
            let (normal, height) = self.bodies[k].half_space()?;
            if k == 0 {
                return Some((normal, height));
            }
            let turned = moment.b_in_a.rotation * normal;
            Some((turned, height + turned.dot(moment.b_in_a.translation)))
        };
        match boxes {
            [Some(a), Some(b)] => Some([a, b]),
            [None, Some(b)] => Some([PaddedBox::foot(border(0)?, &b), b]),
            [Some(a), None] => Some([a, PaddedBox::foot(border(1)?, &a)]),
            [None, None] => None,
        }
    }

    /// The longest time without contact that one of seven directions proves: the three axes of each box, and the
    /// direction from centre to centre.
    #[inline(always)]
    pub(crate) fn free_for(&self, closing: &Closing<'_>, moment: &Moment, boxes: [&PaddedBox; 2]) -> f64 {
        let [a, b] = boxes;
        let way = b.centre - a.centre;
        let size = a.centre.abs().max_element() + b.centre.abs().max_element() + a.radius + b.radius;
        let around = a.padding + b.padding + self.tolerance + closing.margin + 64.0 * EPS * size;
        let around = around * (1.0 + SLANT);
        let approach = closing.approach(moment, boxes);
        let (mut free, mut best) = (0.0, (DVec3::ZERO, 0.0));
        let mut offer = |n: DVec3, extent: f64| {
            let along = n.dot(way);
            let gap = along.abs() - extent - around;
            if gap > 0.0 {
                let n = n * 1f64.copysign(along);
                let quick = approach.free_at_least(n, gap);
                if quick > free {
                    (free, best) = (quick, (n, gap));
                }
            }
        };
        let length = way.length();
        if length > 0.0 {
            let n = way / length;
            offer(n, a.extent(n) + b.extent(n));
        }
        if !(a.endless || b.endless) {
            for i in 0..3 {
                offer(a.axes[i], a.half[i] + SLANT * a.radius + b.extent(a.axes[i]));
                offer(b.axes[i], b.half[i] + SLANT * b.radius + a.extent(b.axes[i]));
            }
        }
        // If a direction is a little longer than 1, the gap and the speed along it are too large by the same factor.
        // Only the part of the speed that does not depend on the direction is too small in comparison.
        if best.1 > 0.0 { approach.free_for(best.0, best.1).max(free) * (1.0 - SLANT) } else { 0.0 }
    }

    /// Puts the pairs of pieces of two leaves in the queue.
    fn leaves(&self, closing: &Closing<'_>, moment: &Moment, nodes: [u32; 2], open: &mut Queue, found: &Found) {
        let [ours, theirs] = [0, 1].map(|k: usize| -> SmallVec<[(u32, ConvexPiece<'_>, Option<PaddedBox>); LEAF]> {
            let names = self.bodies[k].pieces(nodes[k]);
            names
                .map(|name| {
                    let piece = self.bodies[k].piece(name);
                    (name, piece, self.ball_of(k, &piece, moment))
                })
                .collect()
        });
        for (i, a, box_a) in &ours {
            for (j, b, box_b) in &theirs {
                let free = match (box_a, box_b) {
                    (Some(box_a), Some(box_b)) => self.pieces_free_for(closing, moment, [a, b], [box_a, box_b]),
                    _ => 0.0,
                };
                if moment.t + free < found.limit {
                    open.push((LowerBound(moment.t + free), Reverse([*i, *j])), Level::Pieces);
                }
            }
        }
    }

    /// The ball around a piece, in the frame of `a`; `None` where it has no bounds.
    fn ball_of(&self, k: usize, piece: &ConvexPiece<'_>, moment: &Moment) -> Option<PaddedBox> {
        let (centre, radius) = piece.ball()?;
        let centre = if k == 0 { centre } else { moment.b_in_a.apply(centre) };
        Some(PaddedBox::ball(centre, radius))
    }

    /// The longest time without contact that the directions between the centres and along the normals of triangles
    /// prove.
    fn pieces_free_for(
        &self,
        closing: &Closing<'_>,
        moment: &Moment,
        pieces: [&ConvexPiece<'_>; 2],
        boxes: [&PaddedBox; 2],
    ) -> f64 {
        let way = boxes[1].centre - boxes[0].centre;
        let approach = closing.approach(moment, boxes);
        let near = self.tolerance + closing.margin;
        let mut free: f64 = 0.0;
        let mut offer = |direction: DVec3| {
            let Some(n) = direction.try_normalize() else { return };
            let n = if n.dot(way) < 0.0 { -n } else { n };
            let gap = gap(pieces, &moment.b_in_a, n) - near;
            if gap > 0.0 {
                free = free.max(approach.free_for(n, gap));
            }
        };
        offer(way);
        more_directions(pieces, &moment.b_in_a).into_iter().for_each(offer);
        free
    }

    /// Finds when two pieces touch, which do not touch before `t`.
    fn advance(&self, closing: &Closing<'_>, t: f64, names: [u32; 2], found: &mut Found, stats: &mut Stats) {
        let pieces = [self.bodies[0].piece(names[0]), self.bodies[1].piece(names[1])];
        let pair = PiecePair { pieces: [&pieces[0], &pieces[1]], tolerance: self.tolerance };
        if let Some(touch) = pair.advance(closing, t, found.limit, Context::new(&mut ConvexMemory::default(), stats)) {
            found.offer(EarliestContact { touch, pieces: names });
        }
    }
}

/// The contacts found so far.
#[derive(Debug, Clone, Copy)]
struct Found {
    /// The contact, certain or not, that may be the earliest.
    first: Option<EarliestContact>,
    /// The earliest of the certain contacts.
    sure: Option<EarliestContact>,
    /// Contacts after this time do not matter: the end of the span, or a time at which the bodies certainly touch.
    limit: f64,
}

impl Found {
    fn offer(&mut self, at: EarliestContact) {
        let Interval { lower, upper } = at.touch.time;
        if self.first.is_none_or(|first| lower < first.touch.time.lower) {
            self.first = Some(at);
        }
        if at.touch.certain && self.sure.is_none_or(|sure| upper < sure.touch.time.upper) {
            self.sure = Some(at);
            self.limit = self.limit.min(upper);
        }
    }

    /// Adds an uncertain contact for the pairs that are left open: they may touch at any time from `t` on.
    fn give_up(&mut self, t: f64, until: f64) {
        let open = PieceContact {
            time: Interval { lower: t, upper: self.limit.min(until) },
            certain: false,
            normal: DVec3::ZERO,
            witness: None,
        };
        self.offer(EarliestContact { touch: open, pieces: [0; 2] });
    }

    /// The first contact. Its time begins when a first pair may touch, and ends when a pair certainly touches; pieces
    /// and points are those of the second pair.
    fn earliest(self) -> Option<EarliestContact> {
        let first = self.first?;
        let mut at = self.sure.unwrap_or(first);
        at.touch.time.lower = first.touch.time.lower;
        Some(at)
    }
}
