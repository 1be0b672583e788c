//! Worlds that advance in time: which encounters are found, in which order, and at what cost.

use std::sync::Arc;

use impinge::broad::{Filter, Mobility};
use impinge::glam::DVec3;
use impinge::{
    Advance, Ballistic, Body, BodyId, Convex, Encounter, EncounterKind, End, Flight, Motion, Parts, Pose, Progress,
    Round, Schedule, Span, Steady, TimedPoses, World,
};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::at(DVec3::new(x, y, z)).unwrap()
}

fn ball(radius: f64, motion: impl Motion + 'static) -> Body {
    Body { motion: Some(Arc::new(motion)), ..Body::new(Round::sphere(radius).unwrap(), motion_start()) }
}

/// Where a body is placed does not matter while it has a motion.
fn motion_start() -> Pose {
    Pose::IDENTITY
}

fn straight(from: [f64; 3], velocity: [f64; 3]) -> Steady {
    Steady::straight(Pose::at(DVec3::from_array(from)).unwrap(), DVec3::from_array(velocity), 0.0).unwrap()
}

fn all(world: &mut World, span: Span, how: &Advance) -> (Vec<Encounter>, Progress) {
    let mut seen = Vec::new();
    let progress = world.advance(span, how, |_, encounter| seen.push(encounter.clone()));
    (seen, progress)
}

const EACH: [Schedule; 3] = [Schedule::Fixed { interval: 1e-2 }, Schedule::Queue, Schedule::Estimate];

/// A bullet and a thin wall: fixed steps miss the encounter, the queue and the estimates find it.
#[test]
fn g01_sampling_misses_the_bullet() {
    let build = || {
        let mut world = World::new();
        let wall = Round::cuboid(DVec3::new(1e-6, 2.0, 2.0)).unwrap();
        world.add(Body { mobility: Mobility::Static, ..Body::new(wall, at(1.0000005, 0.0, 0.0)) }).unwrap();
        world.add(ball(0.001, straight([0.0; 3], [1e6, 0.0, 0.0]))).unwrap();
        world
    };
    for schedule in EACH {
        let how = Advance { envelope: 1e-9, shortest: 1e-9, ..Advance::new(schedule) };
        let (seen, progress) = all(&mut build(), Span::UNIT, &how);
        if let Schedule::Fixed { .. } = schedule {
            assert!(seen.is_empty(), "it is between two looks: {seen:?}");
        } else {
            assert_eq!(seen.len(), 1, "{schedule:?}");
            assert!((seen[0].time - 9.99e-7).abs() < 1e-12, "{schedule:?}: {}", seen[0].time);
            assert!(seen[0].time <= 9.99e-7 && seen[0].normal.unwrap().dot(DVec3::X).abs() > 0.999);
            assert!(progress.checks < 100, "{progress:?}");
        }
    }
}

