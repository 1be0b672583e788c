//! The store of boxes: where they are, what they may meet, and what changed; also lists of pairs.

pub(crate) mod bits;
pub(crate) mod box_id;
pub(crate) mod boxes;
pub(crate) mod broad_phase;
pub(crate) mod cell_key;
pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod filter;
pub(crate) mod local;
pub(crate) mod pair_set;
pub(crate) mod pair_table;
pub(crate) mod plain_pairs;
pub(crate) mod stream;
