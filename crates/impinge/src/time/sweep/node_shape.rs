//! The nodes of a body's tree for sweeps: convex shapes with a margin.
//!
//! For a node of a mesh the shape is a box, with triangles below the leaves; for a node of parts it is a hull. Whatever
//! lies in a node lies in its children (up to the slack of a hull, which counts as a margin), and a convex piece that
//! contains others contains them throughout any motion, because every pose is an affine map (Xavier 1997, §2.2, third
//! observation). So one search serves all pairs of models.
//!
//! Shapes of a mesh that deforms change over a stretch of time: their corners move straight within the body, from where
//! they are when the stretch begins to where they are when it ends.

use glam::DVec3;
use smallvec::SmallVec;

use crate::math::EPS;
use crate::model::Convex;
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::convex::simplex::minkowski::Mapped;
use crate::narrow::mesh::placed::gjk_shapes::{Corners, Cuboid};
use crate::prim::Support;
use crate::time::movers::carried_body::CarriedBody;

/// A convex shape in its body's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConvexShape<'m> {
    Polyhedron(&'m Convex),
    Smooth(&'m dyn Support),
    Triangle(Corners),
    Cuboid(Cuboid),
    /// The points `x` with `normal·x ≤ offset`.
    HalfSpace {
        normal: DVec3,
        offset: f64,
    },
}

impl ConvexShape<'_> {
    /// A point farthest along `d`.
    #[inline(always)]
    pub(crate) fn farthest(&self, d: DVec3) -> DVec3 {
        match self {
            ConvexShape::Polyhedron(body) => body.farthest_from(d, body.start(d, 0)).1,
            ConvexShape::Smooth(body) => body.support(d),
            ConvexShape::Triangle(corners) => corners.farthest(d, ()).1,
            ConvexShape::Cuboid(cuboid) => cuboid.farthest(d, ()).1,
            ConvexShape::HalfSpace { normal, offset } => *normal * *offset,
        }
    }

    pub(crate) fn centre(&self) -> DVec3 {
        match self {
            ConvexShape::Polyhedron(body) => body.centre(),
            ConvexShape::Smooth(body) => body.centre(),
            ConvexShape::Triangle(corners) => corners.centre(),
            ConvexShape::Cuboid(cuboid) => cuboid.centre(),
            ConvexShape::HalfSpace { normal, offset } => *normal * *offset,
        }
    }

    /// No point of the shape is farther from the centre; for a half-space, which has no bounds, 0.
    pub(crate) fn radius(&self) -> f64 {
        match self {
            ConvexShape::Polyhedron(body) => body.radius(),
            ConvexShape::Smooth(body) => body.radius(),
            ConvexShape::Triangle(corners) => corners.radius(),
            ConvexShape::Cuboid(cuboid) => cuboid.radius(),
            ConvexShape::HalfSpace { .. } => 0.0,
        }
    }

    /// The corners, where it has few enough to list.
    pub(crate) fn corners(&self) -> Option<Vec<DVec3>> {
        match self {
            ConvexShape::Polyhedron(body) => Some(body.vertices().to_vec()),
            ConvexShape::Triangle(corners) => Some(corners.0.to_vec()),
            ConvexShape::Cuboid(Cuboid { middle, half }) => {
                let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
                let corner = |i: u32| *middle + *half * DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4));
                Some((0..8).map(corner).collect())
            }
            ConvexShape::Smooth(_) | ConvexShape::HalfSpace { .. } => None,
        }
    }
}

/// A shape, and how far the body reaches beyond it.
#[derive(Debug, Clone)]
pub(crate) struct PaddedShape<'m> {
    /// As it is when the stretch begins.
    pub(crate) shape: ConvexShape<'m>,
    pub(crate) margin: f64,
    /// How it changes, if it does.
    pub(crate) drift: Option<Box<ShapeDrift<'m>>>,
}

/// A shape whose corners move straight within its body over a stretch of time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShapeDrift<'m> {
    /// As it is in the middle of the stretch and at its end.
    middle: ConvexShape<'m>,
    end: ConvexShape<'m>,
    /// No corner moves farther.
    pub(crate) way: f64,
}

impl<'m> PaddedShape<'m> {
    pub(crate) fn rigid(shape: ConvexShape<'m>, margin: f64) -> PaddedShape<'m> {
        PaddedShape { shape, margin, drift: None }
    }

    /// As it is when the stretch begins, in its middle, and when it ends.
    #[inline(always)]
    pub(crate) fn over_stretch(&self) -> [&ConvexShape<'m>; 3] {
        self.drift.as_ref().map_or([&self.shape; 3], |drift| [&self.shape, &drift.middle, &drift.end])
    }

    /// No corner moves farther within the body.
    #[inline(always)]
    pub(crate) fn way(&self) -> f64 {
        self.drift.as_ref().map_or(0.0, |drift| drift.way)
    }
}

/// A node of the tree of a body, or a triangle in a leaf of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SweepNode {
    Node(u32),
    Triangle(u32),
}

