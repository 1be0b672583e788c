//! Work that several threads share: the one room that knows rayon.

pub(crate) mod pool;
pub(crate) mod same_threads;
pub(crate) mod share;
