//! Two edges of polyhedra that lie along each other: the two ends of what they share.
//!
//! Along the normal of a contact without a face, two edges that cross have one point, which the engines give. Where
//! they are nearly parallel, one point would let the bodies turn about it from frame to frame, so both ends are told.

use glam::DVec3;

use crate::answer::Element;
use crate::model::convex::polyhedron::HalfEdge;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::convex::polyhedra::placed_polyhedron::PlacedPolyhedron;

/// Sine of the angle between edges that count as parallel, and of that between an edge and the plane of contact.
const PARALLEL: f64 = 0.02;

/// Points on `a` and on `b` in `a`'s frame, their depth along the normal, and their edges.
pub(super) type EdgePoint = ([DVec3; 2], f64, [Element; 2]);

/// The ends of what two nearly parallel edges have in common; `normal` leads from `a` to `b`.
pub(super) fn shared_segment(pair: &Polyhedra<'_>, normal: DVec3) -> Option<[EdgePoint; 2]> {
    let [a, b] = pair.placed();
    let (g, h) = (outermost_edge(&a, normal)?, outermost_edge(&b, -normal)?);
    let ([p, q], [r, s]) = (a.ends(g.edge()), b.ends(h.edge()));
    let along = (q - p).try_normalize()?;
    let other = (s - r).try_normalize()?;
    if along.cross(other).length_squared() > PARALLEL * PARALLEL {
        return None;
    }
    let place = |x: DVec3| along.dot(x - p);
    let (first, last) = (place(r).min(place(s)).max(0.0), place(r).max(place(s)).min(place(q)));
    if first >= last {
        return None;
    }
    let id = |body: &PlacedPolyhedron<'_>, v: u32| body.convex.vertex_id(v).unwrap_or(v);
    let edge = |body: &PlacedPolyhedron<'_>, e: u32| Element::Edge(body.convex.edge(e).ends.map(|v| id(body, v)));
    let ends = [(&a, g), (&b, h)].map(|(body, half)| edge(body, half.edge()));
    Some([first, last].map(|t| {
        let on_a = p + along * t;
        let on_b = r + other * (along.dot(on_a - r) / along.dot(other));
        ([on_a, on_b], normal.dot(on_a - on_b), named(ends, [&a, &b], [g, h], [on_a, on_b]))
    }))
}

/// The features of an end: the corner of the edge that ends there, and the other edge.
fn named(
    edges: [Element; 2],
    bodies: [&PlacedPolyhedron<'_>; 2],
    halves: [HalfEdge; 2],
    points: [DVec3; 2],
) -> [Element; 2] {
    let mut nearest = (f64::INFINITY, 0, Element::Inside);
    for k in 0..2 {
        for v in bodies[k].convex.edge(halves[k].edge()).ends {
            let distance = bodies[k].vertex(v).distance_squared(points[k]);
            if distance < nearest.0 {
                nearest = (distance, k, Element::Vertex(bodies[k].convex.vertex_id(v).unwrap_or(v)));
            }
        }
    }
    let mut named = edges;
    named[nearest.1] = nearest.2;
    named
}

/// The edge at the vertex farthest along `d` that is most nearly perpendicular to `d`, if it nearly is.
fn outermost_edge(body: &PlacedPolyhedron<'_>, d: DVec3) -> Option<HalfEdge> {
    let own = body.turn_back(d);
    let vertex = body.convex.support(own, 0);
    let rise = |h: &HalfEdge| body.convex.leading(*h).dot(own);
    let best = body.convex.vertex_edges(vertex).iter().max_by(|g, h| rise(g).total_cmp(&rise(h)))?;
    (rise(best) >= -PARALLEL).then_some(*best)
}
