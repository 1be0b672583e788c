//! What must hold of every pair of hulls, at every scale, place and shape: the truth, symmetry, invariance.

use glam::{DQuat, DVec3};
use impinge::{DepthKind, Pose};
use impinge_testing::random::Random;

use crate::verdict::engines::{DEPTH, DISTANCE, of_convex};
use crate::verdict::families::{body, cube, cuboid, pose, scene};
use crate::verdict::hull_answers::{CASE, Judge, RANDOM, Strictness};
use crate::verdict::hulls::Scene;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Asks every engine and every verb, and returns all that is wrong.
fn judge(scene: &Scene, strict: Strictness, wrong: &mut Vec<String>) {
    let judge = Judge::new(scene, strict);
    for engine in of_convex() {
        if let Err(e) = judge.all(&mut scene.pair(engine), engine) {
            wrong.push(format!("{engine}: {e}\n  {scene:?}"));
        }
    }
}

fn report(wrong: &[String]) {
    let shown = wrong.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} failures, the first:\n{shown}", wrong.len());
}

fn scaled(scene: &Scene, s: f64) -> Scene {
    let by = |points: &[DVec3]| points.iter().map(|p| *p * s).collect();
    let place = |p: &Pose| Pose::new(p.translation() * s, p.rotation()).unwrap();
    Scene::new(by(&scene.a), by(&scene.b), place(&scene.pose_a), place(&scene.pose_b))
}

#[test]
fn sizes_from_1e_minus_9_to_1e9_and_far_beyond() {
    let (mut random, mut wrong) = (Random::new(1), Vec::new());
    for s in [1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e-40, 1e40] {
        for _ in 0..160 {
            judge(&scaled(&scene(&mut random), s), RANDOM, &mut wrong);
        }
    }
    report(&wrong);
}

/// A very small body against a very large one.
#[test]
fn sizes_that_differ() {
    let (mut random, mut wrong) = (Random::new(2), Vec::new());
    for k in [3, 6, 9, 12, 15] {
        for _ in 0..160 {
            let mut scene = scene(&mut random);
            let s = 10f64.powi(-k);
            scene.b = scene.b.iter().map(|p| *p * s).collect();
            judge(&scene, RANDOM, &mut wrong);
            judge(&scene.swapped(), RANDOM, &mut wrong);
        }
    }
    report(&wrong);
}

#[test]
fn up_to_1e15_from_the_origin() {
    let (mut random, mut wrong) = (Random::new(3), Vec::new());
    for far in [1e3, 1e6, 1e9, 1e12, 1e15] {
        for _ in 0..160 {
            let mut scene = scene(&mut random);
            let away = random.point(1.0).normalize_or(DVec3::X) * far;
            let carry = |p: &Pose| Pose::new(p.translation() + away, p.rotation()).unwrap();
            (scene.pose_a, scene.pose_b) = (carry(&scene.pose_a), carry(&scene.pose_b));
            judge(&scene, RANDOM, &mut wrong);
        }
    }
    report(&wrong);
}

/// Corners far from the body's own origin, which poses without rotation do not disturb.
#[test]
fn corners_far_from_their_own_origin() {
    let (mut random, mut wrong) = (Random::new(4), Vec::new());
    for far in [1e3, 1e6, 1e9] {
        for _ in 0..160 {
            let away = random.point(1.0).normalize_or(DVec3::X) * far;
            let carry = |points: Vec<DVec3>| points.into_iter().map(|p| p + away).collect::<Vec<_>>();
            let (a, b) = (carry(body(&mut random)), carry(body(&mut random)));
            judge(&Scene::moved(a, b, random.point(1.5)), RANDOM, &mut wrong);
        }
    }
    report(&wrong);
}

#[test]
fn needles_of_aspect_1e12() {
    let (mut random, mut wrong) = (Random::new(5), Vec::new());
    for thin in [1e-4, 1e-8, 1e-12] {
        for _ in 0..120 {
            let mut needle = || -> Vec<DVec3> { (0..8).map(|_| random.point(1.0) * v(1.0, thin, thin)).collect() };
            let (a, b) = (needle(), needle());
            let (pa, pb) = (pose(&mut random, 0.2), pose(&mut random, 0.2));
            judge(&Scene::new(a, cuboid(v(thin, 1.0, thin)), pa, pb), RANDOM, &mut wrong);
            judge(&Scene::moved(b, cuboid(v(thin, 1.0, thin)), random.point(thin)), RANDOM, &mut wrong);
        }
    }
    report(&wrong);
}

