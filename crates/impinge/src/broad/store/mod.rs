//! The boxes themselves: where they are, whom they may meet, what changed; lists of pairs.

pub(crate) mod bits;
pub(crate) mod boxes;
pub(crate) mod broad_phase;
pub(crate) mod cell_key;
pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod local;
pub(crate) mod pair_table;
pub(crate) mod same_threads;
pub(crate) mod stream;
