//! Two bodies that touched when events were last asked for.

use super::body::BodyId;
use crate::answer::Feature;

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
