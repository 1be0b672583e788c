//! Rank 4: exact answers about two bodies. Everything works in `a`'s frame with one relative pose.

mod brute;
mod convex;
mod dispatch;
mod inside;
mod mesh_distance;
mod mesh_overlap;
mod placed;

pub use dispatch::Method;
pub(crate) use dispatch::{Closest, Memory, Query};
#[allow(unused_imports, reason = "the engines to come use them")]
pub(crate) use convex::{Cell, Near, Polyhedra, Verdict, Way};
pub(crate) use mesh_distance::Found;
pub(crate) use placed::Placed;
