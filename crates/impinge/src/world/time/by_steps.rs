//! A world that moves on by steps: bodies are looked at where they stand, at every interval.
//!
//! What every simulation did before Mirtich 1997 §4, and what the queue is measured against. Misses what begins and
//! ends between two looks.

use super::advance::React;
use super::encounter::{Advance, End, Kind, Progress};
use super::window::Traffic;
use crate::path::Span;
use crate::world::state::World;

/// Steps that one call takes: it ends there.
const MOST_STEPS: u64 = 1 << 22;

impl World {
    pub(in crate::world) fn advance_by_steps(
        &mut self,
        span: Span,
        interval: f64,
        how: &Advance,
        react: &mut React<'_>,
    ) -> Progress {
        let mut progress = Progress::at(span.to());
        let mut traffic = Traffic::default();
        let steps = ((span.to() - span.from()) / interval * (1.0 + 1e-12)) as u64;
        for step in 0..=steps {
            let time = (span.from() + interval * step as f64).min(span.to());
            if step > MOST_STEPS {
                return Progress { end: End::Steps, time, ..progress };
            }
            self.noted();
            // A window without a length: boxes are those of the moment, and every look is the first.
            progress.pairs += traffic.open(self, time, time.next_up(), how) as u64;
            progress.checks += traffic.count();
            while let Some((key, handle)) = traffic.heap.first() {
                traffic.heap.remove(handle);
                let look = traffic.look(handle, key, time.next_up(), how).filter(|_| key <= time);
                progress.checks += u64::from(look.as_ref().is_some_and(|(_, fresh)| *fresh));
                let Some(mut encounter) = look.and_then(|(look, _)| look.encounter) else { continue };
                let Some(slots) = traffic.tracked(handle).map(|tracked| tracked.slots) else { continue };
                let stamps = traffic.stamps(slots);
                if let Some(tracked) = traffic.tracked(handle) {
                    encounter.kind = tracked.report(time, stamps, how);
                }
                progress.encounters += 1;
                progress.zeno += u64::from(encounter.kind == Kind::Zeno);
                react(self, &encounter);
                let changed = self.noted();
                traffic.changed(self, &changed, time, time.next_up(), how);
                if progress.encounters >= how.most_encounters {
                    return Progress { end: End::Encounters, time, ..progress };
                }
            }
        }
        progress
    }
}
