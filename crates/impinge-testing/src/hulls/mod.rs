//! The oracle for convex hulls of points: distance, depth and overlap with proven bounds, by brute force.
//!
//! Nothing here walks, climbs or expands: all triples are tried for faces, all pairs of features for the distance, all
//! candidate normals for the depth. `f64` is used where its error is bounded and small enough, big integers elsewhere.

pub mod clouds;
pub mod depth;
pub mod distance;
pub mod shell;
mod truth;

pub use truth::{Truth, exact, size, truth};
