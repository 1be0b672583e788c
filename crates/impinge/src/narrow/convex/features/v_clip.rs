//! V-Clip: the closest features of two polyhedra by walking from feature to feature, with sign tests alone.
//!
//! Mirtich §3 (and B. Mirtich, *V-Clip: fast and robust polyhedral collision detection*, 1998). If the closest points
//! of features `X` and `Y` lie in each other's Voronoi regions, they are the closest points of the bodies (Lin's
//! theorem). Each step either proves that for the current pair or goes to a neighbour: of smaller dimension and as
//! near, or nearer. An edge is *clipped* to a Voronoi region, and the slope of the distance at the clip points decides
//! on which side the minimum lies: no closest points are computed before the end, and there is no tolerance. Figure:
//! `docs/figures/voronoi.svg`.
//!
//! Every plane is evaluated in the frame of the body that owns it, so that both of its sides see the same number; the
//! slope of an edge over a face is one number for both states that use it (V-F and E-F), which would otherwise disagree
//! and cycle. Where the paper takes the first violated plane, this takes the worst, which walks straighter. Where an
//! edge misses a face's region, the nearest edge or vertex of the face's boundary is searched for exactly.
//!
//! Cost: constant while the same features stay closest; a step is some plane tests. Rounding may still make the walk go
//! round in a ring of features: the steps are capped, and then the caller uses another engine.

use glam::DVec3;

use crate::answer::Stats;
use crate::math::Relative;
use crate::model::Convex;
use crate::model::convex::polyhedron::{HalfEdge, NONE};
use crate::narrow::convex::polyhedra::segments::{along, closest_parameters};
use crate::narrow::convex::polyhedra::{Claim, HullFeature, Polyhedra, WayOut};

/// One body, and the map from the other's frame to its own.
struct Side<'m> {
    body: &'m Convex,
    from_other: Relative,
}

/// What a state test says.
enum Step {
    /// These are the closest features.
    Done,
    /// The bodies overlap, or touch.
    Penetrating,
    /// Features to go to: of the first body and of the second.
    To(HullFeature, HullFeature),
    /// These others are the closest features.
    Settled(HullFeature, HullFeature),
}

impl Step {
    /// The same with the bodies exchanged.
    #[inline(always)]
    fn swapped(self) -> Step {
        match self {
            Step::To(x, y) => Step::To(y, x),
            Step::Settled(x, y) => Step::Settled(y, x),
            other => other,
        }
    }
}

/// Steps after which another engine has to answer. A walk across a body of `n` vertices takes about `√n`.
const MOST_STEPS: u64 = 512;

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VClipEnd {
    /// At the closest features.
    Apart,
    /// Where the bodies overlap, or touch.
    Overlap,
    /// Nowhere: too many steps.
    Cap,
}

/// Walks from `start`, any two features, to the closest ones, and returns where it ended.
pub(crate) fn walk(pair: &Polyhedra<'_>, start: [HullFeature; 2], stats: &mut Stats) -> (Claim, [HullFeature; 2]) {
    let mut features = start;
    let verdict = match advance(pair, &mut features, stats) {
        VClipEnd::Apart => Claim::Apart(pair.closest_points(features)),
        VClipEnd::Overlap => Claim::Overlap,
        VClipEnd::Cap => Claim::Unknown,
    };
    (verdict, features)
}

/// The same in place.
#[inline(never)]
pub(crate) fn advance(pair: &Polyhedra<'_>, features: &mut [HullFeature; 2], stats: &mut Stats) -> VClipEnd {
    let a = &Side { body: pair.a, from_other: pair.b_in_a };
    let b = &Side { body: pair.b, from_other: pair.b_in_a.inverse() };
    let mut at = [features[0].or_first(pair.a), features[1].or_first(pair.b)];
    let mut taken = 0;
    let end = loop {
        taken += 1;
        if taken > MOST_STEPS {
            break VClipEnd::Cap;
        }
        let step = match at {
            [HullFeature::Face(f), HullFeature::Vertex(v)] => vertex_face(b, a, v, f, &mut taken).swapped(),
            [HullFeature::Vertex(v), HullFeature::Face(f)] => vertex_face(a, b, v, f, &mut taken),
            [HullFeature::Vertex(v), HullFeature::Vertex(w)] => vertex_vertex(a, b, v, w),
            [HullFeature::Vertex(v), HullFeature::Edge(e)] => vertex_edge(a, b, v, e),
            [HullFeature::Edge(e), HullFeature::Vertex(v)] => vertex_edge(b, a, v, e).swapped(),
            [HullFeature::Edge(e), HullFeature::Edge(f)] => edge_edge(a, b, e, f),
            [HullFeature::Edge(e), HullFeature::Face(f)] => edge_face(a, b, e, f),
            [HullFeature::Face(f), HullFeature::Edge(e)] => edge_face(b, a, e, f).swapped(),
            // Two faces are never a state: start from a corner.
            [HullFeature::Face(f), HullFeature::Face(_)] => {
                Step::To(HullFeature::Vertex(pair.a.tail(pair.a.face_edges(f)[0])), at[1])
            }
        };
        match step {
            Step::To(x, y) => at = [x, y],
            Step::Done => break VClipEnd::Apart,
            Step::Penetrating => break VClipEnd::Overlap,
            Step::Settled(x, y) => {
                at = [x, y];
                break VClipEnd::Apart;
            }
        }
    };
    stats.iterations += taken;
    *features = at;
    end
}

