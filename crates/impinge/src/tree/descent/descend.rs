//! The one tandem descent: two trees at once, with a cut-off that may shrink, for every query on pairs of trees.
//!
//! The shape is that of Lin §5.2 and Larsen et al. §5: a pair of boxes farther apart than the cut-off is dropped, else
//! the larger box is opened and its eight children are tested together against the other. Pairs of leaves go to the
//! [`Visitor`], which may lower the cut-off or end the descent. Figure: `docs/figures/descent.svg`.
//!
//! One tree, the *outer*, has the larger unit; all bounds are computed in its frame and in its unit, so that nothing
//! overflows however different the bodies' sizes are. The descent does not know which of the two bodies is the outer
//! one; the caller does.
//!
//! Invariant: a pair of leaves that is not visited is apart by more than the cut-off at the time it was dropped.
//! The descent ends: each step replaces a pair by pairs that lie strictly deeper.

use std::ops::ControlFlow;

use glam::DVec3;

use super::buckets::{Buckets, OpenPair};
use crate::answer::Stats;
use crate::math::Relative;
use crate::math::simd::Simd;
use crate::tree::nodes::{Leaf, Tree, WIDTH};

/// How far two boxes are apart at least, in the outer tree's unit.
pub(crate) trait Metric {
    type Bound: Copy + PartialOrd + Into<f64>;

    /// Bounds of the eight children of an outer node against the box in an inner slot (node·8 + child).
    fn outer_children<S: Simd>(&self, node: usize, inner: usize, cutoff: Self::Bound) -> ChildBounds<Self::Bound>;

    /// Bounds of the box in an outer slot against the eight children of an inner node.
    fn inner_children<S: Simd>(&self, outer: usize, node: usize, cutoff: Self::Bound) -> ChildBounds<Self::Bound>;

    /// Whether, of an outer and an inner slot, the outer one is to be opened; `None` leaves it to the sizes of their
    /// boxes.
    #[inline(always)]
    fn opens_outer(&self, _outer: usize, _inner: usize) -> Option<bool> {
        None
    }

    /// An upper bound on the distance of any two points of the boxes in an outer and an inner slot; `None` from a
    /// metric whose queries do not use it.
    #[inline(always)]
    fn at_most(&self, _outer: usize, _inner: usize) -> Option<Self::Bound> {
        None
    }
}

/// A metric that counts work of its own is passed by reference.
impl<M: Metric + ?Sized> Metric for &M {
    type Bound = M::Bound;

    #[inline(always)]
    fn outer_children<S: Simd>(&self, node: usize, inner: usize, cutoff: M::Bound) -> ChildBounds<M::Bound> {
        (**self).outer_children::<S>(node, inner, cutoff)
    }

    #[inline(always)]
    fn inner_children<S: Simd>(&self, outer: usize, node: usize, cutoff: M::Bound) -> ChildBounds<M::Bound> {
        (**self).inner_children::<S>(outer, node, cutoff)
    }

    #[inline(always)]
    fn opens_outer(&self, outer: usize, inner: usize) -> Option<bool> {
        (**self).opens_outer(outer, inner)
    }

    #[inline(always)]
    fn at_most(&self, outer: usize, inner: usize) -> Option<M::Bound> {
        (**self).at_most(outer, inner)
    }
}

/// A metric chosen at run time: volumes of any kind share one compiled descent.
pub(crate) trait Volumes {
    /// As [`Metric::outer_children`], squared.
    fn outer_children(&self, node: usize, inner: usize, cutoff: f64) -> ChildBounds<f64>;

    /// As [`Metric::inner_children`], squared.
    fn inner_children(&self, outer: usize, node: usize, cutoff: f64) -> ChildBounds<f64>;

    /// As [`Metric::at_most`], squared.
    fn at_most(&self, outer: usize, inner: usize) -> f64;

    /// A unit vector between the closest points known, from `a` to `b`; 0 when none are.
    fn towards(&self, _direction: DVec3) {}

    /// The query is over, with so many pairs opened: counts the work.
    fn finish(&self, opened: u64, stats: &mut Stats);

    /// Whether the whole bodies may touch.
    fn roots_meet(&self) -> bool {
        self.outer_children(0, 0, 0.0).within != 0
    }
}

impl Metric for dyn Volumes + '_ {
    type Bound = f64;

    #[inline(always)]
    fn outer_children<S: Simd>(&self, node: usize, inner: usize, cutoff: f64) -> ChildBounds<f64> {
        Volumes::outer_children(self, node, inner, cutoff)
    }

    #[inline(always)]
    fn inner_children<S: Simd>(&self, outer: usize, node: usize, cutoff: f64) -> ChildBounds<f64> {
        Volumes::inner_children(self, outer, node, cutoff)
    }

    #[inline(always)]
    fn at_most(&self, outer: usize, inner: usize) -> Option<f64> {
        Some(Volumes::at_most(self, outer, inner))
    }
}

/// Bounds of eight children.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChildBounds<B> {
    pub(crate) bound: [B; WIDTH],
    /// Bit `k` is set when child `k` is within the cut-off.
    pub(crate) within: u32,
}

