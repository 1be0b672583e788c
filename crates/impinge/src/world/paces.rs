//! How long answers about two bodies took the last time, by what was asked: whether it is worth waking threads for.

use crate::threads::share::Pace;

/// What is asked about a world.
#[derive(Debug, Clone, Copy)]
pub(super) enum Asked {
    Overlap,
    Contacts,
    Within,
    Distance,
    Penetration,
    Manifolds,
    /// Any of these about the body in a slot.
    OfBody(u32),
}

/// How long an answer takes, by what is asked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Paces {
    overlap: Pace,
    contacts: Pace,
    within: Pace,
    distance: Pace,
    penetration: Pace,
    manifolds: Pace,
    /// The first look at a pair in a window of time.
    pub(super) look: Pace,
}

impl Paces {
    pub(super) fn of(&mut self, asked: Asked) -> &mut Pace {
        match asked {
            Asked::Overlap => &mut self.overlap,
            Asked::Contacts => &mut self.contacts,
            Asked::Within => &mut self.within,
            Asked::Distance => &mut self.distance,
            Asked::Manifolds => &mut self.manifolds,
            Asked::Penetration | Asked::OfBody(_) => &mut self.penetration,
        }
    }
}
