//! Baraff's witness: a plane between two polyhedra, remembered by the feature that carries it.
//!
//! D. Baraff, *Curved surfaces and coherence for non-penetrating rigid body simulation*, SIGGRAPH 1990; Mirtich §3.3:
//! two convex polyhedra are disjoint if and only if a plane separates them that contains a face of one, or an edge of
//! each. The plane moves with its carrier; to verify it takes the extreme vertex of each body across it, which is
//! mostly the one remembered: constant time.
//!
//! Baraff does not say what to do when the witness fails. Here: the planes of the neighbouring carriers (the faces
//! beside a face; for a pair of edges, pairs with edges at the vertices that broke the plane), six at most; then GJK,
//! from the failed direction, which finds a plane if there is one. If a carrier around the extreme vertices separates
//! too, it is remembered, as in the classic form; otherwise the direction is, in `a`'s frame and without a carrier. A
//! memory of another pair is only a bad start.

use glam::DVec3;

use crate::answer::Stats;
use crate::model::convex::polyhedron::NONE;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::convex::polyhedra::placed_polyhedron::PlacedPolyhedron;
use crate::narrow::convex::simplex::gjk;
use crate::narrow::convex::simplex::gjk::{GjkQuestion, GjkStart};
use crate::narrow::convex::simplex::gjk_polyhedra;
use crate::narrow::convex::simplex::minkowski::Difference;
use crate::prim::RegionWalk;

/// On which side of a plane two bodies are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PlaneVerdict {
    /// Apart along a unit vector from `a` to `b`, in `a`'s frame.
    Apart(DVec3),
    /// No plane separates them, up to rounding.
    Overlap,
    /// The engine gave up; another has to answer.
    Unknown,
}

/// What carries a separating plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PlaneCarrier {
    /// A face of `a` (0) or `b` (1).
    Face(usize, u32),
    /// An edge of each.
    Edges([u32; 2]),
    /// Nothing: a direction from `a` to `b` in `a`'s frame.
    Free(DVec3),
}

/// What is remembered of a pair: the carrier, and the vertices nearest to the plane.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WitnessPlane {
    pub(crate) carrier: Option<PlaneCarrier>,
    vertices: [u32; 2],
}

/// Neighbouring carriers tried when the remembered one fails.
const MOST_NEIGHBOURS: usize = 6;

impl WitnessPlane {
    /// Whether they are apart by more than `enough`: by the remembered plane, its neighbours, or GJK.
    pub(crate) fn apart(&mut self, pair: &Polyhedra<'_>, enough: f64, stats: &mut Stats) -> PlaneVerdict {
        if let Some(n) = self.search(pair, enough, stats) {
            return PlaneVerdict::Apart(n);
        }
        let direction = self.carrier.and_then(|carrier| direction(pair, carrier)).map(|n| -n);
        let start = GjkStart { direction, names: &[], points: &[] };
        let found = gjk::distance::<RegionWalk, _, _>(
            &Difference::of(pair),
            &GjkQuestion { enough, ..GjkQuestion::DISTANCE },
            &start,
            stats,
        );
        match gjk_polyhedra::decided(pair, &found) {
            Some(false) => PlaneVerdict::Overlap,
            Some(true) if found.lower > enough => {
                let n = -found.axis.normalize();
                self.remember(pair, n, stats);
                PlaneVerdict::Apart(n)
            }
            _ => PlaneVerdict::Unknown,
        }
    }

    /// The remembered plane or one of its neighbours, if it has more than `enough` between the bodies.
    pub(crate) fn search(&mut self, pair: &Polyhedra<'_>, enough: f64, stats: &mut Stats) -> Option<DVec3> {
        let bodies = &pair.placed();
        let carrier = self.carrier?;
        let n = direction(pair, carrier)?;
        stats.iterations += 1;
        if self.gap(bodies, n, stats) > enough {
            return Some(n);
        }
        let [v, w] = self.vertices;
        let mut neighbours = [None; MOST_NEIGHBOURS];
        match carrier {
            PlaneCarrier::Face(side, f) => {
                let body = bodies[side].convex;
                for (place, &h) in neighbours.iter_mut().zip(body.face_edges(f)) {
                    *place = Some(PlaneCarrier::Face(side, body.edge(h.edge()).faces[1 - h.side()]));
                }
            }
            PlaneCarrier::Edges([e, g]) => {
                let half = MOST_NEIGHBOURS / 2;
                for (place, h) in neighbours.iter_mut().zip(pair.a.vertex_edges(v).iter().take(half)) {
                    *place = Some(PlaneCarrier::Edges([h.edge(), g]));
                }
                for (place, h) in neighbours[half..].iter_mut().zip(pair.b.vertex_edges(w)) {
                    *place = Some(PlaneCarrier::Edges([e, h.edge()]));
                }
            }
            PlaneCarrier::Free(_) => {}
        }
        for carrier in neighbours.into_iter().flatten() {
            stats.iterations += 1;
            if let Some(n) = direction(pair, carrier)
                && self.gap(bodies, n, stats) > enough
            {
                self.carrier = Some(carrier);
                return Some(n);
            }
        }
        None
    }

    /// Remembers a direction that separates: by a feature that separates too if there is one, else the direction
    /// itself.
    fn remember(&mut self, pair: &Polyhedra<'_>, n: DVec3, stats: &mut Stats) {
        self.carrier = Some(PlaneCarrier::Free(n));
        let bodies = &pair.placed();
        self.gap(bodies, n, stats);
        if let Some(carrier) = self.snap(pair, bodies, stats) {
            self.carrier = Some(carrier);
        }
    }

