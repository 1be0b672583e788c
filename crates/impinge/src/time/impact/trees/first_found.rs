//! The first contact that a search through trees has found so far.

use glam::DVec3;

use crate::math::Interval;
use crate::time::impact::piece_contact::PieceContact;

/// The first contact of two bodies, and the names of the pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeContact {
    pub(crate) touch: PieceContact,
    pub(crate) pieces: [u32; 2],
}

/// The contacts found so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstFound {
    /// The contact, certain or not, that may be the earliest.
    first: Option<TreeContact>,
    /// The earliest of the certain contacts.
    sure: Option<TreeContact>,
    /// Contacts after this time do not matter: the end of the span, or a time at which the bodies certainly touch.
    pub(crate) limit: f64,
}

impl FirstFound {
    /// Nothing found yet, and only contacts before `limit` wanted.
    pub(crate) fn before(limit: f64) -> FirstFound {
        FirstFound { first: None, sure: None, limit }
    }

    pub(crate) fn offer(&mut self, at: TreeContact) {
        let Interval { lower, upper } = at.touch.time;
        if self.first.is_none_or(|first| lower < first.touch.time.lower) {
            self.first = Some(at);
        }
        if at.touch.certain && self.sure.is_none_or(|sure| upper < sure.touch.time.upper) {
            self.sure = Some(at);
            self.limit = self.limit.min(upper);
        }
    }

    /// Takes over what another search has found certain: bodies touch then, whoever found it.
    pub(crate) fn learn(&mut self, other: &FirstFound) {
        if let Some(sure) = other.sure
            && self.sure.is_none_or(|own| sure.touch.time.upper < own.touch.time.upper)
        {
            self.offer(sure);
        }
    }

    /// The time before which nothing touches, for another search: of a search that has come to `reached`, and may have
    /// left uncertain contacts behind, which the other may prove not to be ones.
    pub(crate) fn clear_until(&self, reached: f64) -> f64 {
        self.first.map_or(reached, |first| first.touch.time.lower.min(reached))
    }

    /// Whether the first contact found is uncertain, and another search has proven that it is none. Then this search
    /// has lost pairs that it no longer follows, and cannot tell the first contact.
    pub(crate) fn is_refuted(&self, clear: f64) -> bool {
        self.first.is_some_and(|first| !first.touch.certain && first.touch.time.upper < clear)
    }

    /// The time of the first contact found, if it is uncertain and nothing touches before.
    pub(crate) fn may_begin(&self, clear: f64) -> Option<f64> {
        let first = self.first.filter(|first| !first.touch.certain)?.touch.time.lower;
        (first <= clear).then_some(first)
    }

    /// Adds an uncertain contact for the pairs that are left open: they may touch at any time from `t` on.
    pub(crate) fn give_up(&mut self, t: f64, until: f64) {
        let open = PieceContact {
            time: Interval { lower: t, upper: self.limit.min(until) },
            certain: false,
            normal: DVec3::ZERO,
            witness: None,
        };
        self.offer(TreeContact { touch: open, pieces: [0; 2] });
    }

    /// The first contact. Its time begins when a first pair may touch, and ends when a pair certainly touches; pieces
    /// and points are those of the second pair.
    pub(crate) fn earliest(self) -> Option<TreeContact> {
        let first = self.first?;
        let mut at = self.sure.unwrap_or(first);
        at.touch.time.lower = first.touch.time.lower;
        Some(at)
    }
}