/// Many balls cross each other's paths, and nothing reacts: the queue finds all that fine sampling finds, no later and
/// in order.
#[test]
fn the_queue_finds_what_dense_sampling_finds() {
    let mut seed = 12345u64;
    let mut real = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut motions: Vec<Arc<dyn Motion>> = Vec::new();
    for k in 0..40 {
        let mut vector = |size: f64| DVec3::new(real(-size, size), real(-size, size), real(-size, size));
        let (from, velocity, spin) = (Pose::at(vector(1.2)).unwrap(), vector(3.0), vector(5.0));
        motions.push(if k % 2 == 0 {
            Arc::new(Steady::new(from, DVec3::ZERO, velocity, spin, 0.0).unwrap())
        } else {
            let gravity = DVec3::Z * -5.0;
            let moments = DVec3::new(1.0, 1.5, 2.0);
            Arc::new(Ballistic::new(Flight { velocity, spin, gravity, moments, ..Flight::at(from) }).unwrap())
        });
    }
    let build = || {
        let mut world = World::new();
        for (k, motion) in motions.iter().enumerate() {
            let shape = match k % 3 {
                0 => Round::sphere(0.2),
                1 => Round::cuboid(DVec3::new(0.1, 0.3, 0.6)),
                _ => Round::capsule(0.1, 0.5),
            };
            world.add(Body { motion: Some(motion.clone()), ..Body::new(shape.unwrap(), Pose::IDENTITY) }).unwrap();
        }
        world
    };
    let first_of = |seen: &[Encounter]| {
        let mut first = std::collections::BTreeMap::new();
        for encounter in seen {
            first.entry((encounter.a, encounter.b)).or_insert(encounter.time);
        }
        first
    };
    let how = Advance { envelope: 1e-5, shortest: 1e-3, ..Advance::new(Schedule::Queue) };
    let (seen, progress) = all(&mut build(), Span::UNIT, &how);
    assert!(seen.windows(2).all(|two| two[0].time <= two[1].time), "out of order");
    // No two bodies have radii of more than 0.72 together, so that they come within the envelope only a moment before
    // they touch.
    let sliver = 0.72 / f64::from(1 << 20);
    assert!(seen.iter().all(|e| e.distance.lower <= how.envelope + sliver));
    let dense = Advance { schedule: Schedule::Fixed { interval: 4e-4 }, ..how };
    let (sampled, cost) = all(&mut build(), Span::UNIT, &dense);
    let (ours, theirs) = (first_of(&seen), first_of(&sampled));
    assert!(theirs.len() > 20, "{} found by sampling, {} by the queue", theirs.len(), ours.len());
    for (pair, time) in &theirs {
        let found = ours.get(pair).unwrap_or_else(|| panic!("{pair:?} at {time} is missed"));
        assert!(found <= time && *found > time - 6e-4, "{pair:?}: {found}, sampled at {time}");
    }
    println!("{} contacts: {} checks in the queue, {} by sampling", seen.len(), progress.checks, cost.checks);
    assert!(progress.checks * 5 < cost.checks);
}

/// Cases L01: the same bits for any number of threads.
#[test]
fn l01_threads_do_not_matter() {
    let run = |threads: usize, schedule: Schedule| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = World::new();
            for k in 0..120u32 {
                let (x, y) = (f64::from(k % 12), f64::from(k / 12));
                let velocity = DVec3::new((f64::from(k) * 0.7).sin(), (f64::from(k) * 1.3).cos(), 0.1) * 2.0;
                world.add(ball(0.3, Steady::straight(at(x, y, 0.0), velocity, 0.0).unwrap())).unwrap();
            }
            let mut bits = Vec::new();
            let how = Advance { envelope: 1e-4, shortest: 1e-3, ..Advance::new(schedule) };
            let progress = world.advance(Span::UNIT, &how, |world, e| {
                bits.push((e.time.to_bits(), e.a, e.b, e.closing.to_bits()));
                bounce(world, e, 1.0);
            });
            let poses: Vec<[u64; 3]> =
                world.bodies().map(|(_, body)| body.pose.translation().to_array().map(f64::to_bits)).collect();
            assert!(bits.len() > 30, "{}", bits.len());
            (bits, poses, progress.checks)
        })
    };
    for schedule in EACH {
        let one = run(1, schedule);
        for threads in [2, 3, 8] {
            assert!(run(threads, schedule) == one, "{schedule:?} on {threads} threads");
        }
    }
}

/// Two equal balls, or a ball and a body that is at rest, bounce off each other along the normal.
fn bounce(world: &mut World, e: &Encounter, restitution: f64) {
    let Some(n) = e.normal.filter(|_| e.closing > 0.0 && e.kind != EncounterKind::Undone) else { return };
    let moves = [e.a, e.b].map(|id| world.body(id).unwrap().motion.clone());
    let share = if moves.iter().all(Option::is_some) { 0.5 } else { 1.0 };
    for (k, (id, sign)) in [(e.a, -1.0), (e.b, 1.0)].into_iter().enumerate() {
        let Some(motion) = &moves[k] else { continue };
        let velocity = motion.rates(e.time, e.time).velocity + n * (sign * share * (1.0 + restitution) * e.closing);
        let gravity = motion.fall(e.time, e.time).unwrap();
        let flight = Flight { velocity, gravity, start: e.time, ..Flight::at(e.poses[k]) };
        world.set_motion(id, Some(Arc::new(Ballistic::new(flight).unwrap()))).unwrap();
    }
}

