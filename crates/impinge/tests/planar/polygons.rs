//! Collisions in the plane against exact brute force: overlap, touching, areas, distances, depths and times of impact.

use impinge::glam::DVec2;
use impinge::planar::{Polygon, Sum};
use impinge_testing::planes;
use impinge_testing::planes::{Corners, convex, double_area, edges, minus, moved, overlap, points, simple};
use impinge_testing::random::Random;

fn polygon(c: &Corners) -> Polygon {
    Polygon::new(&points(c)).unwrap()
}

fn vector(x: [i128; 2]) -> DVec2 {
    points(&vec![x])[0]
}

fn relative(x: f64, y: f64) -> f64 {
    if x == y { 0.0 } else { (x - y).abs() / x.abs().max(y.abs()) }
}

const RANGES: [u64; 3] = [4, 1000, 1 << 59];

#[test]
fn convex_pairs_overlap_as_brute_force_says() {
    let mut random = Random::new(1);
    let (mut hits, mut touching) = (0, 0);
    for round in 0..100_000 {
        let range = RANGES[round % 3];
        let (a, b, x) = (convex(&mut random, range), convex(&mut random, range), planes::point(&mut random, range));
        let obstacle = Sum::obstacle(&polygon(&a), &polygon(&b)).unwrap();
        assert!(obstacle.is_convex());
        let expected = overlap(&a, &moved(&b, x));
        assert_eq!(obstacle.contains(vector(x)).unwrap(), expected, "{a:?} {b:?} {x:?}");
        let depth = obstacle.depth(vector(x)).unwrap();
        assert_eq!(depth.is_some(), expected);
        hits += usize::from(expected);
        touching += usize::from(depth.is_some_and(|d| d.length == 0.0));
    }
    assert!(hits > 20_000 && touching > 500, "{hits} {touching}");
}

#[test]
fn general_pairs_overlap_as_brute_force_says() {
    let mut random = Random::new(2);
    let (mut hits, mut bent) = (0, 0);
    for round in 0..10_000 {
        let range = RANGES[round % 3];
        let (a, b, x) = (simple(&mut random, range), simple(&mut random, range), planes::point(&mut random, range));
        let (p, q) = (polygon(&a), polygon(&b));
        bent += usize::from(!p.is_convex());
        let expected = overlap(&a, &moved(&b, x));
        assert_eq!(Sum::obstacle(&p, &q).unwrap().contains(vector(x)).unwrap(), expected, "{a:?} {b:?} {x:?}");
        hits += usize::from(expected);
    }
    assert!((2_000..9_500).contains(&hits) && bent > 5_000, "{hits} {bent}");
}

#[test]
fn pieces_tile_the_polygon() {
    let mut random = Random::new(3);
    for round in 0..5_000 {
        let c = simple(&mut random, RANGES[round % 2]);
        let p = polygon(&c);
        let twice = |c: &[DVec2]| double_area(&c.iter().map(|v| [v.x as i128, v.y as i128]).collect());
        assert_eq!(twice(p.corners()), double_area(&c).abs());
        assert_eq!(p.pieces().map(twice).sum::<i128>(), double_area(&c).abs());
        for piece in p.pieces() {
            assert!(Polygon::new(piece).unwrap().is_convex());
        }
    }
}

/// area(P ⊕ Q) = area P + area Q + Σ over the edges of P of the support of Q along the edge's normal × its length.
#[test]
fn areas_add_up_with_the_mixed_area() {
    let mut random = Random::new(4);
    for _ in 0..2_000 {
        let (a, b) = (convex(&mut random, 1000), convex(&mut random, 1000));
        let mixed: i128 = edges(&a).map(|[p, q]| b.iter().map(|&c| planes::cross(c, minus(q, p))).max().unwrap()).sum();
        let twice = double_area(&a) + double_area(&b) + 2 * mixed;
        let sum = Sum::new(&polygon(&a), &polygon(&b)).unwrap();
        assert_eq!(sum.area().unwrap(), twice as f64 / 2.0);
        let doubled = Sum::new(&polygon(&a), &polygon(&a)).unwrap();
        assert_eq!(doubled.area().unwrap(), 2.0 * double_area(&a) as f64);
        let corners: Corners = sum.pieces().next().unwrap().iter().map(|v| [v.x as i128, v.y as i128]).collect();
        let all = a.iter().flat_map(|p| b.iter().map(|q| [p[0] + q[0], p[1] + q[1]])).collect();
        assert_eq!(planes::hull(corners.clone()), planes::hull(all));
        assert_eq!(corners.len(), planes::hull(corners.clone()).len());
    }
}

