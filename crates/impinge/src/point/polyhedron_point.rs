//! How far a point is from a convex polyhedron, flat ones, segments and points included.
//!
//! Outside, a walk from feature to feature finds the nearest point, as in B. Mirtich, *V-Clip*, TOG 17(3), 1998: from
//! the face that the point is highest over to the edge that the foot is beyond, from an edge to an end or to a face
//! that the point is above, from a vertex along an edge that leads nearer. It ends at the feature whose Voronoi region
//! holds the point: there the body lies behind the plane through the foot. Where the point is at the border of a
//! region, as far as rounding tells, another way decides. Of a small body all is tried: the foot on each face that is
//! seen from the point, if it lies on the face, else the nearest point of the edges of those faces. Of a body with more
//! faces a convex engine finds it.
//!
//! Inside, the nearest point is the foot on the nearest face: the ball about the point that touches that plane lies
//! behind all others.
//!
//! Where the point is within rounding of the surface, the faces' triangles decide exactly on which side it is, as they
//! do for `overlap`.
//!
//! **Error.** Heights are measured from a corner of the face, with a normal that is off by some roundings: `24ε` of the
//! size and `12ε` of the distance cover it. A face that was merged of several is off its plane by up to 180ε of the
//! body's largest extent, and so by 360ε of its radius (see `Convex::hull` in the contract).

use std::sync::OnceLock;

use glam::DVec3;

use super::signed_gap::{length, signed};
use crate::answer::{Element, Stats};
use crate::math::{EPS, Interval, Relative, Sign, normalising_scale, orient3d};
use crate::model::Convex;
use crate::model::convex::polyhedron::{HalfEdge, NONE};
use crate::narrow::context::Context;
use crate::narrow::convex::closest;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::witnesses::ConvexGap;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::solid::Solid;
use crate::prim::triangles_overlap;

/// Most faces that are tried one by one for a point outside.
const FEW: usize = 24;

/// Most features that a walk passes; it seldom takes more than six.
const STEPS: usize = 64;

/// Where a point is, seen from a polyhedron.
#[derive(Debug, Clone, Copy)]
pub(super) struct PolyhedronGap {
    /// Contains the signed distance, negative inside; `[0, 0]` exactly on the surface.
    pub(super) interval: Interval,
    /// As computed.
    pub(super) distance: f64,
    /// The nearest point of the surface.
    pub(super) foot: DVec3,
    /// Unit vector that leads out of the body there, through the point if that is outside.
    pub(super) out: DVec3,
    pub(super) element: Element,
    pub(super) side: PointSide,
}

/// On which side of the surface a point is, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PointSide {
    Inside,
    Surface,
    Outside,
}

/// How far a computed height or distance may be from the truth.
pub(super) fn noise(body: &Convex, distance: f64) -> f64 {
    EPS * (400.0 * body.radius() + 12.0 * distance)
}

/// Where the point is.
pub(super) fn gap(body: &Convex, at: DVec3, stats: &mut Stats) -> PolyhedronGap {
    stats.primitive_tests += body.face_count() as u64;
    let from_centre = at - body.centre();
    let doubt = noise(body, length(from_centre));
    if body.face_count() <= 2 {
        return of_flat(body, at, doubt);
    }
    let (height, face) = body.face_planes().highest(from_centre);
    let side = match height {
        _ if height < -doubt => PointSide::Inside,
        _ if height > doubt => PointSide::Outside,
        _ => side(body, at),
    };
    match side {
        PointSide::Inside | PointSide::Surface => below(body, at, face, height, side),
        PointSide::Outside => by_walk(body, at, face)
            .or_else(|| if body.face_count() > FEW { by_engine(body, at, stats) } else { None })
            .unwrap_or_else(|| by_features(body, at, -doubt)),
    }
}

/// A polygon, a segment or a point: it has no inside.
fn of_flat(body: &Convex, at: DVec3, doubt: f64) -> PolyhedronGap {
    let near = by_features(body, at, -doubt);
    if near.distance > doubt || side(body, at) == PointSide::Outside {
        return near;
    }
    PolyhedronGap { interval: Interval::ZERO, distance: 0.0, side: PointSide::Surface, ..near }
}

/// A point inside, or on the surface: its nearest face is the one that it is least below.
fn below(body: &Convex, at: DVec3, face: u32, height: f64, side: PointSide) -> PolyhedronGap {
    let out = body.face(face).normal;
    let distance = (-height).max(0.0);
    let interval = match side {
        PointSide::Surface => Interval::ZERO,
        _ => signed(distance, noise(body, distance), true),
    };
    let distance = if side == PointSide::Surface { 0.0 } else { -distance };
    PolyhedronGap { interval, distance, foot: at - out * height, out, element: Element::Face(face), side }
}

