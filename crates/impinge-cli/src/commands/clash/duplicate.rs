//! Whether two meshes are the same triangles at the same place, up to a tolerance.
//!
//! They are when they have as many triangles, and each triangle of one has a triangle of the other whose corners, in
//! some order, are as near as the tolerance, and the other way round. Boxes that differ by more rule it out at once.
//! Triangles of one mesh are put into a hash of cubes by their centroids; as centroids of matching triangles are as
//! near as corners are, those of eight cubes of twice the tolerance are compared. Where triangles are smaller than the
//! tolerance a cube holds many: after [`TRIES`] comparisons a triangle, the meshes are compared in the order given.
//!
//! Cost: one pass over both meshes.
//!
//! Convex solids and shapes in words are the same when no point of one is farther than the tolerance from the other,
//! whatever their triangles. Distance from a convex body is convex, so that the corners of the other tell; margins add
//! their difference. Cylinders, cones and ellipsoids differ by no more than the corners of their boxes.

use std::collections::HashMap;

use impinge::glam::DVec3;
use impinge::{Convex, Mesh, Model, Pair, Pose, Round};

use super::near;

/// Comparisons of triangles, for each triangle, before the order given decides.
const TRIES: usize = 64;
/// Of the largest coordinate, what cubes are wider: so that their numbers fit, and for the rounding of centroids.
const FINEST: f64 = 1e-12;

type Triangle = [DVec3; 3];

/// Whether they are duplicates.
pub(crate) fn same(a: &Mesh, b: &Mesh, tolerance: f64) -> bool {
    let (Some(box_a), Some(box_b)) = (a.bounds(), b.bounds()) else { return false };
    let apart = (0..2).any(|end| box_a[end].distance(box_b[end]) > tolerance * 3f64.sqrt() * (1.0 + 1e-15));
    if a.triangle_count() != b.triangle_count() || apart {
        return false;
    }
    let (a, b) = (triangles(a), triangles(b));
    let reach = box_a.iter().chain(&box_b).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    let cube = (2.0 * tolerance + FINEST * reach).max(f64::MIN_POSITIVE);
    match (matched(&a, &b, tolerance, cube), matched(&b, &a, tolerance, cube)) {
        (Some(there), Some(back)) => there && back,
        _ => a.iter().zip(&b).all(|(s, t)| fit(s, t, tolerance)),
    }
}

/// Whether they are convex, and no point of one is farther than the tolerance from the other.
pub(crate) fn same_convex(a: &Model, b: &Model, tolerance: f64) -> bool {
    let (Some(box_a), Some(box_b)) = (near::bounds(a), near::bounds(b)) else { return false };
    let apart = box_a.min.distance(box_b.min).max(box_a.max.distance(box_b.max));
    if apart > tolerance * 3f64.sqrt() * (1.0 + 1e-15) {
        return false;
    }
    if let (Model::Round(a), Model::Round(b)) = (a, b)
        && a.kind() == b.kind()
        && matches!(a.kind(), "cylinder" | "cone" | "ellipsoid")
    {
        // The boxes have the margins in them: where these differ, the cores do by as much more.
        return apart + (1.0 + 3f64.sqrt()) * (a.margin() - b.margin()).abs() <= tolerance;
    }
    let (Some((core_a, margin_a)), Some((core_b, margin_b))) = (core(a), core(b)) else { return false };
    let rest = tolerance - (margin_a - margin_b).abs();
    rest >= 0.0 && is_near(core_a, core_b, rest) && is_near(core_b, core_a, rest)
}

/// The convex polyhedron that a body is, and the margin around it.
fn core(model: &Model) -> Option<(&Convex, f64)> {
    match model {
        Model::Mesh(mesh) if mesh.is_solid() && mesh.is_convex() => Some((mesh.hull()?, 0.0)),
        Model::Round(round) => Some((round.polyhedron()?, round.margin())),
        _ => None,
    }
}

/// Whether no corner of `a` is farther than this from `b`.
fn is_near(a: &Convex, b: &Convex, most: f64) -> bool {
    let Ok(point) = Round::point(DVec3::ZERO) else { return false };
    let mut probe = Pair::new(point, b.clone());
    let mut near = |corner: DVec3| Pose::at(corner).is_ok_and(|at| probe.within(&at, &Pose::IDENTITY, most).within);
    a.vertices().iter().all(|&corner| near(corner))
}

fn triangles(mesh: &Mesh) -> Vec<Triangle> {
    (0..mesh.triangle_count() as u32).filter_map(|i| mesh.triangle(i)).collect()
}

/// Whether every triangle of `a` has its like in `b`; `None` when that takes too many comparisons.
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

/// The cubes that reach within half a cube of the point: its own first.
fn neighbours(p: DVec3, cube: f64) -> impl Iterator<Item = [i64; 3]> {
    let own = cell(p, cube);
    let side = p.to_array().map(|x| if (x / cube).fract().rem_euclid(1.0) < 0.5 { -1 } else { 1 });
    (0..8).map(move |bits: usize| std::array::from_fn(|k| own[k] + if bits >> k & 1 == 1 { side[k] } else { 0 }))
}

/// Whether corners of the two are near each other in some order.
fn fit(s: &Triangle, t: &Triangle, tolerance: f64) -> bool {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    ORDERS.iter().any(|order| (0..3).all(|k| s[k].distance(t[order[k]]) <= tolerance))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// All triangles within the tolerance of each other: the order given decides, in linear time.
    #[test]
    fn tolerances_beyond_the_triangles_end() {
        let (a, b) = (mesh(grid(60, 0.0)), mesh(grid(60, 1.0)));
        assert!(same(&a, &b, 1000.0));
    }
}