fn dropped(height: f64) -> (World, BodyId) {
    let mut world = World::new();
    let floor = Round::half_space(DVec3::Z, 0.0).unwrap();
    world.add(Body { mobility: Mobility::Static, ..Body::new(floor, Pose::IDENTITY) }).unwrap();
    let fall = Flight { gravity: DVec3::Z * -10.0, ..Flight::at(at(0.0, 0.0, height)) };
    let id = world.add(ball(0.5, Ballistic::new(fall).unwrap())).unwrap();
    (world, id)
}

/// A ball that bounces with restitution ½ from a height of 5/4: at ½, 1, 1¼, 1⅜, … and comes to rest at 3/2.
#[test]
fn zeno_ends_and_says_so() {
    for schedule in [Schedule::Queue, Schedule::Estimate] {
        let (mut world, id) = dropped(0.5 + 1.25);
        let how = Advance { envelope: 1e-7, shortest: 1e-3, ..Advance::new(schedule) };
        let mut times = Vec::new();
        let mut zeno = None;
        let progress = world.advance(Span::new(0.0, 4.0).unwrap(), &how, |world, e| match e.kind {
            EncounterKind::Touch => {
                times.push(e.time);
                bounce(world, e, 0.5);
            }
            EncounterKind::Zeno => {
                zeno.get_or_insert(e.time);
                world.set_motion(id, Some(Arc::new(Steady::still(at(0.0, 0.0, 0.5))))).unwrap();
            }
            EncounterKind::Undone => panic!("nothing else happens"),
        });
        for (k, time) in times.iter().take(8).enumerate() {
            let exact = 1.5 - 0.5f64.powi(k as i32);
            assert!((time - exact).abs() < 1e-5, "{schedule:?}: bounce {k} at {time}, not at {exact}");
        }
        assert!(zeno.is_some_and(|t| (t - 1.5).abs() < 1e-2), "{schedule:?}: {zeno:?} after {times:?}");
        assert!(progress.end == End::Reached && progress.zeno >= 1 && progress.encounters < 60, "{progress:?}");
        assert_eq!(world.body(id).unwrap().pose.translation().z, 0.5);
    }
}

/// If the caller does not stop the ball, an encounter is reported for each time that it comes down, and the end of the
/// span is reached.
#[test]
fn a_ball_that_nobody_stops_reaches_the_end_of_the_span() {
    for schedule in EACH {
        let (mut world, _) = dropped(1.75);
        let (seen, progress) = all(&mut world, Span::UNIT, &Advance::new(schedule));
        assert_eq!(seen.len(), 1, "{schedule:?}");
        assert!((seen[0].time - 0.5).abs() < 2e-2 && seen[0].closing > 4.8);
        assert_eq!((progress.end, progress.time), (End::Reached, 1.0));
    }
    let (mut world, _) = dropped(1.75);
    let how = Advance { most_encounters: 1, ..Advance::new(Schedule::Queue) };
    let (_, progress) = all(&mut world, Span::UNIT, &how);
    assert!(progress.end == End::Encounters && (progress.time - 0.5).abs() < 1e-3);
}

