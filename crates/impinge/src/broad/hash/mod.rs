//! Hierarchical spatial hashing.

pub(crate) mod coherent_hash;
#[cfg(test)]
pub(crate) mod hash_trials;
pub(crate) mod levels;
pub(crate) mod spatial_hash;
