//! How far a point is from a body. On which side of its surface, too, and which point of the surface is nearest.

mod box_gaps;
mod closed_point;
mod convex_point;
mod ellipsoid_point;
mod four_triangles;
mod mesh_point;
mod mesh_side;
mod nearest_triangle;
mod parts_point;
mod placed_point;
mod point_distance;
mod polyhedron_point;
mod signed_gap;
mod verbs;

pub use point_distance::PointDistance;
