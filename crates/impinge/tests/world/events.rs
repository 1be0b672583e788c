//! Begin, stay and end of contacts, told by two sets of pairs that are compared from scratch; and sensors.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use impinge::{
    Body, BodyId, ContactEvent, EventKind, Filter, KeptPoints, Limit, ManifoldOptions, Manifolds, Met, Mobility, Pair,
    Pose, Round, World, WorldError,
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

/// The ids of all points of contact of any two bodies, each pair asked by itself.
fn point_ids(world: &World, tolerance: f64) -> BTreeMap<[BodyId; 2], BTreeSet<u64>> {
    let options = ManifoldOptions { prediction: tolerance, points: KeptPoints::All };
    let bodies: Vec<(BodyId, &Body)> = world.bodies().collect();
    let mut all = BTreeMap::new();
    for (a, x) in &bodies {
        for (b, y) in bodies.iter().filter(|(b, _)| a < b) {
            let mut pair = Pair::new(&x.model, &y.model);
            let (mut found, [p, q]) = (Manifolds::new(), [&x.pose, &y.pose]);
            if pair.within(p, q, tolerance).within {
                pair.manifolds(p, q, &options, &mut found);
                all.insert([*a, *b], found.points().iter().map(|point| point.id).collect());
            }
        }
    }
    all
}

/// Events tell of each point whether it has begun, stays or has ended: the difference of the ids at two looks. Bodies
/// come and go while their events are pending.
#[test]
fn points_of_events_are_the_difference_of_two_looks() {
    let mut r = Random::new(31);
    let mut world = World::new();
    let cube = |r: &mut Random| {
        let shape = Round::cuboid(DVec3::new(r.within(0.3, 1.0), 0.4, 0.6)).unwrap();
        let turn = r.rotation();
        Body::new(shape, Pose::new(r.point(1.3), turn).unwrap())
    };
    let mut ids: Vec<BodyId> = (0..30).map(|_| world.add(cube(&mut r)).unwrap()).collect();
    let (mut before, mut counts): (BTreeMap<_, BTreeSet<u64>>, _) = (BTreeMap::new(), [0; 3]);
    for frame in 0..12 {
        let now = point_ids(&world, 0.0);
        let told = world.events(0.0);
        let pairs: BTreeSet<[BodyId; 2]> = before.keys().chain(now.keys()).copied().collect();
        assert_eq!(told.iter().map(|event| [event.a, event.b]).collect::<BTreeSet<_>>(), pairs, "{frame}");
        for event in &told {
            let none = BTreeSet::new();
            let [old, new] = [&before, &now].map(|look| look.get(&[event.a, event.b]).unwrap_or(&none));
            let expected: Vec<(u64, EventKind)> = old
                .union(new)
                .map(|id| match (old.contains(id), new.contains(id)) {
                    (true, true) => (*id, EventKind::Stay),
                    (true, false) => (*id, EventKind::End),
                    _ => (*id, EventKind::Begin),
                })
                .collect();
            let points: Vec<(u64, EventKind)> = event.points.iter().map(|point| (point.id, point.kind)).collect();
            assert_eq!(points, expected, "{frame}: {event:?}");
            points.iter().for_each(|(_, kind)| counts[*kind as usize] += 1);
        }
        before = now;
        for id in &mut ids {
            match r.below(8) {
                0 => {
                    world.remove(*id).unwrap();
                    *id = world.add(cube(&mut r)).unwrap();
                }
                1..=3 => {
                    let pose = world.body(*id).unwrap().pose;
                    let pose = Pose::new(pose.translation() + r.point(0.01), pose.rotation()).unwrap();
                    world.place(*id, pose).unwrap();
                }
                _ => {}
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// A box that slides over a floor keeps its four points; one that is removed ends them, and its slot begins anew.
#[test]
fn points_of_a_sliding_box_stay() {
    let mut world = World::new();
    let floor = Round::cuboid(DVec3::new(20.0, 20.0, 1.0)).unwrap();
    world.add(Body { mobility: Mobility::Static, ..Body::new(floor, Pose::at(DVec3::Z * -0.5).unwrap()) }).unwrap();
    let at = |x: f64| Pose::at(DVec3::new(x, 0.3 * x, 0.499)).unwrap();
    let cube = || Body::new(Round::cuboid(DVec3::ONE).unwrap(), at(0.0));
    let id = world.add(cube()).unwrap();
    let kinds = |events: &[ContactEvent]| -> Vec<(EventKind, Vec<EventKind>)> {
        events.iter().map(|e| (e.kind, e.points.iter().map(|point| point.kind).collect())).collect()
    };
    assert_eq!(kinds(&world.events(0.01)), [(EventKind::Begin, vec![EventKind::Begin; 4])]);
    for step in 1..40 {
        world.place(id, at(0.02 * f64::from(step))).unwrap();
        assert_eq!(kinds(&world.events(0.01)), [(EventKind::Stay, vec![EventKind::Stay; 4])], "{step}");
    }
    world.remove(id).unwrap();
    let again = world.add(cube()).unwrap();
    let told = world.events(0.01);
    assert_eq!((told[0].b, told[1].b), (id, again));
    let ended = [(EventKind::End, vec![EventKind::End; 4]), (EventKind::Begin, vec![EventKind::Begin; 4])];
    assert_eq!(kinds(&told), ended);
    world.remove(again).unwrap();
    assert_eq!(kinds(&world.events(0.01)), [(EventKind::End, vec![EventKind::End; 4])]);
    assert!(world.events(0.01).is_empty());
}

/// A list that is filled frame after frame has what a new one has, whatever was in it.
#[test]
fn lists_filled_again_are_new_lists() {
    let mut r = Random::new(5);
    let mut world = World::new();
    let mut ids: Vec<BodyId> = (0..40).map(|_| world.add(ball(&mut r)).unwrap()).collect();
    let options = ManifoldOptions { prediction: 0.1, ..ManifoldOptions::default() };
    let (mut filled, mut lengths) = (Vec::new(), BTreeSet::new());
    for _ in 0..20 {
        let new = world.clone().manifolds(&options);
        world.manifolds_into(&options, &mut filled);
        let told = |list: &[Met<Manifolds>]| -> Vec<_> {
            list.iter().map(|met| (met.a, met.b, met.answer.points().to_vec())).collect()
        };
        assert_eq!(told(&filled), told(&new));
        lengths.insert(filled.len());
        for id in ids.iter_mut().step_by(3) {
            world.remove(*id).unwrap();
            *id = world.add(ball(&mut r)).unwrap();
        }
    }
    assert!(lengths.len() > 5, "{lengths:?}");
}
