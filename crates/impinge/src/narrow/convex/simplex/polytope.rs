//! A convex polytope that grows point by point: what EPA expands.
//!
//! The incremental convex hull (M. de Berg et al., *Computational Geometry*, §11.2) with triangles and their
//! neighbours. A new point sees some triangles; they go, and the rim of the hole they leave is joined to the point. A
//! triangle whose plane holds the point counts as seen. Then no new triangle can be degenerate: a rim edge in line with
//! the point would put the point into the plane of the triangle behind that edge, which would have been seen.
//!
//! Seeing is decided exactly wherever the plane of a triangle is too uncertain, so the rim is one simple loop on any
//! input, and the polytope the hull of its points. Heights and normals are rounded and, of slivers, may be worthless:
//! callers that use them have to test them.
//!
//! It lives on the stack; nothing is allocated.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::minkowski::Apex;
use crate::math::{EPS, Sign, orient3d};
use crate::prim::normal;

/// Most vertices; triangles are fewer than twice as many.
pub(crate) const MOST_VERTICES: usize = 256;
const MOST_FACETS: usize = 2 * MOST_VERTICES;

/// An edge of a triangle, counterclockwise in it: four times the triangle, plus the corner that it begins at.
type Side = u16;

#[inline(always)]
fn side(facet: usize, corner: usize) -> Side {
    (4 * facet + corner) as Side
}

#[inline(always)]
fn next(corner: usize) -> usize {
    [1, 2, 0, 1][corner & 3]
}

/// A triangle, counterclockwise from outside.
#[derive(Debug, Clone, Copy)]
struct Facet {
    /// Unit normal, outward.
    normal: DVec3,
    /// Height of the plane above the origin.
    height: f64,
    /// Heights above the plane of points of the polytope's size are known to within this.
    unsure: f64,
    corners: [u16; 3],
    /// Across the edge from corner `k` to the next: that edge in the neighbour.
    across: [Side; 3],
    /// The number of the addition whose point last saw the triangle.
    seen: u32,
}

#[derive(Debug)]
pub(crate) struct Polytope {
    apexes: ArrayVec<Apex, MOST_VERTICES>,
    facets: ArrayVec<Facet, MOST_FACETS>,
    /// Height of each triangle's plane above the origin; infinite when the triangle is gone or settled.
    heights: ArrayVec<f64, MOST_FACETS>,
    free: ArrayVec<u16, MOST_FACETS>,
    /// Edges of triangles taken out, seen from across. Of a triangle one edge is taken and two are put: there is room.
    open: ArrayVec<Side, { MOST_FACETS + 4 }>,
    /// The edges around the hole, in the triangles that stay, counterclockwise around the hole.
    rim: ArrayVec<Side, { MOST_FACETS + 4 }>,
    additions: u32,
    size: f64,
}

impl Polytope {
    #[inline(always)]
    pub(crate) fn new() -> Polytope {
        Polytope {
            apexes: ArrayVec::new(),
            facets: ArrayVec::new(),
            heights: ArrayVec::new(),
            free: ArrayVec::new(),
            open: ArrayVec::new(),
            rim: ArrayVec::new(),
            additions: 0,
            size: 0.0,
        }
    }

    /// Becomes the tetrahedron; `false` when it is flat. `size` bounds coordinates and their differences.
    #[inline(always)]
    pub(crate) fn start(&mut self, mut corners: [Apex; 4], size: f64) -> bool {
        self.apexes.clear();
        self.facets.clear();
        self.heights.clear();
        self.free.clear();
        self.size = size;
        let w = |k: usize| corners[k].w;
        match orient3d(w(0), w(1), w(2), w(3)) {
            Sign::Zero => return false,
            Sign::Positive => corners.swap(1, 2),
            Sign::Negative => {}
        }
        self.apexes.extend(corners);
        let facets = [
            ([0, 1, 2], [side(1, 2), side(2, 2), side(3, 2)]),
            ([0, 3, 1], [side(3, 1), side(2, 0), side(0, 0)]),
            ([1, 3, 2], [side(1, 1), side(3, 0), side(0, 1)]),
            ([2, 3, 0], [side(2, 1), side(1, 0), side(0, 2)]),
        ];
        for (k, (corners, across)) in facets.into_iter().enumerate() {
            self.put(k, corners, across);
        }
        true
    }