/// A reaction may remove both bodies and add others, which are met later.
#[test]
fn bodies_come_and_go_in_reactions() {
    for schedule in EACH {
        let mut world = World::new();
        world.add(ball(0.1, straight([-1.0, 0.0, 0.0], [2.0, 0.0, 0.0]))).unwrap();
        world.add(ball(0.1, straight([1.0, 0.0, 0.0], [-2.0, 0.0, 0.0]))).unwrap();
        let far = world.add(Body::new(Round::sphere(0.1).unwrap(), at(0.0, 1.0, 0.0))).unwrap();
        let how = Advance { envelope: 1e-6, shortest: 1e-4, ..Advance::new(schedule) };
        let mut met = Vec::new();
        world.advance(Span::UNIT, &how, |world, e| {
            met.push((e.a, e.b));
            if met.len() == 1 {
                world.remove(e.a).unwrap();
                world.remove(e.b).unwrap();
                let up = Steady::straight(at(0.0, 0.0, 0.0), DVec3::Y * 4.0, e.time).unwrap();
                world.add(ball(0.1, up)).unwrap();
            }
        });
        assert_eq!(met.len(), 2, "{schedule:?}: {met:?}");
        assert!(met[1].0 == far || met[1].1 == far);
        assert_eq!(world.len(), 2);
    }
}

/// Two bodies meet earlier than an estimate says. In the same window, a later hit of a target is reported before that:
/// it has to be undone.
fn overtaken() -> (World, BodyId) {
    let mut world = World::new();
    // The body is slow at first, and then fast.
    let rows = [(0.0, -1.2), (0.5, -1.19), (0.6, -0.1), (1.0, -0.1)].map(|(t, x)| (t, at(x, 0.0, 0.0)));
    world.add(ball(0.1, TimedPoses::new(&rows, DVec3::ZERO).unwrap())).unwrap();
    world.add(Body::new(Round::sphere(0.1).unwrap(), Pose::IDENTITY)).unwrap();
    world.add(ball(0.1, straight([-1.0, 5.0, 0.0], [1.3, 0.0, 0.0]))).unwrap();
    let target = world.add(Body::new(Round::sphere(0.1).unwrap(), at(0.0, 5.0, 0.0))).unwrap();
    (world, target)
}

/// The id of a body that was added in a reaction is not given to another body after the reaction was undone.
#[test]
fn ids_of_what_was_undone_stay_refused() {
    let (mut world, target) = overtaken();
    let how = Advance { windows: 1, ..Advance::new(Schedule::Estimate) };
    let mut added: Vec<BodyId> = Vec::new();
    let mut undone = 0;
    world.advance(Span::UNIT, &how, |world, e| {
        if e.kind == EncounterKind::Undone {
            undone += 1;
            assert!(world.body(target).is_some(), "it is back");
        } else if e.b == target {
            world.remove(target).unwrap();
            let far = at(0.0, 90.0 + added.len() as f64, 0.0);
            added.push(world.add(Body::new(Round::sphere(0.1).unwrap(), far)).unwrap());
        }
    });
    assert_eq!((undone, added.len()), (1, 2));
    assert!(added[0] != added[1] && added.iter().all(|&id| id != target), "{added:?}");
    assert!(world.body(added[0]).is_none() && world.body(added[1]).is_some() && world.body(target).is_none());
}

/// A reaction changes a filter and is then undone: the filter is as it was before, so the body is hit again.
#[test]
fn filters_are_rolled_back() {
    let (mut world, target) = overtaken();
    let how = Advance { windows: 1, ..Advance::new(Schedule::Estimate) };
    let mut touches = 0;
    world.advance(Span::UNIT, &how, |world, e| {
        if e.kind == EncounterKind::Touch && e.b == target {
            touches += 1;
            world.set_filter(target, Filter { group: 0, mask: 0 }).unwrap();
        }
    });
    assert_eq!(touches, 2, "the first was undone");
}

