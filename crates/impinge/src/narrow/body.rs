//! The kinds of body that the grid of pairs distinguishes: a mesh, one convex body, or many convex parts.

use super::solid::Solid;
use crate::model::round::Core;
use crate::model::{Convex, Mesh, Model, Parts};

/// A body, by the kind that decides which engine can answer queries about it.
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

    /// The polyhedron, of a body that is one and has no margin.
    pub(crate) fn polyhedron(self) -> Option<&'m Convex> {
        match self {
            BodyKind::Solid(Solid { core: Core::Polyhedron(body), margin: 0.0 }) => Some(body),
            _ => None,
        }
    }

    /// The body itself, or the hull in place of a mesh; `None` for a mesh without a hull.
    pub(crate) fn hulled(self) -> Option<BodyKind<'m>> {
        match self {
            BodyKind::Mesh(mesh) => mesh.hull().map(|hull| BodyKind::Solid(Solid::polyhedron(hull))),
            other => Some(other),
        }
    }
}
