//! Many bodies: a world answers what its pairs answer one by one, while bodies are added, removed, moved and changed.

use std::sync::Arc;

use glam::DVec3;
use impinge::broad::{Filter, Mobility, Phase};
use impinge::{Body, BodyId, Convex, Limit, Mesh, Met, Model, Outline, Pair, Pose, Round, World, WorldError};
use impinge_testing::random::Random;
use impinge_testing::shapes;

fn pose(r: &mut Random, size: f64) -> Pose {
    let turn = r.rotation();
    Pose::new(r.point(size), turn).unwrap()
}

/// One body of every kind of model.
fn model(r: &mut Random) -> Model {
    match r.below(7) {
        0 => Round::sphere(r.within(0.1, 0.8)).unwrap().into(),
        1 => Round::cuboid(DVec3::new(r.within(0.1, 1.0), 0.5, r.within(0.1, 2.0))).unwrap().into(),
        2 => Round::cylinder(r.within(0.1, 0.5), r.within(0.1, 2.0)).unwrap().with_margin(0.05).unwrap().into(),
        3 => Convex::hull(&(0..12).map(|_| r.point(0.6)).collect::<Vec<_>>()).unwrap().into(),
        4 => {
            let cube = shapes::cuboid(DVec3::splat(0.5), DVec3::ONE);
            Mesh::new(cube.vertices, cube.triangles).unwrap().into()
        }
        5 => {
            let torus = shapes::torus(0.6, 0.2, 12, 8);
            Mesh::new(torus.vertices, torus.triangles).unwrap().into_surface().into()
        }
        _ => {
            let hulls = (0..3).map(|k| {
                let at = DVec3::X * 0.4 * f64::from(k);
                (0..6).map(|_| at + r.point(0.3)).collect::<Vec<_>>()
            });
            let hulls: Vec<_> = hulls.collect();
            impinge::Parts::from_hulls(hulls.iter().map(Vec::as_slice)).unwrap().into()
        }
    }
}

fn body(r: &mut Random) -> Body {
    let model = model(r);
    Body {
        mobility: if r.below(4) == 0 { Mobility::Static } else { Mobility::Moving },
        outline: if r.below(3) == 0 { Outline::Cube } else { Outline::Fitted },
        filter: Filter { group: 1 << r.below(3), mask: if r.below(3) == 0 { 0b011 } else { u32::MAX } },
        ..Body::new(model, pose(r, 3.0))
    }
}

fn may_meet(a: &Body, b: &Body) -> bool {
    let both = a.mobility == Mobility::Static && b.mobility == Mobility::Static;
    a.filter.admits(b.filter) && !both
}

/// All pairs that may meet, each asked by a pair that remembers nothing.
fn one_by_one<T>(world: &World, mut ask: impl FnMut(&mut Pair, &Pose, &Pose) -> Option<T>) -> Vec<([BodyId; 2], T)> {
    let bodies: Vec<(BodyId, &Body)> = world.bodies().collect();
    let mut all = Vec::new();
    for (i, (a, x)) in bodies.iter().enumerate() {
        for (b, y) in &bodies[i + 1..] {
            if may_meet(x, y)
                && let Some(answer) = ask(&mut Pair::new(&x.model, &y.model), &x.pose, &y.pose)
            {
                all.push(([*a, *b], answer));
            }
        }
    }
    all
}

fn names<T>(met: &[Met<T>]) -> Vec<[BodyId; 2]> {
    met.iter().map(|m| [m.a, m.b]).collect()
}

fn check(world: &mut World, tolerance: f64) {
    let touching = one_by_one(world, |pair, a, b| pair.overlap(a, b).overlap.then_some(()));
    let expected: Vec<_> = touching.iter().map(|(ids, ())| *ids).collect();
    assert_eq!(names(&world.overlap()), expected);
    assert_eq!(names(&world.contacts(Limit::First)), expected);
    assert_eq!(names(&world.penetration()), expected);
    let near = one_by_one(world, |pair, a, b| pair.within(a, b, tolerance).within.then_some(()));
    let expected: Vec<_> = near.iter().map(|(ids, ())| *ids).collect();
    assert_eq!(names(&world.within(tolerance)), expected);
    let far = one_by_one(world, |pair, a, b| {
        let distance = pair.distance(a, b).interval;
        (distance.lower <= tolerance).then_some(distance)
    });
    let met = world.distance(tolerance);
    assert_eq!(names(&met), far.iter().map(|(ids, _)| *ids).collect::<Vec<_>>());
    for (met, (_, by_pair)) in met.iter().zip(&far) {
        let i = met.answer.interval;
        assert!(i.lower <= by_pair.upper && by_pair.lower <= i.upper, "{i:?} and {by_pair:?}");
    }
}

