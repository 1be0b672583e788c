//! A world is `Clone`, `Send` and `Sync`: a copy goes on as the original does, to the last bit, and by itself.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use impinge::broad::Phase;
use impinge::{Advance, Body, BodyId, Convex, Distance, Met, Pose, Round, Schedule, Span, Steady, World};
use impinge_testing::random::Random;

/// Compiles only while this holds.
const fn goes_between_threads<T: Clone + Send + Sync + 'static>() {}
const _: () = goes_between_threads::<World>();

fn full(phase: Phase, r: &mut Random) -> (World, Vec<BodyId>) {
    let mut world = World::with_phase(phase.start());
    let hull = |r: &mut Random| Convex::hull(&(0..14).map(|_| r.point(0.5)).collect::<Vec<_>>()).unwrap();
    let body = |r: &mut Random| Body::new(hull(r), Pose::at(r.point(2.0)).unwrap());
    let ids = (0..40).map(|_| world.add(body(r)).unwrap()).collect();
    (world, ids)
}

fn step(world: &mut World, ids: &[BodyId], r: &mut Random) -> Vec<Met<Distance>> {
    for &id in ids {
        let pose = world.body(id).unwrap().pose;
        let turn = DQuat::from_scaled_axis(r.point(0.05)) * pose.rotation();
        world.place(id, Pose::new(pose.translation() + r.point(0.05), turn).unwrap()).unwrap();
    }
    world.distance(0.4)
}

#[test]
fn a_copy_goes_on_as_the_original() {
    for (seed, &phase) in (0..).zip(Phase::EACH) {
        let mut r = Random::new(seed);
        let (mut world, ids) = full(phase, &mut r);
        (0..4).for_each(|_| drop(step(&mut world, &ids, &mut r)));
        // Changes that the broad phase has not taken in are copied too.
        let last = world.remove(ids[39]).unwrap();
        let mut copy = world.clone();
        let [id, other] = [&mut world, &mut copy].map(|world| world.add(last.clone()).unwrap());
        assert_eq!(id, other);
        let ids = [&ids[..39], &[id]].concat();
        for frame in 0..4 {
            let mut again = Random::new(100 * seed + frame);
            let answers = step(&mut world, &ids, &mut Random::new(100 * seed + frame));
            let copied = step(&mut copy, &ids, &mut again);
            assert!(answers.len() > 10);
            assert!(format!("{answers:?}") == format!("{copied:?}"), "{phase}, frame {frame}");
        }
    }
}

#[test]
fn changes_of_a_copy_leave_the_original() {
    let mut r = Random::new(7);
    let (mut world, ids) = full(Phase::Auto, &mut r);
    let near = |world: &mut World| world.distance(0.4).iter().map(|met| [met.a, met.b]).collect::<Vec<_>>();
    let before = near(&mut world);
    let mut copy = world.clone();
    std::thread::spawn(move || {
        ids.iter().for_each(|&id| drop(copy.remove(id)));
        assert!(copy.is_empty() && copy.distance(0.4).is_empty());
    })
    .join()
    .unwrap();
    assert!(before.len() > 10 && near(&mut world) == before);
}

/// A copy that is made in a reaction does not advance: the verbs take its bodies where they are placed, and it can
/// itself be advanced.
#[test]
fn a_copy_is_made_in_a_reaction() {
    let mut world = World::new();
    let ball = Round::sphere(0.5).unwrap();
    world.add(Body::new(ball.clone(), Pose::IDENTITY)).unwrap();
    let roll = Steady::straight(Pose::at(DVec3::X * -3.0).unwrap(), DVec3::X * 4.0, 0.0).unwrap();
    let start = Pose::at(DVec3::X * -3.0).unwrap();
    world.add(Body { motion: Some(Arc::new(roll)), ..Body::new(ball, start) }).unwrap();
    for schedule in [Schedule::Queue, Schedule::Estimate, Schedule::Fixed { interval: 0.125 }] {
        let mut copies = Vec::new();
        let mut whole = world.clone();
        whole.advance(Span::UNIT, &Advance::new(schedule), |world, _| copies.push(world.clone()));
        let mut copy = copies.remove(0);
        assert!(copy.overlap().is_empty(), "the ball is where the span began");
        let mut times = Vec::new();
        copy.advance(Span::UNIT, &Advance::new(schedule), |_, encounter| times.push(encounter.time));
        assert!(times.len() == 1 && (times[0] - 0.5).abs() < 1e-5, "{schedule:?}: {times:?}");
    }
}
