//! The triangulated hull of points that span space: quickhull.
//!
//! After C. B. Barber, D. P. Dobkin and H. Huhdanpaa, *The Quickhull algorithm for convex hulls*, ACM TOMS 22 (1996),
//! §2: every facet keeps the points above it; the farthest one becomes a corner; the facets that see it go, a cone over
//! their border comes, and their points are shared out among the facets of the cone.
//!
//! Where it departs:
//! - *Seeing is exact and strict*, so nothing needs the paper's merging of facets (§4). Move a new corner `p` a little
//!   towards the inside: it leaves the planes it was in, and sees exactly the facets that `p` sees strictly; and what a
//!   point in no plane sees of a convex surface is a disc. So the border is one simple cycle. No edge of it is in line
//!   with `p`, which would then lie in the plane of a facet that it sees strictly; so no facet is without area, and the
//!   surface stays closed and convex. Coplanar facets are possible and stay apart until [`super::merge`].
//! - A point is *above* only by more than `τ` ([`Sites::above`]). A point that is above no facet of a cone, but below
//!   not all of them either, stays on a list: above by less than `τ` one of many nearly coplanar facets, or two that
//!   meet in a sharp edge, it may lie far beyond their border. When no list has points above its facet, each such point
//!   walks to the facet that it is over ([`super::near`]), and the work goes on if one is above that, or far off.
//! - Large cones are searched by bisection, see [`Cone::find`]: a cone of `m` facets costs a point `log m`.
//! - Farthest points can be chosen to make the algorithm slow (its worst case is quadratic); once it has done more work
//!   than `n log n` explains, random points are taken, which is a randomised incremental hull: `n log n` expected.
//!
//! Invariant: before every step the live facets are a closed surface that is the hull of the corners taken, and every
//! point farther than `2τ` outside is in the list of one facet that it is above, or within `τ` of.

use std::collections::VecDeque;

use super::facet::{HullFacet, HullTriangle, NONE};
use super::near;
use super::sites::{SitePlane, Sites};
use crate::math::Sign;

/// Cones of more facets than this are searched by bisection.
const LARGE: usize = 10;

/// Side of a facet across which lies one that does not see the new corner.
#[derive(Clone, Copy)]
struct Rim {
    from: u32,
    to: u32,
    /// The facet that stays, and its side.
    beyond: u32,
    side: u8,
}

/// The hull of the points, which span space, starting with a tetrahedron whose fourth corner lies below the others.
pub(super) fn triangles(sites: &Sites<'_>, tetrahedron: [u32; 4]) -> Vec<HullTriangle> {
    let n = sites.at.len() as u64;
    grow(sites, tetrahedron, 100 * n * u64::from(n.ilog2() + 1))
}

/// The same, with the work after which farthest points are given up.
fn grow(sites: &Sites<'_>, tetrahedron: [u32; 4], budget: u64) -> Vec<HullTriangle> {
    let mut quick = Quick::new(sites, tetrahedron);
    quick.budget = budget;
    // Every step takes a point off the lists for good.
    for step in 0..sites.at.len() as u32 {
        let Some(facet) = quick.next_facet().or_else(|| quick.settle()) else { break };
        quick.add_corner(facet, step);
    }
    quick.finish()
}

struct Quick<'a> {
    sites: &'a Sites<'a>,
    facets: Vec<HullFacet>,
    free: Vec<u32>,
    /// Facets that have points above them, oldest first: refined in one place before the others, a hull grows slivers,
    /// and is several times slower on cylinders.
    waiting: VecDeque<u32>,
    /// Lists of points above facets, each contiguous.
    pool: Vec<u32>,
    /// Points in the lists of live facets.
    listed: usize,
    /// Rim side that leaves each point, during a step.
    leaving: Vec<u32>,
    work: u64,
    budget: u64,
    random: u64,
    seen: Vec<u32>,
    rim: Vec<Rim>,
    cone: Cone,
    orphans: Vec<u32>,
    shares: Vec<u32>,
}

