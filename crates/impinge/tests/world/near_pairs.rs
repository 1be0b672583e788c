//! Where a world gets its near pairs from: one broad phase, the one that was chosen, for the verbs and for windows of
//! time; and what a window and a reaction ask of it.

use std::sync::{Arc, Mutex};

use impinge::bound::Aabb;
use impinge::broad::{Boxes, BroadPhase, Counts, Mobility, Phase};
use impinge::glam::DVec3;
use impinge::{Advance, Body, BodyId, Encounter, Motion, Pose, Round, Schedule, Span, Steady, World};

/// Records what a phase was asked.
#[derive(Debug, Default, Clone)]
struct Asked {
    /// For each refresh, how many boxes had changed.
    changed: Vec<usize>,
    pairs: usize,
    /// For each look-up of one box, how many other boxes it returned.
    shown: Vec<usize>,
}

/// A phase that passes every call on and records it.
#[derive(Debug)]
struct Recorder {
    phase: Box<dyn BroadPhase>,
    asked: Arc<Mutex<Asked>>,
}

impl BroadPhase for Recorder {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(Recorder { phase: self.phase.boxed_clone(), asked: Arc::clone(&self.asked) })
    }

    fn refresh(&mut self, boxes: &Boxes) {
        self.asked.lock().unwrap().changed.push(boxes.changed().count());
        self.phase.refresh(boxes);
    }

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.asked.lock().unwrap().pairs += 1;
        self.phase.pairs(boxes, visit);
    }

    fn near_box(&mut self, boxes: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) -> bool {
        let mut shown = 0;
        let known = self.phase.near_box(boxes, bounds, &mut |slot| {
            shown += 1;
            visit(slot);
        });
        self.asked.lock().unwrap().shown.push(shown);
        known
    }

    fn counts(&self) -> Counts {
        self.phase.counts()
    }

    fn bytes(&self) -> usize {
        self.phase.bytes()
    }
}

fn recorded(phase: Phase) -> (World, Arc<Mutex<Asked>>) {
    let asked = Arc::new(Mutex::new(Asked::default()));
    (World::with_phase(Box::new(Recorder { phase: phase.start(), asked: Arc::clone(&asked) })), asked)
}

