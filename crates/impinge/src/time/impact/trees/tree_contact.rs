//! The first contact of two bodies made of many pieces, by whichever search finds it first.
//!
//! [`super::earliest`] is the faster one for bodies that fly into each other, [`super::by_stretches`] for bodies that
//! stay near each other. Neither is known beforehand. So they take turns: the first begins, and each turn may do twice
//! as much work as the one before. What one proves, that nothing touches before a time or that the bodies touch at one,
//! the other uses. So the answer costs at most some three times the work of the better one, and much less where the
//! first turn suffices.
//!
//! Before the second turn each body is seen as what it covers while it turns about a line of its own
//! ([`crate::time::coaxial::revolved`]): that may prove the bodies apart for the rest of the span, also where the
//! motions change. Then they are seen along the axis about which they turn, if they have one in common
//! ([`crate::time::coaxial`]). If their profiles are apart, they never meet; else only those pieces are looked at whose
//! profiles meet.
//!
//! Invariant: that of both searches. Cost: at most [`MOST_WORK`] steps; then the interval of the answer is wider.

use super::by_stretches::StretchSearch;
use super::earliest::{EarliestMemory, EarliestSearch};
use super::first_found::{FirstFound, TreeContact};
use super::moving_trees::MovingTrees;
use crate::answer::Stats;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::time::coaxial::common_axis::common_axis;
use crate::time::coaxial::meeting_pieces::{MeetingPieces, meeting_pieces};
use crate::time::coaxial::revolved::Revolved;
use crate::time::impact::closing::Closing;
use crate::time::movers::two_bodies::Movers;

/// The work of the first turn, and what is added to it for each piece of the bodies.
const FIRST_WORK: [f64; 2] = [512.0, 0.125];
/// The most steps of both searches together before they give up: this takes seconds.
const MOST_WORK: u64 = 1 << 22;

/// What is asked about two bodies made of pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeQuestion<'q> {
    pub(crate) bodies: [BodyKind<'q>; 2],
    pub(crate) tolerance: f64,
    /// The end of the span, and the time before which the bodies are known to be apart.
    pub(crate) until: f64,
    pub(crate) clear: f64,
}

impl TreeQuestion<'_> {
    /// The first contact from `from` on, in the span of `closing`.
    pub(crate) fn first_contact(
        &mut self,
        movers: &Movers<'_>,
        closing: &Closing<'_>,
        from: f64,
        context: Context<'_, EarliestMemory>,
    ) -> Option<TreeContact> {
        let (stats, until) = (context.stats, closing.until);
        let from = from.max(self.clear);
        if from >= until {
            return None;
        }
        let mut trees = MovingTrees { bodies: self.bodies, tolerance: self.tolerance, marked: None };
        let radii = movers.models.map(|model| model.reach());
        let pieces: f64 = self.bodies.iter().map(|body| body.piece_count() as f64).sum();
        let mut work = (FIRST_WORK[0] + FIRST_WORK[1] * pieces) as u64;
        let [mut by_pairs, mut by_stretches] = [FirstFound::before(until.next_up()); 2];
        let mut earliest = EarliestSearch::new(&trees, closing, from, context.memory);
        let Some(reached) = earliest.go_on(&trees, closing, from, work, &mut by_pairs, stats) else {
            return by_pairs.earliest();
        };
        let mut clear = by_pairs.clear_until(reached);
        self.clear = self.clear.max(self.clear_by_revolving(movers, clear, stats));
        if self.clear >= until {
            return None;
        }
        clear = clear.max(self.clear);
        let marked = match self.meeting_pieces(movers, [from, until], closing.margin) {
            MeetingPieces::None => return None,
            MeetingPieces::Some(marked) => Some(marked),
            MeetingPieces::Any => None,
        };
        trees.marked = marked.as_ref();
        let mut stretches = StretchSearch::new(&trees, movers.motions, radii, [clear, until]);
        let mut done = work;
        loop {
            work *= 2;
            by_stretches.learn(&by_pairs);
            match stretches.go_on(&trees, clear, work, &mut by_stretches, stats) {
                Some(reached) => clear = clear.max(by_stretches.clear_until(reached)),
                None => return by_stretches.earliest(),
            }
            done += work;
            if !by_pairs.is_refuted(clear) {
                by_pairs.learn(&by_stretches);
                match earliest.go_on(&trees, closing, clear, work, &mut by_pairs, stats) {
                    Some(reached) => clear = clear.max(by_pairs.clear_until(reached)),
                    None => return by_pairs.earliest(),
                }
                done += work;
            }
            if done > MOST_WORK {
                by_stretches.learn(&by_pairs);
                by_stretches.give_up(clear, until);
                return by_stretches.earliest();
            }
        }
    }

    /// The time until which what one of the bodies covers while it turns is apart from the other.
    fn clear_by_revolving(&self, movers: &Movers<'_>, from: f64, stats: &mut Stats) -> f64 {
        (0..2).fold(from, |clear, k| {
            let [body, other] = [&self.bodies[k], &self.bodies[1 - k]];
            if clear >= self.until {
                return clear;
            }
            let Some(revolved) = Revolved::new(movers, body, k, clear, self.until) else { return clear };
            if revolved.is_clear_at(movers, other, clear, self.tolerance) {
                revolved.clear_until(movers, other, [clear, self.until], self.tolerance, stats)
            } else {
                clear
            }
        })
    }

    fn meeting_pieces(&self, movers: &Movers<'_>, [from, until]: [f64; 2], margin: f64) -> MeetingPieces {
        let Some(axis) = common_axis(movers.motions, from, until, movers.models[1].reach()) else {
            return MeetingPieces::Any;
        };
        let [a, b] = &self.bodies;
        meeting_pieces([a, b], &axis, &movers.b_in_a(from), self.tolerance + margin)
    }
}
