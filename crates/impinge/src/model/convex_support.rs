//! The vertex of a convex polyhedron farthest along a direction: the support mapping that GJK and its kin live on.
//!
//! Few vertices are scanned, four to a register. Many are climbed: S. Cameron, *Enhancing GJK: computing minimum and
//! penetration distances between convex polyhedra*, ICRA 1997, §3. On a convex polyhedron a vertex without a better
//! neighbour is the best of all, so a walk along the edges from the hinted vertex ends there; with a hint from a nearby
//! direction after a step or two.
//!
//! Coordinates are kept relative to the centre, so that a body far from its own origin loses nothing. Of vertices that
//! differ by rounding any may come; of equal ones always the same.
//!
//! Cost: a scan is `n / 4` steps of three products; a climb costs the edges around the vertices passed.

use glam::DVec3;

use super::Convex;
use crate::math::simd::{F64x4, Kernel, Simd, Vector, dispatch};

/// Up to this many vertices are scanned.
const SCANNED: usize = 64;

/// What the support mapping reads: offsets of the vertices from the centre, and who is whose neighbour.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spread {
    /// `[x, y, z]` of four vertices each; an even number of blocks, filled up with the last vertex.
    blocks: Vec<[[f64; 4]; 3]>,
    offsets: Vec<DVec3>,
    /// Where the neighbours of each vertex begin; one more than there are vertices.
    first: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Spread {
    pub(super) fn of(convex: &Convex) -> Spread {
        let offsets: Vec<DVec3> = convex.vertices().iter().map(|v| *v - convex.centre()).collect();
        let last = offsets.last().copied().unwrap_or(DVec3::ZERO);
        let at = |k: usize| offsets.get(k).copied().unwrap_or(last);
        let blocks = (0..offsets.len().div_ceil(8) * 2)
            .map(|block| [0, 1, 2].map(|axis| [0, 1, 2, 3].map(|lane| at(4 * block + lane)[axis])))
            .collect();
        let mut first = vec![0];
        let mut neighbours = Vec::with_capacity(2 * convex.edge_count());
        for v in 0..offsets.len() as u32 {
            neighbours.extend(convex.vertex_edges(v).iter().map(|&h| convex.head(h)));
            first.push(neighbours.len() as u32);
        }
        Spread { blocks, offsets, first, neighbours }
    }
}

impl Convex {
    /// A vertex farthest along `d`, which is not zero and has any length; sought from vertex `hint` where that helps.
    #[inline]
    pub(crate) fn support(&self, d: DVec3, hint: u32) -> u32 {
        if self.vertex_count() <= SCANNED { self.support_by_scan(d) } else { self.support_by_climb(d, hint) }
    }

    /// The farthest vertex of all, each looked at.
    #[inline]
    pub(crate) fn support_by_scan(&self, d: DVec3) -> u32 {
        dispatch(Scan { blocks: &self.spread().blocks, d }).min(self.vertex_count() as u32 - 1)
    }

    /// The farthest vertex, by climbing from `hint`. Each step is strictly upward, so none is passed twice.
    pub(crate) fn support_by_climb(&self, d: DVec3, hint: u32) -> u32 {
        let spread = self.spread();
        let mut at = hint.min(self.vertex_count() as u32 - 1);
        let mut height = d.dot(spread.offsets[at as usize]);
        for _ in 0..spread.offsets.len() {
            let here = at;
            let range = spread.first[at as usize] as usize..spread.first[at as usize + 1] as usize;
            for &next in &spread.neighbours[range] {
                let other = d.dot(spread.offsets[next as usize]);
                if other > height {
                    (at, height) = (next, other);
                }
            }
            if at == here {
                break;
            }
        }
        at
    }
}

struct Scan<'s> {
    blocks: &'s [[[f64; 4]; 3]],
    d: DVec3,
}

impl Kernel for Scan<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self) -> u32 {
        let (x, y, z) = (S::F64x4::splat(self.d.x), S::F64x4::splat(self.d.y), S::F64x4::splat(self.d.z));
        let low = S::F64x4::splat(f64::NEG_INFINITY);
        let zero = S::F64x4::splat(0.0);
        let (mut best, mut place) = ([low, low], [zero, zero]);
        let (mut block, two) = (zero, S::F64x4::splat(2.0));
        let mut pairs = self.blocks.chunks_exact(2);
        for pair in &mut pairs {
            for k in 0..2 {
                let [px, py, pz] = &pair[k];
                let px = S::F64x4::load(px).mul(x);
                let height = px.add(S::F64x4::load(py).mul(y)).add(S::F64x4::load(pz).mul(z));
                place[k] = best[k].if_lt(height, block, place[k]);
                best[k] = best[k].max(height);
            }
            block = block.add(two);
        }
        let (heights, places) = ([best[0].array(), best[1].array()], [place[0].array(), place[1].array()]);
        let (mut top, mut vertex) = (f64::NEG_INFINITY, 0);
        for k in 0..2 {
            for lane in 0..4 {
                let candidate = 4 * (places[k][lane] as u32 + k as u32) + lane as u32;
                let height = heights[k][lane];
                if height > top || (height == top && candidate < vertex) {
                    (top, vertex) = (height, candidate);
                }
            }
        }
        vertex
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(count: usize) -> Convex {
        let turn = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let points: Vec<DVec3> = (0..count)
            .map(|i| {
                let z = 1.0 - (2 * i + 1) as f64 / count as f64;
                let r = (1.0 - z * z).sqrt();
                DVec3::new(r * (turn * i as f64).cos(), r * (turn * i as f64).sin(), z) + DVec3::new(1e6, 0.0, 0.0)
            })
            .collect();
        Convex::hull(&points).unwrap()
    }

    #[test]
    fn scan_and_climb_find_the_farthest() {
        for count in [4, 5, 8, 13, 64, 65, 500] {
            let convex = ball(count);
            let mut hint = 0;
            for i in 0..200 {
                let t = f64::from(i);
                let d = DVec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 10f64.powi(i % 60 - 30);
                let height = |v: u32| d.dot(convex.vertex(v) - convex.centre());
                let best = (0..convex.vertex_count() as u32).map(height).fold(f64::NEG_INFINITY, f64::max);
                hint = convex.support_by_climb(d, hint);
                assert!(height(convex.support_by_scan(d)) >= best - 1e-15 * d.length());
                assert!(height(hint) >= best - 1e-15 * d.length());
            }
            assert!(convex.support(DVec3::X, u32::MAX) < convex.vertex_count() as u32);
        }
    }

    #[test]
    fn levels_agree_on_ties() {
        let corners: Vec<DVec3> =
            (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
        let cube = Convex::hull(&corners).unwrap();
        for d in [DVec3::X, -DVec3::Y, DVec3::new(1.0, 1.0, 0.0), DVec3::ZERO] {
            let winner = cube.support(d, 0);
            let height = |v: u32| d.dot(cube.vertex(v));
            let first = (0..8).filter(|&v| (0..8).all(|u| height(u) <= height(v))).min();
            assert_eq!(Some(winner), first);
        }
    }
}