#[test]
fn distances_agree_and_lead_there() {
    let mut random = Random::new(5);
    for round in 0..6_000 {
        let range = RANGES[round % 3];
        let shape = if round % 2 == 0 { convex } else { simple };
        let (a, b) = (shape(&mut random, range), shape(&mut random, range));
        let x = planes::point(&mut random, 3 * range.min(1 << 58));
        let expected = overlap(&a, &moved(&b, x));
        let obstacle = Sum::obstacle(&polygon(&a), &polygon(&b)).unwrap();
        let found = obstacle.distance(vector(x)).unwrap();
        assert_eq!(found.length == 0.0, expected);
        if !expected {
            assert!(relative(found.length, planes::distance(&a, &moved(&b, x))) < 1e-14);
            let there = vector(x) + found.direction * found.length;
            assert!(obstacle.distance(there).unwrap().length < 1e-14 * range as f64);
        }
    }
}

#[test]
fn convex_depth_is_the_nearest_edge_of_the_hull_of_all_differences() {
    let mut random = Random::new(6);
    let mut deep = 0;
    for round in 0..5_000 {
        let range = RANGES[round % 2];
        let (a, b, x) = (convex(&mut random, range), convex(&mut random, range), planes::point(&mut random, range));
        let Some(depth) = Sum::obstacle(&polygon(&a), &polygon(&b)).unwrap().depth(vector(x)).unwrap() else {
            continue;
        };
        let all = a.iter().flat_map(|&p| b.iter().map(move |&q| minus(p, q))).collect();
        let expected = edges(&planes::hull(all))
            .map(|[p, q]| planes::turn(p, q, x) as f64 / (planes::dot(minus(q, p), minus(q, p)) as f64).sqrt())
            .fold(f64::INFINITY, f64::min);
        assert!(relative(depth.length, expected) < 1e-14, "{} {expected}", depth.length);
        assert!((depth.direction.length() - 1.0).abs() < 1e-14);
        deep += 1;
    }
    assert!(deep > 1_000);
}

/// The translation separates the polygons, and nothing shorter does: neither along 64 directions nor half of it.
#[test]
fn general_depth_is_least_among_many_directions() {
    let mut random = Random::new(7);
    let mut deep = 0;
    for _ in 0..2_000 {
        let (a, b, x) = (simple(&mut random, 1000), simple(&mut random, 1000), planes::point(&mut random, 1000));
        let obstacle = Sum::obstacle(&polygon(&a), &polygon(&b)).unwrap();
        let x = vector(x);
        let Some(depth) = obstacle.depth(x).unwrap() else { continue };
        if depth.length == 0.0 {
            continue;
        }
        deep += 1;
        let inside = |by: DVec2| obstacle.depth(x + by).unwrap().is_some_and(|d| d.length > 1e-9);
        assert!(!inside(depth.direction * depth.length), "{a:?} {b:?} {x:?} {depth:?}");
        for k in 0..64 {
            let direction = DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / 64.0);
            for part in [0.3, 0.6, 0.9, 0.999] {
                let by = direction * depth.length * part;
                assert!(obstacle.contains(x + by).unwrap(), "{a:?} {b:?} {x:?} {depth:?} {direction} {part}");
            }
        }
    }
    assert!(deep > 300, "{deep}");
}

#[test]
fn times_of_impact_agree() {
    let mut random = Random::new(8);
    let (mut hits, mut misses) = (0, 0);
    for round in 0..20_000 {
        let range = RANGES[round % 3].min(1 << 57);
        let shape = if round % 4 == 0 { simple } else { convex };
        let (a, b) = (shape(&mut random, range), shape(&mut random, range));
        let (x, m) = (planes::point(&mut random, 4 * range), planes::point(&mut random, 4 * range));
        let obstacle = Sum::obstacle(&polygon(&a), &polygon(&b)).unwrap();
        let found = obstacle.cast(vector(x), vector(m)).unwrap();
        if overlap(&a, &moved(&b, x)) {
            assert_eq!(found.unwrap().time, 0.0);
            continue;
        }
        let expected = planes::time_of_impact(&a, &moved(&b, x), m);
        assert_eq!(found.is_some(), expected.is_some(), "{a:?} {b:?} {x:?} {m:?}");
        if let (Some(found), Some(expected)) = (found, expected) {
            assert!(relative(found.time, expected) < 1e-13, "{} {expected}", found.time);
            assert!(found.normal.dot(vector(m)) <= 1e-9 * vector(m).length());
            hits += 1;
        } else {
            misses += 1;
        }
    }
    assert!(hits > 2_000 && misses > 2_000, "{hits} {misses}");
}
