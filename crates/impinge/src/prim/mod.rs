//! Closest points and overlap of small things.

mod block;
mod block_distance;
mod block_ray;
mod curved;
mod edge_side;
mod segment;
mod simplex;
mod simplex_johnson;
mod simplex_volumes;
mod support;
mod triangle_distance;
mod triangle_fold;
mod triangle_overlap;
mod triangle_point;
mod triangle_segment;

use glam::DVec3;

pub(crate) use block::{TriangleBlock, TrianglePlane};
pub(crate) use block_distance::distances;
pub(crate) use block_ray::{FourCorners, RayWeights, ray_weights};
pub(crate) use curved::{Cone, Cylinder, Ellipsoid};
pub(crate) use edge_side::{PastVertex, edge_side, point_of_way};
pub(crate) use simplex::{Foot, RegionWalk, Solver, careful_cross, normal};
pub(crate) use simplex_johnson::Johnson;
pub(crate) use simplex_volumes::SignedVolumes;
pub use support::{Rim, Support};
pub(crate) use triangle_distance::{Nearest, Part, closest_parameters, gap_across, lower_bound, nearest, widest_gap};
pub(crate) use triangle_fold::triangles_fold;
pub(crate) use triangle_overlap::{is_degenerate, triangles_overlap, triangles_overlap_knowing};
pub(crate) use triangle_point::{closest_on, squared_from};
pub(crate) use triangle_segment::common_segment;

/// Three corners, in any order, degenerate or not.
pub(crate) type Triangle = [DVec3; 3];
