//! The Voronoi regions of one body, as Lin-Canny tests them, and the pseudo-Voronoi regions of its inside.
//!
//! Each test takes points in the body's own frame, so that both features beside a plane see the same number.
//!
//! **Inside** (M. Ponamgi, D. Manocha and M. Lin, *Incremental algorithms for collision detection between solid
//! models*, 1995). Pyramids with the centre for apex and the faces for bases divide the inside; without their bases
//! they are cones that divide space. A point `p` lies in the cone of the face for which `n·(p − c) / (d − n·c)` is
//! largest: the ratio is 1 on the face's plane and 0 at the centre, so those of two neighbours agree on the plane
//! through their common edge and the centre, and beyond it that of the neighbour is larger. The largest of them all is
//! a convex function of `p`, hence a walk from face to neighbour uphill ends at the largest. These regions are "pseudo"
//! because another face may be nearer.

use std::cell::Cell as Slot;

use glam::DVec3;

use super::lin_canny_cells::ConstantSizeCells;
use crate::math::{EPS, Relative};
use crate::model::Convex;
use crate::model::convex::polyhedron::{HalfEdge, NONE};
use crate::narrow::convex::polyhedra::HullFeature;
use crate::narrow::convex::polyhedra::segments::{along, closest_parameters};

/// One body, and the map from the other's frame to its own.
pub(crate) struct RegionSide<'m> {
    pub(crate) body: &'m Convex,
    pub(crate) from_other: Relative,
    /// Its regions cut to constant size, and the piece last visited.
    cells: Option<&'m ConstantSizeCells>,
    place: Slot<u32>,
}