    /// The triangle whose plane is nearest to the origin (below it first) and its height; `None` when all are settled.
    #[inline(always)]
    pub(crate) fn nearest(&self) -> Option<(usize, f64)> {
        let mut least = [f64::INFINITY; 4];
        let fours = self.heights.chunks_exact(4);
        let rest = fours.remainder().iter().fold(f64::INFINITY, |m, &h| if h < m { h } else { m });
        for four in fours {
            for k in 0..4 {
                least[k] = if four[k] < least[k] { four[k] } else { least[k] };
            }
        }
        let least = least.into_iter().fold(rest, |m, h| if h < m { h } else { m });
        if least == f64::INFINITY {
            return None;
        }
        self.heights.iter().position(|&h| h == least).map(|f| (f, least))
    }

    #[inline(always)]
    pub(crate) fn normal(&self, facet: usize) -> DVec3 {
        self.facets[facet].normal
    }

    /// Names of the corners, which stay when the triangle goes.
    #[inline(always)]
    pub(crate) fn corners(&self, facet: usize) -> [u16; 3] {
        self.facets[facet].corners
    }

    #[inline(always)]
    pub(crate) fn apexes(&self, corners: [u16; 3]) -> [Apex; 3] {
        corners.map(|v| self.apexes[usize::from(v)])
    }

    /// The triangle is no longer offered as the nearest.
    #[inline(always)]
    pub(crate) fn settle(&mut self, facet: usize) {
        self.heights[facet] = f64::INFINITY;
    }

    /// Whether a point `beyond` above the plane of the triangle is a vertex already. One well above cannot be.
    #[inline(always)]
    pub(crate) fn holds(&self, facet: usize, w: DVec3, beyond: f64) -> bool {
        beyond <= self.facets[facet].unsure && self.apexes.iter().any(|a| a.w == w)
    }

