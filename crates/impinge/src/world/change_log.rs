//! Which bodies were changed while a world moves on, and what they were before, so that it can be undone.

use super::body::Body;
use super::pair_rules::PairRules;
use super::state::World;

/// A body as it was, under the generation and the stamps that it had.
#[derive(Debug)]
pub(super) struct KeptBody {
    pub(super) generation: u32,
    pub(super) body: Body,
    pub(super) model_stamp: u64,
    pub(super) motion_stamp: u64,
}

/// What bodies and rules were before each change, the first change first. A body costs a few words, as its model and
/// motion are shared.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// Slots, and who was in each; `None` where nobody was.
    pub(super) bodies: Vec<(u32, Option<KeptBody>)>,
    pub(super) rules: Vec<PairRules>,
}

/// How far a journal had come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct JournalMark {
    pub(super) bodies: usize,
    pub(super) rules: usize,
}

/// What has changed since a world was asked last.
#[derive(Debug, Default)]
pub(super) struct ChangeLog {
    slots: Vec<u32>,
    /// Everything counts as changed.
    all: bool,
    /// Where changes may have to be undone.
    pub(super) journal: Option<Journal>,
    /// The world moves on within a reaction of one that moves on.
    pub(super) nested: bool,
    /// Boxes may not reach less while it moves on.
    pub(super) least_reach: f64,
}

impl ChangeLog {
    /// Of a world that moves on, within another that does (`outer`) or alone.
    pub(super) fn start(outer: Option<&ChangeLog>, may_undo: bool, reach: f64) -> ChangeLog {
        let may_undo = may_undo || outer.is_some_and(|outer| outer.journal.is_some());
        ChangeLog {
            slots: Vec::new(),
            all: false,
            journal: may_undo.then(Journal::default),
            nested: outer.is_some(),
            least_reach: outer.map_or(reach, |outer| outer.least_reach.max(reach)),
        }
    }

    /// Goes on after another within it has ended: all that is known of the window is void.
    pub(super) fn resume(mut self, inner: Option<ChangeLog>) -> ChangeLog {
        self.all = true;
        if let (Some(own), Some(inner)) = (&mut self.journal, inner.and_then(|inner| inner.journal)) {
            own.bodies.extend(inner.bodies);
            own.rules.extend(inner.rules);
        }
        self
    }
}

impl World {
    /// Remembers that a body was changed, while the world moves on.
    pub(super) fn note(&mut self, slot: u32) {
        if let Some(log) = &mut self.log {
            log.slots.push(slot);
        }
    }

    /// Remembers that every body may meet others now.
    pub(super) fn note_all(&mut self) {
        if let Some(log) = &mut self.log {
            log.all = true;
        }
    }

    /// The slots of bodies that were changed since the last call, ascending.
    pub(super) fn noted(&mut self) -> Vec<u32> {
        let Some(log) = &mut self.log else { return Vec::new() };
        let mut slots = std::mem::take(&mut log.slots);
        if std::mem::take(&mut log.all) {
            return (0..self.slots.len() as u32).collect();
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Keeps what is in a slot, before it is changed.
    pub(super) fn keep_body(&mut self, at: u32) {
        let Some(journal) = self.log.as_mut().and_then(|log| log.journal.as_mut()) else { return };
        let slot = &self.slots[at as usize];
        let kept = slot.body.as_ref().map(|placed| KeptBody {
            generation: slot.generation,
            body: placed.body.clone(),
            model_stamp: placed.model_stamp,
            motion_stamp: placed.motion_stamp,
        });
        journal.bodies.push((at, kept));
    }

    /// Keeps the rules, before they are changed.
    pub(super) fn keep_rules(&mut self) {
        if let Some(journal) = self.log.as_mut().and_then(|log| log.journal.as_mut()) {
            journal.rules.push(self.rules.clone());
        }
    }
}
