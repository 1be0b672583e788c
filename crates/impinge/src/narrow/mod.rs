//! Rank 4: exact answers about two bodies. Everything works in `a`'s frame with one relative pose.

mod brute;
mod common_ball;
mod convex;
mod convex_brute;
#[cfg(test)]
pub(crate) mod convex_cases;
#[cfg(test)]
mod convex_known;
mod convex_meshes;
mod course;
mod cut_table;
mod cut_worth;
mod depth;
mod dispatch;
mod doubt;
mod enhanced_gjk;
mod epa;
mod epa_polyhedra;
mod exact_touch;
mod facing;
mod feature_points;
mod first_sight;
mod flat_gap;
mod front;
mod gauss_arc;
mod gauss_map;
pub(crate) mod gjk;
mod gjk_polyhedra;
mod grid_contacts;
mod grid_depth;
mod grid_mesh_depth;
mod half_space;
mod hull_tree;
#[cfg(test)]
mod hull_tree_counts;
mod incremental_depth;
mod inside;
mod limit;
mod lin_canny;
mod lin_canny_cells;
mod lin_canny_level;
mod lin_canny_regions;
mod look_ahead;
mod manifold;
mod mesh_contact;
mod mesh_depth;
mod mesh_distance;
mod mesh_near;
mod mesh_overlap;
mod mesh_query;
mod mesh_sight;
mod mesh_solid;
mod mesh_sweep;
#[cfg(test)]
mod mesh_sweep_trials;
mod method;
mod minkowski;
mod parting_plane;
#[cfg(test)]
mod parts_cases;
mod parts_depth;
mod parts_pair;
mod piece;
mod piece_depth;
mod placed;
mod polytope;
mod precision;
mod prism;
mod rabbitz;
mod rescaled_depth;
mod self_contacts;
mod separating_vector;
mod shortest;
mod simplex_cache;
mod stand;
mod sum_facets;
mod union_depth;
mod v_clip;
mod witness_plane;

#[cfg(test)]
pub(crate) use convex::Verdict;
pub(crate) use convex::{Cell, Near, Polyhedra, Way};
pub(crate) use dispatch::{Answer, Memory, Query};
pub(crate) use gjk_polyhedra::cell;
pub use grid_contacts::Pairs;
pub(crate) use grid_contacts::Touching;
pub use limit::Limit;
pub(crate) use mesh_contact::feature;
pub(crate) use mesh_distance::Found;
pub(crate) use mesh_query::MANY;
pub(crate) use mesh_solid::{Corners, Cuboid};
pub(crate) use mesh_sweep::MeshSweep;
pub use method::Method;
pub(crate) use minkowski::{Apex, At, Difference, Mapped};
pub(crate) use piece::{
    Carrier, Features, Piece, Sight, Witnessed, across_features, between_cells, closest_edges, gap, look,
    more_directions, touches,
};
pub(crate) use piece_depth::depth_of;
pub(crate) use placed::Placed;
pub use precision::Precision;
pub use self_contacts::{Neighbours, SelfContacts};
pub(crate) use stand::{Recollection, Solid};
