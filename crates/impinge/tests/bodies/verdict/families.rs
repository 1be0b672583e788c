//! Random convex bodies of many kinds, and ways to place them.

use glam::{DQuat, DVec3};
use impinge::Pose;
use impinge_testing::hulls::truth;
use impinge_testing::random::Random;

use super::hulls::Scene;

/// Points of 4 to 20 in a cube, on a sphere, on a lattice, near a plane, near a line, a box, a prism.
pub(crate) fn body(random: &mut Random) -> Vec<DVec3> {
    let n = 4 + random.below(17) as usize;
    match random.below(8) {
        0 | 1 => (0..n).map(|_| random.point(1.0)).collect(),
        2 | 3 => (0..n).map(|_| random.point(1.0).normalize_or(DVec3::X)).collect(),
        4 => solid(random, |random| random.grid_point(2)),
        5 => {
            let thin = 10f64.powi(-(random.below(7) as i32));
            (0..n).map(|_| random.point(1.0) * DVec3::new(1.0, 1.0, thin)).collect()
        }
        6 => {
            let thin = 10f64.powi(-(random.below(5) as i32));
            (0..n).map(|_| random.point(1.0) * DVec3::new(thin, 1.0, thin)).collect()
        }
        _ => cuboid(DVec3::new(random.within(0.1, 1.0), random.within(0.1, 1.0), random.within(0.1, 1.0))),
    }
}

/// Points that do not all lie in one plane.
fn solid(random: &mut Random, one: impl Fn(&mut Random) -> DVec3) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = (0..6).map(|_| one(random)).collect();
    points.extend([DVec3::X, DVec3::Y, DVec3::Z, -DVec3::ONE]);
    points
}

pub(crate) fn cuboid(half: DVec3) -> Vec<DVec3> {
    impinge_testing::shapes::cuboid(DVec3::ZERO, half).vertices
}

pub(crate) fn cube(centre: DVec3, half: f64) -> Vec<DVec3> {
    impinge_testing::shapes::cuboid(centre, DVec3::splat(half)).vertices
}

pub(crate) fn pose(random: &mut Random, reach: f64) -> Pose {
    Pose::new(random.point(reach), random.rotation()).unwrap()
}

/// Two bodies at two poses: far, near, overlapping.
pub(crate) fn scene(random: &mut Random) -> Scene {
    let (a, b) = (body(random), body(random));
    let reach = [0.3, 0.8, 1.5, 4.0][random.below(4) as usize];
    Scene::new(a, b, pose(random, reach), pose(random, reach))
}

/// Two bodies brought to a signed distance of about `gap`, by moving `b` along the line between witnesses found by
/// bisection on the truth.
pub(crate) fn scene_with_gap(random: &mut Random, gap: f64) -> Scene {
    let mut scene = scene(random);
    let (start, way) = (scene.pose_b.translation(), random.point(1.0).normalize_or(DVec3::X));
    let (mut near, mut far) = (0.0, 16.0);
    scene.pose_b = Pose::new(scene.pose_a.translation(), scene.pose_b.rotation()).unwrap();
    let place = |scene: &mut Scene, t: f64| {
        let rotation = scene.pose_b.rotation();
        scene.pose_b = Pose::new(scene.pose_a.translation() + start * 0.01 + way * t, rotation).unwrap();
    };
    for _ in 0..60 {
        let middle = 0.5 * (near + far);
        place(&mut scene, middle);
        if truth(&scene.a, &scene.moved_b()).signed() < gap {
            near = middle;
        } else {
            far = middle;
        }
    }
    place(&mut scene, far);
    scene
}

/// A rotation by a small angle about a random axis.
pub(crate) fn turn(random: &mut Random, angle: f64) -> DQuat {
    DQuat::from_axis_angle(random.point(1.0).normalize_or(DVec3::Z), angle)
}
