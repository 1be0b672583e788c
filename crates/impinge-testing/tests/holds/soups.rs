//! The oracle against answers computed by hand, and against a third way of deciding.
#![allow(clippy::excessive_precision, reason = "the digits as published")]

use std::cmp::Ordering;

use glam::DVec3;
use impinge_testing::number::Number;
use impinge_testing::overlap::{cross, dot, minus};
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::{lies_inside, meet, meet_in_big_integers, meeting_pairs, separation, surface_distance};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

const A: [DVec3; 3] = [DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 0.0)];

#[test]
fn overlap_by_hand() {
    let cases = [
        ([v(2., 0., 0.), v(3., 0., 0.), v(2., 1., 1.)], true),
        ([v(3., 0., 0.), v(0., 3., 0.), v(3., 3., 0.)], false),
        ([v(0.25, 0.25, 0.0), v(0.5, 0.25, 0.0), v(0.25, 0.5, 0.0)], true),
        ([v(0.25, 0.25, 1e-300), v(0.5, 0.25, 1.0), v(0.25, 0.5, 1.0)], false),
        ([v(0.5, 0.5, -1.0), v(0.5, 0.5, 1.0), v(0.5, 0.5, 2.0)], true),
        ([v(1.5, 1.5, -1.0), v(1.5, 1.5, 1.0), v(1.5, 1.5, 2.0)], false),
        ([v(1., 1., 0.), v(1., 1., 0.), v(1., 1., 0.)], true),
        ([v(1., 1.0f64.next_up(), 0.), v(1., 1.0f64.next_up(), 0.), v(1., 1.0f64.next_up(), 0.)], false),
        ([v(-1., 1., 0.), v(3., 1., 0.), v(1., 1., 0.)], true),
        ([v(-1., 3., 0.), v(3., 3., 0.), v(1., 3., 0.)], false),
        ([v(-9., -9., 0.), v(9., -9., 0.), v(0., 99., 0.)], true),
    ];
    for (b, expected) in cases {
        assert_eq!(meet(&A, &b), expected, "{b:?}");
        assert_eq!(meet(&b, &A), expected, "{b:?}");
        assert_eq!(meet_in_big_integers(&A, &b), expected, "{b:?}");
    }
}

#[test]
fn distance_by_hand() {
    let root = |b: [DVec3; 3]| separation(&A, &b).root();
    assert_eq!(root([v(0.5, 0.5, 3.0), v(0.5, 0.6, 4.0), v(0.5, 0.5, 5.0)]), 3.0);
    assert_eq!(root([v(2.0, 2.0, 0.0), v(3.0, 2.0, 0.0), v(3.0, 3.0, 1.0)]), 2.0f64.sqrt());
    assert_eq!(root([v(-3.0, -4.0, 0.0); 3]), 5.0);
    assert_eq!(root([v(0.5, 0.5, 2.0), v(0.5, 0.5, 1.0), v(0.5, 0.5, 1.5)]), 1.0);
    assert_eq!(root([v(1.0, 0.5, -1.0), v(1.0, 0.5, 1.0), v(1.0, -7.0, 1.0)]), 0.0);
    // Crossing edges: the x axis from below, a line along y at height 1/4.
    assert_eq!(root([v(1.0, -1.0, 0.25), v(1.0, -0.25, 0.25), v(1.0, -1.0, 9.0)]), (0.0625f64 * 2.0).sqrt());
    let tiny = A.map(|p| p * 1e-300);
    let other = [v(0.5, 0.5, 3.0); 3].map(|p| p * 1e-300);
    assert_eq!(separation(&tiny, &other).compare_root(other[0].z), Ordering::Equal);
    let square = separation(&A, &[v(2.0, 2.0, 0.0); 3]);
    assert_eq!(square.compare_root(2.0f64.sqrt()), Ordering::Less, "the f64 root of two is too large");
    assert_eq!(square.compare_root(2.0f64.sqrt().next_down()), Ordering::Greater);
    assert_eq!(square.compare_root(f64::INFINITY), Ordering::Less);
}

/// Case D19 and B07 give the exact distance to more digits than an f64 holds.
#[test]
fn distance_of_published_cases() {
    let p = [v(1.10000002, -7.9000001, 16.5879993); 3];
    let q = v(-0.569999993, -8.10000038, 16.6070004);
    let got = separation(&p, &[v(2.27699995, -7.9000001, 16.3180008), q, q]).root();
    assert!((got - 0.17147826590144151).abs() < 1e-16, "{got}");
}

#[test]
fn brute_force_on_meshes_by_hand() {
    let unit = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let far = shapes::cuboid(v(3.0, 0.5, 0.25), DVec3::ONE);
    assert_eq!(surface_distance(&unit, &far).unwrap().root(), 1.0);
    let small = shapes::cuboid(DVec3::ZERO, DVec3::splat(0.25));
    assert_eq!(surface_distance(&unit, &small).unwrap().root(), 0.75);
    assert!(meeting_pairs(&unit, &small).is_empty());
    assert!(lies_inside(&small, &unit) && !lies_inside(&unit, &small) && !lies_inside(&far, &unit));
    let touching = shapes::cuboid(v(2.0, 2.0, 2.0), DVec3::ONE);
    assert_eq!(surface_distance(&unit, &touching).unwrap().root(), 0.0);
    assert!(surface_distance(&unit, &impinge_testing::soup::Soup::default()).is_none());
    let shell = unit.clone().and(&shapes::cuboid(DVec3::ZERO, DVec3::splat(0.5)));
    assert!(!lies_inside(&small, &shell), "the inner shell bounds a cavity");
    let hole = shapes::torus(2.0, 0.5, 12, 8);
    assert!(!lies_inside(&small, &hole));
    assert!(lies_inside(&shapes::cuboid(v(0.0, 2.0, 0.0), DVec3::splat(0.1)), &hole));
}

