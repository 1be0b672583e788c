//! The first contact of two bodies made of many pieces, by whichever search finds it first.
//!
//! [`super::earliest`] is the fastest for bodies that fly into each other, [`super::by_stretches`] for bodies that turn
//! in each other. Bodies that stay apart are proven so fastest by steps by static distances and speeds
//! ([`SpeedSteps`]), as long as these seem to lead to the end, or by the bounds of a sweep ([`ClearanceSearch`]), where
//! rates and accelerations take long to ask for. None is known beforehand. So all take turns, and each turn may do
//! twice as much work as the one before. What one proves, that nothing touches before a time or that the bodies touch
//! at one, the others use, and each goes on from where it was.
//!
//! Before the search by stretches begins, each body is seen as what it covers while it turns about a line of its own
//! ([`crate::time::coaxial::revolved`]): that may prove the bodies apart for the rest of the span, also where the
//! motions change. Then they are seen along the axis about which they turn, if they have one in common
//! ([`crate::time::coaxial`]). If their profiles are apart, they never meet; else only those pieces are looked at whose
//! profiles meet.
//!
//! Invariant: that of all searches. Cost: at most [`MOST_WORK`] steps; then the interval of the answer is wider.

use std::cell::OnceCell;

use super::by_stretches::StretchSearch;
use super::earliest::{EarliestMemory, EarliestSearch};
use super::first_found::{FirstFound, TreeContact};
use super::moving_trees::MovingTrees;
use crate::answer::Stats;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::WitnessedGap;
use crate::path::Span;
use crate::time::coaxial::common_axis::common_axis;
use crate::time::coaxial::meeting_pieces::{MeetingPieces, meeting_pieces};
use crate::time::coaxial::revolved::Revolved;
use crate::time::impact::clearance::ClearanceSearch;
use crate::time::impact::closing::Closing;
use crate::time::movers::by_speed::SpeedSteps;
use crate::time::movers::two_bodies::{Movers, work_for};

/// The searches that take turns at first.
const SEARCHES: u64 = 3;
/// The work of the first turn.
const FIRST_WORK: u64 = 64;
/// The work before the bodies are seen along an axis, and what is added to it for each piece of theirs.
const BEFORE_PROFILES: [f64; 2] = [512.0, 0.125];
/// The work that a step by speed counts as, which measures the distance of the whole bodies; and that of a pair opened
/// by the bounds of a sweep. First where motions are steady, then where bounds on them over a stretch are dear.
const WORK_OF_STEP: [u64; 2] = [32, 64];
const WORK_OF_OPENING: [u64; 2] = [16, 64];
/// The shortest stretch that these divide, as a share of the span; and they count as having proven so much less, so
/// that advancement begins with a gap whose direction shows.
const SHORTEST: f64 = 1.0 / (1u64 << 18) as f64;
/// The most steps of the two searches for a contact together before they give up: this takes seconds.
const MOST_WORK: u64 = 1 << 22;

/// What is asked about two bodies made of pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeQuestion<'q> {
    pub(crate) bodies: [BodyKind<'q>; 2],
    pub(crate) tolerance: f64,
    /// The end of the span, and the time before which the bodies are known to be apart.
    pub(crate) until: f64,
    pub(crate) clear: f64,
    /// The work done so far, in all spans of smooth motion.
    pub(crate) done: u64,
}

