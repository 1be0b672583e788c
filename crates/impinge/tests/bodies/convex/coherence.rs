//! A pair whose bodies move: memory changes no answer, and as long as nothing moves the answer keeps its bits.

use glam::DVec3;
use impinge::{Convex, DepthKind, Limit, Model, Pair, Pose};
use impinge_testing::random::Random;
use impinge_testing::shapes;

use crate::verdict::engines::of_convex;
use crate::verdict::families::{body, pose, scene, turn};
use crate::verdict::hull_answers::{Judge, RANDOM};
use crate::verdict::hulls::Scene;

/// Poses of `b` along a path that passes by and through `a`, at so many radians and lengths a step.
fn path(random: &mut Random, steps: usize, angle: f64) -> Vec<Pose> {
    let spin = turn(random, angle);
    let (from, to) = (random.point(1.0).normalize_or(DVec3::X) * 3.0, random.point(0.7));
    let mut rotation = random.rotation();
    (0..steps)
        .map(|i| {
            rotation = (spin * rotation).normalize();
            let t = 2.0 * i as f64 / steps as f64;
            Pose::new(from.lerp(to, t), rotation).unwrap()
        })
        .collect()
}

#[test]
fn a_path_gives_the_truth_at_every_step() {
    let (mut random, mut wrong) = (Random::new(1), Vec::new());
    let (mut met, mut steps) = (0, 0);
    for round in 0..96 {
        let angle = [1.0f64, 5.0, 20.0, 90.0][round % 4].to_radians();
        let (a, b) = (body(&mut random), body(&mut random));
        let poses = path(&mut random, 60, angle);
        let models = Scene::still(a.clone(), b.clone()).models();
        let mut pairs: Vec<Pair> =
            of_convex().iter().map(|m| Pair::new(&models[0], &models[1]).with_method(*m)).collect();
        for pose_b in poses {
            let scene = Scene::new(a.clone(), b.clone(), Pose::IDENTITY, pose_b);
            let judge = Judge::new(&scene, RANDOM);
            (met, steps) = (met + usize::from(judge.truth.overlap), steps + 1);
            for (engine, pair) in of_convex().into_iter().zip(&mut pairs) {
                if let Err(e) = judge.all(pair, engine) {
                    wrong.push(format!("{engine}, {angle}: {e}\n  {scene:?}"));
                }
            }
        }
    }
    let shown = wrong.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} failures, the first:\n{shown}", wrong.len());
    assert!(met > steps / 10 && met < steps * 9 / 10, "{met} of {steps} overlap");
}

/// A sphere of many facets moves by small steps; a pair with memory answers as one without.
#[test]
fn tracking_many_facets_agrees_with_cold() {
    let ball: Model = Convex::hull(&shapes::sphere(3, 1.0).vertices).unwrap().into();
    let cube: Model = Convex::hull(&shapes::cuboid(DVec3::ZERO, DVec3::ONE).vertices).unwrap().into();
    let mut random = Random::new(2);
    for engine in of_convex() {
        let mut warm = Pair::new(&cube, &ball).with_method(engine);
        for pose_b in path(&mut random, 60, 0.02) {
            let mut cold = Pair::new(&cube, &ball).with_method(engine);
            let (x, y) = (warm.distance(&Pose::IDENTITY, &pose_b), cold.distance(&Pose::IDENTITY, &pose_b));
            assert_eq!(x.penetrating, y.penetrating, "{engine} at {pose_b:?}");
            assert!((x.interval.mid() - y.interval.mid()).abs() <= 1e-12, "{engine} at {pose_b:?}: {x:?} {y:?}");
            assert_eq!(warm.overlap(&Pose::IDENTITY, &pose_b).overlap, x.penetrating, "{engine} at {pose_b:?}");
            let (x, y) = (warm.penetration(&Pose::IDENTITY, &pose_b), cold.penetration(&Pose::IDENTITY, &pose_b));
            let off = (x.interval.mid() - y.interval.mid()).abs();
            let estimate = x.kind == DepthKind::Estimate || y.kind == DepthKind::Estimate;
            assert!(off <= 1e-9 || estimate, "{engine} at {pose_b:?}: {x:?} {y:?}");
        }
    }
}

#[test]
fn unchanged_poses_give_the_same_bits() {
    let mut random = Random::new(3);
    for _ in 0..200 {
        let scene = scene(&mut random);
        let (pa, pb) = (&scene.pose_a, &scene.pose_b);
        for engine in of_convex() {
            let mut pair = scene.pair(engine);
            let first = (pair.distance(pa, pb), pair.penetration(pa, pb), pair.overlap(pa, pb));
            let contacts = pair.contacts(pa, pb, Limit::All);
            pair.within(pa, pb, 0.5);
            let again = (pair.distance(pa, pb), pair.penetration(pa, pb), pair.overlap(pa, pb));
            assert_eq!((first.0.interval, first.0.witness), (again.0.interval, again.0.witness), "{engine}");
            assert_eq!((first.1.interval, first.1.direction), (again.1.interval, again.1.direction), "{engine}");
            assert_eq!((first.1.witness, first.1.kind), (again.1.witness, again.1.kind), "{engine}");
            assert_eq!((first.2.overlap, first.2.witness), (again.2.overlap, again.2.witness), "{engine}");
            let more = pair.contacts(pa, pb, Limit::All);
            assert_eq!(contacts.iter().collect::<Vec<_>>(), more.iter().collect::<Vec<_>>(), "{engine}");
        }
    }
}

/// After `forget` a pair answers as a new one does, to the last bit.
#[test]
fn forgetting_gives_the_cold_answer() {
    let mut random = Random::new(4);
    for _ in 0..200 {
        let scene = scene(&mut random);
        let (pa, pb) = (&scene.pose_a, &scene.pose_b);
        for engine in of_convex() {
            let mut pair = scene.pair(engine);
            let elsewhere = pose(&mut random, 2.0);
            pair.distance(pa, &elsewhere);
            pair.penetration(pa, &elsewhere);
            pair.forget();
            let (x, y) = (pair.distance(pa, pb), scene.pair(engine).distance(pa, pb));
            assert_eq!((x.interval, x.witness, x.stats), (y.interval, y.witness, y.stats), "{engine}");
        }
    }
}
