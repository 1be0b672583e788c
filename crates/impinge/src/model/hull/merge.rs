//! Facets of a triangulated hull that lie in one plane, made one.
//!
//! Twice, if need be. First within `2τ`: triangles, largest first, take in what is connected to them, stays near their
//! plane and looks the same way; the plane supports the hull, so the body does not grow. What comes out is verified:
//! every region a disc with a simple border, every edge between two facets and in both directions, Euler's
//! `V − E + F = 2`, loops convex, all corners below all planes and those left out on their edges, up to `8τ`. If that
//! fails, only exactly coplanar triangles are joined, which always gives the facets of a convex polyhedron.
//!
//! A corner on the border of just two regions lies on the edge between them and is no corner of the hull.
//! O(n log n).

use glam::DVec3;

use super::boundary::Hull;
use super::facet::HullTriangle;
use super::newell;
use super::sites::Sites;
use crate::math::Sign;

const NONE: u32 = u32::MAX;

/// The hull with its facets; corners are left to be filled in.
pub(super) fn facets(sites: &Sites<'_>, triangles: &[HullTriangle]) -> Hull {
    let near = Regions::grow(sites, triangles, 2.0 * sites.tolerance);
    let loops = near.loops(triangles, sites.points.len());
    let exact = near.exact.iter().all(|&exact| exact);
    if exact || loops.is_closed() && loops.is_straight(sites) && below_planes(sites, triangles, &loops, &near.exact) {
        return loops.hull;
    }
    Regions::grow(sites, triangles, 0.0).loops(triangles, sites.points.len()).hull
}

/// A partition of the triangles into connected regions.
struct Regions {
    of: Vec<u32>,
    /// Of each region, whether all triangles in it are exactly coplanar.
    exact: Vec<bool>,
}

impl Regions {
    /// Regions of triangles that are exactly coplanar with a neighbour in the region, or within the tolerance of the
    /// plane of the region's largest triangle.
    fn grow(sites: &Sites<'_>, triangles: &[HullTriangle], tolerance: f64) -> Regions {
        let at = |v: u32| sites.points[v as usize];
        let double_area = |t: &HullTriangle| {
            let [a, b, c] = t.corners.map(at);
            (b - a).cross(c - a).length()
        };
        let areas: Vec<f64> = triangles.iter().map(double_area).collect();
        let mut largest: Vec<u32> = (0..triangles.len() as u32).collect();
        largest.sort_unstable_by(|&s, &t| areas[t as usize].total_cmp(&areas[s as usize]).then(s.cmp(&t)));
        let mut regions = Regions { of: vec![NONE; triangles.len()], exact: Vec::new() };
        let mut region = Vec::new();
        for &seed in &largest {
            if regions.of[seed as usize] != NONE {
                continue;
            }
            let corners = triangles[seed as usize].corners;
            let origin = at(corners[0]);
            let normal = newell::normal(&corners.map(at));
            let name = regions.exact.len() as u32;
            let mut exact = true;
            regions.of[seed as usize] = name;
            region.clear();
            region.push(seed);
            let mut next = 0;
            while let Some(&t) = region.get(next) {
                next += 1;
                let triangle = triangles[t as usize];
                for (k, &other) in triangle.across.iter().enumerate() {
                    if regions.of[other as usize] != NONE {
                        continue;
                    }
                    let tip = opposite(&triangles[other as usize], triangle.corners[k]);
                    let height = normal.dot(at(tip) - origin);
                    // Beyond a sharp edge the surface may turn back next to the plane; a triangle there is not of the
                    // same facet.
                    let level = || normal.dot(newell::normal(&triangles[other as usize].corners.map(at))) > 1e-6;
                    // Heights are off by a few ε of the extent: no tip that is higher by far is coplanar.
                    let coplanar =
                        height.abs() <= 16.0 * sites.tolerance && sites.exact_side(triangle.corners, tip) == Sign::Zero;
                    if coplanar || height.abs() < tolerance && level() {
                        exact &= coplanar;
                        regions.of[other as usize] = name;
                        region.push(other);
                    }
                }
            }
            regions.exact.push(exact);
        }
        regions
    }

