//! Advances a world by steps: looks at bodies where they are after every interval.
//!
//! What every simulation did before Mirtich 1997 §4, and what the queue is measured against. An encounter that begins
//! and ends between two steps is missed.

use super::encounter::{Advance, EncounterKind, End, Progress, React};
use super::window::Window;
use crate::path::Span;
use crate::world::state::World;

/// The most steps of one call, which ends there.
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
        let mut window = Window::default();
        let steps = ((span.to() - span.from()) / interval * (1.0 + 1e-12)) as u64;
        for step in 0..=steps {
            let time = (span.from() + interval * step as f64).min(span.to());
            if step > MOST_STEPS {
                return Progress { end: End::Steps, time, ..progress };
            }
            self.noted();
            // A window without a length: the boxes are those of this time, and every look is a first one.
            progress.checks += window.open(self, time, time.next_up(), how) as u64;
            progress.pairs += window.count();
            while let Some((key, handle)) = window.queue.first() {
                window.queue.remove(handle);
                let look = window.look(self, handle, key, time.next_up(), how).filter(|_| key <= time);
                progress.checks += u64::from(look.as_ref().is_some_and(|(_, fresh)| *fresh));
                let Some(mut encounter) = look.and_then(|(look, _)| look.encounter) else { continue };
                let Some(slots) = window.pair(handle).map(|pair| pair.slots) else { continue };
                let stamps = window.stamps(self, slots);
                if let Some(pair) = window.pair(handle) {
                    encounter.kind = pair.report(time, stamps, how);
                }
                progress.encounters += 1;
                progress.zeno += u64::from(encounter.kind == EncounterKind::Zeno);
                react(self, &encounter);
                let changed = self.noted();
                window.changed(self, &changed, time, time.next_up(), how);
                if progress.encounters >= how.most_encounters {
                    return Progress { end: End::Encounters, time, ..progress };
                }
            }
        }
        progress
    }
}
