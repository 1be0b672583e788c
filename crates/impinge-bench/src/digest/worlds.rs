//! Many bodies: the verbs of a world by every broad phase, and worlds that move on, by every schedule.

use std::sync::Arc;

use impinge::broad::Phase;
use impinge::glam::DVec3;
use impinge::{Advance, Body, Encounter, Limit, Model, Motion, Pose, Schedule, Span, Stats, Steady, World};

use super::bodies::Named;
use super::refused::Refused;
use super::tally::Tally;
use crate::random::Random;

pub(super) fn ask(bodies: &[Named], threads: usize, tally: &mut Tally) -> Result<(), Refused> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| {
        for phase in Phase::EACH {
            still(bodies, *phase, tally)?;
        }
        for (name, schedule) in [
            ("queue", Schedule::Queue),
            ("estimate", Schedule::Estimate),
            ("fixed", Schedule::Fixed { interval: 0.01 }),
        ] {
            moving(bodies, name, schedule, tally)?;
        }
        Ok(())
    })
}

fn place(random: &mut Random) -> Result<Pose, Refused> {
    let corner = DVec3::from_array([0; 3].map(|_| random.between(-4.0, 4.0)));
    Ok(Pose::new(corner, random.rotation())?)
}

/// Forty bodies in a box, some of which are moved between the questions.
fn still(bodies: &[Named], phase: Phase, tally: &mut Tally) -> Result<(), Refused> {
    let mut random = Random::new(21, 5);
    let mut world = World::with_phase(phase.start());
    let mut ids = Vec::new();
    for i in 0..40 {
        ids.push(world.add(Body::new(bodies[i % bodies.len()].model.clone(), place(&mut random)?))?);
    }
    for _ in 0..4 {
        for _ in 0..8 {
            let id = ids[random.below(40) as usize];
            world.place(id, place(&mut random)?)?;
        }
        let kind = |verb: &str| format!("world, {verb}");
        for met in world.overlap() {
            tally.add(&kind("overlap"), &(met.a, met.b, met.answer.witness), met.answer.stats);
        }
        for met in world.distance(0.5) {
            let told = (met.a, met.b, met.answer.interval, met.answer.witness, met.answer.contained);
            tally.add(&kind("distance"), &told, met.answer.stats);
        }
        for met in world.within(0.2) {
            tally.add(&kind("within"), &(met.a, met.b, met.answer.witness), met.answer.stats);
        }
        for met in world.contacts(Limit::UpTo(50)) {
            let points: Vec<_> = met.answer.iter().collect();
            tally.add(&kind("contacts"), &(met.a, met.b, points), met.answer.stats);
        }
        for id in &ids[..3] {
            let nearest = world.nearest(*id)?.map(|met| (met.a, met.b, met.answer.interval));
            tally.add(&kind("nearest"), &nearest, Stats::default());
        }
    }
    Ok(())
}

/// Thirty bodies that fly about and turn. A body that meets another one turns back, or now and then is removed, or
/// added anew.
fn moving(bodies: &[Named], name: &str, schedule: Schedule, tally: &mut Tally) -> Result<(), Refused> {
    let convex: Vec<&Model> = bodies
        .iter()
        .filter(|b| b.name.starts_with("convex") || b.name.starts_with("round/"))
        .map(|b| &b.model)
        .collect();
    for seed in 0..3 {
        let mut random = Random::new(21, 60 + seed);
        let mut world = World::new();
        for i in 0..30 {
            let pose = place(&mut random)?;
            let motion = drift(pose, 0.0, &mut random)?;
            let model = if i % 7 == 6 { &bodies[i % 6].model } else { convex[i % convex.len()] };
            world.add(Body { motion: Some(motion), ..Body::new(model.clone(), pose) })?;
        }
        let how = Advance { windows: 4, most_encounters: 60, ..Advance::new(schedule) };
        let mut told = Vec::new();
        let progress = world.advance(Span::new(0.0, 1.0)?, &how, |world, encounter: &Encounter| {
            told.push(format!("{encounter:?}"));
            for (id, pose) in [(encounter.a, encounter.poses[0]), (encounter.b, encounter.poses[1])] {
                if random.below(12) == 0 {
                    // A body that was removed already cannot be removed again.
                    let _ = world.remove(id);
                } else if let Ok(motion) = drift(pose, encounter.time, &mut random) {
                    let _ = world.set_motion(id, Some(motion));
                }
            }
        });
        tally.add(&format!("world, {name}"), &(told, progress), Stats::default());
    }
    Ok(())
}

fn drift(pose: Pose, start: f64, random: &mut Random) -> Result<Arc<dyn Motion>, Refused> {
    let (velocity, spin) = (random.direction() * random.between(0.0, 4.0), random.direction() * random.unit());
    Ok(Arc::new(Steady::new(pose, DVec3::ZERO, velocity, spin, start)?))
}
