//! Finds how near two bodies come over a span of time.

pub(crate) mod chord;
pub(crate) mod node_shape;
pub(crate) mod revolved_search;
pub(crate) mod search;
pub(crate) mod side_planes;
pub(crate) mod stretch;
pub(crate) mod tangent_hull;
