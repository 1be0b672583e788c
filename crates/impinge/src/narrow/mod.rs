//! Rank 4: exact answers about two bodies. Everything works in `a`'s frame with one relative pose.

mod brute;
mod convex;
#[allow(dead_code, reason = "the engines to come use it")]
mod convex_brute;
#[cfg(test)]
mod convex_cases;
#[cfg(test)]
mod convex_known;
mod depth;
mod dispatch;
#[allow(dead_code, reason = "the engines to come use it")]
mod enhanced_gjk;
#[allow(dead_code, reason = "the engines to come use it")]
mod epa;
#[allow(dead_code, reason = "the engines to come use it")]
mod epa_polyhedra;
#[allow(dead_code, reason = "the engines to come use it")]
mod gjk;
#[allow(dead_code, reason = "the engines to come use it")]
mod gjk_polyhedra;
#[allow(dead_code, reason = "the engines to come use it")]
mod facing;
#[allow(dead_code, reason = "the engines to come use it")]
mod feature_points;
#[allow(dead_code, reason = "the engines to come use it")]
mod gauss_arc;
#[allow(dead_code, reason = "the engines to come use it")]
mod gauss_map;
#[allow(dead_code, reason = "the engines to come use it")]
mod exact_touch;
mod grid_contacts;
mod grid_depth;
mod half_space;
#[allow(dead_code, reason = "the engines to come use it")]
mod incremental_depth;
mod inside;
#[allow(dead_code, reason = "the engines to come use it")]
mod lin_canny;
#[allow(dead_code, reason = "the engines to come use it")]
mod lin_canny_cells;
mod lin_canny_level;
#[allow(dead_code, reason = "the engines to come use it")]
mod lin_canny_regions;
#[allow(dead_code, reason = "the engines to come use it")]
mod manifold;
mod mesh_contact;
mod mesh_distance;
mod mesh_overlap;
mod mesh_query;
mod mesh_solid;
mod method;
#[allow(dead_code, reason = "the engines to come use it")]
mod minkowski;
#[cfg(test)]
mod parts_cases;
#[allow(dead_code, reason = "the verbs to come use it")]
mod parts_depth;
#[allow(dead_code, reason = "the verbs to come use it")]
mod parts_pair;
mod placed;
#[allow(dead_code, reason = "the engines to come use it")]
mod polytope;
#[allow(dead_code, reason = "the engines to come use it")]
mod rabbitz;
#[allow(dead_code, reason = "the engines to come use it")]
mod separating_vector;
mod stand;
#[allow(dead_code, reason = "the engines to come use it")]
mod v_clip;
#[allow(dead_code, reason = "the engines to come use it")]
mod witness_plane;

pub(crate) use dispatch::{Answer, Memory, Query};
pub use grid_contacts::Pairs;
pub(crate) use grid_contacts::Touching;
pub use method::Method;
#[allow(unused_imports, reason = "the engines to come use them")]
pub(crate) use convex::{Cell, Near, Polyhedra, Verdict, Way};
pub(crate) use mesh_distance::Found;
pub(crate) use placed::Placed;
