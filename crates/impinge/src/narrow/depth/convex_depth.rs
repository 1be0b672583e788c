//! How deep two convex bodies are in each other: chooses the engine and applies the margins.
//!
//! Where the cores are apart and only the margins overlap, no engine is needed: the way out is along the closest
//! points. Where the cores overlap, the depth is that of the cores and the margins added. `Auto` takes the expanding
//! polytope, whose bounds meet on polyhedra.

use glam::DVec3;

use crate::answer::{DepthKind, Element, Stats};
use crate::math::{EPS, Relative};
use crate::model::round::Core;
use crate::narrow::context::Context;
use crate::narrow::convex::axes::gauss_map;
use crate::narrow::convex::closest;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::features::v_clip;
use crate::narrow::convex::half_space;
use crate::narrow::convex::polyhedra::brute;
use crate::narrow::convex::polyhedra::{HullFeature, Polyhedra, WayOut};
use crate::narrow::convex::simplex::boolean_gjk;
use crate::narrow::convex::simplex::boolean_gjk::{BooleanVerdict, TriedPoints};
use crate::narrow::convex::simplex::epa;
use crate::narrow::convex::simplex::epa::EpaPrecision;
use crate::narrow::convex::simplex::epa_polyhedra;
use crate::narrow::convex::simplex::gjk;
use crate::narrow::convex::simplex::gjk::{GjkEnd, GjkQuestion, GjkStart};
use crate::narrow::convex::simplex::gjk_polyhedra::SimplexMemory;
use crate::narrow::convex::simplex::minkowski::{Difference, Mapped};
use crate::narrow::convex::witnesses::{ConvexGap, ConvexWitness};
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::solid::Solid;
use crate::prim::RegionWalk;

/// The line between the closest points of cores is the way out if it is off by no more than this, of the margins.
const SHARP: f64 = 1e-10;

/// A way out, in `a`'s frame: `b` leaves along `normal`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConvexDepth {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) normal: DVec3,
    pub(crate) witness: ConvexWitness,
    pub(crate) kind: DepthKind,
}

