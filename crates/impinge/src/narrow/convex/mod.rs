//! Two convex bodies: how near, by which engine, and what is exact.

pub(crate) mod axes;
pub(crate) mod closest;
pub(crate) mod convex_memory;
pub(crate) mod features;
pub(crate) mod half_space;
pub(crate) mod manifold;
pub(crate) mod polyhedra;
pub(crate) mod simplex;
pub(crate) mod within_rounding;
pub(crate) mod witnesses;
