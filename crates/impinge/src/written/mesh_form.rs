//! Meshes, and meshes that deform.
//!
//! Vertices and triangles are written as they were given, so that indices in answers stay the same. Of vertices that no
//! triangle names only the number is kept. Volumes other than `Auto` are for speed, and are chosen again.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::form::{Format, written_as};
use crate::error::BuildError;
use crate::model::mesh::triangle_mesh::Interior;
use crate::model::{Deforming, Mesh};
use crate::tree::Builder;

/// What counts as inside: see [`Mesh::into_surface`] and [`Mesh::into_solid_by_winding`].
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Inside {
    Nothing,
    #[default]
    Enclosed,
    Winding,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeshForm {
    format: Format,
    #[serde(default)]
    inside: Inside,
    #[serde(default)]
    builder: Builder,
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl From<&Mesh> for MeshForm {
    fn from(mesh: &Mesh) -> MeshForm {
        let inside = match mesh.interior {
            Interior::Nothing => Inside::Nothing,
            Interior::Enclosed => Inside::Enclosed,
            Interior::Winding => Inside::Winding,
        };
        let (vertices, triangles) = mesh.as_given();
        MeshForm { format: Format, inside, builder: mesh.builder(), vertices, triangles }
    }
}

impl TryFrom<MeshForm> for Mesh {
    type Error = BuildError;

    fn try_from(form: MeshForm) -> Result<Mesh, BuildError> {
        let mesh = if form.vertices.is_empty() && form.triangles.is_empty() {
            Mesh::empty()
        } else {
            Mesh::with_builder(form.vertices, form.triangles, form.builder)?
        };
        Ok(match form.inside {
            Inside::Nothing => mesh.into_surface(),
            Inside::Enclosed => mesh,
            Inside::Winding => mesh.into_solid_by_winding(),
        })
    }
}

written_as!(Mesh as MeshForm);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeformingForm {
    format: Format,
    start: Mesh,
    end: Vec<DVec3>,
}

impl From<&Deforming> for DeformingForm {
    fn from(body: &Deforming) -> DeformingForm {
        DeformingForm { format: Format, start: body.mesh().clone(), end: body.end_positions() }
    }
}

impl TryFrom<DeformingForm> for Deforming {
    type Error = BuildError;

    fn try_from(form: DeformingForm) -> Result<Deforming, BuildError> {
        Deforming::new(form.start, &form.end)
    }
}

written_as!(Deforming as DeformingForm);
