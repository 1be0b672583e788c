//! Rays and casts.
//!
//! Where a ray meets a body, and when a body that moves straight first touches another one.

mod axial_ray;
mod ball_cast;
mod cast;
mod closed_ray;
mod convex_cast;
mod convex_ray;
mod line;
mod mesh_path;
mod mesh_ray;
mod near_line;
mod parts_ray;
mod shape_cast;
mod solid_ray;
mod triangle_hit;
mod two_balls;

pub use line::{Ray, RayHit};
pub use shape_cast::CastHit;
