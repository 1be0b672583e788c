//! Bodies of parts tracked in small steps, beside every pair of their pieces asked as if it were new.
//!
//! The bodies turn, slide and jump, by turns apart, close and in each other; overlap, distance and tolerances are asked
//! in changing order, so that each finds what the others have left.

use impinge::glam::{DQuat, DVec3};
use impinge::{Convex, Model, Pair, Parts, Pose, Round};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;
use impinge_testing::shapes;

/// Small hulls strewn over a ball of radius 1; a few are flat, and some are copies of others beside them.
fn strewn(random: &mut Random, count: usize) -> Vec<Convex> {
    let mut pieces: Vec<Convex> = Vec::new();
    while pieces.len() < count {
        let (centre, size) = (random.point(1.0), random.within(0.05, 0.3));
        if centre.length() > 1.0 {
            continue;
        }
        let corners = 3 + random.below(9);
        let points: Vec<DVec3> = (0..corners).map(|_| centre + size * random.point(1.0)).collect();
        pieces.push(Convex::hull(&points).unwrap());
        if random.below(5) == 0 && pieces.len() < count {
            let shift = DVec3::X * random.within(0.0, 0.4);
            pieces.push(Convex::hull(&points.iter().map(|p| *p + shift).collect::<Vec<_>>()).unwrap());
        }
    }
    pieces
}

/// The least distance of all pairs of pieces, each asked as a new pair: lower and upper bound.
fn least(a: &[Model], b: &[Model], pose: &Pose) -> [f64; 2] {
    let mut least = [f64::INFINITY; 2];
    for x in a {
        for y in b {
            let gap = impinge::distance(x, &Pose::IDENTITY, y, pose).interval;
            least = [least[0].min(gap.lower), least[1].min(gap.upper)];
        }
    }
    least
}

/// Steps of one kind for a while, then of another: about 1° and less, along a line, none at all, and a jump.
fn path(random: &mut Random, steps: u32) -> Vec<Pose> {
    let (mut at, mut turn) = (random.point(1.2), random.rotation());
    let mut poses = Vec::new();
    while poses.len() < steps as usize {
        let kind = random.below(6);
        let axis = random.point(1.0).normalize_or(DVec3::Z);
        let (spin, slide) = match kind {
            0 => (DQuat::from_axis_angle(axis, 0.0175), DVec3::ZERO),
            1 => (DQuat::from_axis_angle(axis, 0.0003), random.point(0.002)),
            2 => (DQuat::IDENTITY, random.point(0.02)),
            3 => (DQuat::IDENTITY, DVec3::ZERO),
            4 => (DQuat::from_axis_angle(axis, 0.08), random.point(0.1)),
            _ => {
                (at, turn) = (random.point(1.5), random.rotation());
                (DQuat::from_axis_angle(axis, 0.005), random.point(0.01))
            }
        };
        for _ in 0..4 + random.below(12) {
            (at, turn) = (at + slide, (spin * turn).normalize());
            poses.push(Pose::new(at, turn).unwrap());
        }
    }
    poses
}

/// Asks about every pose of a path; returns how many touched and how many were apart.
#[track_caller]
fn follow(a: &Model, b: &Model, pieces: [&[Model]; 2], random: &mut Random, steps: u32) -> [u32; 2] {
    let mut pair = Pair::new(a, b);
    let mut seen = [0, 0];
    for pose in path(random, steps) {
        let here = Pose::IDENTITY;
        let [lower, upper] = least(pieces[0], pieces[1], &pose);
        seen[usize::from(upper > 0.0)] += 1;
        if random.below(3) > 0 {
            let gap = pair.distance(&here, &pose);
            assert!(gap.interval.lower <= upper && lower <= gap.interval.upper, "{gap:?}, but {lower} to {upper}");
            assert!(gap.interval.upper - gap.interval.lower < 1e-9 * (1.0 + upper) || upper == 0.0, "{gap:?}");
            assert_eq!(gap.penetrating, upper == 0.0);
            if let (Some(near), false) = (gap.witness, gap.penetrating) {
                assert!((near.points[0].distance(near.points[1]) - upper).abs() < 1e-9 * (1.0 + upper));
            }
        }
        if random.below(3) > 0 {
            assert_eq!(pair.overlap(&here, &pose).overlap, upper == 0.0);
        }
        if random.below(3) > 0 {
            let [near, far] = [0.9 * lower - 1e-9, 1.1 * upper + 1e-9];
            assert!(near <= 0.0 || !pair.within(&here, &pose, near).within);
            assert!(pair.within(&here, &pose, far).within);
        }
    }
    seen
}

