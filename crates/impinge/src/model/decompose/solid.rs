//! Whether a body has an inside, and how much.

use crate::error::BuildError;
use crate::model::convex::polyhedron::Convex;
use crate::model::mesh::triangle_mesh::Mesh;

/// The volume of a mesh that has an inside.
pub(crate) fn solid_volume(mesh: &Mesh) -> Result<f64, BuildError> {
    let report = mesh.report();
    if !report.closed {
        mesh.clone().into_solid()?;
        return Err(BuildError::Empty);
    }
    match report.volume {
        None => Err(BuildError::NotDecomposed { why: "its triangles are not wound alike" }),
        Some(v) if v.is_finite() && v != 0.0 => Ok(v.abs()),
        Some(_) => Err(BuildError::NotDecomposed { why: "it has no volume" }),
    }
}

/// Whether a body has an inside.
pub(crate) fn has_inside(convex: &Convex) -> bool {
    convex.face_count() >= 4
}
