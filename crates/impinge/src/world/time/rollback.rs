//! What was reported in a window, with the world as it was before, for estimates that were too late.
//!
//! The simple form: the bodies and their motions are kept before each encounter, and put back as a whole. Motions are
//! shared, so that a body costs a few words; nothing else has a state, because motions are closed forms.

use super::encounter::{Encounter, Kind};
use crate::world::body::{Body, Slot};
use crate::world::pair_rules::PairRules;
use crate::world::state::World;

/// All bodies at one time, and who may meet.
#[derive(Debug)]
struct Snapshot {
    slots: Vec<(u32, Option<Kept>)>,
    rules: PairRules,
}

/// A body with the stamps of its model and of its motion.
#[derive(Debug)]
struct Kept {
    body: Body,
    stamps: [u64; 2],
}

/// The encounters of a window.
#[derive(Debug, Default)]
pub(in crate::world) struct Log {
    entries: Vec<(Encounter, Snapshot)>,
}

impl Log {
    /// When the last one was.
    pub(in crate::world) fn latest(&self) -> f64 {
        self.entries.last().map_or(f64::NEG_INFINITY, |(encounter, _)| encounter.time)
    }

    pub(in crate::world) fn keep(&mut self, world: &World, encounter: &Encounter) {
        self.entries.push((encounter.clone(), world.snapshot()));
    }

    /// Takes the world back to before the first encounter that is later than this; these, the last first.
    pub(in crate::world) fn undo(&mut self, world: &mut World, time: f64) -> Vec<Encounter> {
        let first = self.entries.partition_point(|(encounter, _)| encounter.time <= time);
        let undone: Vec<(Encounter, Snapshot)> = self.entries.drain(first..).collect();
        if let Some((_, snapshot)) = undone.first() {
            world.restore(snapshot);
        }
        undone.into_iter().rev().map(|(encounter, _)| Encounter { kind: Kind::Undone, ..encounter }).collect()
    }
}

impl World {
    fn snapshot(&self) -> Snapshot {
        let kept = |slot: &Slot| {
            let kept = slot.body.as_ref().map(|p| Kept { body: p.body.clone(), stamps: [p.stamp, p.moved] });
            (slot.generation, kept)
        };
        Snapshot { slots: self.slots.iter().map(kept).collect(), rules: self.rules.clone() }
    }

    /// Bodies that were added since are taken out; those that were taken out or changed are as they were.
    fn restore(&mut self, snapshot: &Snapshot) {
        for at in 0..self.slots.len() as u32 {
            let now = self.slots[at as usize].body.as_ref().map(|p| ([p.stamp, p.moved], p.body.filter));
            let then =
                snapshot.slots.get(at as usize).and_then(|(generation, kept)| Some((*generation, kept.as_ref()?)));
            if now == then.map(|(_, kept)| (kept.stamps, kept.body.filter)) {
                continue;
            }
            if now.is_some() {
                let removed = self.remove(self.id(at));
                debug_assert!(removed.is_ok(), "{removed:?}");
            }
            if let Some((generation, kept)) = then {
                self.put_back(at, generation, kept.body.clone(), kept.stamps);
            }
        }
        self.rules.clone_from(&snapshot.rules);
    }
}