/// Slivers four kilometres long and some microns wide that pass each other at half a millimetre: the direction between
/// points so near each other is mostly rounding, and the bound from below was once worse by one in a hundred.
#[test]
fn slivers_that_pass_near_each_other() {
    let (s, t) = (0.000628063725490196, 9.5367431640625e-7);
    let a = vec![v(-s, -s, -0.000628063725490224), v(-s, -0.0006236529817768171, -0.0006280637261296845)];
    let a = [a, vec![v(4095.9999999999995, -0.0006280637254872262, -s)]].concat();
    let b = vec![v(s, -t, -4095.999996798646), v(1.0006668280692947e-6, t, t), v(t, t, t)];
    let mut wrong = Vec::new();
    judge(&Scene::moved(a, b, DVec3::ZERO), RANDOM, &mut wrong);
    report(&wrong);
}

/// Points, segments and polygons, at any pose.
#[test]
fn flat_bodies() {
    let (mut random, mut wrong) = (Random::new(6), Vec::new());
    for round in 0..1600 {
        let mut one = |dimension: u64| -> Vec<DVec3> {
            let spread = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(1.0, 1.0, 0.0), DVec3::ONE][dimension as usize];
            (0..8).map(|_| random.point(1.0) * spread).collect()
        };
        let (a, b) = (one(round % 4), one(round / 4 % 3));
        let scene = Scene::new(a, b, pose(&mut random, 0.5), pose(&mut random, 0.5));
        judge(&scene, RANDOM, &mut wrong);
    }
    report(&wrong);
}

/// Bodies on a lattice, at poses that round nothing: many have touching, coplanar or coincident parts, and every touch
/// counts as one.
#[test]
fn lattice_bodies_touch_exactly() {
    let (mut random, mut wrong) = (Random::new(7), Vec::new());
    let mut touching = 0;
    for round in 0..2400 {
        let spread = [DVec3::ONE, DVec3::ONE, DVec3::ONE, v(1.0, 1.0, 0.0), v(1.0, 0.0, 0.0)][round % 5];
        let mut one = || -> Vec<DVec3> { (0..7).map(|_| random.grid_point(2) * spread).collect() };
        let (a, b) = (one(), one());
        let turn = |i: u64| {
            let half = |bit: u64| if i >> bit & 1 == 1 { -0.5 } else { 0.5 };
            DQuat::from_xyzw(half(0), half(1), half(2), 0.5)
        };
        let (qa, qb) = (turn(random.below(8)), turn(random.below(8)));
        let place = |t: DVec3, q: DQuat| Pose::new(t, q).unwrap();
        let scene = Scene::new(a, b, place(random.grid_point(2), qa), place(random.grid_point(2), qb));
        let judge = Judge::with(&scene, scene.exact(), Strictness { depth: 1e-9, ..CASE });
        touching += u32::from(judge.truth.overlap && judge.truth.depth[1] <= 1e-300);
        for engine in of_convex() {
            if let Err(e) = judge.all(&mut scene.pair(engine), engine) {
                wrong.push(format!("{engine}: {e}\n  {scene:?}"));
            }
        }
    }
    report(&wrong);
    assert!(touching > 30, "only {touching} touch");
}

/// Boxes turned by multiples of 15 degrees: parallel faces and edges up to rounding.
#[test]
fn boxes_at_multiples_of_fifteen_degrees() {
    let (mut random, mut wrong) = (Random::new(8), Vec::new());
    for _ in 0..1200 {
        let mut angle = || (random.below(24) as f64 * 15.0).to_radians();
        let q = DQuat::from_rotation_x(angle()) * DQuat::from_rotation_y(angle()) * DQuat::from_rotation_z(angle());
        let at = random.grid_point(4) * 0.75;
        let scene = Scene::new(
            cube(DVec3::ZERO, 1.0),
            cuboid(v(1.0, 0.5, 2.0)),
            Pose::IDENTITY,
            Pose::new(at, q.normalize()).unwrap(),
        );
        judge(&scene, RANDOM, &mut wrong);
    }
    report(&wrong);
}

#[test]
fn coincident_bodies() {
    let (mut random, mut wrong) = (Random::new(9), Vec::new());
    for _ in 0..240 {
        let a = body(&mut random);
        let at = pose(&mut random, 1.0);
        judge(&Scene::new(a.clone(), a.clone(), at, at), RANDOM, &mut wrong);
        let shrunk: Vec<DVec3> = a.iter().map(|p| *p * 0.5).collect();
        judge(&Scene::new(a, shrunk, at, at), RANDOM, &mut wrong);
    }
    report(&wrong);
}