#[test]
fn a_world_answers_as_its_pairs_do() {
    for (round, &phase) in Phase::EACH.iter().enumerate() {
        let mut r = Random::new(round as u64);
        let mut world = World::with_phase(phase.start());
        let mut ids: Vec<BodyId> = (0..12).map(|_| world.add(body(&mut r)).unwrap()).collect();
        for (frame, tolerance) in [0.0, 0.3, 0.1].into_iter().cycle().take(8).enumerate() {
            check(&mut world, tolerance);
            for id in &mut ids {
                match r.below(8) {
                    0 => {
                        world.remove(*id).unwrap();
                        *id = world.add(body(&mut r)).unwrap();
                    }
                    1 => drop(world.replace(*id, model(&mut r)).unwrap()),
                    2 => world.set_filter(*id, Filter { group: 1 << r.below(3), mask: u32::MAX }).unwrap(),
                    3 => {}
                    _ => {
                        let at = world.body(*id).unwrap().pose.translation() + r.point(0.4);
                        world.place(*id, Pose::new(at, r.rotation()).unwrap()).unwrap();
                    }
                }
            }
            ids.push(world.add(body(&mut r)).unwrap());
            if frame == 4 {
                world.set_reach(0.0);
            }
        }
        assert_eq!(world.len(), ids.len());
        for id in ids {
            world.remove(id).unwrap();
        }
        assert!(world.is_empty() && world.overlap().is_empty() && world.within(1.0).is_empty());
    }
}

#[test]
fn one_body_against_all() {
    let mut r = Random::new(5);
    let mut world = World::new();
    let ids: Vec<BodyId> = (0..30).map(|_| world.add(body(&mut r)).unwrap()).collect();
    for &id in &ids {
        let all = names(&world.overlap());
        let of: Vec<_> = all.into_iter().filter(|pair| pair.contains(&id)).collect();
        assert_eq!(names(&world.overlap_of(id).unwrap()), of);
        assert_eq!(names(&world.contacts_of(id, Limit::All).unwrap()), of);
        assert_eq!(names(&world.penetration_of(id).unwrap()), of);
        let near = names(&world.within(0.2));
        let near: Vec<_> = near.into_iter().filter(|pair| pair.contains(&id)).collect();
        assert_eq!(names(&world.within_of(id, 0.2).unwrap()), near);
        assert_eq!(names(&world.distance_of(id, 0.2).unwrap()), near);
        let nearest = world.nearest(id).unwrap();
        let by_pair = one_by_one(&world, |pair, a, b| Some(pair.distance(a, b).interval));
        let least =
            by_pair.iter().filter(|(pair, _)| pair.contains(&id)).map(|(_, i)| i.upper).fold(f64::INFINITY, f64::min);
        let found = nearest.map_or(f64::INFINITY, |met| met.answer.interval.upper);
        assert!(found == least || (found - least).abs() <= 1e-12, "{found} and {least}");
    }
}

#[test]
fn pairs_that_are_left_out() {
    let mut world = World::new();
    let ball = Round::sphere(1.0).unwrap();
    let ids: Vec<BodyId> = (0..4).map(|_| world.add(Body::new(ball.clone(), Pose::IDENTITY)).unwrap()).collect();
    assert_eq!(world.overlap().len(), 6);
    world.ignore(ids[2], ids[0], true).unwrap();
    assert!(names(&world.overlap()).iter().all(|&pair| pair != [ids[0], ids[2]]) && world.overlap().len() == 5);
    world.ignore(ids[0], ids[2], false).unwrap();
    assert_eq!(world.overlap().len(), 6);
    let last = ids[3];
    world.set_rule(move |a, b| a != last && b != last);
    assert_eq!(world.overlap().len(), 3);
    world.set_filter(ids[0], Filter { group: 1, mask: 0 }).unwrap();
    assert_eq!(names(&world.overlap()), [[ids[1], ids[2]]]);
}

