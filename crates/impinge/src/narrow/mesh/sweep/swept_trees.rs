//! The trees of two meshes of which one moves straight, and whether the boxes around the whole bodies stay apart.

use glam::DVec3;

use super::swept_meshes::MeshSweep;
use crate::narrow::mesh::placed::tree_pair::TreePair;
use crate::tree::descent::separation::Separation;

/// Up to this tolerance, in units of the outer tree, gaps along axes decide nearly as well as distances whether
/// anything is near enough.
const SMALL: f64 = 0.01;

/// Farthest apart and longest way, in units of the inner tree, at which `f32` is precise enough for gaps.
const CLOSE: f64 = 16.0;

/// The trees, and half the way in the frame and unit of the outer one.
pub(crate) struct SweptTrees<'q> {
    pub(crate) of: &'q MeshSweep<'q>,
    pub(crate) trees: TreePair<'q>,
    pub(crate) sweep: DVec3,
    /// From scaled units to those of the outer tree.
    pub(crate) to_outer: f64,
}

impl<'q> SweptTrees<'q> {
    pub(crate) fn new(sweep: &'q MeshSweep<'q>) -> SweptTrees<'q> {
        let trees = TreePair::new(&sweep.placed);
        let to_outer = (sweep.placed.scale * trees.outer.unit).recip();
        SweptTrees { of: sweep, sweep: trees.in_outer(sweep.half / sweep.placed.scale), to_outer, trees }
    }

    /// Whether the question is one about a tolerance, and gaps along axes in `f32` are good enough to answer it.
    pub(crate) fn is_touch_and_go(&self, enough: f64) -> bool {
        let frame = &self.trees.frame;
        let inner_units = frame.reach().max(self.sweep.abs().max_element()) / frame.scale;
        enough >= 0.0 && inner_units <= CLOSE && enough * self.to_outer <= SMALL
    }

    /// Whether the boxes around the bodies stay farther apart than `enough`.
    pub(crate) fn are_roots_apart(&self, enough: f64) -> bool {
        let TreePair { outer, inner, frame, .. } = &self.trees;
        Separation::are_roots_apart(outer, inner, frame, self.sweep.to_array(), enough * self.to_outer)
    }
}
