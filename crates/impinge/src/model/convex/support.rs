//! The vertex of a convex polyhedron farthest along a direction: the support mapping that GJK and EPA use.
//!
//! It is looked up in the cell of the direction ([`DirectionCells`](super::direction_cells::DirectionCells)). Where a
//! cell would list too many vertices, the hull is climbed: S. Cameron, *Enhancing GJK: computing minimum and
//! penetration distances between convex polyhedra*, ICRA 1997, §3. On a convex polyhedron a vertex without a better
//! neighbour is the best of all, so a walk along the edges ends there. It starts from the hinted vertex or from that of
//! the cell, whichever is farther.
//!
//! Coordinates are kept relative to the centre, so that a body far from its own origin loses nothing. Of vertices that
//! differ by rounding any may come; of equal ones always the same.
//!
//! Cost: a lookup is some eight products of two vectors; a climb costs the edges around the vertices passed.

use glam::DVec3;

use super::direction_cells::Farthest;
use super::polyhedron::Convex;
use super::support_table::SupportStart;
use crate::math::simd::Simd;

impl Convex {
    /// The neighbour of `v` farthest along `d`, if it is farther, and its place among [`Convex::vertex_edges`].
    #[inline(always)]
    pub(crate) fn steepest(&self, v: u32, d: DVec3) -> Option<(u32, usize)> {
        let k = self.support_table().steepest(v, d);
        Some((*self.support_table().neighbours(v).get(k)?, k))
    }

    /// The neighbours of `v`, in the order of [`Convex::vertex_edges`], which lie less close together in memory.
    #[inline(always)]
    pub(crate) fn neighbours(&self, v: u32) -> &[u32] {
        self.support_table().neighbours(v)
    }

    /// How much farther along `d` the second vertex is than the first; exactly the negative of the way back, and what
    /// [`Convex::steepest`] compares.
    #[inline(always)]
    pub(crate) fn rise(&self, [tail, head]: [u32; 2], d: DVec3) -> f64 {
        d.dot(self.support_table().offset(head) - self.support_table().offset(tail))
    }

    /// A vertex farthest along `d`, which is not zero and has any length; sought from vertex `hint` where that helps.
    #[inline(never)]
    pub(crate) fn support(&self, d: DVec3, hint: u32) -> u32 {
        self.farthest_from(d, self.start(d, hint)).0
    }

    /// Where the search for the vertex farthest along `d` starts. Callers compute the starts of two bodies before
    /// either search, so that both wait for memory at the same time.
    #[inline(always)]
    pub(crate) fn start(&self, d: DVec3, hint: u32) -> SupportStart {
        SupportStart { cell: self.support_table().cells().cell(d), hint }
    }

    /// A vertex farthest along `d`, from a start that was made for it, and where it is.
    #[inline(always)]
    pub(crate) fn farthest_from(&self, d: DVec3, start: SupportStart) -> (u32, DVec3) {
        let found = self.support_table().cells().farthest(d, start.cell, self.centre());
        self.reached(found, d, start)
    }

    /// The same inside a kernel.
    #[inline(always)]
    pub(crate) fn farthest_at<S: Simd>(&self, d: DVec3, start: SupportStart) -> (u32, DVec3) {
        let found = self.support_table().cells().farthest_at::<S>(d, start.cell, self.centre());
        self.reached(found, d, start)
    }

    #[inline(always)]
    fn reached(&self, found: Farthest, d: DVec3, start: SupportStart) -> (u32, DVec3) {
        match found {
            Farthest::Vertex(v, point) => (v, point),
            Farthest::From(v) => self.farthest_by_climb(d, [v, start.hint]),
        }
    }

    #[inline(never)]
    fn farthest_by_climb(&self, d: DVec3, [v, hint]: [u32; 2]) -> (u32, DVec3) {
        let table = self.support_table();
        let hint = hint.min(self.vertex_count() as u32 - 1);
        let better = d.dot(table.offset(hint)) > d.dot(table.offset(v));
        let farthest = table.climb(d, if better { hint } else { v });
        (farthest, self.vertex(farthest))
    }

    /// The farthest vertex, by climbing from `hint`.
    pub(crate) fn support_by_climb(&self, d: DVec3, hint: u32) -> u32 {
        self.support_table().climb(d, hint.min(self.vertex_count() as u32 - 1))
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
    fn lookup_and_climb_find_the_farthest() {
        for count in [4, 5, 8, 13, 64, 65, 500] {
            let convex = ball(count);
            let mut hint = 0;
            for i in 0..200 {
                let t = f64::from(i);
                let d = DVec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 10f64.powi(i % 60 - 30);
                let height = |v: u32| d.dot(convex.vertex(v) - convex.centre());
                let best = (0..convex.vertex_count() as u32).map(height).fold(f64::NEG_INFINITY, f64::max);
                hint = convex.support_by_climb(d, hint);
                assert!(height(convex.support(d, 0)) >= best - 1e-15 * d.length());
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
