//! Engines that grow simplices in the Minkowski difference: GJK and EPA.

pub(crate) mod boolean_gjk;
pub(crate) mod enhanced_gjk;
pub(crate) mod epa;
pub(crate) mod epa_polyhedra;
pub(crate) mod flat_gap;
pub(crate) mod gjk;
pub(crate) mod gjk_polyhedra;
pub(crate) mod minkowski;
pub(crate) mod polytope;
