//! Hulls of points of all kinds, against brute force and against what a closed convex surface must be.

use glam::{DMat3, DQuat, DVec3};
use impinge::Convex;
use proptest::prelude::*;

use super::oracle::{check, check_against_brute, exact_normal, extent, loops};

/// Uniform numbers from a fixed start.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// In `[−1, 1)`.
    fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    fn in_cube(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn in_ball(&mut self) -> DVec3 {
        (0..1000).map(|_| self.in_cube()).find(|v| v.length() <= 1.0 && v.length() > 1e-3).unwrap()
    }

    fn on_sphere(&mut self) -> DVec3 {
        self.in_ball().normalize()
    }

    fn turn(&mut self) -> DMat3 {
        DMat3::from_quat(DQuat::from_xyzw(self.number(), self.number(), self.number(), self.number()).normalize())
    }
}

/// Points on a line, which rounding has made a thin needle. Points beyond its sharp edges are only a little above its
/// planes.
#[test]
fn needles_of_rounding_hold_their_points() {
    let mut random = Random(41);
    for round in 0..600 {
        let (turn, origin) = (random.turn(), random.in_cube());
        let along = random.in_cube() * 10f64.powi(-(round % 6));
        let points: Vec<DVec3> = (0..31).map(|_| turn * (origin + along * random.number())).collect();
        check(&points);
    }
}

/// Planes that meet at a small angle, with points a little beyond the edge where they meet.
#[test]
fn sharp_edges_hold_what_lies_beyond_them() {
    let mut random = Random(42);
    for angle in [1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-11, 1e-12] {
        for beyond in [1e-13, 1e-12, 1e-11, 1e-10, 1e-8, 1e-6, 1e-3] {
            for round in 0..8 {
                let turn = if round == 0 { DMat3::IDENTITY } else { random.turn() };
                let far = if round % 2 == 0 { DVec3::ZERO } else { random.in_cube() };
                let mut points: Vec<DVec3> = [-1.0, 1.0]
                    .iter()
                    .flat_map(|y| [(1.0, 0.5 * angle), (1.0, -0.5 * angle), (0.0, 0.0)].map(|(x, z)| (x, *y, z)))
                    .map(|(x, y, z)| DVec3::new(x, y, z))
                    .collect();
                for _ in 0..12 {
                    let out = beyond * random.number().abs();
                    points.push(DVec3::new(-out, random.number(), 1e-16 * random.number()));
                }
                points.iter_mut().for_each(|p| *p = turn * *p + far);
                check(&points);
            }
        }
    }
}

/// Polygons a few roundings wide keep their length.
#[test]
fn thin_polygons_keep_their_tips() {
    let mut random = Random(43);
    for round in 0..2000 {
        let width = f64::EPSILON * 10f64.powf(1.0 + random.number());
        let turn = if round % 2 == 0 { DMat3::IDENTITY } else { random.turn() };
        let n = 4 + random.below(12);
        let ends = [DVec3::ZERO, DVec3::X];
        let inner = (0..n).map(|_| DVec3::new(random.number().abs(), width * random.number(), 0.0));
        let points: Vec<DVec3> = ends.into_iter().chain(inner).map(|p| turn * p).collect();
        check(&points);
    }
}

#[test]
fn small_hulls_are_what_brute_force_says() {
    let mut random = Random(1);
    for round in 0..120 {
        let n = 4 + random.below(if round % 10 == 0 { 22 } else { 12 }) as usize;
        let kinds: [&dyn Fn(&mut Random) -> DVec3; 4] =
            [&|r| r.in_ball(), &|r| r.on_sphere(), &|r| r.in_cube(), &|r| {
                DVec3::new(r.below(4) as f64, r.below(4) as f64, r.below(3) as f64)
            }];
        let mut points: Vec<DVec3> = (0..n).map(|_| kinds[round % 4](&mut random)).collect();
        // With these the points do not all lie in one plane.
        points.extend([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]);
        check_against_brute(&points);
        // The lengths are powers of two, so that coplanar points stay coplanar.
        let two = |e: i32| 2f64.powi(e);
        check_against_brute(&points.iter().map(|p| *p * two(-150)).collect::<Vec<_>>());
        check_against_brute(&points.iter().map(|p| *p * DVec3::new(two(150), two(140), two(146))).collect::<Vec<_>>());
    }
}

