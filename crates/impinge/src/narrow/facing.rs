//! Where two bodies touch once one of them is moved along a direction: the features that face each other, and a point
//! of each.
//!
//! Along a unit vector `n` the extreme points of a polyhedron are a vertex, an edge or a face. Of `a` along `n` and of
//! `b` along `−n` they lie in two planes across `n`; moved together they meet in a point, a segment or a polygon. The
//! witness is the mean of that segment, or of that polygon's outline: each edge of one face clipped by the other,
//! weighted by its length. Every piece lies in both, so the mean does, and an outline met twice, where edges coincide,
//! only counts twice. Cost: `O(k_a·k_b)` for faces with `k_a` and `k_b` edges; no heap.

use glam::DVec3;

use super::convex::Cell;
use super::feature_points::{Standing, along, closest_on_segments};
use crate::model::{Convex, HalfEdge};

/// The features of `a` and `b` that face each other along `n`, a point of each, one over the other along `n` (where the
/// features meet at all).
///
/// `vertices` are extreme: of `a` along `n`, of `b` along `−n`. Features tilted by less than `slack` count as facing.
pub(crate) fn touch([a, b]: [&Standing<'_>; 2], vertices: [u32; 2], n: DVec3, slack: f64) -> ([DVec3; 2], [Cell; 2]) {
    let cells = [extreme(a, vertices[0], n, 8.0 * slack), extreme(b, vertices[1], -n, 8.0 * slack)];
    let [p, q] = [a.vertex(vertices[0]), b.vertex(vertices[1])];
    let shift = n * n.dot(p - q);
    let points = match cells {
        [Cell::Vertex(_), _] => [p, p - shift],
        [_, Cell::Vertex(_)] => [q + shift, q],
        [Cell::Edge(e), Cell::Edge(g)] => {
            let moved = b.ends(g).map(|x| x + shift);
            let [x, y] = closest_on_segments(a.ends(e), moved);
            match parallel_middle(a.ends(e), moved, slack) {
                Some(middle) => [middle, middle - shift],
                None => [x, y - shift],
            }
        }
        [Cell::Edge(e), Cell::Face(g)] => {
            let x = middle_over(a.ends(e), b, g, shift, slack).unwrap_or(p);
            [x, x - shift]
        }
        [Cell::Face(f), Cell::Edge(e)] => {
            let y = middle_over(b.ends(e), a, f, -shift, slack).unwrap_or(q);
            [y + shift, y]
        }
        [Cell::Face(f), Cell::Face(g)] => {
            let x = outline_mean([a, b], [f, g], shift, slack).unwrap_or(p);
            [x, x - shift]
        }
    };
    (points, cells)
}

/// The extreme feature along `n` at the extreme vertex `v`: a face where two neighbouring edges are level.
fn extreme(body: &Standing<'_>, v: u32, n: DVec3, slack: f64) -> Cell {
    let convex = body.convex;
    let n = body.turn_back(n);
    let level = |h: HalfEdge| n.dot(convex.vertex(convex.head(h)) - convex.vertex(v)) >= -slack;
    let around = convex.vertex_edges(v);
    let mut cell = Cell::Vertex(v);
    for (k, &h) in around.iter().enumerate() {
        if !level(h) {
            continue;
        }
        cell = Cell::Edge(h.edge());
        // The face left of a half-edge lies between it and the next one counterclockwise.
        if around.len() > 1 && level(around[(k + 1) % around.len()]) {
            let face = convex.edge(h.edge()).faces[h.side()];
            if convex.face(face).normal.dot(n) > 0.0 {
                return Cell::Face(face);
            }
        }
    }
    cell
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

fn clip(body: &Standing<'_>, f: u32, p: [DVec3; 2], slack: f64) -> Option<[f64; 2]> {
    clip_face(body.convex, f, p, slack).map(|part| part.range)
}

/// The middle of the part of segment `p` that lies over face `f` moved by `shift`.
pub(crate) fn middle_over(p: [DVec3; 2], body: &Standing<'_>, f: u32, shift: DVec3, slack: f64) -> Option<DVec3> {
    let [from, to] = clip(body, f, p.map(|x| body.own(x - shift)), slack)?;
    Some(along(p, 0.5 * (from + to)))
}

/// The middle of what two parallel segments have abreast of each other, on the first; `None` when they are not parallel.
pub(crate) fn parallel_middle(p: [DVec3; 2], q: [DVec3; 2], slack: f64) -> Option<DVec3> {
    let (u, v) = (p[1] - p[0], q[1] - q[0]);
    let length = u.length();
    if u.cross(v).length() > slack * length.min(v.length()) {
        return None;
    }
    let [s, t] = q.map(|x| ((x - p[0]).dot(u) / (length * length)).clamp(0.0, 1.0));
    Some(along(p, 0.5 * (s + t)))
}

/// The mean of the outline of what face `f` of `a` and face `g` of `b`, moved by `shift`, have in common, on `a`.
pub(crate) fn outline_mean([a, b]: [&Standing<'_>; 2], [f, g]: [u32; 2], shift: DVec3, slack: f64) -> Option<DVec3> {
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
