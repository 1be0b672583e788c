//! Two polyhedra: features, rounding, brute force. All engines begin with what is in here.

pub(crate) mod brute;
#[cfg(test)]
pub(crate) mod cases;
pub(crate) mod exact_touch;
pub(crate) mod facing;
#[cfg(test)]
pub(crate) mod known_cases;
pub(crate) mod near_surface;
pub(crate) mod placed_polyhedron;
pub(crate) mod rounding;
pub(crate) mod segments;
pub(crate) mod separating_plane;
pub(crate) mod two_polyhedra;

pub(crate) use two_polyhedra::{Claim, ClosestFeatures, HullFeature, Polyhedra, WayOut};
