//! Where two bodies touch once one of them is moved along a direction: the features that face each other, and a point
//! of each.
//!
//! Along a unit vector `n` the extreme points of a polyhedron are a vertex, an edge or a face. Of `a` along `n` and of
//! `b` along `−n` they lie in two planes across `n`; moved together they meet in a point, a segment or a polygon. The
//! witness is the mean of that segment, or of that polygon's outline: each edge of one face clipped by the other,
//! weighted by its length. Every piece lies in both, so the mean does, and an outline met twice, where edges coincide,
//! only counts twice. Cost: `O(k_a·k_b)` for faces with `k_a` and `k_b` edges; no heap.

use glam::DVec3;

use super::placed_polyhedron::PlacedPolyhedron;
use super::segments::{along, closest_on_segments};
use super::two_polyhedra::{ClosestFeatures, HullFeature, Polyhedra};
use crate::model::Convex;
use crate::model::convex::polyhedron::HalfEdge;

/// Roundings within which features are level.
pub(crate) const LEVEL: f64 = 32.0;

impl Polyhedra<'_> {
    /// The features that face each other along `n`, and where they would meet.
    pub(crate) fn facing(&self, n: DVec3) -> ClosestFeatures {
        let [a, b] = &self.placed();
        let back = -(self.b_in_a.rotation.transpose() * n);
        let (points, features) = touch([a, b], [self.a.support(n, 0), self.b.support(back, 0)], n, self.noise(0.0));
        ClosestFeatures { points, features }
    }
}

