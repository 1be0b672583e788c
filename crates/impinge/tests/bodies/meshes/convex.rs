//! Convex meshes: `Auto` asks about their hulls, and the answers have to be those of trees and of brute force.

use glam::DVec3;
use impinge::{Convex, Mesh, Method, Model, Pair, Pose, Precision, Round};
use impinge_testing::random::Random;

fn direction(random: &mut Random) -> DVec3 {
    random.rotation() * DVec3::X
}

/// The hull of points on a sphere, as triangles.
fn ball(random: &mut Random, count: usize) -> Mesh {
    let points: Vec<DVec3> = (0..count).map(|_| direction(random)).collect();
    of_hull(&Convex::hull(&points).unwrap(), 1)
}

/// The faces of a hull as triangles about their first corners, each cut into `n²`: many vertices lie on faces.
fn of_hull(hull: &Convex, n: u32) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for f in 0..hull.face_count() as u32 {
        let corners: Vec<DVec3> = hull.face_corners(f).unwrap().map(|v| hull.vertices()[v as usize]).collect();
        for k in 1..corners.len() - 1 {
            let [p, q, r] = [corners[0], corners[k], corners[k + 1]];
            let at =
                |i: u32, j: u32| p + (q - p) * (f64::from(i) / f64::from(n)) + (r - p) * (f64::from(j) / f64::from(n));
            for i in 0..n {
                for j in 0..n - i {
                    let mut add = |t: [DVec3; 3]| {
                        let first = vertices.len() as u32;
                        vertices.extend(t);
                        triangles.push([first, first + 1, first + 2]);
                    };
                    add([at(i, j), at(i + 1, j), at(i, j + 1)]);
                    if i + j + 1 < n {
                        add([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                    }
                }
            }
        }
    }
    Mesh::new(vertices, triangles).unwrap()
}

fn boxed(random: &mut Random, sides: DVec3) -> Convex {
    let turn = random.rotation();
    let corner = |i: u32| turn * (sides * DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
    Convex::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
}

fn prism(n: u32, height: f64) -> Convex {
    let corner = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k % n) / f64::from(n);
        DVec3::new(angle.cos(), angle.sin(), height * f64::from(k / n))
    };
    Convex::hull(&(0..2 * n).map(corner).collect::<Vec<_>>()).unwrap()
}

