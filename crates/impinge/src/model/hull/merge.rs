//! Facets of a triangulated hull that lie in one plane, made one.
//!
//! Twice, if need be. First within `2τ`: triangles, largest first, take in what is connected to them and stays near
//! their plane, which supports the hull, so the body does not grow. What comes out is verified: every region a disc with
//! a simple border, every edge between two facets and in both directions, Euler's `V − E + F = 2`, loops convex and all
//! corners below all planes up to `8τ`. If that fails, only exactly coplanar triangles are joined, which always gives
//! the facets of a convex polyhedron.
//!
//! A corner on the border of just two regions lies on the edge between them and is no corner of the hull.
//! O(n log n).

use glam::DVec3;

use super::Hull;
use super::quick::Triangle;
use super::sites::Sites;
use crate::math::Sign;
use crate::model::newell;

const NONE: u32 = u32::MAX;

/// The hull with its facets; corners are left to be filled in.
pub(super) fn facets(sites: &Sites<'_>, triangles: &[Triangle]) -> Hull {
    let near = Regions::grow(sites, triangles, 2.0 * sites.tolerance);
    if near.exact {
        return near.loops(triangles, sites.points.len()).hull;
    }
    let loops = near.loops(triangles, sites.points.len());
    if loops.is_closed() && below_all_planes(sites, triangles, &loops.hull) {
        return loops.hull;
    }
    Regions::grow(sites, triangles, 0.0).loops(triangles, sites.points.len()).hull
}

/// A partition of the triangles into connected regions.
struct Regions {
    of: Vec<u32>,
    count: usize,
    /// Only exactly coplanar triangles share a region.
    exact: bool,
}

impl Regions {
    /// Regions of triangles that are exactly coplanar with a neighbour in the region, or within the tolerance of the
    /// plane of the region's largest triangle.
    fn grow(sites: &Sites<'_>, triangles: &[Triangle], tolerance: f64) -> Regions {
        let at = |v: u32| sites.points[v as usize];
        let double_area = |t: &Triangle| {
            let [a, b, c] = t.corners.map(at);
            (b - a).cross(c - a).length()
        };
        let areas: Vec<f64> = triangles.iter().map(double_area).collect();
        let mut largest: Vec<u32> = (0..triangles.len() as u32).collect();
        largest.sort_unstable_by(|&s, &t| areas[t as usize].total_cmp(&areas[s as usize]).then(s.cmp(&t)));
        let mut regions = Regions { of: vec![NONE; triangles.len()], count: 0, exact: true };
        let mut region = Vec::new();
        for &seed in &largest {
            if regions.of[seed as usize] != NONE {
                continue;
            }
            let corners = triangles[seed as usize].corners;
            let origin = at(corners[0]);
            let normal = newell::normal(&corners.map(at));
            regions.of[seed as usize] = regions.count as u32;
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
                    let near = height.abs() <= tolerance;
                    // Heights are off by a few ε of the extent: no tip that is higher by far is coplanar.
                    let coplanar =
                        height.abs() <= 16.0 * sites.tolerance && sites.exact_side(triangle.corners, tip) == Sign::Zero;
                    if near || coplanar {
                        regions.exact &= coplanar;
                        regions.of[other as usize] = regions.count as u32;
                        region.push(other);
                    }
                }
            }
            regions.count += 1;
        }
        regions
    }

    /// The borders of the regions.
    fn loops(&self, triangles: &[Triangle], points: usize) -> Loops {
        let border = |t: u32, k: usize| self.of[t as usize] != self.of[triangles[t as usize].across[k] as usize];
        let mut meeting = vec![0u32; points];
        for t in 0..triangles.len() as u32 {
            for k in 0..3 {
                meeting[triangles[t as usize].corners[k] as usize] += u32::from(border(t, k));
            }
        }
        let mut loops = Loops { hull: Hull::default(), count: 0, regions: self.count, simple: true };
        let mut last = vec![NONE; points];
        let mut done = vec![[false; 3]; triangles.len()];
        for t in 0..triangles.len() as u32 {
            for k in 0..3 {
                if done[t as usize][k] || !border(t, k) {
                    continue;
                }
                let (mut s, mut side) = (t, k);
                let mut corners = Vec::new();
                while !done[s as usize][side] {
                    done[s as usize][side] = true;
                    let corner = triangles[s as usize].corners[side];
                    loops.simple &= last[corner as usize] != loops.count as u32;
                    last[corner as usize] = loops.count as u32;
                    if meeting[corner as usize] > 2 {
                        corners.push(corner);
                    }
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
                loops.simple &= corners.len() >= 3;
                loops.hull.push_facet(corners);
                loops.count += 1;
            }
        }
        loops
    }
}