#[test]
fn shapes_are_closed_and_wound_outwards() {
    let shapes = [
        shapes::cuboid(v(1.0, 2.0, 3.0), v(1.0, 2.0, 3.0)),
        shapes::tetra([DVec3::ZERO, DVec3::Y, DVec3::X, DVec3::Z]),
        shapes::prism(7, 1.0, 2.0),
        shapes::ring(9, 2.0, 1.0, 0.5),
        shapes::torus(2.0, 0.5, 12, 8),
        shapes::sphere(2, 3.0),
    ];
    for soup in shapes {
        let mut edges: Vec<[u32; 2]> = soup.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        edges.sort_unstable();
        let reversed = |&[a, b]: &[u32; 2]| edges.binary_search(&[b, a]).is_ok();
        assert!(edges.windows(2).all(|w| w[0] != w[1]) && edges.iter().all(reversed));
        let volume: f64 = soup.corners().iter().map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0).sum();
        assert!(volume > 0.0, "{volume}");
    }
}

/// Two convex sets are apart exactly when some direction separates them; for triangles, segments and points it can be
/// found among the differences of corners, their cross products, and the cross products of those with differences.
fn separable(a: &[[i128; 3]; 3], b: &[[i128; 3]; 3]) -> bool {
    let mut lines = vec![minus(&a[0], &b[0])];
    for t in [a, b] {
        lines.extend([minus(&t[1], &t[0]), minus(&t[2], &t[1]), minus(&t[0], &t[2])]);
    }
    let mut axes = lines.clone();
    for u in &lines {
        for w in &lines {
            let normal = cross(u, w);
            axes.extend(lines.iter().map(|x| cross(&normal, x)));
            axes.push(normal);
        }
    }
    axes.iter().any(|axis| {
        let span = |t: &[[i128; 3]; 3]| {
            let heights = t.each_ref().map(|p| dot(p, axis));
            (heights.iter().copied().min().unwrap(), heights.iter().copied().max().unwrap())
        };
        let ((al, ah), (bl, bh)) = (span(a), span(b));
        ah.minus(&bl) < 0 || bh.minus(&al) < 0
    })
}

#[test]
fn overlap_agrees_with_separating_axes_on_the_grid() {
    let mut random = Random::new(1);
    let mut met = 0;
    for _ in 0..30_000 {
        let radius = 1 + random.below(2) as i64;
        let mut one = || [(); 3].map(|()| random.grid_point(radius));
        let (a, b) = (one(), one());
        let integers = |t: [DVec3; 3]| t.map(|p| p.to_array().map(|x| x as i128));
        let expected = !separable(&integers(a), &integers(b));
        met += u32::from(expected);
        assert_eq!(meet(&a, &b), expected, "{a:?} {b:?}");
    }
    assert!((5_000..25_000).contains(&met), "a lopsided sample: {met}");
}

#[test]
fn shortcuts_agree_with_big_integers() {
    let mut random = Random::new(2);
    for i in 0..20_000 {
        let mut one = || [(); 3].map(|()| random.point(1.0));
        let (a, mut b) = (one(), one());
        if i % 2 == 0 {
            b[0] = a[0] + (a[1] - a[0]) * random.within(-0.1, 1.1);
        }
        assert_eq!(meet(&a, &b), meet_in_big_integers(&a, &b), "{a:?} {b:?}");
        assert_eq!(meet(&a, &b), separation(&a, &b).is_zero());
    }
}

/// No pair of sampled points may be nearer than the exact distance, and the nearest are hardly farther.
#[test]
fn distance_agrees_with_sampling() {
    let mut random = Random::new(3);
    for _ in 0..200 {
        let mut one = || [(); 3].map(|()| random.point(1.0));
        let (a, b) = (one(), one());
        let exact = separation(&a, &b).root();
        let n = 24;
        let sample = |t: &[DVec3; 3]| -> Vec<DVec3> {
            let points = (0..=n).flat_map(|i| (0..=n - i).map(move |j| (f64::from(i), f64::from(j))));
            points
                .map(|(i, j)| t[0] + (t[1] - t[0]) * (i / f64::from(n)) + (t[2] - t[0]) * (j / f64::from(n)))
                .collect()
        };
        let (pa, pb) = (sample(&a), sample(&b));
        let nearest = pa.iter().flat_map(|p| pb.iter().map(|q| p.distance(*q))).fold(f64::INFINITY, f64::min);
        assert!(nearest >= exact * (1.0 - 1e-12) && nearest <= exact + 0.3, "{nearest} {exact} {a:?} {b:?}");
    }
}