#[test]
fn ids_of_bodies_that_are_gone_are_refused() {
    let mut world = World::new();
    let ball = || Body::new(Round::sphere(1.0).unwrap(), Pose::IDENTITY);
    let old = world.add(ball()).unwrap();
    world.remove(old).unwrap();
    let new = world.add(ball()).unwrap();
    assert_ne!(old, new);
    assert!(world.body(old).is_none() && world.body(new).is_some());
    let gone = Err(WorldError::NoBody { id: old });
    assert_eq!(world.place(old, Pose::IDENTITY), gone);
    assert_eq!(world.set_filter(old, Filter::ALL), gone);
    assert_eq!(world.ignore(new, old, true), gone);
    assert!(world.remove(old).is_err() && world.replace(old, Round::sphere(1.0).unwrap()).is_err());
    assert!(world.overlap_of(old).is_err() && world.nearest(old).is_err());
    assert_eq!(world.len(), 1);
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut world = World::new();
    let ball = Round::sphere(1.0).unwrap();
    let id = world.add(Body::new(ball.clone(), Pose::IDENTITY)).unwrap();
    let far = Pose::at(DVec3::splat(1e150)).unwrap();
    assert!(matches!(world.place(id, far), Err(WorldError::Box(_))));
    assert_eq!(world.body(id).unwrap().pose, Pose::IDENTITY);
    assert!(world.add(Body::new(ball.clone(), far)).is_err() && world.len() == 1);
    let other = world.add(Body::new(ball, Pose::at(DVec3::X).unwrap())).unwrap();
    assert_eq!(names(&world.overlap()), [[id, other]]);
    assert_eq!(names(&world.within(f64::INFINITY)), [[id, other]]);
    assert_eq!(names(&world.within(f64::NAN)), [[id, other]]);
    assert_eq!(names(&world.distance(f64::NAN)), [[id, other]]);
}

#[test]
fn bodies_without_bounds_and_without_points() {
    let mut world = World::new();
    let floor = world.add(Body::new(Round::half_space(DVec3::Z, 0.0).unwrap(), Pose::IDENTITY)).unwrap();
    let nothing = world.add(Body::new(Mesh::empty(), Pose::IDENTITY)).unwrap();
    let high = world.add(Body::new(Round::sphere(1.0).unwrap(), Pose::at(DVec3::Z * 5.0).unwrap())).unwrap();
    let low = world.add(Body::new(Round::sphere(1.0).unwrap(), Pose::at(DVec3::Z * 0.5).unwrap())).unwrap();
    assert_eq!(names(&world.overlap()), [[floor, low]]);
    assert_eq!(names(&world.within(4.5)), [[floor, high], [floor, low], [high, low]]);
    assert_eq!(world.nearest(high).unwrap().unwrap().b, low);
    assert!(world.nearest(nothing).unwrap().is_none());
    world.replace(floor, Round::sphere(0.25).unwrap()).unwrap();
    world.replace(nothing, Round::half_space(-DVec3::Z, -4.5).unwrap()).unwrap();
    assert_eq!(names(&world.overlap()), [[floor, low], [nothing, high]]);
    let top = world.remove(nothing).unwrap();
    assert_eq!(names(&world.overlap()), [[floor, low]]);
    world.add(Body { mobility: Mobility::Static, ..top }).unwrap();
    assert_eq!(world.overlap().len(), 2);
}

/// A mesh in a world is deformed: its box is updated, and so are the pairs that remember it.
#[test]
fn a_deformed_body_is_replaced() {
    let mut world = World::new();
    let sheet = |z: f64| [[0., 0., z], [1., 0., z], [0., 1., z]].map(DVec3::from_array).to_vec();
    let mut cloth = Arc::new(Mesh::new(sheet(3.0), vec![[0, 1, 2]]).unwrap());
    let id = world.add(Body::new(cloth.clone(), Pose::IDENTITY)).unwrap();
    let ball = world.add(Body::new(Round::sphere(1.0).unwrap(), Pose::IDENTITY)).unwrap();
    for step in 0..10 {
        let z = 3.0 - 0.25 * f64::from(step);
        Arc::make_mut(&mut cloth).deform(&sheet(z)).unwrap();
        world.replace(id, cloth.clone()).unwrap();
        assert_eq!(names(&world.overlap()), if z <= 1.0 { vec![[id, ball]] } else { vec![] }, "at {z}");
        assert!(world.nearest(id).unwrap().unwrap().answer.interval.contains((z - 1.0).max(0.0)));
    }
}

