//! What rays, points, regions and shapes meet, without asking every body.

mod beam;
mod box_gap;
mod casts;
mod found;
mod places;
mod points;
mod rays;
mod regions;
mod shape_casts;
mod shapes;
mod view_of;

pub use found::Found;
pub use view_of::View;
