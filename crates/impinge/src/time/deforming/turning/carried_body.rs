//! A body that a motion carries and that may deform meanwhile: its nodes and pieces at every time of the step, and how
//! fast these move within it.
//!
//! In its own frame what is below a node of a deforming mesh stays in a box whose sides move straight
//! (`bound/moving.rs`), and so do the corners of its triangles. A body that does not deform has no such drift.

use std::ops::Range;

use glam::DVec3;
use smallvec::SmallVec;

use crate::answer::{Element, Feature};
use crate::model::{Deforming, Model};
use crate::narrow::body::BodyKind;
use crate::narrow::parts::piece::ConvexPiece;
use crate::narrow::parts::piece_outcome::PointCarrier;
use crate::prim::Part;
use crate::time::movers::padded_box::PaddedBox;
use crate::tree::nodes::WIDTH;

/// The share by which boxes may be too small once their sides are computed for a time between.
const ROUNDING: f64 = 1e-14;

/// A body as a tree of pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CarriedBody<'q> {
    Deforming(&'q Deforming),
    Rigid(BodyKind<'q>),
}

/// How the corners of a box move within the body: its centre, and half its extents.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BoxDrift {
    pub(crate) centre: DVec3,
    pub(crate) half: DVec3,
}

impl BoxDrift {
    /// No corner moves faster.
    pub(crate) fn speed(&self) -> f64 {
        self.centre.length() + self.half.length()
    }

    /// The most that a corner moves along a direction.
    pub(crate) fn along(&self, n: DVec3) -> f64 {
        self.centre.dot(n) + self.half.abs().dot(n.abs())
    }
}

impl<'q> CarriedBody<'q> {
    /// `None` for a body without points.
    pub(crate) fn of(model: &'q Model) -> Option<CarriedBody<'q>> {
        match model {
            Model::Deforming(body) => (!body.is_empty()).then_some(CarriedBody::Deforming(body)),
            _ => BodyKind::with_points(model).map(CarriedBody::Rigid),
        }
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

    /// The box around a node at a time of the step, in the body's frame; `None` where it has no bounds.
    pub(crate) fn padded_box(&self, node: u32, t: f64) -> Option<PaddedBox> {
        let CarriedBody::Deforming(body) = self else {
            let CarriedBody::Rigid(kind) = self else { return None };
            return kind.padded_box(node);
        };
        let [(from, half_from), (to, half_to)] = [0, 1].map(|end| slot_box(body, end, node));
        let (centre, half) = (from * (1.0 - t) + to * t, half_from * (1.0 - t) + half_to * t);
        let padding = ROUNDING * (centre.abs().max_element() + half.element_sum());
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        Some(PaddedBox { centre, axes, half, padding, radius: half.length() + padding, endless: false })
    }

    /// How the corners of that box move.
    pub(crate) fn drift(&self, node: u32) -> BoxDrift {
        let CarriedBody::Deforming(body) = self else { return BoxDrift::default() };
        let [(from, half_from), (to, half_to)] = [0, 1].map(|end| slot_box(body, end, node));
        BoxDrift { centre: to - from, half: half_to - half_from }
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

/// The centre and half the extents of the box in a slot, at the start or the end.
fn slot_box(body: &Deforming, end: usize, slot: u32) -> (DVec3, DVec3) {
    let tree = &body.trees[end];
    let slot = tree.nodes[slot as usize / WIDTH].slot(slot as usize % WIDTH);
    let wide = |v: [f32; 3]| DVec3::new(v[0].into(), v[1].into(), v[2].into()) * tree.unit;
    (wide(slot.centre) + tree.centre, wide(slot.half))
}
