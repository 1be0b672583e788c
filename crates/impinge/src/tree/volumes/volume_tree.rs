//! A tree in other volumes: one [`Bound`] a slot, beside the nodes, and the metric of the descent over two such trees.
//!
//! Which triangles lie together is the tree's; what stands around them is a *dressing*, fitted to the triangles below
//! each slot when it is first asked for, in parallel. Volumes of the outer tree stand still; those of the inner are
//! placed in the outer's frame when the descent first comes to them, and kept in a [`Wardrobe`] until the next query:
//! so k-DOPs are tumbled lazily (J. Klosowski et al., *Efficient collision detection using bounding volume hierarchies
//! of k-DOPs*, TVCG 4(1), 1998).
//!
//! The kind of volume is known to the compiler where eight children are tested and erased above, so that the descent
//! and the leaves of a query are compiled once for all volumes, those of users included.
//!
//! **Error.** The map between the trees is off by some ten roundings of its largest term, the triangles that were
//! fitted by one, and each bound by what [`Bound`] allows: [`SLACK`] times the sum of all magnitudes covers them.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, OnceLock};

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use crate::answer::Stats;
use crate::bound::{AlignedBox, Bound, Kdop14, Kdop18, Kdop26, Obb, Placement, SLACK, Sphere, SweptSphere, Volume};
use crate::math::{EPS, Relative};
use crate::prim::Triangle;
use crate::tree::descent::descend::{ChildBounds, TreeFrame, Volumes};
use crate::tree::nodes::{NOWHERE, Tree, WIDTH};
use crate::tree::oriented::ranges;

/// Fits a dressing to a tree; the function gives the corners at a place in leaf order.
type Fit = fn(&Tree, &(dyn Fn(u32) -> Triangle + Sync)) -> Arc<dyn Dressing>;

/// Which volumes a tree wears besides its own boxes, and these once they are fitted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dress {
    fit: Option<Fit>,
    fitted: OnceLock<Arc<dyn Dressing>>,
}

impl Dress {
    pub(crate) fn of(volume: Volume) -> Dress {
        match volume {
            // Hulls are the model's to build.
            Volume::Auto | Volume::Hull => Dress::default(),
            Volume::Aabb => Dress::made_of::<AlignedBox>(),
            Volume::Obb => Dress::made_of::<Obb>(),
            Volume::SweptSphere => Dress::made_of::<SweptSphere>(),
            Volume::Kdop14 => Dress::made_of::<Kdop14>(),
            Volume::Kdop18 => Dress::made_of::<Kdop18>(),
            Volume::Kdop26 => Dress::made_of::<Kdop26>(),
            Volume::Sphere => Dress::made_of::<Sphere>(),
        }
    }

    /// Whether the tree wears nothing but its own boxes.
    pub(crate) fn is_plain(&self) -> bool {
        self.fit.is_none()
    }

    pub(crate) fn made_of<B: Bound>() -> Dress {
        Dress { fit: Some(Slots::<B>::fit), fitted: OnceLock::new() }
    }

    /// The same volumes, to be fitted anew.
    pub(crate) fn unfitted(&self) -> Dress {
        Dress { fit: self.fit, fitted: OnceLock::new() }
    }

    /// The fitted volumes; `None` when the tree wears nothing but its own boxes.
    pub(crate) fn on(&self, tree: &Tree, triangle: impl Fn(u32) -> Triangle + Sync) -> Option<&dyn Dressing> {
        let fit = self.fit?;
        let fitted = self.fitted.get().unwrap_or_else(|| {
            // Not within the lock: a thread of rayon's that waits for others may take up another query of this mesh.
            let fitted = fit(tree, &triangle);
            self.fitted.get_or_init(|| fitted)
        });
        Some(&**fitted)
    }

    /// Bytes of what is fitted so far.
    pub(crate) fn bytes(&self) -> usize {
        self.fitted.get().map_or(0, |dressing| dressing.bytes())
    }
}

/// The volumes of a tree, of a kind that only they know.
pub(crate) trait Dressing: Any + fmt::Debug + Send + Sync {
    fn bytes(&self) -> usize;

    /// Makes room for the placed volumes of the inner tree.
    fn enter(&self, wardrobe: &mut Wardrobe);

    /// How far the children of an outer node are apart from the volume in an inner slot; returns their number.
    fn outer_children(
        &self,
        node: usize,
        inner: &Inner<'_>,
        slot: usize,
        wardrobe: &mut Wardrobe,
        gaps: &mut Gaps,
    ) -> usize;

    /// How far the volume in an outer slot is apart from the children of an inner node; returns their number.
    fn inner_children(
        &self,
        slot: usize,
        inner: &Inner<'_>,
        node: usize,
        wardrobe: &mut Wardrobe,
        gaps: &mut Gaps,
    ) -> usize;

    /// How far points of the volumes in two slots are apart at most.
    fn at_most(&self, outer: usize, inner: &Inner<'_>, slot: usize, wardrobe: &mut Wardrobe) -> f64;
}

type Gaps = [f64; WIDTH];

/// The dressing of the inner tree, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inner<'t> {
    dressing: &'t dyn Dressing,
    to: Placement,
}

