//! How far points are from the surfaces of two polyhedra, and points moved onto the features that carry them.

use glam::DVec3;

use super::placed_polyhedron::PlacedPolyhedron;
use super::segments::closest_on_segment;
use super::two_polyhedra::{HullFeature, Polyhedra};
use crate::model::Convex;

impl Polyhedra<'_> {
    /// How far a point of `a`'s frame lies outside the bodies, by their planes: negative inside both.
    pub(crate) fn outside(&self, p: DVec3) -> f64 {
        outside(self.a, p).max(outside(self.b, self.b_in_a.inverse().apply(p)))
    }

    /// The two points, slid along a face until the other lies on its vertex or edge exactly.
    pub(crate) fn slid(&self, [p, q]: [DVec3; 2], features: [HullFeature; 2]) -> [DVec3; 2] {
        let [a, b] = self.placed();
        match features {
            [HullFeature::Face(_), HullFeature::Vertex(_) | HullFeature::Edge(_)] => {
                let on_b = on_feature(&b, features[1], q);
                [p + (on_b - q), on_b]
            }
            [HullFeature::Vertex(_) | HullFeature::Edge(_), HullFeature::Face(_)] => {
                let on_a = on_feature(&a, features[0], p);
                [on_a, q + (on_a - p)]
            }
            _ => [p, q],
        }
    }
}

/// The point of a vertex or an edge nearest to a point by it; of a face the point itself.
fn on_feature(body: &PlacedPolyhedron<'_>, feature: HullFeature, p: DVec3) -> DVec3 {
    match feature {
        HullFeature::Vertex(v) => body.vertex(v),
        HullFeature::Edge(e) => closest_on_segment(body.ends(e), p),
        HullFeature::Face(_) => p,
    }
}

/// How far a point lies above the faces of a body; of one without volume, how far from it, by its planes.
pub(crate) fn outside(body: &Convex, p: DVec3) -> f64 {
    match body.face_count() {
        0 => {
            let last = body.vertex_count() as u32 - 1;
            closest_on_segment([body.vertex(0), body.vertex(last)], p).distance(p)
        }
        2 => body.face_edges(0).iter().fold(body.height(0, p).abs(), |most, &h| {
            let inward = body.edge(h.edge()).inward[h.side()];
            most.max(inward.dot(body.vertex(body.tail(h)) - p))
        }),
        faces => (0..faces as u32).map(|f| body.height(f, p)).fold(f64::NEG_INFINITY, f64::max),
    }
}
