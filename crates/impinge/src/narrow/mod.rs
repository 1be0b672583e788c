//! Rank 4: exact answers about two bodies. Everything works in `a`'s frame with one relative pose.

mod brute;
mod dispatch;
mod inside;
mod mesh_distance;
mod mesh_overlap;
mod placed;

pub use dispatch::Method;
pub(crate) use dispatch::{Closest, Memory, Query};
pub(crate) use mesh_distance::Found;
pub(crate) use placed::Placed;
