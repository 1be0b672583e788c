//! Manifolds of convex bodies: against distance and penetration at random, warm and cold; predicted; their identity.

use glam::{DQuat, DVec3};
use impinge::{Convex, KeptPoints, ManifoldOptions, Manifolds, Model, Pair, Parts, Pose, Round};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;

use crate::counting::allocations;

fn predicted(prediction: f64) -> ManifoldOptions {
    ManifoldOptions { prediction, points: KeptPoints::Four }
}

fn bodies(random: &mut Random) -> Vec<Model> {
    let cloud = |random: &mut Random, n: usize| -> Vec<DVec3> { (0..n).map(|_| random.point(0.7)).collect() };
    vec![
        Round::cuboid(DVec3::new(1.0, 0.8, 0.6)).unwrap().into(),
        Convex::hull(&cloud(random, 12)).unwrap().into(),
        Convex::hull(&cloud(random, 40)).unwrap().into(),
        Round::sphere(0.6).unwrap().into(),
        Round::capsule(0.3, 0.8).unwrap().into(),
        Round::cylinder(0.5, 0.9).unwrap().into(),
        Round::cone(0.5, 0.9).unwrap().into(),
        Round::cuboid(DVec3::splat(0.8)).unwrap().with_margin(0.1).unwrap().into(),
        Round::half_space(DVec3::Z, -0.4).unwrap().into(),
        Convex::hull(&[DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y]).unwrap().into(),
        Round::segment(-DVec3::X, DVec3::X).unwrap().into(),
        Round::point(DVec3::ZERO).unwrap().into(),
    ]
}

/// What must hold of one answer: normal and points fit together, and the depth is that of the other verbs.
fn check(pair: &mut Pair, poses: [&Pose; 2], options: &ManifoldOptions, say: &str) -> usize {
    let mut found = Manifolds::new();
    let [a, b] = poses;
    pair.manifolds(a, b, options, &mut found);
    let mut cold = pair.clone();
    cold.forget();
    let (distance, deep) = (cold.distance(a, b), cold.penetration(a, b));
    let slop = 1e-9 * (1.0 + deep.interval.upper.min(10.0)) + 0.1 * options.prediction;
    let Some(manifold) = found.iter().next() else {
        let near = distance.interval.upper < options.prediction - 1e-9 || deep.interval.lower > 1e-9;
        assert!(!near, "{say}: nothing found, {distance:?} {deep:?}");
        return 0;
    };
    assert!(found.len() == 1 && manifold.points.len() <= 4, "{say}: {found:?}");
    assert!((manifold.normal.length() - 1.0).abs() < 1e-9, "{say}: {manifold:?}");
    assert!(distance.interval.lower <= options.prediction + 1e-9, "{say}: {distance:?}");
    let signed = if distance.penetrating { deep.interval.mid() } else { -distance.interval.mid() };
    if !signed.is_finite() {
        return 1;
    }
    assert!(
        manifold.depth.lower - slop <= signed && signed <= manifold.depth.upper + slop,
        "{say}: {signed} {manifold:?}"
    );
    let mut deepest = f64::NEG_INFINITY;
    for point in manifold.points {
        let [p, q] = point.points;
        assert!(((p - q).dot(manifold.normal) - point.depth).abs() < 1e-9, "{say}: {point:?} {manifold:?}");
        assert!(point.depth >= -options.prediction - 1e-9, "{say}: {point:?}");
        deepest = deepest.max(point.depth);
    }
    // The points are those of the bodies: none deeper than the way out, and one as deep, but for polygons cut off.
    assert!(deepest <= manifold.depth.upper + slop, "{say}: {deepest} {manifold:?}");
    assert!((deepest - signed).abs() <= slop.max(1e-6), "{say}: {deepest} {signed} {manifold:?}");
    1
}

#[test]
fn random_pairs_agree_with_distance_and_penetration() {
    let mut random = Random::new(41);
    let bodies = bodies(&mut random);
    let mut met = 0;
    for round in 0..rounds(12) {
        for (i, a) in bodies.iter().enumerate() {
            for (j, b) in bodies.iter().enumerate() {
                if i == 8 && j == 8 {
                    continue;
                }
                let pose_a = Pose::new(random.point(0.2), random.rotation()).unwrap();
                let pose_b = Pose::new(random.point(1.0), random.rotation()).unwrap();
                let mut pair = Pair::new(a, b);
                for options in [predicted(0.0), predicted(0.05)] {
                    let say = format!("round {round}: {i} {j} {options:?}");
                    met += check(&mut pair, [&pose_a, &pose_b], &options, &say);
                }
            }
        }
    }
    assert!(met > 500, "{met}");
}