/// V-V: each vertex must lie in the other's region, on the inner side of the planes of its edges.
#[inline(always)]
fn vertex_vertex(x: &Side<'_>, y: &Side<'_>, v: u32, w: u32) -> Step {
    if let Some(edge) = worst_edge(x.body, v, x.from_other.apply(y.body.vertex(w))) {
        return Step::To(HullFeature::Edge(edge), HullFeature::Vertex(w));
    }
    if let Some(edge) = worst_edge(y.body, w, y.from_other.apply(x.body.vertex(v))) {
        return Step::To(HullFeature::Vertex(v), HullFeature::Edge(edge));
    }
    Step::Done
}

/// Of the edges at the vertex, the one whose plane `p` lies farthest beyond.
#[inline(always)]
fn worst_edge(body: &Convex, v: u32, p: DVec3) -> Option<u32> {
    let from = p - body.vertex(v);
    let (mut worst, mut found) = (0.0, None);
    for &h in body.vertex_edges(v) {
        let beyond = body.leading(h).dot(from);
        if beyond > worst {
            (worst, found) = (beyond, Some(h.edge()));
        }
    }
    found
}

/// V-E: the vertex `v` of `x` in the region of the edge `e` of `y`, and the edge against the region of the vertex.
#[inline(always)]
fn vertex_edge(x: &Side<'_>, y: &Side<'_>, v: u32, e: u32) -> Step {
    let edge = y.body.edge(e);
    let [tail, head] = edge.ends.map(|w| y.body.vertex(w));
    let p = y.from_other.apply(x.body.vertex(v));
    if edge.direction.dot(p - tail) < 0.0 {
        return Step::To(HullFeature::Vertex(v), HullFeature::Vertex(edge.ends[0]));
    }
    if edge.direction.dot(p - head) > 0.0 {
        return Step::To(HullFeature::Vertex(v), HullFeature::Vertex(edge.ends[1]));
    }
    for side in 0..2 {
        if edge.inward[side].dot(p - tail) > 0.0 {
            return Step::To(HullFeature::Vertex(v), HullFeature::Face(edge.faces[side]));
        }
    }
    let ends = edge.ends.map(|w| x.from_other.apply(y.body.vertex(w)));
    let corner = x.body.vertex(v);
    let mut clip = Clip::new(ends);
    for &h in x.body.vertex_edges(v) {
        let out = x.body.leading(h);
        if clip.excludes(-out.dot(ends[0] - corner), -out.dot(ends[1] - corner), h.0) {
            return Step::To(HullFeature::Edge(h.edge()), HullFeature::Edge(e));
        }
    }
    let u = ends[1] - ends[0];
    match clip.beyond(|lambda, _| u.dot(clip.at(lambda) - corner)) {
        Some(h) => Step::To(HullFeature::Edge(HalfEdge(h).edge()), HullFeature::Edge(e)),
        None => Step::Done,
    }
}

/// E-E: each edge against the other's ends, then against its faces.
#[inline(always)]
fn edge_edge(x: &Side<'_>, y: &Side<'_>, e: u32, f: u32) -> Step {
    if let Some(nearer) = clip_to_edge(x, y, e, f) {
        return Step::To(nearer, HullFeature::Edge(f));
    }
    match clip_to_edge(y, x, f, e) {
        Some(nearer) => Step::To(HullFeature::Edge(e), nearer),
        None => Step::Done,
    }
}