/// The volumes of one kind: those of a node's children lie together, in the order of its slots.
#[derive(Debug)]
struct Slots<B> {
    /// First volume of each node, and the number of all.
    first: Vec<u32>,
    volumes: Vec<B>,
}

impl<B: Bound> Slots<B> {
    fn fit(tree: &Tree, triangle: &(dyn Fn(u32) -> Triangle + Sync)) -> Arc<dyn Dressing> {
        let below = ranges(&tree.nodes);
        let scale = tree.unit.recip();
        let count = below.first().map_or(0, |all| all.end);
        let local = |place: u32| triangle(place).map(|x| (x - tree.centre) * scale);
        let triangles: Vec<Triangle> = (0..count).into_par_iter().with_min_len(4096).map(local).collect();
        // Of every used slot its node and the run of triangles below; used slots come first in a node.
        let mut slots = Vec::new();
        let mut first = Vec::with_capacity(tree.nodes.len() + 1);
        for node in &tree.nodes {
            first.push(slots.len() as u32);
            for k in (0..WIDTH).filter(|&k| node.half[0][k] != NOWHERE) {
                slots.push(match node.child[k].as_leaf() {
                    Some(leaf) => (None, leaf.first..leaf.first + leaf.count),
                    None => (Some(node.child[k].index()), below[node.child[k].index()].clone()),
                });
            }
        }
        first.push(slots.len() as u32);
        let around = |(_, run): &(_, std::ops::Range<u32>)| B::around(&triangles[run.start as usize..run.end as usize]);
        let mut volumes: Vec<B> = slots.par_iter().with_min_len(16).map(around).collect();
        // Children come after their parents.
        for at in (0..slots.len()).rev() {
            let Some(node) = slots[at].0 else { continue };
            let (before, after) = volumes.split_at_mut(at + 1);
            let [start, end] = [first[node], first[node + 1]].map(|i| i as usize - (at + 1));
            before[at].tighten(&after[start..end]);
        }
        Arc::new(Slots { first, volumes })
    }

    #[inline(always)]
    fn children(&self, node: usize) -> &[B] {
        &self.volumes[self.first[node] as usize..self.first[node + 1] as usize]
    }

    #[inline(always)]
    fn at(&self, slot: usize) -> &B {
        &self.volumes[self.first[slot / WIDTH] as usize + slot % WIDTH]
    }
}

impl<B: Bound> Dressing for Slots<B> {
    fn bytes(&self) -> usize {
        let volumes: usize = self.volumes.iter().map(B::bytes).sum();
        volumes + self.first.len() * size_of::<u32>()
    }

    fn enter(&self, wardrobe: &mut Wardrobe) {
        wardrobe.open::<B::Placed>(self.volumes.len());
    }

    fn outer_children(
        &self,
        node: usize,
        inner: &Inner<'_>,
        slot: usize,
        wardrobe: &mut Wardrobe,
        gaps: &mut Gaps,
    ) -> usize {
        let children = self.children(node);
        let Some((theirs, stamp, rack)) = parts::<B>(inner, wardrobe) else { return 0 };
        let placed = rack.at(stamp, slot as u32, || theirs.at(slot).place(&inner.to));
        for (gap, child) in gaps.iter_mut().zip(children) {
            *gap = child.apart(placed);
        }
        children.len()
    }

    fn inner_children(
        &self,
        slot: usize,
        inner: &Inner<'_>,
        node: usize,
        wardrobe: &mut Wardrobe,
        gaps: &mut Gaps,
    ) -> usize {
        let volume = self.at(slot);
        let Some((theirs, stamp, rack)) = parts::<B>(inner, wardrobe) else { return 0 };
        let children = theirs.children(node);
        for (k, (gap, child)) in gaps.iter_mut().zip(children).enumerate() {
            let slot = (node * WIDTH + k) as u32;
            *gap = volume.apart(rack.at(stamp, slot, || child.place(&inner.to)));
        }
        children.len()
    }

    fn at_most(&self, outer: usize, inner: &Inner<'_>, slot: usize, wardrobe: &mut Wardrobe) -> f64 {
        let Some((theirs, stamp, rack)) = parts::<B>(inner, wardrobe) else { return f64::INFINITY };
        self.at(outer).at_most(rack.at(stamp, slot as u32, || theirs.at(slot).place(&inner.to)))
    }
}

/// What [`Dressed::new`] made sure of: the inner tree wears the same, and there is room for its placed volumes.
#[inline(always)]
fn parts<'w, 't, B: Bound>(inner: &Inner<'t>, wardrobe: &'w mut Wardrobe) -> Option<Parts<'w, 't, B>> {
    let theirs = (inner.dressing as &dyn Any).downcast_ref()?;
    Some((theirs, wardrobe.stamp, wardrobe.rack.as_mut()?.downcast_mut()?))
}

type Parts<'w, 't, B> = (&'t Slots<B>, u64, &'w mut Rack<<B as Bound>::Placed>);

