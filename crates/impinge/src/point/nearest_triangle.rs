//! The triangle of a mesh that is nearest to a point: depth first, the nearer of two boxes first.
//!
//! The least distance so far cuts off every box farther away (`box_gaps.rs` bounds those from below), and four
//! triangles are measured at once (`four_triangles.rs`). What comes within the doubt of zero is decided exactly:
//! whether the point lies on the triangle. Until nothing nearer is left, everything within the doubt is looked at.
//!
//! All is in the unit of a [`SeenTree`], relative to the point. Cost: a node for each box nearer than the answer, with
//! eight boxes at a time; a dozen nodes for points near a surface, the more the more of it is as near.

use glam::DVec3;
use smallvec::SmallVec;

use super::box_gaps::{BoxGaps, FarGaps, NearGaps, NodeGaps, SeenTree};
use super::four_triangles::{FourTriangles, LANES, squared_distances};
use crate::answer::Stats;
use crate::math::normalising_scale;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Mesh;
use crate::prim::triangles_overlap;
use crate::tree::nodes::{Child, Leaf, WIDTH};

/// Distances as small as this, in the unit of the search, may be nothing but rounding: 128 roundings of 1. No edge is
/// longer than 4, and a distance near the mesh is off by some 10 roundings of that.
const DOUBT: f64 = 1.0 / (1u64 << 46) as f64;

/// The same of a long distance: 32 roundings of it.
const GRAIN: f64 = 1.0 / (1u64 << 48) as f64;

/// What the search found, in its unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearestTriangle {
    /// Its distance, as computed; 0 when the point lies on it, exactly. Infinite when none is as near as was asked.
    pub(super) distance: f64,
    /// How much nearer or farther the true one may be.
    pub(super) noise: f64,
    /// The triangle's place in leaf order.
    pub(super) place: u32,
}

impl NearestTriangle {
    pub(super) fn touches(&self) -> bool {
        self.distance == 0.0
    }
}

/// The nearest triangle; the mesh has some.
pub(super) fn search(mesh: &Mesh, seen: &SeenTree, at: DVec3, stats: &mut Stats) -> NearestTriangle {
    find(mesh, seen, at, f64::INFINITY, stats)
}

/// Whether the point lies on a triangle, exactly.
pub(super) fn touches(mesh: &Mesh, seen: &SeenTree, at: DVec3, stats: &mut Stats) -> bool {
    find(mesh, seen, at, 0.0, stats).touches()
}

fn find(mesh: &Mesh, seen: &SeenTree, at: DVec3, within: f64, stats: &mut Stats) -> NearestTriangle {
    let best = NearestTriangle { distance: f64::INFINITY, noise: 0.0, place: 0 };
    let search = Search { mesh, at, scale: seen.scale, squared: within, best, stats };
    let mut best = if seen.is_far() {
        dispatch(Descent { search, gaps: FarGaps::new(seen) })
    } else {
        dispatch(Descent { search, gaps: NearGaps::new(seen) })
    };
    best.noise = DOUBT + GRAIN * best.distance + seen.passed_over(best.distance);
    best
}

struct Search<'q> {
    mesh: &'q Mesh,
    at: DVec3,
    scale: f64,
    /// Square of the distance within which a triangle is wanted.
    squared: f64,
    best: NearestTriangle,
    stats: &'q mut Stats,
}

struct Descent<'q, G> {
    search: Search<'q>,
    gaps: G,
}

impl<G: BoxGaps> Kernel for Descent<'_, G> {
    type Output = NearestTriangle;

    #[inline(always)]
    fn run<S: Simd>(self) -> NearestTriangle {
        let Descent { mut search, gaps } = self;
        let nodes = &search.mesh.tree().nodes;
        let mut open: SmallVec<[(f64, Child); 96]> = SmallVec::new();
        let Some(root) = nodes.first() else { return search.best };
        open.push((0.0, root.child[0]));
        let mut bar = gaps.bar(search.squared.max(DOUBT * DOUBT));
        let (mut opened, mut leaves) = (0, 0);
        while let Some((gap, child)) = open.pop() {
            if gap > bar {
                continue;
            }
            if let Some(leaf) = child.as_leaf() {
                leaves += u64::from(leaf.count);
                if search.measure::<S>(leaf) {
                    break;
                }
                bar = bar.min(gaps.bar(search.squared.max(DOUBT * DOUBT)));
                continue;
            }
            opened += 1;
            let node = &nodes[child.index()];
            let NodeGaps { squared, farthest } = gaps.gaps::<S>(node);
            if farthest < bar && search.squared > 0.0 {
                bar = bar.min(gaps.bar_of_box(farthest));
            }
            let start = open.len();
            for (&gap, &child) in squared.iter().zip(&node.child) {
                if gap > bar {
                    continue;
                }
                let mut at = open.len();
                open.push((gap, child));
                // The nearest last: it comes next.
                while at > start && open[at - 1].0 < gap {
                    open[at] = open[at - 1];
                    at -= 1;
                }
                open[at] = (gap, child);
            }
        }
        search.stats.iterations += opened;
        search.stats.volume_tests += WIDTH as u64 * opened;
        search.stats.primitive_tests += leaves;
        search.best
    }
}

impl Search<'_> {
    /// Measures the triangles of a leaf; whether the point lies on one of them.
    #[inline(always)]
    fn measure<S: Simd>(&mut self, leaf: Leaf) -> bool {
        let mut four: FourTriangles = [[[0.0; LANES]; 3]; 3];
        for lane in 0..LANES as u32 {
            // Lanes to spare hold the last triangle again.
            let corners = self.mesh.corners(leaf.first + lane.min(leaf.count - 1));
            for (corner, w) in four.iter_mut().zip(corners) {
                corner[0][lane as usize] = w.x;
                corner[1][lane as usize] = w.y;
                corner[2][lane as usize] = w.z;
            }
        }
        let squared = squared_distances::<S>(&four, self.at, self.scale);
        for (place, &squared) in leaf.places().zip(&squared) {
            if squared <= DOUBT * DOUBT && is_on(self.mesh, place, self.at) {
                self.best = NearestTriangle { distance: 0.0, noise: 0.0, place };
                return true;
            }
            if squared < self.squared {
                self.squared = squared;
                // Not 0, which says that the point lies on it.
                self.best = NearestTriangle { distance: squared.sqrt().max(f64::MIN_POSITIVE), noise: 0.0, place };
            }
        }
        false
    }
}

/// Whether the point lies on the triangle, by exact predicates.
#[inline(never)]
fn is_on(mesh: &Mesh, place: u32, at: DVec3) -> bool {
    let t = mesh.corners(place);
    let reach = t.iter().fold(at.abs().max_element(), |most, x| most.max(x.abs().max_element()));
    let scale = normalising_scale(reach);
    triangles_overlap(&t.map(|x| x * scale), &[at * scale; 3])
}
