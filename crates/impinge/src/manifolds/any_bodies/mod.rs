//! Any two bodies.

pub(crate) mod find;
pub(crate) mod refine;
pub(crate) mod seams;