fn bodies() -> Vec<(&'static str, Mesh)> {
    let random = &mut Random::new(3);
    let cut = |hull: &Convex, n| of_hull(hull, n);
    let dented = {
        let whole = of_hull(&boxed(random, DVec3::new(1.0, 1.2, 0.8)), 4);
        let mut v: Vec<DVec3> = (0..whole.triangle_count() as u32).flat_map(|t| whole.triangle(t).unwrap()).collect();
        let (at, middle) = (v[20], v.iter().sum::<DVec3>() / v.len() as f64);
        v.iter_mut().filter(|x| **x == at).for_each(|x| *x = x.lerp(middle, 1e-7));
        let triangles = (0..v.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        Mesh::new(v, triangles).unwrap()
    };
    vec![
        ("tetrahedron", ball(random, 4)),
        ("ball of 40", ball(random, 40)),
        ("ball of 400", ball(random, 400)),
        ("box", cut(&boxed(random, DVec3::new(1.0, 2.0, 0.5)), 1)),
        ("box of many triangles", cut(&boxed(random, DVec3::new(1.5, 0.7, 1.0)), 7)),
        ("needle", cut(&boxed(random, DVec3::new(3.0, 1e-4, 1e-4)), 2)),
        ("plate", cut(&boxed(random, DVec3::new(2.0, 2.0, 1e-6)), 3)),
        ("prism", cut(&prism(24, 0.8), 1)),
        ("prism of many triangles", cut(&prism(7, 0.5), 5)),
        ("polygon", cut(&prism(6, 0.0), 2)),
        ("box with a dent", dented),
    ]
}

fn poses(random: &mut Random, far: f64) -> [Pose; 2] {
    [0.0, far].map(|d| {
        let at = direction(random) * d + direction(random) * 0.3;
        Pose::new(at, random.rotation()).unwrap()
    })
}

/// Compares with another engine: the same yes or no, the same distance, and triangles that contain the points.
fn agree(auto: &mut Pair, other: &mut Pair, [pa, pb]: &[Pose; 2], say: &str) {
    let (d, e) = (auto.distance(pa, pb), other.distance(pa, pb));
    let (i, j) = (d.interval, e.interval);
    assert_eq!((i.upper == 0.0, d.contained), (j.upper == 0.0, e.contained), "{say}: {d:?} {e:?}");
    assert!(i.lower <= j.upper && j.lower <= i.upper, "{say}: {i:?} {j:?}");
    let width = 1e-13 * (1.0 + pb.translation().length());
    assert!(i.width() <= j.width() + width, "{say}: {i:?} is wider than {j:?}");
    if let Some(w) = &d.witness {
        let [p, q] = w.points;
        assert!((p.distance(q) - i.upper).abs() <= width, "{say}: {d:?}");
    }
    assert_eq!(auto.overlap(pa, pb).overlap, other.overlap(pa, pb).overlap, "{say}");
    for tolerance in [0.5 * j.lower, 1.5 * j.upper, j.lower + 1e-6, (j.lower - 1e-6).max(0.0), 0.1] {
        let (w, x) = (auto.within(pa, pb, tolerance), other.within(pa, pb, tolerance));
        assert_eq!(w.within, x.within, "{say}, within {tolerance}: {d:?} {e:?}");
        assert_eq!(w.witness.is_some(), x.witness.is_some(), "{say}, within {tolerance}");
    }
    let rough = auto.distance_to(pa, pb, Precision { relative: 0.1, absolute: 0.0 }).interval;
    assert!(rough.lower <= j.upper && j.lower <= rough.upper, "{say}: {rough:?} {j:?}");
}

#[test]
fn as_trees_and_brute_force_say() {
    let (random, bodies) = (&mut Random::new(1), bodies());
    for (name_a, a) in &bodies {
        for (name_b, b) in &bodies {
            let small = a.triangle_count() * b.triangle_count() < 20_000;
            let pair = |method| Pair::new(a.clone(), b.clone()).with_method(method);
            let (mut warm, mut tree, mut brute) = (pair(Method::Auto), pair(Method::Tree), pair(Method::Brute));
            for k in 0..12 {
                let far = [0.0, 0.5, 1.2, 2.0, 3.0, 50.0][k % 6];
                let poses = poses(random, far);
                let say = format!("{name_a}, {name_b}, {k}");
                agree(&mut pair(Method::Auto), &mut tree, &poses, &say);
                agree(&mut warm, &mut tree, &poses, &format!("{say}, warm"));
                if small {
                    agree(&mut warm, &mut brute, &poses, &format!("{say}, brute"));
                }
            }
        }
    }
}

/// From apart to deep overlap, in steps: remembered features change no answer.
#[test]
fn a_motion_with_memory() {
    let (random, bodies) = (&mut Random::new(2), bodies());
    for (name, b) in &bodies {
        let (mut auto, tree) = (Pair::new(bodies[1].1.clone(), b.clone()), Method::Tree);
        let mut tree = Pair::new(bodies[1].1.clone(), b.clone()).with_method(tree);
        let (way, turn) = (direction(random), random.rotation());
        for k in 0..40 {
            let pose = Pose::new(way * (4.0 - 0.1 * f64::from(k)), turn).unwrap();
            agree(&mut auto, &mut tree, &[Pose::IDENTITY, pose], &format!("{name}, step {k}"));
        }
    }
}

/// A convex mesh against shapes: the answers are those of the tree of its triangles.
#[test]
fn beside_shapes() {
    let random = &mut Random::new(4);
    let shapes: Vec<(&str, Model)> = vec![
        ("ball", Round::sphere(0.3).unwrap().into()),
        ("capsule", Round::capsule(0.2, 1.0).unwrap().into()),
        ("box", Round::cuboid(DVec3::new(0.4, 0.5, 0.6)).unwrap().into()),
        ("cylinder", Round::cylinder(0.3, 0.8).unwrap().into()),
        ("hull", boxed(random, DVec3::ONE).into()),
        ("half-space", Round::half_space(DVec3::new(0.3, 0.2, -1.0), -2.0).unwrap().into()),
    ];
    for (name, mesh) in &bodies() {
        for (other, shape) in &shapes {
            let pair = |method| Pair::new(mesh.clone(), shape.clone()).with_method(method);
            let swapped = |method| Pair::new(shape.clone(), mesh.clone()).with_method(method);
            let (mut warm, mut tree, mut back) = (pair(Method::Auto), pair(Method::Tree), swapped(Method::Tree));
            for k in 0..12 {
                let [pa, pb] = poses(random, [0.0, 0.8, 1.2, 2.0, 3.0, 50.0][k % 6]);
                let say = format!("{name}, {other}, {k}");
                for (auto, tree, [pa, pb]) in
                    [(&mut warm, &mut tree, [pa, pb]), (&mut swapped(Method::Auto), &mut back, [pb, pa])]
                {
                    let (i, j) = (auto.distance(&pa, &pb).interval, tree.distance(&pa, &pb).interval);
                    assert_eq!(i.upper == 0.0, j.upper == 0.0, "{say}: {i:?} {j:?}");
                    assert!(i.lower <= j.upper && j.lower <= i.upper, "{say}: {i:?} {j:?}");
                    assert!(i.width() <= j.width() + 1e-11, "{say}: {i:?} is wider than {j:?}");
                    assert_eq!(auto.overlap(&pa, &pb).overlap, tree.overlap(&pa, &pb).overlap, "{say}");
                    let within = |pair: &mut Pair, d| pair.within(&pa, &pb, d).within;
                    for d in [0.5 * j.lower, 2.0 * j.upper, 0.1] {
                        assert_eq!(within(auto, d), within(tree, d), "{say}, within {d}: {i:?} {j:?}");
                    }
                }
            }
        }
    }
}

/// Hulls are used because they are cheaper: a ball of 400 corners takes few tests, and a ball with a hole is asked
/// about by its tree.
#[test]
fn few_tests_whatever_the_number_of_triangles() {
    let random = &mut Random::new(5);
    let whole = ball(random, 400);
    let open: Vec<DVec3> = (1..whole.triangle_count() as u32).flat_map(|t| whole.triangle(t).unwrap()).collect();
    let triangles = (0..open.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let open = Mesh::new(open, triangles).unwrap();
    let away = Pose::new(DVec3::new(2.0, 1.0, 0.5), random.rotation()).unwrap();
    for mesh in [whole, open] {
        let ask = |method| {
            let distance = Pair::new(mesh.clone(), mesh.clone()).with_method(method).distance(&Pose::IDENTITY, &away);
            distance.stats.volume_tests + distance.stats.primitive_tests
        };
        assert!(4 * ask(Method::Auto) < ask(Method::Tree), "{} {}", ask(Method::Auto), ask(Method::Tree));
    }
}