impl<'m> RegionSide<'m> {
    pub(crate) fn new(
        body: &'m Convex,
        from_other: Relative,
        cells: Option<&'m ConstantSizeCells>,
        place: u32,
    ) -> RegionSide<'m> {
        RegionSide { body, from_other, cells, place: Slot::new(place) }
    }

    /// The piece of constant size last visited.
    pub(crate) fn place(&self) -> u32 {
        self.place.get()
    }

    /// The edge at `v` whose Voronoi plane is violated most by the point at `offset` from the vertex.
    pub(crate) fn edge_towards(&self, v: u32, offset: DVec3, tolerance: f64) -> Option<HalfEdge> {
        self.worst_at(v, offset, |h| self.body.leading(h).dot(offset) - tolerance)
    }

    /// The edge at `v` that descends most along `down`, or is level within the tolerance.
    pub(crate) fn steepest(&self, v: u32, down: DVec3, tolerance: f64) -> Option<HalfEdge> {
        self.worst_at(v, down, |h| {
            let edge = self.body.edge(h.edge());
            self.body.leading(h).dot(down) + tolerance / edge.length
        })
    }

    /// The half-edge at `v` with the largest positive value, looked for in the region along `d`.
    fn worst_at(&self, v: u32, d: DVec3, value: impl Fn(HalfEdge) -> f64) -> Option<HalfEdge> {
        let (mut worst, mut found) = (0.0, None);
        let mut look = |h: HalfEdge| {
            let x = value(h);
            if x > worst {
                (worst, found) = (x, Some(h));
            }
        };
        let cut = self.cells.and_then(|cells| cells.vertex_sides(v, d, &self.place));
        cut.unwrap_or(self.body.vertex_edges(v)).iter().for_each(|&h| look(h));
        found
    }

    /// The end or face of edge `e` in whose direction `p` leaves the edge's region.
    pub(crate) fn beside_edge(&self, e: u32, p: DVec3, tolerance: f64) -> Option<HullFeature> {
        let edge = self.body.edge(e);
        let [tail, head] = edge.ends.map(|v| self.body.vertex(v));
        if edge.direction.dot(p - tail) < -tolerance {
            return Some(HullFeature::Vertex(edge.ends[0]));
        }
        if edge.direction.dot(p - head) > tolerance {
            return Some(HullFeature::Vertex(edge.ends[1]));
        }
        if edge.faces[0] == NONE {
            return None;
        }
        let [left, right] = edge.inward.map(|t| t.dot(p - tail));
        let side = usize::from(right > left);
        (left.max(right) > tolerance).then_some(HullFeature::Face(edge.faces[side]))
    }

    pub(crate) fn on_edge(&self, e: u32, p: DVec3) -> DVec3 {
        let edge = self.body.edge(e);
        let [tail, head] = edge.ends.map(|v| self.body.vertex(v));
        along([tail, head], (edge.direction.dot(p - tail) / edge.length).clamp(0.0, 1.0))
    }

    /// The edge through which `p` is out of the region of face `f`: the nearest one.
    pub(crate) fn out_of_face(&self, f: u32, p: DVec3, tolerance: f64) -> Option<u32> {
        let (mut nearest, mut found) = (f64::INFINITY, None);
        let mut look = |h: HalfEdge| {
            let edge = self.body.edge(h.edge());
            if edge.inward[h.side()].dot(p - self.body.vertex(edge.ends[0])) < -tolerance {
                let squared = self.on_edge(h.edge(), p).distance_squared(p);
                if squared < nearest {
                    (nearest, found) = (squared, Some(h.edge()));
                }
            }
        };
        let cut = self.cells.and_then(|cells| cells.face_sides(f, p, &self.place));
        cut.unwrap_or(self.body.face_edges(f)).iter().for_each(|&h| look(h));
        found
    }

    /// The edge of face `f` nearest to a segment; of equally near ones that which the segment is farthest outside of.
    /// (At a distance that swallows the face, all are equally near.)
    pub(crate) fn nearest_edge(&self, f: u32, ends: [DVec3; 2]) -> u32 {
        let (mut nearest, mut outermost, mut found) = (f64::INFINITY, f64::NEG_INFINITY, 0);
        for &h in self.body.face_edges(f) {
            let edge = self.body.edge(h.edge());
            let corners = edge.ends.map(|v| self.body.vertex(v));
            let [s, t] = closest_parameters(corners[1] - corners[0], ends[1] - ends[0], ends[0] - corners[0]);
            let q = along(ends, t);
            let distance = along(corners, s).distance(q);
            let outside = -edge.inward[h.side()].dot(q - corners[0]);
            let slack = 8.0 * EPS * distance;
            if distance < nearest - slack || (distance <= nearest + slack && outside > outermost) {
                (nearest, outermost, found) = (distance, outside, h.edge());
            }
        }
        found
    }

    /// The lowest vertex of face `g` of `other` over the plane of face `f`, its height and that of the highest.
    pub(crate) fn heights(&self, f: u32, other: &RegionSide<'_>, g: u32) -> (u32, f64, f64) {
        let mut found = (NONE, f64::INFINITY, f64::NEG_INFINITY);
        for &h in other.body.face_edges(g) {
            let v = other.body.tail(h);
            let height = self.body.height(f, self.from_other.apply(other.body.vertex(v)));
            if height < found.1 {
                (found.0, found.1) = (v, height);
            }
            found.2 = found.2.max(height);
        }
        found
    }

    /// From a point below face `f`, through the inside, to the face that it lies above; `None` when the point is
    /// inside.
    pub(crate) fn tunnel(&self, f: u32, p: DVec3, tolerance: f64) -> Option<HullFeature> {
        let body = self.body;
        if body.face_count() == 2 {
            return Some(HullFeature::Face(1 - f));
        }
        let rated = |f: u32| {
            let thickness = (-body.height(f, body.centre())).max(EPS * body.radius());
            (body.face(f).normal.dot(p - body.centre()), thickness)
        };
        let (mut at, mut best) = (f, rated(f));
        for _ in 0..body.face_count() {
            let here = at;
            for &h in body.face_edges(here) {
                let next = body.edge(h.edge()).faces[1 - h.side()];
                let other = rated(next);
                if other.0 * best.1 > best.0 * other.1 {
                    (at, best) = (next, other);
                }
            }
            if at == here {
                break;
            }
        }
        (body.height(at, p) > tolerance).then_some(HullFeature::Face(at))
    }
}
