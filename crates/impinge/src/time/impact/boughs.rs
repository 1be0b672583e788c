//! Bodies as trees of convex pieces: what the search for the earliest contact opens, node by node.

use glam::DVec3;
use smallvec::SmallVec;

use super::closing::Hold;
use crate::answer::{Element, Feature};
use crate::math::Relative;
use crate::model::round::Core;
use crate::model::{Mesh, Model, Parts};
use crate::narrow::mesh::mesh_contact::feature;
use crate::narrow::parts::piece::{Carrier, Piece};
use crate::narrow::solid::Solid;

/// Share of the half extents by which an oriented box may be too small: its axes are orthonormal to `2⁻²²`.
const SKEW: f64 = 2e-6;

/// A body as a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Boughs<'m> {
    One(Solid<'m>),
    /// Nodes as the parts name them.
    Parts(&'m Parts),
    /// Slots of the wide tree.
    Mesh(&'m Mesh),
}

impl<'m> Boughs<'m> {
    /// `None` for an empty body.
    pub(crate) fn of(model: &'m Model) -> Option<Boughs<'m>> {
        Some(match model {
            Model::Mesh(mesh) if mesh.is_empty() => return None,
            Model::Mesh(mesh) => Boughs::Mesh(mesh),
            Model::Parts(parts) => Boughs::Parts(parts),
            Model::Convex(convex) => Boughs::One(Solid::polyhedron(convex)),
            Model::Round(round) => Boughs::One(Solid { core: round.core(), margin: round.margin() }),
        })
    }

    pub(crate) fn root(&self) -> u32 {
        if let Boughs::Parts(parts) = self { parts.root() } else { 0 }
    }

    /// The only piece, if there is one.
    pub(crate) fn single(&self) -> Option<Piece<'m>> {
        match self {
            Boughs::One(solid) => Some(Piece::Solid(*solid)),
            Boughs::Parts(parts) if parts.piece_count() == 1 => Some(Piece::Solid(Solid::polyhedron(parts.body(0)))),
            _ => None,
        }
    }

    /// The nodes below; none below a leaf.
    pub(crate) fn children(&self, node: u32) -> SmallVec<[u32; 8]> {
        match self {
            Boughs::One(_) => SmallVec::new(),
            Boughs::Parts(parts) => parts.children(node).into_iter().flatten().collect(),
            Boughs::Mesh(mesh) => {
                let tree = mesh.tree();
                tree.slots_below(tree.child(node as usize)).map(|slot| slot as u32).collect()
            }
        }
    }

    /// The names of the pieces of a leaf: a place in leaf order, or the number of a piece.
    pub(crate) fn pieces(&self, node: u32) -> std::ops::Range<u32> {
        match self {
            Boughs::One(_) => 0..1,
            Boughs::Parts(_) => node..node + 1,
            Boughs::Mesh(mesh) => mesh.tree().child(node as usize).as_leaf().map_or(0..0, |leaf| leaf.places()),
        }
    }

    /// The piece of a name.
    pub(crate) fn piece(&self, name: u32) -> Piece<'m> {
        match self {
            Boughs::One(solid) => Piece::Solid(*solid),
            Boughs::Parts(parts) => Piece::Solid(Solid::polyhedron(parts.body(name))),
            Boughs::Mesh(mesh) => Piece::Triangle(mesh.corners(name)),
        }
    }

    /// The box around a node, in the body's frame; `None` where it has no bounds.
    pub(crate) fn hold(&self, node: u32) -> Option<Hold> {
        match self {
            Boughs::One(solid) => ball(solid, 0.0),
            Boughs::Parts(parts) => ball(&Solid::polyhedron(parts.body(node)), parts.slack(node)),
            Boughs::Mesh(mesh) => {
                let tree = mesh.tree();
                let (centre, axes, half) = mesh.oriented()[node as usize / 8].unit_axes(node as usize % 8);
                let half = half * tree.unit;
                let slack = SKEW * half.element_sum();
                let centre = tree.centre + centre * tree.unit;
                Some(Hold { centre, axes, half, slack, radius: half.length() + slack, endless: false })
            }
        }
    }

    /// Normal and height of a half-space, margin included.
    pub(crate) fn half_space(&self) -> Option<(DVec3, f64)> {
        match self {
            Boughs::One(Solid { core: Core::HalfSpace { normal, offset }, margin }) => Some((*normal, offset + margin)),
            _ => None,
        }
    }

    /// What carries a point of a piece.
    pub(crate) fn feature(&self, name: u32, carrier: Carrier) -> Feature {
        match (self, carrier) {
            (Boughs::Mesh(mesh), Carrier::Part(part)) => feature(mesh, name, part),
            (Boughs::Mesh(mesh), Carrier::Element(_)) => Feature::Face { triangle: mesh.id(name) },
            (_, Carrier::Element(element)) => Feature::Convex { piece: name, element },
            (_, Carrier::Part(_)) => Feature::Convex { piece: name, element: Element::Surface },
        }
    }
}

fn ball(solid: &Solid<'_>, slack: f64) -> Option<Hold> {
    let (centre, radius) = match solid.core {
        Core::Polyhedron(body) => (body.centre(), body.radius()),
        Core::Smooth(body) => (body.centre(), body.radius()),
        Core::HalfSpace { .. } => return None,
    };
    let radius = radius + solid.margin + slack;
    Some(Hold { centre, axes: [DVec3::ZERO; 3], half: DVec3::ZERO, slack: radius, radius, endless: false })
}

impl Hold {
    /// The part of a half-space that faces another hold: where it goes, all of the half-space goes that does not turn.
    pub(crate) fn foot((normal, height): (DVec3, f64), other: &Hold) -> Hold {
        let centre = other.centre - normal * (normal.dot(other.centre) - height);
        Hold { centre, axes: [DVec3::ZERO; 3], half: DVec3::ZERO, slack: 0.0, radius: 0.0, endless: true }
    }

    /// The same in another frame.
    #[inline(always)]
    pub(crate) fn placed(&self, place: &Relative) -> Hold {
        Hold { centre: place.apply(self.centre), axes: self.axes.map(|x| place.rotation * x), ..*self }
    }
}
