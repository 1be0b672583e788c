//! How two convex pieces lie relative to each other: their closest points and the direction across the gap, or a common
//! point.
//!
//! The direction is that from one closest point to the other. Where features carry these points, it is computed from
//! the features, since points that nearly touch give none.

use glam::DVec3;

use super::closest_features::{PieceFeatures, between_cells, between_parts};
use super::piece::{ConvexPiece, normal_of_half_space};
use crate::answer::{Element, Stats};
use crate::math::{EPS, Interval, Relative, normalising_scale};
use crate::model::round::Core;
use crate::narrow::context::Context;
use crate::narrow::convex::closest::nearest_cores;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::witnesses::ConvexGap;
use crate::narrow::mesh::mesh_solid::{extent, triangle_and_core};
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::solid::Solid;
use crate::prim::{Part, Triangle, gap_across, nearest, triangles_overlap};

/// The part of a piece that carries a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PointCarrier {
    /// Of a triangle.
    Part(Part),
    Element(Element),
}

/// Two closest or common points in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WitnessedPoints {
    pub(crate) points: [DVec3; 2],
    pub(crate) carriers: [PointCarrier; 2],
    /// The pieces are not nearer than this.
    pub(crate) lower: f64,
}

/// How two pieces lie relative to each other: apart or touching. The other outcomes do not occur here: no distance is
/// given beyond which pieces need not be looked at, and a piece inside another counts as touching it.
pub(crate) type PieceOutcome = Outcome<PieceGap, WitnessedPoints>;

/// Two pieces that are apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceGap {
    /// A unit direction from `a` to `b`. Along it they are apart, except where they nearly touch: there the gap along
    /// it may be 0 or less, and has to be measured.
    pub(crate) normal: DVec3,
    pub(crate) witness: WitnessedPoints,
    /// The features that the direction is across.
    pub(crate) features: PieceFeatures,
}

