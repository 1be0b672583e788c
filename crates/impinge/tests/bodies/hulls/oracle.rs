//! What every hull must be, and what a small one is exactly, by brute force.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use impinge::Convex;
use impinge_testing::hulls::truth;
use impinge_testing::number::{Number, common_exponent, integer};
use impinge_testing::overlap::{Point, cross, dot, minus};
use num_bigint::BigInt;

pub(crate) fn extent(points: &[DVec3]) -> f64 {
    let low = points.iter().fold(DVec3::INFINITY, |m, p| m.min(*p));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(*p));
    (high - low).max_element()
}

/// The loops of the faces, by index in the points given.
pub(crate) fn loops(hull: &Convex) -> Vec<Vec<u32>> {
    (0..hull.face_count() as u32)
        .map(|f| hull.face_corners(f).unwrap().map(|v| hull.vertex_id(v).unwrap()).collect())
        .collect()
}

/// A normal by cross products about the widest corner, good enough to see a point outside.
fn normal(corners: &[DVec3]) -> DVec3 {
    let c = corners.iter().skip(1).fold(DVec3::ZERO, |s, p| s + (*p - corners[0]) / corners.len() as f64);
    let sum = (0..corners.len()).fold(DVec3::ZERO, |s, k| {
        let [p, q] = [corners[k], corners[(k + 1) % corners.len()]].map(|x| (x - corners[0]) - c);
        s + p.cross(q)
    });
    sum.normalize()
}

/// What every hull must be: vertices are distinct given points, faces close up, Euler holds, nothing is outside.
pub(crate) fn check(points: &[DVec3]) -> Convex {
    let hull = Convex::hull(points).unwrap();
    check_topology(points, &hull);
    check_inside(points, &hull);
    hull
}

fn check_topology(points: &[DVec3], hull: &Convex) {
    let (v, e, f) = (hull.vertex_count(), hull.edge_count(), hull.face_count());
    let mut seen = BTreeSet::new();
    for (k, x) in hull.vertices().iter().enumerate() {
        let id = hull.vertex_id(k as u32).unwrap();
        assert_eq!(points[id as usize], *x);
        assert!(seen.insert(x.to_array().map(|c| (c + 0.0).to_bits())), "vertex {id} twice");
        assert_eq!(points.iter().position(|p| p == x), Some(id as usize), "not the first of its equals");
    }
    match v {
        1 => return assert_eq!((e, f), (0, 0)),
        2 => return assert_eq!((e, f), (1, 0)),
        _ if f == 2 => assert_eq!(e, v),
        _ => assert_eq!(v + f, e + 2, "Euler"),
    }
    let mut sides = BTreeSet::new();
    let mut degree: BTreeMap<u32, usize> = BTreeMap::new();
    for face in loops(hull) {
        assert!(face.len() >= 3);
        assert_eq!(face.iter().collect::<BTreeSet<_>>().len(), face.len(), "a corner twice in one face");
        for (k, &tail) in face.iter().enumerate() {
            assert!(sides.insert((tail, face[(k + 1) % face.len()])), "a side twice");
            *degree.entry(tail).or_default() += 1;
        }
    }
    assert_eq!(sides.len(), 2 * e);
    assert!(sides.iter().all(|&(tail, head)| sides.contains(&(head, tail))), "a side without its twin");
    assert_eq!(degree.len(), v);
    assert!(degree.values().all(|&d| d >= if f == 2 { 2 } else { 3 }), "no true corner");
}

/// Vertices lie below every face, up to rounding. What was left out is within rounding of the hull: over the plane of a
/// sliver it may be higher than that, and beyond a sharp edge it may be farther off than above any plane.
fn check_inside(points: &[DVec3], hull: &Convex) {
    let tolerance = 1e-13 * extent(points);
    let faces: Vec<(Vec<DVec3>, DVec3)> = loops(hull)
        .into_iter()
        .map(|face| face.iter().map(|&v| points[v as usize]).collect::<Vec<_>>())
        .map(|corners| {
            let n = exact_normal(&corners);
            (corners, n)
        })
        .collect();
    for (corners, n) in &faces {
        assert!((n.length() - 1.0).abs() < 1e-12, "no normal: {corners:?}");
    }
    for p in points {
        let (height, face) = faces
            .iter()
            .map(|(corners, n)| (n.dot(*p - corners[0]), corners))
            .fold((0.0, None), |top, (height, face)| if height > top.0 { (height, Some(face)) } else { top });
        if hull.vertices().contains(p) {
            assert!(height <= tolerance, "{p} is {height:e} above {face:?}, over an extent of {:e}", extent(points));
        } else if (height > 0.0 || faces.len() <= 2) && off(*p, hull.vertices(), &faces) > tolerance {
            // The slow and exact test of that.
            let off = truth(hull.vertices(), &[*p]).distance[1];
            assert!(
                off <= tolerance,
                "{p} is {height:e} above {face:?} and {off:e} off the hull, over an extent of {:e}: {:?}",
                extent(points),
                points.iter().map(|p| p.to_array()).collect::<Vec<_>>()
            );
        }
    }
}

