//! Whether two solids have no more than a skin in common: a part that fills the bore of another, up to rounding.
//!
//! No short translation frees such a part. But when each of the two is shrunk by the tolerance, it is free of the
//! other. A mesh is shrunk by moving its vertices inward as far as the tolerance, along the mean of the normals around
//! them. No point of the surface moves farther than that; and a point that was inside and is not any more was passed by
//! the surface, as winding numbers change nowhere else: it lies within the tolerance of where the surface was. So where
//! the shrunk body is free of the other one, every point that the two have in common is within the tolerance of the
//! surface of the first. That holds whichever way the vertices move; inward they come free.
//!
//! Where faces meet at right angles they move by 0.58 to 0.71 of the tolerance: as deep an overlap is surely told.
//!
//! Cost: two trees and two overlap queries.

use std::collections::HashMap;

use impinge::glam::DVec3;
use impinge::{Mesh, Model, Pose, overlap};

use super::crossing;

/// Whether no common point of the two is deeper than the tolerance in either. `false` when that is not known: of bodies
/// that are no closed meshes, and of two that are convex, whose depth says it.
pub(crate) fn is_all([a, b]: [&Model; 2], tolerance: f64) -> bool {
    let (Model::Mesh(mesh_a), Model::Mesh(mesh_b)) = (a, b) else { return false };
    let closed = |mesh: &Mesh| mesh.is_solid() && mesh.report().closed;
    if !(closed(mesh_a) && closed(mesh_b)) || (mesh_a.is_convex() && mesh_b.is_convex()) {
        return false;
    }
    // The one that costs less first: as a rule it is not free.
    let mut both = [(mesh_a, b), (mesh_b, a)];
    both.sort_by_key(|(mesh, _)| mesh.triangle_count());
    both.into_iter().all(|(mesh, other)| is_free(mesh, other, tolerance))
}

/// Whether the mesh, shrunk, has no point of the other.
fn is_free(mesh: &Mesh, other: &Model, tolerance: f64) -> bool {
    shrunk(mesh, tolerance).is_some_and(|body| !overlap(&body, &Pose::IDENTITY, other, &Pose::IDENTITY).overlap)
}

fn shrunk(mesh: &Mesh, by: f64) -> Option<Model> {
    // Inside out, the normals point inward.
    let way = if mesh.report().volume.is_some_and(|volume| volume < 0.0) { by } else { -by };
    let key = |p: DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let triangles: Vec<[DVec3; 3]> = (0..mesh.triangle_count() as u32).filter_map(|i| mesh.triangle(i)).collect();
    let mut normals: HashMap<[u64; 3], DVec3> = HashMap::with_capacity(triangles.len());
    for t in &triangles {
        let normal = crossing::normal(t);
        for k in 0..3 {
            // Each face counts by its angle there, into however many triangles it is cut.
            let [u, v] = [t[(k + 1) % 3] - t[k], t[(k + 2) % 3] - t[k]].map(DVec3::normalize_or_zero);
            let angle = u.cross(v).length().atan2(u.dot(v));
            *normals.entry(key(t[k])).or_default() += normal * angle;
        }
    }
    let moved = |p: DVec3| p + normals.get(&key(p)).map_or(DVec3::ZERO, |n| n.normalize_or_zero() * way);
    let vertices: Vec<DVec3> = triangles.iter().flatten().map(|&p| moved(p)).collect();
    let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let body = Mesh::new(vertices, indices).ok()?;
    body.is_solid().then(|| body.into())
}