#[test]
fn lattice_points_have_the_cube_for_a_hull() {
    for side in [2, 3, 5, 8] {
        let points: Vec<DVec3> = (0..side * side * side)
            .map(|i| DVec3::new((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64))
            .collect();
        let hull = check(&points);
        assert_eq!((hull.vertex_count(), hull.edge_count(), hull.face_count()), (8, 12, 6));
    }
}

#[test]
fn turned_grids_on_cubes_are_cubes() {
    let mut random = Random(2);
    for round in 0..200 {
        let turn = random.turn();
        let mut points = Vec::new();
        let side = 2 + round % 5;
        for i in 0..side {
            for j in 0..side {
                let [s, t] = [i, j].map(|k| 2.0 * k as f64 / (side - 1) as f64 - 1.0);
                for sign in [-1.0, 1.0] {
                    points.extend([DVec3::new(s, t, sign), DVec3::new(s, sign, t), DVec3::new(sign, s, t)]);
                }
            }
        }
        let points: Vec<DVec3> = points.iter().map(|p| turn * *p).collect();
        let hull = check(&points);
        assert_eq!((hull.vertex_count(), hull.edge_count(), hull.face_count()), (8, 12, 6), "round {round}");
    }
}

#[test]
fn flat_points_give_a_polygon() {
    let mut random = Random(3);
    for _ in 0..300 {
        let turn = random.turn();
        let n = 3 + random.below(40) as usize;
        let points: Vec<DVec3> =
            (0..n).map(|_| turn * DVec3::new(random.number(), random.number(), 0.0) + DVec3::splat(0.3)).collect();
        let hull = check(&points);
        assert_eq!(hull.face_count(), 2, "{points:?}");
    }
    let grid: Vec<DVec3> = (0..25).map(|i| DVec3::new((i % 5) as f64, 0.0, (i / 5) as f64)).collect();
    let hull = check(&grid);
    assert_eq!((hull.vertex_count(), hull.edge_count(), hull.face_count()), (4, 4, 2));
    for _ in 0..100 {
        let turn = random.turn();
        let hull = check(&grid.iter().map(|p| turn * *p).collect::<Vec<_>>());
        assert_eq!((hull.vertex_count(), hull.edge_count(), hull.face_count()), (4, 4, 2));
    }
}

#[test]
fn collinear_points_give_a_segment_and_equal_ones_a_point() {
    let mut random = Random(4);
    for _ in 0..100 {
        let (origin, along) = (random.in_cube(), random.in_cube());
        let points: Vec<DVec3> = (0..20).map(|_| origin + along * random.number()).collect();
        let hull = check(&points);
        assert_eq!((hull.vertex_count(), hull.edge_count(), hull.face_count()), (2, 1, 0));
    }
    let hull = check(&[DVec3::new(1.0, 2.0, 3.0); 10]);
    assert_eq!((hull.vertex_count(), hull.vertex_id(0)), (1, Some(0)));
}

#[test]
fn slivers_are_tetrahedra() {
    for t in [1e-3, 1e-6, 1e-9, 1e-12, 1e-13] {
        let sliver = [DVec3::ZERO, DVec3::X, DVec3::new(0.5, t, 0.0), DVec3::new(0.5, 0.0, t)];
        let hull = check(&sliver);
        assert_eq!((hull.vertex_count(), hull.edge_count(), hull.face_count()), (4, 6, 4), "{t:e}");
        let mut random = Random(5);
        for _ in 0..50 {
            let turn = random.turn();
            let hull = check(&sliver.map(|p| turn * p));
            assert_eq!((hull.vertex_count(), hull.edge_count(), hull.face_count()), (4, 6, 4), "{t:e}");
        }
    }
}

#[test]
fn needles_and_plates_hold_their_points() {
    let mut random = Random(6);
    for round in 0..300 {
        let thin = 10f64.powi(-(round % 16));
        let stretch = match round % 3 {
            0 => DVec3::new(1.0, thin, thin),
            1 => DVec3::new(1.0, 1.0, thin),
            _ => DVec3::new(1.0, thin.sqrt(), thin),
        };
        let turn = if round % 2 == 0 { DMat3::IDENTITY } else { random.turn() };
        let n = 4 + random.below(100);
        let points: Vec<DVec3> = (0..n).map(|_| turn * (random.in_ball() * stretch)).collect();
        check(&points);
    }
}

#[test]
fn points_that_differ_by_rounding_make_a_valid_hull() {
    let mut random = Random(7);
    for round in 0..400 {
        let turn = random.turn();
        let noise = [0.0, 1e-17, 1e-16, 3e-16, 1e-15, 1e-14, 1e-12][round % 7];
        let points: Vec<DVec3> = (0..20 + random.below(200))
            .map(|_| {
                let corner = DVec3::new(random.below(3) as f64, random.below(3) as f64, random.below(3) as f64);
                turn * corner + random.in_cube() * noise
            })
            .collect();
        check(&points);
    }
}

#[test]
fn size_and_place_do_not_matter() {
    let mut random = Random(8);
    let points: Vec<DVec3> = (0..200).map(|_| random.in_ball()).collect();
    let counts = |h: &Convex| (h.vertex_count(), h.edge_count(), h.face_count());
    let plain = counts(&check(&points));
    for e in [-45, -30, -9, 9, 30, 45] {
        assert_eq!(counts(&check(&points.iter().map(|p| *p * 10f64.powi(e)).collect::<Vec<_>>())), plain, "1e{e}");
    }
    // Far away the points are rounded to a coarse lattice, and their hull is that of the rounded points.
    let cube: Vec<DVec3> = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
    for offset in [1e3, 1e9, 1e15, -1e15] {
        assert_eq!(counts(&check(&cube.iter().map(|p| *p + DVec3::splat(offset)).collect::<Vec<_>>())), (8, 12, 6));
        assert_eq!(counts(&check(&cube.iter().map(|p| *p + DVec3::X * offset).collect::<Vec<_>>())), (8, 12, 6));
        check(&points.iter().map(|p| *p + DVec3::splat(offset)).collect::<Vec<_>>());
        check(&points.iter().map(|p| 1e3 * *p + DVec3::splat(offset)).collect::<Vec<_>>());
    }
    // The axes are scaled differently, by a hundred orders of magnitude and more.
    check(&cube.iter().map(|p| *p * DVec3::new(1e50, 1e-50, 1.0)).collect::<Vec<_>>());
    check(&cube.iter().map(|p| *p * DVec3::new(1e50, 1e-300, 1e-310)).collect::<Vec<_>>());
    check(&cube.iter().map(|p| DVec3::new(1e50, p.y * 1e-50, p.z * 1e-50)).collect::<Vec<_>>());
}

#[test]
fn repeated_points_count_once() {
    let mut random = Random(9);
    for _ in 0..50 {
        let some: Vec<DVec3> = (0..30).map(|_| random.in_cube()).collect();
        let points: Vec<DVec3> = (0..300).map(|_| some[random.below(30) as usize]).collect();
        check(&points);
    }
}

#[test]
fn what_is_dropped_is_counted() {
    let cube: Vec<DVec3> = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
    let dropped = |points: &[DVec3]| {
        let hull = check(points);
        let dropped = hull.dropped();
        assert_eq!(hull.vertex_count() + dropped.copies + dropped.inside, points.len());
        (dropped.copies, dropped.inside)
    };
    assert_eq!(dropped(&cube), (0, 0));
    assert_eq!(dropped(&[&cube[..], &cube[..3], &[DVec3::new(-0.0, 1.0, 0.0)]].concat()), (4, 0));
    // In the middle, on a face, on an edge, above a face by less than rounding; and one of these twice.
    let inside = [[0.5, 0.5, 0.5], [0.5, 0.25, 1.0], [0.5, 0.0, 0.0], [0.5, 0.5, 1.0 + f64::EPSILON], [0.5, 0.5, 0.5]];
    assert_eq!(dropped(&[&inside.map(DVec3::from_array)[..], &cube[..], &cube[..1]].concat()), (1, 5));
    assert_eq!(dropped(&[DVec3::X; 10]), (9, 0));
    assert_eq!(dropped(&[DVec3::ZERO, DVec3::X, DVec3::X * 0.5, DVec3::X, DVec3::X * 0.25]), (1, 2));
    assert_eq!(dropped(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.25, 0.25, 0.0), DVec3::Y]), (1, 1));
}

