//! How far a point is from the surface of a union of convex pieces.
//!
//! Outside, the nearest piece is nearest (the tree of hulls finds it). Inside, the nearest point of the surface may lie
//! on any piece, and where two pieces share a face there is no surface: so the answer has two bounds. *Lower*: the ball
//! about the point in the deepest piece that holds it lies in the union. *Upper*: along a way out of each of these
//! pieces, square to one of its faces, the point leaves the union somewhere, which is a point of its surface. Of the
//! ways tried the shortest is the answer; where it is as short as the depth in the deepest piece, which is so wherever
//! the nearest surface belongs to that piece, the bounds meet.
//!
//! Cost inside: each way against each piece whose ball it meets, up to [`MOST_TESTS`] of these, at least
//! [`FEWEST_WAYS`] ways.

use glam::DVec3;

use super::polyhedron_point;
use super::polyhedron_point::{PointSide, noise};
use super::signed_gap::SignedGap;
use crate::answer::{Element, Feature, Stats};
use crate::math::{EPS, Interval, Relative};
use crate::model::{Convex, Model, Parts};
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::memory::Memory;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;

/// Tests of a way against a piece.
const MOST_TESTS: usize = 1 << 16;
/// Ways tried, however many pieces there are.
const FEWEST_WAYS: usize = 8;

/// The signed distance; `model` is the same body as `parts`.
pub(super) fn gap(model: &Model, parts: &Parts, at: DVec3, stats: &mut Stats) -> Option<SignedGap> {
    let point = Model::from(polyhedron_point::a_point()?.clone());
    let place = Relative { translation: at, ..Relative::IDENTITY };
    let query = Query { a: model, b: &point, b_in_a: place, method: Method::Auto };
    let mut memory = Memory::default();
    match query.nearest(f64::INFINITY, Context::new(&mut memory, stats)) {
        Outcome::Apart(gap) => {
            let (closest, feature) = (Some(gap.witness.points[0]), gap.witness.features[0]);
            Some(SignedGap { interval: gap.interval, inside: false, closest, feature })
        }
        Outcome::Beyond => None,
        Outcome::Touching(_) | Outcome::Contained(_) => Some(inside(parts, at, stats)),
    }
}

/// A piece that holds the point, and how far it is below the nearest face.
struct Holder {
    piece: u32,
    depth: f64,
    face: u32,
}

fn inside(parts: &Parts, at: DVec3, stats: &mut Stats) -> SignedGap {
    let mut holders: Vec<Holder> = Vec::new();
    let (mut lower, mut within) = (0.0f64, false);
    let mut touched = Feature::Convex { piece: 0, element: Element::Surface };
    for (piece, body) in (0u32..).zip(parts.pieces()) {
        if at.distance(body.centre()) > body.radius() * (1.0 + 1e-9) {
            continue;
        }
        let gap = polyhedron_point::gap(body, at, stats);
        if gap.side == PointSide::Outside {
            continue;
        }
        touched = Feature::Convex { piece, element: gap.element };
        if body.face_count() > 2 {
            let (height, face) = body.face_planes().highest(at - body.centre());
            lower = lower.max(-gap.interval.upper);
            within |= gap.side == PointSide::Inside;
            holders.push(Holder { piece, depth: (-height).max(0.0), face });
        }
    }
    // On flat pieces alone, or on the surface of one piece.
    let Some(best) = shortest_way(parts, &mut holders, at, stats) else { return SignedGap::touching(true, touched) };
    if holders.len() == 1 && !within {
        return SignedGap::touching(true, touched);
    }
    SignedGap {
        interval: Interval { lower: -(best.length + best.noise), upper: -lower.min(best.length) },
        inside: true,
        closest: Some(at + best.direction * best.length),
        feature: Feature::Convex { piece: best.piece, element: Element::Face(best.face) },
    }
}

/// A way out of the union.
struct PointExit {
    length: f64,
    noise: f64,
    direction: DVec3,
    /// The last piece on the way, and the face through which it is left.
    piece: u32,
    face: u32,
}

/// The shortest of the ways tried, the deepest piece's nearest faces first.
fn shortest_way(parts: &Parts, holders: &mut [Holder], at: DVec3, stats: &mut Stats) -> Option<PointExit> {
    holders.sort_by(|x, y| y.depth.total_cmp(&x.depth).then(x.piece.cmp(&y.piece)));
    let most = (MOST_TESTS / parts.piece_count()).max(FEWEST_WAYS);
    let first = holders.iter().map(|holder| (holder.piece, holder.face));
    let others = holders.iter().flat_map(|holder| {
        let faces = 0..parts.pieces()[holder.piece as usize].face_count() as u32;
        faces.map(|face| (holder.piece, face)).filter(|way| way.1 != holder.face)
    });
    let mut best: Option<PointExit> = None;
    for (piece, face) in first.chain(others).take(most) {
        let direction = parts.pieces()[piece as usize].face(face).normal;
        stats.primitive_tests += parts.piece_count() as u64;
        if let Some(exit) = exit(parts, at, direction)
            && best.as_ref().is_none_or(|best| exit.length < best.length)
        {
            best = Some(exit);
        }
    }
    best
}

/// What a ray from the point has of a piece: from where to where, and through which face it leaves.
struct Stretch {
    from: f64,
    to: f64,
    piece: u32,
    face: u32,
}

/// Where the ray leaves the union.
fn exit(parts: &Parts, at: DVec3, direction: DVec3) -> Option<PointExit> {
    let mut stretches: Vec<Stretch> = (0u32..)
        .zip(parts.pieces())
        .filter_map(|(piece, body)| {
            let (from, to, face) = clipped(body, at, direction)?;
            Some(Stretch { from, to, piece, face })
        })
        .collect();
    stretches.sort_by(|x, y| x.from.total_cmp(&y.from).then(x.piece.cmp(&y.piece)));
    let mut best: Option<PointExit> = None;
    for Stretch { from, to, piece, face } in stretches {
        let noise = 4.0 * noise(&parts.pieces()[piece as usize], to) + 64.0 * EPS * at.length();
        let reached = best.as_ref().map_or(0.0, |best| best.length);
        // Gaps as small as rounding are none: a longer way is still a way out.
        if from <= reached + noise && (to > reached || best.is_none()) {
            best = Some(PointExit { length: to, noise, direction, piece, face });
        }
    }
    best
}

/// From where to where the ray is in the body, if it is for longer than a point, and the face through which it leaves.
fn clipped(body: &Convex, at: DVec3, direction: DVec3) -> Option<(f64, f64, u32)> {
    let centre = body.centre() - at;
    let beside = (centre - direction * centre.dot(direction).max(0.0)).length();
    if body.face_count() <= 2 || beside > body.radius() * (1.0 + 1e-9) {
        return None;
    }
    let (mut from, mut to, mut face) = (0.0f64, f64::INFINITY, 0);
    let slack = noise(body, 0.0);
    for f in 0..body.face_count() as u32 {
        let (along, height) = (body.face(f).normal.dot(direction), body.height(f, at));
        if along > 0.0 && (-height / along).max(0.0) < to {
            (to, face) = ((-height / along).max(0.0), f);
        }
        if along < 0.0 {
            from = from.max((height - slack) / -along);
        }
        if along == 0.0 && height > slack {
            return None;
        }
    }
    (to < f64::INFINITY && from <= to).then_some((from.max(0.0), to, face))
}
