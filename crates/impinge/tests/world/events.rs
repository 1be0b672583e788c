//! Begin, stay and end of contacts, told by two sets of pairs that are compared from scratch; and sensors.

use std::collections::BTreeSet;

use glam::DVec3;
use impinge::{
    Body, BodyId, ContactEvent, EventKind, Filter, Limit, ManifoldOptions, Manifolds, Mobility, Pair, Pose, Round,
    World, WorldError,
};
use impinge_testing::random::Random;

fn ball(r: &mut Random) -> Body {
    Body {
        sensor: r.below(4) == 0,
        mobility: if r.below(4) == 0 { Mobility::Static } else { Mobility::Moving },
        filter: Filter { group: 1 << r.below(3), mask: if r.below(3) == 0 { 0b011 } else { u32::MAX } },
        user_data: u128::from(r.below(1000)) << 100,
        ..Body::new(Round::sphere(r.within(0.2, 0.9)).unwrap(), Pose::at(r.point(2.0)).unwrap())
    }
}

/// The pairs of balls that are as near as a tolerance, by the distances of their centres.
fn near_pairs(world: &World, tolerance: f64) -> BTreeSet<[BodyId; 2]> {
    let bodies: Vec<(BodyId, &Body)> = world.bodies().collect();
    let radius = |body: &Body| body.model.outline(&body.pose, body.outline).map_or(0.0, |b| (b.max.x - b.min.x) / 2.0);
    let mut pairs = BTreeSet::new();
    for (a, x) in &bodies {
        for (b, y) in bodies.iter().filter(|(b, _)| a < b) {
            let both_static = [x.mobility, y.mobility] == [Mobility::Static; 2];
            let gap = x.pose.translation().distance(y.pose.translation()) - radius(x) - radius(y);
            if !both_static && x.filter.admits(y.filter) && gap <= tolerance {
                pairs.insert([*a, *b]);
            }
        }
    }
    pairs
}

#[test]
fn events_are_the_difference_of_two_looks() {
    let mut counts = [0; 3];
    for round in 0..20 {
        let mut r = Random::new(round);
        let mut world = World::new();
        let mut ids: Vec<BodyId> = (0..20).map(|_| world.add(ball(&mut r)).unwrap()).collect();
        let tolerance = if round % 2 == 0 { 0.0 } else { 0.2 };
        let mut before = BTreeSet::new();
        for _ in 0..8 {
            let now = near_pairs(&world, tolerance);
            let kind = |pair| match (before.contains(pair), now.contains(pair)) {
                (false, _) => EventKind::Begin,
                (_, true) => EventKind::Stay,
                (_, false) => EventKind::End,
            };
            let expected: Vec<_> = before.union(&now).map(|pair| (*pair, kind(pair))).collect();
            let told: Vec<ContactEvent> = world.events(tolerance);
            assert_eq!(told.iter().map(|e| ([e.a, e.b], e.kind)).collect::<Vec<_>>(), expected);
            for event in &told {
                counts[event.kind as usize] += 1;
                if let (Some(a), Some(b)) = (world.body(event.a), world.body(event.b)) {
                    assert_eq!(event.sensor, a.sensor || b.sensor);
                }
            }
            before = now;
            for id in &mut ids {
                match r.below(6) {
                    0 => {
                        world.remove(*id).unwrap();
                        *id = world.add(ball(&mut r)).unwrap();
                    }
                    1 => world.set_filter(*id, Filter { group: 1 << r.below(3), mask: u32::MAX }).unwrap(),
                    2 => world.place(*id, Pose::at(r.point(2.0)).unwrap()).unwrap(),
                    _ => {}
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn sensors_are_told_and_not_solved() {
    let mut world = World::new();
    let at = |x: f64| Pose::at(DVec3::X * x).unwrap();
    let ball = Round::sphere(1.0).unwrap();
    let gate = world.add(Body { sensor: true, ..Body::new(ball.clone(), at(0.0)) }).unwrap();
    let [b, c] = [1.5, 3.0].map(|x| world.add(Body::new(ball.clone(), at(x))).unwrap());
    assert_eq!(world.overlap().len(), 2);
    assert_eq!(world.overlap_of(gate).unwrap().len(), 1);
    let solved: Vec<_> = world.contacts(Limit::All).iter().map(|met| [met.a, met.b]).collect();
    assert_eq!(solved, [[b, c]]);
    assert_eq!(world.penetration().len(), 1);
    let options = ManifoldOptions { prediction: 0.1, ..ManifoldOptions::default() };
    assert_eq!(world.manifolds(&options).iter().map(|met| [met.a, met.b]).collect::<Vec<_>>(), [[b, c]]);
    assert!(world.contacts_of(gate, Limit::All).unwrap().is_empty() && world.penetration_of(gate).unwrap().is_empty());
    world.set_sensor(gate, false).unwrap();
    assert_eq!(world.contacts(Limit::All).len(), 2);
}

#[test]
fn ids_of_removed_bodies_are_refused() {
    let mut world = World::new();
    let gone = world.add(Body::new(Round::sphere(1.0).unwrap(), Pose::IDENTITY)).unwrap();
    world.remove(gone).unwrap();
    let there = world.add(Body::new(Round::sphere(1.0).unwrap(), Pose::IDENTITY)).unwrap();
    let refused = Err(WorldError::NoBody { id: gone });
    assert_eq!(world.set_sensor(gone, true), refused);
    assert_eq!(world.set_user_data(gone, 1), refused);
    assert_eq!(world.body(there).map(|body| (body.sensor, body.user_data)), Some((false, 0)));
}

/// Bodies that are apart have manifolds where they are as near as the prediction, and the points are those of a pair.
#[test]
fn manifolds_are_those_of_pairs() {
    let mut r = Random::new(12);
    let mut world = World::new();
    for _ in 0..60 {
        let cube = Round::cuboid(DVec3::new(r.within(0.3, 1.0), 0.4, 0.6)).unwrap();
        let turn = r.rotation();
        world.add(Body::new(cube, Pose::new(r.point(1.8), turn).unwrap())).unwrap();
    }
    for prediction in [0.0, 0.1, f64::NAN] {
        let options = ManifoldOptions { prediction, ..ManifoldOptions::default() };
        let mut expected = Vec::new();
        let bodies: Vec<(BodyId, &Body)> = world.bodies().collect();
        for (a, x) in &bodies {
            for (b, y) in bodies.iter().filter(|(b, _)| a < b) {
                let mut found = Manifolds::new();
                Pair::new(&x.model, &y.model).manifolds(&x.pose, &y.pose, &options, &mut found);
                if !found.is_empty() {
                    expected.push(([*a, *b], found.points().len()));
                }
            }
        }
        let met = world.clone().manifolds(&options);
        let told: Vec<_> = met.iter().map(|met| ([met.a, met.b], met.answer.points().len())).collect();
        assert!(expected.len() > 30 && told == expected, "{prediction}");
    }
}
