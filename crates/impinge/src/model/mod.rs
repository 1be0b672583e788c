//! Rank 3: what a body is. Preprocessed, immutable, cheap to clone, and never knowing where it stands.

#[cfg(feature = "vhacd")]
mod approximate;
mod convex;
mod convex_support;
mod copies;
mod decompose;
mod decompose_cells;
mod decompose_merge;
mod deform;
mod direction_cells;
mod given;
mod hull;
mod hull_slots;
mod kinds;
mod measure;
mod mesh;
mod mesh_as_convex;
mod mesh_pieces;
mod newell;
mod outer;
mod outline;
mod parts;
mod parts_tree;
mod round;
mod topology;
mod weld;
mod winding;
mod wrapper;

#[cfg(feature = "vhacd")]
pub use approximate::Approximation;
pub(crate) use convex::{CONVEX_LIMIT, Edge, Face, HalfEdge, NONE};
pub use convex::{Convex, Dropped};
pub(crate) use convex_support::Start;
pub use deform::Refit;
pub(crate) use hull_slots::{HullSlots, SLACK as HULL_SLACK, Vertices as HullVertices};
pub use kinds::Model;
pub use mesh::Mesh;
pub(crate) use mesh::validate_positions;
pub use outline::Outline;
pub use parts::Parts;
pub(crate) use round::Core;
pub use round::Round;
pub use topology::MeshReport;
