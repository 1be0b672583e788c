//! Triangle against triangle: the cases of section E under their ids, and a million random pairs against the oracle.

use glam::DVec3;
use impinge::{Mesh, Method, Model, Pair, Pose};
use impinge_testing::random::Random;
use impinge_testing::soup::meet;

type Corners = [DVec3; 3];

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

const A: Corners = [DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 0.0)];
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn model(corners: Corners) -> Model {
    Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap().into()
}

fn asked(a: &Model, b: &Model, method: Method) -> bool {
    let pose = Pose::IDENTITY;
    Pair::new(a.clone(), b.clone()).with_method(method).overlap(&pose, &pose).overlap
}

/// All 36 vertex orders, both argument orders, every method, and the distance with the same answer.
fn all_orders(a: Corners, b: Corners, expected: bool) {
    assert_eq!(meet(&a, &b), expected, "the oracle on {a:?} {b:?}");
    let reordered = |t: Corners| ORDERS.map(|o| model(o.map(|i| t[i])));
    let (many_a, many_b) = (reordered(a), reordered(b));
    let pose = Pose::IDENTITY;
    for (oa, s) in ORDERS.iter().zip(&many_a) {
        for (ob, t) in ORDERS.iter().zip(&many_b) {
            for method in [Method::Auto, Method::Brute, Method::Tree] {
                assert_eq!(asked(s, t, method), expected, "{a:?} in order {oa:?}, {b:?} in order {ob:?}, {method}");
                assert_eq!(asked(t, s, method), expected, "swapped: {a:?} {oa:?}, {b:?} {ob:?}, {method}");
                let distance = Pair::new(s.clone(), t.clone()).with_method(method).distance(&pose, &pose);
                assert_eq!(distance.interval.upper == 0.0, expected, "{distance:?} of {a:?} {oa:?}, {b:?} {ob:?}");
                assert_eq!(distance.penetrating, expected);
            }
        }
    }
}

#[test]
fn e01_vertex_on_vertex() {
    all_orders(A, [v(2.0, 0.0, 0.0), v(3.0, 0.0, 0.0), v(2.0, 1.0, 1.0)], true);
}

#[test]
fn e02_coplanar_vertex_on_edge() {
    all_orders(A, [v(1.0, 0.0, 0.0), v(1.0, -1.0, 0.0), v(2.0, -1.0, 0.0)], true);
}

#[test]
fn e03_shared_edge() {
    all_orders(A, [v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0), v(0.0, 0.0, 2.0)], true);
}

#[test]
fn e04_vertex_in_face() {
    all_orders(A, [v(0.5, 0.5, 0.0), v(0.5, 0.5, 1.0), v(1.0, 0.5, 1.0)], true);
}

#[test]
fn e07_coplanar_vertex_on_long_edge() {
    all_orders(A, [v(1.0, 1.0, 0.0), v(2.0, 2.0, 0.0), v(2.0, 1.0, 0.0)], true);
}

#[test]
fn e08_coplanar_contained() {
    all_orders(A, [v(0.25, 0.25, 0.0), v(0.5, 0.25, 0.0), v(0.25, 0.5, 0.0)], true);
}

#[test]
fn e12_coplanar_apart_with_overlapping_boxes() {
    all_orders(A, [v(3.0, 0.0, 0.0), v(0.0, 3.0, 0.0), v(3.0, 3.0, 0.0)], false);
}

#[test]
fn e13_axom_152() {
    let a = [v(76.648, 54.6752, 15.0012), v(76.648, 54.6752, 14.5542), v(76.582, 54.6752, 14.7879)];
    let b = [v(76.6252, 54.6752, 14.892), v(76.582, 54.6752, 14.7879), v(76.5617, 54.6752, 14.7929)];
    all_orders(a, b, true);
}

#[test]
fn e16_point_and_segment_triangles() {
    let segment = [DVec3::ZERO, DVec3::ZERO, DVec3::Y];
    all_orders([DVec3::ZERO; 3], segment, true);
    all_orders(segment, [v(0.0, 0.0, 1.0), v(0.0, 1.0, 1.0), v(1.0, 1.0, 1.0)], false);
}

/// Neighbours of the cases above, one ulp to either side of touching.
#[test]
fn one_ulp_decides() {
    let (up, down) = (1.0f64.next_up(), 1.0f64.next_down());
    let tip = |y: f64| [v(1.0, y, 0.0), v(2.0, 2.0, 0.0), v(2.0, 2.0, 1.0)];
    all_orders(A, tip(1.0), true);
    all_orders(A, tip(up), false);
    all_orders(A, tip(down), true);
    let above = |z: f64| [v(0.5, 0.5, z), v(0.5, 0.5, 1.0), v(1.0, 0.5, 1.0)];
    all_orders(A, above(1e-85), false);
    all_orders(A, above(-1e-85), true);
    let edge = |x: f64| [v(1.0, 1.0 - x, -1.0), v(1.0, 1.0 + x, 1.0), v(9.0, 9.0, 9.0)];
    all_orders(A, edge(0.25), true);
    let skew = |y: f64| [v(1.0, y, -1.0), v(1.0, y, 1.0), v(9.0, 9.0, 9.0)];
    all_orders(A, skew(1.0), true);
    all_orders(A, skew(up), false);
}

/// How many pairs the next test asks about; `IMPINGE_TRIANGLE_PAIRS` overrides it.
const PAIRS: u64 = 1_000_000;

