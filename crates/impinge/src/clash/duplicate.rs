//! Whether two bodies are the same body at the same place, up to a tolerance.
//!
//! Two meshes are the same when they have as many triangles, and each triangle of one has a triangle of the other whose
//! corners, in some order, are as near as the tolerance, and the other way round. Where their boxes differ by more,
//! they are not. The triangles of one mesh are put into a hash of cubes by their centroids; as centroids of matching
//! triangles are as near as their corners, a triangle is compared with those in eight cubes of twice the tolerance.
//! Where triangles are smaller than the tolerance a cube has many: after [`TRIES`] comparisons a triangle, the meshes
//! are compared triangle by triangle in the order given.
//!
//! Cost: one pass over both meshes.
//!
//! Convex solids and shapes are the same when no point of one is farther than the tolerance from the other, whatever
//! their triangles. Distance from a convex body is a convex function, so it is enough to test the corners; a difference
//! of the margins is added. Two cylinders, cones or ellipsoids differ, each in its own frame, by no more than the
//! corners of their boxes do there; to that the motion from one frame onto the other adds how far it moves the farthest
//! corner.

use std::collections::HashMap;
use std::sync::Arc;

use glam::DVec3;

use super::body_at::{BodyAt, Triangle};
use crate::math::{Pose, Relative};
use crate::model::{Convex, Model, Outline, Round};
use crate::pair::Pair;

/// The most comparisons for each triangle, before meshes are compared in the order given.
const TRIES: usize = 64;
/// Cubes are wider by this share of the largest coordinate, so that their numbers fit, and for the rounding of
/// centroids.
const FINEST: f64 = 1e-12;

/// Whether the two are the same body.
pub(super) fn is_duplicate(a: BodyAt<'_>, b: BodyAt<'_>, tolerance: f64) -> bool {
    same_triangles(a, b, tolerance) || same_convex(a, b, tolerance)
}

fn same_triangles(a: BodyAt<'_>, b: BodyAt<'_>, tolerance: f64) -> bool {
    let (Some(mesh_a), Some(mesh_b)) = (a.model.mesh(), b.model.mesh()) else { return false };
    if Arc::ptr_eq(mesh_a, mesh_b) && a.pose == b.pose {
        return true;
    }
    if mesh_a.triangle_count() != mesh_b.triangle_count() {
        return false;
    }
    let (Some(box_a), Some(box_b)) = (least_box(a), least_box(b)) else { return false };
    if (0..2).any(|end| box_a[end].distance(box_b[end]) > farthest_corner(tolerance)) {
        return false;
    }
    let (a, b): (Vec<Triangle>, Vec<Triangle>) = (a.triangles().collect(), b.triangles().collect());
    let reach = box_a.iter().chain(&box_b).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    let cube = (2.0 * tolerance + FINEST * reach).max(f64::MIN_POSITIVE);
    match (matched(&a, &b, tolerance, cube), matched(&b, &a, tolerance, cube)) {
        (Some(there), Some(back)) => there && back,
        _ => a.iter().zip(&b).all(|(s, t)| fit(s, t, tolerance)),
    }
}

/// How far apart two equal corners of the least boxes can be, of bodies that differ by this much.
fn farthest_corner(tolerance: f64) -> f64 {
    tolerance * 3f64.sqrt() * (1.0 + 1e-15)
}

/// The least box around a mesh at its pose.
fn least_box(body: BodyAt<'_>) -> Option<[DVec3; 2]> {
    if body.is_in_place() {
        return body.mesh()?.bounds();
    }
    let join = |[low, high]: [DVec3; 2], [min, max]: [DVec3; 2]| [low.min(min), high.max(max)];
    body.triangles().flatten().map(|p| [p, p]).reduce(join)
}

/// Whether they are convex, and no point of one is farther than the tolerance from the other.
fn same_convex(a: BodyAt<'_>, b: BodyAt<'_>, tolerance: f64) -> bool {
    // Least boxes that differ decide at once; the boxes of turned bodies may be larger than the least.
    if a.is_in_place() && b.is_in_place() {
        let (Some(box_a), Some(box_b)) = (a.bounds(), b.bounds()) else { return false };
        if box_a.min.distance(box_b.min).max(box_a.max.distance(box_b.max)) > farthest_corner(tolerance) {
            return false;
        }
    }
    if let (Model::Round(round_a), Model::Round(round_b)) = (a.model, b.model)
        && round_a.kind() == round_b.kind()
        && matches!(round_a.kind(), "cylinder" | "cone" | "ellipsoid")
    {
        return same_curved([a, b], (round_a.margin() - round_b.margin()).abs(), tolerance);
    }
    let (Some((core_a, margin_a)), Some((core_b, margin_b))) = (core(a), core(b)) else { return false };
    let rest = tolerance - (margin_a - margin_b).abs();
    rest >= 0.0 && is_near((a, core_a), (b, core_b), rest) && is_near((b, core_b), (a, core_a), rest)
}

