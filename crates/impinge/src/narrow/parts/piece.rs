//! Convex pieces that bodies are made of, two at a time: a direction between them, and the gap along it.
//!
//! What an engine for moving bodies needs of two pieces at one moment is a plane between them that is as wide as can
//! be, or the word that they touch. The direction may come from anywhere: the gap across it is then measured with the
//! support mappings, so that nothing depends on how good the direction is.

use glam::DVec3;
use smallvec::SmallVec;

use crate::answer::{Element, Stats};
use crate::math::{EPS, Interval, Relative, normalising_scale};
use crate::model::Convex;
use crate::model::round::Core;
use crate::narrow::context::Context;
use crate::narrow::convex::closest;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::polyhedra::HullFeature;
use crate::narrow::convex::witnesses::ConvexGap;
use crate::narrow::mesh::mesh_solid;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::solid::Solid;
use crate::prim::{Part, Triangle, careful_cross, gap_across, nearest, triangles_overlap};

/// A convex piece of a body, in the body's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'m> {
    Triangle(Triangle),
    Solid(Solid<'m>),
}

/// The part of a piece that carries a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Carrier {
    /// Of a triangle.
    Part(Part),
    Element(Element),
}

/// The features that are closest.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Features {
    /// Of polyhedra.
    Cells([HullFeature; 2]),
    /// Of triangles.
    Parts([Part; 2]),
    /// Of bodies without features.
    None,
}

/// Two closest or common points in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Witnessed {
    pub(crate) points: [DVec3; 2],
    pub(crate) carriers: [Carrier; 2],
    /// The pieces are not nearer than this.
    pub(crate) lower: f64,
}

/// How two pieces stand to each other.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sight {
    /// Apart, along this unit direction from `a` to `b` as a rule, which is across these features.
    Apart(DVec3, Witnessed, Features),
    /// With a common point.
    Touch(Witnessed),
}

impl Piece<'_> {
    /// The point farthest along `d`, margin left out; `None` for a half-space.
    #[inline(always)]
    pub(crate) fn farthest(&self, d: DVec3) -> Option<DVec3> {
        match self {
            Piece::Triangle([p, q, r]) => {
                let (q_up, r_up) = (d.dot(*q - *p), d.dot(*r - *p));
                Some(if q_up > 0.0 && q_up >= r_up {
                    *q
                } else if r_up > 0.0 {
                    *r
                } else {
                    *p
                })
            }
            Piece::Solid(solid) => match solid.core {
                Core::Polyhedron(body) => Some(body.vertex(body.support(d, 0))),
                Core::Smooth(body) => Some(body.support(d)),
                Core::HalfSpace { .. } => None,
            },
        }
    }

    pub(crate) fn margin(&self) -> f64 {
        if let Piece::Solid(solid) = self { solid.margin } else { 0.0 }
    }

    /// A ball around it; `None` for a half-space.
    pub(crate) fn ball(&self) -> Option<(DVec3, f64)> {
        match self {
            Piece::Triangle([p, q, r]) => {
                let centre = *p + ((*q - *p) + (*r - *p)) / 3.0;
                Some((centre, centre.distance(*p).max(centre.distance(*q)).max(centre.distance(*r))))
            }
            Piece::Solid(solid) => match solid.core {
                Core::Polyhedron(body) => Some((body.centre(), body.radius() + solid.margin)),
                Core::Smooth(body) => Some((body.centre(), body.radius() + solid.margin)),
                Core::HalfSpace { .. } => None,
            },
        }
    }

    fn half_space(&self) -> Option<(DVec3, f64)> {
        match self {
            Piece::Solid(Solid { core: Core::HalfSpace { normal, offset }, margin }) => {
                Some((*normal, offset + margin))
            }
            _ => None,
        }
    }
}

