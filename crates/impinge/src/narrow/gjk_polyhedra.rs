//! GJK on two polyhedra: from the last simplex to a verdict with features.
//!
//! The points of the final simplex name vertices of each body: one, two or three different ones, which are a vertex, an
//! edge or a face of it; those that are no such thing (a diagonal of a large face, or of two nearly coplanar ones) belong
//! to the face around them that faces the other body most.
//!
//! The closest points follow from `v`, the nearest point of the simplex, whose direction comes from a cross product of
//! edges or from a difference of vertices, not from the weights: a vertex that carries a closest point is that point,
//! and the other is `v` away from it.

use glam::DVec3;

use super::gjk::{self, Ask, End, Found, Start};
use super::minkowski::Difference;
use super::{Cell, Near, Polyhedra, Verdict};
use crate::answer::Stats;
use crate::math::EPS;
use crate::model::{Convex, NONE};
use crate::prim::{Johnson, RegionWalk, SignedVolumes};

/// Which way the algorithm goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    RegionWalk,
    SignedVolumes,
    Johnson,
    Nesterov,
}

/// What a pair remembers of its last simplex.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Recall {
    names: [[u32; 2]; 4],
    count: usize,
    /// From `b` to `a`, in `a`'s frame.
    axis: Option<DVec3>,
}

impl Recall {
    pub(crate) fn start(&self) -> Start<'_> {
        Start { direction: self.axis, names: &self.names[..self.count] }
    }

    pub(crate) fn of(found: &Found) -> Recall {
        let axis = if found.lower > 0.0 { Some(found.axis) } else { None };
        Recall { names: found.simplex.names, count: found.simplex.count, axis }
    }
}

/// Closest points from a cold start.
pub(crate) fn closest(pair: &Polyhedra<'_>, variant: Variant, stats: &mut Stats) -> Verdict {
    verdict(pair, &found(pair, variant, &Ask::DISTANCE, stats))
}

/// The same with any question.
pub(crate) fn found(pair: &Polyhedra<'_>, variant: Variant, ask: &Ask, stats: &mut Stats) -> Found {
    let m = &Difference::of(pair);
    let start = &Start::default();
    match variant {
        Variant::RegionWalk => gjk::distance::<RegionWalk, _, _>(m, ask, start, stats),
        Variant::SignedVolumes => gjk::distance::<SignedVolumes, _, _>(m, ask, start, stats),
        Variant::Johnson => gjk::distance::<Johnson, _, _>(m, ask, start, stats),
        Variant::Nesterov => gjk::distance::<RegionWalk, _, _>(m, &Ask { momentum: true, ..*ask }, start, stats),
    }
}

/// What the end of the algorithm says about the bodies: apart on the word of a plane; overlapping when the origin is in
/// the simplex, or so near that rounding could have moved it there.
pub(crate) fn verdict(pair: &Polyhedra<'_>, found: &Found) -> Verdict {
    let size = found.simplex.w[..found.simplex.count].iter().fold(0.0, |m: f64, w| m.max(w.length_squared())).sqrt();
    match found.end {
        End::Origin => Verdict::Overlap,
        End::Met if found.lower > 0.0 => Verdict::Apart(near(pair, found)),
        End::Met if found.v.length() <= 64.0 * EPS * size => Verdict::Overlap,
        _ => Verdict::Unknown,
    }
}

/// The closest points and the features that carry them.
pub(crate) fn near(pair: &Polyhedra<'_>, found: &Found) -> Near {
    let turn = &pair.b_in_a.rotation;
    let v = found.v;
    let in_b = DVec3::new(turn.x_axis.dot(v), turn.y_axis.dot(v), turn.z_axis.dot(v));
    let s = &found.simplex;
    let mut names = [[0; 3]; 2];
    let mut counts = [0; 2];
    for k in 0..s.count.min(3) {
        for body in 0..2 {
            let name = s.names[k][body];
            if !names[body][..counts[body]].contains(&name) {
                names[body][counts[body]] = name;
                counts[body] += 1;
            }
        }
    }
    let cells = [cell(pair.a, &names[0][..counts[0]], -v), cell(pair.b, &names[1][..counts[1]], in_b)];
    Near { points: found.points(), cells }
}

/// The least feature that has these one to three vertices; `outward` leads away from the body.
pub(crate) fn cell(convex: &Convex, vertices: &[u32], outward: DVec3) -> Cell {
    match *vertices {
        [v] => Cell::Vertex(v),
        [u, v] => edge_between(convex, u, v).map_or_else(|| face_with(convex, vertices, outward), Cell::Edge),
        _ => face_with(convex, vertices, outward),
    }
}

fn edge_between(convex: &Convex, u: u32, v: u32) -> Option<u32> {
    convex.vertex_edges(u).iter().find(|&&h| convex.head(h) == v).map(|h| h.edge())
}

/// Of the faces around the first vertex the one with the most of the others, and of those the one that faces outward.
fn face_with(convex: &Convex, vertices: &[u32], outward: DVec3) -> Cell {
    let first = vertices.first().copied().unwrap_or(0);
    let mut best = (0, f64::NEG_INFINITY, NONE);
    for &h in convex.vertex_edges(first) {
        let f = convex.edge(h.edge()).faces[h.side()];
        if f == NONE {
            return Cell::Edge(h.edge());
        }
        let shared = convex.face_edges(f).iter().filter(|&&g| vertices.contains(&convex.tail(g))).count();
        let facing = convex.face(f).normal.dot(outward);
        if (shared, facing) > (best.0, best.1) {
            best = (shared, facing, f);
        }
    }
    if best.2 == NONE { Cell::Vertex(first) } else { Cell::Face(best.2) }
}