/// A point outside, by a convex engine.
fn by_engine(body: &Convex, at: DVec3, stats: &mut Stats) -> Option<PolyhedronGap> {
    let place = Relative { translation: at, ..Relative::IDENTITY };
    let bodies = [&Solid::polyhedron(body), &Solid::polyhedron(a_point()?)];
    let mut memory = ConvexMemory::default();
    let cx = Context::new(&mut memory, stats);
    let Outcome::Apart(ConvexGap { interval, witness }) =
        closest::nearest(bodies, &place, f64::INFINITY, Method::Auto, cx)
    else {
        return None;
    };
    let (foot, element) = (witness.points[0], witness.elements[0]);
    let out = (at - foot).try_normalize()?;
    Some(PolyhedronGap { interval, distance: interval.mid(), foot, out, element, side: PointSide::Outside })
}

/// The body that is nothing but its origin.
pub(super) fn a_point() -> Option<&'static Convex> {
    static POINT: OnceLock<Option<Convex>> = OnceLock::new();
    POINT.get_or_init(|| Convex::hull(&[DVec3::ZERO]).ok()).as_ref()
}

/// The nearest point found so far.
struct NearestFeature {
    distance: f64,
    foot: DVec3,
    element: Element,
    /// A face beside it.
    face: u32,
}

/// Where a walk is.
enum Place {
    Face(u32),
    Edge(u32),
    Vertex(u32),
}

/// A point outside, by a walk from a face that it is over; `None` where rounding hides whose region it is in.
fn by_walk(body: &Convex, at: DVec3, face: u32) -> Option<PolyhedronGap> {
    let clear = 1e-12 * (body.radius() + length(at - body.centre()));
    let id = |v: u32| body.vertex_id(v).unwrap_or(v);
    let mut place = Place::Face(face);
    for _ in 0..STEPS {
        match place {
            Place::Face(f) => {
                let height = body.height(f, at);
                if height < clear {
                    return None;
                }
                let foot = at - body.face(f).normal * height;
                let depth = |h: &HalfEdge| {
                    let line = body.edge(h.edge());
                    line.inward[h.side()].dot(foot - body.vertex(line.ends[h.side()]))
                };
                let edges = body.face_edges(f).iter().map(|h| (depth(h), h.edge()));
                let (depth, edge) = edges.reduce(|least, next| if next.0 < least.0 { next } else { least })?;
                if depth > clear {
                    let (distance, element) = (height, Element::Face(f));
                    return Some(from_feature(body, at, NearestFeature { distance, foot, element, face: f }));
                }
                if depth > -clear {
                    return None;
                }
                place = Place::Edge(edge);
            }
            Place::Edge(e) => {
                let line = body.edge(e);
                let [tail, head] = line.ends;
                let from = at - body.vertex(tail);
                let along = from.dot(line.direction);
                let over = line.inward.map(|inward| inward.dot(from));
                let side = usize::from(over[1] > over[0]);
                place = if along <= 0.0 {
                    Place::Vertex(tail)
                } else if along >= line.length {
                    Place::Vertex(head)
                } else if over[side] > clear {
                    Place::Face(line.faces[side])
                } else if over[side] > -clear {
                    return None;
                } else {
                    let foot = body.vertex(tail) + line.direction * along;
                    let (distance, element) = (length(at - foot), Element::Edge([id(tail), id(head)]));
                    return Some(from_feature(
                        body,
                        at,
                        NearestFeature { distance, foot, element, face: line.faces[0] },
                    ));
                };
            }
            Place::Vertex(v) => {
                let foot = body.vertex(v);
                let edges = body.vertex_edges(v).iter().map(|&h| (body.leading(h).dot(at - foot), h.edge()));
                let (most, edge) = edges.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
                if most > clear {
                    place = Place::Edge(edge);
                } else if most > -clear {
                    return None;
                } else {
                    let (distance, element) = (length(at - foot), Element::Vertex(id(v)));
                    let face = body.edge(edge).faces[0];
                    return Some(from_feature(body, at, NearestFeature { distance, foot, element, face }));
                }
            }
        }
    }
    None
}

/// A point outside, by the faces that it is higher over than `least` and their edges.
fn by_features(body: &Convex, at: DVec3, least: f64) -> PolyhedronGap {
    let corner = body.vertex(0);
    let id = |v: u32| body.vertex_id(v).unwrap_or(v);
    let mut best = NearestFeature {
        distance: length(at - corner),
        foot: corner,
        element: Element::Vertex(id(0)),
        face: if body.face_count() > 0 { 0 } else { NONE },
    };
    let edge = |e: u32, face: u32, best: &mut NearestFeature| {
        let line = body.edge(e);
        let [tail, head] = line.ends;
        let from = at - body.vertex(tail);
        let along = from.dot(line.direction).clamp(0.0, line.length);
        let (foot, element) = if along <= 0.0 {
            (body.vertex(tail), Element::Vertex(id(tail)))
        } else if along >= line.length {
            (body.vertex(head), Element::Vertex(id(head)))
        } else {
            (body.vertex(tail) + line.direction * along, Element::Edge(line.ends.map(id)))
        };
        let distance = length(at - foot);
        if distance < best.distance {
            *best = NearestFeature { distance, foot, element, face };
        }
    };
    for f in 0..body.face_count() as u32 {
        let height = body.height(f, at);
        if height < least {
            continue;
        }
        let foot = at - body.face(f).normal * height;
        let inward = |h: &HalfEdge| {
            let side = body.edge(h.edge()).inward[h.side()];
            side.dot(foot - body.vertex(body.tail(*h))) >= 0.0
        };
        if body.face_edges(f).iter().all(inward) {
            if height.abs() <= best.distance {
                best = NearestFeature { distance: height.abs(), foot, element: Element::Face(f), face: f };
            }
            continue;
        }
        body.face_edges(f).iter().for_each(|h| edge(h.edge(), f, &mut best));
    }
    if body.face_count() == 0 {
        (0..body.edge_count() as u32).for_each(|e| edge(e, NONE, &mut best));
    }
    from_feature(body, at, best)
}

