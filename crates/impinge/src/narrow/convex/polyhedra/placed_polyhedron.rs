//! A polyhedron in `a`'s frame: its features where they are.
//!
//! Every height over a face and every offset from an edge is measured from a corner of that face or edge, not from the
//! origin: differences of nearby points are nearly exact, so a body far from the origin of its frame loses nothing.

use glam::DVec3;

use super::two_polyhedra::Polyhedra;
use crate::math::Relative;
use crate::model::Convex;
use crate::model::convex::polyhedron::HalfEdge;

/// A polyhedron and its place in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedPolyhedron<'m> {
    pub(crate) convex: &'m Convex,
    place: Relative,
}

impl Polyhedra<'_> {
    /// Both, in `a`'s frame.
    pub(crate) fn placed(&self) -> [PlacedPolyhedron<'_>; 2] {
        [
            PlacedPolyhedron { convex: self.a, place: Relative::IDENTITY },
            PlacedPolyhedron { convex: self.b, place: self.b_in_a },
        ]
    }
}

impl PlacedPolyhedron<'_> {
    #[inline(always)]
    pub(crate) fn vertex(&self, v: u32) -> DVec3 {
        self.place.apply(self.convex.vertex(v))
    }

    /// A direction of the body's own frame.
    #[inline(always)]
    pub(crate) fn turn(&self, d: DVec3) -> DVec3 {
        self.place.rotation * d
    }

    /// A direction of `a`'s frame, in the body's own.
    #[inline(always)]
    pub(crate) fn turn_back(&self, d: DVec3) -> DVec3 {
        let r = &self.place.rotation;
        DVec3::new(r.x_axis.dot(d), r.y_axis.dot(d), r.z_axis.dot(d))
    }

    /// A point of `a`'s frame, in the body's own.
    #[inline(always)]
    pub(crate) fn own(&self, p: DVec3) -> DVec3 {
        self.turn_back(p - self.place.translation)
    }

    pub(crate) fn centre(&self) -> DVec3 {
        self.place.apply(self.convex.centre())
    }

    #[inline(always)]
    pub(crate) fn ends(&self, e: u32) -> [DVec3; 2] {
        self.convex.edge(e).ends.map(|v| self.vertex(v))
    }

    #[inline(always)]
    pub(crate) fn normal(&self, f: u32) -> DVec3 {
        self.turn(self.convex.face(f).normal)
    }

    /// A corner of the face.
    #[inline(always)]
    pub(crate) fn corner(&self, f: u32) -> DVec3 {
        self.vertex(self.convex.tail(self.convex.face_edges(f)[0]))
    }

    /// Signed distance of `p` over the plane of face `f`.
    #[inline(always)]
    pub(crate) fn height(&self, f: u32, p: DVec3) -> f64 {
        self.normal(f).dot(p - self.corner(f))
    }

    /// How far `p` lies on the face's side of the Voronoi plane between a half-edge and its face.
    #[inline(always)]
    pub(crate) fn inward(&self, h: HalfEdge, p: DVec3) -> f64 {
        self.turn(self.convex.edge(h.edge()).inward[h.side()]).dot(p - self.vertex(self.convex.tail(h)))
    }

    /// Whether `p` lies over or under the face: on the inner side of all its edges, or outside by `slack` at most.
    pub(crate) fn covers(&self, f: u32, p: DVec3, slack: f64) -> bool {
        self.convex.face_edges(f).iter().all(|&h| self.inward(h, p) >= -slack)
    }

    /// The vertex farthest along `d`, by looking at all of them, and how far that is from `origin`, times `|d|`.
    pub(crate) fn farthest(&self, d: DVec3, origin: DVec3) -> (u32, f64) {
        let along = |v| d.dot(self.vertex(v) - origin);
        let mut best = (0, along(0));
        for v in 1..self.convex.vertex_count() as u32 {
            let x = along(v);
            if x > best.1 {
                best = (v, x);
            }
        }
        best
    }
}
