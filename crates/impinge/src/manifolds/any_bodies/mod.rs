//! The manifolds and contacts of any two bodies: which of the others answers, piece by piece.

pub(crate) mod find;
pub(crate) mod refine;
pub(crate) mod seams;
