//! Questions that took seconds once take little work: it is counted, so that no other process can change it.

use impinge::glam::{DAffine3, DQuat, DVec3};
use impinge::{
    ChainLink, Convex, Impact, Joint, JointKind, JointTrajectory, Mesh, Model, Motion, Pair, Pose, Robot, RobotJoint,
    Round, Span, SweepOptions,
};
use impinge_testing::environment::corpus;
use impinge_testing::random::Random;
use impinge_testing::urdf::{LinkShape, Urdf, UrdfLink};

fn work(impact: &Impact) -> u64 {
    impact.stats.volume_tests + impact.stats.primitive_tests + impact.stats.iterations
}

/// A chain of so many joints about half a unit apart that ends near a place.
fn chain(random: &mut Random, count: usize, place: DVec3) -> ChainLink {
    let mut point = place;
    let mut joints: Vec<Joint> = (0..count)
        .map(|_| {
            let axis = random.rotation() * DVec3::Z;
            let joint = Joint::turning(point, axis, random.within(-2.0, 2.0), random.within(-2.0, 2.0)).unwrap();
            point -= random.rotation() * DVec3::X * random.within(0.3, 0.7);
            joint
        })
        .collect();
    joints.reverse();
    ChainLink::new(joints, Pose::new(place, random.rotation()).unwrap(), 0.0).unwrap()
}

/// Two balls of 0.1 at the ends of chains that come as near as 0.2 to 0.35, and never touch.
#[test]
fn balls_on_two_chains_take_little_work() {
    let ball = Round::sphere(0.1).unwrap();
    let mut random = Random::new(71);
    for joints in 3..=8 {
        let mut seen = 0;
        for _ in 0..4000 {
            let apart = random.rotation() * DVec3::X * random.within(0.5, 2.5);
            let ways = [chain(&mut random, joints, DVec3::ZERO), chain(&mut random, joints, apart)];
            let at = |k: u32| {
                let [a, b] = [&ways[0], &ways[1]].map(|way| way.pose(f64::from(k) / 128.0).translation());
                a.distance(b) - 0.2
            };
            let least = (0..=128).map(at).fold(f64::INFINITY, f64::min);
            if !(0.2..0.35).contains(&least) {
                continue;
            }
            seen += 1;
            let impact = Pair::new(ball.clone(), ball.clone()).impact(&ways[0], &ways[1], Span::UNIT);
            assert!(impact.time.is_none() && impact.certain, "{joints} joints: {impact:?} {least}");
            // 10,000 steps and more were taken for 6 joints.
            assert!(work(&impact) <= 300, "{joints} joints: {} for {ways:?}", work(&impact));
            let enough = SweepOptions { enough: Some(0.0), ..SweepOptions::default() };
            let swept = Pair::new(ball.clone(), ball.clone()).sweep_with(&ways[0], &ways[1], Span::UNIT, &enough);
            assert!(swept.interval.lower > 0.0, "{joints} joints: {swept:?}");
            if seen == 20 {
                break;
            }
        }
        assert!(seen >= 10, "{joints} joints: {seen}");
    }
}

/// The links of a UR5 with a gripper, two by two, while all six joints follow a spline.
#[test]
fn the_links_of_an_arm_take_little_work() {
    let Some(corpus) = corpus() else { return };
    let urdf = Urdf::read(&corpus.join("robots/ur5/ur5.urdf"));
    let joint = |joint: &impinge_testing::urdf::UrdfJoint| {
        let kind = if joint.axis == DVec3::ZERO { JointKind::Fixed } else { JointKind::Continuous };
        let (name, parent, child) = (joint.name.clone(), joint.parent.clone(), joint.child.clone());
        RobotJoint { name, parent, child, origin: pose(&joint.origin), axis: joint.axis, kind }
    };
    let robot = Robot::new(urdf.joints.iter().map(joint).collect()).unwrap();
    let names = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"];
    let stops =
        [[0.0, -1.2, 1.0, -1.0, -1.5, 0.0], [0.8, -0.9, 0.6, -0.5, -1.2, 0.7], [1.5, -1.4, 1.2, -1.2, -1.6, 1.4]];
    let value = |stop: &[f64; 6], name: &str| names.iter().position(|n| name.starts_with(n)).map_or(0.0, |k| stop[k]);
    let row = |(k, stop): (usize, &[f64; 6])| {
        (0.5 * k as f64, robot.moving_joints().map(|joint| value(stop, &joint.name)).collect())
    };
    let path = JointTrajectory::spline(&stops.iter().enumerate().map(row).collect::<Vec<_>>()).unwrap();
    let model_of = |link: usize| {
        let found = urdf.links.iter().find(|shape| robot.link(&shape.name) == Some(link));
        found.map(model)
    };
    let models: Vec<Option<Model>> = (0..robot.links().len()).map(model_of).collect();
    let (mut pairs, mut whole, mut touching) = (0, 0, 0);
    for [a, b] in robot.pairs() {
        let [Some(one), Some(other)] = [&models[a], &models[b]] else { continue };
        let ways = [a, b].map(|link| robot.motion(link, &path).unwrap());
        let impact = Pair::new(one, other).impact(&ways[0], &ways[1], Span::UNIT);
        let names = [a, b].map(|link| robot.links()[link].as_str());
        assert!(impact.certain, "{names:?}: {impact:?}");
        if names == ["base_link", "fts_robotside"] {
            assert!(impact.time.is_none() && work(&impact) <= 200, "{impact:?}");
        }
        // What an answer says, another way to ask confirms.
        let mut pair = Pair::new(one, other);
        match impact.time {
            Some(time) => {
                touching += 1;
                let at = time.upper;
                assert!(pair.overlap(&ways[0].pose(at), &ways[1].pose(at)).overlap, "{names:?}: {impact:?}");
            }
            None => {
                for k in 0..=64 {
                    let t = f64::from(k) / 64.0;
                    assert!(!pair.overlap(&ways[0].pose(t), &ways[1].pose(t)).overlap, "{names:?}: at {t}");
                }
            }
        }
        (pairs, whole) = (pairs + 1, whole + work(&impact));
    }
    println!("{pairs} pairs, {touching} touch, work {whole}");
    assert!(pairs >= 60, "{pairs}");
    assert!(whole <= 400_000, "{whole}");
}

fn pose(at: &DAffine3) -> Pose {
    Pose::new(at.translation, DQuat::from_mat3(&at.matrix3)).unwrap()
}

fn model(link: &UrdfLink) -> Model {
    match &link.shape {
        LinkShape::Mesh(file) => {
            let part = impinge_io::read(file).unwrap().merged();
            let vertices = part.vertices.iter().map(|v| link.origin.transform_point3(*v)).collect();
            Mesh::new(vertices, part.triangles).unwrap().into()
        }
        LinkShape::Cuboid(half) => {
            let signs = [-1.0, 1.0];
            let corners = signs.map(|x| signs.map(|y| signs.map(|z| DVec3::new(x, y, z) * *half)));
            let corners = corners.into_iter().flatten().flatten().map(|p| link.origin.transform_point3(p));
            Convex::hull(&corners.collect::<Vec<_>>()).unwrap().into()
        }
    }
}
