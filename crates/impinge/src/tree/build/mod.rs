//! Builders of trees, and refitting them when triangles have moved.

pub(crate) mod binary;
pub(crate) mod builder;
pub(crate) mod changing;
pub(crate) mod curve;
pub(crate) mod fold;
pub(crate) mod mean;
pub(crate) mod ploc;
pub(crate) mod refit;
pub(crate) mod sah;
pub(crate) mod wide;
