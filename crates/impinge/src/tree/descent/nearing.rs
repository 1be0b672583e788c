//! How near boxes of two trees come, while the corners of their triangles move straight.
//!
//! The boxes are those of `meeting.rs`, and the bound of a pair is the least distance of its boxes over the whole step
//! (`bound/moving.rs`). A descent that takes the least first comes to the triangles that come nearest, whenever that
//! is, and time is divided only for pairs of triangles.

use super::descend::{ChildBounds, Metric};
use super::meeting::BoxMeeting;
use crate::bound::MovingBox;
use crate::tree::nodes::WIDTH;

/// The boxes of two trees over a step, by their least distance, in the outer tree's unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxNearing<'t>(pub(crate) BoxMeeting<'t>);

impl BoxNearing<'_> {
    #[inline(always)]
    fn bounds(&self, one: &MovingBox, child: impl Fn(usize) -> MovingBox, cutoff: f64) -> ChildBounds<f64> {
        let mut bounds = ChildBounds { bound: [f64::INFINITY; WIDTH], within: 0 };
        for k in 0..WIDTH {
            let bound = (one.least_distance(&child(k), cutoff + self.0.margin) - self.0.margin).max(0.0);
            if bound <= cutoff {
                bounds.bound[k] = bound;
                bounds.within |= 1 << k;
            }
        }
        bounds
    }
}

impl Metric for BoxNearing<'_> {
    type Bound = f64;

    #[inline(always)]
    fn outer_children<S: crate::math::simd::Simd>(&self, node: usize, inner: usize, cutoff: f64) -> ChildBounds<f64> {
        self.bounds(&self.0.inner_box(inner / WIDTH, inner % WIDTH), |k| self.0.outer_box(node, k), cutoff)
    }

    #[inline(always)]
    fn inner_children<S: crate::math::simd::Simd>(&self, outer: usize, node: usize, cutoff: f64) -> ChildBounds<f64> {
        self.bounds(&self.0.outer_box(outer / WIDTH, outer % WIDTH), |k| self.0.inner_box(node, k), cutoff)
    }
}
