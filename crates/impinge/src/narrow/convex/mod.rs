//! Two convex bodies: how near they are, by which engine, and what is exact.

pub(crate) mod axes;
pub(crate) mod brute;
#[cfg(test)]
pub(crate) mod cases;
pub(crate) mod closest;
pub(crate) mod exact_touch;
pub(crate) mod features;
pub(crate) mod half_space;
#[cfg(test)]
pub(crate) mod known_cases;
pub(crate) mod manifold;
pub(crate) mod polyhedra;
pub(crate) mod separating_plane;
pub(crate) mod simplex;
pub(crate) mod within_rounding;
