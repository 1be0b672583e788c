//! What `impact` costs when it chooses by itself, beside every method there is, on random pairs and motions.
//!
//! Case `k` is drawn from the seed and `k` alone, so that one case can be run again by its number. For each case every
//! way to ask is timed in turn, each on a pair that remembers nothing, and the answers are compared. Noise of the
//! machine cannot be told from work by a clock alone: beside each time stands a count of the work, which is the same
//! in every run.

mod answers;
mod cases;
mod figures;
mod measure;
mod motions;
mod once_slow;
mod ways;

pub(crate) use figures::run;

/// What the command line asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Auto {
    /// How many cases.
    pub(crate) cases: u64,
    /// The first case.
    pub(crate) first: u64,
    /// Whether each case is shown.
    pub(crate) each: bool,
}

impl Auto {
    pub(crate) const FULL: Auto = Auto { cases: 10_000, first: 0, each: false };
    pub(crate) const QUICK: Auto = Auto { cases: 400, first: 0, each: false };
}
