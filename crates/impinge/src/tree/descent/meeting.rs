//! The first time at which boxes of two trees meet, while the corners of their triangles move straight.
//!
//! Each tree has its boxes twice, at the start and at the end, with the same nodes in the same units: what is below a
//! slot stays within the box that moves straight from the one to the other (`bound/moving.rs`). The bound of a pair is
//! the first time at which its boxes meet, so a descent that takes the least first comes to the contacts in the order
//! of time, and the time of one is the cut-off for the others.
//!
//! **Error.** All is in the outer tree's frame, in `f64`: coordinates are within `2 + |T|`, some roundings each, and
//! `slack` is a margin above them.

use super::descend::{ChildBounds, Metric, TreeFrame};
use crate::bound::{Aabb, MovingBox};
use crate::math::Relative;
use crate::tree::nodes::{Tree, TreeNode, WIDTH};

use glam::DVec3;

/// The boxes of two trees, each at the start and at the end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxMeeting<'t> {
    outer: [&'t [TreeNode]; 2],
    inner: [&'t [TreeNode]; 2],
    translation: DVec3,
    pub(crate) scale: f64,
    pub(crate) margin: f64,
}

impl<'t> BoxMeeting<'t> {
    /// The outer trees have the larger unit; `margin` is how far apart still counts.
    pub(crate) fn new(outer: &'t [Tree; 2], inner: &'t [Tree; 2], margin: f64) -> BoxMeeting<'t> {
        let frame = TreeFrame::new(&outer[0], &inner[0], &Relative::IDENTITY);
        let slack = 1e-14 * (4.0 + frame.reach());
        BoxMeeting {
            outer: [&outer[0].nodes, &outer[1].nodes],
            inner: [&inner[0].nodes, &inner[1].nodes],
            translation: DVec3::from_array(frame.translation),
            scale: frame.scale,
            margin: margin / outer[0].unit + slack,
        }
    }

    /// When the whole bodies may first meet.
    pub(crate) fn of_roots(&self) -> Option<f64> {
        self.outer_box(0, 0).meeting(&self.inner_box(0, 0), self.margin).map(|[from, _]| from)
    }

    #[inline(always)]
    pub(crate) fn outer_box(&self, node: usize, k: usize) -> MovingBox {
        let at = |nodes: &[TreeNode]| box_of(&nodes[node], k, 1.0, DVec3::ZERO);
        MovingBox { start: at(self.outer[0]), end: at(self.outer[1]) }
    }

    #[inline(always)]
    pub(crate) fn inner_box(&self, node: usize, k: usize) -> MovingBox {
        let at = |nodes: &[TreeNode]| box_of(&nodes[node], k, self.scale, self.translation);
        MovingBox { start: at(self.inner[0]), end: at(self.inner[1]) }
    }

    #[inline(always)]
    fn bounds(&self, one: &MovingBox, child: impl Fn(usize) -> MovingBox, cutoff: f64) -> ChildBounds<f64> {
        let mut bounds = ChildBounds { bound: [f64::INFINITY; WIDTH], within: 0 };
        for k in 0..WIDTH {
            if let Some([from, _]) = one.meeting(&child(k), self.margin)
                && from <= cutoff
            {
                bounds.bound[k] = from;
                bounds.within |= 1 << k;
            }
        }
        bounds
    }
}

/// The box of a child; the box of an empty slot meets nothing.
#[inline(always)]
fn box_of(node: &TreeNode, k: usize, scale: f64, translation: DVec3) -> Aabb {
    let slot = node.slot(k);
    let wide = |v: [f32; 3]| DVec3::new(v[0].into(), v[1].into(), v[2].into()) * scale;
    let (centre, half) = (wide(slot.centre) + translation, wide(slot.half));
    Aabb { min: centre - half, max: centre + half }
}

impl Metric for BoxMeeting<'_> {
    type Bound = f64;

    #[inline(always)]
    fn outer_children<S: crate::math::simd::Simd>(&self, node: usize, inner: usize, cutoff: f64) -> ChildBounds<f64> {
        self.bounds(&self.inner_box(inner / WIDTH, inner % WIDTH), |k| self.outer_box(node, k), cutoff)
    }

    #[inline(always)]
    fn inner_children<S: crate::math::simd::Simd>(&self, outer: usize, node: usize, cutoff: f64) -> ChildBounds<f64> {
        self.bounds(&self.outer_box(outer / WIDTH, outer % WIDTH), |k| self.inner_box(node, k), cutoff)
    }
}
