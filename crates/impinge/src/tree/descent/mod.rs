//! The tandem descent of two trees, and the bounds that different queries prune by.

pub(crate) mod buckets;
pub(crate) mod cheapest;
pub(crate) mod descend;
pub(crate) mod gap;
pub(crate) mod grazing;
pub(crate) mod itself;
pub(crate) mod line;
pub(crate) mod locate;
pub(crate) mod meeting;
pub(crate) mod nearest_first;
pub(crate) mod nearing;
pub(crate) mod probe;
pub(crate) mod ray;
pub(crate) mod separation;