    /// The borders of the regions.
    fn loops(&self, triangles: &[HullTriangle], points: usize) -> Loops {
        let border = |t: u32, k: usize| self.of[t as usize] != self.of[triangles[t as usize].across[k] as usize];
        let mut meeting = vec![0u32; points];
        for t in 0..triangles.len() as u32 {
            for k in 0..3 {
                meeting[triangles[t as usize].corners[k] as usize] += u32::from(border(t, k));
            }
        }
        let mut loops = Loops { hull: Hull::default(), regions: Vec::new(), passed: Vec::new(), simple: true };
        let mut ring: Vec<u32> = Vec::new();
        let mut last = vec![NONE; points];
        let mut done = vec![[false; 3]; triangles.len()];
        for t in 0..triangles.len() as u32 {
            for k in 0..3 {
                if done[t as usize][k] || !border(t, k) {
                    continue;
                }
                let (mut s, mut side) = (t, k);
                ring.clear();
                while !done[s as usize][side] {
                    done[s as usize][side] = true;
                    let corner = triangles[s as usize].corners[side];
                    let name = loops.regions.len() as u32;
                    loops.simple &= last[corner as usize] != name;
                    last[corner as usize] = name;
                    ring.push(corner);
                    // Around the head of this side, within the region, to the next border.
                    side = (side + 1) % 3;
                    let mut turns = 0;
                    while !border(s, side) && turns < triangles.len() {
                        let pivot = triangles[s as usize].corners[side];
                        s = triangles[s as usize].across[side];
                        side = triangles[s as usize].corners.iter().position(|&v| v == pivot).unwrap_or(0);
                        turns += 1;
                    }
                }
                loops.close(&mut ring, |corner| meeting[corner as usize] > 2);
                loops.regions.push(self.of[t as usize]);
            }
        }
        loops.simple &= loops.regions.len() == self.exact.len();
        loops
    }
}

/// The corner that the neighbour across a side does not share. The side leaves `tail`, so in the neighbour it leads
/// there: the tip follows.
fn opposite(neighbour: &HullTriangle, tail: u32) -> u32 {
    let k = neighbour.corners.iter().position(|&v| v == tail).unwrap_or(0);
    neighbour.corners[(k + 1) % 3]
}

struct Loops {
    hull: Hull,
    /// Whose border each loop is.
    regions: Vec<u32>,
    /// Corners of the triangulation on the border of just two regions, between the corners of the loop before and
    /// after.
    passed: Vec<[u32; 3]>,
    /// No loop meets a corner twice or has fewer than three, and there is one for each region.
    simple: bool,
}

impl Loops {
    /// A facet with this border: its corners, and what it passes between them.
    fn close(&mut self, ring: &mut [u32], is_corner: impl Fn(u32) -> bool) {
        let first = ring.iter().position(|&v| is_corner(v)).unwrap_or(0);
        ring.rotate_left(first);
        let mut last = 0;
        for k in 1..=ring.len() {
            let next = ring[k % ring.len()];
            if k == ring.len() || is_corner(next) {
                self.passed.extend(ring[last + 1..k].iter().map(|&corner| [ring[last], corner, next]));
                last = k;
            }
        }
        let start = self.hull.loops.len();
        self.hull.push_facet(ring.iter().copied().filter(|&v| is_corner(v)));
        self.simple &= self.hull.loops.len() - start >= 3;
    }