/// The edge `f` of `y` against the region of the edge `e` of `x`: the neighbour of `e` that is nearer, if there is one.
#[inline(always)]
fn clip_to_edge(x: &Side<'_>, y: &Side<'_>, e: u32, f: u32) -> Option<HullFeature> {
    let edge = x.body.edge(e);
    let corners = edge.ends.map(|v| x.body.vertex(v));
    let ends = y.body.edge(f).ends.map(|v| x.from_other.apply(y.body.vertex(v)));
    let u = ends[1] - ends[0];
    let mut clip = Clip::new(ends);
    for (k, out) in [(0, -edge.direction), (1, edge.direction)] {
        if clip.excludes(-out.dot(ends[0] - corners[k]), -out.dot(ends[1] - corners[k]), k as u32) {
            return Some(HullFeature::Vertex(edge.ends[k]));
        }
    }
    if let Some(k) = clip.beyond(|lambda, k| u.dot(clip.at(lambda) - corners[k as usize])) {
        return Some(HullFeature::Vertex(edge.ends[k as usize]));
    }
    if edge.faces[0] == NONE {
        return None;
    }
    let mut clip = Clip::new(ends);
    for k in 0..2 {
        let into = edge.inward[k];
        if clip.excludes(-into.dot(ends[0] - corners[0]), -into.dot(ends[1] - corners[0]), k as u32) {
            return Some(HullFeature::Face(edge.faces[k]));
        }
    }
    let slope = |lambda: f64, k: u32| {
        let normal = x.body.face(edge.faces[k as usize]).normal;
        slope_over(y, f, normal) * normal.dot(clip.at(lambda) - corners[0])
    };
    clip.beyond(slope).map(|k| HullFeature::Face(edge.faces[k as usize]))
}

/// How much the edge `e` of `y`, from tail to head, rises along `normal`, which is in the other's frame.
#[inline(always)]
fn slope_over(y: &Side<'_>, e: u32, normal: DVec3) -> f64 {
    y.body.rise(y.body.edge(e).ends, y.from_other.rotation * normal)
}

/// V-F: the vertex `v` of `x` over the face `f` of `y`, and no edge of `x` that leads nearer to its plane.
///
/// Where an edge leads nearer, and its other end is over the face too, that end is the next vertex: the test E-F would
/// find the same.
#[inline(always)]
fn vertex_face(x: &Side<'_>, y: &Side<'_>, v: u32, f: u32, steps: &mut u64) -> Step {
    let sides = y.body.face_edges(f);
    let normal = x.from_other.rotation * y.body.face(f).normal;
    let (mut v, mut came) = (v, NONE);
    loop {
        let p = y.from_other.apply(x.body.vertex(v));
        let (mut worst, mut found) = (0.0, NONE);
        for &h in sides {
            let edge = y.body.edge(h.edge());
            let within = edge.inward[h.side()].dot(p - y.body.vertex(edge.ends[h.side()]));
            let worse = within < worst;
            found = if worse { h.edge() } else { found };
            worst = if worse { within } else { worst };
        }
        if found != NONE {
            return match came {
                NONE => Step::To(HullFeature::Vertex(v), HullFeature::Edge(found)),
                e => Step::To(HullFeature::Edge(e), HullFeature::Face(f)),
            };
        }
        let height = y.body.height(f, p);
        match x.body.steepest(v, if height > 0.0 { -normal } else { normal }) {
            Some((w, k)) if height > 0.0 => {
                *steps += 1;
                came = x.body.vertex_edges(v)[k].edge();
                v = w;
            }
            Some((_, k)) => return Step::To(HullFeature::Edge(x.body.vertex_edges(v)[k].edge()), HullFeature::Face(f)),
            None if height > 0.0 => {
                return if came == NONE {
                    Step::Done
                } else {
                    Step::Settled(HullFeature::Vertex(v), HullFeature::Face(f))
                };
            }
            None => return below(y.body, v, p),
        }
    }
}

/// A local minimum below a face: the vertex, at `p`, is inside, or lies above another face.
#[cold]
fn below(body: &Convex, v: u32, p: DVec3) -> Step {
    let (highest, over) = highest_face(body, p);
    if highest <= 0.0 { Step::Penetrating } else { Step::To(HullFeature::Vertex(v), HullFeature::Face(over)) }
}

/// The face whose plane `p` is highest over, or least below.
pub(crate) fn highest_face(body: &Convex, p: DVec3) -> (f64, u32) {
    let mut best = (f64::NEG_INFINITY, 0);
    for f in 0..body.face_count() as u32 {
        let height = body.height(f, p);
        if height > best.0 {
            best = (height, f);
        }
    }
    best
}

