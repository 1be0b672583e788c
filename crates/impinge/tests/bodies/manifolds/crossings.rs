//! Curves in which surfaces cross: on tori, boxes, open meshes, and soups of small integers, where much is degenerate.

use std::collections::BTreeSet;

use glam::DVec3;
use impinge::{CrossingCurve, Crossings, Limit, Mesh, Pair, Pose, Round};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

fn mesh(soup: Soup) -> Mesh {
    Mesh::new(soup.vertices, soup.triangles).unwrap()
}

/// How far a point is from a triangle.
fn distance(x: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let [u, v] = [b - a, c - a];
    let n = u.cross(v);
    let w = x - a;
    let [y, z] = [w.cross(v).dot(n), u.cross(w).dot(n)].map(|area| area / n.length_squared());
    if y >= 0.0 && z >= 0.0 && y + z <= 1.0 {
        return (w.dot(n) / n.length()).abs();
    }
    let side =
        |p: DVec3, q: DVec3| x.distance(p.lerp(q, ((x - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0)));
    side(a, b).min(side(b, c)).min(side(c, a))
}

/// The pieces of a curve: two points, and the triangles.
fn pieces(curve: &CrossingCurve) -> impl Iterator<Item = ([DVec3; 2], [u32; 2])> + '_ {
    let count = curve.points.len();
    assert_eq!(curve.pairs.len(), if curve.closed { count } else { count - 1 });
    curve.pairs.iter().enumerate().map(move |(k, pair)| ([curve.points[k], curve.points[(k + 1) % count]], *pair))
}

/// Every piece lies on both of its triangles, and every two triangles that cross have their piece.
fn check(a: &Mesh, b: &Mesh, poses: [&Pose; 2], say: &str) -> Crossings {
    let mut pair = Pair::new(a.clone(), b.clone());
    let found = pair.crossings(poses[0], poses[1]);
    assert!(found.complete);
    let corners = |[i, j]: [u32; 2]| {
        let (s, t) = (a.triangle(i).unwrap(), b.triangle(j).unwrap());
        (s.map(|x| poses[0].apply(x)), t.map(|x| poses[1].apply(x)))
    };
    let mut all = Vec::new();
    for curve in &found.curves {
        for (ends, pair) in pieces(curve) {
            let (s, t) = corners(pair);
            for x in [ends[0], ends[1], ends[0].midpoint(ends[1])] {
                assert!(distance(x, s) < 1e-9 && distance(x, t) < 1e-9, "{say}: {ends:?} {pair:?}");
            }
            all.push(ends);
        }
    }
    for face in &found.faces {
        let (s, t) = corners(face.pair);
        assert!(face.corners.iter().all(|x| distance(*x, s) < 1e-9 && distance(*x, t) < 1e-9), "{say}: {face:?}");
    }
    for contact in pair.contacts(poses[0], poses[1], Limit::All).iter() {
        let [p, q] = contact.segment.unwrap();
        let (s, t) = corners(contact.pair);
        let [n, m] = [s, t].map(|t| (t[1] - t[0]).cross(t[2] - t[0]));
        if p.distance(q) < 1e-7 || n.cross(m).length() < 1e-9 * n.length() * m.length() {
            continue;
        }
        let middle = p.midpoint(q);
        let near = |ends: &[DVec3; 2]| {
            let along = ((middle - ends[0]).dot(ends[1] - ends[0]) / ends[0].distance_squared(ends[1])).clamp(0.0, 1.0);
            middle.distance(ends[0].lerp(ends[1], along)) < 1e-9
        };
        assert!(all.iter().any(near), "{say}: {contact:?} has no piece");
    }
    found
}

/// In general position each two triangles that touch are one piece, surfaces of solids cross in closed curves, and the
/// curves run along the product of the normals.
#[test]
fn tori_cross_in_closed_curves() {
    let torus = mesh(shapes::torus(1.0, 0.4, 24, 12));
    let mut random = Random::new(14);
    let mut counts = BTreeSet::new();
    for round in 0..rounds(40) {
        let pose = Pose::new(random.point(1.0), random.rotation()).unwrap();
        let found = check(&torus, &torus, [&Pose::IDENTITY, &pose], &format!("round {round}"));
        let touching = Pair::new(torus.clone(), torus.clone()).contacts(&Pose::IDENTITY, &pose, Limit::All);
        let mut pairs: Vec<[u32; 2]> = found.curves.iter().flat_map(|curve| curve.pairs.clone()).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, touching.pairs.to_vec(), "round {round}");
        assert!(found.curves.iter().all(|curve| curve.closed) && found.faces.is_empty(), "round {round}");
        for curve in &found.curves {
            for ([p, q], [i, j]) in pieces(curve) {
                let normal = |t: [DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).normalize();
                let along = normal(torus.triangle(i).unwrap()).cross(pose.rotate(normal(torus.triangle(j).unwrap())));
                assert!((q - p).dot(along) > -1e-12, "round {round}");
            }
        }
        counts.insert(found.curves.len());
        // The other way round the same curves run backwards.
        let swapped = Pair::new(torus.clone(), torus.clone()).crossings(&pose, &Pose::IDENTITY);
        assert_eq!(swapped.curves.len(), found.curves.len(), "round {round}");
    }
    assert!(counts.len() > 2, "{counts:?}");
}

