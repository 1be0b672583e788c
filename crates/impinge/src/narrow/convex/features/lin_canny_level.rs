//! Whether, near contact, neighbours that are level with the closest features are nearer still.
//!
//! A plane test decides between `w·u > 0` and `w·u < 0`, where `w` leads from one closest point to the other and `u`
//! from a feature into a neighbour. Rounding blurs it by some `ε·L`, hence the angle between `w` and the neighbour by
//! `ε·L/|w|`: nothing at a distance like the bodies' size `L`, and much near contact. Stopping at a vertex or edge for
//! a neighbour that descends by so small an angle costs nothing as long as the other body falls away: the way is
//! quadratic. But along a neighbour that is level with one of the other body, both go on side by side, and come nearer
//! by the angle times their length. (Boxes face to face, tilted by 10⁻⁸ and 10⁻⁹ apart: case D12.)
//!
//! So near contact the distances of the level neighbours themselves are computed, which are exact to `ε·L` at any
//! distance: edges at a vertex and faces at a vertex or edge that are perpendicular to `w` up to rounding, of both
//! bodies, pair by pair; of two faces, all edges of one against the other. For bodies without level features nothing is
//! computed.

use glam::DVec3;

use super::lin_canny_regions::RegionSide;
use crate::model::Convex;
use crate::model::convex::polyhedron::NONE;
use crate::narrow::convex::polyhedra::facing;
use crate::narrow::convex::polyhedra::segments::{along, closest_on_segments};
use crate::narrow::convex::polyhedra::{HullFeature, Polyhedra};

/// A pair of features, level with the current ones, whose distance is less than `limit`; `w` leads from the closest
/// point of `a` to that of `b`, in `a`'s frame.
pub(crate) fn nearer(
    pair: &Polyhedra<'_>,
    sides: [&RegionSide<'_>; 2],
    at: [HullFeature; 2],
    w: DVec3,
    band: f64,
    limit: f64,
) -> Option<[HullFeature; 2]> {
    let [a, b] = sides;
    let back = b.from_other.rotation * w;
    let (mut least, mut found) = (limit, None);
    let mut offer = |features: [HullFeature; 2], distance: f64| {
        if distance < least {
            (least, found) = (distance, Some(features));
        }
    };
    let ends = |side: &RegionSide<'_>, e: u32| side.body.edge(e).ends.map(|v| side.body.vertex(v));
    level(a.body, at[0], w, band, |x| {
        level(b.body, at[1], back, band, |y| match (x, y) {
            _ if [x, y] == at => {}
            (HullFeature::Face(f), HullFeature::Face(g)) => {
                let (_, low, high) = b.heights(g, a, f);
                if high - low <= band {
                    return;
                }
                for &h in a.body.face_edges(f) {
                    offer([HullFeature::Edge(h.edge()), y], from_face(b, g, ends(a, h.edge())));
                }
                for &h in b.body.face_edges(g) {
                    offer([x, HullFeature::Edge(h.edge())], from_face(a, f, ends(b, h.edge())));
                }
            }
            (HullFeature::Face(f), HullFeature::Vertex(v)) => offer([x, y], from_face(a, f, [b.body.vertex(v); 2])),
            (HullFeature::Face(f), HullFeature::Edge(e)) => offer([x, y], from_face(a, f, ends(b, e))),
            (HullFeature::Vertex(v), HullFeature::Face(f)) => offer([x, y], from_face(b, f, [a.body.vertex(v); 2])),
            (HullFeature::Edge(e), HullFeature::Face(f)) => offer([x, y], from_face(b, f, ends(a, e))),
            _ => offer([x, y], pair.closest_points([x, y]).distance()),
        });
    });
    found
}

/// The feature and the greater ones around it that are perpendicular to `w` within `band`.
fn level(body: &Convex, at: HullFeature, w: DVec3, band: f64, mut visit: impl FnMut(HullFeature)) {
    visit(at);
    match at {
        HullFeature::Vertex(v) => {
            let around = body.vertex_edges(v);
            for (k, &h) in around.iter().enumerate() {
                if body.leading(h).dot(w).abs() > band {
                    continue;
                }
                visit(HullFeature::Edge(h.edge()));
                // The face left of a half-edge lies between it and the next one counterclockwise.
                let face = body.edge(h.edge()).faces[h.side()];
                if face != NONE && body.leading(around[(k + 1) % around.len()]).dot(w).abs() <= band {
                    visit(HullFeature::Face(face));
                }
            }
        }
        HullFeature::Edge(e) => {
            let edge = body.edge(e);
            for (face, inward) in edge.faces.into_iter().zip(edge.inward) {
                if face != NONE && inward.dot(w).abs() <= band {
                    visit(HullFeature::Face(face));
                }
            }
        }
        HullFeature::Face(_) => {}
    }
}

/// The distance of a face, as a closed polygon, from a segment of the other body.
fn from_face(side: &RegionSide<'_>, f: u32, ends: [DVec3; 2]) -> f64 {
    let body = side.body;
    let ends = ends.map(|x| side.from_other.apply(x));
    let mut least = f64::INFINITY;
    if let Some(part) = facing::clip_face(body, f, ends, 0.0) {
        let [from, to] = part.range.map(|s| body.height(f, along(ends, s)));
        least = if from * to <= 0.0 { 0.0 } else { from.abs().min(to.abs()) };
    }
    for &h in body.face_edges(f) {
        let [p, q] = closest_on_segments(body.edge(h.edge()).ends.map(|v| body.vertex(v)), ends);
        least = least.min(p.distance(q));
    }
    least
}
