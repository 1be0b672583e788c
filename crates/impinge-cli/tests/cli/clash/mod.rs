//! `impinge clash`: every part of an assembly against every other.

pub(crate) mod answers;
mod baseline;
mod corpus;
mod robots;
mod rules;
mod runs;
mod tolerance;
mod urdf;