/// Estimates from a moment at which bodies hardly move are far too late. What was reported meanwhile is undone, and in
/// the end the encounters are those that the queue finds.
#[test]
fn estimates_are_rolled_back() {
    let build = || overtaken().0;
    let how = Advance { windows: 1, envelope: 1e-7, shortest: 1e-5, ..Advance::new(Schedule::Queue) };
    let (seen, progress) = all(&mut build(), Span::UNIT, &how);
    assert_eq!((seen.len(), progress.rollbacks), (2, 0));
    let mut standing: Vec<Encounter> = Vec::new();
    let mut undone = 0;
    let late = Advance { schedule: Schedule::Estimate, ..how };
    let progress = build().advance(Span::UNIT, &late, |_, e| {
        if e.kind == EncounterKind::Undone {
            undone += 1;
            let last = standing.pop().unwrap();
            assert_eq!((last.a, last.b, last.time), (e.a, e.b, e.time), "the last is undone first");
        } else {
            standing.push(e.clone());
        }
    });
    assert!(progress.rollbacks >= 1, "{progress:?}");
    let names = |seen: &[Encounter]| seen.iter().map(|e| (e.a, e.b)).collect::<Vec<_>>();
    assert_eq!((names(&standing), undone), (names(&seen), 1));
    for (ours, theirs) in standing.iter().zip(&seen) {
        assert!((ours.time - theirs.time).abs() < 1e-5, "{} {}", ours.time, theirs.time);
    }
}

/// Numbers that make no sense as options: the advance still ends, and soon.
#[test]
fn bad_numbers_end() {
    for shortest in [f64::NAN, 0.0, 1e-12, f64::INFINITY] {
        for schedule in [Schedule::Queue, Schedule::Estimate] {
            let mut world = World::new();
            world.add(ball(0.5, straight([-5.0, 0.0, 0.0], [10.0, 0.0, 0.0]))).unwrap();
            world.add(Body::new(Round::sphere(0.5).unwrap(), Pose::IDENTITY)).unwrap();
            // Bodies of pieces, for which nothing says how long they stay in touch.
            let corners = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
            let pieces = [0.0, 5.0].map(|y| Convex::hull(&corners.map(|p| 0.5 * p + DVec3::Y * y)).unwrap());
            world.add(Body::new(Parts::new(pieces.to_vec()).unwrap(), at(2.0, 0.0, 0.0))).unwrap();
            let (seen, progress) = all(&mut world, Span::UNIT, &Advance { shortest, ..Advance::new(schedule) });
            assert_eq!(seen.len(), 2, "{schedule:?}, {shortest}: {progress:?}");
            assert!(progress.checks < 1 << 20, "{schedule:?}, {shortest}: {progress:?}");
        }
    }
    for schedule in [Schedule::Fixed { interval: f64::NAN }, Schedule::Queue, Schedule::Estimate] {
        for bad in [f64::NAN, 0.0, -1.0] {
            let (mut world, _) = dropped(1.75);
            let how =
                Advance { envelope: bad, shortest: bad, windows: 0, most_encounters: 50, ..Advance::new(schedule) };
            let span = Span::new(0.0, if matches!(schedule, Schedule::Fixed { .. }) { 1e-9 } else { 0.4 }).unwrap();
            let (_, progress) = all(&mut world, span, &how);
            assert!(progress.time <= span.to());
        }
    }
    let (mut world, _) = dropped(1.75);
    let moment = Span::new(0.2, 0.2).unwrap();
    for schedule in EACH {
        assert_eq!(all(&mut world, moment, &Advance::new(schedule)).1.time, 0.2);
    }
}

