//! What a ray, a point, a region or another shape meets in a world, without going through all bodies.

mod beam;
mod casts;
mod found;
mod places;
mod points;
mod rays;
mod regions;
mod shapes;
mod view_of;

pub use found::Found;
pub use view_of::View;