/// Which open pair comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Depth first, siblings as they lie: where every pair has to be visited.
    Any,
    /// Depth first, the nearest sibling first: reaches near leaves soon.
    DepthFirst,
    /// The nearest of all open pairs, nearly: opens the fewest pairs, for a queue to be kept. A pair with a leaf in it
    /// is followed to its end depth first, without the queue: little is left to choose there.
    BestFirst,
}

/// What a query does with the pairs of leaves that remain.
pub(crate) trait Visitor<B> {
    const ORDER: Order;

    /// Pairs with a bound above this are dropped. Finite, so that empty slots are.
    fn cutoff(&self) -> B;

    /// Boxes not farther apart than this need not be opened, because any leaves in them are an answer.
    #[inline(always)]
    fn enough(&self) -> Option<B> {
        None
    }

    /// Two leaves whose boxes are not apart. `Break` ends the descent.
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()>;

    /// Most pairs opened or visited; pairs that are still open then are only reported. Queries that need all of them
    /// set no limit.
    const MOST_PAIRS: u64 = u64::MAX;

    /// A pair within the cut-off, not opened because of `MOST_PAIRS`.
    fn left_open(&mut self, _bound: B) {}

    /// Called when the number of pairs seen reaches a power of two from 64 on. `Break` ends the descent.
    fn long(&mut self, _seen: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Memory of a descent, kept between queries so that none allocates.
#[derive(Debug, Clone)]
pub(crate) struct Scratch<B> {
    stack: Vec<OpenPair<B>>,
    /// None before the first best-first descent.
    queue: Option<Box<Buckets<B>>>,
}

impl<B: Copy + PartialOrd + Into<f64>> Default for Scratch<B> {
    fn default() -> Self {
        Scratch { stack: Vec::new(), queue: None }
    }
}

impl<B: Copy + PartialOrd + Into<f64>> Scratch<B> {
    /// The pairs of slots still open where [`Visitor::long`] ended a descent without a queue, the next one last.
    pub(crate) fn left(&mut self) -> Vec<[u32; 2]> {
        self.stack.drain(..).map(|open| [open.outer, open.inner]).collect()
    }

    #[inline(always)]
    fn start<V: Visitor<B>>(&mut self, root: OpenPair<B>, cutoff: B) {
        self.stack.clear();
        self.stack.push(root);
        if V::ORDER == Order::BestFirst {
            self.queue.get_or_insert_default().start(cutoff);
        }
    }

    /// The next pair; `None` when all pairs left are beyond the cut-off.
    #[inline(always)]
    fn next<V: Visitor<B>>(&mut self, cutoff: B) -> Option<OpenPair<B>> {
        while let Some(pair) = self.stack.pop() {
            if pair.bound <= cutoff {
                return Some(pair);
            }
        }
        if V::ORDER != Order::BestFirst {
            return None;
        }
        let queue = self.queue.as_mut()?;
        while let Some(pair) = queue.pop(cutoff) {
            if pair.bound <= cutoff {
                return Some(pair);
            }
        }
        None
    }

    /// Adds the children within the cut-off: of siblings on the stack the farthest first, where the order matters.
    #[inline(always)]
    fn add<V: Visitor<B>>(&mut self, bounds: &ChildBounds<B>, queued: bool, slots: impl Fn(u32) -> (u32, u32)) {
        let start = self.stack.len();
        let mut within = bounds.within;
        while within != 0 {
            let k = within.trailing_zeros();
            within &= within - 1;
            let (outer, inner) = slots(k);
            let new = OpenPair { bound: bounds.bound[k as usize], outer, inner };
            if V::ORDER == Order::BestFirst
                && queued
                && let Some(queue) = &mut self.queue
            {
                queue.push(new);
                continue;
            }
            let stack = &mut self.stack;
            stack.push(new);
            if V::ORDER != Order::Any {
                let mut at = stack.len() - 1;
                while at > start && stack[at - 1].bound < new.bound {
                    stack[at] = stack[at - 1];
                    at -= 1;
                }
                stack[at] = new;
            }
        }
    }
}

/// Work done: node pairs opened; eight boxes are tested in each.
pub(crate) type Opened = u64;

/// Walks both trees from their roots, whose bound is `root`. Both have nodes; `scale` is the inner unit in outer units.
#[inline(always)]
pub(crate) fn descend<S: Simd, M: Metric, V: Visitor<M::Bound>>(
    outer: &Tree,
    inner: &Tree,
    scale: f64,
    metric: &M,
    root: M::Bound,
    visitor: &mut V,
    scratch: &mut Scratch<M::Bound>,
) -> Opened {
    descend_from::<S, M, V>([outer, inner], scale, metric, [0, 0], root, visitor, scratch).0
}

/// Walks what is below two slots, whose bound is `bound`; `Break` when the visitor ended it.
#[inline(always)]
pub(crate) fn descend_from<S: Simd, M: Metric, V: Visitor<M::Bound>>(
    [outer, inner]: [&Tree; 2],
    scale: f64,
    metric: &M,
    start: [u32; 2],
    bound: M::Bound,
    visitor: &mut V,
    scratch: &mut Scratch<M::Bound>,
) -> (Opened, ControlFlow<()>) {
    scratch.start::<V>(OpenPair { bound, outer: start[0], inner: start[1] }, visitor.cutoff());
    let scale = scale as f32;
    let (mut opened, mut seen) = (0, 0u64);
    while let Some(pair) = scratch.next::<V>(visitor.cutoff()) {
        seen += 1;
        if seen >= 64 && seen.is_power_of_two() && visitor.long(seen).is_break() {
            scratch.stack.push(pair);
            return (opened, ControlFlow::Break(()));
        }
        if seen > V::MOST_PAIRS {
            visitor.left_open(pair.bound);
            continue;
        }
        let (o, i) = (pair.outer as usize, pair.inner as usize);
        let (o_node, i_node) = (&outer.nodes[o / WIDTH], &inner.nodes[i / WIDTH]);
        let (o_child, i_child) = (o_node.child[o % WIDTH], i_node.child[i % WIDTH]);
        let (o_leaf, i_leaf) = (o_child.as_leaf(), i_child.as_leaf());
        if let (Some(o_leaf), Some(i_leaf)) = (o_leaf, i_leaf) {
            if visitor.leaves::<S>(o_leaf, i_leaf).is_break() {
                return (opened, ControlFlow::Break(()));
            }
            continue;
        }
        if let Some(enough) = visitor.enough()
            && metric.at_most(o, i).is_some_and(|most| most <= enough)
            && visitor.leaves::<S>(outer.first_leaf(o_child), inner.first_leaf(i_child)).is_break()
        {
            break;
        }
        let larger = || o_node.size[o % WIDTH] >= i_node.size[i % WIDTH] * scale;
        let opens_outer = || metric.opens_outer(o, i).unwrap_or_else(larger);
        let open_outer = i_leaf.is_some() || (o_leaf.is_none() && opens_outer());
        opened += 1;
        let queued = o_leaf.is_none() && i_leaf.is_none();
        let cutoff = visitor.cutoff();
        if open_outer {
            let index = o_child.index();
            let bounds = metric.outer_children::<S>(index, i, cutoff);
            let first = (index * WIDTH) as u32;
            scratch.add::<V>(&bounds, queued, |k| (first + k, pair.inner));
        } else {
            let index = i_child.index();
            let bounds = metric.inner_children::<S>(o, index, cutoff);
            let first = (index * WIDTH) as u32;
            scratch.add::<V>(&bounds, queued, |k| (pair.outer, first + k));
        }
    }
    (opened, ControlFlow::Continue(()))
}

/// The map from the inner tree's coordinates to the outer's: `x ↦ scale·rotation·x + translation`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeFrame {
    /// Rows of the rotation.
    pub(crate) rotation: [[f64; 3]; 3],
    pub(crate) translation: [f64; 3],
    /// The inner unit in outer units: a power of two, at most 1.
    pub(crate) scale: f64,
}

impl TreeFrame {
    /// `inner_in_outer` maps the inner body's coordinates to the outer's.
    pub(crate) fn new(outer: &Tree, inner: &Tree, inner_in_outer: &Relative) -> TreeFrame {
        // Scaled before they are added, so that nothing overflows: both factors are powers of two.
        let shrink = outer.unit.recip();
        let rotated: DVec3 = inner_in_outer.rotation * (inner.centre * shrink);
        let translation = rotated + inner_in_outer.translation * shrink - outer.centre * shrink;
        TreeFrame {
            rotation: inner_in_outer.rotation.transpose().to_cols_array_2d(),
            translation: translation.to_array(),
            // Below 2⁻¹⁰⁰ the inner body is a point to the outer; a larger scale only widens its boxes.
            scale: (inner.unit * shrink).max(2f64.powi(-100)),
        }
    }

    /// The map from the outer tree's coordinates to the inner's: a scale of at least 1.
    pub(crate) fn inverse(&self) -> TreeFrame {
        let r = &self.rotation;
        let rotation = [0, 1, 2].map(|i| [r[0][i], r[1][i], r[2][i]]);
        let scale = self.scale.recip();
        let back = TreeFrame { rotation, translation: [0.0; 3], scale };
        let translation = (-back.rotate(DVec3::from_array(self.translation)) * scale).to_array();
        TreeFrame { translation, ..back }
    }

    #[inline(always)]
    pub(crate) fn rotate(&self, v: DVec3) -> DVec3 {
        let r = &self.rotation;
        DVec3::new(
            r[0][0] * v.x + r[0][1] * v.y + r[0][2] * v.z,
            r[1][0] * v.x + r[1][1] * v.y + r[1][2] * v.z,
            r[2][0] * v.x + r[2][1] * v.y + r[2][2] * v.z,
        )
    }

    /// Largest component of the translation.
    pub(crate) fn reach(&self) -> f64 {
        self.translation.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
    }
}
