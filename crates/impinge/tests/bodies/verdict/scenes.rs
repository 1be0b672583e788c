//! Random scenes: soups with degenerate and duplicate triangles, closed bodies, shells, at any scale and offset.

use glam::{DQuat, DVec3};
use impinge::Pose;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::verdict::meshes::Scene;

/// The same cases in every run.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(0x1a_5eed);
    ProptestConfig { cases, rng_seed, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() }
}

/// The rotations whose matrices come out of a quaternion with entries 0, 1 and −1 exactly: a group of twelve.
pub(crate) fn exact_rotations() -> Vec<DQuat> {
    let mut all = vec![DQuat::IDENTITY];
    all.extend([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]].map(DQuat::from_array));
    for signs in 0..8 {
        let half = |bit: u32| if signs >> bit & 1 == 1 { -0.5 } else { 0.5 };
        all.push(DQuat::from_xyzw(half(0), half(1), half(2), 0.5));
    }
    all
}

fn lattice(r: i32) -> impl Strategy<Value = DVec3> {
    [-r..=r, -r..=r, -r..=r].prop_map(|p| DVec3::from_array(p.map(f64::from)))
}

fn anywhere(r: f64) -> impl Strategy<Value = DVec3> {
    [-r..r, -r..r, -r..r].prop_map(DVec3::from_array)
}

fn soup_of(points: Vec<DVec3>, picks: Vec<[prop::sample::Index; 3]>) -> Soup {
    let triangles = picks.iter().map(|t| t.map(|i| i.index(points.len()) as u32)).collect();
    Soup { vertices: points, triangles }
}

/// Triangles over few points: many share corners, some are segments or points, some are given twice.
fn soup(point: impl Strategy<Value = DVec3>) -> impl Strategy<Value = Soup> {
    let pick = any::<[prop::sample::Index; 3]>();
    (prop::collection::vec(point, 1..9), prop::collection::vec(pick, 1..9))
        .prop_map(|(points, picks)| soup_of(points, picks))
}

/// A closed body about the origin.
pub(crate) fn closed() -> impl Strategy<Value = Soup> {
    let half = [1..=3i32, 1..=3, 1..=3].prop_map(|h| DVec3::from_array(h.map(|x| f64::from(x) * 0.5)));
    prop_oneof![
        half.clone().prop_map(|h| shapes::cuboid(DVec3::ZERO, h)),
        half.prop_map(|h| shapes::cuboid(DVec3::ZERO, h).and(&shapes::cuboid(DVec3::ZERO, h * -0.5))),
        [anywhere(1.5), anywhere(1.5), anywhere(1.5), anywhere(1.5)].prop_map(shapes::tetra),
        (0..2u32, 0.3..1.5).prop_map(|(level, r)| shapes::sphere(level, r)),
        (0.7..1.5, 0.1..0.6).prop_map(|(major, minor)| shapes::torus(major, minor, 6, 4)),
        (3..7u32, 0.3..1.5, 0.2..2.0).prop_map(|(n, r, h)| shapes::prism(n, r, h)),
        (3..7u32, 0.6..1.5, 0.2..2.0).prop_map(|(n, r, h)| shapes::ring(n, r, r * 0.5, h)),
    ]
}

/// Any body of size about one.
pub(crate) fn body() -> impl Strategy<Value = Soup> {
    prop_oneof![2 => soup(lattice(2)), 2 => soup(anywhere(1.5)), 3 => closed()]
}

/// Bodies whose coordinates are small multiples of one half.
pub(crate) fn lattice_body() -> impl Strategy<Value = Soup> {
    let half = [1..=3i32, 1..=3, 1..=3].prop_map(|h| DVec3::from_array(h.map(|x| f64::from(x) * 0.5)));
    prop_oneof![
        2 => soup(lattice(2)),
        1 => half.prop_map(|h| shapes::cuboid(DVec3::ZERO, h)),
        1 => [lattice(2), lattice(2), lattice(2), lattice(2)].prop_map(shapes::tetra),
        1 => Just(shapes::sphere(0, 2.0)),
    ]
}

/// Poses under which a lattice stays a lattice, without any rounding.
pub(crate) fn lattice_pose() -> impl Strategy<Value = Pose> {
    (lattice(6), prop::sample::select(exact_rotations())).prop_map(|(t, q)| Pose::new(t * 0.5, q).unwrap())
}

/// Any pose near the origin.
pub(crate) fn free_pose() -> impl Strategy<Value = Pose> {
    (anywhere(2.5), any::<u64>())
        .prop_map(|(t, seed)| Pose::new(t, impinge_testing::random::Random::new(seed).rotation()).unwrap())
}

/// The scene with every length multiplied by `s`.
pub(crate) fn scaled(scene: &Scene, s: f64) -> Scene {
    let pose = |p: &Pose| Pose::new(p.translation() * s, p.rotation()).unwrap();
    let (a, b) = (scene.a.map(|v| v * s), scene.b.map(|v| v * s));
    Scene { a, b, pose_a: pose(&scene.pose_a), pose_b: pose(&scene.pose_b), surface: scene.surface }
}

/// Lattice bodies at lattice poses: touching, coplanar and coincident parts abound.
pub(crate) fn lattice_scene() -> impl Strategy<Value = Scene> {
    (lattice_body(), lattice_body(), lattice_pose(), lattice_pose(), any::<bool>())
        .prop_map(|(a, b, pose_a, pose_b, surface)| Scene { a, b, pose_a, pose_b, surface })
}

/// Any bodies at any poses.
pub(crate) fn free_scene() -> impl Strategy<Value = Scene> {
    (body(), body(), free_pose(), free_pose(), any::<bool>()).prop_map(|(a, b, pose_a, pose_b, surface)| Scene {
        a,
        b,
        pose_a,
        pose_b,
        surface,
    })
}

/// Any scene, at scales from 1e-300 to 1e140, some with corners a million sizes from their own origin.
pub(crate) fn wild_scene() -> impl Strategy<Value = Scene> {
    let scale = prop::sample::select(vec![1e-300, 1e-150, 1e-60, 1e-12, 1e-6, 1.0, 1e6, 1e12, 1e60, 1e140]);
    let scene = prop_oneof![lattice_scene(), free_scene()];
    (scene, scale, any::<bool>(), lattice(1)).prop_map(|(mut scene, scale, far, way)| {
        if far {
            scene.a = scene.a.map(|v| v + way * 1e6);
            scene.b = scene.b.map(|v| v + way * 1e6);
            scene.pose_b = Pose::new(scene.pose_b.translation(), scene.pose_a.rotation()).unwrap();
        }
        scaled(&scene, scale)
    })
}