/// E-F: the edge `e` of `x` clipped to the region of the face `f` of `y`.
#[inline(always)]
fn edge_face(x: &Side<'_>, y: &Side<'_>, e: u32, f: u32) -> Step {
    let ends = x.body.edge(e).ends.map(|v| y.from_other.apply(x.body.vertex(v)));
    let mut clip = Clip::new(ends);
    for &h in y.body.face_edges(f) {
        let edge = y.body.edge(h.edge());
        let (into, corner) = (edge.inward[h.side()], y.body.vertex(edge.ends[h.side()]));
        if clip.excludes(into.dot(ends[0] - corner), into.dot(ends[1] - corner), h.0) {
            return Step::To(HullFeature::Edge(e), nearest_of_boundary(y.body, f, ends));
        }
    }
    if clip.is_empty() {
        return Step::To(HullFeature::Edge(e), nearest_of_boundary(y.body, f, ends));
    }
    let [first, last] = [clip.low, clip.high].map(|lambda| y.body.height(f, clip.at(lambda)));
    if first * last <= 0.0 {
        return Step::Penetrating;
    }
    let rises = slope_over(x, e, y.body.face(f).normal) * first.signum() >= 0.0;
    let (neighbour, end) = if rises { (clip.at_low, 0) } else { (clip.at_high, 1) };
    match neighbour {
        NONE => Step::To(HullFeature::Vertex(x.body.edge(e).ends[end]), HullFeature::Face(f)),
        h => Step::To(HullFeature::Edge(e), HullFeature::Edge(HalfEdge(h).edge())),
    }
}

/// The edge or vertex of the face's boundary nearest to a segment.
fn nearest_of_boundary(body: &Convex, f: u32, ends: [DVec3; 2]) -> HullFeature {
    let mut best = (f64::INFINITY, HullFeature::Face(f));
    for &h in body.face_edges(f) {
        let edge = body.edge(h.edge());
        let corners = edge.ends.map(|v| body.vertex(v));
        let [s, t] = closest_parameters(corners[1] - corners[0], ends[1] - ends[0], ends[0] - corners[0]);
        let squared = along(corners, s).distance_squared(along(ends, t));
        if squared < best.0 {
            let feature = match s {
                0.0 => HullFeature::Vertex(edge.ends[0]),
                1.0 => HullFeature::Vertex(edge.ends[1]),
                _ => HullFeature::Edge(h.edge()),
            };
            best = (squared, feature);
        }
    }
    best.1
}

/// The part of a segment within a region, and the neighbours that bound it.
struct Clip {
    ends: [DVec3; 2],
    low: f64,
    high: f64,
    at_low: u32,
    at_high: u32,
}

impl Clip {
    #[inline(always)]
    fn new(ends: [DVec3; 2]) -> Clip {
        Clip { ends, low: 0.0, high: 1.0, at_low: NONE, at_high: NONE }
    }

    /// Clips to the plane of `neighbour`, at signed distances `tail` and `head` within; true when all is beyond it.
    #[inline(always)]
    fn excludes(&mut self, tail: f64, head: f64, neighbour: u32) -> bool {
        if tail < 0.0 && head < 0.0 {
            return true;
        }
        if tail < 0.0 {
            let lambda = tail / (tail - head);
            if lambda > self.low {
                (self.low, self.at_low) = (lambda, neighbour);
            }
        } else if head < 0.0 {
            let lambda = tail / (tail - head);
            if lambda < self.high {
                (self.high, self.at_high) = (lambda, neighbour);
            }
        }
        false
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.low > self.high
    }

    #[inline(always)]
    fn at(&self, lambda: f64) -> DVec3 {
        along(self.ends, lambda)
    }

    /// The neighbour beyond which the minimum lies; `slope` has the sign of the slope, at a parameter, of the distance
    /// to a neighbour.
    #[inline(always)]
    fn beyond(&self, slope: impl Fn(f64, u32) -> f64) -> Option<u32> {
        if self.at_low != NONE && slope(self.low, self.at_low) > 0.0 {
            return Some(self.at_low);
        }
        (self.at_high != NONE && slope(self.high, self.at_high) < 0.0).then_some(self.at_high)
    }
}

