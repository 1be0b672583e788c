//! Whether the cut table pays: it is used as long as it saves more work than it costs.
//!
//! P. Xavier, 1997, A (3), uses his table in every query. Here it can be switched off: over unrelated poses it cuts
//! little, and then looking pairs up, logging them and running GJK for nothing would make a warm query slower than a
//! cold one.
//!
//! The table is used for [`TRIAL`] queries in a row; then gain and loss are compared, in eighths of the work of opening
//! a pair of nodes. The gain is the work that was done below the pairs that were cut, when they were last opened; the
//! loss is the runs and steps of GJK, and an eighth for every pair opened. If there was no gain the table is left alone
//! for [`FIRST_PAUSE`] queries, the next time for twice as many, up to [`LONGEST_PAUSE`]: so at worst [`TRIAL`] queries
//! in [`LONGEST_PAUSE`] lose time. After a query that opened fewer than [`WORTHWHILE`] pairs the table is not used
//! either.

use crate::search::backoff::Backoff;

/// Queries from one comparison of gain and loss to the next.
const TRIAL: u32 = 4;
const FIRST_PAUSE: u16 = 16;
const LONGEST_PAUSE: u16 = 256;

/// Fewest pairs opened that are worth a table.
const WORTHWHILE: u64 = 16;

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

/// What the table gains and costs, and whether it is in use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Worth {
    /// Pairs that the last query opened, or would have without the table.
    opened: u64,
    /// Gain less loss since they were last compared.
    balance: i64,
    /// Queries since gain and loss were last compared.
    trial: u32,
    /// Queries for which the table is left alone.
    pause: Backoff<FIRST_PAUSE, LONGEST_PAUSE>,
    in_use: bool,
}

impl Worth {
    /// A query begins; whether it uses the table.
    pub(crate) fn begin(&mut self) -> bool {
        self.in_use = !self.pause.sits_out() && self.opened >= WORTHWHILE;
        self.in_use
    }

    /// The query is over.
    pub(crate) fn end(&mut self, spent: Spent) {
        self.opened = spent.opened + spent.saved;
        if !self.in_use {
            return;
        }
        let [opened, hulls, steps, saved] =
            [spent.opened, spent.hulls, spent.steps, spent.saved].map(|n| n.min(1 << 40) as i64);
        self.balance += PER_SAVED * saved - PER_HULLS * hulls - PER_STEP * steps - opened;
        self.trial += 1;
        if self.trial < TRIAL {
            return;
        }
        if self.balance > 0 {
            self.pause.paid();
        } else {
            self.pause.failed();
        }
        (self.trial, self.balance) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_use(worth: &mut Worth, spent: Spent, queries: u32) -> usize {
        let mut ask = |_| {
            let in_use = worth.begin();
            worth.end(spent);
            in_use
        };
        (0..queries).filter(|k| ask(*k)).count()
    }

    #[test]
    fn a_table_that_pays_stays_in_use_and_another_is_left_alone() {
        let gain = Spent { opened: 100, hulls: 5, steps: 10, saved: 50 };
        assert_eq!(in_use(&mut Worth::default(), gain, 1000), 999);
        let loss = Spent { saved: 0, ..gain };
        let worth = &mut Worth::default();
        assert_eq!(in_use(worth, loss, 1 + 4 + 16 + 4), 8);
        assert!(in_use(worth, loss, 1000) < 4 * 8);
        // After the pause the table is tried again, and it pays again.
        assert!(in_use(worth, gain, 1000) > 1000 - 256 - 1);
        assert_eq!(in_use(&mut Worth::default(), Spent { opened: 15, saved: 0, ..gain }, 100), 0);
    }
}