impl<'a> Quick<'a> {
    fn new(sites: &'a Sites<'a>, [a, b, c, d]: [u32; 4]) -> Quick<'a> {
        let n = sites.at.len();
        let mut quick = Quick {
            sites,
            facets: Vec::new(),
            free: Vec::new(),
            waiting: VecDeque::new(),
            pool: Vec::new(),
            listed: 0,
            leaving: vec![NONE; n],
            work: 0,
            budget: u64::MAX,
            random: 0x9E37_79B9_7F4A_7C15,
            seen: Vec::new(),
            rim: Vec::new(),
            cone: Cone::default(),
            orphans: (0..n as u32).collect(),
            shares: Vec::new(),
        };
        let faces = [[a, b, c], [b, a, d], [c, b, d], [a, c, d]];
        for (corners, across) in faces.into_iter().zip([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]) {
            let slot = quick.new_facet(corners);
            quick.facets[slot as usize].triangle.across = across;
            quick.cone.facets.push(slot);
        }
        quick.share_out(NONE);
        quick
    }

    fn new_facet(&mut self, corners: [u32; 3]) -> u32 {
        let facet = HullFacet {
            triangle: HullTriangle { corners, across: [NONE; 3] },
            plane: self.sites.plane(corners),
            start: 0,
            count: 0,
            farthest: NONE,
            step: NONE - 1,
            seen: false,
        };
        match self.free.pop() {
            Some(slot) => {
                self.facets[slot as usize] = facet;
                slot
            }
            None => {
                self.facets.push(facet);
                self.facets.len() as u32 - 1
            }
        }
    }

    fn next_facet(&mut self) -> Option<u32> {
        // A slot may have been freed, or used again, since it was queued, so its present state is looked at.
        while let Some(facet) = self.waiting.pop_front() {
            if self.facets[facet as usize].farthest != NONE {
                return Some(facet);
            }
        }
        None
    }

    /// When no facet has points above it: takes all points off the lists and gives each that is above a facet after all
    /// to that.
    fn settle(&mut self) -> Option<u32> {
        let mut found = Vec::new();
        for f in 0..self.facets.len() {
            let HullFacet { start, count, .. } = self.facets[f];
            (self.facets[f].start, self.facets[f].count) = (0, 0);
            for &x in &self.pool[start as usize..][..count as usize] {
                if let Some((slot, height)) = near::facet_below(self.sites, &self.facets, f as u32, x) {
                    found.push((slot, x, height));
                }
            }
        }
        self.listed = found.len();
        self.pool.clear();
        found.sort_unstable_by_key(|&(slot, x, _)| (slot, x));
        for list in found.chunk_by(|p, q| p.0 == q.0) {
            let facet = &mut self.facets[list[0].0 as usize];
            facet.start = self.pool.len() as u32;
            facet.count = list.len() as u32;
            let mut highest = 0.0;
            for &(_, x, height) in list {
                self.pool.push(x);
                if height > highest {
                    highest = height;
                    facet.farthest = x;
                }
            }
            self.waiting.push_back(list[0].0);
        }
        self.next_facet()
    }

    /// Makes one of the facet's points a corner.
    fn add_corner(&mut self, facet: u32, step: u32) {
        let corner = self.choose(facet);
        self.look_around(facet, corner, step);
        self.orphans.clear();
        for &f in &self.seen {
            let HullFacet { start, count, .. } = self.facets[f as usize];
            self.orphans.extend_from_slice(&self.pool[start as usize..][..count as usize]);
        }
        self.listed -= self.orphans.len();
        if self.close_rim() {
            for &f in &self.seen {
                let facet = &mut self.facets[f as usize];
                (facet.step, facet.farthest, facet.start, facet.count) = (NONE, NONE, 0, 0);
            }
            self.free.extend_from_slice(&self.seen);
            self.raise_cone(corner);
            self.share_out(corner);
        }
    }

    /// The farthest point; a random one above after too much work, the first of its equals.
    fn choose(&mut self, facet: u32) -> u32 {
        let HullFacet { start, count, farthest, .. } = self.facets[facet as usize];
        if self.work < self.budget {
            return farthest;
        }
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let list = &self.pool[start as usize..][..count as usize];
        let chosen = list[(self.random % u64::from(count)) as usize];
        if self.sites.above(&self.facets[facet as usize].plane, chosen).is_none() {
            return farthest;
        }
        let at = |v: u32| self.sites.at[v as usize];
        list.iter().copied().find(|&v| at(v) == at(chosen)).unwrap_or(farthest)
    }

    /// Finds the facets that see the corner, from one of them, and their rim.
    fn look_around(&mut self, facet: u32, corner: u32, step: u32) {
        self.seen.clear();
        self.rim.clear();
        self.facets[facet as usize].step = step;
        self.facets[facet as usize].seen = true;
        self.seen.push(facet);
        let mut next = 0;
        while let Some(&f) = self.seen.get(next) {
            next += 1;
            let HullTriangle { corners, across } = self.facets[f as usize].triangle;
            for k in 0..3 {
                let other = &mut self.facets[across[k] as usize];
                if other.step != step {
                    other.step = step;
                    other.seen = self.sites.side(&other.plane, other.triangle.corners, corner) == Sign::Positive;
                    if other.seen {
                        self.seen.push(across[k]);
                    }
                }
                if !other.seen {
                    let to = corners[(k + 1) % 3];
                    let side = other.triangle.corners.iter().position(|&v| v == to).unwrap_or(0) as u8;
                    self.rim.push(Rim { from: corners[k], to, beyond: across[k], side });
                }
            }
        }
        self.work += 4 * self.seen.len() as u64;
    }

    /// Puts the sides of the rim in order. False if they make no simple cycle, which exact signs rule out.
    fn close_rim(&mut self) -> bool {
        for (k, side) in self.rim.iter().enumerate() {
            self.leaving[side.from as usize] = k as u32;
        }
        let mut order = Vec::with_capacity(self.rim.len());
        let mut k = 0u32;
        while let Some(&side) = self.rim.get(k as usize) {
            order.push(side);
            k = self.leaving[side.to as usize];
            if k == 0 || order.len() > self.rim.len() {
                break;
            }
        }
        for side in &self.rim {
            self.leaving[side.from as usize] = NONE;
        }
        let closed = k == 0 && order.len() == self.rim.len() && order.len() >= 3;
        self.rim = order;
        closed
    }

    fn raise_cone(&mut self, apex: u32) {
        self.cone.facets.clear();
        for k in 0..self.rim.len() {
            let Rim { from, to, beyond, side } = self.rim[k];
            let slot = self.new_facet([from, to, apex]);
            self.facets[slot as usize].triangle.across[0] = beyond;
            self.facets[beyond as usize].triangle.across[side as usize] = slot;
            self.cone.facets.push(slot);
        }
        let n = self.cone.facets.len();
        for k in 0..n {
            let across = &mut self.facets[self.cone.facets[k] as usize].triangle.across;
            across[1] = self.cone.facets[(k + 1) % n];
            across[2] = self.cone.facets[(k + n - 1) % n];
        }
        self.cone.fan.clear();
        if n > LARGE {
            let start = self.rim[0].from;
            for side in &self.rim[1..] {
                let corners = [apex, start, side.from];
                self.cone.fan.push((self.sites.plane(corners), corners));
            }
        }
    }

    /// Gives each orphan to a facet of the cone that it is above, or nearly so; the rest are inside. Keeps the order of
    /// the points, so that of equal points the first is found first.
    fn share_out(&mut self, taken: u32) {
        let cone = std::mem::take(&mut self.cone);
        self.shares.clear();
        let mut highest = vec![0.0; cone.facets.len()];
        for &x in &self.orphans {
            let found = if x == taken { None } else { cone.find(self.sites, &self.facets, x, &mut self.work) };
            let share = found.map_or(NONE, |(k, height)| {
                let facet = &mut self.facets[cone.facets[k] as usize];
                facet.count += 1;
                if height > highest[k] {
                    highest[k] = height;
                    facet.farthest = x;
                }
                cone.facets[k]
            });
            self.shares.push(share);
        }
        let mut end = self.pool.len();
        for &slot in &cone.facets {
            let facet = &mut self.facets[slot as usize];
            facet.start = end as u32;
            end += facet.count as usize;
            self.listed += facet.count as usize;
            if facet.farthest != NONE {
                self.waiting.push_back(slot);
            }
        }
        self.pool.resize(end, NONE);
        for (&x, &slot) in self.orphans.iter().zip(&self.shares) {
            if slot != NONE {
                let facet = &mut self.facets[slot as usize];
                self.pool[facet.start as usize] = x;
                facet.start += 1;
            }
        }
        for &slot in &cone.facets {
            let facet = &mut self.facets[slot as usize];
            facet.start -= facet.count;
        }
        self.cone = cone;
        if self.pool.len() > 3 * self.listed + self.facets.len() + 4096 {
            self.compact();
        }
    }

    /// Drops from the pool what no live facet refers to.
    fn compact(&mut self) {
        let mut pool = Vec::with_capacity(2 * self.listed);
        for facet in &mut self.facets {
            let start = pool.len() as u32;
            pool.extend_from_slice(&self.pool[facet.start as usize..][..facet.count as usize]);
            facet.start = start;
        }
        self.pool = pool;
    }

    /// The live facets, numbered without gaps.
    fn finish(self) -> Vec<HullTriangle> {
        let mut number = vec![NONE; self.facets.len()];
        let live = |f: &HullFacet| f.step != NONE;
        for (k, (slot, _)) in self.facets.iter().enumerate().filter(|(_, f)| live(f)).enumerate() {
            number[slot] = k as u32;
        }
        let renumbered = |t: HullTriangle| HullTriangle { across: t.across.map(|f| number[f as usize]), ..t };
        self.facets.iter().filter(|f| live(f)).map(|f| renumbered(f.triangle)).collect()
    }
}

