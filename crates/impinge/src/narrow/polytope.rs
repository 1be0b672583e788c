//! A convex polytope that grows point by point: what EPA expands.
//!
//! The incremental convex hull (M. de Berg et al., *Computational Geometry*, §11.2) with triangles and their
//! neighbours. A new point sees some triangles; they go, and the rim of the hole they leave is joined to the point. A
//! triangle whose plane holds the point counts as seen. Then no new triangle can be degenerate: a rim edge in line with
//! the point would put the point into the plane of the triangle behind that edge, which would have been seen.
//!
//! Seeing is decided exactly wherever the plane of a triangle is too uncertain, so the rim is one simple loop on any
//! input, and the polytope the hull of its points. Heights and normals are rounded and, of slivers, may be worthless:
//! whoever uses them has to test them.
//!
//! It lives on the stack; nothing is allocated.

use glam::DVec3;
use smallvec::SmallVec;

use super::minkowski::Apex;
use crate::math::{EPS, Sign, orient3d};
use crate::prim::normal;

/// Most vertices; triangles are fewer than twice as many.
pub(crate) const MOST_VERTICES: usize = 256;
const MOST_FACETS: usize = 2 * MOST_VERTICES;

/// A triangle, counterclockwise from outside.
#[derive(Debug, Clone, Copy)]
struct Facet {
    corners: [u16; 3],
    /// Across the edge from corner `k` to the next.
    neighbours: [u16; 3],
    /// Unit normal, outward.
    normal: DVec3,
    /// Heights above the plane of points of the polytope's size are known to within this.
    unsure: f64,
    /// The addition that saw it last.
    seen: u32,
}

/// An edge of the rim: from, to, and the triangle behind.
type Rim = [u16; 3];

#[derive(Debug)]
pub(crate) struct Polytope {
    apexes: SmallVec<[Apex; MOST_VERTICES]>,
    facets: SmallVec<[Facet; MOST_FACETS]>,
    /// Height of each triangle's plane above the origin; infinite when the triangle is gone or settled.
    heights: SmallVec<[f64; MOST_FACETS]>,
    free: SmallVec<[u16; MOST_FACETS]>,
    open: SmallVec<[u16; MOST_FACETS]>,
    rim: SmallVec<[Rim; MOST_FACETS]>,
    /// The new triangle that begins at each vertex.
    begins: [u16; MOST_VERTICES],
    additions: u32,
    size: f64,
}

const NO_FACET: u16 = u16::MAX;

impl Polytope {
    pub(crate) fn new() -> Polytope {
        Polytope {
            apexes: SmallVec::new(),
            facets: SmallVec::new(),
            heights: SmallVec::new(),
            free: SmallVec::new(),
            open: SmallVec::new(),
            rim: SmallVec::new(),
            begins: [NO_FACET; MOST_VERTICES],
            additions: 0,
            size: 0.0,
        }
    }

    /// Becomes the tetrahedron; `false` when it is flat. `size` bounds the coordinates' differences.
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
        self.apexes.extend_from_slice(&corners);
        for (k, [a, b, c]) in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]].into_iter().enumerate() {
            let neighbours = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]][k];
            self.put(k, [a, b, c], neighbours);
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

    pub(crate) fn normal(&self, facet: usize) -> DVec3 {
        self.facets[facet].normal
    }

    /// Names of the corners, which stay when the triangle goes.
    pub(crate) fn corners(&self, facet: usize) -> [u16; 3] {
        self.facets[facet].corners
    }

    pub(crate) fn apexes(&self, corners: [u16; 3]) -> [Apex; 3] {
        corners.map(|v| self.apexes[usize::from(v)])
    }

    /// The triangle is no longer offered as the nearest.
    pub(crate) fn settle(&mut self, facet: usize) {
        self.heights[facet] = f64::INFINITY;
    }

    /// Whether a point `beyond` above the plane of the triangle is a vertex already. One well above cannot be.
    pub(crate) fn holds(&self, facet: usize, w: DVec3, beyond: f64) -> bool {
        beyond <= self.facets[facet].unsure && self.apexes.iter().any(|a| a.w == w)
    }

    /// Whether there is room for another vertex.
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
        for k in 0..self.rim.len() {
            let [from, to, behind] = self.rim[k];
            let new = self.free.pop().map_or(self.facets.len(), usize::from);
            self.put(new, [from, to, vertex], [behind, NO_FACET, NO_FACET]);
            self.begins[usize::from(from)] = new as u16;
            let behind = &mut self.facets[usize::from(behind)];
            for e in 0..3 {
                if behind.corners[e] == to && behind.corners[(e + 1) % 3] == from {
                    behind.neighbours[e] = new as u16;
                }
            }
        }
        for k in 0..self.rim.len() {
            let [from, to, _] = self.rim[k];
            let (one, next) = (self.begins[usize::from(from)], self.begins[usize::from(to)]);
            self.facets[usize::from(one)].neighbours[1] = next;
            self.facets[usize::from(next)].neighbours[2] = one;
        }
        true
    }

    /// Takes out all triangles seen from `w`, beginning with one of them, and collects the rim.
    #[inline(always)]
    fn open_hole(&mut self, facet: usize, w: DVec3) {
        self.additions += 1;
        self.rim.clear();
        self.open.clear();
        self.open.push(facet as u16);
        self.facets[facet].seen = self.additions;
        while let Some(f) = self.open.pop() {
            let Facet { corners, neighbours, .. } = self.facets[usize::from(f)];
            for e in 0..3 {
                let g = neighbours[e];
                if self.facets[usize::from(g)].seen == self.additions {
                    continue;
                }
                if self.is_seen(usize::from(g), w) {
                    self.facets[usize::from(g)].seen = self.additions;
                    self.open.push(g);
                } else {
                    self.rim.push([corners[e], corners[(e + 1) % 3], g]);
                }
            }
            self.heights[usize::from(f)] = f64::INFINITY;
            self.free.push(f);
        }
    }

    #[inline(always)]
    fn is_seen(&self, facet: usize, w: DVec3) -> bool {
        let f = &self.facets[facet];
        let at = |k: usize| self.apexes[usize::from(f.corners[k])].w;
        let height = f.normal.dot(w - at(0));
        if height.abs() > f.unsure { height > 0.0 } else { orient3d(at(0), at(1), at(2), w) != Sign::Negative }
    }

    /// The normal is off by the rounding of the edges over the height of the triangle; of a sliver it is taken with
    /// more care.
    #[inline(always)]
    fn put(&mut self, place: usize, corners: [u16; 3], neighbours: [u16; 3]) {
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
        let facet = Facet { corners, neighbours, normal: unit, unsure, seen: 0 };
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
    use super::super::convex_cases::Random;
    use super::*;

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
                let g = p.facets[usize::from(facet.neighbours[e])];
                let back = (0..3).find(|&k| g.corners[k] == to && g.corners[(k + 1) % 3] == from).unwrap();
                assert_eq!(usize::from(g.neighbours[back]), f);
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
