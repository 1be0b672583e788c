//! One tree type over flat arrays, its builders, and the one tandem descent that all queries share.

#[cfg(test)]
pub(crate) mod bound_trials;
pub(crate) mod build;
pub(crate) mod descent;
pub(crate) mod nodes;
pub(crate) mod oriented;
pub(crate) mod volumes;

pub use build::builder::Builder;
