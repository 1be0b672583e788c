//! The convex hull of points.

mod boundary;
mod flat;
mod merge;
mod near;
mod of_points;
mod order;
mod quick;
mod sites;
mod span;

pub(crate) use boundary::Hull;
pub(crate) use of_points::hull;
