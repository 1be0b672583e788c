//! Whether the cut table pays: it is asked as long as what it saves is more than what it costs.
//!
//! A departure from P. Xavier, 1997, A (3), who keeps his table at all times. Over unrelated poses it cuts little, and
//! to look pairs up, to log them and to run GJK in vain is dear; warm must not be slower than cold.
//!
//! The table is awake for spells of [`SPELL`] queries. After each the balance is drawn, in eighths of a pair of nodes
//! opened: what was done below the pairs that were cut, when they were last opened, against the runs and steps of GJK
//! and an eighth of every pair opened. If nothing was gained the table sleeps, for [`NAP`] queries at first, then for
//! twice as many, up to [`LONG_NAP`]. So the loss is bounded by a spell in a long nap. After a query that opened fewer
//! than [`DEAR`] pairs, as after none, there is nothing to gain.

use crate::search::backoff::Backoff;

/// Queries from one balance to the next.
const SPELL: u32 = 4;
const NAP: u16 = 16;
const LONG_NAP: u16 = 256;

/// Fewest pairs opened that are worth a table.
const DEAR: u64 = 16;

/// Eighths of a pair opened.
const PER_SAVED: i64 = 8;
const PER_HULLS: i64 = 5;
const PER_STEP: i64 = 4;

/// What a query did, and what cuts saved it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) opened: u64,
    /// Pairs of hulls compared, and steps of GJK.
    pub(crate) hulls: u64,
    pub(crate) steps: u64,
    pub(crate) saved: u64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Worth {
    /// Pairs that the last query opened, or would have without the table.
    opened: u64,
    balance: i64,
    /// Queries of this spell.
    spell: u32,
    /// Queries still to sleep.
    nap: Backoff<NAP, LONG_NAP>,
    awake: bool,
}

impl Worth {
    /// A query begins; whether the table is awake for it.
    pub(crate) fn begin(&mut self) -> bool {
        self.awake = !self.nap.sits_out() && self.opened >= DEAR;
        self.awake
    }

    pub(crate) fn end(&mut self, spent: Spent) {
        self.opened = spent.opened + spent.saved;
        if !self.awake {
            return;
        }
        let [opened, hulls, steps, saved] =
            [spent.opened, spent.hulls, spent.steps, spent.saved].map(|n| n.min(1 << 40) as i64);
        self.balance += PER_SAVED * saved - PER_HULLS * hulls - PER_STEP * steps - opened;
        self.spell += 1;
        if self.spell < SPELL {
            return;
        }
        if self.balance > 0 {
            self.nap.paid();
        } else {
            self.nap.failed();
        }
        (self.spell, self.balance) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn awake(worth: &mut Worth, spent: Spent, queries: u32) -> usize {
        let mut ask = |_| {
            let awake = worth.begin();
            worth.end(spent);
            awake
        };
        (0..queries).filter(|k| ask(*k)).count()
    }

    #[test]
    fn what_pays_stays_awake_and_what_does_not_sleeps_long() {
        let gain = Spent { opened: 100, hulls: 5, steps: 10, saved: 50 };
        assert_eq!(awake(&mut Worth::default(), gain, 1000), 999);
        let loss = Spent { saved: 0, ..gain };
        let worth = &mut Worth::default();
        assert_eq!(awake(worth, loss, 1 + 4 + 16 + 4), 8);
        assert!(awake(worth, loss, 1000) < 4 * 8);
        // What begins to pay again is noticed after the nap.
        assert!(awake(worth, gain, 1000) > 1000 - 256 - 1);
        assert_eq!(awake(&mut Worth::default(), Spent { opened: 15, saved: 0, ..gain }, 100), 0);
    }
}