#[test]
fn a_million_pairs_against_exact_arithmetic() {
    let count = std::env::var("IMPINGE_TRIANGLE_PAIRS").map_or(PAIRS, |n| n.parse().expect("a number of pairs"));
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let (mut met, mut wrong) = (0, Vec::new());
    std::thread::scope(|scope| {
        let share = |w: u64| move || (w..count).step_by(workers as usize).map(ask_one).collect::<Vec<_>>();
        let threads: Vec<_> = (0..workers).map(|w| scope.spawn(share(w))).collect();
        for answer in threads.into_iter().flat_map(|t| t.join().expect("no query panics")) {
            match answer {
                Ok(expected) => met += u64::from(expected),
                Err(message) => wrong.push(message),
            }
        }
    });
    wrong.sort();
    let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {count} pairs are wrong:\n{shown}", wrong.len());
    let share = met as f64 / count as f64;
    assert!((0.2..0.8).contains(&share), "a lopsided sample: {share} of the pairs meet");
}

/// Pair number `seed`: what the oracle says, or how the library differs.
fn ask_one(seed: u64) -> Result<bool, String> {
    let mut random = Random::new(seed);
    let (a, b) = match seed % 4 {
        0 | 1 => grid_pair(&mut random),
        2 => [(); 2].map(|()| [(); 3].map(|()| random.point(1.0))).into(),
        _ => nearly_touching(&mut random),
    };
    let expected = meet(&a, &b);
    let (s, t) = (model(a), model(b));
    for method in [Method::Brute, Method::Tree] {
        if asked(&s, &t, method) != expected {
            return Err(format!("pair {seed}, {method}: expected {expected} of {a:?} and {b:?}"));
        }
    }
    Ok(expected)
}

/// Small integers, made degenerate in one of eight ways.
fn grid_pair(random: &mut Random) -> (Corners, Corners) {
    let radius = 1 + random.below(2) as i64;
    let mut a = [(); 3].map(|()| random.grid_point(radius));
    let mut b = [(); 3].map(|()| random.grid_point(radius));
    match random.below(8) {
        0 => {}
        1 => b[random.below(3) as usize] = a[random.below(3) as usize],
        2 => {
            let k = random.below(3) as usize;
            (b[k], b[(k + 1) % 3]) = (a[k], a[(k + 1) % 3]);
        }
        3 => a[1] = a[0],
        4 => {
            // Collinear, in a random order.
            let step = random.grid_point(1);
            b = [0, 1, 2].map(|_| a[0] + step * (random.below(7) as f64 - 3.0));
        }
        5 => b = [b[0]; 3],
        6 => {
            // Both in one plane through the origin.
            let (u, w) = (random.grid_point(1), random.grid_point(1));
            let mut at = || u * (random.below(5) as f64 - 2.0) + w * (random.below(5) as f64 - 2.0);
            (a, b) = ([at(), at(), at()], [at(), at(), at()]);
        }
        _ => {
            // The plane of `a` passes through a corner of `b`, often inside `a`.
            let (i, j) = (random.below(3) as f64, random.below(3) as f64);
            a = a.map(|p| p * 4.0);
            b = b.map(|p| p * 4.0);
            b[0] = a[0] + (a[1] - a[0]) * i / 4.0 + (a[2] - a[0]) * j / 4.0;
        }
    }
    if random.below(2) == 0 { (a, b) } else { (b, a) }
}

fn nudge(p: DVec3, random: &mut Random) -> DVec3 {
    DVec3::from_array(p.to_array().map(|mut x| {
        for _ in 0..random.below(3) {
            x = if random.below(2) == 0 { x.next_up() } else { x.next_down() };
        }
        x
    }))
}

/// Floats that touch, or miss touching, by a few units in the last place; at scales from 1e-9 to 1e9 and offsets of
/// 1e6.
fn nearly_touching(random: &mut Random) -> (Corners, Corners) {
    let a = [(); 3].map(|()| random.point(1.0));
    let mut b = [(); 3].map(|()| random.point(1.0));
    let on_face = |random: &mut Random| {
        let (s, t) = (random.within(0.0, 1.0), random.within(0.0, 1.0));
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        a[0] + (a[1] - a[0]) * s + (a[2] - a[0]) * t
    };
    let on_edge = |random: &mut Random| a[0] + (a[1] - a[0]) * random.within(-0.05, 1.05);
    let normal = (a[1] - a[0]).cross(a[2] - a[0]);
    let above = |p: DVec3| {
        if (p - a[0]).dot(normal) < 0.0 {
            p - normal * (2.0 * (p - a[0]).dot(normal) / normal.length_squared())
        } else {
            p
        }
    };
    match random.below(6) {
        0 => b = [on_face(random), above(b[1]), above(b[2])],
        1 => b = [on_edge(random), above(b[1]), above(b[2])],
        2 => b = [a[random.below(3) as usize], above(b[1]), above(b[2])],
        3 => {
            let (p, d) = (on_edge(random), random.point(1.0));
            b = [p + d, p - d * random.within(0.0, 1.0), b[2]];
        }
        4 => b = [on_face(random), on_face(random), on_face(random)],
        _ => b = [on_edge(random), on_edge(random), b[2]],
    }
    let scale = 2.0f64.powi(random.below(60) as i32 - 30);
    let offset = if random.below(4) == 0 { random.grid_point(1) * 1e6 } else { DVec3::ZERO };
    let placed = |p: DVec3| p * scale + offset;
    let (a, b) = (a.map(placed), b.map(|p| nudge(placed(p), random)));
    if random.below(2) == 0 { (a, b) } else { (b, a) }
}
