//! Which features of two deforming meshes, or of one, may meet during the step: walks trees of moving boxes in the
//! order of time.
//!
//! Pairs of nodes are opened in the order of the first time at which their boxes meet (`tree/descent/meeting.rs`). Of
//! triangles whose boxes meet, too, each pair of features is shown once, to one that may end the walk, or leave out
//! what meets later than a time.
//!
//! Invariant: features that are not shown do not come near before the time that counted when they were left out. Cost:
//! pairs of nodes and triangles whose boxes come near before that.

use std::ops::ControlFlow;

use super::features::encounter::FeatureEncounter;
use super::features::feature_pair::Features;
use crate::answer::Stats;
use crate::bound::MovingBox;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Deforming;
use crate::tree::descent::descend::{Order, Scratch, Visitor, descend};
use crate::tree::descent::itself::descend_itself;
use crate::tree::descent::meeting;
use crate::tree::nodes::Leaf;

/// What a walk shows features to.
pub(crate) trait FeatureSink {
    /// What comes near at this time or later does not matter.
    fn before(&self) -> f64;

    /// Two features that may come near, and how they move.
    fn take(&mut self, features: Features, encounter: &FeatureEncounter);

    /// Whether nothing more matters.
    fn is_done(&self) -> bool;
}

/// What to walk over: two meshes, or one against itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeatureWalk<'q> {
    pub(crate) a: &'q Deforming,
    pub(crate) b: &'q Deforming,
    /// Whether both are one mesh, of which features with a common vertex do not count.
    pub(crate) is_itself: bool,
    /// How near boxes come that are near.
    pub(crate) separation: f64,
}

impl FeatureWalk<'_> {
    /// Shows every pair of features that may come near.
    pub(crate) fn show(self, to: &mut dyn FeatureSink, stats: &mut Stats) {
        dispatch(Descent { walk: self, sink: to, stats });
    }
}

struct Descent<'s, 'q> {
    walk: FeatureWalk<'q>,
    sink: &'s mut dyn FeatureSink,
    stats: &'s mut Stats,
}

impl Kernel for Descent<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Descent { walk, sink, stats } = self;
        let FeatureWalk { a, b, is_itself, separation } = walk;
        let swapped = b.trees[0].unit > a.trees[0].unit;
        let (outer, inner) = if swapped { (b, a) } else { (a, b) };
        let metric = meeting::BoxMeeting::new(&outer.trees, &inner.trees, separation);
        let mut leaves = Leaves { walk, swapped, sink, tests: 0 };
        let mut scratch = Scratch::default();
        let mut opened = 0;
        if is_itself {
            let nodes = 0..a.trees[0].nodes();
            (opened, _) = descend_itself::<S, _, _>(&a.trees[0], nodes, &metric, 0.0, &mut leaves, &mut scratch);
        } else if let Some(from) = metric.of_roots() {
            let (outer, inner) = (&outer.trees[0], &inner.trees[0]);
            opened = descend::<S, _, _>(outer, inner, metric.scale, &metric, from, &mut leaves, &mut scratch);
        }
        stats.volume_tests += 1 + 8 * opened;
        stats.primitive_tests += leaves.tests;
        stats.iterations += opened;
    }
}

struct Leaves<'s, 'q> {
    walk: FeatureWalk<'q>,
    swapped: bool,
    sink: &'s mut dyn FeatureSink,
    tests: u64,
}

impl Leaves<'_, '_> {
    fn triangles(&mut self, i: u32, j: u32) {
        let FeatureWalk { a, b, is_itself, separation } = self.walk;
        let around = |mesh: &Deforming, place| MovingBox::around(mesh.corners(place));
        let window = around(a, i).meeting(&around(b, j), separation);
        if window.is_none_or(|[from, _]| from >= self.sink.before()) {
            return;
        }
        for features in Features::of_triangles(a, b, [i, j]) {
            if !(is_itself && features.is_joined(a)) {
                self.tests += 1;
                self.sink.take(features, &features.encounter(a, b));
            }
        }
    }
}

impl Visitor<f64> for Leaves<'_, '_> {
    const ORDER: Order = Order::BestFirst;

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        self.sink.before()
    }

    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let (a, b) = if self.swapped { (inner, outer) } else { (outer, inner) };
        let is_same_leaf = self.walk.is_itself && a == b;
        for i in a.places() {
            for j in b.places().filter(|&j| !is_same_leaf || i < j) {
                self.triangles(i, j);
            }
        }
        if self.sink.is_done() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
