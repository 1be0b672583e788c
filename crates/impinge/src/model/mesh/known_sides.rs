//! Which side of the triangles of a closed mesh is outside, where it was found to be the same for all of them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is known of the sides of a mesh.
#[derive(Debug, Default)]
pub(crate) struct KnownSides {
    /// How often the answer would have saved work.
    wanted: AtomicU32,
    /// Whether the front is outside; `None` where that is not the same for all triangles, as far as was found.
    front_is_outside: OnceLock<Option<bool>>,
}

impl Clone for KnownSides {
    fn clone(&self) -> KnownSides {
        KnownSides { wanted: AtomicU32::new(0), front_is_outside: self.front_is_outside.clone() }
    }
}

impl KnownSides {
    /// What was found, if anything was looked for.
    #[inline]
    pub(crate) fn found(&self) -> Option<Option<bool>> {
        self.front_is_outside.get().copied()
    }

    /// Whether it is time to look: for one question of those about a mesh of so many triangles, the one after as many.
    pub(crate) fn is_due(&self, triangles: u32) -> bool {
        self.wanted.fetch_add(1, Ordering::Relaxed) == triangles
    }

    /// Keeps what was found.
    pub(crate) fn keep(&self, front_is_outside: Option<bool>) {
        // Another thread may have found the same.
        let _ = self.front_is_outside.set(front_is_outside);
    }
}
