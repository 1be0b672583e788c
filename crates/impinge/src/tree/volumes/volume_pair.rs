//! The metric of a tandem descent over two trees with volumes of one kind.
//!
//! **Error.** The map between the trees is off by some ten roundings of its largest term, the triangles that were
//! fitted by one, and each bound by what [`Bound`] allows: [`SLACK`] times the sum of all magnitudes covers them.
//!
//! [`Bound`]: crate::bound::Bound

use std::any::Any;
use std::cell::RefCell;

use glam::{DMat3, DVec3};

use super::fitted_volumes::{FittedVolumes, InnerVolumes, VolumeGaps};
use super::placed_volumes::PlacedVolumes;
use crate::answer::Stats;
use crate::bound::{Placement, SLACK};
use crate::math::{EPS, Relative};
use crate::tree::descent::descend::{ChildBounds, TreeFrame, Volumes};
use crate::tree::nodes::{Tree, WIDTH};

/// Squared lower bounds on the distance of the volumes of two trees, in the outer tree's unit.
#[derive(Debug)]
pub(crate) struct VolumePair<'t> {
    outer: &'t dyn FittedVolumes,
    inner: InnerVolumes<'t>,
    slack: f64,
    work: RefCell<Work<'t>>,
}

#[derive(Debug)]
struct Work<'t> {
    placed: &'t mut PlacedVolumes,
    /// Volumes compared.
    tests: u64,
}

impl<'t> VolumePair<'t> {
    /// The trees and their volumes, the outer first; `None` when these are not of one kind.
    pub(crate) fn new(
        trees: [&'t Tree; 2],
        volumes: [&'t dyn FittedVolumes; 2],
        inner_in_outer: &Relative,
        frame: &TreeFrame,
        placed: &'t mut PlacedVolumes,
    ) -> Option<VolumePair<'t>> {
        let [outer, inner] = volumes;
        if (outer as &dyn Any).type_id() != (inner as &dyn Any).type_id() {
            return None;
        }
        inner.begin_query(placed);
        let to = Placement {
            rotation: DMat3::from_cols_array_2d(&frame.rotation).transpose(),
            translation: DVec3::from_array(frame.translation),
            scale: frame.scale,
        };
        let reach = |v: DVec3| v.abs().max_element() / trees[0].unit;
        let [here, there] = trees.map(|tree| reach(tree.centre));
        let magnitude = here + there + reach(inner_in_outer.translation) + frame.reach();
        // Both trees lie within ±1 of their units.
        let slack = SLACK * (2.0 + 2.0 * frame.scale + 2.0 * magnitude);
        let work = RefCell::new(Work { placed, tests: 0 });
        Some(VolumePair { outer, inner: InnerVolumes { volumes: inner, to }, slack, work })
    }

    #[inline(always)]
    fn bounds(&self, gaps: &VolumeGaps, count: usize, cutoff: f64) -> ChildBounds<f64> {
        let mut bounds = ChildBounds { bound: [f64::INFINITY; WIDTH], within: 0 };
        for (k, gap) in gaps[..count].iter().enumerate() {
            let gap = gap - self.slack;
            // Only a gap that is certainly positive counts; NaN is not.
            bounds.bound[k] = if gap > 0.0 { (gap * gap * (1.0 - 4.0 * EPS)).min(f64::MAX) } else { 0.0 };
            bounds.within |= u32::from(bounds.bound[k] <= cutoff) << k;
        }
        bounds
    }
}

impl Volumes for VolumePair<'_> {
    fn outer_children(&self, node: usize, inner: usize, cutoff: f64) -> ChildBounds<f64> {
        let (mut work, mut gaps) = (self.work.borrow_mut(), [0.0; WIDTH]);
        let count = self.outer.outer_children(node, &self.inner, inner, work.placed, &mut gaps);
        work.tests += count as u64;
        self.bounds(&gaps, count, cutoff)
    }

    fn inner_children(&self, outer: usize, node: usize, cutoff: f64) -> ChildBounds<f64> {
        let (mut work, mut gaps) = (self.work.borrow_mut(), [0.0; WIDTH]);
        let count = self.outer.inner_children(outer, &self.inner, node, work.placed, &mut gaps);
        work.tests += count as u64;
        self.bounds(&gaps, count, cutoff)
    }

    fn at_most(&self, outer: usize, inner: usize) -> f64 {
        let mut work = self.work.borrow_mut();
        let most = self.outer.at_most(outer, &self.inner, inner, work.placed) + self.slack;
        most * most * (1.0 + 4.0 * EPS)
    }

    fn finish(&self, opened: u64, stats: &mut Stats) {
        stats.iterations += opened;
        stats.volume_tests += self.work.borrow().tests;
    }
}