/// How deep the features at which the walk found penetration say that the bodies are: a translation that moves the
/// vertex or edge out through the face it lies below. Other features may be deeper: an estimate, no bound.
pub(crate) fn estimate(pair: &Polyhedra<'_>, features: [HullFeature; 2]) -> Option<WayOut> {
    let (face_of_a, f, other) = match features {
        [HullFeature::Face(f), other] => (true, f, other),
        [other, HullFeature::Face(f)] => (false, f, other),
        _ => return None,
    };
    let back = pair.b_in_a.inverse();
    let (owner, body) = if face_of_a { (pair.a, pair.b) } else { (pair.b, pair.a) };
    let place = |x: DVec3| if face_of_a { pair.b_in_a.apply(x) } else { back.apply(x) };
    let lowest = match other {
        HullFeature::Vertex(v) => v,
        HullFeature::Edge(e) => {
            let [tail, head] = body.edge(e).ends;
            let height = |v: u32| owner.height(f, place(body.vertex(v)));
            if height(tail) < height(head) { tail } else { head }
        }
        HullFeature::Face(_) => return None,
    };
    let inner = place(body.vertex(lowest));
    let depth = -owner.height(f, inner);
    if depth <= 0.0 {
        return None;
    }
    let normal = owner.face(f).normal;
    let outer = inner + normal * depth;
    // Both in `a`'s frame; the normal leads from `a` to `b`.
    Some(if face_of_a {
        WayOut {
            normal,
            lower: 0.0,
            depth,
            points: [outer, inner],
            features: [HullFeature::Face(f), HullFeature::Vertex(lowest)],
        }
    } else {
        let points = [pair.b_in_a.apply(inner), pair.b_in_a.apply(outer)];
        let normal = -(pair.b_in_a.rotation * normal);
        WayOut { normal, lower: 0.0, depth, points, features: [HullFeature::Vertex(lowest), HullFeature::Face(f)] }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{Random, at, cuboid, families, scale};

    #[test]
    fn agrees_with_brute_force_from_any_start() {
        let mut unknown = std::collections::BTreeMap::<String, [u32; 2]>::new();
        let mut r = Random(7);
        families(11, 150, |family, pair| {
            let truth = brute::closest(pair, &mut Stats::default());
            let d = if let Claim::Apart(near) = truth { near.distance() } else { 0.0 };
            let size = scale(pair) + d;
            for _ in 0..4 {
                let start = [random_cell(&mut r, pair.a), random_cell(&mut r, pair.b)];
                let (verdict, _) = walk(pair, start, &mut Stats::default());
                let counts = unknown.entry(family.into()).or_default();
                counts[0] += 1;
                match verdict {
                    Claim::Unknown => counts[1] += 1,
                    Claim::Overlap => assert!(d <= 1e-13 * size, "{family}: overlap, but {d} apart"),
                    Claim::Apart(near) => {
                        let off = (near.distance() - d).abs();
                        assert!(off <= 1e-12 * size, "{family}: {} not {d}; {near:?}", near.distance());
                    }
                }
            }
        });
        for (family, [all, unknown]) in unknown {
            let random = ["apart", "near", "overlapping", "deep", "needle and solid"].contains(&&family[..]);
            assert!(unknown * 20 <= if random { 0 } else { all }, "{family}: {unknown} of {all} reached the cap");
        }
    }

    fn random_cell(r: &mut Random, body: &Convex) -> HullFeature {
        let pick = |r: &mut Random, n: usize| r.index(n.max(1)) as u32;
        match r.index(3) {
            0 => HullFeature::Vertex(pick(r, body.vertex_count())),
            1 => HullFeature::Edge(pick(r, body.edge_count())),
            _ => HullFeature::Face(pick(r, body.face_count())),
        }
    }

    /// Case C01: from each of the 26 × 26 starts, in at most 52 steps.
    #[test]
    fn c01_every_start() {
        let cube = cuboid(DVec3::ONE);
        let pair = Polyhedra { a: &cube, b: &cube, b_in_a: at(DVec3::new(3.0, 0.5, 0.25)) };
        let features = || {
            (0..8).map(HullFeature::Vertex).chain((0..12).map(HullFeature::Edge)).chain((0..6).map(HullFeature::Face))
        };
        for start in features().flat_map(|x| features().map(move |y| [x, y])) {
            let mut stats = Stats::default();
            let (Claim::Apart(near), _) = walk(&pair, start, &mut stats) else { panic!("{start:?}") };
            assert_eq!(near.distance(), 1.0, "{start:?}");
            assert!(stats.iterations <= 52, "{start:?}: {} steps", stats.iterations);
        }
    }
}
