//! Bounding volumes, and what a tree asks of one.
//!
//! A tree decides which triangles lie together; what is put around them is a [`Bound`]. The volumes of the papers are
//! here: [`AlignedBox`], [`Obb`] (RAPID), [`SweptSphere`] (PQP), [`Kdop`] (QuickCD) and [`Sphere`] (Quinlan), named by
//! [`Volume`] and chosen by [`Mesh::with_volume`](crate::Mesh::with_volume). One of your own is chosen by
//! [`Mesh::with_bound`](crate::Mesh::with_bound).

mod aabb;
mod aligned;
mod hull_options;
mod kdop;
mod moments;
mod moving;
mod node_volume;
mod obb;
mod rectangle_distance;
mod rough_hull;
mod sphere;
mod swept_sphere;
#[cfg(test)]
pub(crate) mod trials;
mod volume_kind;

pub use aabb::Aabb;
pub(crate) use aabb::{Box32, round_up};
pub use aligned::AlignedBox;
pub use hull_options::HullTree;
pub use kdop::{Kdop, Kdop14, Kdop18, Kdop26, Slabs};
pub(crate) use moments::Moments;
pub(crate) use moving::MovingBox;
pub use node_volume::{Bound, Placement, SLACK};
pub use obb::{Fit, Obb};
pub use sphere::Sphere;
pub use swept_sphere::SweptSphere;
pub use volume_kind::Volume;
