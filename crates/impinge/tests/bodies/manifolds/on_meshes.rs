//! Manifolds of convex bodies on meshes: no edge of a flat surface is felt, and depths agree with dense sampling.

use glam::{DQuat, DVec3};
use impinge::{DepthKind, KeptPoints, ManifoldOptions, Manifolds, Mesh, Model, Pair, Pose, Round};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;

fn predicted(prediction: f64) -> ManifoldOptions {
    ManifoldOptions { prediction, points: KeptPoints::Four }
}

/// A square of 2·n² triangles with sides of `pitch`, at the heights given, turned upward; every other diagonal the
/// other way.
fn terrain(n: u32, pitch: f64, height: impl Fn(f64, f64) -> f64) -> Mesh {
    let at = |i: u32| (f64::from(i) - 0.5 * f64::from(n)) * pitch;
    let corner = |k: u32| (at(k % (n + 1)), at(k / (n + 1)));
    let vertices = (0..(n + 1) * (n + 1)).map(corner).map(|(x, y)| DVec3::new(x, y, height(x, y)));
    let triangles = (0..n * n).flat_map(|k| {
        let p = k / n * (n + 1) + k % n;
        let [q, r, s] = [p + 1, p + n + 1, p + n + 2];
        if k % 2 == 0 { [[p, q, s], [p, s, r]] } else { [[p, q, r], [q, s, r]] }
    });
    Mesh::new(vertices.collect(), triangles.collect()).unwrap()
}

/// A tilted plane, so that nothing is exact by chance.
fn tilt() -> DQuat {
    DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.7))
}

#[test]
fn a_rolling_ball_and_a_sliding_box_feel_no_edge() {
    let plane = Model::from(terrain(12, 0.37, |_, _| 0.0));
    let ball = Model::from(Round::sphere(0.5).unwrap());
    let cube = Model::from(Round::cuboid(DVec3::new(0.9, 0.7, 1.0)).unwrap());
    let floor = Pose::new(DVec3::new(0.1, 0.2, 0.3), tilt()).unwrap();
    let up = tilt() * DVec3::Z;
    let mut found = Manifolds::new();
    for swapped in [false, true] {
        for (body, points) in [(&ball, 1), (&cube, 4)] {
            let mut pair = if swapped { Pair::new(body, &plane) } else { Pair::new(&plane, body) };
            let mut ids: Option<Vec<u64>> = None;
            for step in 0..60 {
                let s = f64::from(step);
                for depth in [0.01, 0.0001, -0.005] {
                    let at = DVec3::new(0.025 * s - 0.7, 0.013 * s - 0.4, 0.5 - depth);
                    let turn = if points == 1 { DQuat::from_rotation_y(0.1 * s) } else { DQuat::IDENTITY };
                    let pose = Pose::new(floor.translation() + tilt() * at, tilt() * turn).unwrap();
                    let [pa, pb] = if swapped { [&pose, &floor] } else { [&floor, &pose] };
                    pair.manifolds(pa, pb, &predicted(0.02), &mut found);
                    let say = format!("{swapped} {points} {step} {depth}: {found:?}");
                    assert_eq!((found.len(), found.points().len()), (1, points), "{say}");
                    let manifold = found.iter().next().unwrap();
                    let normal = if swapped { -manifold.normal } else { manifold.normal };
                    assert!(normal.distance(up) < 1e-6, "{say}");
                    assert!(manifold.points.iter().all(|point| (point.depth - depth).abs() < 1e-9), "{say}");
                    assert!(manifold.kind == DepthKind::Local && manifold.depth.contains(depth), "{say}");
                    let mut now: Vec<u64> = manifold.points.iter().map(|point| point.id).collect();
                    now.sort_unstable();
                    assert_eq!(ids.get_or_insert_with(|| now.clone()), &now, "{say}");
                }
            }
        }
    }
}

