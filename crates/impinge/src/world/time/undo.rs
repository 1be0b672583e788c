//! Takes a world back to before an encounter that was reported too early, because estimates for other pairs were too
//! late.
//!
//! Bodies and rules are kept before each change ([`crate::world::change_log`]) and put back; nothing else has a state,
//! because motions are closed forms. Cost: the changes since then, whatever the number of bodies.

use std::collections::BTreeMap;

use super::encounter::{Encounter, EncounterKind};
use crate::world::change_log::{JournalMark, KeptBody};
use crate::world::state::World;

/// The encounters reported in a window, each with the number of changes in the journal before it.
#[derive(Debug, Default)]
pub(in crate::world) struct Reported {
    entries: Vec<(Encounter, JournalMark)>,
}

impl Reported {
    /// The time of the last encounter.
    pub(in crate::world) fn latest(&self) -> f64 {
        self.entries.last().map_or(f64::NEG_INFINITY, |(encounter, _)| encounter.time)
    }

    pub(in crate::world) fn keep(&mut self, world: &World, encounter: &Encounter) {
        self.entries.push((encounter.clone(), world.journal_mark()));
    }

    /// Takes the world back to before the first encounter later than this time; returns the encounters undone, the last
    /// first.
    pub(in crate::world) fn undo(&mut self, world: &mut World, time: f64) -> Vec<Encounter> {
        let first = self.entries.partition_point(|(encounter, _)| encounter.time <= time);
        let undone: Vec<(Encounter, JournalMark)> = self.entries.drain(first..).collect();
        if let Some((_, mark)) = undone.first() {
            world.restore(*mark);
        }
        let undo = |(encounter, _)| Encounter { kind: EncounterKind::Undone, ..encounter };
        undone.into_iter().rev().map(undo).collect()
    }
}

impl World {
    fn journal_mark(&self) -> JournalMark {
        let journal = self.log.as_ref().and_then(|log| log.journal.as_ref());
        journal.map_or(JournalMark::default(), |journal| JournalMark {
            bodies: journal.bodies.len(),
            rules: journal.rules.len(),
        })
    }

    /// Forgets all encounters and changes kept so far: these will not be undone.
    pub(in crate::world) fn clear_journal(&mut self) {
        if let Some(log) = self.log.as_mut().filter(|log| !log.nested)
            && let Some(journal) = &mut log.journal
        {
            journal.bodies.clear();
            journal.rules.clear();
        }
    }

    /// Removes bodies that were added since; restores those that were removed or changed.
    fn restore(&mut self, mark: JournalMark) {
        // The steps of undoing are not kept: the journal is cut back to the mark.
        let Some(mut journal) = self.log.as_mut().and_then(|log| log.journal.take()) else { return };
        let rules = journal.rules.drain(mark.rules..).next().unwrap_or_else(|| self.rules.clone());
        let mut before: BTreeMap<u32, Option<KeptBody>> = BTreeMap::new();
        for (slot, kept) in journal.bodies.drain(mark.bodies..) {
            before.entry(slot).or_insert(kept);
        }
        for (at, then) in before {
            let now = self.slots[at as usize].body.as_ref().map(|p| (p.model_stamp, p.motion_stamp, p.body.filter));
            if now == then.as_ref().map(|kept| (kept.model_stamp, kept.motion_stamp, kept.body.filter)) {
                continue;
            }
            if now.is_some() {
                let removed = self.remove(self.id(at));
                debug_assert!(removed.is_ok(), "{removed:?}");
            }
            if let Some(kept) = then {
                self.put_back(at, kept);
            }
        }
        self.rules = rules;
        if let Some(log) = &mut self.log {
            log.journal = Some(journal);
        }
    }
}
