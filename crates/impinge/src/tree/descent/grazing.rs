//! Which boxes come as near as a tolerance, or touch, while one body is swept or none is. First come the six axes of
//! the boxes as they lie in the trees ([`Separation`]); then, for the few pairs that these do not separate, the
//! oriented boxes ([`OrientedGap`]).
//!
//! For bodies far apart, and for those of which touching triangles are found at once, the first test is enough. The
//! second is used as well once a search has opened [`SOON`] pairs of nodes, or more where boxes would have to be fitted
//! for it first: in close quarters, as when a gear slides
//! along a spindle, the oriented boxes drop a third to two thirds of the pairs of nodes and most pairs of leaves. From
//! then on the thicker one of two nodes is opened ([`OrientedGap::is_outer_thicker`]).

use std::cell::{Cell, OnceCell};

use super::descend::{ChildBounds, Metric};
use super::gap::OrientedGap;
use super::separation::Separation;
use crate::math::simd::Simd;

/// Nodes opened before a search counts as long.
pub(crate) const SOON: u32 = 32;

/// The same where a body is swept: the axes separate fewer boxes that are swept.
pub(crate) const SOON_SWEPT: u32 = 16;

/// Both tests; the oriented boxes are fetched once, when they are first needed, and there may be none.
#[derive(Debug)]
pub(crate) struct Grazing<'t, F, const SWEPT: bool> {
    separation: Separation<'t>,
    soon: u32,
    opened: Cell<u32>,
    gap: OnceCell<Option<OrientedGap<'t, SWEPT>>>,
    of: F,
}

impl<'t, F: Fn() -> Option<OrientedGap<'t, SWEPT>>, const SWEPT: bool> Grazing<'t, F, SWEPT> {
    /// The second test is used after `soon` nodes; then `of` fetches the oriented boxes.
    pub(crate) fn new(separation: Separation<'t>, soon: u32, of: F) -> Self {
        Grazing { separation, soon, opened: Cell::new(0), gap: OnceCell::new(), of }
    }

    /// The test by oriented boxes, once the search has been long enough for it.
    #[inline(always)]
    fn gap(&self) -> Option<&OrientedGap<'t, SWEPT>> {
        let opened = self.opened.get() + 1;
        self.opened.set(opened.min(self.soon));
        if opened > self.soon { self.gap.get_or_init(&self.of).as_ref() } else { None }
    }
}

impl<'t, F: Fn() -> Option<OrientedGap<'t, SWEPT>>, const SWEPT: bool> Metric for Grazing<'t, F, SWEPT> {
    type Bound = f32;

    #[inline(always)]
    fn outer_children<S: Simd>(&self, node: usize, inner: usize, cutoff: f32) -> ChildBounds<f32> {
        let mut bounds = self.separation.outer_children::<S>(node, inner, cutoff);
        if bounds.within != 0
            && let Some(gap) = self.gap()
        {
            bounds.within &= gap.outer_within::<S>(node, inner, cutoff);
        }
        bounds
    }

    #[inline(always)]
    fn inner_children<S: Simd>(&self, outer: usize, node: usize, cutoff: f32) -> ChildBounds<f32> {
        let mut bounds = self.separation.inner_children::<S>(outer, node, cutoff);
        if bounds.within != 0
            && let Some(gap) = self.gap()
        {
            bounds.within &= gap.inner_within::<S>(outer, node, cutoff);
        }
        bounds
    }

    #[inline(always)]
    fn opens_outer(&self, outer: usize, inner: usize) -> Option<bool> {
        Some(self.gap.get()?.as_ref()?.is_outer_thicker(outer, inner))
    }
}
