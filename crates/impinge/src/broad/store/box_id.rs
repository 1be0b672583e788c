//! The name of a box in a store: refused for ever once the box is removed.

use std::fmt;

/// A box in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoxId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl BoxId {
    /// What pairs call it by, until it is removed.
    pub fn slot(self) -> u32 {
        self.slot
    }
}

impl fmt::Display for BoxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "box {}.{}", self.slot, self.generation)
    }
}
