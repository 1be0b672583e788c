//! One question, asked once or for every row of a file.

pub(crate) mod answer;
pub(crate) mod asker;
pub(crate) mod batch;
pub(crate) mod context;
pub(crate) mod rows;
pub(crate) mod threads;