/// The facets around a new corner, in order.
#[derive(Default)]
struct Cone {
    facets: Vec<u32>,
    /// For large cones the planes through the apex, the first corner of the rim and each of the others.
    fan: Vec<(SitePlane, [u32; 3])>,
}

impl Cone {
    /// A facet of the cone that the point is above, and how high; or the one that it is least below, if by less than
    /// `τ`, and zero.
    ///
    /// Bisection: the planes of the fan turn about the line from the apex `p` to the rim corner `h₀` by less than half
    /// a turn, so the side of `x` changes at most once along them. Positive for the first, `x` is above the first
    /// facet; negative for the last, above the last. Otherwise two neighbours `h_k`, `h_{k+1}` have `x` between their
    /// planes: if it is not above the facet of the side `h_k h_{k+1}` either, it lies in the triangular cone of the
    /// three planes, which is part of the whole. The two facets beside are tried too: `above` is not quite the sign.
    fn find(&self, sites: &Sites<'_>, facets: &[HullFacet], x: u32, work: &mut u64) -> Option<(usize, f64)> {
        let n = self.facets.len();
        let mut near: Option<(usize, f64)> = None;
        let mut above = |k: usize| {
            let plane = &facets[self.facets[k] as usize].plane;
            match sites.above(plane, x) {
                Some(height) => return Some((k, height)),
                None if !sites.is_below(plane, x) => {
                    let height = sites.height_in_tau(plane, x);
                    if height > near.map_or(f64::NEG_INFINITY, |(_, most)| most) {
                        near = Some((k, height));
                    }
                }
                None => {}
            }
            None
        };
        if self.fan.is_empty() {
            *work += n as u64;
            let found = (0..n).find_map(&mut above);
            return found.or(near.map(|(k, _)| (k, 0.0)));
        }
        *work += u64::from(n.ilog2()) + 3;
        let k = self.bisect(sites, x);
        let found = [k, (k + n - 1) % n, (k + 1) % n].into_iter().find_map(&mut above);
        found.or(near.map(|(k, _)| (k, 0.0)))
    }

