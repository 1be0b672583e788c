//! The triangle of a mesh that is nearest to a point: depth first, the nearer of two boxes first.
//!
//! The least distance so far cuts off every box farther away (`box_gaps.rs` bounds those from below), and four
//! triangles are measured at once (`four_triangles.rs`). What comes within the doubt of zero is decided exactly:
//! whether the point lies on the triangle. Until nothing nearer is left, everything within the doubt is looked at.
//!
//! All is in the unit of a [`SeenTree`], relative to the point. Cost: a node for each box nearer than the answer, with
//! eight boxes at a time; a dozen nodes for points near a surface, the more the more of it is as near.

use glam::DVec3;

use super::box_gaps::{BoxGaps, FarGaps, NearGaps, NodeGaps, SeenTree};
use super::four_triangles::{FourTriangles, LANES, squared_distances};
use crate::answer::Stats;
use crate::math::normalising_scale;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Mesh;
use crate::prim::triangles_overlap;
use crate::tree::descent::nearest_first::NearestFirst;
use crate::tree::nodes::{Leaf, WIDTH};

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
    /// Whether all other triangles are surely farther away: then the nearest point lies within this one.
    pub(super) is_alone: bool,
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
    let search = Search { mesh, at, scale: seen.scale, squared: within, place: 0, second: f64::INFINITY, stats };
    let found = if seen.is_far() {
        dispatch(Descent { search, gaps: FarGaps::new(seen) })
    } else {
        dispatch(Descent { search, gaps: NearGaps::new(seen) })
    };
    let [squared, second] = match found {
        Found::On(place) => return NearestTriangle { distance: 0.0, noise: 0.0, place, is_alone: false },
        Found::Near { squared, .. } if squared == within => [f64::INFINITY; 2],
        Found::Near { squared, second, .. } => [squared, second],
    };
    // Not 0, which says that the point lies on it.
    let distance = squared.sqrt().max(f64::MIN_POSITIVE);
    let noise = DOUBT + GRAIN * distance + seen.passed_over(distance);
    let is_alone = second.sqrt() > distance + 4.0 * noise;
    NearestTriangle { distance, noise, place: found.place(), is_alone }
}

/// What a descent found: a triangle that the point lies on, or the squares of the least distance and of the next one.
#[derive(Debug, Clone, Copy)]
enum Found {
    On(u32),
    Near { squared: f64, second: f64, place: u32 },
}

impl Found {
    fn place(self) -> u32 {
        match self {
            Found::On(place) | Found::Near { place, .. } => place,
        }
    }
}

struct Search<'q> {
    mesh: &'q Mesh,
    at: DVec3,
    scale: f64,
    /// Square of the distance within which a triangle is wanted: that of the nearest so far, once there is one.
    squared: f64,
    /// Where that is.
    place: u32,
    /// Square of the least distance of all others that were measured.
    second: f64,
    stats: &'q mut Stats,
}

struct Descent<'q, G> {
    search: Search<'q>,
    gaps: G,
}

impl<G: BoxGaps> Kernel for Descent<'_, G> {
    type Output = Found;

    #[inline(always)]
    fn run<S: Simd>(self) -> Found {
        let Descent { mut search, gaps } = self;
        let nodes = &search.mesh.tree().nodes;
        let Some(root) = nodes.first() else { return search.found() };
        let mut open = NearestFirst::new(root.child[0]);
        let mut bar = gaps.bar(search.squared.max(DOUBT * DOUBT));
        let (mut opened, mut leaves) = (0, 0);
        while let Some((gap, child)) = open.pop() {
            if gap > bar {
                continue;
            }
            if let Some(leaf) = child.as_leaf() {
                leaves += u64::from(leaf.count);
                let before = search.squared;
                if let Some(place) = search.measure::<S>(leaf) {
                    return Found::On(place);
                }
                if search.squared < before {
                    bar = gaps.lesser(bar, gaps.bar(search.squared.max(DOUBT * DOUBT)));
                }
                continue;
            }
            opened += 1;
            let node = &nodes[child.index()];
            let NodeGaps { squared, order, farthest } = gaps.gaps::<S>(node);
            if leaves == 0 {
                bar = gaps.lesser(bar, gaps.bar_of_box(farthest));
            }
            open.push::<S>(gaps.within::<S>(&squared, bar), order, &squared, &node.child);
        }
        search.stats.iterations += opened;
        search.stats.volume_tests += WIDTH as u64 * opened;
        search.stats.primitive_tests += leaves;
        search.found()
    }
}

impl Search<'_> {
    fn found(&self) -> Found {
        Found::Near { squared: self.squared, second: self.second, place: self.place }
    }

    /// Measures the triangles of a leaf; one that the point lies on.
    #[inline(always)]
    fn measure<S: Simd>(&mut self, leaf: Leaf) -> Option<u32> {
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
        let mut squared = squared_distances::<S>(&four, self.at, self.scale);
        for (lane, squared) in (0..LANES as u32).zip(&mut squared) {
            *squared = if lane < leaf.count { *squared } else { f64::INFINITY };
        }
        let [x, y, z, w] = squared;
        let (near, far) = ([x.min(y), z.min(w)], x.max(y).min(z.max(w)));
        let (least, next) = (near[0].min(near[1]), near[0].max(near[1]).min(far));
        if least <= DOUBT * DOUBT
            && let Some(place) = self.touched(leaf, &squared)
        {
            return Some(place);
        }
        if least < self.squared {
            self.second = self.squared.min(next);
            self.squared = least;
            let lane = if near[0] == least { u32::from(x != least) } else { 2 + u32::from(z != least) };
            self.place = leaf.first + lane;
        } else {
            self.second = self.second.min(least);
        }
        None
    }

    /// The first of the triangles that may touch the point which does.
    #[cold]
    fn touched(&self, leaf: Leaf, squared: &[f64; LANES]) -> Option<u32> {
        let near = |&(_, squared): &(u32, &f64)| *squared <= DOUBT * DOUBT;
        let mut may_touch = leaf.places().zip(squared).filter(near).map(|(place, _)| place);
        may_touch.find(|&place| is_on(self.mesh, place, self.at))
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
