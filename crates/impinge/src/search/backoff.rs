//! When to try again what did not pay: after each failure it is not tried for twice as many turns, up to a limit.
//!
//! A cache, a look ahead or another order of work pays only sometimes. It is tried, and after a failure it is left out
//! for some turns, so that its cost stays a small share of that of the turns without it. After one success the next
//! failure counts as the first again.

/// Turns to leave out: `FIRST` after the first failure, then twice as many after each, and no more than `MOST`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Backoff<const FIRST: u16, const MOST: u16> {
    /// Turns that are still to be left out.
    left: u16,
    /// Turns to leave out after the next failure.
    next: u16,
}

impl<const FIRST: u16, const MOST: u16> Backoff<FIRST, MOST> {
    /// Nothing has failed yet.
    pub(crate) const NEW: Self = Backoff { left: 0, next: FIRST };

    /// A turn begins; returns whether it is to be left out.
    #[inline(always)]
    pub(crate) fn sits_out(&mut self) -> bool {
        let waits = self.left > 0;
        self.left = self.left.saturating_sub(1);
        waits
    }

    /// Turns that are still to be left out.
    #[cfg(test)]
    pub(crate) fn left(&self) -> u16 {
        self.left
    }

    /// It was tried in vain.
    pub(crate) fn failed(&mut self) {
        self.left = self.next;
        self.next = self.next.saturating_mul(2).min(MOST);
    }

    /// It was tried, and paid.
    pub(crate) fn paid(&mut self) {
        *self = Self::NEW;
    }
}

impl<const FIRST: u16, const MOST: u16> Default for Backoff<FIRST, MOST> {
    fn default() -> Self {
        Self::NEW
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn pauses_double_up_to_the_limit_and_begin_anew() {
        let mut backoff = Backoff::<3, 20>::NEW;
        assert!(!backoff.sits_out());
        for pause in [3, 6, 12, 20, 20] {
            backoff.failed();
            assert_eq!((0..100).take_while(|_| backoff.sits_out()).count(), pause);
        }
        backoff.paid();
        backoff.failed();
        assert_eq!((0..100).take_while(|_| backoff.sits_out()).count(), 3);
    }
}