/// Many points: the surface is closed, and a sample of the points is inside a sample of the faces.
fn check_large(what: &str, points: &[DVec3]) -> Convex {
    let hull = Convex::hull(points).unwrap();
    let (v, e, f) = (hull.vertex_count(), hull.edge_count(), hull.face_count());
    assert_eq!(v + f, e + 2, "{what}: Euler");
    let mut sides: Vec<(u32, u32)> = Vec::new();
    for face in loops(&hull) {
        sides.extend((0..face.len()).map(|k| (face[k], face[(k + 1) % face.len()])));
    }
    let mut back: Vec<(u32, u32)> = sides.iter().map(|&(tail, head)| (head, tail)).collect();
    sides.sort_unstable();
    back.sort_unstable();
    assert!(sides == back && sides.windows(2).all(|w| w[0] != w[1]), "{what}: not closed");
    let tolerance = 1e-13 * extent(points);
    for face in loops(&hull).iter().step_by(f / 300 + 1) {
        let corners: Vec<DVec3> = face.iter().map(|&v| points[v as usize]).collect();
        let n = exact_normal(&corners);
        for p in points.iter().step_by(points.len() / 3000 + 1).chain(hull.vertices().iter().step_by(v / 3000 + 1)) {
            assert!(n.dot(*p - corners[0]) <= tolerance, "{what}: {p} is above {corners:?}");
        }
    }
    hull
}