/// The corner that the neighbour across a side does not share. The side leaves `tail`, so in the neighbour it leads
/// there: the tip follows.
fn opposite(neighbour: &Triangle, tail: u32) -> u32 {
    let k = neighbour.corners.iter().position(|&v| v == tail).unwrap_or(0);
    neighbour.corners[(k + 1) % 3]
}

struct Loops {
    hull: Hull,
    count: usize,
    regions: usize,
    /// No loop meets a corner twice or has fewer than three.
    simple: bool,
}

impl Loops {
    /// One loop for each region, every side there and back once, and the Euler number of a sphere.
    fn is_closed(&self) -> bool {
        if !self.simple || self.count != self.regions {
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
        sides.chunks(2).all(paired) && distinct && corners.len() + self.count == sides.len() / 2 + 2
    }
}

/// Whether every facet is convex and has all corners of the triangulation below its plane, up to `8τ`. The highest
/// corner above a plane is found by climbing over the triangulation, which is exactly convex, from a corner of the
/// facet that has few neighbours: most often it takes one look around.
fn below_all_planes(sites: &Sites<'_>, triangles: &[Triangle], hull: &Hull) -> bool {
    let at = |v: u32| sites.points[v as usize];
    let tolerance = 8.0 * sites.tolerance;
    let mut leaving = vec![NONE; sites.points.len()];
    let mut degree = vec![0u32; sites.points.len()];
    for (t, triangle) in triangles.iter().enumerate() {
        for v in triangle.corners {
            leaving[v as usize] = t as u32;
            degree[v as usize] += 1;
        }
    }
    let mut corners: Vec<DVec3> = Vec::new();
    hull.facets().all(|facet| {
        corners.clear();
        corners.extend(facet.iter().map(|&v| at(v)));
        let normal = newell::normal(&corners);
        let n = corners.len();
        let convex = (0..n).all(|k| {
            let (p, q, r) = (corners[k], corners[(k + 1) % n], corners[(k + 2) % n]);
            let chord = (r - p).normalize_or_zero();
            (q - p).cross(chord).dot(normal) >= -tolerance
        });
        let mean = corners.iter().map(|&p| normal.dot(p - corners[0]) / n as f64).sum::<f64>();
        let height = |v: u32| normal.dot(at(v) - corners[0]) - mean;
        let level = facet.iter().all(|&v| height(v).abs() <= tolerance);
        let start = facet.iter().copied().min_by_key(|&v| degree[v as usize]).unwrap_or(0);
        convex && level && highest(triangles, &leaving, start, height) <= tolerance
    })
}

/// The greatest height of a corner, by climbing.
fn highest(triangles: &[Triangle], leaving: &[u32], start: u32, height: impl Fn(u32) -> f64) -> f64 {
    let (mut v, mut best) = (start, height(start));
    for _ in 0..triangles.len() {
        let (from, mut up) = (v, best);
        let first = leaving[from as usize];
        let mut t = first;
        for _ in 0..triangles.len() {
            let triangle = &triangles[t as usize];
            let k = triangle.corners.iter().position(|&c| c == from).unwrap_or(0);
            let neighbour = triangle.corners[(k + 1) % 3];
            if height(neighbour) > up {
                (v, up) = (neighbour, height(neighbour));
            }
            t = triangle.across[k];
            if t == first {
                break;
            }
        }
        if v == from {
            break;
        }
        best = up;
    }
    best
}
