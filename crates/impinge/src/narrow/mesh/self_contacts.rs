//! Which triangles of one mesh have a common point: its tree against itself, with the exact test at the leaves.
//!
//! Neighbours, which share a vertex, always touch there; they are left out, or kept where they
//! [fold](crate::prim::triangles_fold) onto each other. Vertices are the same when their positions are equal.
//!
//! Nodes of the tree are shared out between threads; the pairs found are put together in the order of the nodes. When
//! there are more than the limit allows, one thread looks again, so that which ones are listed depends on nothing else.
//!
//! Cost: at most the time of testing every pair of triangles; memory for the pairs and for the node pairs open.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::placed::leaf_blocks::{LeafBlocks, PlacedTriangles};
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, axes, dispatch};
use crate::math::{Relative, normalising_scale};
use crate::model::Mesh;
use crate::narrow::limit::Limit;
use crate::prim::{Triangle, triangles_fold, triangles_overlap_knowing};
use crate::threads::share;
use crate::tree::descent::descend::{Order, Scratch, TreeFrame, Visitor};
use crate::tree::descent::itself::descend_itself;
use crate::tree::descent::separation::Separation;
use crate::tree::nodes::{Leaf, SERIAL};

/// What becomes of triangles that share a vertex when a mesh is tested against itself.
///
/// ```
/// use impinge::{glam::DVec3, Limit, Mesh, Neighbours};
/// let v = [[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0.5, 0.5, -1.], [0.5, 0.5, 1.], [3., 3., 0.]];
/// let crossing = Mesh::new(v.map(DVec3::from_array).to_vec(), vec![[0, 1, 2], [3, 4, 5], [1, 5, 2]])?;
/// // The last two triangles share a corner, and have more than that in common.
/// assert_eq!(crossing.self_contacts_with(Limit::All, Neighbours::LeftOut).pairs, [[0, 1]]);
/// assert_eq!(crossing.self_contacts_with(Limit::All, Neighbours::Folded).pairs, [[0, 1], [1, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Neighbours {
    /// They are left out.
    #[default]
    LeftOut,
    /// They are listed where they have more points in common than the vertex or the edge that they share. Copies of one
    /// triangle do.
    Folded,
}

crate::error::named! { Neighbours { LeftOut = "left-out", Folded = "folded" } }

/// Answer to [`Mesh::self_contacts`].
///
/// ```
/// use impinge::{glam::DVec3, Limit, Mesh};
/// let v = [[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0.5, 0.5, -1.], [0.5, 0.5, 1.], [3., 3., 0.]];
/// let crossing = Mesh::new(v.map(DVec3::from_array).to_vec(), vec![[0, 1, 2], [3, 4, 5], [1, 5, 2]])?;
/// let found = crossing.self_contacts(Limit::All);
/// assert!(found.touching() && found.complete && found.pairs == [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SelfContacts {
    /// Pairs of touching triangles, by their indices as given, the smaller first, in ascending order.
    pub pairs: Vec<[u32; 2]>,
    /// Whether these are certainly all: false when the limit was reached.
    pub complete: bool,
    /// The work done.
    pub stats: Stats,
}

impl SelfContacts {
    /// Whether the mesh touches itself.
    pub fn touching(&self) -> bool {
        !self.pairs.is_empty()
    }
}

impl Mesh {
    /// Which triangles of the mesh touch each other? Decided exactly; triangles that share a vertex (given as one, or
    /// at equal positions) are left out.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Limit, Mesh};
    /// let v = [[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0.5, 0.5, -1.], [0.5, 0.5, 1.], [3., 3., 0.]];
    /// let crossing = Mesh::new(v.map(DVec3::from_array).to_vec(), vec![[0, 1, 2], [3, 4, 5], [1, 5, 2]])?;
    /// let found = crossing.self_contacts(Limit::All);
    /// assert!(found.pairs == [[0, 1]] && found.complete);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn self_contacts(&self, limit: Limit) -> SelfContacts {
        self.self_contacts_with(limit, Neighbours::LeftOut)
    }

    /// As [`Mesh::self_contacts`], with a choice of what becomes of neighbours.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Limit, Mesh, Neighbours};
    /// // Two triangles with a common edge, the second folded back onto the first.
    /// let v = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0, DVec3::new(0.5, 0.5, 0.0)].to_vec();
    /// let folded = Mesh::new(v, vec![[0, 1, 2], [0, 3, 1]])?;
    /// assert!(folded.self_contacts(Limit::All).pairs.is_empty());
    /// assert_eq!(folded.self_contacts_with(Limit::All, Neighbours::Folded).pairs, [[0, 1]]);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn self_contacts_with(&self, limit: Limit, neighbours: Neighbours) -> SelfContacts {
        let (limit, mut stats) = (limit.most(), Stats::default());
        let mut pairs = Vec::new();
        if limit > 0 && !self.is_empty() {
            let places = find(self, neighbours, limit, &mut stats);
            for [i, j] in places {
                let both = self.all_at(i).flat_map(|a| self.all_at(j).map(move |b| [a.min(b), a.max(b)]));
                pairs.extend(both.take(limit - pairs.len()));
            }
            if neighbours == Neighbours::Folded {
                for place in (0..self.place_count()).filter(|&place| !self.copies(place).is_empty()) {
                    let ids = self.all_at(place);
                    let both = ids.clone().enumerate().flat_map(|(k, a)| ids.clone().skip(k + 1).map(move |b| [a, b]));
                    pairs.extend(both.map(|[a, b]| [a.min(b), a.max(b)]).take(limit - pairs.len()));
                }
            }
        }
        pairs.sort_unstable();
        let complete = pairs.len() < limit;
        SelfContacts { pairs, complete, stats }
    }
}