/// The answer about a point outside.
fn from_feature(body: &Convex, at: DVec3, best: NearestFeature) -> PolyhedronGap {
    let beside = || match (best.face, body.edges().first()) {
        (NONE, Some(line)) => line.direction.any_orthonormal_vector(),
        (NONE, None) => DVec3::X,
        (face, _) => body.face(face).normal,
    };
    let way = at - best.foot;
    let doubt = noise(body, best.distance);
    let out = if best.distance > doubt { way / best.distance } else { beside() };
    PolyhedronGap {
        interval: signed(best.distance, doubt, false),
        distance: best.distance,
        foot: best.foot,
        out: if out.is_finite() { out } else { beside() },
        element: best.element,
        side: PointSide::Outside,
    }
}

/// The side, by the triangles of the faces; of a flat body, whether the point lies on one of them.
pub(super) fn side(body: &Convex, at: DVec3) -> PointSide {
    let scale = normalising_scale(body.reach().max(at.abs().max_element()));
    let (p, solid) = (at * scale, body.face_count() > 2);
    let corner = |v: u32| body.vertex(v) * scale;
    let (mut outside, mut on) = (false, false);
    let mut triangle = |t: [DVec3; 3]| {
        if solid {
            let sign = orient3d(t[0], t[1], t[2], p);
            outside |= sign == Sign::Positive;
            on |= sign == Sign::Zero;
        } else {
            on |= triangles_overlap(&t, &[p; 3]);
        }
    };
    if body.face_count() == 0 {
        let last = corner(body.vertex_count() as u32 - 1);
        triangle([corner(0), last, last]);
    }
    for f in 0..body.face_count() as u32 {
        let around = body.face_edges(f);
        let tail = |h| corner(body.tail(h));
        for two in around.windows(2).skip(1) {
            triangle([tail(around[0]), tail(two[0]), tail(two[1])]);
        }
    }
    match (outside, on, solid) {
        (true, _, _) | (false, false, false) => PointSide::Outside,
        (false, true, _) => PointSide::Surface,
        (false, false, true) => PointSide::Inside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The walk beside trying all faces: points of every kind of region, near, far and beside features.
    #[test]
    fn a_walk_ends_where_the_nearest_feature_is() {
        let mut state = 6u64;
        let mut coordinate = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 23) as f64 - 1.0
        };
        let mut point = || DVec3::new(coordinate(), coordinate(), coordinate());
        let (mut walked, mut passed, mut kinds) = (0, 0, [0; 3]);
        for round in 0..300 {
            let flat = if round % 3 == 0 { DVec3::new(1.0, 1.0, 1e-4) } else { DVec3::ONE };
            let away = point() * if round % 2 == 0 { 0.0 } else { 1000.0 };
            let points: Vec<DVec3> = (0..5 + round % 120).map(|_| point().normalize() * flat + away).collect();
            let body = Convex::hull(&points).unwrap();
            for k in 0..30 {
                let vertex = body.vertex(k as u32 % body.vertex_count() as u32);
                let at = match k % 5 {
                    0 => vertex + point() * 1e-3,
                    1 => vertex + (vertex - body.centre()) * (point().x + 1.0),
                    2 => body.centre() + point() * 1e6,
                    _ => body.centre() + point() * 2.0,
                };
                let (height, face) = body.face_planes().highest(at - body.centre());
                let doubt = noise(&body, length(at - body.centre()));
                // That of the foot's coordinates.
                let rounding = doubt + 4.0 * EPS * (body.reach() + doubt);
                if height <= doubt {
                    continue;
                }
                let all = by_features(&body, at, -doubt);
                let Some(found) = by_walk(&body, at, face) else {
                    passed += 1;
                    continue;
                };
                walked += 1;
                kinds[match found.element {
                    Element::Vertex(_) => 0,
                    Element::Edge(_) => 1,
                    _ => 2,
                }] += 1;
                assert!((found.distance - all.distance).abs() <= doubt, "{at}: {found:?} {all:?}");
                assert!((length(at - found.foot) - found.distance).abs() <= rounding, "{at}: {found:?}");
                assert!(
                    (0..body.face_count() as u32).all(|f| body.height(f, found.foot) <= rounding),
                    "{at}: {found:?}"
                );
            }
        }
        assert!(
            walked > 5000 && passed < walked / 100 && kinds.iter().all(|count| *count > 300),
            "{walked} {passed} {kinds:?}"
        );
    }
}
