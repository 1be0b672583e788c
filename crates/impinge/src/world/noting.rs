//! Notes which bodies are changed while a world advances, and keeps their earlier states where changes may be undone.

use super::change_log::KeptBody;
use super::state::World;

impl World {
    /// Notes that the body in a slot was changed, while the world advances.
    pub(super) fn note(&mut self, slot: u32) {
        if let Some(log) = &mut self.log {
            log.slots.push(slot);
        }
    }

    /// Notes that which bodies may meet has changed for all of them.
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

    /// Keeps the body in a slot, before it is changed.
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