    /// Whether there is room for another vertex.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.apexes.len() >= MOST_VERTICES
    }

    /// Takes in a point that sees the triangle. `false`, and no change, when it does not see it after all.
    #[inline(always)]
    pub(crate) fn add(&mut self, apex: Apex, facet: usize) -> bool {
        if self.is_full() || !self.is_seen(facet, apex.w) {
            return false;
        }
        let vertex = self.apexes.len() as u16;
        self.apexes.push(apex);
        self.open_hole(facet, apex.w);
        // Each new triangle is followed by the one beyond the rim's next edge.
        let place = |at: &mut Self| at.free.pop().map_or(at.facets.len(), usize::from);
        let first = place(self);
        let (mut before, mut here) = (first, first);
        for k in 0..self.rim.len() {
            let behind = self.rim[k];
            let (stays, corner) = (usize::from(behind / 4), usize::from(behind & 3));
            let Facet { corners, across, .. } = &mut self.facets[stays];
            across[corner] = side(here, 0);
            let (from, to) = (corners[next(corner)], corners[corner]);
            self.put(here, [from, to, vertex], [behind, side(first, 2), side(before, 1)]);
            if k > 0 {
                self.facets[before].across[1] = side(here, 2);
            }
            before = here;
            if k + 1 < self.rim.len() {
                here = place(self);
            }
        }
        self.facets[first].across[2] = side(before, 1);
        true
    }

    /// Takes out all triangles seen from `w`, beginning with one of them, and collects the rim: the edges of a triangle
    /// entered by one of them follow each other counterclockwise, so what is beyond them does.
    #[inline(always)]
    fn open_hole(&mut self, facet: usize, w: DVec3) {
        self.additions += 1;
        self.rim.clear();
        self.open.clear();
        let [first, second, third] = self.take_out(facet);
        self.open.extend([third, second, first]);
        while let Some(side) = self.open.pop() {
            let (facet, corner) = (usize::from(side / 4), usize::from(side & 3));
            if self.facets[facet].seen == self.additions {
                continue;
            }
            if self.is_seen(facet, w) {
                let across = self.take_out(facet);
                self.open.push(across[next(next(corner))]);
                self.open.push(across[next(corner)]);
            } else {
                self.rim.push(side);
            }
        }
    }

    #[inline(always)]
    fn take_out(&mut self, facet: usize) -> [Side; 3] {
        self.heights[facet] = f64::INFINITY;
        self.free.push(facet as u16);
        self.facets[facet].seen = self.additions;
        self.facets[facet].across
    }

    #[inline(always)]
    fn is_seen(&self, facet: usize, w: DVec3) -> bool {
        let f = &self.facets[facet];
        let height = f.normal.dot(w) - f.height;
        if height.abs() > f.unsure { height > 0.0 } else { self.is_seen_exactly(facet, w) }
    }

    #[inline(never)]
    fn is_seen_exactly(&self, facet: usize, w: DVec3) -> bool {
        let [a, b, c] = self.apexes(self.facets[facet].corners).map(|apex| apex.w);
        orient3d(a, b, c, w) != Sign::Negative
    }

    /// The normal is off by the rounding of the edges over the height of the triangle; of a sliver it is taken with
    /// more care.
    #[inline(always)]
    fn put(&mut self, place: usize, corners: [u16; 3], across: [Side; 3]) {
        let [a, b, c] = corners.map(|v| self.apexes[usize::from(v)].w);
        let (u, v) = (b - a, c - a);
        let (uu, vv) = (u.length_squared(), v.length_squared());
        let mut n = u.cross(v);
        if n.length_squared() <= 1e-6 * uu * vv {
            n = normal([u, c - b, -v]);
        }
        let length = n.length();
        let (mut unit, mut height, mut unsure) = (DVec3::ZERO, f64::INFINITY, f64::INFINITY);
        if length > 0.0 {
            let inverse = 1.0 / length;
            unit = n * inverse;
            height = unit.dot(a);
            unsure = 32.0 * EPS * self.size * (uu + vv) * inverse;
        }
        let facet = Facet { normal: unit, height, unsure, corners, across, seen: 0 };
        if place == self.facets.len() {
            self.facets.push(facet);
            self.heights.push(height);
        } else {
            self.facets[place] = facet;
            self.heights[place] = height;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::cases::Random;

    fn apex(w: DVec3) -> Apex {
        Apex { w, ..Apex::NONE }
    }

    /// Closed, each triangle its neighbour's neighbour, all vertices on or below every plane: a convex hull.
    fn check(p: &Polytope) {
        let alive: Vec<usize> = (0..p.facets.len()).filter(|f| !p.free.contains(&(*f as u16))).collect();
        let mut used: Vec<u16> = alive.iter().flat_map(|&f| p.facets[f].corners).collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!(alive.len(), 2 * used.len() - 4, "Euler");
        for &f in &alive {
            let facet = p.facets[f];
            for e in 0..3 {
                let (from, to) = (facet.corners[e], facet.corners[(e + 1) % 3]);
                let g = p.facets[usize::from(facet.across[e] / 4)];
                let back = (0..3).find(|&k| g.corners[k] == to && g.corners[(k + 1) % 3] == from).unwrap();
                assert_eq!((g.across[back], usize::from(facet.across[e] & 3)), (side(f, e), back));
            }
            let [a, b, c] = facet.corners.map(|v| p.apexes[usize::from(v)].w);
            assert!(p.apexes.iter().all(|x| orient3d(a, b, c, x.w) != Sign::Positive), "{facet:?}");
        }
    }

    #[test]
    fn grows_into_the_hull_of_lattice_and_random_points() {
        let mut r = Random(9);
        for round in 0..300 {
            let mut point = || match round % 3 {
                0 => DVec3::new(r.index(5) as f64, r.index(5) as f64, r.index(5) as f64) - DVec3::splat(2.0),
                1 => r.direction(),
                _ => r.rotation() * DVec3::new(r.index(3) as f64, r.index(3) as f64, r.index(3) as f64),
            };
            let mut p = Polytope::new();
            while !p.start([0; 4].map(|_: i32| apex(point())), 4.0) {}
            check(&p);
            for _ in 0..60 {
                let w = point();
                if p.apexes.iter().any(|a| a.w == w) {
                    continue;
                }
                let seen = |f: usize| {
                    !p.free.contains(&(f as u16)) && {
                        let [a, b, c] = p.apexes(p.corners(f)).map(|x| x.w);
                        orient3d(a, b, c, w) == Sign::Positive
                    }
                };
                if let Some(f) = (0..p.facets.len()).find(|&f| seen(f)) {
                    assert!(p.add(apex(w), f));
                    check(&p);
                }
            }
        }
    }
}
