//! Whether a body lies inside a shape in words, with its surface apart from that of the shape.
//!
//! Shapes are convex: one holds a triangle in its inside iff it holds the corners there. So of a mesh the triangles are
//! looked at that have a point in the shape: if it holds the corners of all of these, none of them meets its surface.
//! Depth in a convex body is concave, so that a shape with a margin lies in another one iff the corners of its core are
//! deeper there than the margin. A corner is as deep as is certain.
//!
//! Cylinders, cones and ellipsoids have no corners. Such a shape lies in a polyhedron iff it is on the inner side of
//! every face, which half-spaces tell. In a curved shape it lies if a polytope around it does, whose corners are asked
//! about; that is at most [`LARGER`] as large, so that a shape that fits more closely is not told. Nor is a half-space.
//!
//! Cost: one query a corner or a face, until one is not inside.

use std::collections::HashSet;

use impinge::glam::DVec3;
use impinge::{Containment, Convex, Limit, Model, Pair, Pose, Round, overlap};

use super::near;

/// Sides of a polygon around a circle, and steps around the globe; half as many from pole to pole.
const SIDES: usize = 64;
/// One over the cosine of the angle from any place on the globe to the nearest corner, half a diagonal of a cell of
/// π/32 by π/32; more than what a polygon needs around its circle.
const LARGER: f64 = 1.002_42;
/// Of the coordinates: what the plane of a face may be off.
const ROUNDING: f64 = 1e-12;

/// Which of the two, if any, lies inside the other, a shape.
pub(crate) fn contained(pair: &mut Pair, [a, b]: [&Model; 2]) -> Option<Containment> {
    let inside = if holds(a, b, || triangles(pair, 1)) {
        Containment::BInA
    } else if holds(b, a, || triangles(pair, 0)) {
        Containment::AInB
    } else {
        return None;
    };
    let (outer, inner) = if inside == Containment::BInA { (a, b) } else { (b, a) };
    Some(if surface_is_in(outer, inner) { Containment::Mutual } else { inside })
}

/// Whether the surface of a shape with corners, apart from that of the other body, lies in it: around a cavity.
fn surface_is_in(shape: &Model, other: &Model) -> bool {
    let (Model::Round(shape), Model::Mesh(_)) = (shape, other) else { return false };
    let corners = shape.polyhedron().map(Convex::vertices).unwrap_or_default();
    let Some(farthest) = corners.iter().copied().max_by(|p, q| p.x.total_cmp(&q.x)) else { return false };
    let at = Pose::at(farthest + DVec3::X * shape.margin());
    let point = Round::point(DVec3::ZERO).map(Model::from);
    point.is_ok_and(|point| at.is_ok_and(|at| overlap(&point, &at, other, &Pose::IDENTITY).overlap))
}

/// Those of one body that have a point in the other.
fn triangles(pair: &mut Pair, body: usize) -> Vec<u32> {
    let contacts = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
    if contacts.complete { contacts.pairs.iter().map(|pair| pair[body]).collect() } else { Vec::new() }
}

fn holds(outer: &Model, inner: &Model, touching: impl FnOnce() -> Vec<u32>) -> bool {
    let (Model::Round(shape), Ok(point)) = (outer, Round::point(DVec3::ZERO)) else { return false };
    let mut probe = Pair::new(point, outer.clone());
    let mut is_deeper = |corner: DVec3, margin: f64| {
        Pose::at(corner).is_ok_and(|at| probe.penetration(&at, &Pose::IDENTITY).interval.lower > margin)
    };
    match inner {
        Model::Round(round) => match (round.polyhedron(), shape.polyhedron().filter(|_| shape.margin() == 0.0)) {
            (Some(core), _) => core.vertices().iter().all(|&corner| is_deeper(corner, round.margin())),
            (None, Some(outer)) => is_behind_faces(inner, outer),
            (None, None) => around(inner, round)
                .is_some_and(|corners| corners.into_iter().all(|corner| is_deeper(corner, round.margin()))),
        },
        Model::Mesh(mesh) => {
            let touching = touching();
            let mut seen = HashSet::new();
            let corners = touching.iter().filter_map(|&i| mesh.triangle(i)).flatten();
            let mut corners = corners.filter(|corner| seen.insert(corner.to_array().map(f64::to_bits)));
            !touching.is_empty() && corners.all(|corner| is_deeper(corner, 0.0))
        }
        Model::Convex(_) | Model::Parts(_) => false,
    }
}

/// Whether a body is on the inner side of every face, and touches none.
fn is_behind_faces(inner: &Model, outer: &Convex) -> bool {
    let corners = outer.vertices();
    let slack = ROUNDING * corners.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    let is_behind = |face: u32| {
        let ring: Vec<DVec3> = outer.face_corners(face)?.map(|v| corners[v as usize]).collect();
        let normal = (ring.get(1)? - ring[0]).normalize_or_zero().cross((ring.get(2)? - ring[0]).normalize_or_zero());
        let normal = normal.try_normalize()?;
        let height = corners.iter().map(|p| normal.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
        let beyond = Model::from(Round::half_space(-normal, slack - height).ok()?);
        Some(!overlap(&beyond, &Pose::IDENTITY, inner, &Pose::IDENTITY).overlap)
    };
    // A body with fewer faces has no inside.
    outer.face_count() >= 4 && (0..outer.face_count() as u32).all(|face| is_behind(face) == Some(true))
}

/// Corners of a polytope around a shape without its margin; `None` of a half-space.
fn around(model: &Model, round: &Round) -> Option<Vec<DVec3>> {
    let half = near::bounds(model)?.max - DVec3::splat(round.margin());
    let turn = |k: usize, of: usize| std::f64::consts::TAU * k as f64 / of as f64;
    let ring = |z: f64| {
        (0..SIDES).map(move |k| {
            let (y, x) = turn(k, SIDES).sin_cos();
            DVec3::new(x * half.x * LARGER, y * half.y * LARGER, z)
        })
    };
    match round.kind() {
        "cylinder" => Some(ring(-half.z).chain(ring(half.z)).collect()),
        "cone" => Some(ring(-half.z).chain([DVec3::Z * half.z]).collect()),
        "ellipsoid" => {
            let globe = (0..=SIDES / 2).flat_map(|j| {
                let (radius, height) = turn(j, SIDES).sin_cos();
                ring(height * half.z * LARGER).map(move |p| DVec3::new(p.x * radius, p.y * radius, p.z))
            });
            Some(globe.collect())
        }
        _ => None,
    }
}
