//! Advances a world by a queue of times: looks at each pair of bodies when the two may touch.
//!
//! Mirtich 1997 §4, Figure 11. The span is cut into windows. In each, the queue has the pairs that may touch, by the
//! time before which they do not. The first pair is looked at when its time comes: it either touches, or goes back into
//! the queue with a new bound. An encounter is reported to the caller, who may change motions, add and remove bodies:
//! pairs of changed bodies are looked at anew, all others stay where they are in the queue.
//!
//! Estimates in place of bounds (§4, last paragraph) may be too late. A pair that is found touching then goes back to
//! the last time at which it was certainly apart, and bounds lead on from there; if they lead to an encounter before
//! others that were reported, these are undone ([`super::undo`]).
//!
//! Cost: a distance query for each look, and for each window finding the pairs of bodies that move ([`super::window`]).

use super::encounter::{Advance, EncounterKind, End, Progress, React, Schedule};
use super::undo::Reported;
use super::window::Window;
use crate::path::Span;
use crate::world::state::World;

/// The most times that a window is repeated because estimates were too late; then bounds are used.
const MOST_PASSES: u32 = 64;

impl World {
    pub(in crate::world) fn advance_by_queue(&mut self, span: Span, how: &Advance, react: &mut React<'_>) -> Progress {
        let (mut progress, mut window) = (Progress::at(span.to()), Window::default());
        let length = (span.to() - span.from()) / f64::from(how.windows);
        let mut from = span.from();
        for number in 1..=how.windows {
            let last = number == how.windows;
            let to = if last { span.to() } else { span.from() + length * f64::from(number) };
            if to <= from && !last {
                continue;
            }
            window.trust();
            let (mut now, mut passes) = (from, 0);
            let mut careful = *how;
            while let Some(again) = self.pass(now, to, last, &careful, &mut window, &mut progress, react) {
                passes += 1;
                if passes == MOST_PASSES {
                    careful.schedule = Schedule::Queue;
                }
                if progress.encounters >= how.most_encounters {
                    return Progress { end: End::Encounters, time: again, ..progress };
                }
                now = again;
            }
            from = to;
        }
        progress
    }

    /// Goes through one window. Ends early, with the time to begin again from, when an estimate was too late or there
    /// were too many encounters.
    #[allow(clippy::too_many_arguments, reason = "one loop, its state and its limits")]
    fn pass(
        &mut self,
        from: f64,
        to: f64,
        last: bool,
        how: &Advance,
        window: &mut Window,
        progress: &mut Progress,
        react: &mut React<'_>,
    ) -> Option<f64> {
        self.noted();
        // The end of the span belongs to its last window; the end of any other window belongs to the next.
        let end = if last { to.next_up() } else { to };
        self.clear_journal();
        progress.checks += window.open(self, from, end, how) as u64;
        progress.pairs += window.count();
        let mut reported = Reported::default();
        while let Some((time, handle)) = window.queue.first() {
            let Some((look, fresh)) = window.look(self, handle, time, end, how) else {
                window.queue.remove(handle);
                continue;
            };
            progress.checks += u64::from(fresh);
            progress.late += u64::from(look.late);
            let Some(pair) = window.pair(handle) else { continue };
            let slots = pair.slots;
            match look.next {
                Some(next) => window.queue.set(handle, slots, next),
                None => window.queue.remove(handle),
            }
            let Some(mut encounter) = look.encounter else { continue };
            let Some(pair) = window.pair(handle) else { continue };
            if how.schedule == Schedule::Estimate && !pair.certified {
                pair.certified = true;
                if pair.free_until < time && pair.free_until >= from {
                    progress.rollbacks += 1;
                    let back = pair.free_until;
                    window.queue.set(handle, slots, back);
                    continue;
                }
            }
            if reported.latest() > time {
                for undone in reported.undo(self, time) {
                    progress.encounters -= 1;
                    react(self, &undone);
                }
                window.forget_after(time);
                return Some(time);
            }
            let stamps = window.stamps(self, slots);
            if let Some(pair) = window.pair(handle) {
                encounter.kind = pair.report(time, stamps, how);
            }
            if how.schedule == Schedule::Estimate {
                reported.keep(self, &encounter);
            }
            progress.encounters += 1;
            progress.zeno += u64::from(encounter.kind == EncounterKind::Zeno);
            react(self, &encounter);
            let changed = self.noted();
            window.changed(self, &changed, time, end, how);
            if progress.encounters >= how.most_encounters {
                return Some(time);
            }
        }
        None
    }
}
