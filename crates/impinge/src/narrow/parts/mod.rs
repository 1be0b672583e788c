//! Bodies made of convex pieces, and single pieces at one moment.

pub(crate) mod closest_features;
#[cfg(test)]
pub(crate) mod parts_cases;
pub(crate) mod parts_depth;
pub(crate) mod parts_front;
pub(crate) mod parts_pair;
pub(crate) mod piece;
pub(crate) mod piece_depth;
pub(crate) mod piece_outcome;
