//! Worlds that advance in time: bodies that touch, part, and touch again.

use std::f64::consts::PI;
use std::sync::Arc;
use std::time::Instant;

use impinge::glam::{DQuat, DVec3};
use impinge::{Advance, Body, Encounter, Mesh, Model, Motion, Pair, Pose, Progress, Round, Schedule, Span, Steady};
use impinge::{SampleBounds, SampledPoses, TimedPoses, World};
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

fn at(x: f64) -> Pose {
    Pose::at(DVec3::X * x).unwrap()
}

fn mesh(soup: Soup) -> Model {
    Mesh::new(soup.vertices, soup.triangles).unwrap().into_solid().unwrap().into()
}

/// A world of one body that moves and one at rest.
fn two(a: impl Into<Model>, motion: impl Motion + 'static, b: impl Into<Model>, pose: Pose) -> World {
    let mut world = World::new();
    world.add(Body { motion: Some(Arc::new(motion)), ..Body::new(a, Pose::IDENTITY) }).unwrap();
    world.add(Body::new(b, pose)).unwrap();
    world
}

fn all(world: &mut World, to: f64, how: &Advance) -> (Vec<Encounter>, Progress) {
    let mut seen = Vec::new();
    let progress = world.advance(Span::new(0.0, to).unwrap(), how, |_, encounter| seen.push(encounter.clone()));
    (seen, progress)
}

/// A ball touches for 10 s, is far away by 11 s, and comes back at 19.98 s. That takes few looks.
#[test]
fn a_body_that_rests_for_long_is_seen_to_part_and_to_come_back() {
    let rows = [(0.0, 0.9), (10.0, 0.9), (11.0, 6.0), (19.0, 6.0), (20.0, 0.9), (21.0, 6.0)].map(|(t, x)| (t, at(x)));
    let ball = || Round::sphere(0.5).unwrap();
    for schedule in [Schedule::Queue, Schedule::Estimate] {
        for to in [22.0, 1000.0, 1e6] {
            let mut world = two(ball(), TimedPoses::new(&rows, DVec3::ZERO).unwrap(), ball(), Pose::IDENTITY);
            let (seen, progress) = all(&mut world, to, &Advance::new(schedule));
            assert_eq!(seen.len(), 2, "{schedule:?} to {to}: {progress:?}");
            let back = 19.0 + 5.0 / 5.1;
            assert!(seen[1].time <= back && seen[1].time > back - 1e-3, "{schedule:?} to {to}: {}", seen[1].time);
            assert!(progress.checks < 200 && progress.late == 0, "{schedule:?} to {to}: {progress:?}");
        }
    }
}

/// The same with a ball that turns where it touches, so that nothing proves that it stays in touch. After 2¹⁶ looks the
/// world looks less often and says so; the ball's next contact is still found.
#[test]
fn looks_while_touching_do_not_use_up_those_for_the_next_contact() {
    let turned = |t: f64, x: f64| (t, Pose::new(DVec3::X * x, DQuat::from_rotation_x(t)).unwrap());
    let touches = 1.0 - 2e-7;
    let mut rows: Vec<_> = (0..=10).map(|k| turned(f64::from(k), touches)).collect();
    rows.extend([turned(11.0, 6.0), turned(19.0, 6.0), turned(20.0, 0.9), turned(21.0, 6.0)]);
    let ball = || Round::sphere(0.5).unwrap();
    let mut world = two(ball(), TimedPoses::new(&rows, DVec3::ZERO).unwrap(), ball(), Pose::IDENTITY);
    let (seen, progress) = all(&mut world, 1000.0, &Advance::new(Schedule::Queue));
    assert!(progress.late > 0, "{progress:?}");
    assert_eq!(seen.len(), 2, "{progress:?}");
    let back = 19.0 + 5.0 / 5.1;
    assert!(seen[1].time <= back && seen[1].time > back - 1e-3, "{}", seen[1].time);
}

