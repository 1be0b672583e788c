//! Rank 1: bounding volumes.

mod aabb;

pub(crate) use aabb::{Aabb, Box32, round_up};
