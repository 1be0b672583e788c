//! The adversarial cases about meshes and hierarchies (section F), poses (H13) and warm starts (C02, C10, L04).

use std::f64::consts::PI;
use std::time::{Duration, Instant};

use glam::{DMat3, DQuat, DVec3};
use impinge::{BuildError, Builder, Limit, Mesh, Method, Model, Pair, Pose, PoseError, Semantics};
use impinge_testing::shapes::{copies, cuboid, prism, ring, torus};
use impinge_testing::soup::Soup;

use crate::verdict::mesh_answers::{all_verbs, cold};
use crate::verdict::meshes::{Scene, model};

const METHODS: [Method; 3] = [Method::Auto, Method::Brute, Method::Tree];
const BUILDERS: [Builder; 3] = [Builder::Auto, Builder::Sah, Builder::Ploc];

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn cube(half: f64) -> Soup {
    cuboid(DVec3::ZERO, DVec3::splat(half))
}

fn in_time<T>(limit: Duration, what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let answer = work();
    let took = start.elapsed();
    assert!(took <= limit, "{what} took {took:?}, more than {limit:?}");
    answer
}

#[test]
fn f01_bad_soups_are_refused_by_name() {
    let build = |index: usize, x: f64| {
        let mut soup = cube(1.0);
        soup.vertices[index].y = x;
        Mesh::new(soup.vertices, soup.triangles)
    };
    assert!(matches!(build(3, f64::NAN), Err(BuildError::NotFinite { vertex: 3, .. })));
    assert!(matches!(build(5, f64::INFINITY), Err(BuildError::NotFinite { vertex: 5, .. })));
    let mut soup = cube(1.0);
    soup.triangles[7][1] = 8;
    let refused = Mesh::new(soup.vertices, soup.triangles).unwrap_err();
    assert_eq!(refused, BuildError::IndexOutOfRange { triangle: 7, index: 8, vertices: 8 });
}

#[test]
fn f02_the_empty_mesh_is_near_nothing() {
    for other in [Soup::default(), cube(1.0), copies(1, [DVec3::ZERO; 3])] {
        for scene in [Scene::at_origin(Soup::default(), other.clone()), Scene::at_origin(other, Soup::default())] {
            let truth = scene.truth();
            for method in METHODS {
                all_verbs(&mut cold(&scene.models(Builder::Auto), method), &scene, &truth).unwrap();
                let far = cold(&scene.models(Builder::Auto), method).within(&scene.pose_a, &scene.pose_b, 1e300);
                assert!(!far.within);
            }
        }
    }
    assert_eq!(Mesh::empty().bounds(), None);
}

#[test]
fn f03_a_hundred_thousand_copies() {
    let one = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let soup = copies(100_000, one);
    for builder in BUILDERS {
        let many = in_time(Duration::from_secs(5), "building", || model(&soup, builder, true));
        let single = model(&copies(1, one), builder, true);
        for other in [&single, &many] {
            let at = |z: f64| Pose::at(v(0.0, 0.0, z)).unwrap();
            let mut pair = Pair::new(many.clone(), other.clone());
            let seconds = Duration::from_secs(2);
            let got = in_time(seconds, "distance", || pair.distance(&Pose::IDENTITY, &at(1.0)));
            assert!(got.interval.contains(1.0) && got.interval.width() <= 1e-12, "{got:?}");
            let near = in_time(seconds, "within", || pair.within(&Pose::IDENTITY, &at(1.0), 0.999));
            assert!(!near.within);
            assert!(!in_time(seconds, "overlap", || pair.overlap(&Pose::IDENTITY, &at(1.0))).overlap);
            assert!(in_time(seconds, "overlap", || pair.overlap(&Pose::IDENTITY, &at(0.0))).overlap);
            let some = in_time(seconds, "contacts", || pair.contacts(&Pose::IDENTITY, &at(0.0), Limit::UpTo(10)));
            assert!(some.pairs.len() == 10 && !some.complete);
        }
        let all = Pair::new(many, single).contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
        assert!(all.pairs.iter().enumerate().all(|(i, p)| *p == [i as u32, 0]) && all.pairs.len() == 100_000);
    }
}

