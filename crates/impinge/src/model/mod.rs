//! What a body is. It is preprocessed, immutable, cheap to clone, and has no pose.

pub(crate) mod convex;
pub(crate) mod decompose;
pub(crate) mod hull;
pub(crate) mod kinds;
pub(crate) mod mesh;
pub(crate) mod outline;
pub(crate) mod round;
pub(crate) mod shape;

pub use convex::parts::Parts;
pub use convex::polyhedron::{Convex, Dropped, Edge, Face};
#[cfg(feature = "vhacd")]
pub use decompose::approximate::Approximation;
pub use kinds::Model;
pub use mesh::deform::Refit;
pub use mesh::deforming_mesh::Deforming;
pub use mesh::topology::MeshReport;
pub use mesh::triangle_mesh::Mesh;
pub use outline::Outline;
pub use round::Round;
pub use shape::Shape;
