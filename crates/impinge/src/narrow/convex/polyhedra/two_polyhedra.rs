//! Two convex polyhedra in `a`'s frame, and what the engines say about them.

use glam::DVec3;

use super::segments::{closest_on_segment, closest_on_segments};
use crate::math::Relative;
use crate::model::Convex;

/// Polyhedron `a` as it is and polyhedron `b` placed relative to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Polyhedra<'m> {
    pub(crate) a: &'m Convex,
    pub(crate) b: &'m Convex,
    pub(crate) b_in_a: Relative,
}

/// A feature of a polyhedron, by its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum HullFeature {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

impl HullFeature {
    /// The cell, if the body has it, else its first vertex.
    #[inline(always)]
    pub(crate) fn or_first(self, body: &Convex) -> HullFeature {
        let there = match self {
            HullFeature::Vertex(v) => (v as usize) < body.vertex_count(),
            HullFeature::Edge(e) => (e as usize) < body.edge_count(),
            HullFeature::Face(f) => (f as usize) < body.face_count(),
        };
        if there { self } else { HullFeature::Vertex(0) }
    }
}

impl Polyhedra<'_> {
    /// The vertices farthest towards each other along the line of the centres.
    pub(crate) fn extremes(&self) -> [HullFeature; 2] {
        let way = self.b_in_a.apply(self.b.centre()) - self.a.centre();
        let back = -(self.b_in_a.rotation.transpose() * way);
        [HullFeature::Vertex(self.a.support(way, 0)), HullFeature::Vertex(self.b.support(back, 0))]
    }

    /// The closest points of two features, in `a`'s frame. Of a face only the plane is used, and the other feature is
    /// then a vertex.
    #[inline(always)]
    pub(crate) fn closest_points(&self, features: [HullFeature; 2]) -> ClosestFeatures {
        // An edge and a face, or two faces: a vertex of one is used in its place.
        let features = match features {
            [HullFeature::Edge(e), f @ HullFeature::Face(_)] => [HullFeature::Vertex(self.a.edge(e).ends[0]), f],
            [f @ HullFeature::Face(_), HullFeature::Edge(e)] => [f, HullFeature::Vertex(self.b.edge(e).ends[0])],
            [HullFeature::Face(f), g @ HullFeature::Face(_)] => {
                [HullFeature::Vertex(self.a.tail(self.a.face_edges(f)[0])), g]
            }
            other => other,
        };
        let (a, b) = (self.a, self.b);
        let placed = |v: u32| self.b_in_a.apply(b.vertex(v));
        let points = match features {
            [HullFeature::Vertex(v), HullFeature::Vertex(w)] => [a.vertex(v), placed(w)],
            [HullFeature::Vertex(v), HullFeature::Edge(e)] => {
                let p = a.vertex(v);
                [p, closest_on_segment(b.edge(e).ends.map(placed), p)]
            }
            [HullFeature::Edge(e), HullFeature::Vertex(w)] => {
                let q = placed(w);
                [closest_on_segment(a.edge(e).ends.map(|v| a.vertex(v)), q), q]
            }
            [HullFeature::Edge(e), HullFeature::Edge(f)] => {
                closest_on_segments(a.edge(e).ends.map(|v| a.vertex(v)), b.edge(f).ends.map(placed))
            }
            [HullFeature::Face(f), HullFeature::Vertex(w)] => {
                let q = placed(w);
                [q - a.face(f).normal * a.height(f, q), q]
            }
            [HullFeature::Vertex(v), HullFeature::Face(f)] => {
                let p = a.vertex(v);
                let normal = self.b_in_a.rotation * b.face(f).normal;
                let corner = placed(b.tail(b.face_edges(f)[0]));
                [p, p - normal * normal.dot(p - corner)]
            }
            _ => [a.vertex(0), placed(0)],
        };
        ClosestFeatures { points, features }
    }
}

/// The closest features of polyhedra that are apart, and the closest points that they carry, in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClosestFeatures {
    pub(crate) points: [DVec3; 2],
    /// The features that carry them.
    pub(crate) features: [HullFeature; 2],
}

impl ClosestFeatures {
    pub(crate) fn distance(&self) -> f64 {
        self.points[0].distance(self.points[1])
    }
}

/// A way out: the least translation found that separates polyhedra that overlap, in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WayOut {
    /// Unit vector; moving `b` by `depth` along it separates them, up to touching.
    pub(crate) normal: DVec3,
    /// No shorter translation along any direction separates them.
    pub(crate) lower: f64,
    /// This one does, along `normal`.
    pub(crate) depth: f64,
    /// The deepest points, of `a` in `b` and of `b` in `a`: they come to touch.
    pub(crate) points: [DVec3; 2],
    pub(crate) features: [HullFeature; 2],
}

/// What an engine found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Claim {
    Apart(ClosestFeatures),
    /// The bodies overlap, up to rounding.
    Overlap,
    /// The engine gave up within its cap; another has to answer.
    Unknown,
}