impl TreeQuestion<'_> {
    /// The first contact from `from` on, in the span of `closing`. Where `others` are given, other searches take turns
    /// with this one.
    pub(crate) fn first_contact(
        &mut self,
        movers: &Movers<'_>,
        closing: &Closing<'_>,
        from: f64,
        mut others: Option<(&mut SpeedSteps, &mut Memory)>,
        context: Context<'_, EarliestMemory>,
    ) -> Option<TreeContact> {
        let (stats, until) = (context.stats, closing.until);
        let pieces: f64 = self.bodies.iter().map(|body| body.piece_count() as f64).sum();
        let before_profiles = (BEFORE_PROFILES[0] + BEFORE_PROFILES[1] * pieces) as u64;
        // Where motions change often, each span of smooth motion may be decided soon, and all together not.
        if (before_profiles..u64::MAX).contains(&self.done) {
            self.done = u64::MAX;
            self.clear = self.clear.max(self.clear_by_revolving(movers, from.max(self.clear), stats));
        }
        let from = from.max(self.clear);
        if from >= until {
            return None;
        }
        let mut trees = MovingTrees { bodies: self.bodies, tolerance: self.tolerance, marked: None };
        let radii = movers.models.map(|model| model.reach());
        let mut work = if others.is_some() { FIRST_WORK } else { before_profiles };
        let [mut by_pairs, mut by_stretches] = [FirstFound::before(until.next_up()); 2];
        let mut earliest = EarliestSearch::new(&trees, closing, from, context.memory);
        let (marked, mut stretches, mut clearance): (_, Option<StretchSearch<'_>>, Option<ClearanceSearch<'_>>);
        (marked, stretches, clearance) = (OnceCell::new(), None, None);
        let dear = usize::from(!movers.are_steady());
        let (mut clear, mut done, mut most) = (from, 0, MOST_WORK);
        loop {
            if !by_pairs.is_refuted(clear) {
                by_pairs.learn(&by_stretches);
                match earliest.go_on(&trees, closing, clear, work, &mut by_pairs, stats) {
                    Some(reached) => clear = clear.max(by_pairs.clear_until(reached)),
                    None => return by_pairs.earliest(),
                }
            }
            done += work;
            self.done = self.done.saturating_add(if others.is_some() { SEARCHES * work } else { work });
            // Once they certainly touch, only what may come before that is left.
            if let Some((steps, memory)) = others.as_mut().filter(|_| by_pairs.limit > until) {
                let first = by_pairs.may_begin(clear);
                if self.is_within_margin(movers, closing, first, Context::new(memory, stats)) {
                    return by_pairs.earliest();
                }
                let most = (work / WORK_OF_STEP[dear]) as usize;
                clear = steps.go_on(movers, [clear, until], self.tolerance, most, Context::new(memory, stats))?;
                let search = match &mut clearance {
                    Some(search) => search,
                    None => {
                        let rest = Span::new(clear, until).ok()?;
                        let search = ClearanceSearch::new(movers, self.bodies, rest, self.tolerance, stats);
                        clearance.insert(search.with_shortest(SHORTEST * (until - from)))
                    }
                };
                let reached = search.go_on([clear, until], (work / WORK_OF_OPENING[dear]) as usize, stats)?;
                clear = clear.max(reached - SHORTEST * (until - from));
            }
            work *= 2;
            if done < before_profiles {
                continue;
            }
            let search = match &mut stretches {
                Some(search) => search,
                None => {
                    most = work_for(movers.turning(from, until), most);
                    self.clear = self.clear.max(self.clear_by_revolving(movers, clear, stats));
                    if self.clear >= until {
                        return None;
                    }
                    clear = clear.max(self.clear);
                    match self.meeting_pieces(movers, [from, until], closing.margin) {
                        MeetingPieces::None => return None,
                        MeetingPieces::Some(pieces) => trees.marked = Some(marked.get_or_init(|| pieces)),
                        MeetingPieces::Any => {}
                    }
                    stretches.insert(StretchSearch::new(&trees, movers.motions, radii, [clear, until]))
                }
            };
            by_stretches.learn(&by_pairs);
            match search.go_on(&trees, clear, work, &mut by_stretches, stats) {
                Some(reached) => clear = clear.max(by_stretches.clear_until(reached)),
                None => return by_stretches.earliest(),
            }
            done += work;
            if done > most {
                by_stretches.learn(&by_pairs);
                by_stretches.give_up(clear, until);
                return by_stretches.earliest();
            }
        }
    }

    /// Whether the first contact found is that the bodies come within the margin of their motions: nothing that moves
    /// within the margin can be told from there on.
    fn is_within_margin(
        &self,
        movers: &Movers<'_>,
        closing: &Closing<'_>,
        first: Option<f64>,
        context: Context<'_, Memory>,
    ) -> bool {
        let (Some(t), true) = (first, closing.margin > 0.0) else { return false };
        let near = self.tolerance + closing.margin;
        match movers.nearest(t, near, context) {
            Outcome::Beyond => false,
            Outcome::Apart(WitnessedGap { interval, .. }) => interval.upper <= near,
            _ => true,
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
