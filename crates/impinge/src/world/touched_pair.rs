//! Two bodies that touched when events were last asked for.

use super::body::BodyId;

/// Two bodies that touch, and whether one of them is a sensor.
#[derive(Debug, Clone, Copy)]
pub(super) struct TouchedPair {
    pub(super) ids: [BodyId; 2],
    pub(super) sensor: bool,
}