/// Whether two curved shapes of one kind are the same; `margins` is the difference of their margins.
fn same_curved([a, b]: [BodyAt<'_>; 2], margins: f64, tolerance: f64) -> bool {
    let own_box = |body: BodyAt<'_>| body.model.outline(&Pose::IDENTITY, Outline::Fitted);
    let (Some(box_a), Some(box_b)) = (own_box(a), own_box(b)) else { return false };
    let apart = box_a.min.distance(box_b.min).max(box_a.max.distance(box_b.max));
    let moved = if a.pose == b.pose {
        0.0
    } else {
        let b_in_a = Relative::new(&a.pose, &b.pose);
        let ends = [box_b.min, box_b.max];
        let corner = |bits: usize| DVec3::from_array(std::array::from_fn(|k| ends[bits >> k & 1][k]));
        (0..8).map(corner).map(|p| b_in_a.apply(p).distance(p)).fold(0.0, f64::max)
    };
    // The boxes include the margins: where these differ, the cores may differ by as much more.
    apart + moved + (1.0 + 3f64.sqrt()) * margins <= tolerance
}

/// The convex polyhedron that a body is, in its own frame, and the margin around it.
fn core(body: BodyAt<'_>) -> Option<(&Convex, f64)> {
    match body.model.mesh() {
        Some(mesh) if mesh.is_solid() && mesh.is_convex() => Some((mesh.hull()?, 0.0)),
        _ => Some((body.polyhedron()?, body.margin())),
    }
}

/// Whether no corner of the one core is farther than `most` from the other core.
fn is_near((a, core_a): (BodyAt<'_>, &Convex), (b, core_b): (BodyAt<'_>, &Convex), most: f64) -> bool {
    let Ok(point) = Round::point(DVec3::ZERO) else { return false };
    let mut probe = Pair::new(point, core_b.clone());
    let mut near = |corner: DVec3| Pose::at(corner).is_ok_and(|at| probe.within(&at, &b.pose, most).within);
    core_a.vertices().iter().all(|&corner| near(a.to_world(corner)))
}

/// Whether every triangle of `a` has a matching one in `b`; `None` when that takes too many comparisons.
fn matched(a: &[Triangle], b: &[Triangle], tolerance: f64, cube: f64) -> Option<bool> {
    let mut cubes: HashMap<[i64; 3], Vec<u32>> = HashMap::with_capacity(b.len());
    for (i, t) in b.iter().enumerate() {
        cubes.entry(cell(centroid(t), cube)).or_default().push(i as u32);
    }
    let mut tries = TRIES * a.len();
    for s in a {
        let mut found = false;
        for near in neighbours(centroid(s), cube) {
            for &i in cubes.get(&near).map_or(&[][..], Vec::as_slice) {
                tries = tries.checked_sub(1)?;
                if fit(s, &b[i as usize], tolerance) {
                    found = true;
                    break;
                }
            }
            if found {
                break;
            }
        }
        if !found {
            return Some(false);
        }
    }
    Some(true)
}

fn centroid(t: &Triangle) -> DVec3 {
    (t[0] / 3.0) + (t[1] / 3.0) + (t[2] / 3.0)
}

fn cell(p: DVec3, cube: f64) -> [i64; 3] {
    p.to_array().map(|x| (x / cube).floor() as i64)
}

/// The cubes that reach within half a cube of the point, first the one that contains it.
fn neighbours(p: DVec3, cube: f64) -> impl Iterator<Item = [i64; 3]> {
    let own = cell(p, cube);
    let side = p.to_array().map(|x| if (x / cube).fract().rem_euclid(1.0) < 0.5 { -1 } else { 1 });
    (0..8).map(move |bits: usize| std::array::from_fn(|k| own[k] + if bits >> k & 1 == 1 { side[k] } else { 0 }))
}

/// Whether the corners of the two triangles are near each other in some order.
fn fit(s: &Triangle, t: &Triangle, tolerance: f64) -> bool {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    ORDERS.iter().any(|order| (0..3).all(|k| s[k].distance(t[order[k]]) <= tolerance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mesh;

    fn same(a: &Mesh, b: &Mesh, tolerance: f64) -> bool {
        let [a, b] = [a, b].map(|mesh| Model::from(mesh.clone()));
        same_triangles(BodyAt::new(&a, &Pose::IDENTITY), BodyAt::new(&b, &Pose::IDENTITY), tolerance)
    }

    fn grid(n: u32, shift: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let points = (0..=n).flat_map(|i| (0..=n).map(move |j| DVec3::new(f64::from(i), f64::from(j), shift)));
        let corner = |i: u32, j: u32| i * (n + 1) + j;
        let quads = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let triangles = quads.flat_map(|(i, j)| {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            [[a, b, c], [a, c, d]]
        });
        (points.collect(), triangles.collect())
    }

    fn mesh((vertices, triangles): (Vec<DVec3>, Vec<[u32; 3]>)) -> Mesh {
        Mesh::new(vertices, triangles).unwrap()
    }

    #[test]
    fn order_and_winding_do_not_matter() {
        let (vertices, mut triangles) = grid(9, 0.0);
        let a = mesh((vertices.clone(), triangles.clone()));
        triangles.reverse();
        triangles.iter_mut().step_by(2).for_each(|t| t.rotate_left(1));
        triangles.iter_mut().step_by(3).for_each(|t| t.swap(0, 1));
        let b = mesh((vertices, triangles));
        assert!(same(&a, &b, 0.0) && same(&b, &a, 0.0) && same(&a, &b, 0.1));
    }

    #[test]
    fn the_tolerance_is_how_far_corners_may_be() {
        let (a, b) = (mesh(grid(5, 0.0)), mesh(grid(5, 0.25)));
        assert!(same(&a, &b, 0.25) && !same(&a, &b, 0.2499));
        let (mut vertices, triangles) = grid(5, 0.0);
        vertices[14].x += 0.1;
        let dented = mesh((vertices, triangles));
        assert!(same(&a, &dented, 0.11) && !same(&a, &dented, 0.09));
        let (vertices, mut triangles) = grid(5, 0.0);
        triangles.pop();
        assert!(!same(&a, &mesh((vertices, triangles)), 1e9), "one triangle less");
    }

    /// One quad cut along the other diagonal: as many triangles, the same points.
    #[test]
    fn other_triangles_of_the_same_points_differ() {
        let (vertices, mut triangles) = grid(5, 0.0);
        let a = mesh((vertices.clone(), triangles.clone()));
        let [[p, q, r], [_, _, s]] = [triangles[0], triangles[1]];
        (triangles[0], triangles[1]) = ([p, q, s], [q, r, s]);
        assert!(!same(&a, &mesh((vertices, triangles)), 0.01));
    }

    /// All triangles lie within the tolerance of each other: they are compared in the order given, in linear time.
    #[test]
    fn tolerances_beyond_the_triangles_end() {
        let (a, b) = (mesh(grid(60, 0.0)), mesh(grid(60, 1.0)));
        assert!(same(&a, &b, 1000.0));
    }

    /// The same shape at two poses is a duplicate as long as no point of it is farther away than the tolerance.
    #[test]
    fn shapes_that_are_turned_differ() {
        let turned = |angle: f64| Pose::new(DVec3::X, glam::DQuat::from_rotation_x(angle)).unwrap();
        for shape in [Round::cylinder(1.0, 4.0), Round::cuboid(DVec3::new(1.0, 2.0, 4.0)), Round::capsule(0.5, 4.0)] {
            let model = Model::from(shape.unwrap());
            let at = |angle: f64| BodyAt::new(&model, &turned(angle));
            assert!(is_duplicate(at(0.3), at(0.3), 1e-9));
            assert!(is_duplicate(at(0.3), at(0.300001), 0.01));
            assert!(!is_duplicate(at(0.3), at(0.4), 0.01));
        }
    }

    /// The same mesh moved by its pose, and a copy whose corners were moved instead.
    #[test]
    fn a_moved_body_is_the_same_as_one_made_there() {
        let (vertices, triangles) = grid(3, 0.0);
        let pose = Pose::new(DVec3::new(1.0, 2.0, 3.0), glam::DQuat::from_rotation_z(0.7)).unwrap();
        let moved = vertices.iter().map(|p| pose.apply(*p)).collect();
        let [here, there] = [(vertices, triangles.clone()), (moved, triangles)].map(|both| Model::from(mesh(both)));
        let made_there = BodyAt::new(&there, &Pose::IDENTITY);
        assert!(is_duplicate(BodyAt::new(&here, &pose), made_there, 1e-9));
        assert!(!is_duplicate(BodyAt::new(&here, &Pose::IDENTITY), made_there, 0.1));
    }
}
