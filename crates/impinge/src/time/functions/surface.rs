//! The surface of a body as a mesh: a mesh is used as it is, polyhedra and unions of them are converted.
//!
//! Faces are cut into the same fans that decide the overlap of polyhedra exactly
//! (`narrow/convex/polyhedra/exact_touch.rs`). A union gives the triangles of all pieces, also those
//! inside other pieces: these are not on the surface of the union, but their points belong to the body. Cost: building
//! the tree of the triangles.

use crate::model::round::Core;
use crate::model::{Convex, Mesh, Model};

/// Triangles of a body.
#[derive(Debug)]
pub(crate) enum Surface<'m> {
    Original(&'m Mesh),
    Converted(Box<Mesh>),
}

impl<'m> Surface<'m> {
    /// `None` where triangles do not decide contact: for bodies with a margin or without corners, and for solids whose
    /// inside is not bounded by their triangles.
    pub(crate) fn of(model: &'m Model) -> Option<Surface<'m>> {
        match model {
            Model::Mesh(mesh) => (!mesh.is_solid_by_winding()).then_some(Surface::Original(mesh)),
            // Its surface at one time would not hold for the whole span.
            Model::Deforming(_) => None,
            Model::Convex(body) => converted([&**body]),
            Model::Parts(parts) => converted(parts.pieces()),
            Model::Round(round) => match round.core() {
                Core::Polyhedron(body) if round.margin() == 0.0 => converted([body]),
                _ => None,
            },
        }
    }

    pub(crate) fn mesh(&self) -> &Mesh {
        match self {
            Surface::Original(mesh) => mesh,
            Surface::Converted(mesh) => mesh,
        }
    }
}

fn converted<'m>(pieces: impl IntoIterator<Item = &'m Convex>) -> Option<Surface<'m>> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for body in pieces {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(body.vertices());
        if body.face_count() == 0 {
            let last = vertices.len() as u32 - 1;
            triangles.push([first, last, last]);
        }
        for f in 0..body.face_count() as u32 {
            let around = body.face_edges(f);
            let corner = |k: usize| first + body.tail(around[k]);
            triangles.extend((1..around.len().saturating_sub(1)).map(|k| [corner(0), corner(k), corner(k + 1)]));
        }
    }
    Mesh::new(vertices, triangles).ok().map(|mesh| Surface::Converted(Box::new(mesh)))
}
