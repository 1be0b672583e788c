//! The volumes around the nodes of one tree besides its own boxes: chosen, fitted, and compared.
//!
//! The tree decides which triangles lie together. Around them is one [`Bound`] a slot, fitted to the triangles below
//! when a query first needs it, in parallel.
//!
//! The code that tests eight children is compiled for each kind of volume; above it the kind is erased, so that the
//! descent and the leaves of a query are compiled once for all volumes, those of users included.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::placed_volumes::{PlacedOf, PlacedVolumes};
use crate::bound::{AlignedBox, Bound, Kdop14, Kdop18, Kdop26, Obb, Placement, Sphere, SweptSphere, Volume};
use crate::prim::Triangle;
use crate::threads::share;
use crate::tree::nodes::{NOWHERE, Tree, WIDTH};
use crate::tree::oriented::ranges;

/// Fits volumes to a tree; the function gives the corners at a place in leaf order.
type FitVolumes = fn(&Tree, &(dyn Fn(u32) -> Triangle + Sync)) -> Arc<dyn FittedVolumes>;

/// Which volumes a tree's nodes have besides its own boxes, and these once they are fitted.
#[derive(Debug, Clone, Default)]
pub(crate) struct VolumeChoice {
    fit: Option<FitVolumes>,
    fitted: OnceLock<Arc<dyn FittedVolumes>>,
}

impl VolumeChoice {
    pub(crate) fn of(volume: Volume) -> VolumeChoice {
        match volume {
            // Hulls are built by the model, not here.
            Volume::Auto | Volume::Hull => VolumeChoice::default(),
            Volume::Aabb => VolumeChoice::of_kind::<AlignedBox>(),
            Volume::Obb => VolumeChoice::of_kind::<Obb>(),
            Volume::SweptSphere => VolumeChoice::of_kind::<SweptSphere>(),
            Volume::Kdop14 => VolumeChoice::of_kind::<Kdop14>(),
            Volume::Kdop18 => VolumeChoice::of_kind::<Kdop18>(),
            Volume::Kdop26 => VolumeChoice::of_kind::<Kdop26>(),
            Volume::Sphere => VolumeChoice::of_kind::<Sphere>(),
        }
    }

    /// Whether the tree has no volumes but its own boxes.
    pub(crate) fn is_none(&self) -> bool {
        self.fit.is_none()
    }

    /// Those of one kind.
    pub(crate) fn of_kind<B: Bound>() -> VolumeChoice {
        VolumeChoice { fit: Some(VolumesOf::<B>::fit), fitted: OnceLock::new() }
    }

    /// The same volumes, to be fitted anew.
    pub(crate) fn unfitted(&self) -> VolumeChoice {
        VolumeChoice { fit: self.fit, fitted: OnceLock::new() }
    }

    /// The volumes, fitted if they are not yet; `None` when there are none but the tree's own boxes.
    pub(crate) fn fitted_to(
        &self,
        tree: &Tree,
        triangle: impl Fn(u32) -> Triangle + Sync,
    ) -> Option<&dyn FittedVolumes> {
        let fit = self.fit?;
        let fitted = self.fitted.get().unwrap_or_else(|| {
            // Not within the lock: a rayon thread that waits for others may start another query of this mesh, which
            // takes the lock too.
            let fitted = fit(tree, &triangle);
            self.fitted.get_or_init(|| fitted)
        });
        Some(&**fitted)
    }

    /// Bytes of what is fitted so far.
    pub(crate) fn bytes(&self) -> usize {
        self.fitted.get().map_or(0, |volumes| volumes.bytes())
    }
}

/// The volumes of a tree, with their kind erased.
pub(crate) trait FittedVolumes: Any + fmt::Debug + Send + Sync {
    fn bytes(&self) -> usize;

    /// A query begins in which these are the inner tree's: makes room for them where they are placed.
    fn begin_query(&self, cache: &mut PlacedVolumes);

    /// How far the children of an outer node are apart from the volume in an inner slot; returns their number.
    fn outer_children(
        &self,
        node: usize,
        inner: &InnerVolumes<'_>,
        slot: usize,
        cache: &mut PlacedVolumes,
        gaps: &mut VolumeGaps,
    ) -> usize;

    /// How far the volume in an outer slot is apart from the children of an inner node; returns their number.
    fn inner_children(
        &self,
        slot: usize,
        inner: &InnerVolumes<'_>,
        node: usize,
        cache: &mut PlacedVolumes,
        gaps: &mut VolumeGaps,
    ) -> usize;

