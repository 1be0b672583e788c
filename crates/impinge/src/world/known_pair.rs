//! What a world remembers of two bodies: whose boxes meet, or that touched when events were last asked for.

use super::body::{BodyId, PlacedBody};
use crate::answer::Feature;
use crate::manifolds::Manifolds;
use crate::pair::Pair;

/// Two bodies whose boxes meet. Their memory is made at the first query about them.
#[derive(Debug, Clone)]
pub(super) struct KnownPair {
    /// Their slots, ascending.
    pub(super) slots: [u32; 2],
    /// The stamps of the models that the memory was made for.
    model_stamps: [u64; 2],
    memory: Option<Box<PairMemory>>,
}

/// A pair, and the list that its manifolds are put into.
#[derive(Debug, Clone)]
pub(super) struct PairMemory {
    pub(super) pair: Pair,
    pub(super) manifolds: Manifolds,
}

impl KnownPair {
    /// A pair of which nothing is remembered yet.
    pub(super) fn new(slots: [u32; 2]) -> KnownPair {
        KnownPair { slots, model_stamps: [0; 2], memory: None }
    }

    /// What is remembered, with the models that the bodies have now.
    pub(super) fn memory(&mut self, a: &PlacedBody, b: &PlacedBody) -> &mut PairMemory {
        let stamps = [a.model_stamp, b.model_stamp];
        let new = || PairMemory { pair: Pair::new(&a.body.model, &b.body.model), manifolds: Manifolds::new() };
        let memory = self.memory.get_or_insert_with(|| {
            self.model_stamps = stamps;
            Box::new(new())
        });
        if self.model_stamps[0] != stamps[0] {
            memory.pair.replace_a(&a.body.model);
        }
        if self.model_stamps[1] != stamps[1] {
            memory.pair.replace_b(&b.body.model);
        }
        self.model_stamps = stamps;
        memory
    }

    /// The list that the manifolds of the last question about them are in.
    pub(super) fn manifolds(&mut self) -> Option<&mut Manifolds> {
        self.memory.as_mut().map(|memory| &mut memory.manifolds)
    }
}

/// Two bodies that touch, and whether one of them is a sensor.
#[derive(Debug, Clone)]
pub(super) struct TouchedPair {
    pub(super) ids: [BodyId; 2],
    pub(super) sensor: bool,
    /// Sorted by their ids, each once.
    pub(super) points: Vec<TouchedPoint>,
}

/// A point of their contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct TouchedPoint {
    pub(super) id: u64,
    pub(super) features: [Feature; 2],
}