fn take(asked: &Mutex<Asked>) -> Asked {
    std::mem::take(&mut *asked.lock().unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::at(DVec3::new(x, y, z)).unwrap()
}

fn drift(from: Pose, velocity: DVec3, start: f64) -> Option<Arc<dyn Motion>> {
    Some(Arc::new(Steady::straight(from, velocity, start).unwrap()))
}

/// A square of still balls, `side` by `side`, and `m` balls above them that fly along the rows. With `low`, they fly
/// into the balls.
fn field(phase: Phase, side: u32, m: u32, low: bool) -> (World, Vec<BodyId>, Arc<Mutex<Asked>>) {
    let (mut world, asked) = recorded(phase);
    let ball = Round::sphere(0.4).unwrap();
    for k in 0..side * side {
        let pose = at(f64::from(k % side), f64::from(k / side), 0.0);
        world.add(Body::new(ball.clone(), pose)).unwrap();
    }
    let mut movers = Vec::new();
    for k in 0..m {
        let from = at(-0.9, f64::from(k), if low { 0.0 } else { 0.9 });
        let body = Body { motion: drift(from, DVec3::X * 4.0, 0.0), ..Body::new(ball.clone(), from) };
        movers.push(world.add(body).unwrap());
    }
    (world, movers, asked)
}

const EACH: [Schedule; 3] = [Schedule::Fixed { interval: 0.0625 }, Schedule::Queue, Schedule::Estimate];

fn encounters(world: &mut World, how: &Advance) -> Vec<Encounter> {
    let mut seen = Vec::new();
    world.advance(Span::UNIT, how, |_, encounter| seen.push(encounter.clone()));
    seen
}

#[test]
fn the_chosen_phase_is_asked_by_the_verbs_and_in_every_window() {
    for schedule in EACH {
        let (mut world, _, asked) = field(Phase::SweepPrune, 6, 3, false);
        world.overlap();
        assert_eq!(take(&asked).pairs, 1);
        encounters(&mut world, &Advance::new(schedule));
        let windows = if let Schedule::Fixed { .. } = schedule { 17 } else { 16 };
        assert_eq!(take(&asked).pairs, windows, "{schedule:?}");
        world.overlap();
        assert_eq!(take(&asked).pairs, 1);
    }
}

/// The counts of a world are those of the chosen phase: only hashes count cells.
#[test]
fn counts_are_those_of_the_chosen_phase() {
    let (mut world, _, _) = field(Phase::CoherentHash, 6, 3, false);
    encounters(&mut world, &Advance::new(Schedule::Queue));
    assert!(world.counts().cells > 0 && world.counts().counters > 0, "{:?}", world.counts());
}

#[test]
fn a_window_moves_the_boxes_of_what_moves_and_no_others() {
    for schedule in EACH {
        for m in [1, 10] {
            let (mut world, _, asked) = field(Phase::DynamicTree, 40, m, false);
            let how = Advance::new(schedule);
            encounters(&mut world, &how);
            let first = take(&asked).changed;
            assert!(first[0] >= 1600 && first[1..].iter().all(|&changed| changed <= m as usize), "{first:?}");
            // The next span continues with the same boxes; so do the verbs, and the span after them.
            encounters(&mut world, &how);
            world.overlap();
            encounters(&mut world, &how);
            let next = take(&asked).changed;
            assert!(next.iter().all(|&changed| changed <= m as usize), "{schedule:?}, {m}: {next:?}");
        }
    }
}

/// Counts the boxes that are compared, since a clock would tell less: with ten times as many bodies at rest the number
/// is about the same.
#[test]
fn a_window_compares_the_boxes_of_what_moves() {
    for phase in [Phase::DynamicTree, Phase::Auto] {
        few_boxes_are_compared(phase);
    }
}

fn few_boxes_are_compared(phase: Phase) {
    let moves = |side: u32, m: u32| {
        let (mut world, _, _) = field(phase, side, m, false);
        let how = Advance::new(Schedule::Queue);
        encounters(&mut world, &how);
        let before = world.counts();
        encounters(&mut world, &how);
        let after = world.counts();
        (
            after.nodes + after.tests - before.nodes - before.tests,
            after.moves - before.moves,
            after.builds - before.builds,
        )
    };
    let (nodes, boxes, builds) = moves(32, 10);
    let (many_nodes, many_boxes, many_builds) = moves(100, 10);
    assert!(boxes <= 16 * 10 && many_boxes == boxes && many_builds == builds, "{phase}: {boxes} {many_boxes}");
    assert!(nodes > 0 && many_nodes < 3 * nodes, "{phase}: {nodes} for 1024, {many_nodes} for 10 000");
}

/// Two still bodies are looked at once and not in every window.
#[test]
fn what_stands_still_is_looked_at_once() {
    for schedule in EACH {
        let mut world = World::new();
        let ball = Round::sphere(0.5).unwrap();
        for x in [0.0, 0.9, 1.9] {
            world.add(Body::new(ball.clone(), at(x, 0.0, 0.0))).unwrap();
        }
        let mut touched = Vec::new();
        let progress = world.advance(Span::UNIT, &Advance::new(schedule), |_, e| touched.push((e.a, e.b, e.time)));
        assert_eq!(touched.len(), 2, "{schedule:?}: {touched:?}");
        assert!(touched.iter().all(|&(.., time)| time == 0.0) && progress.checks <= 8, "{schedule:?}: {progress:?}");
    }
}

/// Each ball that meets one of the row turns back: then only its box is looked up, with a few others near it.
#[test]
fn a_reaction_looks_up_the_body_that_it_changed_and_no_others() {
    for phase in [Phase::DynamicTree, Phase::FatSweep, Phase::Auto] {
        let (mut world, movers, asked) = field(phase, 40, 5, true);
        let mut reactions = 0;
        world.advance(Span::UNIT, &Advance::new(Schedule::Queue), |world, e| {
            for (id, pose) in [(e.a, e.poses[0]), (e.b, e.poses[1])] {
                if movers.contains(&id) {
                    reactions += 1;
                    world.set_motion(id, drift(pose, DVec3::new(-0.1, 0.0, 2.0), e.time)).unwrap();
                }
            }
        });
        let asked = take(&asked);
        assert_eq!((reactions, asked.shown.len()), (5, 5), "{phase}: {asked:?}");
        assert!(asked.shown.iter().all(|&shown| shown < 40), "{phase}: {:?}", asked.shown);
        assert_eq!((asked.pairs, asked.changed.len()), (16, 16), "{phase}: no refresh for a reaction");
    }
}

/// Every phase leads to the same encounters, to the last bit, with reactions, additions and removals.
#[test]
fn every_phase_leads_to_the_same_encounters() {
    for schedule in EACH {
        let run = |phase: Phase, verbs: bool| {
            let mut world = World::with_phase(phase.start());
            let mut seed = 7u64;
            let mut real = |low: f64, high: f64| {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                low + (high - low) * (seed >> 11) as f64 / (1u64 << 53) as f64
            };
            for k in 0..200 {
                let from = at(real(-4.0, 4.0), real(-4.0, 4.0), real(-4.0, 4.0));
                let velocity = DVec3::new(real(-3.0, 3.0), real(-3.0, 3.0), real(-3.0, 3.0));
                let shape = if k % 2 == 0 { Round::sphere(0.3) } else { Round::cuboid(DVec3::new(0.2, 0.4, 0.6)) };
                let motion = if k % 3 == 0 { None } else { drift(from, velocity, 0.0) };
                let mobility = if k % 6 == 0 { Mobility::Static } else { Mobility::Moving };
                world.add(Body { motion, mobility, ..Body::new(shape.unwrap(), from) }).unwrap();
            }
            world.add(Body::new(Round::half_space(DVec3::Z, -3.5).unwrap(), Pose::IDENTITY)).unwrap();
            let how = Advance { windows: 4, most_encounters: 150, ..Advance::new(schedule) };
            let (mut told, mut count) = (Vec::new(), 0);
            world.advance(Span::UNIT, &how, |world, e| {
                told.push(format!("{e:?}"));
                count += 1;
                if verbs {
                    // A verb that is called in a reaction answers for the poses at which bodies are placed.
                    world.overlap();
                }
                match count % 7 {
                    0 => drop(world.remove(e.b)),
                    1 => {
                        let from = at(real(-4.0, 4.0), real(-4.0, 4.0), real(-4.0, 4.0));
                        let motion = drift(from, DVec3::new(real(-3.0, 3.0), 0.0, 1.0), e.time);
                        world.add(Body { motion, ..Body::new(Round::sphere(0.3).unwrap(), from) }).unwrap();
                    }
                    2 => drop(world.set_motion(e.a, None)),
                    _ => {
                        if let Some(n) = e.normal {
                            let _ = world.set_motion(e.a, drift(e.poses[0], -2.0 * n, e.time));
                        }
                    }
                }
            });
            told
        };
        let first = run(Phase::AllPairs, false);
        assert!(first.len() > 60, "{schedule:?}: {}", first.len());
        for &phase in Phase::EACH {
            assert!(run(phase, false) == first, "{schedule:?}, {phase}");
        }
        assert!(run(Phase::DynamicTree, true) == first, "{schedule:?}, verbs asked in reactions");
    }
}

/// For the verbs a static body that has a motion is static; while the world advances it moves and may meet static
/// bodies.
#[test]
fn a_static_body_with_a_motion_moves_in_time_only() {
    for &phase in Phase::EACH {
        let mut world = World::with_phase(phase.start());
        let ball = Round::sphere(0.5).unwrap();
        let body = |x: f64| Body { mobility: Mobility::Static, ..Body::new(ball.clone(), at(x, 0.0, 0.0)) };
        let a = world.add(body(0.0)).unwrap();
        let b = world.add(body(3.0)).unwrap();
        world.set_motion(b, drift(at(3.0, 0.0, 0.0), DVec3::X * -2.5, 0.0)).unwrap();
        let seen = encounters(&mut world, &Advance::new(Schedule::Queue));
        assert_eq!(seen.iter().map(|e| [e.a, e.b]).collect::<Vec<_>>(), [[a, b]], "{phase}");
        assert!(world.overlap().is_empty() && world.refresh() == 0 && world.count_pairs() == 0, "{phase}");
        world.set_motion(b, None).unwrap();
        assert!(encounters(&mut world, &Advance::new(Schedule::Queue)).is_empty(), "{phase}");
    }
}