/// With an envelope as wide as the bodies, an encounter is at the time when they come that near; also for bodies that
/// turn back or pass by well within the envelope.
#[test]
fn a_wide_envelope_is_met_when_it_is_reached() {
    let wall = || Round::cuboid(DVec3::new(0.1, 4.0, 4.0)).unwrap();
    let flight = Flight { velocity: DVec3::X * 2.6, gravity: DVec3::X * -4.0, ..Flight::at(at(-2.0, 0.0, 0.0)) };
    let turns_back = || ball(0.5, Ballistic::new(flight).unwrap());
    let passes = || ball(0.5, straight([-5.0, 1.58, 0.0], [10.0, 0.0, 0.0]));
    let spins = || {
        let spin = Steady::new(at(-5.0, 1.6, 0.0), DVec3::ZERO, DVec3::X * 10.0, DVec3::new(3.0, 1.0, 5.0), 0.0);
        let body = Round::cuboid(DVec3::splat(0.4)).unwrap();
        Body { motion: Some(Arc::new(spin.unwrap())), ..Body::new(body, Pose::IDENTITY) }
    };
    let sphere = || Round::sphere(0.5).unwrap();
    // The times at which they are 1 apart; for the last body only bounds are known, from its inner and its outer ball.
    let reached = (2.6 - (2.6f64 * 2.6 - 8.0 * 0.45).sqrt()) / 4.0;
    let passed = |radius: f64, y: f64| 0.5 - ((1.5 + radius) * (1.5 + radius) - y * y).max(0.0).sqrt() / 10.0;
    let cases = [
        (turns_back(), Body::new(wall(), Pose::IDENTITY), [reached - 1e-5, reached]),
        (passes(), Body::new(sphere(), Pose::IDENTITY), [passed(0.5, 1.58) - 1e-5, passed(0.5, 1.58)]),
        (spins(), Body::new(sphere(), Pose::IDENTITY), [passed(0.35, 1.6), passed(0.2, 1.6)]),
    ];
    for (moving, standing, [early, late]) in cases {
        for schedule in [Schedule::Queue, Schedule::Estimate, Schedule::Fixed { interval: 1e-4 }] {
            let mut world = World::new();
            let moving = world.add(moving.clone()).unwrap();
            let standing = world.add(Body { mobility: Mobility::Static, ..standing.clone() }).unwrap();
            let how = Advance { envelope: 1.0, shortest: 1e-2, ..Advance::new(schedule) };
            let (seen, progress) = all(&mut world, Span::UNIT, &how);
            assert!(seen.iter().all(|e| [e.a, e.b] == [moving, standing]), "{schedule:?}: {seen:?}");
            let late = if let Schedule::Fixed { interval } = schedule { late + interval } else { late + 1e-12 };
            let first = seen.first().unwrap_or_else(|| panic!("{schedule:?}: none from {early} to {late}"));
            assert!(early <= first.time && first.time <= late, "{schedule:?}: {} {early} {late}", first.time);
            assert!(first.distance.lower <= 1.0 + 1e-5, "{schedule:?}: {:?}", first.distance);
            assert_eq!((seen.len(), progress.late), (1, 0), "{schedule:?}: {progress:?}");
        }
    }
}

/// Bodies without motion that overlap meet when the span begins; two static ones do not.
#[test]
fn bodies_that_stand_in_each_other_meet_at_the_beginning() {
    for schedule in EACH {
        for (mobilities, expected) in [
            ([Mobility::Moving, Mobility::Moving], 1),
            ([Mobility::Static, Mobility::Moving], 1),
            ([Mobility::Static, Mobility::Static], 0),
        ] {
            let mut world = World::new();
            for (mobility, x) in mobilities.into_iter().zip([0.0, 0.5]) {
                let body = Body::new(Round::sphere(0.5).unwrap(), at(x, 0.0, 0.0));
                world.add(Body { mobility, ..body }).unwrap();
            }
            let span = Span::new(2.0, 3.0).unwrap();
            let (seen, progress) = all(&mut world, span, &Advance::new(schedule));
            assert_eq!(seen.len(), expected, "{schedule:?} {mobilities:?}: {progress:?}");
            assert!(seen.iter().all(|e| e.time == 2.0 && e.kind == EncounterKind::Touch), "{seen:?}");
        }
    }
}

/// A rule that is set in a reaction applies from then on; when the reaction is undone the old rule applies again.
#[test]
fn rules_are_rolled_back() {
    let (mut world, target) = overtaken();
    let how = Advance { windows: 1, ..Advance::new(Schedule::Estimate) };
    let mut touches = 0;
    world.advance(Span::UNIT, &how, |world, e| {
        if e.kind == EncounterKind::Touch && e.b == target {
            touches += 1;
            world.set_rule(move |a, b| a != target && b != target);
        }
    });
    assert_eq!(touches, 2, "the first was undone");
}