/// A fan of `n` triangles: the apex is at the origin, the rim about one unit along `z` at slightly different heights.
fn fan(n: u32, z: f64) -> Soup {
    let rim = (0..n).map(|i| {
        let angle = 2.0 * PI * f64::from(i) / f64::from(n);
        v(angle.cos(), angle.sin(), z * (1.0 + f64::from(i % 7) * 1e-3))
    });
    let vertices = std::iter::once(DVec3::ZERO).chain(rim).collect();
    Soup { vertices, triangles: (0..n).map(|i| [0, 1 + i, 1 + (i + 1) % n]).collect() }
}

/// Like F03 but without copies: all pairs of triangles are equally near, and the answer is still narrow and comes soon.
#[test]
fn ties_at_a_pole_need_few_tests() {
    for n in [500, 20_000] {
        let (a, b) = (model(&fan(n, -1.0), Builder::Auto, true), model(&fan(n, 1.0), Builder::Auto, true));
        for tilt in [0.0, 0.3] {
            let pose = Pose::new(v(0.0, 0.0, 0.5), DQuat::from_rotation_x(tilt)).unwrap();
            let got = Pair::new(a.clone(), b.clone()).distance(&Pose::IDENTITY, &pose);
            assert!(got.interval.contains(0.5) && got.interval.width() <= 1e-12, "{n} triangles: {got:?}");
            let work = got.stats.primitive_tests + got.stats.volume_tests;
            assert!(work <= 200 * u64::from(n), "{n} triangles tilted by {tilt} need {:?}", got.stats);
        }
    }
}

#[test]
fn f04_a_box_inside_a_box() {
    let solid = Scene::at_origin(cube(1.0), cube(0.25));
    for (scene, overlap, distance) in [(solid.clone(), true, 0.0), (solid.without_insides(), false, 0.75)] {
        for scene in [scene.clone(), scene.swapped()] {
            let truth = scene.truth();
            for (builder, method) in BUILDERS.into_iter().flat_map(|b| METHODS.map(|m| (b, m))) {
                let mut pair = cold(&scene.models(builder), method);
                all_verbs(&mut pair, &scene, &truth).unwrap();
                let answer = pair.overlap(&scene.pose_a, &scene.pose_b);
                assert_eq!(answer.overlap, overlap);
                assert_eq!(answer.semantics, if overlap { Semantics::Solid } else { Semantics::Surface });
                assert_eq!(pair.distance(&scene.pose_a, &scene.pose_b).interval.mid(), distance);
            }
        }
    }
}

#[test]
fn f05_a_shaft_in_a_hole() {
    let exact = 0.00125 * (PI / 500.0).cos();
    let shaft = model(&prism(500, 1.0, 1.0), Builder::Auto, false);
    let plate = model(&ring(500, 2.0, 1.00125, 0.5), Builder::Auto, false);
    for method in [Method::Auto, Method::Tree] {
        let mut pair = Pair::new(shaft.clone(), plate.clone()).with_method(method);
        let pose = Pose::IDENTITY;
        for _ in 0..2 {
            let got = pair.distance(&pose, &pose).interval;
            assert!((got.mid() - exact).abs() <= 1e-12 && got.width() <= 1e-12, "{got:?}, exactly {exact}");
            assert!(!pair.within(&pose, &pose, 0.00124).within);
            assert!(pair.within(&pose, &pose, 0.00126).within);
            assert!(!pair.overlap(&pose, &pose).overlap);
        }
    }
}

#[test]
fn f06_nearly_parallel_boxes() {
    for exponent in 5..=17 {
        let r12 = 10f64.powi(-exponent);
        for axis in [DVec3::Z, DVec3::Y, DVec3::X, v(1.0, 1.0, 1.0).normalize()] {
            let rotation = DQuat::from_axis_angle(axis, r12.asin());
            for shift in [DVec3::X, DVec3::Y, DVec3::Z, v(0.6, 0.8, 0.0)] {
                let pose_b = Pose::new(shift, rotation).unwrap();
                let scene = Scene::new(cube(1.0), cube(1.0), Pose::IDENTITY, pose_b);
                let truth = scene.truth();
                assert!(truth.overlap());
                for method in METHODS {
                    let say = |e| format!("R12 = 1e-{exponent} about {axis}: {e}");
                    all_verbs(&mut cold(&scene.models(Builder::Auto), method), &scene, &truth).map_err(say).unwrap();
                }
            }
        }
    }
}

