//! How many contacts a list may have.

/// How many contacts are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// One, whichever is found first.
    First,
    /// At most so many.
    UpTo(usize),
    /// Every one, up to 2²⁶ of them.
    All,
}

/// Most contacts a list may have: half a gigabyte of them.
const MOST_CONTACTS: usize = 1 << 26;

impl Limit {
    /// As a number.
    pub(crate) fn most(self) -> usize {
        match self {
            Limit::First => 1,
            Limit::UpTo(n) => n.min(MOST_CONTACTS),
            Limit::All => MOST_CONTACTS,
        }
    }
}
