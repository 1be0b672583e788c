//! Whether the common part of two solids is a thin layer along their surfaces, as where one fills the bore of the other
//! up to rounding.
//!
//! No short translation frees such a part. But when either of the two is shrunk by the tolerance, it is free of the
//! other. A mesh is shrunk by moving its vertices inward by some length, along the mean of the normals around them. No
//! point of the surface moves farther than that; and where a point was inside and no longer is, the surface has passed
//! it, as winding numbers change nowhere else: so the point lies within that length of the old surface. So where the
//! shrunk body is free of the other one, every point that the two have in common is within the length of the surface of
//! the first. That holds whichever way the vertices move; moved inward the body comes free, unless its vertices pass
//! the surface on the other side: several lengths up to the tolerance are tried ([`super::trial_lengths`]).
//!
//! Where faces meet at right angles they move by 0.58 to 0.71 of the length: an overlap as deep as that is surely found
//! thin.
//!
//! A vertex of one body that is deeper than the tolerance in the other shows that the common part is thicker. Some
//! vertices are tested first: most bodies that run into each other have such a one.
//!
//! Cost: a copy of each of the two, and a query for each vertex tested; where none is deep, a tree for each, and for
//! each length a refit of it and an overlap query.

use std::collections::HashMap;
use std::sync::Arc;

use glam::DVec3;

use super::body_at::BodyAt;
use super::crossing;
use crate::math::Pose;
use crate::model::{Mesh, Model, Round};
use crate::pair::{Pair, overlap};

/// The most vertices of each body that are tested.
const LOOKS: usize = 128;

/// Whether no common point of the two is deeper in either than the longest of the lengths. `false` when that is not
/// known: for bodies that are no closed meshes, and for two convex bodies, whose depth decides.
pub(super) fn is_thin([a, b]: [BodyAt<'_>; 2], lengths: &[f64]) -> bool {
    let (Some(mesh_a), Some(mesh_b)) = (a.mesh(), b.mesh()) else { return false };
    let closed = |mesh: &Mesh| mesh.is_solid() && mesh.report().closed;
    if !(closed(mesh_a) && closed(mesh_b)) || (mesh_a.is_convex() && mesh_b.is_convex()) {
        return false;
    }
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    if has_corner_deep_in(a, b, mesh_b, longest) || has_corner_deep_in(b, a, mesh_a, longest) {
        return false;
    }
    // The one that costs less comes first: as a rule it is not free, and then the other is not tried.
    let mut both = [(a, mesh_a, b), (b, mesh_b, a)];
    both.sort_by_key(|(_, mesh, _)| mesh.triangle_count());
    both.into_iter().all(|(body, mesh, other)| is_free_when_shrunk(body, mesh, other, lengths))
}

/// Whether a vertex of `a` was found that is farther than `length` inside `b`, which is `mesh`.
fn has_corner_deep_in(a: BodyAt<'_>, b: BodyAt<'_>, mesh: &Mesh, length: f64) -> bool {
    let (Some([low, high]), Ok(point)) = (mesh.bounds(), Round::point(DVec3::ZERO)) else { return false };
    let within = |p: &DVec3| (*p - low).min(high - *p).min_element() > length;
    let corners = a.triangles().map(|t| t[0]);
    let corners: Vec<DVec3> = corners.filter(|corner| within(&b.to_body(*corner))).collect();
    if corners.is_empty() {
        return false;
    }
    // The winding number is 1 around a point that is inside once: such a point is inside by every rule for surfaces
    // that overlap themselves.
    let is_inside = |corner: DVec3| (mesh.winding_number_within(b.to_body(corner), 0.1).abs() - 1.0).abs() < 0.25;
    let mut probe = Pair::new(point, mesh.clone().into_surface());
    corners.iter().step_by(corners.len().div_ceil(LOOKS)).any(|&corner| {
        let mut near = |at: Pose| probe.within(&at, &b.pose, length).within;
        Pose::at(corner).is_ok_and(|at| !near(at)) && is_inside(corner)
    })
}

/// Whether the body, whose mesh is shrunk by one of the lengths, has no point in common with the other.
fn is_free_when_shrunk(body: BodyAt<'_>, mesh: &Mesh, other: BodyAt<'_>, lengths: &[f64]) -> bool {
    let corners = corners(mesh);
    let indices = (0..mesh.triangle_count() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let Ok(mut copy) = Mesh::new(corners.iter().map(|corner| corner[0]).collect(), indices).map(Arc::new) else {
        return false;
    };
    lengths.iter().any(|length| {
        let moved: Vec<DVec3> = corners.iter().map(|[at, inward]| *at + *inward * *length).collect();
        // The last query is over and nobody else uses the mesh, so that it is not copied.
        let mesh = Arc::make_mut(&mut copy);
        mesh.deform(&moved).is_ok() && mesh.is_solid() && {
            let shrunk = Model::Mesh(Arc::clone(&copy));
            !overlap(&shrunk, &body.pose, other.model, &other.pose).overlap
        }
    })
}

/// For each corner of each triangle: its position, and the unit vector inward.
fn corners(mesh: &Mesh) -> Vec<[DVec3; 2]> {
    // The normals of a mesh that is inside out point inward.
    let way = if mesh.report().volume.is_some_and(|volume| volume < 0.0) { 1.0 } else { -1.0 };
    let key = |p: DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let triangles: Vec<[DVec3; 3]> = (0..mesh.triangle_count() as u32).filter_map(|i| mesh.triangle(i)).collect();
    let mut normals: HashMap<[u64; 3], DVec3> = HashMap::with_capacity(triangles.len());
    for t in &triangles {
        let normal = crossing::normal(t);
        for k in 0..3 {
            // Each face counts by its angle at the corner, into however many triangles it is cut.
            let [u, v] = [t[(k + 1) % 3] - t[k], t[(k + 2) % 3] - t[k]].map(DVec3::normalize_or_zero);
            let angle = u.cross(v).length().atan2(u.dot(v));
            *normals.entry(key(t[k])).or_default() += normal * angle;
        }
    }
    let inward = |p: DVec3| normals.get(&key(p)).map_or(DVec3::ZERO, |n| n.normalize_or_zero() * way);
    triangles.iter().flatten().map(|&p| [p, inward(p)]).collect()
}