#[test]
fn f07_a_mesh_on_itself() {
    let soup = torus(2.0, 0.5, 100, 50);
    assert_eq!(soup.triangles.len(), 10_000);
    for builder in BUILDERS {
        let body = model(&soup, builder, false);
        let mut pair = Pair::new(body.clone(), body).with_method(Method::Tree);
        assert!(pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap);
        assert_eq!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.upper, 0.0);
        let all = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
        assert!(all.complete && (0..10_000).all(|i| all.pairs.binary_search(&[i, i]).is_ok()));
        assert!(all.pairs.iter().all(|&[i, j]| all.pairs.binary_search(&[j, i]).is_ok()), "touching is symmetric");
        let sharing = |[i, j]: &[u32; 2]| {
            let (s, t) = (soup.triangles[*i as usize], soup.triangles[*j as usize]);
            s.iter().any(|v| t.contains(v))
        };
        assert!(all.pairs.iter().all(sharing), "the torus does not cross itself");
        let corners_shared: usize = 10_000 * 13;
        assert_eq!(all.pairs.len(), corners_shared, "every triangle touches itself and its twelve neighbours");
    }
}

#[test]
fn h13_poses_that_are_made_exact_or_refused() {
    let mut matrix = DMat3::from_rotation_x(0.7);
    matrix.y_axis.z += 1e-9;
    let pose = Pose::from_matrix(DVec3::ZERO, matrix).unwrap();
    assert!((pose.rotation().length() - 1.0).abs() < 1e-15);
    assert!(pose.apply(DVec3::Y).distance(matrix * DVec3::Y) < 2e-9);
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    assert_eq!(Pose::new(DVec3::ZERO, zero), Err(PoseError::NotUnit { norm: 0.0 }));
    let nan = DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0);
    assert_eq!(Pose::new(DVec3::ZERO, nan), Err(PoseError::NotFinite));
}

#[test]
fn c02_sliding_past_a_cube_warm() {
    let body = model(&cube(1.0), Builder::Auto, false);
    for method in METHODS {
        let mut pair = Pair::new(body.clone(), body.clone()).with_method(method);
        for step in -160..=160 {
            let y = f64::from(step) / 64.0;
            let exact = (1.0 + (y.abs() - 2.0).max(0.0).powi(2)).sqrt();
            let got = pair.distance(&Pose::IDENTITY, &Pose::at(v(3.0, y, 0.0)).unwrap()).interval;
            assert!((got.mid() - exact).abs() <= 1e-12 && got.width() <= 1e-12, "y = {y}: {got:?}, exactly {exact}");
        }
    }
}

/// A memory left by an overlap, by a containment or by a far pose must not change the next answer.
#[test]
fn c10_l04_any_memory_gives_the_cold_answer() {
    let scenes: Vec<Scene> = [0.0, 1.5, 2.0, 2.5, 40.0, 3.0, 0.1]
        .into_iter()
        .flat_map(|x| [0.25, 1.0, 3.0].map(|half| Scene::moved(cube(1.0), cube(half), x, 0.3, -0.2)))
        .collect();
    let truths: Vec<_> = scenes.iter().map(Scene::truth).collect();
    for half in 0..3 {
        let own = || scenes.iter().zip(&truths).skip(half).step_by(3);
        for method in METHODS {
            let mut pair: Option<Pair> = None;
            for (before, _) in own() {
                for (scene, truth) in own() {
                    let models: [Model; 2] = scene.models(Builder::Auto);
                    let pair = pair.get_or_insert_with(|| cold(&models, method));
                    pair.distance(&before.pose_a, &before.pose_b);
                    all_verbs(pair, scene, truth).unwrap();
                    pair.forget();
                    all_verbs(pair, scene, truth).unwrap();
                }
            }
        }
    }
}