    fn bisect(&self, sites: &Sites<'_>, x: u32) -> usize {
        // `fan[k]` belongs to rim corner `k + 1`.
        let side = |k: usize| sites.side(&self.fan[k].0, self.fan[k].1, x);
        let (mut low, mut high) = (0, self.fan.len() - 1);
        if side(low) == Sign::Positive {
            return 0;
        }
        if side(high) == Sign::Negative {
            return self.facets.len() - 1;
        }
        while high - low > 1 {
            let middle = (low + high) / 2;
            if side(middle) == Sign::Positive {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::model::hull::span::{AffineSpan, span};

    /// The corners of the triangles, which must close up.
    fn corners(triangles: &[HullTriangle]) -> Vec<u32> {
        for (t, triangle) in triangles.iter().enumerate() {
            for k in 0..3 {
                let other = &triangles[triangle.across[k] as usize];
                let side = other.across.iter().position(|&f| f == t as u32).unwrap();
                assert_eq!(other.corners[side], triangle.corners[(k + 1) % 3]);
                assert_eq!(other.corners[(side + 1) % 3], triangle.corners[k]);
            }
        }
        let mut corners: Vec<u32> = triangles.iter().flat_map(|t| t.corners).collect();
        corners.sort_unstable();
        corners.dedup();
        corners
    }

    #[test]
    fn random_points_find_the_same_hull_as_farthest_ones() {
        for n in [10, 100, 5000] {
            // Spirals on two spheres, every point twice.
            let point = |i: usize| {
                let (z, a) = (1.0 - 2.0 * (i as f64 + 0.5) / n as f64, 2.4 * i as f64);
                DVec3::new((1.0 - z * z).sqrt() * a.cos(), (1.0 - z * z).sqrt() * a.sin(), z)
            };
            let points: Vec<DVec3> = (0..4 * n).map(|i| point(i % n) * if i % 2 == 0 { 1.0 } else { 0.99 }).collect();
            let sites = Sites::new(&points);
            let AffineSpan::Solid(start) = span(&sites) else { panic!("a sphere is solid") };
            let farthest = corners(&triangles(&sites, start));
            let random = corners(&grow(&sites, start, 0));
            assert_eq!(farthest, random);
            assert!(farthest.len() >= n / 2 && farthest.iter().all(|&v| (v as usize) < n));
        }
    }
}
