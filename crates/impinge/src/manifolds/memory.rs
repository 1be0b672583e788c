//! What is remembered of the manifolds of two bodies: the face that each contact last lay on.

/// The face on which a contact lay, and the deepest vertex of the other body there. Any content gives right answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ContactFace {
    /// One more than the face; 0 when none is remembered.
    face: u32,
    /// The vertex of the other body that was deepest.
    pub(crate) vertex: u32,
    /// Whether the face is `b`'s.
    pub(crate) of_b: bool,
}

impl ContactFace {
    pub(crate) fn new(of_b: bool, face: u32, vertex: u32) -> ContactFace {
        ContactFace { face: face.wrapping_add(1), vertex, of_b }
    }

    pub(crate) fn face(&self) -> Option<u32> {
        self.face.checked_sub(1)
    }
}

/// The faces of the contacts of all pairs of pieces, sorted by these; of two single bodies there is one.
#[derive(Debug, Clone, Default)]
pub(crate) struct ManifoldMemory {
    pub(crate) single: ContactFace,
    pub(crate) pieces: Vec<([u32; 2], ContactFace)>,
}

impl ManifoldMemory {
    /// What is remembered of two pieces.
    pub(crate) fn of_pieces(&self, pair: [u32; 2]) -> ContactFace {
        let at = self.pieces.binary_search_by_key(&pair, |known| known.0);
        at.map_or(ContactFace::default(), |k| self.pieces[k].1)
    }
}