/// The gap along the unit direction `n` of `a`'s frame, from `a` to `b`, less what rounding may add to it; negative
/// where no plane across `n` is between the pieces.
///
/// A half-space has a gap along its own normal only, and is taken to be asked about no other direction.
#[inline]
pub(crate) fn gap([a, b]: [&Piece<'_>; 2], b_in_a: &Relative, n: DVec3) -> f64 {
    let (p, q) = (a.farthest(n), b.farthest(-(b_in_a.rotation.transpose() * n)));
    let margins = a.margin() + b.margin();
    let shift = b_in_a.translation.abs().max_element();
    match (p, q) {
        (Some(p), Some(q)) => {
            let at = b_in_a.apply(q);
            let size = p.abs().max_element() + q.abs().max_element() + shift + margins;
            n.dot(at - p) - margins - 32.0 * EPS * size
        }
        (None, Some(q)) => {
            let Some((normal, offset)) = a.half_space() else { return f64::NEG_INFINITY };
            let size = offset.abs() + q.abs().max_element() + shift + b.margin();
            normal.dot(b_in_a.apply(q)) - offset - b.margin() - 32.0 * EPS * size
        }
        (Some(p), None) => {
            let Some((normal, offset)) = b.half_space() else { return f64::NEG_INFINITY };
            let size = offset.abs() + p.abs().max_element() + shift + a.margin();
            normal.dot(b_in_a.inverse().apply(p)) - offset - a.margin() - 32.0 * EPS * size
        }
        (None, None) => f64::NEG_INFINITY,
    }
}

/// How two pieces stand to each other. The direction is that of the closest points; where features of polyhedra carry
/// them, it is made of the features, since points that nearly touch have none.
pub(crate) fn look([a, b]: [&Piece<'_>; 2], b_in_a: &Relative, memory: &mut ConvexMemory, stats: &mut Stats) -> Sight {
    match (a, b) {
        (Piece::Triangle(a), Piece::Triangle(b)) => look_at_triangles(a, b, b_in_a, stats),
        (Piece::Solid(a), Piece::Solid(b)) => look_at_solids(a, b, b_in_a, memory, stats),
        (Piece::Triangle(t), Piece::Solid(solid)) => look_at_triangle_and_solid(t, solid, b_in_a, stats),
        (Piece::Solid(solid), Piece::Triangle(t)) => {
            look_at_triangle_and_solid(t, solid, &b_in_a.inverse(), stats).seen_from_b(b_in_a)
        }
    }
}

/// Whether two pieces touch.
pub(crate) fn touches(
    [a, b]: [&Piece<'_>; 2],
    b_in_a: &Relative,
    memory: &mut ConvexMemory,
    stats: &mut Stats,
) -> bool {
    match (a, b) {
        (Piece::Triangle(a), Piece::Triangle(b)) => {
            let b = b.map(|x| b_in_a.apply(x));
            let scale = normalising_scale(reach(a).max(reach(&b)));
            triangles_overlap(&a.map(|x| x * scale), &b.map(|x| x * scale))
        }
        (Piece::Solid(a), Piece::Solid(b)) => {
            let margins = a.margin + b.margin;
            match closest::nearest_cores([a, b], b_in_a, margins, Method::Auto, Context::new(memory, stats)) {
                Outcome::Touching(_) | Outcome::Contained(_) => true,
                Outcome::Apart(ConvexGap { interval, .. }) => interval.upper <= margins && margins > 0.0,
                Outcome::Beyond => false,
            }
        }
        _ => matches!(look([a, b], b_in_a, memory, stats), Sight::Touch(_)),
    }
}

/// Largest coordinate of a triangle.
fn reach(t: &Triangle) -> f64 {
    t.iter().fold(0.0, |m: f64, x| m.max(x.abs().max_element()))
}

/// Further directions, from `a` to `b` or back, that may have a wider gap than that of the closest points: normals of
/// triangles.
pub(crate) fn more_directions(pieces: [&Piece<'_>; 2], b_in_a: &Relative) -> SmallVec<[DVec3; 2]> {
    let normal = |k: usize| match pieces[k] {
        Piece::Triangle([p, q, r]) => {
            let n = careful_cross(*q - *p, *r - *p);
            (n * normalising_scale(n.abs().max_element())).try_normalize()
        }
        Piece::Solid(_) => None,
    };
    normal(0).into_iter().chain(normal(1).map(|n| b_in_a.rotation * n)).collect()
}

/// Apart along the way between the points. Points that are the same give no direction: any will do, and has no gap.
pub(crate) fn apart(way: DVec3, points: [DVec3; 2], carriers: [Carrier; 2], lower: f64) -> Sight {
    let scale = normalising_scale(way.abs().max_element());
    let n = (way * scale).try_normalize().unwrap_or(DVec3::X);
    Sight::Apart(n, Witnessed { points, carriers, lower }, Features::None)
}

fn look_at_solids(
    a: &Solid<'_>,
    b: &Solid<'_>,
    b_in_a: &Relative,
    memory: &mut ConvexMemory,
    stats: &mut Stats,
) -> Sight {
    let inside = [Carrier::Element(Element::Inside); 2];
    match closest::nearest_cores([a, b], b_in_a, f64::INFINITY, Method::Auto, Context::new(memory, stats)) {
        Outcome::Apart(ConvexGap { interval: Interval { lower, .. }, witness: near }) => {
            let [p, q] = near.points;
            let scale = normalising_scale((q - p).abs().max_element());
            let mut n = ((q - p) * scale).try_normalize().unwrap_or(DVec3::X);
            if p.distance(q) <= a.margin + b.margin && a.margin + b.margin > 0.0 {
                return Sight::Touch(Witnessed { points: [p + n * a.margin; 2], carriers: inside, lower: 0.0 });
            }
            let mut features = Features::None;
            if let (Core::Polyhedron(a), Core::Polyhedron(b), Some(cells)) = (a.core, b.core, memory.features) {
                n = between_cells([a, b], cells, b_in_a, n);
                features = Features::Cells(cells);
            }
            let carrier = |k: usize, margin: f64| {
                Carrier::Element(if margin > 0.0 { Element::Surface } else { near.elements[k] })
            };
            let carriers = [carrier(0, a.margin), carrier(1, b.margin)];
            let lower = (lower - a.margin - b.margin - 8.0 * EPS * (a.margin + b.margin)).max(0.0);
            Sight::Apart(n, Witnessed { points: [p + n * a.margin, q - n * b.margin], carriers, lower }, features)
        }
        Outcome::Touching(near) => {
            Sight::Touch(Witnessed { points: near.points, carriers: near.elements.map(Carrier::Element), lower: 0.0 })
        }
        // Without a limit nothing is beyond it.
        Outcome::Contained(_) | Outcome::Beyond => apart(b_in_a.translation, [DVec3::ZERO; 2], inside, 0.0),
    }
}

/// The direction across features as they stand now, on the side of `n`; `None` where they have no single one.
pub(crate) fn across_features(
    pieces: [&Piece<'_>; 2],
    features: Features,
    b_in_a: &Relative,
    n: DVec3,
) -> Option<DVec3> {
    match (features, pieces) {
        (Features::Cells(cells), [Piece::Solid(a), Piece::Solid(b)]) => {
            let (Core::Polyhedron(a), Core::Polyhedron(b)) = (a.core, b.core) else { return None };
            let single = matches!(
                cells,
                [HullFeature::Face(_), _] | [_, HullFeature::Face(_)] | [HullFeature::Edge(_), HullFeature::Edge(_)]
            );
            single.then(|| between_cells([a, b], cells, b_in_a, n))
        }
        (Features::Parts(parts), [Piece::Triangle(a), Piece::Triangle(b)]) => {
            let single = matches!(parts, [Part::Face, _] | [_, Part::Face] | [Part::Edge(_), Part::Edge(_)]);
            single.then(|| between_parts([a, &b.map(|x| b_in_a.apply(x))], parts, n))
        }
        _ => None,
    }
}

/// Two edges that are closest, as unit vectors, each in the frame of its body.
pub(crate) fn closest_edges(pieces: [&Piece<'_>; 2], features: Features) -> Option<[DVec3; 2]> {
    match (features, pieces) {
        (Features::Cells([HullFeature::Edge(e), HullFeature::Edge(f)]), [Piece::Solid(a), Piece::Solid(b)]) => {
            let (Core::Polyhedron(a), Core::Polyhedron(b)) = (a.core, b.core) else { return None };
            Some([a.edge(e).direction, b.edge(f).direction])
        }
        (Features::Parts([Part::Edge(i), Part::Edge(j)]), [Piece::Triangle(a), Piece::Triangle(b)]) => {
            Some([edge_of(a, i), edge_of(b, j)])
        }
        _ => None,
    }
}

/// The direction across two features of polyhedra, on the side of `n`.
pub(crate) fn between_cells([a, b]: [&Convex; 2], cells: [HullFeature; 2], b_in_a: &Relative, n: DVec3) -> DVec3 {
    match cells {
        [HullFeature::Face(f), _] => toward(n, Some(a.face(f).normal)),
        [_, HullFeature::Face(f)] => toward(n, Some(b_in_a.rotation * b.face(f).normal)),
        [HullFeature::Edge(e), HullFeature::Edge(f)] => {
            across([a.edge(e).direction, b_in_a.rotation * b.edge(f).direction], n)
        }
        [HullFeature::Edge(e), _] => off_edge(a.edge(e).direction, n),
        [_, HullFeature::Edge(f)] => off_edge(b_in_a.rotation * b.edge(f).direction, n),
        _ => n,
    }
}

/// The direction or its opposite, whichever is on the side of `n`; `n` itself where there is none, or where the two
/// have little in common.
fn toward(n: DVec3, direction: Option<DVec3>) -> DVec3 {
    match direction {
        Some(d) if d.dot(n) > 0.9 => d,
        Some(d) if d.dot(n) < -0.9 => -d,
        _ => n,
    }
}

/// Across two edges; where they are parallel, `n` without what it has along them.
fn across([u, v]: [DVec3; 2], n: DVec3) -> DVec3 {
    let cross = u.cross(v);
    if cross.length_squared() < 1e-12 { off_edge(u, n) } else { toward(n, cross.try_normalize()) }
}

/// `n` without what it has along an edge of unit length.
fn off_edge(edge: DVec3, n: DVec3) -> DVec3 {
    toward(n, (n - edge * edge.dot(n)).try_normalize())
}

fn look_at_triangles(a: &Triangle, b: &Triangle, b_in_a: &Relative, stats: &mut Stats) -> Sight {
    stats.primitive_tests += 1;
    let b = b.map(|x| b_in_a.apply(x));
    let scale = normalising_scale(reach(a).max(reach(&b)));
    let (a, b) = (&a.map(|x| x * scale), &b.map(|x| x * scale));
    let near = nearest(a, b);
    let [p, q] = near.points();
    let (points, carriers) = ([p / scale, q / scale], near.parts.map(Carrier::Part));
    if gap_across(a, b, &near) <= 0.0 && triangles_overlap(a, b) {
        return Sight::Touch(Witnessed { points, carriers, lower: 0.0 });
    }
    // The corners of `b` are rounded where they stand.
    let lower = (gap_across(a, b, &near).max(0.0) / scale - 64.0 * EPS / scale).max(0.0);
    match apart(q - p, points, carriers, lower) {
        Sight::Apart(n, witnessed, _) => {
            Sight::Apart(between_parts([a, b], near.parts, n), witnessed, Features::Parts(near.parts))
        }
        touch => touch,
    }
}

/// `place` leads from the body's frame to the triangle's.
fn look_at_triangle_and_solid(t: &Triangle, solid: &Solid<'_>, place: &Relative, stats: &mut Stats) -> Sight {
    stats.primitive_tests += 1;
    let inside = [Carrier::Part(Part::Face), Carrier::Element(Element::Inside)];
    let Some(near) = mesh_solid::triangle_and_core(t, solid, place, stats) else {
        return apart(place.translation, [t[0]; 2], inside, 0.0);
    };
    let [p, q] = near.points;
    if near.upper <= solid.margin {
        return Sight::Touch(Witnessed { points: [p; 2], carriers: inside, lower: 0.0 });
    }
    let carriers = [Carrier::Part(Part::Face), Carrier::Element(Element::Surface)];
    let size = p.abs().max_element() + mesh_solid::extent(solid) + place.translation.abs().max_element();
    let lower = (near.lower - solid.margin - 128.0 * EPS * size).max(0.0);
    apart(q - p, [p, q - (q - p).normalize_or_zero() * solid.margin], carriers, lower)
}

fn edge_of(t: &Triangle, i: u8) -> DVec3 {
    let i = usize::from(i);
    (t[(i + 1) % 3] - t[i]).normalize_or_zero()
}

/// The direction across two parts of triangles, on the side of `n`.
fn between_parts(triangles: [&Triangle; 2], parts: [Part; 2], n: DVec3) -> DVec3 {
    let edge = |k: usize, i: u8| edge_of(triangles[k], i);
    let face = |k: usize| {
        let [p, q, r] = *triangles[k];
        careful_cross(q - p, r - p).try_normalize()
    };
    match parts {
        [Part::Face, _] => toward(n, face(0)),
        [_, Part::Face] => toward(n, face(1)),
        [Part::Edge(i), Part::Edge(j)] => across([edge(0, i), edge(1, j)], n),
        [Part::Edge(i), _] => off_edge(edge(0, i), n),
        [_, Part::Edge(j)] => off_edge(edge(1, j), n),
        _ => n,
    }
}

impl Sight {
    /// Bodies exchanged, and from the frame of the one to that of the other.
    fn seen_from_b(self, b_in_a: &Relative) -> Sight {
        let turned = |w: Witnessed| {
            let [q, p] = w.points.map(|x| b_in_a.apply(x));
            Witnessed { points: [p, q], carriers: [w.carriers[1], w.carriers[0]], lower: w.lower }
        };
        match self {
            Sight::Apart(normal, w, features) => Sight::Apart(-(b_in_a.rotation * normal), turned(w), features),
            Sight::Touch(w) => Sight::Touch(turned(w)),
        }
    }
}