/// The depth; `None` when they are apart.
pub(crate) fn depth(
    [a, b]: [&Solid<'_>; 2],
    b_in_a: &Relative,
    method: Method,
    mut cx: Context<'_, ConvexMemory>,
) -> Option<ConvexDepth> {
    let margins = a.margin + b.margin;
    if let (Core::Polyhedron(p), Core::Polyhedron(q), Method::Auto) = (a.core, b.core, method)
        && margins == 0.0
    {
        let pair = Polyhedra { a: p, b: q, b_in_a: *b_in_a };
        if let Some(depth) = quickly(&pair, cx.lend()) {
            return depth;
        }
    }
    let overlap = match closest::nearest_cores([a, b], b_in_a, margins, Method::Auto, cx.lend()) {
        // A convex body that holds another touches it: no engine says `Contained`.
        Outcome::Beyond | Outcome::Contained(_) => return None,
        Outcome::Touching(witness) => witness,
        Outcome::Apart(ConvexGap { witness: near, .. }) => {
            let between = near.points[0].distance(near.points[1]);
            if between > margins || margins == 0.0 {
                return None;
            }
            return Some(of_margins([a, b], b_in_a, &near, between, cx.stats));
        }
    };
    let mut depth = match (a.core, b.core) {
        (Core::Polyhedron(p), Core::Polyhedron(q)) => {
            let pair = Polyhedra { a: p, b: q, b_in_a: *b_in_a };
            polyhedra(&pair, &overlap, method, cx.lend())
        }
        (Core::Polyhedron(p), Core::Smooth(q)) => smooth(p, q, b_in_a, cx.stats),
        (Core::Smooth(p), Core::Polyhedron(q)) => smooth(p, q, b_in_a, cx.stats),
        (Core::Smooth(p), Core::Smooth(q)) => smooth(p, q, b_in_a, cx.stats),
        (Core::HalfSpace { normal, offset }, _) => of_half_space(normal, offset, b, b_in_a),
        (_, Core::HalfSpace { normal, offset }) => {
            of_half_space(normal, offset, a, &b_in_a.inverse()).seen_from_b(b_in_a)
        }
    };
    if margins > 0.0 {
        let [p, q] = depth.witness.points;
        depth.witness = ConvexWitness {
            points: [p + depth.normal * a.margin, q - depth.normal * b.margin],
            elements: [Element::Surface; 2],
        };
        depth.lower += margins;
        depth.upper += margins * (1.0 + 4.0 * EPS);
    }
    Some(depth)
}

/// The depth by GJK and then the expanding polytope, for polyhedra that are apart or overlap by more than rounding. The
/// outer `None` says that they are too near to touching to decide, the inner one that they are apart.
fn quickly(pair: &Polyhedra<'_>, cx: Context<'_, ConvexMemory>) -> Option<Option<ConvexDepth>> {
    let noise = pair.noise(0.0);
    if pair.balls_are_apart(noise) {
        return Some(None);
    }
    let simplex = if cx.memory.is_blank() {
        let mut tried = TriedPoints::nothing();
        let verdict = boolean_gjk::decide(pair, &Difference::of(pair), noise, &mut tried, cx.stats);
        let points = tried.last();
        cx.memory.simplex = SimplexMemory::of_tried(&points, &verdict);
        match verdict {
            BooleanVerdict::Apart { .. } => {
                // If the next query is for the distance, V-Clip starts from these.
                cx.memory.features = (points.len() == 1).then(|| points[0].names.map(HullFeature::Vertex));
                return Some(None);
            }
            BooleanVerdict::Inside => tried.simplex(),
            BooleanVerdict::Unclear => return None,
        }
    } else {
        let ask = GjkQuestion { enough: noise, ..GjkQuestion::DISTANCE };
        let found = gjk::polyhedra(&Difference::of(pair), &ask, &cx.memory.simplex.start(), cx.stats);
        cx.memory.simplex = SimplexMemory::of(&found);
        match found.end {
            GjkEnd::Enough => return Some(None),
            GjkEnd::Origin if found.simplex.holds_origin(noise * found.scale) => found.simplex,
            _ => return None,
        }
    };
    let way = epa_polyhedra::depth(pair, &simplex, cx.stats);
    let noise = pair.noise(way.depth);
    let witness = ConvexWitness { points: pair.slid(way.points, way.features), elements: pair.elements(way.features) };
    let lower = (way.lower - noise).max(0.0);
    Some(Some(ConvexDepth { lower, upper: way.depth + noise, normal: way.normal, witness, kind: DepthKind::Exact }))
}

/// Cores apart, margins not: the way is the line between the closest points of the cores. Where these are next to each
/// other, rounding turns that line, and the way is the one that an engine finds for cores that touch, if it parts them
/// better.
///
/// With `e(n)` the extent of the difference of the cores along `n`, negative where `n` parts them, the depth along `n`
/// is the margins and `e(n)`; and no way is shorter than the margins less the distance of any two points of the cores.
/// So both ends hold whatever the way; a good one brings them together.
fn of_margins(
    [a, b]: [&Solid<'_>; 2],
    b_in_a: &Relative,
    near: &ConvexWitness,
    between: f64,
    stats: &mut Stats,
) -> ConvexDepth {
    let [p, q] = near.points;
    let margins = a.margin + b.margin;
    // A way, its extent, and the rounding of that; `None` for half-spaces, of which only one way is a way out.
    let along = |n: DVec3| {
        let [top, low] = [half_space::lowest(-n, a, &Relative::IDENTITY)?.0, half_space::lowest(n, b, b_in_a)?.0];
        Some((n, n.dot(top - low), 16.0 * EPS * (margins + top.length() + low.length())))
    };
    let straight = (q - p).try_normalize().and_then(along);
    let (normal, extent, noise) = match straight {
        Some(way) if way.1 + between <= way.2 + SHARP * margins => way,
        _ => {
            let other = touching_cores([a, b], b_in_a, stats);
            let other = along(other).unwrap_or((other, -between, 16.0 * EPS * (margins + p.length() + q.length())));
            straight.filter(|way| way.1 <= other.1).unwrap_or(other)
        }
    };
    ConvexDepth {
        lower: (margins - between - noise).max(0.0),
        upper: margins + extent.max(-between) + noise,
        normal,
        witness: ConvexWitness {
            points: [p + normal * a.margin, q - normal * b.margin],
            elements: [Element::Surface; 2],
        },
        kind: DepthKind::Exact,
    }
}

/// The way out of cores that touch, or nearly.
fn touching_cores([a, b]: [&Solid<'_>; 2], b_in_a: &Relative, stats: &mut Stats) -> DVec3 {
    match (a.core, b.core) {
        (Core::Polyhedron(p), Core::Polyhedron(q)) => {
            let pair = Polyhedra { a: p, b: q, b_in_a: *b_in_a };
            let found = gjk::polyhedra(&Difference::of(&pair), &GjkQuestion::APART, &GjkStart::default(), stats);
            epa_polyhedra::depth(&pair, &found.simplex, stats).normal
        }
        (Core::Polyhedron(p), Core::Smooth(q)) => smooth(p, q, b_in_a, stats).normal,
        (Core::Smooth(p), Core::Polyhedron(q)) => smooth(p, q, b_in_a, stats).normal,
        (Core::Smooth(p), Core::Smooth(q)) => smooth(p, q, b_in_a, stats).normal,
        (Core::HalfSpace { normal, .. }, _) => normal,
        (_, Core::HalfSpace { normal, .. }) => -(b_in_a.rotation * normal),
    }
}

/// Whether brute force, every axis against every vertex, ends within a second.
fn is_small(pair: &Polyhedra<'_>) -> bool {
    let (a, b) = (pair.a, pair.b);
    let axes = a.face_count() + b.face_count() + a.edge_count() * b.edge_count();
    axes * (a.vertex_count() + b.vertex_count()) <= 1 << 27
}

fn polyhedra(
    pair: &Polyhedra<'_>,
    overlap: &ConvexWitness,
    method: Method,
    cx: Context<'_, ConvexMemory>,
) -> ConvexDepth {
    let exact = |way: WayOut| (way, DepthKind::Exact);
    let (way, kind) = match method {
        Method::Brute if is_small(pair) => brute::depth(pair, cx.stats).map(exact),
        Method::GaussMap => gauss_map::depth(pair, cx.stats).ok().map(exact),
        Method::VClip => {
            let (_, features) = v_clip::walk(pair, pair.extremes(), cx.stats);
            v_clip::estimate(pair, features).map(|way| (way, DepthKind::Estimate))
        }
        _ => None,
    }
    .unwrap_or_else(|| {
        let found = gjk::polyhedra(&Difference::of(pair), &GjkQuestion::APART, &cx.memory.simplex.start(), cx.stats);
        cx.memory.simplex = SimplexMemory::of(&found);
        (epa_polyhedra::depth(pair, &found.simplex, cx.stats), DepthKind::Exact)
    });
    let noise = pair.noise(way.depth);
    let lower = if kind == DepthKind::Estimate { 0.0 } else { (way.lower - noise).max(0.0) };
    // Bodies that merely touch are answered with the point that they touch in.
    let elements = pair.elements(way.features);
    let out = ConvexWitness { points: pair.slid(way.points, way.features), elements };
    let witness = if way.depth <= noise { *overlap } else { out };
    ConvexDepth { lower, upper: way.depth + noise, normal: way.normal, witness, kind }
}

/// A function of its own for each two kinds: it is long, and used at two places.
#[inline(never)]
fn smooth<A: Mapped + ?Sized, B: Mapped + ?Sized>(a: &A, b: &B, b_in_a: &Relative, stats: &mut Stats) -> ConvexDepth {
    let m = Difference::new(a, b, *b_in_a);
    let found = gjk::distance::<RegionWalk, _, _>(&m, &GjkQuestion::APART, &GjkStart::default(), stats);
    let size = a.radius() + b.radius();
    let noise = 64.0 * EPS * (size + b_in_a.apply(b.centre()).abs().max_element());
    let precision = EpaPrecision { relative: 1e-12, slack: noise };
    let result = epa::depth(&m, &found.simplex, precision, stats);
    ConvexDepth {
        lower: (result.lower - noise).max(0.0),
        upper: result.upper.max(0.0) + noise,
        normal: result.normal,
        witness: ConvexWitness { points: result.points, elements: [Element::Surface; 2] },
        kind: DepthKind::Exact,
    }
}

fn of_half_space(normal: DVec3, offset: f64, b: &Solid<'_>, b_in_a: &Relative) -> ConvexDepth {
    let (depth, points, carrier) = half_space::depth(normal, offset, b, b_in_a);
    let noise = EPS * (8.0 * depth.abs() + 24.0 * (points[1].length() + b_in_a.translation.length()));
    let noise = if depth.is_finite() { noise } else { 0.0 };
    ConvexDepth {
        lower: (depth - noise).max(0.0),
        upper: depth.max(0.0) + noise,
        normal,
        witness: ConvexWitness { points, elements: [Element::Surface, carrier] },
        kind: DepthKind::Exact,
    }
}

impl ConvexDepth {
    /// From a result for `b` and `a`, in `b`'s frame, to the result for `a` and `b`, in `a`'s frame.
    pub(crate) fn seen_from_b(self, b_in_a: &Relative) -> ConvexDepth {
        let [q, p] = self.witness.points.map(|x| b_in_a.apply(x));
        let elements = [self.witness.elements[1], self.witness.elements[0]];
        ConvexDepth {
            normal: -(b_in_a.rotation * self.normal),
            witness: ConvexWitness { points: [p, q], elements },
            ..self
        }
    }
}
