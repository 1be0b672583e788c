//! How deep two bodies are in each other, beyond what an engine for two convex polyhedra says.

pub(crate) mod common_ball;
pub(crate) mod convex_depth;
pub(crate) mod mesh_depth;
pub(crate) mod shortest;
pub(crate) mod sum_facets;
pub(crate) mod union_depth;
