//! Where rays meet the surface of a body.

mod cast;
mod convex_ray;
mod line;
mod mesh_ray;
mod parts_ray;
mod solid_ray;
mod triangle_hit;

pub use line::{Ray, RayHit};
