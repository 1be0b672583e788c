//! The trees of two meshes as a tandem descent takes them: which is the outer one, and how the other is placed in it.

use glam::DVec3;

use super::placed_meshes::PlacedMeshes;
use crate::math::Relative;
use crate::tree::descent::descend::TreeFrame;
use crate::tree::descent::gap::OrientedGap;
use crate::tree::nodes::Tree;

/// The trees of a query: the outer has the larger unit.
pub(crate) struct TreePair<'q> {
    pub(crate) outer: &'q Tree,
    pub(crate) inner: &'q Tree,
    pub(crate) frame: TreeFrame,
    /// Whether the outer tree is `b`'s.
    pub(crate) swapped: bool,
    pub(crate) inner_in_outer: Relative,
    pub(crate) placed: &'q PlacedMeshes<'q>,
}

impl<'q> TreePair<'q> {
    pub(crate) fn new(placed: &'q PlacedMeshes<'q>) -> TreePair<'q> {
        let (a, b) = (placed.a.tree(), placed.b.tree());
        let swapped = b.unit > a.unit;
        let (outer, inner) = if swapped { (b, a) } else { (a, b) };
        let inner_in_outer = if swapped { placed.b_in_a.inverse() } else { placed.b_in_a };
        let frame = TreeFrame::new(outer, inner, &inner_in_outer);
        TreePair { outer, inner, frame, swapped, inner_in_outer, placed }
    }

    /// A vector of `a`'s frame in the frame and unit of the outer tree.
    pub(crate) fn in_outer(&self, v: DVec3) -> DVec3 {
        (if self.swapped { self.placed.b_in_a.rotation.transpose() * v } else { v }) / self.outer.unit
    }

    /// As [`TreePair::gap`], with one body swept from `−sweep` to `sweep`, in the frame and unit of the outer tree.
    pub(crate) fn swept_gap(&self, direction: DVec3, sweep: DVec3) -> OrientedGap<'q, true> {
        let (a, b) = (self.placed.a.oriented(), self.placed.b.oriented());
        match self.swapped {
            true => OrientedGap::swept(b, a, &self.frame, self.placed.b_in_a.rotation.transpose() * -direction, sweep),
            false => OrientedGap::swept(a, b, &self.frame, direction, sweep),
        }
    }

    /// Nodes of both.
    pub(crate) fn nodes(&self) -> usize {
        self.outer.nodes() + self.inner.nodes()
    }

    /// The gaps of the oriented boxes, if the bodies are close enough to compute them in `f32`.
    pub(crate) fn close_gap(&self) -> Option<OrientedGap<'q>> {
        Some(self.gap(DVec3::ZERO)).filter(OrientedGap::is_close)
    }

    /// The gaps of the oriented boxes; `direction` leads from `a` to `b` and has length 1 or 0.
    pub(crate) fn gap(&self, direction: DVec3) -> OrientedGap<'q> {
        let (a, b) = (self.placed.a.oriented(), self.placed.b.oriented());
        match self.swapped {
            true => OrientedGap::new(b, a, &self.frame, self.placed.b_in_a.rotation.transpose() * -direction),
            false => OrientedGap::new(a, b, &self.frame, direction),
        }
    }
}