    /// Of the faces around the extreme vertices and the pairs of edges there, the one with the widest gap, if any has.
    fn snap(
        &mut self,
        pair: &Polyhedra<'_>,
        bodies: &[PlacedPolyhedron<'_>; 2],
        stats: &mut Stats,
    ) -> Option<PlaneCarrier> {
        let vertices = self.vertices;
        let (mut widest, mut found) = (0.0, None);
        let mut offer = |carrier: PlaneCarrier| {
            let mut probe = WitnessPlane { carrier: None, vertices };
            if let Some(n) = direction(pair, carrier) {
                let gap = probe.gap(bodies, n, stats);
                if gap > widest {
                    (widest, found) = (gap, Some((carrier, probe.vertices)));
                }
            }
        };
        for side in 0..2 {
            let body = bodies[side].convex;
            for &h in body.vertex_edges(vertices[side]) {
                let face = body.edge(h.edge()).faces[h.side()];
                if face != NONE {
                    offer(PlaneCarrier::Face(side, face));
                }
            }
        }
        for h in pair.a.vertex_edges(vertices[0]) {
            for k in pair.b.vertex_edges(vertices[1]) {
                offer(PlaneCarrier::Edges([h.edge(), k.edge()]));
            }
        }
        let (carrier, vertices) = found?;
        self.vertices = vertices;
        Some(carrier)
    }

    /// The gap between the bodies along the unit vector `n`; remembers the vertices beside it.
    fn gap(&mut self, [a, b]: &[PlacedPolyhedron<'_>; 2], n: DVec3, stats: &mut Stats) -> f64 {
        stats.primitive_tests += 2;
        self.vertices = [a.convex.support(n, self.vertices[0]), b.convex.support(b.turn_back(-n), self.vertices[1])];
        n.dot(b.vertex(self.vertices[1]) - a.vertex(self.vertices[0]))
    }
}

/// The unit vector from `a` to `b` across the plane, if the pair has such a carrier.
fn direction(pair: &Polyhedra<'_>, carrier: PlaneCarrier) -> Option<DVec3> {
    let [a, b] = &pair.placed();
    match carrier {
        PlaneCarrier::Face(0, f) => ((f as usize) < pair.a.face_count()).then(|| a.normal(f)),
        PlaneCarrier::Face(_, f) => ((f as usize) < pair.b.face_count()).then(|| -b.normal(f)),
        PlaneCarrier::Edges([e, g]) => {
            let (mine, theirs) = (pair.a.edges().get(e as usize)?, pair.b.edges().get(g as usize)?);
            let n = mine.direction.cross(b.turn(theirs.direction)).try_normalize()?;
            // Away from the middle of a.
            let outward = n.dot(a.vertex(mine.ends[0]) - a.centre()) >= n.dot(b.vertex(theirs.ends[0]) - b.centre());
            Some(if outward { n } else { -n })
        }
        PlaneCarrier::Free(n) => Some(n),
    }
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::narrow::convex::polyhedra::Claim;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{Random, cuboid, families, gap, placed};

    #[test]
    fn agrees_with_brute_force_whatever_is_remembered() {
        let mut memory = WitnessPlane::default();
        let mut snapped = 0;
        families(41, 150, |name, pair| {
            let truth = brute::closest(pair, &mut Stats::default());
            // First with the memory that the pair before it left behind, then with its own.
            for _ in 0..2 {
                match (memory.apart(pair, pair.slack(), &mut Stats::default()), &truth) {
                    (PlaneVerdict::Apart(n), _) => assert!(gap(pair, n) > 0.0, "{name}: {n}"),
                    (PlaneVerdict::Overlap, Claim::Apart(near)) => {
                        assert!(near.distance() <= 8.0 * pair.slack(), "{name}: {near:?}");
                    }
                    (PlaneVerdict::Overlap, _) => {}
                    (PlaneVerdict::Unknown, _) => panic!("{name}: {truth:?}"),
                }
            }
            snapped += usize::from(matches!(memory.carrier, Some(PlaneCarrier::Face(..) | PlaneCarrier::Edges(_))));
        });
        assert!(snapped > 300, "{snapped}");
    }

    /// The remembered plane nearly always separates two bodies of which one turns and drifts past the other.
    #[test]
    fn a_moving_pair_keeps_its_witness() {
        let mut r = Random(9);
        let (a, b) = (r.solid(), cuboid(DVec3::splat(0.5)));
        let mut memory = WitnessPlane::default();
        let (mut remembered, mut apart) = (0, 0);
        for k in 0..2000 {
            let t = f64::from(k) * 1e-3;
            let turn = DMat3::from_axis_angle(DVec3::new(1.0, 0.5, 0.2).normalize(), t);
            let pair = Polyhedra { a: &a, b: &b, b_in_a: placed(turn, DVec3::new(1.9, t - 1.0, 0.3)) };
            let mut stats = Stats::default();
            let still_apart = memory.search(&pair, 0.0, &mut stats).is_some();
            let PlaneVerdict::Apart(_) = memory.apart(&pair, 0.0, &mut stats) else { continue };
            apart += 1;
            remembered += usize::from(still_apart);
        }
        assert!(apart > 1000 && remembered * 100 > apart * 95, "{remembered} of {apart}");
    }
}