/// When the steps are too short to be counted, the advance ends early, and says so.
#[test]
fn fixed_steps_are_counted() {
    let how = Advance::new(Schedule::Fixed { interval: 1e-9 });
    let (_, progress) = all(&mut World::new(), Span::UNIT, &how);
    assert_eq!(progress.end, End::Steps);
    assert!((progress.time - 1e-9 * 2f64.powi(22)).abs() < 1e-8, "{progress:?}");
}

/// A floor that turns about the origin meets a ball when its plane comes down on it; or it never does.
#[test]
fn a_half_space_that_turns_is_looked_at_seldom_and_meets_in_time() {
    let floor = |spin: f64| {
        let turning = Steady::new(Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO, DVec3::Y * spin, 0.0).unwrap();
        Body {
            motion: Some(Arc::new(turning)),
            ..Body::new(Round::half_space(DVec3::Z, -1.0).unwrap(), Pose::IDENTITY)
        }
    };
    let build = |spin: f64| {
        let mut world = World::new();
        world.add(Body::new(Round::sphere(0.5).unwrap(), at(2.0, 0.0, 1.0))).unwrap();
        world.add(floor(spin)).unwrap();
        world
    };
    let how = Advance { envelope: 1e-6, ..Advance::new(Schedule::Queue) };
    let (seen, progress) = all(&mut build(-6.0), Span::UNIT, &how);
    // The centre, at (2, 0, 1), is 2·sin(ωt) + cos(ωt) above a plane through the origin, which is 1 lower, and
    // the ball 0.5 less.
    let apart = |t: f64| 2.0 * (-6.0 * t).sin() + (6.0 * t).cos() + 1.0 - 0.5;
    let first = seen.first().map(|encounter| encounter.time).unwrap();
    assert!((apart(first) - 1e-6).abs() < 3e-6, "{first}: {}", apart(first));
    assert!(apart(first) >= 0.0, "late: {first}: {}", apart(first));
    assert!(progress.late == 0 && progress.checks < 20_000, "{progress:?}");
    let (seen, progress) = all(&mut build(-0.5), Span::UNIT, &how);
    assert!(seen.is_empty() && progress.late == 0 && progress.checks < 1000, "{seen:?} {progress:?}");
}

/// A very small body passes through a mesh. While it is inside, the time to the next look follows from how deep it is,
/// not from its own size.
#[test]
fn a_point_that_passes_through_a_mesh_is_looked_at_seldom() {
    let corners = (0..8).map(|k| DVec3::from_array([0, 1, 2].map(|axis| f64::from(k >> axis & 1) * 2.0 - 1.0)));
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let block = impinge::Mesh::new(corners.collect(), triangles).unwrap();
    for radius in [0.0, 1e-3] {
        let mut world = World::new();
        world.add(Body { mobility: Mobility::Static, ..Body::new(block.clone(), Pose::IDENTITY) }).unwrap();
        let shape = if radius == 0.0 { Round::point(DVec3::ZERO) } else { Round::sphere(radius) };
        let motion = Some(Arc::new(straight([-3.0, 0.1, 0.2], [6.0, 0.0, 0.0])) as Arc<dyn Motion>);
        world.add(Body { motion, ..Body::new(shape.unwrap(), Pose::IDENTITY) }).unwrap();
        let how = Advance { envelope: 1e-6, shortest: 1e-2, ..Advance::new(Schedule::Queue) };
        let (seen, progress) = all(&mut world, Span::UNIT, &how);
        assert_eq!(seen.len(), 1, "{radius}: {seen:?}");
        let met = (2.0 - radius) / 6.0;
        assert!(seen[0].time <= met && met - seen[0].time < 1e-6, "{radius}: {}, not {met}", seen[0].time);
        assert!(progress.late == 0 && progress.checks < 8000, "{radius}: {progress:?}");
    }
}
