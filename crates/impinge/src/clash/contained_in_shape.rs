//! Whether a body lies inside a convex shape, with its surface apart from that of the shape.
//!
//! Shapes are convex: a triangle lies inside one iff its corners do. So only those triangles of a mesh are looked at
//! that have a point in the shape: if the corners of all of these lie inside, no triangle meets the surface of the
//! shape. Depth in a convex body is concave, so that a shape with a margin lies in another one iff the corners of its
//! core are deeper there than the margin. For a corner its certain depth counts.
//!
//! Cylinders, cones and ellipsoids have no corners. Such a shape lies in a polyhedron iff it is on the inner side of
//! every face, which queries against half-spaces decide. It lies in a curved shape if the corners of a polytope around
//! it do; the polytope is up to [`LARGER`] times as large, so that a shape that fits more closely is not found to be
//! inside. A half-space or a body of parts is never found to be inside.
//!
//! Cost: one query for each corner or face, until one is not inside.

use std::collections::HashSet;

use glam::DVec3;

use super::body_at::BodyAt;
use crate::answer::Containment;
use crate::math::Pose;
use crate::model::{Convex, Model, Outline, Round};
use crate::narrow::Limit;
use crate::pair::{Pair, overlap};

/// Sides of a polygon around a circle, and steps around the globe; half as many from pole to pole.
const SIDES: usize = 64;
/// How much larger the polytope is: one over the cosine of the angle from any point of the globe to the nearest corner,
/// half a diagonal of a cell of π/32 by π/32; more than a polygon needs around its circle.
const LARGER: f64 = 1.002_42;
/// By how much the plane of a face may be off, as a share of the coordinates.
const ROUNDING: f64 = 1e-12;

/// Which of the two bodies lies inside the other, where the outer one is a shape; `None` if neither does.
pub(super) fn contained_in_shape(pair: &mut Pair, [a, b]: [BodyAt<'_>; 2]) -> Option<Containment> {
    let inside = if holds(a, b, || touching_triangles(pair, [a, b], 1)) {
        Containment::BInA
    } else if holds(b, a, || touching_triangles(pair, [a, b], 0)) {
        Containment::AInB
    } else {
        return None;
    };
    let (outer, inner) = if inside == Containment::BInA { (a, b) } else { (b, a) };
    Some(if surface_is_in(outer, inner) { Containment::Mutual } else { inside })
}

/// Whether the surface of a shape with corners lies inside the other body, from whose surface it is apart: then only a
/// cavity of the other lies in the shape.
fn surface_is_in(shape: BodyAt<'_>, other: BodyAt<'_>) -> bool {
    if !shape.is_convex_shape() || other.mesh().is_none() {
        return false;
    }
    let corners = shape.polyhedron().map(Convex::vertices).unwrap_or_default();
    let corners = corners.iter().map(|&corner| shape.to_world(corner));
    let Some(farthest) = corners.max_by(|p, q| p.x.total_cmp(&q.x)) else { return false };
    let at = Pose::at(farthest + DVec3::X * shape.margin());
    let point = Round::point(DVec3::ZERO).map(Model::from);
    point.is_ok_and(|point| at.is_ok_and(|at| overlap(&point, &at, other.model, &other.pose).overlap))
}

/// The triangles of one body that have a point in the other.
fn touching_triangles(pair: &mut Pair, [a, b]: [BodyAt<'_>; 2], body: usize) -> Vec<u32> {
    let contacts = pair.contacts(&a.pose, &b.pose, Limit::All);
    if contacts.complete { contacts.pairs.iter().map(|pair| pair[body]).collect() } else { Vec::new() }
}

fn holds(outer: BodyAt<'_>, inner: BodyAt<'_>, touching: impl FnOnce() -> Vec<u32>) -> bool {
    let (true, Ok(point)) = (outer.is_convex_shape(), Round::point(DVec3::ZERO)) else { return false };
    let mut probe = Pair::new(point, outer.model);
    let mut is_deeper = |corner: DVec3, margin: f64| {
        Pose::at(corner).is_ok_and(|at| probe.penetration(&at, &outer.pose).interval.lower > margin)
    };
    match inner.model {
        Model::Round(_) | Model::Convex(_) => {
            match (inner.polyhedron(), outer.polyhedron().filter(|_| outer.margin() == 0.0)) {
                (Some(core), _) => {
                    core.vertices().iter().all(|&corner| is_deeper(inner.to_world(corner), inner.margin()))
                }
                (None, Some(polyhedron)) => is_behind_faces(inner, outer, polyhedron),
                (None, None) => around(inner)
                    .is_some_and(|corners| corners.into_iter().all(|corner| is_deeper(corner, inner.margin()))),
            }
        }
        Model::Mesh(_) | Model::Deforming(_) => {
            let touching = touching();
            let mut seen = HashSet::new();
            let corners = touching.iter().filter_map(|&i| inner.triangle(i)).flatten();
            let mut corners = corners.filter(|corner| seen.insert(corner.to_array().map(f64::to_bits)));
            !touching.is_empty() && corners.all(|corner| is_deeper(corner, 0.0))
        }
        Model::Parts(_) => false,
    }
}

/// Whether a body is on the inner side of every face of a polyhedron, and touches none.
fn is_behind_faces(inner: BodyAt<'_>, outer: BodyAt<'_>, polyhedron: &Convex) -> bool {
    let corners = polyhedron.vertices();
    let reach = |most: f64, p: DVec3| most.max(p.abs().max_element());
    let slack = ROUNDING * corners.iter().fold(0.0, |most, &p| reach(reach(most, p), outer.to_world(p)));
    let is_behind = |face: u32| {
        let ring: Vec<DVec3> = polyhedron.face_corners(face)?.map(|v| corners[v as usize]).collect();
        let normal = (ring.get(1)? - ring[0]).normalize_or_zero().cross((ring.get(2)? - ring[0]).normalize_or_zero());
        let normal = normal.try_normalize()?;
        let height = corners.iter().map(|p| normal.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
        let beyond = Model::from(Round::half_space(-normal, slack - height).ok()?);
        Some(!overlap(&beyond, &outer.pose, inner.model, &inner.pose).overlap)
    };
    // A body with fewer faces has no inside.
    polyhedron.face_count() >= 4 && (0..polyhedron.face_count() as u32).all(|face| is_behind(face) == Some(true))
}

/// Corners, in the world, of a polytope around a curved shape without its margin; `None` of any other body.
fn around(body: BodyAt<'_>) -> Option<Vec<DVec3>> {
    let Model::Round(round) = body.model else { return None };
    let half = body.model.outline(&Pose::IDENTITY, Outline::Fitted)?.max - DVec3::splat(round.margin());
    let turn = |k: usize, of: usize| std::f64::consts::TAU * k as f64 / of as f64;
    let ring = |z: f64| {
        (0..SIDES).map(move |k| {
            let (y, x) = turn(k, SIDES).sin_cos();
            DVec3::new(x * half.x * LARGER, y * half.y * LARGER, z)
        })
    };
    let corners: Vec<DVec3> = match round.kind() {
        "cylinder" => ring(-half.z).chain(ring(half.z)).collect(),
        "cone" => ring(-half.z).chain([DVec3::Z * half.z]).collect(),
        "ellipsoid" => (0..=SIDES / 2)
            .flat_map(|j| {
                let (radius, height) = turn(j, SIDES).sin_cos();
                ring(height * half.z * LARGER).map(move |p| DVec3::new(p.x * radius, p.y * radius, p.z))
            })
            .collect(),
        _ => return None,
    };
    Some(corners.into_iter().map(|corner| body.to_world(corner)).collect())
}