/// How two pieces lie relative to each other; see the module.
pub(crate) fn outcome_of(
    pieces: [&ConvexPiece<'_>; 2],
    b_in_a: &Relative,
    memory: &mut ConvexMemory,
    stats: &mut Stats,
) -> PieceOutcome {
    let outcome = outcome_by_kind(pieces, b_in_a, memory, stats);
    match normal_of_half_space(pieces, b_in_a) {
        // The way between the closest points is its normal, too, but for their rounding.
        Some(normal) => outcome.map(|gap| PieceGap { normal, ..gap }, |touching| touching),
        None => outcome,
    }
}

fn outcome_by_kind(
    [a, b]: [&ConvexPiece<'_>; 2],
    b_in_a: &Relative,
    memory: &mut ConvexMemory,
    stats: &mut Stats,
) -> PieceOutcome {
    match (a, b) {
        (ConvexPiece::Triangle(a), ConvexPiece::Triangle(b)) => outcome_of_triangles(a, b, b_in_a, stats),
        (ConvexPiece::Solid(a), ConvexPiece::Solid(b)) => outcome_of_solids(a, b, b_in_a, memory, stats),
        (ConvexPiece::Triangle(t), ConvexPiece::Solid(solid)) => outcome_of_triangle_and_solid(t, solid, b_in_a, stats),
        (ConvexPiece::Solid(solid), ConvexPiece::Triangle(t)) => {
            seen_from_b(outcome_of_triangle_and_solid(t, solid, &b_in_a.inverse(), stats), b_in_a)
        }
    }
}

/// Whether two pieces touch.
pub(crate) fn touches(
    [a, b]: [&ConvexPiece<'_>; 2],
    b_in_a: &Relative,
    memory: &mut ConvexMemory,
    stats: &mut Stats,
) -> bool {
    match (a, b) {
        (ConvexPiece::Triangle(a), ConvexPiece::Triangle(b)) => {
            let b = b.map(|x| b_in_a.apply(x));
            let scale = normalising_scale(reach(a).max(reach(&b)));
            triangles_overlap(&a.map(|x| x * scale), &b.map(|x| x * scale))
        }
        (ConvexPiece::Solid(a), ConvexPiece::Solid(b)) => {
            let margins = a.margin + b.margin;
            match nearest_cores([a, b], b_in_a, margins, Method::Auto, Context::new(memory, stats)) {
                Outcome::Touching(_) | Outcome::Contained(_) => true,
                Outcome::Apart(ConvexGap { interval, .. }) => interval.upper <= margins && margins > 0.0,
                Outcome::Beyond => false,
            }
        }
        _ => matches!(outcome_of([a, b], b_in_a, memory, stats), Outcome::Touching(_)),
    }
}

/// Largest coordinate of a triangle.
fn reach(t: &Triangle) -> f64 {
    t.iter().fold(0.0, |m: f64, x| m.max(x.abs().max_element()))
}

/// How a triangle and a convex body lie relative to each other; `place` leads from the body's frame to the triangle's.
fn outcome_of_triangle_and_solid(t: &Triangle, solid: &Solid<'_>, place: &Relative, stats: &mut Stats) -> PieceOutcome {
    stats.primitive_tests += 1;
    let inside = [PointCarrier::Part(Part::Face), PointCarrier::Element(Element::Inside)];
    let Some(near) = triangle_and_core(t, solid, place, stats) else {
        return apart(place.translation, [t[0]; 2], inside, 0.0);
    };
    let [p, q] = near.points;
    if near.upper <= solid.margin {
        return Outcome::Touching(WitnessedPoints { points: [p; 2], carriers: inside, lower: 0.0 });
    }
    let carriers = [PointCarrier::Part(Part::Face), PointCarrier::Element(Element::Surface)];
    let size = near.points[0].abs().max_element() + extent(solid) + place.translation.abs().max_element();
    let lower = (near.lower - solid.margin - 128.0 * EPS * size).max(0.0);
    apart(q - p, [p, q - (q - p).normalize_or_zero() * solid.margin], carriers, lower)
}

/// Apart along the way between the points. Points that coincide give no direction: any is taken, with no gap along it.
fn apart(way: DVec3, points: [DVec3; 2], carriers: [PointCarrier; 2], lower: f64) -> PieceOutcome {
    let scale = normalising_scale(way.abs().max_element());
    let n = (way * scale).try_normalize().unwrap_or(DVec3::X);
    Outcome::Apart(PieceGap {
        normal: n,
        witness: WitnessedPoints { points, carriers, lower },
        features: PieceFeatures::None,
    })
}

fn outcome_of_solids(
    a: &Solid<'_>,
    b: &Solid<'_>,
    b_in_a: &Relative,
    memory: &mut ConvexMemory,
    stats: &mut Stats,
) -> PieceOutcome {
    let inside = [PointCarrier::Element(Element::Inside); 2];
    match nearest_cores([a, b], b_in_a, f64::INFINITY, Method::Auto, Context::new(memory, stats)) {
        Outcome::Apart(ConvexGap { interval: Interval { lower, .. }, witness: near }) => {
            let [p, q] = near.points;
            let scale = normalising_scale((q - p).abs().max_element());
            let mut n = ((q - p) * scale).try_normalize().unwrap_or(DVec3::X);
            if p.distance(q) <= a.margin + b.margin && a.margin + b.margin > 0.0 {
                return Outcome::Touching(WitnessedPoints {
                    points: [p + n * a.margin; 2],
                    carriers: inside,
                    lower: 0.0,
                });
            }
            let mut features = PieceFeatures::None;
            if let (Core::Polyhedron(a), Core::Polyhedron(b), Some(cells)) = (a.core, b.core, memory.features) {
                n = between_cells([a, b], cells, b_in_a, n);
                features = PieceFeatures::Cells(cells);
            }
            let carrier = |k: usize, margin: f64| {
                PointCarrier::Element(if margin > 0.0 { Element::Surface } else { near.elements[k] })
            };
            let carriers = [carrier(0, a.margin), carrier(1, b.margin)];
            let lower = (lower - a.margin - b.margin - 8.0 * EPS * (a.margin + b.margin)).max(0.0);
            let witness = WitnessedPoints { points: [p + n * a.margin, q - n * b.margin], carriers, lower };
            Outcome::Apart(PieceGap { normal: n, witness, features })
        }
        Outcome::Touching(near) => Outcome::Touching(WitnessedPoints {
            points: near.points,
            carriers: near.elements.map(PointCarrier::Element),
            lower: 0.0,
        }),
        // The query had no limit, so nothing is beyond it.
        Outcome::Contained(_) | Outcome::Beyond => apart(b_in_a.translation, [DVec3::ZERO; 2], inside, 0.0),
    }
}

fn outcome_of_triangles(a: &Triangle, b: &Triangle, b_in_a: &Relative, stats: &mut Stats) -> PieceOutcome {
    stats.primitive_tests += 1;
    let b = b.map(|x| b_in_a.apply(x));
    let scale = normalising_scale(reach(a).max(reach(&b)));
    let (a, b) = (&a.map(|x| x * scale), &b.map(|x| x * scale));
    let near = nearest(a, b);
    let [p, q] = near.points();
    let (points, carriers) = ([p / scale, q / scale], near.parts.map(PointCarrier::Part));
    if gap_across(a, b, &near) <= 0.0 && triangles_overlap(a, b) {
        return Outcome::Touching(WitnessedPoints { points, carriers, lower: 0.0 });
    }
    // The corners of `b` were rounded when they were taken into the frame of `a`.
    let lower = (gap_across(a, b, &near).max(0.0) / scale - 64.0 * EPS / scale).max(0.0);
    let across = |gap: PieceGap| {
        let normal = between_parts([a, b], near.parts, gap.normal);
        PieceGap { normal, features: PieceFeatures::Parts(near.parts), ..gap }
    };
    apart(q - p, points, carriers, lower).map(across, |touching| touching)
}

/// From a result for `b` and `a`, in `b`'s frame, to the result for `a` and `b`, in `a`'s frame.
fn seen_from_b(outcome: PieceOutcome, b_in_a: &Relative) -> PieceOutcome {
    let turned = |w: WitnessedPoints| {
        let [q, p] = w.points.map(|x| b_in_a.apply(x));
        WitnessedPoints { points: [p, q], carriers: [w.carriers[1], w.carriers[0]], lower: w.lower }
    };
    let apart =
        |gap: PieceGap| PieceGap { normal: -(b_in_a.rotation * gap.normal), witness: turned(gap.witness), ..gap };
    outcome.swapped(apart, turned)
}