/// The features of `a` and `b` that face each other along `n`, and a point of each, one over the other along `n`.
///
/// `vertices` are extreme: of `a` along `n`, of `b` along `−n`. Features level within some `slack` count as facing; if
/// those do not meet, `n` is not quite the normal of what touches, and more is taken for level until some do.
pub(crate) fn touch(
    bodies: [&PlacedPolyhedron<'_>; 2],
    vertices: [u32; 2],
    n: DVec3,
    slack: f64,
) -> ([DVec3; 2], [HullFeature; 2]) {
    let mut level = LEVEL * slack;
    for _ in 0..5 {
        if let Some(found) = touch_within(bodies, vertices, n, level) {
            return found;
        }
        level *= LEVEL;
    }
    let [p, q] = [bodies[0].vertex(vertices[0]), bodies[1].vertex(vertices[1])];
    ([p, p - n * n.dot(p - q)], vertices.map(HullFeature::Vertex))
}

/// The same with features level within `level`, if they meet within some of that.
pub(crate) fn touch_within(
    bodies: [&PlacedPolyhedron<'_>; 2],
    vertices: [u32; 2],
    n: DVec3,
    level: f64,
) -> Option<([DVec3; 2], [HullFeature; 2])> {
    let [a, b] = bodies;
    let shift = n * n.dot(a.vertex(vertices[0]) - b.vertex(vertices[1]));
    let features = [extreme(a, vertices[0], n, level), extreme(b, vertices[1], -n, level)];
    meeting(bodies, features, shift, 8.0 * level).map(|points| (points, features))
}

/// Where a feature of `a` meets one of `b` moved by `shift`, within `slack`: the point of `a`, and that of `b` unmoved.
fn meeting(
    [a, b]: [&PlacedPolyhedron<'_>; 2],
    features: [HullFeature; 2],
    shift: DVec3,
    slack: f64,
) -> Option<[DVec3; 2]> {
    match features {
        [HullFeature::Face(f), HullFeature::Face(g)] => {
            outline_mean([a, b], [f, g], shift, slack).map(|x| [x, x - shift])
        }
        [HullFeature::Face(f), other] => middle_over(span(b, other), a, f, -shift, slack).map(|y| [y + shift, y]),
        [other, HullFeature::Face(g)] => middle_over(span(a, other), b, g, shift, slack).map(|x| [x, x - shift]),
        _ => {
            let (mine, theirs) = (span(a, features[0]), span(b, features[1]).map(|x| x + shift));
            if let Some(middle) = parallel_middle(mine, theirs, slack) {
                return Some([middle, middle - shift]);
            }
            let [x, y] = closest_on_segments(mine, theirs);
            (x.distance(y) <= slack).then_some([x, y - shift])
        }
    }
}

/// The ends of an edge; a vertex twice.
fn span(body: &PlacedPolyhedron<'_>, feature: HullFeature) -> [DVec3; 2] {
    match feature {
        HullFeature::Edge(e) => body.ends(e),
        HullFeature::Vertex(v) => [body.vertex(v); 2],
        HullFeature::Face(f) => [body.corner(f); 2],
    }
}

/// Whether these vertices alone are extreme along `n`: no other neighbour of theirs is level within some `slack`.
pub(crate) fn are_sole(body: &PlacedPolyhedron<'_>, vertices: &[u32], n: DVec3, slack: f64) -> bool {
    let n = body.turn_back(n);
    let below = |v: u32, w: u32| vertices.contains(&w) || body.convex.rise([v, w], n) < -LEVEL * slack;
    vertices.iter().all(|&v| body.convex.neighbours(v).iter().all(|&w| below(v, w)))
}

/// The extreme feature along `n` at the extreme vertex `v`: a face where two neighbouring edges are level.
fn extreme(body: &PlacedPolyhedron<'_>, v: u32, n: DVec3, slack: f64) -> HullFeature {
    let convex = body.convex;
    let n = body.turn_back(n);
    let (around, neighbours) = (convex.vertex_edges(v), convex.neighbours(v));
    let level = |k: usize| convex.rise([v, neighbours[k]], n) >= -slack;
    let mut feature = HullFeature::Vertex(v);
    for (k, &h) in around.iter().enumerate() {
        if !level(k) {
            continue;
        }
        feature = HullFeature::Edge(h.edge());
        // The face left of a half-edge lies between it and the next one counterclockwise.
        if around.len() > 1 && level((k + 1) % around.len()) {
            let face = convex.edge(h.edge()).faces[h.side()];
            if convex.face(face).normal.dot(n) > 0.0 {
                return HullFeature::Face(face);
            }
        }
    }
    feature
}

/// The part of a segment over or under a face, and the edges of the face over which it begins and ends, if not at the
/// segment's own ends.
pub(crate) struct Clipped {
    pub(crate) range: [f64; 2],
    pub(crate) at: [Option<HalfEdge>; 2],
}

/// Clips a segment, given in the body's own frame, to what lies over or under face `f`, widened by `slack`.
pub(crate) fn clip_face(body: &Convex, f: u32, p: [DVec3; 2], slack: f64) -> Option<Clipped> {
    let mut part = Clipped { range: [0.0, 1.0], at: [None; 2] };
    for &h in body.face_edges(f) {
        let edge = body.edge(h.edge());
        let (inward, corner) = (edge.inward[h.side()], body.vertex(edge.ends[0]));
        let [at_p, at_q] = p.map(|x| inward.dot(x - corner) + slack);
        if at_p < 0.0 && at_q < 0.0 {
            return None;
        }
        if at_p < 0.0 || at_q < 0.0 {
            let s = at_p / (at_p - at_q);
            let end = usize::from(at_q < 0.0);
            if (end == 0 && s > part.range[0]) || (end == 1 && s < part.range[1]) {
                part.range[end] = s;
                part.at[end] = Some(h);
            }
        }
    }
    (part.range[0] <= part.range[1]).then_some(part)
}

fn clip(body: &PlacedPolyhedron<'_>, f: u32, p: [DVec3; 2], slack: f64) -> Option<[f64; 2]> {
    clip_face(body.convex, f, p, slack).map(|part| part.range)
}

/// The middle of the part of segment `p` that lies over face `f` moved by `shift`.
pub(crate) fn middle_over(
    p: [DVec3; 2],
    body: &PlacedPolyhedron<'_>,
    f: u32,
    shift: DVec3,
    slack: f64,
) -> Option<DVec3> {
    let [from, to] = clip(body, f, p.map(|x| body.own(x - shift)), slack)?;
    Some(along(p, 0.5 * (from + to)))
}

/// The middle of what two parallel segments have abreast of each other, on the first; `None` when they are not parallel
/// within `slack`, or one is a point.
pub(crate) fn parallel_middle(p: [DVec3; 2], q: [DVec3; 2], slack: f64) -> Option<DVec3> {
    let (u, v) = (p[1] - p[0], q[1] - q[0]);
    let length = u.length();
    if length == 0.0 || u.cross(v).length() >= slack * length.min(v.length()) {
        return None;
    }
    let [s, t] = q.map(|x| ((x - p[0]).dot(u) / (length * length)).clamp(0.0, 1.0));
    Some(along(p, 0.5 * (s + t)))
}

/// The mean of the outline of what face `f` of `a` and face `g` of `b`, moved by `shift`, have in common, on `a`.
pub(crate) fn outline_mean(
    [a, b]: [&PlacedPolyhedron<'_>; 2],
    [f, g]: [u32; 2],
    shift: DVec3,
    slack: f64,
) -> Option<DVec3> {
    let origin = a.corner(f);
    let (mut sum, mut length) = (DVec3::ZERO, 0.0);
    let (mut ends, mut count) = (DVec3::ZERO, 0.0);
    let mut add = |p: [DVec3; 2], part: Option<[f64; 2]>| {
        if let Some(part) = part {
            let [x, y] = part.map(|s| along(p, s) - origin);
            sum += (x + y) * (0.5 * x.distance(y));
            length += x.distance(y);
            ends += x + y;
            count += 2.0;
        }
    };
    for &h in a.convex.face_edges(f) {
        let p = a.ends(h.edge());
        add(p, clip(b, g, p.map(|x| b.own(x - shift)), slack));
    }
    for &h in b.convex.face_edges(g) {
        let q = b.ends(h.edge()).map(|x| x + shift);
        add(q, clip(a, f, q.map(|x| a.own(x)), slack));
    }
    if length > slack {
        Some(origin + sum / length)
    } else if count > 0.0 {
        Some(origin + ends / count)
    } else {
        None
    }
}
