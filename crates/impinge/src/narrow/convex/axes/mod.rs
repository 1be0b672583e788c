//! Engines that look for a direction: Baraff, Chung-Wang, Rabbitz, Gauss map.

pub(crate) mod gauss_arc;
pub(crate) mod gauss_map;
pub(crate) mod rabbitz;
pub(crate) mod separating_vector;
pub(crate) mod witness_plane;