/// Bodies that creep over each other: what is remembered changes neither depth nor normal beyond what is told.
#[test]
fn warm_manifolds_stay_right() {
    let mut random = Random::new(42);
    let bodies = bodies(&mut random);
    for (i, a) in bodies.iter().enumerate() {
        for (j, b) in bodies.iter().enumerate() {
            if i == 8 && j == 8 {
                continue;
            }
            let mut pair = Pair::new(a, b);
            let (mut at, mut turn) = (random.point(0.8), random.rotation());
            for step in 0..rounds(20) {
                at += random.point(0.03);
                turn = (turn * DQuat::from_scaled_axis(random.point(0.05))).normalize();
                let pose = Pose::new(at, turn).unwrap();
                let say = format!("step {step}: {i} {j}");
                check(&mut pair, [&Pose::IDENTITY, &pose], &predicted(0.02), &say);
            }
        }
    }
}

/// A box on a larger one, tilted by less than the prediction: four points, lower ones deeper.
#[test]
fn a_tilting_box_keeps_its_four() {
    let floor = Model::from(Round::cuboid(DVec3::new(10.0, 10.0, 1.0)).unwrap());
    let cube = Model::from(Round::cuboid(DVec3::ONE).unwrap());
    let mut pair = Pair::new(&floor, &cube);
    let mut found = Manifolds::new();
    let mut ids = None;
    for step in -8..=8 {
        let tilt = 0.002 * f64::from(step);
        let pose = Pose::new(DVec3::Z * 0.999, DQuat::from_rotation_y(tilt)).unwrap();
        pair.manifolds(&Pose::IDENTITY, &pose, &predicted(0.02), &mut found);
        let manifold = found.iter().next().unwrap();
        assert_eq!((found.len(), manifold.points.len()), (1, 4), "{tilt}");
        assert!(manifold.normal.distance(DVec3::Z) < 0.02, "{tilt}: {manifold:?}");
        let mut now: Vec<u64> = manifold.points.iter().map(|point| point.id).collect();
        now.sort_unstable();
        assert_eq!(ids.get_or_insert_with(|| now.clone()), &now, "the same features at every tilt, {tilt}");
    }
    // Equal boxes on each other: the corners come from crossing edges, and are four.
    let mut pair = Pair::new(&cube, &cube);
    for step in -8..=8 {
        let turn = DQuat::from_rotation_y(0.001 * f64::from(step));
        let pose = Pose::new(DVec3::new(0.01, 0.003, 0.999), turn).unwrap();
        pair.manifolds(&Pose::IDENTITY, &pose, &predicted(0.02), &mut found);
        assert_eq!((found.len(), found.points().len()), (1, 4), "{step}");
    }
}

/// Every point of a union's contact names the piece, and each pair of pieces has a manifold of its own.
#[test]
fn pieces_have_manifolds_of_their_own() {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
    let leg = |x: f64| (0..8).map(|i| corner(i) * DVec3::new(0.1, 1.0, 1.0) + DVec3::X * x).collect::<Vec<_>>();
    let legs = [leg(0.0), leg(1.0), leg(2.0)];
    let table = Model::from(Parts::from_hulls(legs.iter().map(|leg| &leg[..])).unwrap());
    let floor = Model::from(Round::cuboid(DVec3::new(10.0, 10.0, 1.0)).unwrap());
    let mut pair = Pair::new(&floor, &table);
    let mut found = Manifolds::new();
    for _ in 0..3 {
        let on_floor = Pose::at(DVec3::Z * 0.505).unwrap();
        pair.manifolds(&Pose::IDENTITY, &on_floor, &predicted(0.02), &mut found);
        let pairs: Vec<[u32; 2]> = found.iter().map(|manifold| manifold.pair).collect();
        assert_eq!(pairs, [[0, 0], [0, 1], [0, 2]]);
        assert!(found.iter().all(|m| m.points.len() == 4 && m.normal.distance(DVec3::Z) < 1e-12));
        let mut ids: Vec<u64> = found.points().iter().map(|point| point.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 12);
    }
}

/// Capsules that lie side by side have two points, and warm ones of all kinds allocate nothing.
#[test]
fn warm_lists_allocate_nothing() {
    let mut random = Random::new(43);
    let bodies = bodies(&mut random);
    for a in &bodies {
        for b in &bodies {
            let mut pair = Pair::new(a, b);
            let mut found = Manifolds::new();
            for step in 0..8 {
                let pose = Pose::new(DVec3::new(0.01 * f64::from(step), 0.0, 0.7), DQuat::IDENTITY).unwrap();
                let count = allocations(|| pair.manifolds(&Pose::IDENTITY, &pose, &predicted(0.02), &mut found));
                assert!(step < 2 || count == 0, "{count}");
            }
        }
    }
    let pill = Model::from(Round::capsule(0.5, 2.0).unwrap());
    let mut found = Manifolds::new();
    let beside = Pose::at(DVec3::new(0.99, 0.0, 0.5)).unwrap();
    Pair::new(&pill, &pill).manifolds(&Pose::IDENTITY, &beside, &predicted(0.0), &mut found);
    assert_eq!(found.points().len(), 2);
    assert!(found.points().iter().all(|point| (point.depth - 0.01).abs() < 1e-12));
}
