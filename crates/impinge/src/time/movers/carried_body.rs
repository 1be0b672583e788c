//! A body that a motion carries and that may deform meanwhile: its nodes and pieces at every time of the step.
//!
//! In its own frame what is below a node of a deforming mesh stays in a box whose sides move straight
//! (`bound/moving.rs`), and so do the corners of its triangles.

use std::ops::Range;

use glam::DVec3;
use smallvec::SmallVec;

use crate::answer::{Element, Feature};
use crate::model::{Deforming, Model};
use crate::narrow::body::BodyKind;
use crate::narrow::parts::piece::ConvexPiece;
use crate::narrow::parts::piece_outcome::PointCarrier;
use crate::prim::Part;
use crate::tree::nodes::WIDTH;

/// A body as a tree of pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CarriedBody<'q> {
    Deforming(&'q Deforming),
    Rigid(BodyKind<'q>),
}

impl<'q> CarriedBody<'q> {
    /// `None` for a body without points.
    pub(crate) fn of(model: &'q Model) -> Option<CarriedBody<'q>> {
        match model {
            Model::Deforming(body) => (!body.is_empty()).then_some(CarriedBody::Deforming(body)),
            _ => BodyKind::with_points(model).map(CarriedBody::Rigid),
        }
    }

    /// The body, if it does not deform.
    pub(crate) fn rigid(&self) -> Option<&BodyKind<'q>> {
        if let CarriedBody::Rigid(body) = self { Some(body) } else { None }
    }

    pub(crate) fn root(&self) -> u32 {
        match self {
            CarriedBody::Deforming(_) => 0,
            CarriedBody::Rigid(body) => body.root(),
        }
    }

    pub(crate) fn children(&self, node: u32) -> SmallVec<[u32; 8]> {
        match self {
            CarriedBody::Deforming(body) => {
                let tree = &body.trees[0];
                tree.slots_below(tree.child(node as usize)).map(|slot| slot as u32).collect()
            }
            CarriedBody::Rigid(body) => body.children(node),
        }
    }

    pub(crate) fn pieces(&self, leaf: u32) -> Range<u32> {
        match self {
            CarriedBody::Deforming(body) => {
                body.trees[0].child(leaf as usize).as_leaf().map_or(0..0, |leaf| leaf.places())
            }
            CarriedBody::Rigid(body) => body.pieces(leaf),
        }
    }

    /// The number of pieces.
    pub(crate) fn piece_count(&self) -> usize {
        match self {
            CarriedBody::Deforming(body) => body.triangles.len(),
            CarriedBody::Rigid(body) => body.piece_count(),
        }
    }

    /// The boxes around a node at the start and at the end of the step, by their centres and half their extents; `None`
    /// for a body that does not deform.
    pub(crate) fn boxes(&self, node: u32) -> Option<[(DVec3, DVec3); 2]> {
        let CarriedBody::Deforming(body) = self else { return None };
        Some([0, 1].map(|end: usize| {
            let tree = &body.trees[end];
            let slot = tree.nodes[node as usize / WIDTH].slot(node as usize % WIDTH);
            let wide = |v: [f32; 3]| DVec3::new(v[0].into(), v[1].into(), v[2].into()) * tree.unit;
            (wide(slot.centre) + tree.centre, wide(slot.half))
        }))
    }

    /// The piece of a number at a time of the step.
    pub(crate) fn piece(&self, name: u32, t: f64) -> ConvexPiece<'q> {
        match self {
            CarriedBody::Deforming(body) => {
                ConvexPiece::Triangle(body.corners(name).map(|[start, end]| start * (1.0 - t) + end * t))
            }
            CarriedBody::Rigid(body) => body.piece(name),
        }
    }

    /// How the corners of that piece move, if it is a triangle that deforms.
    pub(crate) fn piece_drift(&self, name: u32) -> [DVec3; 3] {
        match self {
            CarriedBody::Deforming(body) => body.corners(name).map(|[start, end]| end - start),
            CarriedBody::Rigid(_) => [DVec3::ZERO; 3],
        }
    }

    pub(crate) fn half_space(&self) -> Option<(DVec3, f64)> {
        if let CarriedBody::Rigid(body) = self { body.half_space() } else { None }
    }

    /// The feature of the body that carries a point of a piece.
    pub(crate) fn feature_at(&self, name: u32, carrier: PointCarrier) -> Feature {
        match (self, carrier) {
            (CarriedBody::Rigid(body), _) => body.feature_at(name, carrier),
            (CarriedBody::Deforming(body), PointCarrier::Part(part)) => body.feature(name, part),
            (CarriedBody::Deforming(body), PointCarrier::Element(Element::Surface | Element::Inside | _)) => {
                body.feature(name, Part::Face)
            }
        }
    }
}
