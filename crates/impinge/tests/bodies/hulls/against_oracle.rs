//! Hulls of all sorts of points: a closed convex surface through extreme points, with every point inside.

use std::collections::BTreeMap;

use glam::DVec3;
use impinge::{BuildError, Convex};
use impinge_testing::hulls::clouds::Clouds;
use impinge_testing::hulls::shell::Shell;
use impinge_testing::hulls::{exact, size};
use impinge_testing::random::Random;
use impinge_testing::shapes;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn faces(hull: &Convex) -> Vec<Vec<u32>> {
    (0..hull.face_count() as u32).map(|f| hull.face_corners(f).unwrap().collect()).collect()
}

/// Newell's normal of a face, of the length of twice its area.
fn normal(hull: &Convex, face: &[u32]) -> DVec3 {
    let at = |i: usize| hull.vertices()[face[i % face.len()] as usize] - hull.vertices()[face[0] as usize];
    (0..face.len()).map(|i| at(i).cross(at(i + 1))).sum()
}

/// What holds of every hull with a volume.
fn is_sound(hull: &Convex, points: &[DVec3]) {
    let slack = 64.0 * f64::EPSILON * size(points);
    let (n, faces) = (hull.vertex_count(), faces(hull));
    assert_eq!(n + faces.len(), hull.edge_count() + 2, "Euler");
    for i in 0..n as u32 {
        assert_eq!(points[hull.vertex_id(i).unwrap() as usize], hull.vertices()[i as usize]);
    }
    assert!(hull.vertex_id(n as u32).is_none() && hull.face_corners(faces.len() as u32).is_none());
    let mut edges: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    for face in &faces {
        assert!(face.len() >= 3);
        let n = normal(hull, face);
        assert!(n.length() > 0.0, "face {face:?} has no area");
        let unit = n.normalize();
        let at = |i: usize| hull.vertices()[face[i % face.len()] as usize];
        for p in points {
            let height = unit.dot(*p - at(0));
            assert!(height <= slack, "{p} is {height:e} above {face:?}, {slack:e} allowed");
        }
        for i in 0..face.len() {
            *edges.entry([face[i], face[(i + 1) % face.len()]]).or_default() += 1;
            let turn = (at(i + 1) - at(i)).cross(at(i + 2) - at(i + 1)).dot(unit);
            assert!(turn >= -slack * size(points), "{face:?} is not convex: {turn:e}");
        }
    }
    assert_eq!(edges.len(), 2 * hull.edge_count());
    assert!(edges.iter().all(|([i, j], count)| *count == 1 && edges.contains_key(&[*j, *i])), "closed");
    assert!((0..n as u32).all(|i| edges.keys().any(|e| e[0] == i)), "every vertex is used");
}

/// The hull reaches as far as the points, in every direction.
fn reaches(hull: &Convex, points: &[DVec3], random: &mut Random) {
    let slack = 16.0 * f64::EPSILON * size(points);
    let centre = points[0];
    let most = |all: &[DVec3], d: DVec3| all.iter().map(|p| d.dot(*p - centre)).fold(f64::MIN, f64::max);
    for _ in 0..200 {
        let d = random.point(1.0).normalize_or(DVec3::X);
        let (outer, inner) = (most(points, d), most(hull.vertices(), d));
        assert!(inner <= outer && outer <= inner + slack, "{inner} of {outer} along {d}");
    }
}

fn random_points(random: &mut Random, family: usize) -> Vec<DVec3> {
    let n = 4 + random.below(200) as usize;
    let noise = |random: &mut Random| random.point(1e-16);
    (0..n)
        .map(|i| match family {
            0 => random.point(1.0),
            1 => random.point(1.0).normalize_or(DVec3::X),
            2 => random.grid_point(2),
            3 => random.grid_point(1) * v(1.0, 1.0, 1e-3),
            4 => random.grid_point(3) * 0.1 + noise(random),
            5 => random.point(1.0) * v(1.0, 1e-12, 1e-12),
            6 => random.point(1.0) * v(1.0, 1.0, 1e-15),
            7 => v(0.0, 0.0, f64::from(i as u32 % 2)) + random.point(1.0).with_z(0.0).normalize_or(DVec3::X),
            8 => random.point(1.0) * 1e-9 + v(1e3, 1e3, 1e3),
            9 => random.point(1e9),
            10 => random.point(1e-40),
            _ => random.point(1.0).normalize_or(DVec3::X) * 1e40,
        })
        .collect()
}

#[test]
fn random_hulls_are_sound() {
    let mut random = Random::new(1);
    for family in 0..12 {
        for round in 0..60 {
            let points = random_points(&mut random, family);
            let hull = Convex::hull(&points).unwrap_or_else(|e| panic!("{family}, {round}: {e}"));
            if hull.face_count() > 2 {
                is_sound(&hull, &points);
            }
            reaches(&hull, &points, &mut random);
        }
    }
}