/// A blade at 1000 rad/s meets a post 318 times a second, however seldom bodies that touch are asked to be looked at,
/// and wherever a window ends.
#[test]
fn each_turn_of_a_fast_blade_is_an_encounter() {
    let (blade, post) = (DVec3::new(4.0, 0.2, 0.2), DVec3::new(0.1, 0.1, 4.0));
    let convex: [Model; 2] = [blade, post].map(|sides| Round::cuboid(sides).unwrap().into());
    // The same bodies as triangles, for which no depth is known.
    let meshes = [blade, post].map(|sides| mesh(shapes::cuboid(DVec3::ZERO, 0.5 * sides)));
    let turning = || Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * 1000.0, 0.0).unwrap();
    let at_rest = Pose::at(DVec3::Y * 1.5).unwrap();
    for ([a, b], to) in [(convex, 2.0), (meshes, 0.2)] {
        for (shortest, windows) in [(1e-2, 1), (f64::INFINITY, 2), (1e-3, 7)] {
            let how = Advance { shortest, windows, ..Advance::new(Schedule::Queue) };
            let (seen, progress) = all(&mut two(a.clone(), turning(), b.clone(), at_rest), to, &how);
            // Every half turn, and half a half turn before the first.
            let expected = (to * 1000.0 / PI + 0.5 + 0.05).floor() as usize;
            assert_eq!((seen.len(), progress.late), (expected, 0), "{a:?}: {shortest} {windows} {progress:?}");
        }
    }
}

/// A ball is seen at (−5, 2) and at (5, 2), and goes at most 12 a second: it may have touched what stands at the
/// origin. That is one encounter, when it first may; it does not matter how time is cut into windows.
#[test]
fn a_body_that_may_have_touched_between_samples_is_one_encounter() {
    let passing = |y: f64| {
        let rows = [(0.0, -5.0), (1.0, 5.0)].map(|(t, x)| (t, Pose::at(DVec3::new(x, y, 0.0)).unwrap()));
        SampledPoses::new(&rows, DVec3::ZERO, SampleBounds::speeds(12.0, 0.0)).unwrap()
    };
    let ball = || Round::sphere(0.5).unwrap();
    let apart = |t: f64| passing(2.0).pose(t).translation().length() - 1.0 - passing(2.0).margin(t, t, 0.5);
    let first = (0..=1000).map(|k| f64::from(k) * 1e-3).find(|&t| apart(t) <= 0.0).unwrap();
    for windows in [1, 3, 16] {
        for schedule in [Schedule::Queue, Schedule::Estimate] {
            let how = Advance { windows, ..Advance::new(schedule) };
            let (seen, progress) = all(&mut two(ball(), passing(2.0), ball(), Pose::IDENTITY), 1.0, &how);
            assert_eq!(seen.len(), 1, "{schedule:?} {windows}: {progress:?}");
            let (t, distance) = (seen[0].time, seen[0].distance);
            assert!(t <= first && t > first - 2e-3, "{schedule:?} {windows}: {t}, not {first}");
            let near = how.envelope + (1.0 + how.envelope) / f64::from(1 << 20);
            assert!(distance.lower <= passing(2.0).margin(t, t, 0.5) + near, "{distance:?}");
            assert!(progress.checks < 10_000 && progress.late == 0, "{schedule:?} {windows}: {progress:?}");
            let (seen, _) = all(&mut two(ball(), passing(4.4), ball(), Pose::IDENTITY), 1.0, &how);
            assert!(seen.is_empty(), "too far off to stray so far: {seen:?}");
        }
    }
}

/// Two rings that turn inside each other for a long time. A look at them costs a distance query. It does not compute
/// their depth, which takes a thousand times as long and is needed only when an encounter is reported.
#[test]
fn looks_at_bodies_that_overlap_cost_a_distance_query() {
    let ring = mesh(shapes::torus(1.0, 0.3, 16, 10));
    let turning = Steady::turning(at(0.4), DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0), 0.0).unwrap();
    let began = Instant::now();
    let mut world = two(ring.clone(), turning, ring.clone(), Pose::IDENTITY);
    let (seen, progress) = all(&mut world, 1.0, &Advance::new(Schedule::Queue));
    let took = began.elapsed();
    assert_eq!(seen.len(), 1, "{progress:?}");
    let began = Instant::now();
    let mut pair = Pair::new(ring.clone(), ring);
    for k in 0..progress.checks {
        let distance = pair.distance(&turning.pose(k as f64 / progress.checks as f64), &Pose::IDENTITY);
        assert!(distance.penetrating);
    }
    let queries = began.elapsed();
    assert!(took < 50 * queries, "{took:?}, and {} distance queries {queries:?}", progress.checks);
}
