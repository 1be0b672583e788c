//! The pairs that came and went in a frame.
//!
//! A pair is known by its slots. Where a slot has a new box, the pairs of the old one have gone and those of the new
//! one have come, even when they are the same numbers: a reader applies `removed` first, then `added`.

/// What came and what went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Events {
    /// Pairs that meet now and did not before.
    pub added: Vec<[u32; 2]>,
    /// Pairs that met before; they come before those added.
    pub removed: Vec<[u32; 2]>,
}

impl Events {
    pub(super) fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }
}
