//! A body as the sweeps see it: a tree of convex pieces.
//!
//! A mesh is its tree of boxes with triangles at the leaves, a union its tree of hulls, any other body a single piece.
//! Whatever lies in a node lies in its children (up to the slack of a hull, which counts as a margin), and a convex
//! piece that contains others contains them all the way of any motion, because every pose is an affine map (Xavier
//! 1997, §2.2, third observation). So one search serves all pairs of models.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::math::EPS;
use crate::model::round::Core;
use crate::model::{Convex, Mesh, Model, Parts};
use crate::narrow::convex::simplex::minkowski::Mapped;
use crate::narrow::mesh::placed::gjk_shapes::{Corners, Cuboid};
use crate::prim::Support;

/// A convex piece in its body's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'m> {
    Polyhedron(&'m Convex),
    Smooth(&'m dyn Support),
    Triangle(Corners),
    Cuboid(Cuboid),
    /// `normal·x ≤ offset`.
    HalfSpace {
        normal: DVec3,
        offset: f64,
    },
}

impl Piece<'_> {
    /// A point farthest along `d`.
    #[inline(always)]
    pub(crate) fn farthest(&self, d: DVec3) -> DVec3 {
        match self {
            Piece::Polyhedron(body) => body.farthest_from(d, body.start(d, 0)).1,
            Piece::Smooth(body) => body.support(d),
            Piece::Triangle(corners) => corners.farthest(d, ()).1,
            Piece::Cuboid(cuboid) => cuboid.farthest(d, ()).1,
            Piece::HalfSpace { normal, offset } => *normal * *offset,
        }
    }

    pub(crate) fn centre(&self) -> DVec3 {
        match self {
            Piece::Polyhedron(body) => body.centre(),
            Piece::Smooth(body) => body.centre(),
            Piece::Triangle(corners) => corners.centre(),
            Piece::Cuboid(cuboid) => cuboid.centre(),
            Piece::HalfSpace { normal, offset } => *normal * *offset,
        }
    }

    /// No point is farther from the centre; of a half-space, which has no bounds, 0.
    pub(crate) fn radius(&self) -> f64 {
        match self {
            Piece::Polyhedron(body) => body.radius(),
            Piece::Smooth(body) => body.radius(),
            Piece::Triangle(corners) => corners.radius(),
            Piece::Cuboid(cuboid) => cuboid.radius(),
            Piece::HalfSpace { .. } => 0.0,
        }
    }

    /// The corners, where it has few enough to list.
    pub(crate) fn corners(&self) -> Option<Vec<DVec3>> {
        match self {
            Piece::Polyhedron(body) => Some(body.vertices().to_vec()),
            Piece::Triangle(corners) => Some(corners.0.to_vec()),
            Piece::Cuboid(Cuboid { middle, half }) => {
                let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
                let corner = |i: u32| *middle + *half * DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4));
                Some((0..8).map(corner).collect())
            }
            Piece::Smooth(_) | Piece::HalfSpace { .. } => None,
        }
    }
}

/// A piece, and how far the body reaches beyond it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape<'m> {
    pub(crate) piece: Piece<'m>,
    pub(crate) margin: f64,
}

/// A node of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Node {
    /// A slot of the tree of a mesh.
    Slot(u32),
    /// A triangle of a mesh, by its place.
    Triangle(u32),
    /// A node of a tree of parts; 0 for a single body.
    Part(u32),
}

/// The tree.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pieces<'m> {
    Mesh(&'m Mesh),
    Parts(&'m Parts),
    One(Shape<'m>),
}

impl<'m> Pieces<'m> {
    /// `None` for a body without points.
    pub(crate) fn of(model: &'m Model) -> Option<Pieces<'m>> {
        match model {
            Model::Mesh(mesh) if mesh.is_empty() => None,
            Model::Mesh(mesh) => Some(Pieces::Mesh(mesh)),
            Model::Parts(parts) => Some(Pieces::Parts(parts)),
            Model::Convex(convex) => Some(Pieces::One(Shape { piece: Piece::Polyhedron(convex), margin: 0.0 })),
            Model::Round(round) => {
                let piece = match round.core() {
                    Core::Polyhedron(body) => Piece::Polyhedron(body),
                    Core::Smooth(body) => Piece::Smooth(body),
                    Core::HalfSpace { normal, offset } => Piece::HalfSpace { normal, offset },
                };
                Some(Pieces::One(Shape { piece, margin: round.margin() }))
            }
        }
    }

    pub(crate) fn root(&self) -> Node {
        match self {
            Pieces::Mesh(_) => Node::Slot(0),
            Pieces::Parts(parts) => Node::Part(parts.root()),
            Pieces::One(_) => Node::Part(0),
        }
    }

    pub(crate) fn shape(&self, node: Node) -> Shape<'m> {
        match (self, node) {
            (Pieces::Mesh(mesh), Node::Triangle(place)) => {
                Shape { piece: Piece::Triangle(Corners(mesh.corners(place))), margin: 0.0 }
            }
            (Pieces::Mesh(mesh), Node::Slot(slot) | Node::Part(slot)) => {
                let [middle, half] = mesh.tree().slot_box(slot as usize).unwrap_or([mesh.aabb().centre(), DVec3::ZERO]);
                let margin = 4.0 * EPS * mesh.aabb().reach();
                Shape { piece: Piece::Cuboid(Cuboid { middle, half }), margin }
            }
            (Pieces::Parts(parts), Node::Part(part) | Node::Slot(part) | Node::Triangle(part)) => {
                Shape { piece: Piece::Polyhedron(parts.body(part)), margin: parts.slack(part) }
            }
            (Pieces::One(shape), _) => *shape,
        }
    }

    /// What is below a node; nothing below a single piece.
    pub(crate) fn children(&self, node: Node) -> ArrayVec<Node, 8> {
        let mut below = ArrayVec::new();
        match (self, node) {
            (Pieces::Mesh(mesh), Node::Slot(slot)) => {
                let (tree, child) = (mesh.tree(), mesh.tree().child(slot as usize));
                match child.as_leaf() {
                    Some(leaf) => below.extend(leaf.places().take(8).map(Node::Triangle)),
                    None => {
                        let first = 8 * child.index();
                        let used = (first..first + 8).filter(|&s| tree.slot_box(s).is_some());
                        below.extend(used.map(|s| Node::Slot(s as u32)));
                    }
                }
            }
            (Pieces::Parts(parts), Node::Part(part)) => {
                below.extend(parts.children(part).into_iter().flatten().map(Node::Part));
            }
            _ => {}
        }
        below
    }

    /// The index of the triangle or piece as given.
    pub(crate) fn id(&self, node: Node) -> u32 {
        match (self, node) {
            (Pieces::Mesh(mesh), Node::Triangle(place)) => mesh.id(place),
            (_, Node::Slot(i) | Node::Triangle(i) | Node::Part(i)) => i,
        }
    }
}
