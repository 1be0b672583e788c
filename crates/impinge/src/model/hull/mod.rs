//! The convex hull of points, exact; hulls with a bounded number of corners are in `model/convex` and `model/mesh`.

pub(crate) mod boundary;
pub(crate) mod facet;
pub(crate) mod flat;
pub(crate) mod merge;
pub(crate) mod near;
pub(crate) mod newell;
pub(crate) mod of_points;
pub(crate) mod order;
pub(crate) mod quick;
pub(crate) mod sites;
pub(crate) mod span;