/// Nodes of the tree handed to a thread at once.
const SHARE: usize = 64;

/// Pairs of triangles, by places in leaf order, up to `limit` of them.
fn find(mesh: &Mesh, neighbours: Neighbours, limit: usize, stats: &mut Stats) -> Vec<[u32; 2]> {
    let nodes = mesh.tree().nodes();
    let search = |nodes: Range<usize>, found: &AtomicUsize| dispatch(Search { mesh, neighbours, limit, nodes, found });
    // One thread alone looks for the first few pairs.
    if mesh.place_count() as usize > SERIAL && limit > SERIAL {
        let found = AtomicUsize::new(0);
        let share_of = |k: usize| search(k * SHARE..nodes.min((k + 1) * SHARE), &found);
        let shares = share::results(nodes.div_ceil(SHARE), share_of);
        if found.load(Ordering::Relaxed) <= limit {
            shares.iter().for_each(|(_, work)| add(stats, work));
            return shares.into_iter().flat_map(|(pairs, _)| pairs).collect();
        }
    }
    let (pairs, work) = search(0..nodes, &AtomicUsize::new(0));
    add(stats, &work);
    pairs
}

fn add(stats: &mut Stats, work: &Stats) {
    stats.iterations += work.iterations;
    stats.volume_tests += work.volume_tests;
    stats.primitive_tests += work.primitive_tests;
}

struct Search<'q> {
    mesh: &'q Mesh,
    neighbours: Neighbours,
    limit: usize,
    nodes: Range<usize>,
    /// Pairs found by all threads.
    found: &'q AtomicUsize,
}

impl Kernel for Search<'_> {
    type Output = (Vec<[u32; 2]>, Stats);

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Output {
        let Search { mesh, neighbours, limit, nodes, found } = self;
        let tree = mesh.tree();
        let frame = TreeFrame::new(tree, tree, &Relative::IDENTITY);
        let scale = normalising_scale(mesh.aabb().reach());
        let blocks = LeafBlocks::in_order(OwnTriangles { mesh, scale });
        let mut leaves = OwnLeaves { blocks, neighbours, limit, found, pairs: Vec::new(), tests: 0 };
        let mut opened = 0;
        // A body is never apart from itself.
        if let Some(metric) = Separation::new(tree, tree, &frame) {
            (opened, _) = descend_itself::<S, _, _>(tree, nodes, &metric, 0.0, &mut leaves, &mut Scratch::default());
        }
        let stats = Stats { iterations: opened, volume_tests: 8 * opened, primitive_tests: leaves.tests };
        (leaves.pairs, stats)
    }
}

/// The triangles of one mesh, which is both bodies, scaled.
struct OwnTriangles<'q> {
    mesh: &'q Mesh,
    /// The power of two that brings coordinates within ±1.
    scale: f64,
}

impl OwnTriangles<'_> {
    #[inline(always)]
    fn triangle(&self, place: u32) -> Triangle {
        let t = self.mesh.corners(place);
        axes!(k => t[k] * self.scale)
    }
}

impl PlacedTriangles for OwnTriangles<'_> {
    #[inline(always)]
    fn a_triangle(&self, place: u32) -> Triangle {
        self.triangle(place)
    }

    #[inline(always)]
    fn b_triangle(&self, place: u32) -> Triangle {
        self.triangle(place)
    }
}

/// Tests the triangles of leaf pairs.
struct OwnLeaves<'q> {
    blocks: LeafBlocks<OwnTriangles<'q>>,
    neighbours: Neighbours,
    limit: usize,
    found: &'q AtomicUsize,
    pairs: Vec<[u32; 2]>,
    tests: u64,
}

impl OwnLeaves<'_> {
    /// Whether two triangles fold: `None` when they share no vertex.
    #[inline(always)]
    fn fold(&self, [i, j]: [u32; 2]) -> Option<bool> {
        let own = &self.blocks.triangles;
        let (a, b) = (own.mesh.corner_places(i), own.mesh.corner_places(j));
        if !a.iter().any(|v| b.contains(v)) {
            return None;
        }
        let folded = || triangles_fold(&(a, own.triangle(i)), &(b, own.triangle(j)));
        Some(self.neighbours == Neighbours::Folded && folded())
    }
}

impl Visitor<f32> for OwnLeaves<'_> {
    const ORDER: Order = Order::Any;

    #[inline(always)]
    fn cutoff(&self) -> f32 {
        0.0
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        self.blocks.load(outer, inner);
        for k in 0..outer.count {
            let Some(plane) = &self.blocks.planes[k as usize] else { break };
            let (mut lanes, heights) = plane.may_overlap::<S>(&self.blocks.block);
            if outer == inner {
                lanes &= !1 << k;
            }
            self.tests += u64::from(inner.count);
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                lanes &= lanes - 1;
                let places = [outer.first + k, inner.first + lane];
                let touch = self.fold(places).unwrap_or_else(|| {
                    let b = self.blocks.block.triangle(lane as usize);
                    triangles_overlap_knowing(plane.triangle(), &b, heights.signs(lane as usize))
                });
                if touch {
                    if self.found.fetch_add(1, Ordering::Relaxed) >= self.limit {
                        return ControlFlow::Break(());
                    }
                    self.pairs.push(places);
                }
            }
        }
        ControlFlow::Continue(())
    }
}