#[test]
fn swapping_the_bodies_swaps_the_answer() {
    let mut random = Random::new(10);
    for _ in 0..1200 {
        let scene = scene(&mut random);
        let (pa, pb) = (&scene.pose_a, &scene.pose_b);
        let truth = scene.truth();
        if truth.signed().abs() <= 1e-12 {
            continue;
        }
        for engine in of_convex() {
            let (mut there, mut back) = (scene.pair(engine), scene.swapped().pair(engine));
            let (x, y) = (there.distance(pa, pb), back.distance(pb, pa));
            assert_eq!(x.penetrating, y.penetrating, "{engine}: {scene:?}");
            assert!((x.interval.mid() - y.interval.mid()).abs() <= 1e-13, "{engine}: {x:?} {y:?}");
            let (x, y) = (there.penetration(pa, pb), back.penetration(pb, pa));
            let off = (x.interval.mid() - y.interval.mid()).abs();
            assert!(off <= 1e-12 || x.kind == DepthKind::Estimate, "{engine}: {x:?} {y:?}");
        }
    }
}

#[test]
fn a_motion_of_both_changes_little() {
    let mut random = Random::new(11);
    for _ in 0..1200 {
        let scene = scene(&mut random);
        let motion = pose(&mut random, 2.0);
        let carry = |p: &Pose| {
            Pose::new(motion.apply(p.translation()), (motion.rotation() * p.rotation()).normalize()).unwrap()
        };
        let (qa, qb) = (carry(&scene.pose_a), carry(&scene.pose_b));
        for engine in of_convex() {
            let x = scene.pair(engine).distance(&scene.pose_a, &scene.pose_b).interval;
            let y = scene.pair(engine).distance(&qa, &qb).interval;
            assert!((x.mid() - y.mid()).abs() <= 1e-13, "{engine}: {x:?} {y:?} {scene:?}");
            let x = scene.pair(engine).penetration(&scene.pose_a, &scene.pose_b);
            let y = scene.pair(engine).penetration(&qa, &qb);
            let off = (x.interval.mid() - y.interval.mid()).abs();
            assert!(off <= 1e-12 || x.kind == DepthKind::Estimate, "{engine}: {x:?} {y:?} {scene:?}");
        }
    }
}

/// Scaling by a power of two rounds nothing: only the exponents of the answers change.
#[test]
fn scaling_by_a_power_of_two_scales_the_bits() {
    let mut random = Random::new(12);
    for round in 0..200 {
        let scene = scene(&mut random);
        let s = 2f64.powi(round % 121 - 60);
        let large = scaled(&scene, s);
        for engine in of_convex() {
            let x = scene.pair(engine).distance(&scene.pose_a, &scene.pose_b);
            let y = large.pair(engine).distance(&large.pose_a, &large.pose_b);
            assert_eq!((x.interval.lower * s, x.interval.upper * s), (y.interval.lower, y.interval.upper), "{engine}");
            assert_eq!(x.witness.map(|w| w.features), y.witness.map(|w| w.features), "{engine}");
            let x = scene.pair(engine).penetration(&scene.pose_a, &scene.pose_b);
            let y = large.pair(engine).penetration(&large.pose_a, &large.pose_b);
            assert_eq!((x.interval.lower * s, x.interval.upper * s), (y.interval.lower, y.interval.upper), "{engine}");
            assert_eq!(x.direction, y.direction, "{engine}");
        }
    }
}

/// The translation separates the bodies, and one a little shorter does not.
#[test]
fn the_depth_is_the_least_translation() {
    let mut random = Random::new(13);
    let mut tried = 0;
    for _ in 0..400 {
        let scene = scene(&mut random);
        if scene.truth().signed() > -1e-6 {
            continue;
        }
        tried += 1;
        for engine in DEPTH {
            let got = scene.pair(engine).penetration(&scene.pose_a, &scene.pose_b);
            if got.kind == DepthKind::Estimate {
                continue;
            }
            let (way, depth) = (got.direction.unwrap(), got.interval.upper);
            let move_b = |t: f64| Pose::new(scene.pose_b.translation() + way * t, scene.pose_b.rotation()).unwrap();
            for distance in DISTANCE {
                let mut pair = scene.pair(distance);
                let beyond = pair.distance(&scene.pose_a, &move_b(depth * (1.0 + 1e-12) + 1e-12));
                assert!(!beyond.penetrating, "{engine}: still overlapping after {depth}: {scene:?}");
                assert!(beyond.interval.upper <= 1e-9 * scene.size(), "{engine}, {distance}: {beyond:?} {scene:?}");
                let before = pair.distance(&scene.pose_a, &move_b(depth * 0.99));
                assert!(before.penetrating, "{engine}, {distance}: apart before {depth}: {scene:?}");
            }
        }
    }
    assert!(tried > 100, "only {tried} overlap");
}
