//! The first contact of two bodies made of many pieces, by whichever search finds it first.
//!
//! [`super::earliest`] is the faster one for bodies that fly into each other, [`super::by_stretches`] for bodies that
//! stay near each other. Neither is known beforehand. So they take turns: the first begins, and each turn may do twice
//! as much work as the one before. What one proves, that nothing touches before a time or that the bodies touch at one,
//! the other uses. Between them come steps by static distances and speeds ([`SpeedSteps`]), as long as these seem to lead
//! to the end: for bodies of many pieces that stay far apart they are the fastest.
//!
//! Before the second turn the bodies are seen along the axis about which they turn, if they have one in common
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
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::WitnessedGap;
use crate::time::coaxial::common_axis::common_axis;
use crate::time::coaxial::meeting_pieces::{MeetingPieces, meeting_pieces};
use crate::time::impact::closing::Closing;
use crate::time::movers::by_speed::SpeedSteps;
use crate::time::movers::two_bodies::{Movers, work_for};

/// The work of the first turn, and what is added to it for each piece of the bodies.
const FIRST_WORK: [f64; 2] = [512.0, 0.25];
/// The work that a step by speed counts as: it measures the distance of the whole bodies.
const WORK_OF_STEP: u64 = 32;
/// The most steps of both searches together before they give up: this takes seconds.
const MOST_WORK: u64 = 1 << 22;

/// What is asked about two bodies made of pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeQuestion<'q> {
    pub(crate) bodies: [BodyKind<'q>; 2],
    pub(crate) tolerance: f64,
}

impl TreeQuestion<'_> {
    /// The first contact from `from` on, in the span of `closing`. With `by_speed` the search also takes steps by speed.
    pub(crate) fn first_contact(
        &self,
        movers: &Movers<'_>,
        closing: &Closing<'_>,
        from: f64,
        mut by_speed: Option<(&mut SpeedSteps, &mut Memory)>,
        context: Context<'_, EarliestMemory>,
    ) -> Option<TreeContact> {
        let (stats, until) = (context.stats, closing.until);
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
        if self.is_within_margin(movers, closing, by_pairs.may_begin(clear), &mut by_speed, stats) {
            return by_pairs.earliest();
        }
        clear = self.step_on(movers, [clear, until], work, &mut by_speed, stats)?;
        let marked = match self.meeting_pieces(movers, [from, until], closing.margin) {
            MeetingPieces::None => return None,
            MeetingPieces::Some(marked) => Some(marked),
            MeetingPieces::Any => None,
        };
        trees.marked = marked.as_ref();
        let mut stretches = StretchSearch::new(&trees, movers.motions, radii, [clear, until]);
        let (mut done, most) = (work, work_for(movers.turning(from, until), MOST_WORK));
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
            clear = self.step_on(movers, [clear, until], work, &mut by_speed, stats)?;
            if self.is_within_margin(movers, closing, by_pairs.may_begin(clear), &mut by_speed, stats) {
                return by_pairs.earliest();
            }
            if done > most {
                by_stretches.learn(&by_pairs);
                by_stretches.give_up(clear, until);
                return by_stretches.earliest();
            }
        }
    }

    /// The time until which steps by speed prove the bodies apart; `None` where that is `until`.
    fn step_on(
        &self,
        movers: &Movers<'_>,
        [clear, until]: [f64; 2],
        work: u64,
        by_speed: &mut Option<(&mut SpeedSteps, &mut Memory)>,
        stats: &mut Stats,
    ) -> Option<f64> {
        let Some((steps, memory)) = by_speed else { return Some(clear) };
        let most = (work / WORK_OF_STEP) as usize;
        steps.go_on(movers, [clear, until], self.tolerance, most, Context::new(memory, stats))
    }

    /// Whether the first contact found is that the bodies come within the margin of their motions: nothing that moves
    /// within the margin can be told from there on.
    fn is_within_margin(
        &self,
        movers: &Movers<'_>,
        closing: &Closing<'_>,
        first: Option<f64>,
        by_speed: &mut Option<(&mut SpeedSteps, &mut Memory)>,
        stats: &mut Stats,
    ) -> bool {
        let (Some(t), Some((_, memory)), true) = (first, by_speed.as_mut(), closing.margin > 0.0) else { return false };
        let near = self.tolerance + closing.margin;
        match movers.nearest(t, near, Context::new(memory, stats)) {
            Outcome::Beyond => false,
            Outcome::Apart(WitnessedGap { interval, .. }) => interval.upper <= near,
            _ => true,
        }
    }

    fn meeting_pieces(&self, movers: &Movers<'_>, [from, until]: [f64; 2], margin: f64) -> MeetingPieces {
        let Some(axis) = common_axis(movers.motions, from, until, movers.models[1].reach()) else {
            return MeetingPieces::Any;
        };
        let [a, b] = &self.bodies;
        meeting_pieces([a, b], &axis, &movers.b_in_a(from), self.tolerance + margin)
    }
}