/// Placed volumes of the last query, kept so that none allocates.
#[derive(Default)]
pub(crate) struct Wardrobe {
    /// Number of the query: what another one placed is not looked at.
    stamp: u64,
    rack: Option<Box<dyn Any + Send + Sync>>,
}

/// Placed volumes, each at its slot modulo their number; the later of two comes to stay.
struct Rack<P>(Vec<Option<Hanger<P>>>);

struct Hanger<P> {
    stamp: u64,
    slot: u32,
    placed: P,
}

/// Most volumes kept placed. Those of one descent lie near each other; of a large tree more are placed twice.
const MOST_PLACED: usize = 1 << 12;

impl Wardrobe {
    fn open<P: Send + Sync + 'static>(&mut self, slots: usize) {
        self.stamp += 1;
        let size = slots.clamp(WIDTH, MOST_PLACED).next_power_of_two();
        let fits =
            self.rack.as_ref().and_then(|rack| rack.downcast_ref::<Rack<P>>()).is_some_and(|r| r.0.len() >= size);
        if !fits {
            self.rack = Some(Box::new(Rack::<P>((0..size).map(|_| None).collect())));
        }
    }
}

impl<P> Rack<P> {
    #[inline(always)]
    fn at(&mut self, stamp: u64, slot: u32, place: impl FnOnce() -> P) -> &P {
        let index = slot as usize & (self.0.len() - 1);
        let hanger = &mut self.0[index];
        if !hanger.as_ref().is_some_and(|h| h.stamp == stamp && h.slot == slot) {
            *hanger = None;
        }
        &hanger.get_or_insert_with(|| Hanger { stamp, slot, placed: place() }).placed
    }
}

/// Memory that is not worth copying.
impl Clone for Wardrobe {
    fn clone(&self) -> Self {
        Wardrobe::default()
    }
}

impl fmt::Debug for Wardrobe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wardrobe").field("stamp", &self.stamp).finish_non_exhaustive()
    }
}

/// Squared lower bounds on the distance of the volumes of two dressed trees, in the outer tree's unit.
#[derive(Debug)]
pub(crate) struct Dressed<'t> {
    outer: &'t dyn Dressing,
    inner: Inner<'t>,
    slack: f64,
    work: RefCell<Work<'t>>,
}

#[derive(Debug)]
struct Work<'t> {
    wardrobe: &'t mut Wardrobe,
    tests: u64,
}

impl<'t> Dressed<'t> {
    /// Trees with what they wear, the outer first; `None` when that is not the same.
    pub(crate) fn new(
        trees: [&'t Tree; 2],
        wear: [&'t dyn Dressing; 2],
        inner_in_outer: &Relative,
        frame: &TreeFrame,
        wardrobe: &'t mut Wardrobe,
    ) -> Option<Dressed<'t>> {
        let [outer, inner] = wear;
        if (outer as &dyn Any).type_id() != (inner as &dyn Any).type_id() {
            return None;
        }
        inner.enter(wardrobe);
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
        let work = RefCell::new(Work { wardrobe, tests: 0 });
        Some(Dressed { outer, inner: Inner { dressing: inner, to }, slack, work })
    }

    #[inline(always)]
    fn bounds(&self, gaps: &Gaps, count: usize, cutoff: f64) -> ChildBounds<f64> {
        let mut bounds = ChildBounds { bound: [f64::INFINITY; WIDTH], within: 0 };
        for (k, gap) in gaps[..count].iter().enumerate() {
            let gap = gap - self.slack;
            // What is not certainly positive, a NaN among it, is no gap.
            bounds.bound[k] = if gap > 0.0 { (gap * gap * (1.0 - 4.0 * EPS)).min(f64::MAX) } else { 0.0 };
            bounds.within |= u32::from(bounds.bound[k] <= cutoff) << k;
        }
        bounds
    }
}

impl Volumes for Dressed<'_> {
    fn outer_children(&self, node: usize, inner: usize, cutoff: f64) -> ChildBounds<f64> {
        let (mut work, mut gaps) = (self.work.borrow_mut(), [0.0; WIDTH]);
        let count = self.outer.outer_children(node, &self.inner, inner, work.wardrobe, &mut gaps);
        work.tests += count as u64;
        self.bounds(&gaps, count, cutoff)
    }

    fn inner_children(&self, outer: usize, node: usize, cutoff: f64) -> ChildBounds<f64> {
        let (mut work, mut gaps) = (self.work.borrow_mut(), [0.0; WIDTH]);
        let count = self.outer.inner_children(outer, &self.inner, node, work.wardrobe, &mut gaps);
        work.tests += count as u64;
        self.bounds(&gaps, count, cutoff)
    }

    fn at_most(&self, outer: usize, inner: usize) -> f64 {
        let mut work = self.work.borrow_mut();
        let most = self.outer.at_most(outer, &self.inner, inner, work.wardrobe) + self.slack;
        most * most * (1.0 + 4.0 * EPS)
    }

    fn finish(&self, opened: u64, stats: &mut Stats) {
        stats.iterations += opened;
        stats.volume_tests += self.work.borrow().tests;
    }
}
