//! A body as the grid of pairs tells bodies apart: a mesh, one convex body, or many.

use super::solid::Solid;
use crate::model::{Mesh, Model, Parts};

/// A body, by which engines can answer about it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BodyKind<'m> {
    Mesh(&'m Mesh),
    Solid(Solid<'m>),
    Parts(&'m Parts),
}

impl<'m> BodyKind<'m> {
    pub(crate) fn of(model: &'m Model) -> BodyKind<'m> {
        match model {
            Model::Mesh(mesh) => BodyKind::Mesh(mesh),
            Model::Deforming(body) => BodyKind::Mesh(body.mesh()),
            Model::Parts(parts) => BodyKind::Parts(parts),
            Model::Convex(convex) => BodyKind::Solid(Solid::polyhedron(convex)),
            Model::Round(round) => BodyKind::Solid(Solid { core: round.core(), margin: round.margin() }),
        }
    }

    /// The hull or piece at a node of the tree of parts; other bodies have one node.
    pub(crate) fn node(self, node: u32) -> BodyKind<'m> {
        match self {
            BodyKind::Parts(parts) => BodyKind::Solid(Solid::polyhedron(parts.body(node))),
            other => other,
        }
    }

    /// A mesh by its hull; `None` where it has none.
    pub(crate) fn hulled(self) -> Option<BodyKind<'m>> {
        match self {
            BodyKind::Mesh(mesh) => mesh.hull().map(|hull| BodyKind::Solid(Solid::polyhedron(hull))),
            other => Some(other),
        }
    }
}
