//! One question about a pair of bodies, asked once or for every row of a pose file.

pub(crate) mod answer;
pub(crate) mod asker;
pub(crate) mod batch;
pub(crate) mod context;
pub(crate) mod threads;