/// The greatest `t` for which `p − t·n` is in the body, if any is; the body is a box by its half sides, or a ball.
fn exit(body: &Body, pose: &Pose, p: DVec3, n: DVec3) -> Option<f64> {
    let turn = pose.rotation().inverse();
    let (p, d) = (turn * (p - pose.translation()), turn * -n);
    match *body {
        Body::Ball(r) => {
            let (b, c) = (p.dot(d), p.length_squared() - r * r);
            let root = b * b - c;
            (root >= 0.0).then(|| -b + root.sqrt())
        }
        Body::Box(half) => {
            let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
            for k in 0..3 {
                if d[k].abs() < 1e-300 {
                    if p[k].abs() > half[k] {
                        return None;
                    }
                    continue;
                }
                let [x, y] = [(-half[k] - p[k]) / d[k], (half[k] - p[k]) / d[k]];
                (from, to) = (from.max(x.min(y)), to.min(x.max(y)));
            }
            (from <= to).then_some(to)
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Body {
    Ball(f64),
    Box(DVec3),
}

impl Body {
    fn random(random: &mut Random) -> Body {
        match random.below(2) {
            0 => Body::Ball(random.within(0.2, 1.0)),
            _ => Body::Box((0..3).fold(DVec3::ZERO, |v, _| DVec3::new(v.y, v.z, random.within(0.1, 0.6)))),
        }
    }

    fn model(&self) -> Model {
        match *self {
            Body::Ball(r) => Round::sphere(r).unwrap().into(),
            Body::Box(half) => Round::cuboid(half * 2.0).unwrap().into(),
        }
    }
}

/// The greatest depth of the body along `n` over points of the triangle: a grid of them, made finer about the best.
fn sampled(body: &Body, pose: &Pose, [a, b, c]: [DVec3; 3], n: DVec3) -> Option<f64> {
    let at = |u: f64, v: f64| exit(body, pose, a + (b - a) * u + (c - a) * v, n);
    let mut best: Option<(f64, f64, f64)> = None;
    let mut offer = |u: f64, v: f64| {
        let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
        if let Some(t) = at(u, v).filter(|_| inside)
            && best.is_none_or(|best| t > best.0)
        {
            best = Some((t, u, v));
        }
        best
    };
    let fine = 60;
    for i in 0..=fine {
        for j in 0..=fine - i {
            offer(f64::from(i) / f64::from(fine), f64::from(j) / f64::from(fine));
        }
    }
    let mut step = 1.0 / f64::from(fine);
    for _ in 0..120 {
        let (t, u, v) = offer(-1.0, -1.0)?;
        for k in 0..16 {
            let way = f64::from(k) * std::f64::consts::PI / 8.0;
            let (u, v) = (u + step * way.cos(), v + step * way.sin());
            let (u, v) = (u.max(0.0), v.max(0.0));
            let over = (u + v - 1.0).max(0.0);
            offer(u - 0.5 * over, v - 0.5 * over);
        }
        if offer(-1.0, -1.0).is_some_and(|best| best.0 <= t) {
            step *= 0.7;
        }
    }
    best.map(|best| best.0)
}

/// 10⁵ pairs in a long run.
#[test]
fn random_depths_agree_with_dense_sampling() {
    let mut random = Random::new(77);
    let (mut met, mut found) = (0, Manifolds::new());
    for round in 0..rounds(2500) {
        let body = Body::random(&mut random);
        let t = [0, 1, 2].map(|_| random.point(1.0));
        let mesh = Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap();
        let pose = Pose::new(random.point(1.0), random.rotation()).unwrap();
        Pair::new(mesh, body.model()).manifolds(&Pose::IDENTITY, &pose, &predicted(0.0), &mut found);
        let Some(manifold) = found.iter().next() else { continue };
        let n = manifold.normal;
        let Some(depth) = sampled(&body, &pose, t, n) else { continue };
        met += 1;
        let say = format!("round {round}: {depth} {body:?} {pose:?} {t:?} {manifold:?}");
        assert!(depth <= manifold.depth.upper + 1e-9, "{say}");
        // So deep it is: there is a point of the triangle from which the body reaches so far.
        let at = manifold.points.iter().max_by(|p, q| p.depth.total_cmp(&q.depth)).unwrap().points[0];
        let beside =
            (0..12).map(|k| at + DVec3::new(f64::from(k).cos(), f64::from(2 * k).sin(), f64::from(k).sin()) * 1e-9);
        let reached = [at].into_iter().chain(beside).filter_map(|p| exit(&body, &pose, p, n)).fold(depth, f64::max);
        assert!(manifold.depth.upper <= reached + 1e-6, "{say}");
        let face = (t[1] - t[0]).cross(t[2] - t[0]).normalize();
        assert!(n.distance(face) < 1e-9, "one triangle pushes to its front only, {say}");
        let deepest = manifold.points.iter().fold(f64::NEG_INFINITY, |x: f64, point| x.max(point.depth));
        assert!((deepest - manifold.depth.mid()).abs() < 1e-6, "{say}");
        for point in manifold.points {
            assert!(((point.points[0] - point.points[1]).dot(n) - point.depth).abs() < 1e-7, "{say}");
        }
    }
    assert!(met > 300, "{met}");
}

/// A ball a hundredth deep in a gentle terrain, everywhere: depth and direction are those of the surface below.
#[test]
fn a_ball_in_a_gentle_terrain_is_as_deep_as_it_is() {
    let height = |x: f64, y: f64| 0.05 * (1.3 * x).sin() * (0.9 * y).cos();
    let ground = Model::from(terrain(40, 0.1, height));
    let ball = Model::from(Round::sphere(0.3).unwrap());
    let mut pair = Pair::new(&ground, &ball);
    let mut found = Manifolds::new();
    for step in 0..80 {
        let (x, y) = (0.03 * f64::from(step) - 1.2, 0.9 - 0.021 * f64::from(step));
        let slope = |h: f64| [(height(x + h, y) - height(x, y)) / h, (height(x, y + h) - height(x, y)) / h];
        let [dx, dy] = slope(1e-6);
        let up = DVec3::new(-dx, -dy, 1.0).normalize();
        let pose = Pose::at(DVec3::new(x, y, height(x, y)) + up * 0.29).unwrap();
        pair.manifolds(&Pose::IDENTITY, &pose, &predicted(0.0), &mut found);
        let deepest = found.iter().max_by(|p, q| p.depth.upper.total_cmp(&q.depth.upper)).unwrap();
        let say = format!("{step}: {found:?}");
        assert!((deepest.depth.mid() - 0.01).abs() < 1e-3 && deepest.depth.width() < 1e-9, "{say}");
        assert!(found.iter().all(|manifold| manifold.normal.dot(up) > 0.99), "{say}");
    }
}

/// Where the body is convex and so is the mesh, the deepest point is as deep as the least way out, if that is short.
#[test]
fn shallow_contacts_of_convex_meshes_agree_with_penetration() {
    let mut random = Random::new(5);
    let mut found = Manifolds::new();
    let soup = impinge_testing::shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let cube = Model::from(Mesh::new(soup.vertices, soup.triangles).unwrap());
    let mut met = 0;
    for round in 0..rounds(400) {
        let body = Body::random(&mut random);
        let mut pair = Pair::new(&cube, body.model());
        let (turn, way) = (random.rotation(), random.point(1.0).normalize());
        let at = |s: f64| Pose::new(way * s, turn).unwrap();
        // As far out as they just overlap by a little.
        let (mut low, mut high) = (0.0, 5.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if pair.overlap(&Pose::IDENTITY, &at(middle)).overlap { low = middle } else { high = middle }
        }
        let pose = at(low - 0.01);
        pair.manifolds(&Pose::IDENTITY, &pose, &predicted(0.0), &mut found);
        let deep = pair.penetration(&Pose::IDENTITY, &pose);
        let deepest = found.iter().max_by(|p, q| p.depth.upper.total_cmp(&q.depth.upper)).unwrap();
        let say = format!("round {round}: {deep:?} {body:?} {pose:?} {found:?}");
        let way = deep.direction.unwrap();
        if deep.kind == DepthKind::Exact && way.dot(deepest.normal) > 0.9999 {
            met += 1;
            assert!((deepest.depth.mid() - deep.interval.mid()).abs() < 1e-3 * deep.interval.upper + 1e-7, "{say}");
        }
    }
    assert!(met > 200, "{met}");
}

/// Triangles without area, slivers, copies, and bodies of any size: whatever is told is finite and points somewhere.
#[test]
fn degenerate_terrain_is_told_in_finite_numbers() {
    let mut random = Random::new(9);
    let mut found = Manifolds::new();
    for _ in 0..rounds(150) {
        let grid = |random: &mut Random| (0..8).map(|_| random.grid_point(2)).collect::<Vec<_>>();
        let vertices = grid(&mut random);
        let corner = |random: &mut Random| random.below(8) as u32;
        let triangles = (0..12).map(|_| [corner(&mut random), corner(&mut random), corner(&mut random)]).collect();
        let Ok(mesh) = Mesh::new(vertices, triangles) else { continue };
        let (mesh, body) = (Model::from(mesh), Body::random(&mut random).model());
        let pose = Pose::new(random.point(2.0), random.rotation()).unwrap();
        for prediction in [0.0, 0.1, f64::NAN, -1.0, f64::INFINITY] {
            let mut pair = Pair::new(&mesh, &body);
            let touches = pair.contacts(&Pose::IDENTITY, &pose, impinge::Limit::All).touching();
            pair.manifolds(&Pose::IDENTITY, &pose, &predicted(prediction), &mut found);
            assert!(!touches || !found.is_empty() || found.contained.is_some(), "{mesh:?} {pose:?}");
            for manifold in found.iter() {
                assert!((manifold.normal.length() - 1.0).abs() < 1e-9, "{manifold:?}");
                assert!(manifold.points.iter().all(|p| p.depth.is_finite() && p.points[0].is_finite()));
                assert!(manifold.points.iter().all(|p| p.points[1].is_finite()), "{manifold:?}");
            }
        }
    }
}
