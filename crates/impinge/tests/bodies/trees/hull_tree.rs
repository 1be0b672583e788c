//! Trees of convex hulls, with every optimisation and without: the same answers as brute force, cold and warm.

use std::time::{Duration, Instant};

use glam::{DQuat, DVec3};
use impinge::bound::{HullTree, Volume};
use impinge::{Builder, Limit, Mesh, Method, Model, Pair, Pose, Stats};
use impinge_testing::shapes;
use impinge_testing::soup::Soup;
use proptest::prelude::*;

use crate::counting::allocations;
use crate::verdict::engines::{hull_trees, hulled, in_volume};
use crate::verdict::mesh_answers::{all_verbs, cold};
use crate::verdict::meshes::{Scene, model};
use crate::verdict::scenes::{config, free_scene, lattice_scene, wild_scene};

fn exact_with_every_optimisation(scene: &Scene) -> Result<(), TestCaseError> {
    let truth = scene.truth();
    for options in [HullTree::default(), HullTree::PLAIN, HullTree { cut_table: false, ..HullTree::default() }] {
        let mut pair = cold(&scene.models(Builder::Binary).map(|m| hulled(m, options)), Method::Tree);
        for _ in 0..2 {
            let checked = all_verbs(&mut pair, scene, &truth);
            prop_assert!(checked.is_ok(), "{options:?}: {}", checked.unwrap_err());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn lattice_scenes(scene in lattice_scene()) {
        exact_with_every_optimisation(&scene)?;
    }

    #[test]
    fn free_scenes(scene in free_scene()) {
        exact_with_every_optimisation(&scene)?;
    }

    #[test]
    fn wild_scenes(scene in wild_scene()) {
        exact_with_every_optimisation(&scene)?;
    }
}

/// Small steps from far away to the middle of the other body, turning all the while.
fn path(steps: u32) -> Vec<Pose> {
    let step = |k: u32| {
        let t = f64::from(k) / f64::from(steps);
        let turn = DQuat::from_rotation_y(0.4 * t) * DQuat::from_rotation_x(0.9);
        Pose::new(DVec3::new(3.4 - 3.2 * t, 0.3 * t, 0.2), turn).unwrap()
    };
    (0..steps).map(step).collect()
}

/// One pair that remembers along the path, and new pairs at each of its poses, against brute force.
#[test]
fn warm_is_cold_is_brute_force() {
    let bodies = [shapes::torus(1.0, 0.4, 40, 16), shapes::rubble(5, 500), shapes::sphere(3, 1.0)];
    for (a, b) in [(0, 1), (0, 0), (2, 0), (1, 2)] {
        let plain = [a, b].map(|i| model(&bodies[i], Builder::Auto, true));
        let mut brute = cold(&plain, Method::Brute);
        let poses = path(12);
        let truths: Vec<_> = poses
            .iter()
            .map(|p| {
                (brute.contacts(&Pose::IDENTITY, p, Limit::All).pairs, brute.distance(&Pose::IDENTITY, p).interval)
            })
            .collect();
        for (name, options) in hull_trees() {
            let models = plain.clone().map(|m| hulled(m, options));
            let mut warm = cold(&models, Method::Tree);
            for (k, (pose, (pairs, interval))) in poses.iter().zip(&truths).enumerate() {
                let mut fresh = cold(&models, Method::Tree);
                for (warmth, pair) in [("warm", &mut warm), ("cold", &mut fresh)] {
                    let what = format!("{name}, bodies {a} and {b} at step {k}, {warmth}");
                    let got = pair.distance(&Pose::IDENTITY, pose).interval;
                    assert!((got.mid() - interval.mid()).abs() <= 1e-12, "{what}: {got:?}, not {interval:?}");
                    assert_eq!(pair.contacts(&Pose::IDENTITY, pose, Limit::All).pairs, *pairs, "{what}");
                    assert_eq!(pair.overlap(&Pose::IDENTITY, pose).overlap, !pairs.is_empty(), "{what}");
                    for factor in [0.9, 1.1, 30.0] {
                        let near = pair.within(&Pose::IDENTITY, pose, factor * interval.upper).within;
                        assert_eq!(near, factor > 1.0 || interval.upper == 0.0, "{what}: within {factor} times");
                    }
                }
            }
        }
    }
}

fn sum(x: Stats, y: Stats) -> Stats {
    Stats {
        volume_tests: x.volume_tests + y.volume_tests,
        primitive_tests: x.primitive_tests + y.primitive_tests,
        iterations: x.iterations + y.iterations,
    }
}

/// All optimisations together; `narrow/mesh/trials/hull_tree_counts.rs` tells them apart.
#[test]
fn optimised_takes_a_fraction_of_the_steps() {
    let plain = model(&shapes::torus(1.0, 0.4, 96, 40), Builder::Auto, true);
    let cost = |options: HullTree| {
        let body = hulled(plain.clone(), options);
        let mut pair = Pair::new(body.clone(), body);
        let near = |t: f64| Pose::new(DVec3::new(2.86, 0.1 * t, 0.0), DQuat::from_rotation_z(0.05 * t)).unwrap();
        let all = (0..60).map(|k| pair.distance(&Pose::IDENTITY, &near(f64::from(k) / 60.0)).stats);
        all.reduce(sum).unwrap()
    };
    let [all, none] = [HullTree::default(), HullTree::PLAIN].map(cost);
    assert!(10 * all.iterations < none.iterations, "{all:?} {none:?}");
}

#[test]
fn capped_hulls_take_less_memory() {
    let soup = shapes::torus(1.0, 0.4, 96, 40);
    let bytes = |vertex_cap: usize| {
        let mesh = Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap();
        let mesh = std::sync::Arc::new(mesh.with_hulls(HullTree { vertex_cap, ..HullTree::default() }));
        Pair::new(mesh.clone(), mesh.clone()).overlap(&Pose::IDENTITY, &Pose::IDENTITY);
        mesh.tree_bytes()
    };
    assert!(bytes(16) < bytes(64) && bytes(64) < bytes(usize::MAX));
}

/// Hulls tell apart what boxes do not: a second look at the same poses opens fewer pairs than boxes alone.
#[test]
fn hulls_cut_what_boxes_leave() {
    let soup = shapes::torus(1.0, 0.4, 96, 40);
    let plain = model(&soup, Builder::Auto, true);
    let pose = Pose::new(DVec3::new(2.83, 0.0, 0.1), DQuat::from_rotation_x(0.5)).unwrap();
    let tests = |model: Model| {
        let mut pair = Pair::new(model.clone(), model);
        pair.distance(&Pose::IDENTITY, &pose);
        (0..20).map(|_| pair.distance(&Pose::IDENTITY, &pose).stats).reduce(sum).unwrap()
    };
    let options = HullTree { cut_table: false, ..HullTree::default() };
    let (boxes, hulls) = (tests(plain.clone()), tests(hulled(plain, options)));
    assert!(hulls.primitive_tests <= boxes.primitive_tests, "{hulls:?} {boxes:?}");
}

#[test]
fn no_distance_allocates_once_the_memory_is_there() {
    let body = hulled(model(&shapes::torus(1.0, 0.4, 60, 30), Builder::Auto, true), HullTree::default());
    let mut pair = Pair::new(body.clone(), body);
    let poses = path(20);
    let ask = |pair: &mut Pair| {
        for pose in &poses {
            pair.distance(&Pose::IDENTITY, pose);
            pair.within(&Pose::IDENTITY, pose, 0.2);
        }
    };
    (0..8).for_each(|_| ask(&mut pair));
    assert_eq!(allocations(|| ask(&mut pair)), 0);
}

fn is_same_as_boxes(a: &Soup, b: &Soup, pose: &Pose, tolerance: f64) {
    let plain = [a, b].map(|s| model(s, Builder::Auto, true));
    let mut boxes = cold(&plain, Method::Tree);
    let truth = boxes.distance(&Pose::IDENTITY, pose).interval;
    for (name, options) in hull_trees() {
        let mut pair = cold(&plain.clone().map(|m| hulled(m, options)), Method::Tree);
        for _ in 0..2 {
            let got = pair.distance(&Pose::IDENTITY, pose).interval;
            assert!((got.mid() - truth.mid()).abs() <= tolerance, "{name}: {got:?}, not {truth:?}");
            assert_eq!(pair.overlap(&Pose::IDENTITY, pose).overlap, boxes.overlap(&Pose::IDENTITY, pose).overlap);
        }
    }
}

#[test]
fn extents_of_any_size() {
    let torus = shapes::torus(1.0, 0.4, 12, 8);
    for size in [1e-300, 1e-150, 1e-60, 1e60, 1e149] {
        let pose = Pose::at(DVec3::new(2.9, 0.1, 0.3) * size).unwrap();
        let soup = torus.map(|p| p * size);
        is_same_as_boxes(&soup, &soup, &pose, 1e-12 * size);
        // A very small body beside the other, and the same far away.
        let speck = torus.map(|p| p * (size * 1e-20).max(1e-300));
        is_same_as_boxes(&soup, &speck, &pose, 1e-12 * size);
        let far = Pose::at(DVec3::new(1e149, 0.0, 0.0)).unwrap();
        is_same_as_boxes(&speck, &soup, &far, 1e-12 * 1e149);
    }
    // The parts are so small in relation to the whole that they are like points.
    let dust = torus.map(|p| p * 1e-200).and(&torus);
    is_same_as_boxes(&dust, &dust, &Pose::at(DVec3::new(0.2, 0.0, 0.1)).unwrap(), 1e-12);
}

#[test]
fn many_equal_flat_and_pointlike_triangles_build_in_time() {
    let start = Instant::now();
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let same = shapes::copies(1_000_000, corners);
    let turned = |i: u32| {
        let angle = f64::from(i) * 1e-4;
        let p = DVec3::new(angle.cos(), angle.sin(), 0.0);
        [p, -0.5 * p + DVec3::Z, -0.5 * p - DVec3::Z]
    };
    let n = 30_000;
    let fan = Soup {
        vertices: (0..n).flat_map(turned).collect(),
        triangles: (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
    };
    let points = Soup {
        vertices: (0..20_000).map(|i| DVec3::new(f64::from(i % 100), f64::from(i / 100), 0.0)).collect(),
        triangles: (0..20_000).map(|i| [i; 3]).collect(),
    };
    let line = Soup {
        vertices: (0..20_001).map(|i| DVec3::splat(f64::from(i))).collect(),
        triangles: (0..20_000).map(|i| [i, i + 1, i]).collect(),
    };
    let probe = in_volume(model(&shapes::sphere(1, 0.1), Builder::Auto, true), Volume::Hull);
    let far = Pose::at(DVec3::new(0.0, 0.0, -9.0)).unwrap();
    for (soup, distance) in [(same, 8.9), (fan, 7.9), (points, 8.9), (line, 8.9)] {
        for builder in [Builder::Auto, Builder::Mean] {
            let body = in_volume(model(&soup, builder, true), Volume::Hull);
            let mut pair = Pair::new(body, probe.clone());
            for _ in 0..2 {
                assert!(!pair.overlap(&Pose::IDENTITY, &far).overlap);
                let got = pair.distance(&Pose::IDENTITY, &far).interval;
                assert!((got.mid() - distance).abs() < 0.02, "{got:?}, not {distance}");
            }
        }
    }
    assert!(start.elapsed() < Duration::from_secs(90), "{:?}", start.elapsed());
}

#[test]
fn hulls_follow_a_deformation() {
    let soup = shapes::torus(1.0, 0.4, 12, 8);
    let mut body = Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap().with_volume(Volume::Hull);
    let other = shapes::sphere(1, 0.6);
    let round = in_volume(model(&other, Builder::Auto, false), Volume::Hull);
    let mut pair = Pair::new(body.clone(), round);
    for k in 1..6 {
        let bent = soup.map(|p| DVec3::new(p.x, p.y, p.z + 0.2 * f64::from(k) * p.x * p.x) * (1.0 + f64::from(k)));
        body.deform(&bent.vertices).unwrap();
        pair.replace_a(body.clone());
        let scene = Scene::moved(bent, other.clone(), 0.0, 0.0, 3.0 + f64::from(k));
        let truth = scene.truth();
        for _ in 0..2 {
            all_verbs(&mut pair, &scene, &truth).unwrap();
        }
    }
}

#[test]
fn hulls_beside_other_volumes_are_asked_about_as_auto() {
    let mesh = model(&shapes::torus(1.0, 0.3, 20, 10), Builder::Auto, true);
    let pose = Pose::new(DVec3::new(1.9, 0.2, 0.4), DQuat::from_rotation_x(0.7)).unwrap();
    let auto = Pair::new(mesh.clone(), mesh.clone()).distance(&Pose::IDENTITY, &pose);
    for other in [Volume::Auto, Volume::Obb] {
        let (a, b) = (in_volume(mesh.clone(), Volume::Hull), in_volume(mesh.clone(), other));
        let got = Pair::new(a, b).distance(&Pose::IDENTITY, &pose);
        assert_eq!((got.interval, got.stats), (auto.interval, auto.stats), "{other}");
    }
    assert_eq!("hull".parse(), Ok(Volume::Hull));
    assert_eq!(Volume::Hull.to_string(), "hull");
}