#[test]
fn boxes_share_a_square_and_its_border() {
    let cube = mesh(shapes::cuboid(DVec3::ZERO, DVec3::ONE));
    // One corner in the other: a curve around it, of six sides and where these cross diagonals.
    let corner = Pose::at(DVec3::new(1.5, 1.25, 1.375)).unwrap();
    let found = check(&cube, &cube, [&Pose::IDENTITY, &corner], "corner");
    assert!(found.curves.len() == 1 && found.curves[0].closed && found.faces.is_empty(), "{found:?}");
    let around: f64 = pieces(&found.curves[0]).map(|([p, q], _)| p.distance(q)).sum();
    assert!((around - 2.0 * (0.5 + 0.75 + 0.625)).abs() < 1e-12, "{around}");
    // On each other: what they share is a rectangle.
    let on_top = Pose::at(DVec3::new(0.5, 0.25, 2.0)).unwrap();
    let found = check(&cube, &cube, [&Pose::IDENTITY, &on_top], "on top");
    let area = |corners: &[DVec3]| {
        let fan = (1..corners.len() - 1).map(|k| (corners[k] - corners[0]).cross(corners[k + 1] - corners[0]));
        0.5 * fan.sum::<DVec3>().length()
    };
    let shared: f64 = found.faces.iter().map(|face| area(&face.corners)).sum();
    assert!((shared - 1.5 * 1.75).abs() < 1e-9, "{shared}");
    // In the same place all faces are shared.
    let found = check(&cube, &cube, [&Pose::IDENTITY; 2], "equal");
    let shared: f64 = found.faces.iter().map(|face| area(&face.corners)).sum();
    assert!((shared - 24.0).abs() < 1e-9, "{shared}");
}

#[test]
fn open_surfaces_have_open_curves() {
    let floor = mesh(shapes::grid(8, 0.25));
    let wall = mesh(shapes::grid(5, 0.1));
    let upright = glam::DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let pose = Pose::new(DVec3::new(0.63, 0.71, -0.21), upright).unwrap();
    let found = check(&floor, &wall, [&Pose::IDENTITY, &pose], "wall");
    assert!(found.curves.len() == 1 && !found.curves[0].closed, "{found:?}");
    let curve = &found.curves[0];
    let [first, last] = [curve.points[0], curve.points[curve.points.len() - 1]];
    assert!((first.distance(last) - 0.5).abs() < 1e-12, "as wide as the wall: {first} {last}");
    let length: f64 = pieces(curve).map(|([p, q], _)| p.distance(q)).sum();
    assert!((length - 0.5).abs() < 1e-12, "{length}");
    // A corner of the one lies on the other, and edges run along edges: nothing is lost or told twice.
    let on_edges = Pose::new(DVec3::new(0.5, 0.5, -0.2), upright).unwrap();
    let found = check(&floor, &wall, [&Pose::IDENTITY, &on_edges], "on edges");
    let length: f64 = found.curves.iter().flat_map(pieces).map(|([p, q], _)| p.distance(q)).sum();
    assert!((length - 0.5).abs() < 1e-12, "{length}: {found:?}");
    let none = Pair::new(floor, Round::sphere(1.0).unwrap()).crossings(&Pose::IDENTITY, &Pose::IDENTITY);
    assert_eq!(none, Crossings { complete: true, ..Crossings::default() });
}

/// Soups with equal corners, no area and copies, on small integers: exactly what crosses is told, in finite numbers.
#[test]
fn soups_of_small_integers_are_told_exactly() {
    let mut random = Random::new(23);
    let mut counts = [0; 3];
    for round in 0..rounds(300) {
        let mut soup = || {
            let vertices: Vec<DVec3> = (0..8).map(|_| random.grid_point(1 + i64::from(round % 2))).collect();
            let mut corner = || random.below(8) as u32;
            let triangles = (0..6).map(|_| [corner(), corner(), corner()]);
            // Those without an area make no curve, and would need another oracle.
            let has_area = |t: &[u32; 3]| {
                let [p, q, r] = t.map(|v| vertices[v as usize]);
                (q - p).cross(r - p) != DVec3::ZERO
            };
            let triangles: Vec<[u32; 3]> = triangles.filter(has_area).collect();
            Mesh::new(vertices, triangles).ok()
        };
        let (Some(a), Some(b)) = (soup(), soup()) else { continue };
        let found = check(&a, &b, [&Pose::IDENTITY; 2], &format!("round {round}"));
        counts[0] += found.curves.iter().filter(|curve| !curve.closed).count();
        counts[1] += found.curves.iter().filter(|curve| curve.closed).count();
        counts[2] += found.faces.len();
    }
    assert!(counts[0] > 500 && counts[2] > 20, "{counts:?}");
}