    /// Whether no corner that is left out between two regions is off the edge between them, by more than `8τ`. Planes
    /// that meet at a small angle hold more than their line, up to `τ`.
    fn is_straight(&self, sites: &Sites<'_>) -> bool {
        self.passed.iter().all(|corners| {
            let [from, corner, to] = corners.map(|v| sites.points[v as usize]);
            let (along, at) = (to - from, corner - from);
            let share = (at.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (at - along * share).length() <= 8.0 * sites.tolerance
        })
    }

    /// One simple loop for each region, every side there and back once, and the Euler number of a sphere.
    fn is_closed(&self) -> bool {
        if !self.simple {
            return false;
        }
        let mut sides: Vec<(u32, u32, bool)> = Vec::with_capacity(self.hull.loops.len());
        for f in self.hull.facets() {
            for (k, &tail) in f.iter().enumerate() {
                let head = f[(k + 1) % f.len()];
                sides.push((tail.min(head), tail.max(head), tail < head));
            }
        }
        sides.sort_unstable();
        let paired = |p: &[(u32, u32, bool)]| p.len() == 2 && p[0].0 == p[1].0 && p[0].1 == p[1].1 && p[0].2 != p[1].2;
        let mut corners = self.hull.loops.clone();
        corners.sort_unstable();
        corners.dedup();
        let distinct = sides.windows(3).all(|w| w[0].0 != w[2].0 || w[0].1 != w[2].1);
        sides.chunks(2).all(paired) && distinct && corners.len() + self.regions.len() == sides.len() / 2 + 2
    }
}

/// Whether every facet that is not exactly plane is convex and has all corners of the triangulation below its plane,
/// both up to `8τ`.
fn below_planes(sites: &Sites<'_>, triangles: &[HullTriangle], loops: &Loops, exact: &[bool]) -> bool {
    let tolerance = 8.0 * sites.tolerance;
    let mut climb = Climb::new(triangles, sites.points.len());
    let mut corners: Vec<DVec3> = Vec::new();
    loops.hull.facets().zip(&loops.regions).filter(|(_, r)| !exact[**r as usize]).all(|(facet, _)| {
        corners.clear();
        corners.extend(facet.iter().map(|&v| sites.points[v as usize]));
        let n = corners.len();
        let normal = newell::normal(&corners);
        let convex = (0..n).all(|k| {
            let (p, q, r) = (corners[k], corners[(k + 1) % n], corners[(k + 2) % n]);
            let chord = (r - p).normalize_or_zero();
            // A side so short that rounding makes it steep has no direction in the plane.
            let steep = normal.dot(q - p).abs() > 0.1 * (q - p).length();
            !steep && (q - p).cross(chord).dot(normal) >= -tolerance
        });
        let mean = corners.iter().map(|&p| normal.dot(p - corners[0]) / n as f64).sum::<f64>();
        let height = |v: u32| normal.dot(sites.points[v as usize] - corners[0]) - mean;
        let level = facet.iter().all(|&v| height(v).abs() <= tolerance);
        convex && level && climb.stays_below(facet, height, tolerance)
    })
}

/// Finds the highest corner above a plane by climbing over the triangulation, which is exactly convex, from a corner
/// with few neighbours. Most often that is one look around.
struct Climb<'a> {
    triangles: &'a [HullTriangle],
    /// A triangle at each corner.
    around: Vec<u32>,
    degree: Vec<u32>,
    /// Looks left. A verification that needs more than a few for each triangle counts as failed.
    looks: usize,
}

impl<'a> Climb<'a> {
    fn new(triangles: &'a [HullTriangle], points: usize) -> Climb<'a> {
        let mut around = vec![NONE; points];
        let mut degree = vec![0u32; points];
        for (t, triangle) in triangles.iter().enumerate() {
            for v in triangle.corners {
                around[v as usize] = t as u32;
                degree[v as usize] += 1;
            }
        }
        Climb { triangles, around, degree, looks: 1000 + 64 * triangles.len() }
    }

    fn stays_below(&mut self, facet: &[u32], height: impl Fn(u32) -> f64, limit: f64) -> bool {
        let Some(mut v) = facet.iter().copied().min_by_key(|&v| self.degree[v as usize]) else { return false };
        let mut best = height(v);
        while best <= limit {
            let from = v;
            let mut t = self.around[from as usize];
            for _ in 0..self.degree[from as usize] {
                let HullTriangle { corners, across } = self.triangles[t as usize];
                let k = corners.iter().position(|&c| c == from).unwrap_or(0);
                let neighbour = corners[(k + 1) % 3];
                if height(neighbour) > best {
                    (v, best) = (neighbour, height(neighbour));
                }
                t = across[k];
            }
            if v == from {
                return true;
            }
            let Some(left) = self.looks.checked_sub(self.degree[from as usize] as usize) else { return false };
            self.looks = left;
        }
        false
    }
}