/// Families of points on which a simple quickhull takes quadratic time: here all of them together take a second or two.
#[test]
fn many_points_take_no_time() {
    let mut random = Random(10);
    let turn = random.turn();
    let n = 20_000;
    let circle = |r: &mut Random| {
        let a = r.number() * std::f64::consts::PI;
        DVec3::new(a.cos(), a.sin(), 0.0)
    };
    let mut family = |what: &str, point: &dyn Fn(&mut Random, usize) -> DVec3| {
        let points: Vec<DVec3> = (0..n).map(|i| point(&mut random, i)).collect();
        check_large(what, &points).vertex_count()
    };
    assert_eq!(family("sphere", &|r, _| r.on_sphere()), n);
    assert!(family("ball", &|r, _| r.in_ball()) < n / 10);
    family("cone", &|r, i| if i == 0 { DVec3::Z } else { circle(r) });
    family("turned cone", &|r, i| turn * if i == 0 { DVec3::Z } else { circle(r) });
    family("cylinder", &|r, i| circle(r) + DVec3::Z * (i % 2) as f64);
    family("turned cylinder", &|r, i| turn * (circle(r) + DVec3::Z * (i % 2) as f64));
    family("cylinder with filled caps", &|r, i| turn * (circle(r) * r.number() + DVec3::Z * (i % 2) as f64));
    family("helix", &|_, i| DVec3::new((1e-3 * i as f64).cos(), (1e-3 * i as f64).sin(), 1e-3 * i as f64));
    family("moment curve", &|_, i| {
        let t = 2.0 * i as f64 / n as f64 - 1.0;
        DVec3::new(t, t * t, t * t * t)
    });
    let cube = |r: &mut Random, i: usize| {
        let mut p = r.in_cube();
        p[i % 3] = p[i % 3].signum();
        p
    };
    assert!(family("cube", &cube) < 1000);
    assert!(family("turned cube", &|r, i| turn * cube(r, i)) < 1000);
    family("few points, often", &|_, i| Random(i as u64 % 40).in_cube());
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1.0..1.0f64,
        3 => (-2i32..=2).prop_map(f64::from),
        1 => (-2i32..=2, -1e-15..1e-15f64).prop_map(|(x, e)| f64::from(x) + e),
        1 => -1e-12..1e-12f64,
        1 => -1e-200..1e-200f64,
        1 => Just(0.1),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]
    #[test]
    fn any_points_have_a_closed_hull_around_them(
        points in prop::collection::vec([coordinate(), coordinate(), coordinate()], 1..60),
        squeeze in [0i32..14, 0i32..14],
        scale in -45i32..45,
        seed in any::<u64>(),
        turned in any::<bool>(),
    ) {
        let turn = if turned { Random(seed).turn() } else { DMat3::IDENTITY };
        let squeeze = DVec3::new(1.0, 10f64.powi(-squeeze[0]), 10f64.powi(-squeeze[1]));
        let place = |p: &[f64; 3]| turn * (DVec3::from_array(*p) * squeeze) * 10f64.powi(scale);
        let points: Vec<DVec3> = points.iter().map(place).collect();
        let size = extent(&points);
        prop_assume!(size == 0.0 || size > 1e-49);
        check(&points);
    }
}
