//! Which boxes come as near as a tolerance while one body is swept: the six axes of the boxes as they lie in the trees
//! ([`Separation`]), then, for the few that these do not tell apart, the oriented boxes ([`Gap`]).
//!
//! Bodies far apart, and those that touch at once, are the business of the first alone. The second has its turn when a
//! search goes on for longer than [`SOON`]: in close quarters, as when a gear slides along a spindle, the oriented
//! boxes drop a third of the pairs of nodes and most pairs of leaves.

use std::cell::{Cell, OnceCell};

use super::descend::{Bounds, Metric};
use super::{Gap, Separation};
use crate::math::simd::Simd;

/// Nodes opened before a search counts as long.
const SOON: u32 = 16;

/// Both tests; the gap is asked for once.
#[derive(Debug)]
pub(crate) struct Grazing<'t, F> {
    separation: Separation<'t>,
    opened: Cell<u32>,
    gap: OnceCell<Gap<'t, true>>,
    of: F,
}

impl<'t, F: Fn() -> Gap<'t, true>> Grazing<'t, F> {
    pub(crate) fn new(separation: Separation<'t>, of: F) -> Self {
        Grazing { separation, opened: Cell::new(0), gap: OnceCell::new(), of }
    }

    /// The gap, when its turn has come.
    #[inline(always)]
    fn gap(&self) -> Option<&Gap<'t, true>> {
        let opened = self.opened.get() + 1;
        self.opened.set(opened.min(SOON));
        (opened > SOON).then(|| self.gap.get_or_init(&self.of))
    }
}

impl<'t, F: Fn() -> Gap<'t, true>> Metric for Grazing<'t, F> {
    type Bound = f32;

    #[inline(always)]
    fn outer_children<S: Simd>(&self, node: usize, inner: usize, cutoff: f32) -> Bounds<f32> {
        let mut bounds = self.separation.outer_children::<S>(node, inner, cutoff);
        if bounds.within != 0
            && let Some(gap) = self.gap()
        {
            bounds.within &= gap.outer_within::<S>(node, inner, f64::from(cutoff).powi(2));
        }
        bounds
    }

    #[inline(always)]
    fn inner_children<S: Simd>(&self, outer: usize, node: usize, cutoff: f32) -> Bounds<f32> {
        let mut bounds = self.separation.inner_children::<S>(outer, node, cutoff);
        if bounds.within != 0
            && let Some(gap) = self.gap()
        {
            bounds.within &= gap.inner_within::<S>(outer, node, f64::from(cutoff).powi(2));
        }
        bounds
    }
}