/// How far a point is from the surface: from the edges, or the faces that it is over.
fn off(p: DVec3, vertices: &[DVec3], faces: &[(Vec<DVec3>, DVec3)]) -> f64 {
    let from_segment = |tail: DVec3, head: DVec3| {
        let (along, to) = (head - tail, p - tail);
        let share = to.dot(along) / along.length_squared();
        (to - along * if share > 0.0 { share.min(1.0) } else { 0.0 }).length()
    };
    let from_face = |(corners, n): &(Vec<DVec3>, DVec3)| {
        let sides = || (0..corners.len()).map(|k| (corners[k], corners[(k + 1) % corners.len()]));
        let over = sides().all(|(tail, head)| (head - tail).cross(*n).dot(p - tail) <= 0.0);
        let near = sides().map(|(tail, head)| from_segment(tail, head)).fold(f64::INFINITY, f64::min);
        if over { near.min(n.dot(p - corners[0]).abs()) } else { near }
    };
    match vertices {
        [tail, .., head] if faces.is_empty() => from_segment(*tail, *head),
        [only] => only.distance(p),
        _ => faces.iter().map(from_face).fold(f64::INFINITY, f64::min),
    }
}

pub(crate) fn exact_normal(corners: &[DVec3]) -> DVec3 {
    let wide = normal(corners);
    let perimeter: f64 = (0..corners.len()).map(|k| corners[k].distance(corners[(k + 1) % corners.len()])).sum();
    let area = (1..corners.len() - 1)
        .fold(DVec3::ZERO, |s, k| s + (corners[k] - corners[0]).cross(corners[k + 1] - corners[0]))
        .length();
    if area > 1e-2 * perimeter * perimeter {
        return wide;
    }
    let unit = common_exponent(corners.iter().flat_map(|p| p.to_array()));
    let exact: Vec<Point<BigInt>> = corners.iter().map(|p| p.to_array().map(|x| integer(x, unit))).collect();
    let zero = || [0; 3].map(BigInt::from);
    let sum = (0..exact.len()).fold(zero(), |s, k| {
        let c = cross(&exact[k], &exact[(k + 1) % exact.len()]);
        std::array::from_fn(|i| s[i].plus(&c[i]))
    });
    let bits = sum.iter().map(|x| x.bits()).max().unwrap();
    let shrink = |x: &BigInt| -> f64 { i128::try_from(x >> bits.saturating_sub(100)).unwrap() as f64 };
    DVec3::from_array(std::array::from_fn(|i| shrink(&sum[i]))).normalize()
}

/// The hull by brute force, exactly: every plane through three points that has none above it is a face; a corner is a
/// point on at least three of them with different normals.
struct Brute {
    corners: BTreeSet<u32>,
    faces: BTreeSet<Vec<u32>>,
}

fn brute(points: &[DVec3]) -> Brute {
    let unit = common_exponent(points.iter().flat_map(|p| p.to_array()));
    let exact: Vec<Point<BigInt>> = points.iter().map(|p| p.to_array().map(|x| integer(x, unit))).collect();
    let n = points.len();
    let mut planes: BTreeSet<Vec<u32>> = BTreeSet::new();
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                if i == j || j == k || i == k || j < i || k < i {
                    continue;
                }
                let normal = cross(&minus(&exact[j], &exact[i]), &minus(&exact[k], &exact[i]));
                if normal.iter().all(|x| Number::sign(x) == Some(0)) {
                    continue;
                }
                let sides: Vec<i8> =
                    exact.iter().map(|p| Number::sign(&dot(&normal, &minus(p, &exact[i]))).unwrap()).collect();
                if sides.iter().all(|&s| s <= 0) {
                    planes.insert((0..n as u32).filter(|&p| sides[p as usize] == 0).collect());
                }
            }
        }
    }
    // A point on three faces or more is a corner, or equal to one.
    let first = |p: u32| points.iter().position(|x| *x == points[p as usize]).unwrap() as u32;
    let count = |p: u32| planes.iter().filter(|f| f.contains(&p)).count();
    let corners: BTreeSet<u32> = (0..n as u32).filter(|&p| first(p) == p && count(p) >= 3).collect();
    let faces = planes.iter().map(|f| f.iter().copied().filter(|p| corners.contains(p)).collect()).collect();
    Brute { corners, faces }
}

pub(crate) fn check_against_brute(points: &[DVec3]) {
    let hull = check(points);
    let truth = brute(points);
    let ids: BTreeSet<u32> = (0..hull.vertex_count() as u32).map(|v| hull.vertex_id(v).unwrap()).collect();
    assert_eq!(ids, truth.corners, "{points:?}");
    let faces: BTreeSet<Vec<u32>> = loops(&hull)
        .into_iter()
        .map(|mut f| {
            f.sort_unstable();
            f
        })
        .collect();
    assert_eq!(faces, truth.faces, "{points:?}");
}
