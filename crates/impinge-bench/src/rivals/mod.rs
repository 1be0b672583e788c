//! Rivals measured beside impinge in one process, on workloads generated from a seed, in turns.

mod both_worlds;
mod broad;
mod cast;
mod choice;
mod contacts;
mod convex;
mod embree;
mod mesh;
mod point;
mod queries;
mod ray;
mod sides;
mod single_shapes;
mod time;
mod world_frames;
mod world_questions;

pub(crate) use choice::{NAMES, run};
pub(crate) use sides::Options;