impl<'m> BodyKind<'m> {
    /// The convex shape around what is in a node.
    pub(crate) fn shape(&self, node: SweepNode) -> PaddedShape<'m> {
        match (self, node) {
            (BodyKind::Mesh(mesh), SweepNode::Triangle(place)) => {
                PaddedShape::rigid(ConvexShape::Triangle(Corners(mesh.corners(place))), 0.0)
            }
            (BodyKind::Mesh(mesh), SweepNode::Node(slot)) => {
                let [middle, half] = mesh.tree().slot_box(slot as usize).unwrap_or([mesh.aabb().centre(), DVec3::ZERO]);
                let margin = 4.0 * EPS * mesh.aabb().reach();
                PaddedShape::rigid(ConvexShape::Cuboid(Cuboid { middle, half }), margin)
            }
            (BodyKind::Parts(parts), SweepNode::Node(part) | SweepNode::Triangle(part)) => {
                PaddedShape::rigid(ConvexShape::Polyhedron(parts.body(part)), parts.slack(part))
            }
            (BodyKind::Solid(solid), _) => {
                let shape = match solid.core {
                    Core::Polyhedron(body) => ConvexShape::Polyhedron(body),
                    Core::Smooth(body) => ConvexShape::Smooth(body),
                    Core::HalfSpace { normal, offset } => ConvexShape::HalfSpace { normal, offset },
                };
                PaddedShape::rigid(shape, solid.margin)
            }
        }
    }

    /// The nodes below a node, or the triangles in it; nothing for a single piece.
    pub(crate) fn divided(&self, node: SweepNode) -> SmallVec<[SweepNode; 8]> {
        let SweepNode::Node(node) = node else { return SmallVec::new() };
        match self {
            BodyKind::Mesh(mesh) if mesh.tree().child(node as usize).as_leaf().is_some() => {
                self.pieces(node).map(SweepNode::Triangle).collect()
            }
            _ => self.children(node).into_iter().map(SweepNode::Node).collect(),
        }
    }

    /// The index of the triangle or piece as given.
    pub(crate) fn given_index(&self, node: SweepNode) -> u32 {
        match (self, node) {
            (BodyKind::Mesh(mesh), SweepNode::Triangle(place)) => mesh.id(place),
            (_, SweepNode::Node(i) | SweepNode::Triangle(i)) => i,
        }
    }
}

impl<'m> CarriedBody<'m> {
    /// The convex shape around what is in a node, over a stretch of time that lies before the step, in it, or after it.
    pub(crate) fn shape(&self, node: SweepNode, [from, to]: [f64; 2]) -> PaddedShape<'m> {
        let body = match self {
            CarriedBody::Rigid(body) => return body.shape(node),
            CarriedBody::Deforming(body) => body,
        };
        let times = [from, 0.5 * from + 0.5 * to, to].map(|t| t.clamp(0.0, 1.0));
        let between = |[start, end]: [DVec3; 2], t: f64| start * (1.0 - t) + end * t;
        let length = times[2] - times[0];
        // Points between are rounded.
        let margin = 8.0 * EPS * body.bounds.reach();
        let (shapes, way) = match node {
            SweepNode::Triangle(place) => {
                let corners = body.corners(place);
                let way = corners.iter().fold(0.0, |most: f64, [start, end]| most.max(start.distance(*end)));
                (times.map(|t| ConvexShape::Triangle(Corners(corners.map(|path| between(path, t))))), way)
            }
            SweepNode::Node(slot) => {
                let [from, to] = self.boxes(slot).unwrap_or_default();
                let at = |t| Cuboid { middle: between([from.0, to.0], t), half: between([from.1, to.1], t) };
                (times.map(|t| ConvexShape::Cuboid(at(t))), from.0.distance(to.0) + from.1.distance(to.1))
            }
        };
        let [shape, middle, end] = shapes;
        let drift = (length > 0.0 && way > 0.0).then(|| Box::new(ShapeDrift { middle, end, way: way * length }));
        PaddedShape { shape, margin, drift }
    }

    /// The nodes below a node, or the triangles in it; nothing for a single piece.
    pub(crate) fn divided(&self, node: SweepNode) -> SmallVec<[SweepNode; 8]> {
        match (self, node) {
            (CarriedBody::Rigid(body), _) => body.divided(node),
            (_, SweepNode::Triangle(_)) => SmallVec::new(),
            (CarriedBody::Deforming(body), SweepNode::Node(slot)) => {
                match body.trees[0].child(slot as usize).as_leaf() {
                    Some(leaf) => leaf.places().map(SweepNode::Triangle).collect(),
                    None => self.children(slot).into_iter().map(SweepNode::Node).collect(),
                }
            }
        }
    }

    /// The index of the triangle or piece as given.
    pub(crate) fn given_index(&self, node: SweepNode) -> u32 {
        match (self, node) {
            (CarriedBody::Rigid(body), _) => body.given_index(node),
            (CarriedBody::Deforming(body), SweepNode::Triangle(place)) => body.ids[place as usize],
            (CarriedBody::Deforming(_), SweepNode::Node(slot)) => slot,
        }
    }
}