/// The number of pairs is the same before and after the list of pairs is made, whichever pairs are left out.
#[test]
fn counted_as_listed() {
    for &phase in Phase::EACH {
        let mut r = Random::new(91);
        let mut world = World::with_phase(phase.start());
        let mut ids: Vec<BodyId> = (0..40).map(|_| world.add(body(&mut r)).unwrap()).collect();
        let floor = Round::half_space(DVec3::Z, -2.0).unwrap();
        ids.push(world.add(Body { mobility: Mobility::Static, ..Body::new(floor, Pose::IDENTITY) }).unwrap());
        world.ignore(ids[40], ids[7], true).unwrap();
        let left_out = ids[3];
        world.set_rule(move |a, b| a != left_out && b != left_out);
        for frame in 0..6 {
            world.set_reach(0.2 * f64::from(frame % 3));
            let counted = world.count_pairs();
            assert_eq!(counted, world.count_pairs(), "{phase}, asked twice");
            assert_eq!(counted, world.refresh() as u64, "{phase}, {frame}");
            assert_eq!(counted, world.count_pairs(), "{phase}, of the list");
            ids.iter().take(20).for_each(|&id| world.place(id, pose(&mut r, 3.0)).unwrap());
        }
    }
}

/// The same bits for any number of threads, with many bodies at one point among them.
#[test]
fn threads_change_nothing() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut r = Random::new(3);
            let mut world = World::new();
            let mut ids: Vec<BodyId> = (0..400).map(|_| world.add(body(&mut r)).unwrap()).collect();
            let ball = Round::sphere(0.1).unwrap();
            ids.extend((0..60).map(|_| world.add(Body::new(ball.clone(), Pose::IDENTITY)).unwrap()));
            let mut said = String::new();
            for _ in 0..3 {
                for &id in &ids {
                    let at = world.body(id).unwrap().pose.translation() + r.point(0.1);
                    world.place(id, Pose::at(at).unwrap()).unwrap();
                }
                for met in world.distance(0.1) {
                    said += &format!("{} {} {:?} {:?}\n", met.a, met.b, met.answer.interval, met.answer.witness);
                }
            }
            said
        })
    };
    let one = run(1);
    assert!(one.lines().count() > 1000);
    assert!(one == run(2) && one == run(5));
}

/// A pair holds its models: the number of owners of a model shows whether the world still remembers the pair.
#[test]
fn pairs_that_are_no_longer_near_are_forgotten() {
    for &phase in Phase::EACH {
        let mut world = World::with_phase(phase.start());
        let cube = shapes::cuboid(DVec3::splat(0.5), DVec3::ONE);
        let cube = Arc::new(Mesh::new(cube.vertices, cube.triangles).unwrap());
        let add =
            |world: &mut World, x: f64| world.add(Body::new(cube.clone(), Pose::at(DVec3::X * x).unwrap())).unwrap();
        let ids = [0.0, 1.9, 3.8].map(|x| add(&mut world, x));
        let bodies = Arc::strong_count(&cube);
        assert_eq!(world.overlap().len(), 2, "{phase}");
        let asked = Arc::strong_count(&cube);
        assert!(asked >= bodies + 4, "{phase}: two pairs of two, and {asked} have it, {bodies} before");
        // One body leaves, comes back, and leaves for good.
        world.place(ids[2], Pose::at(DVec3::X * 9.0).unwrap()).unwrap();
        assert_eq!((world.refresh(), Arc::strong_count(&cube)), (1, bodies + (asked - bodies) / 2), "{phase}");
        world.place(ids[2], Pose::at(DVec3::X * 3.8).unwrap()).unwrap();
        assert_eq!((world.overlap().len(), Arc::strong_count(&cube)), (2, asked), "{phase}");
        world.remove(ids[2]).unwrap();
        world.place(ids[0], Pose::at(DVec3::X * -9.0).unwrap()).unwrap();
        assert_eq!((world.refresh(), Arc::strong_count(&cube)), (0, bodies - 1), "{phase}");
    }
}

/// The nearest of many bodies, compared with a look at each of them.
#[test]
fn the_nearest_of_many_is_found() {
    let mut r = Random::new(8);
    let mut world = World::new();
    let ids: Vec<BodyId> = (0..200).map(|_| world.add(Body { filter: Filter::ALL, ..body(&mut r) }).unwrap()).collect();
    for &id in ids.iter().step_by(9) {
        let (a, found) = (world.body(id).unwrap(), world.nearest(id).unwrap().unwrap());
        let others = world.bodies().filter(|(other, b)| *other != id && may_meet(a, b));
        let least = others.map(|(_, b)| impinge::distance(&a.model, &a.pose, &b.model, &b.pose).interval.upper);
        let least = least.fold(f64::INFINITY, f64::min);
        assert!(found.answer.interval.lower <= least && least <= found.answer.interval.upper, "{least} {found:?}");
    }
}