fn models(pieces: &[Convex]) -> Vec<Model> {
    pieces.iter().map(|piece| piece.clone().into()).collect()
}

fn union(pieces: &[Convex]) -> Model {
    Parts::new(pieces.to_vec()).unwrap().into()
}

#[test]
fn tracked_parts_are_as_near_as_the_nearest_pieces() {
    let mut random = Random::new(51);
    let mut seen = [0, 0];
    for _ in 0..rounds(6) {
        let [a, b] = [0, 1].map(|_| {
            let count = 1 + random.below(24) as usize;
            strewn(&mut random, count)
        });
        let found = follow(&union(&a), &union(&b), [&models(&a), &models(&b)], &mut random, 150);
        seen = [seen[0] + found[0], seen[1] + found[1]];
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

/// Against one body of every other kind, from both sides.
#[test]
fn tracked_parts_and_other_bodies() {
    let mut random = Random::new(52);
    let others: [Model; 6] = [
        Round::capsule(0.3, 0.8).unwrap().into(),
        Round::cylinder(0.4, 0.9).unwrap().into(),
        Round::half_space(DVec3::new(0.6, 0.0, 0.8), -1.2).unwrap().into(),
        Convex::hull(&shapes::sphere(2, 0.7).vertices).unwrap().into(),
        impinge::Mesh::new(shapes::torus(0.7, 0.3, 10, 6).vertices, shapes::torus(0.7, 0.3, 10, 6).triangles)
            .unwrap()
            .into(),
        Round::cuboid(DVec3::splat(0.8)).unwrap().with_margin(0.1).unwrap().into(),
    ];
    for other in &others {
        let parts = strewn(&mut random, 12);
        let (body, pieces) = (union(&parts), models(&parts));
        follow(&body, other, [&pieces, std::slice::from_ref(other)], &mut random, 60);
        follow(other, &body, [std::slice::from_ref(other), &pieces], &mut random, 60);
    }
}

/// Copies of one piece are all equally near: the search ends, and takes no longer from call to call.
#[test]
fn many_pieces_equally_near() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::splat(0.1)).vertices;
    let row = |z: f64| {
        let at = |k: usize| Convex::hull(&cube.iter().map(|p| *p + DVec3::new(k as f64, 0.0, z)).collect::<Vec<_>>());
        (0..40).map(|k| at(k).unwrap()).collect::<Vec<_>>()
    };
    let mut pair = Pair::new(union(&row(0.0)), union(&row(1.0)));
    for step in 0..100 {
        let pose = Pose::at(DVec3::Z * 0.001 * f64::from(step)).unwrap();
        let gap = pair.distance(&Pose::IDENTITY, &pose);
        assert!(gap.interval.contains(0.8 + 0.001 * f64::from(step)));
        assert!(gap.stats.primitive_tests + gap.stats.volume_tests < 400, "{step}: {:?}", gap.stats);
    }
}

/// While one pair of pieces stays closest, a query tests little more than that pair.
#[test]
fn a_warm_query_tests_few_pieces() {
    let mut random = Random::new(53);
    for count in [50, 1000] {
        let nose = |z: f64| {
            Convex::hull(&shapes::sphere(1, 0.2).vertices.iter().map(|p| *p + DVec3::Z * z).collect::<Vec<_>>())
        };
        let body = |random: &mut Random, z: f64| {
            let mut pieces = strewn(random, count - 1);
            pieces.push(nose(z).unwrap());
            union(&pieces)
        };
        let (a, b) = (body(&mut random, 1.2), body(&mut random, -1.2));
        let mut pair = Pair::new(a, b);
        let mut tests = [0, 0];
        for step in 0..180 {
            let turn = DQuat::from_rotation_z(f64::from(step).to_radians());
            let pose = Pose::new(DVec3::Z * 3.0, turn).unwrap();
            let warm = pair.distance(&Pose::IDENTITY, &pose);
            let counted = warm.stats.primitive_tests + warm.stats.volume_tests;
            tests[usize::from(step >= 2)] += counted;
        }
        assert!(2 * tests[1] < 178 * 5, "{count}: {tests:?}");
    }
}
