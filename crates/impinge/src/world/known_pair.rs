//! What a world remembers of two bodies: whose boxes meet, or that touched when events were last asked for.

use super::body::{BodyId, PlacedBody};
use crate::pair::Pair;

/// Two bodies that touch, and whether one of them is a sensor.
#[derive(Debug, Clone, Copy)]
pub(super) struct TouchedPair {
    pub(super) ids: [BodyId; 2],
    pub(super) sensor: bool,
}

/// Two bodies whose boxes meet. Their memory is made at the first query about them.
#[derive(Debug, Clone)]
pub(super) struct KnownPair {
    /// Their slots, ascending.
    pub(super) slots: [u32; 2],
    /// The stamps of the models that the memory was made for.
    model_stamps: [u64; 2],
    pair: Option<Box<Pair>>,
}

impl KnownPair {
    /// A pair of which nothing is remembered yet.
    pub(super) fn new(slots: [u32; 2]) -> KnownPair {
        KnownPair { slots, model_stamps: [0; 2], pair: None }
    }

    /// The pair, with the models that the bodies have now.
    pub(super) fn pair(&mut self, a: &PlacedBody, b: &PlacedBody) -> &mut Pair {
        let stamps = [a.model_stamp, b.model_stamp];
        let new = || Box::new(Pair::new(&a.body.model, &b.body.model));
        let pair = self.pair.get_or_insert_with(|| {
            self.model_stamps = stamps;
            new()
        });
        if self.model_stamps[0] != stamps[0] {
            pair.replace_a(&a.body.model);
        }
        if self.model_stamps[1] != stamps[1] {
            pair.replace_b(&b.body.model);
        }
        self.model_stamps = stamps;
        pair
    }
}