    /// How far points of the volumes in two slots are apart at most.
    fn at_most(&self, outer: usize, inner: &InnerVolumes<'_>, slot: usize, cache: &mut PlacedVolumes) -> f64;
}

/// How far eight children are apart from a volume.
pub(super) type VolumeGaps = [f64; WIDTH];

/// The volumes of the inner tree, and the map from its frame to the outer tree's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InnerVolumes<'t> {
    pub(super) volumes: &'t dyn FittedVolumes,
    pub(super) to: Placement,
}

impl<'t> InnerVolumes<'t> {
    /// The same with the kind known, and with the volumes placed so far; never `None`, once [`VolumePair::new`] has
    /// checked that both trees have volumes of that kind and has made room.
    ///
    /// [`VolumePair::new`]: super::volume_pair::VolumePair::new
    #[inline(always)]
    fn of_kind<'c, B: Bound>(&self, cache: &'c mut PlacedVolumes) -> Option<InnerOfKind<'c, 't, B>> {
        let theirs = (self.volumes as &dyn Any).downcast_ref()?;
        let (query, placed) = cache.of_kind()?;
        Some((theirs, query, placed))
    }
}

/// The volumes of the inner tree, the number of the query, and what of them is placed.
type InnerOfKind<'c, 't, B> = (&'t VolumesOf<B>, u64, &'c mut PlacedOf<<B as Bound>::Placed>);

/// The volumes of one kind: those of a node's children lie together, in the order of its slots.
#[derive(Debug)]
struct VolumesOf<B> {
    /// First volume of each node, and the number of all.
    first: Vec<u32>,
    volumes: Vec<B>,
}

impl<B: Bound> VolumesOf<B> {
    fn fit(tree: &Tree, triangle: &(dyn Fn(u32) -> Triangle + Sync)) -> Arc<dyn FittedVolumes> {
        let below = ranges(&tree.nodes);
        let scale = tree.unit.recip();
        let count = below.first().map_or(0, |all| all.end);
        let local = |place: u32| triangle(place).map(|x| (x - tree.centre) * scale);
        let triangles = share::map(count as usize, 4096, |place| local(place as u32));
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
        let around = |slot: usize| {
            let run: &std::ops::Range<u32> = &slots[slot].1;
            B::around(&triangles[run.start as usize..run.end as usize])
        };
        let mut volumes = share::map(slots.len(), 16, around);
        // Children come after their parents.
        for at in (0..slots.len()).rev() {
            let Some(node) = slots[at].0 else { continue };
            let (before, after) = volumes.split_at_mut(at + 1);
            let [start, end] = [first[node], first[node + 1]].map(|i| i as usize - (at + 1));
            before[at].tighten(&after[start..end]);
        }
        Arc::new(VolumesOf { first, volumes })
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

impl<B: Bound> FittedVolumes for VolumesOf<B> {
    fn bytes(&self) -> usize {
        let volumes: usize = self.volumes.iter().map(B::bytes).sum();
        volumes + self.first.len() * size_of::<u32>()
    }

    fn begin_query(&self, cache: &mut PlacedVolumes) {
        cache.begin_query::<B::Placed>(self.volumes.len());
    }

    fn outer_children(
        &self,
        node: usize,
        inner: &InnerVolumes<'_>,
        slot: usize,
        cache: &mut PlacedVolumes,
        gaps: &mut VolumeGaps,
    ) -> usize {
        let children = self.children(node);
        let Some((theirs, query, placed)) = inner.of_kind::<B>(cache) else { return 0 };
        let at_slot = placed.at(query, slot as u32, || theirs.at(slot).place(&inner.to));
        for (gap, child) in gaps.iter_mut().zip(children) {
            *gap = child.apart(at_slot);
        }
        children.len()
    }

    fn inner_children(
        &self,
        slot: usize,
        inner: &InnerVolumes<'_>,
        node: usize,
        cache: &mut PlacedVolumes,
        gaps: &mut VolumeGaps,
    ) -> usize {
        let volume = self.at(slot);
        let Some((theirs, query, placed)) = inner.of_kind::<B>(cache) else { return 0 };
        let children = theirs.children(node);
        for (k, (gap, child)) in gaps.iter_mut().zip(children).enumerate() {
            let slot = (node * WIDTH + k) as u32;
            *gap = volume.apart(placed.at(query, slot, || child.place(&inner.to)));
        }
        children.len()
    }

    fn at_most(&self, outer: usize, inner: &InnerVolumes<'_>, slot: usize, cache: &mut PlacedVolumes) -> f64 {
        let Some((theirs, query, placed)) = inner.of_kind::<B>(cache) else { return f64::INFINITY };
        self.at(outer).at_most(placed.at(query, slot as u32, || theirs.at(slot).place(&inner.to)))
    }
}
