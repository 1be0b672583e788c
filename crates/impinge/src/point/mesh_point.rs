//! How far a point is from the surface of a mesh, and on which side.
//!
//! The nearest triangle of all, by the mesh's tree; the point on it by its regions; the side by that triangle where
//! this is sure, else by crossings of a ray.

use glam::DVec3;

use super::box_gaps::SeenTree;
use super::mesh_side::{is_inside, is_inside_from};
use super::nearest_triangle;
use super::signed_gap::{SignedGap, signed};
use crate::answer::Stats;
use crate::math::Interval;
use crate::model::Mesh;
use crate::narrow::mesh::mesh_contact::feature;
use crate::prim::closest_on;

/// The signed distance; `None` for a mesh without triangles.
pub(super) fn gap(mesh: &Mesh, at: DVec3, stats: &mut Stats) -> Option<SignedGap> {
    if mesh.is_empty() {
        return None;
    }
    let seen = SeenTree::new(mesh, at);
    let near = nearest_triangle::search(mesh, &seen, at, stats);
    let (closest, part) = closest_on(&mesh.corners(near.place), at, seen.scale);
    let feature = feature(mesh, near.place, part);
    if near.touches() {
        return Some(SignedGap::touching(mesh.is_solid(), feature));
    }
    let inside = is_inside_from(mesh, at, &near);
    let scaled = signed(near.distance, near.noise, inside);
    let unit = |x: f64| x / seen.scale;
    // The least number stands for a distance that vanishes in the mesh's own unit.
    let (lower, upper) = (unit(scaled.lower), unit(scaled.upper));
    let interval = match inside {
        true => Interval { lower: lower.min(-f64::MIN_POSITIVE), upper },
        false => Interval { lower, upper: upper.max(f64::MIN_POSITIVE) },
    };
    Some(SignedGap { interval, inside, closest: Some(closest), feature })
}

/// Whether the mesh holds the point: inside, or on the surface of a solid.
pub(super) fn holds(mesh: &Mesh, at: DVec3) -> bool {
    let bounds = mesh.aabb();
    if !(mesh.is_solid() && bounds.min.cmple(at).all() && at.cmple(bounds.max).all()) {
        return false;
    }
    is_inside(mesh, at) || nearest_triangle::touches(mesh, &SeenTree::new(mesh, at), at, &mut Stats::default())
}
