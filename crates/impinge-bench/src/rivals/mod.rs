//! Rivals measured beside impinge in one process, on workloads generated from a seed, in turns.

mod broad;
mod choice;
mod convex;
mod mesh;
mod point;
mod queries;
mod ray;
mod sides;
mod single_shapes;
mod time;

pub(crate) use choice::{NAMES, run};
pub(crate) use sides::Options;