/// On a lattice nothing is rounded, so the corners and the faces are exactly those of brute force.
#[test]
fn hulls_of_lattice_points_are_exact() {
    let mut random = Random::new(2);
    for round in 0..400 {
        let n = 4 + random.below(12) as usize;
        let mut points: Vec<DVec3> = (0..n).map(|_| random.grid_point(2)).collect();
        if round % 3 == 0 {
            let p = points[0];
            points.push(p);
        }
        let hull = Convex::hull(&points).unwrap();
        let clouds = Clouds::new(&points, &[]);
        let corners = clouds.points.iter().filter(|p| {
            let others: Vec<DVec3> = clouds.points.iter().filter(|q| q != p).copied().collect();
            others.is_empty() || !exact(&[**p], &others).overlap
        });
        let mut corners: Vec<[i64; 3]> = corners.map(|p| p.to_array().map(|x| x as i64)).collect();
        let mut found: Vec<[i64; 3]> = hull.vertices().iter().map(|p| p.to_array().map(|x| x as i64)).collect();
        corners.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, corners, "{points:?}");
        let shell = Shell::of(&clouds, clouds.a());
        match shell.dimension {
            0 => assert_eq!((hull.edge_count(), hull.face_count()), (0, 0)),
            1 => assert_eq!((hull.edge_count(), hull.face_count()), (1, 0)),
            2 => assert_eq!((hull.edge_count(), hull.face_count()), (corners.len(), 2)),
            _ => {
                is_sound(&hull, &points);
                let mut planes: Vec<[i64; 3]> = shell.triangles.iter().map(|t| plane(&clouds, *t)).collect();
                planes.sort_unstable();
                planes.dedup();
                assert_eq!(hull.face_count(), planes.len(), "{points:?}");
            }
        }
    }
}

/// The outward normal of a supporting triple in smallest terms.
fn plane(clouds: &Clouds, [i, j, k]: [usize; 3]) -> [i64; 3] {
    let n = clouds.step([i, j]).cross(clouds.step([i, k]));
    let above = clouds.points.iter().any(|p| n.dot(*p - clouds.points[i]) > 0.0);
    let n = (if above { -n } else { n }).to_array().map(|x| x as i64);
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    };
    let d = gcd(gcd(n[0], n[1]), n[2]);
    n.map(|x| x / d)
}

#[test]
fn flat_straight_and_single() {
    let point = Convex::hull(&[v(1.0, 2.0, 3.0); 10]).unwrap();
    assert_eq!((point.vertex_count(), point.edge_count(), point.face_count()), (1, 0, 0));
    let line: Vec<DVec3> = (0..9).map(|i| v(1.0, 2.0, -3.0) * f64::from(i % 5)).collect();
    let line = Convex::hull(&line).unwrap();
    assert_eq!((line.vertex_count(), line.edge_count(), line.face_count()), (2, 1, 0));
    let square: Vec<DVec3> = (0..25).map(|i| v(f64::from(i % 5), f64::from(i / 5), f64::from(i % 5))).collect();
    let square = Convex::hull(&square).unwrap();
    assert_eq!((square.vertex_count(), square.edge_count(), square.face_count()), (4, 4, 2));
    let turns: Vec<DVec3> = faces(&square).iter().map(|f| normal(&square, f)).collect();
    assert_eq!(turns[0], -turns[1], "a polygon has two sides");
}

#[test]
fn points_that_are_refused() {
    assert_eq!(Convex::hull(&[]).unwrap_err(), BuildError::NoPoints);
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE).vertices;
    for bad in [1e51, -1e300, f64::MAX] {
        let mut points = cube.clone();
        points[6].y = bad;
        assert!(matches!(Convex::hull(&points), Err(BuildError::TooLarge { vertex: 6, .. })), "{bad:e}");
    }
    let tiny: Vec<DVec3> = cube.iter().map(|p| *p * 1e-60).collect();
    assert!(matches!(Convex::hull(&tiny), Err(BuildError::TooSmall { .. })));
    assert!(Convex::hull(&cube.iter().map(|p| *p * 1e49).collect::<Vec<_>>()).is_ok());
    assert!(Convex::hull(&cube.iter().map(|p| *p * 1e-49).collect::<Vec<_>>()).is_ok());
    assert!(Convex::hull(&[v(0.0, 0.0, 1e-200); 3]).is_ok(), "a point has no size");
}

#[test]
fn many_points() {
    let mut random = Random::new(3);
    let ball: Vec<DVec3> = (0..20_000).map(|_| random.point(1.0).normalize_or(DVec3::X)).collect();
    let hull = Convex::hull(&ball).unwrap();
    assert!(hull.vertex_count() >= 19_990, "{} corners", hull.vertex_count());
    assert_eq!(hull.vertex_count() + hull.face_count(), hull.edge_count() + 2);
    let cube: Vec<DVec3> = (0..100_000).map(|_| random.point(1.0)).collect();
    reaches(&Convex::hull(&cube).unwrap(), &cube, &mut random);
    let lattice: Vec<DVec3> = (0..50_000).map(|_| random.grid_point(10)).collect();
    let hull = Convex::hull(&lattice).unwrap();
    assert_eq!((hull.vertex_count(), hull.edge_count(), hull.face_count()), (8, 12, 6));
}
