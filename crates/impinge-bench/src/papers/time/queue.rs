//! Checks that are scheduled (Mirtich 1997 §4, Figure 11), the box of a flight (Figure 1), and the bullet.

use std::sync::Arc;
use std::time::Instant;

use impinge::glam::DVec3;
use impinge::{
    Advance, Ballistic, Body, Flight, Model, Motion, Outline, Pose, Progress, Round, Schedule, Span, Steady, World,
};

use super::scenes::{self, Play};
use crate::error::BenchError;
use crate::report::{Report, Table, figure};

/// A millimetre.
const ENVELOPE: f64 = 1e-3;

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    queue(quick, report)?;
    bullet(report)?;
    flight(report)
}

fn span(duration: f64) -> Result<Span, BenchError> {
    Span::new(0.0, duration).map_err(|error| BenchError::usage(error.to_string()))
}

/// Plays a scene: what it took, and for how long.
fn play(mut play: Play, schedule: Schedule) -> Result<(Progress, f64), BenchError> {
    let windows = (play.duration / 0.02).ceil() as u32;
    let how = Advance { envelope: ENVELOPE, shortest: 2e-3, windows, ..Advance::new(schedule) };
    let rules = std::mem::take(&mut play.rules);
    let mut trouble = None;
    let start = Instant::now();
    let progress = play.world.advance(span(play.duration)?, &how, |world, encounter| {
        if let Err(error) = rules.react(world, encounter) {
            trouble.get_or_insert(error);
        }
    });
    trouble.map_or(Ok((progress, start.elapsed().as_secs_f64())), Err)
}

/// Figure 11: looks at pairs, with the same guarantee: no pair comes nearer than the envelope without being seen.
fn queue(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    report.add("## Figure 11: looks at pairs, queue against fixed intervals");
    let mut table = Table::new(2, &["scene", "schedule", "looks", "of fixed", "encounters", "rollbacks", "ms"]);
    let (short, long) = if quick { (0.3, 2.4) } else { (1.5, 4.0) };
    let scenes: [&dyn Fn() -> Result<Play, BenchError>; 2] =
        [&|| scenes::coins(short), &|| scenes::bowling(long, ENVELOPE)];
    for scene in scenes {
        let fastest = scene()?.fastest;
        let safe = Schedule::Fixed { interval: ENVELOPE / fastest };
        let each = [
            ("fixed, as safe", safe),
            ("fixed, 1 kHz", Schedule::Fixed { interval: 1e-3 }),
            ("queue", Schedule::Queue),
            ("estimate", Schedule::Estimate),
        ];
        let mut all = None;
        for (name, schedule) in each {
            let stage = scene()?;
            let title = stage.name;
            let (progress, seconds) = play(stage, schedule)?;
            let fixed = *all.get_or_insert(progress.checks as f64);
            table.row([
                title.to_owned(),
                name.to_owned(),
                progress.checks.to_string(),
                figure(progress.checks as f64 / fixed),
                progress.encounters.to_string(),
                progress.rollbacks.to_string(),
                figure(1e3 * seconds),
            ]);
        }
    }
    report.add(
        "A fixed interval is as safe as the queue when no body moves by more than the envelope (1 mm) in it: ε/v for the \
         fastest body. At 1 kHz contacts are found late, and some never. Impacts without friction; trajectories differ \
         after the first impacts, as impacts are found at other times.",
    );
    report.add(table);
    Ok(())
}

/// A bullet of a millimetre at 1000 m/s, a wall of a tenth.
fn bullet(report: &mut Report) -> Result<(), BenchError> {
    let trouble = |error: &dyn std::fmt::Display| BenchError::usage(error.to_string());
    report.add("## The bullet and the thin wall");
    let mut table = Table::new(1, &["schedule", "found", "at, s", "looks"]);
    let each = [
        ("fixed, 1 kHz", Schedule::Fixed { interval: 1e-3 }),
        ("queue", Schedule::Queue),
        ("estimate", Schedule::Estimate),
    ];
    for (name, schedule) in each {
        let mut world = World::new();
        let wall = Round::cuboid(DVec3::new(1e-4, 2.0, 2.0)).map_err(|e| trouble(&e))?;
        world.add(Body::new(wall, Pose::IDENTITY)).map_err(|e| trouble(&e))?;
        let start = Pose::at(DVec3::X * -50.3).map_err(|e| trouble(&e))?;
        let motion = Steady::straight(start, DVec3::X * 1000.0, 0.0).map_err(|e| trouble(&e))?;
        let ball = Round::sphere(5e-4).map_err(|e| trouble(&e))?;
        world.add(Body { motion: Some(Arc::new(motion)), ..Body::new(ball, start) }).map_err(|e| trouble(&e))?;
        let mut found = Vec::new();
        let progress = world.advance(span(0.1)?, &Advance::new(schedule), |_, e| found.push(e.time));
        let time = found.first().map_or("-".to_owned(), |time| format!("{time:.9}"));
        table.row([name.to_owned(), found.len().to_string(), time, progress.checks.to_string()]);
    }
    report.add("They meet after 50.3 m less the radius and half the wall, 50.29945 m: at 0.05029945 s.");
    report.add(table);
    Ok(())
}

/// Figure 1: the box of a body that is thrown, against that of its ends.
fn flight(report: &mut Report) -> Result<(), BenchError> {
    let trouble = |error: &dyn std::fmt::Display| BenchError::usage(error.to_string());
    report.add("## Figure 1: the box of a flight");
    let rod = Model::from(Round::cuboid(DVec3::new(0.1, 0.1, 1.0)).map_err(|e| trouble(&e))?);
    let thrown = Flight {
        velocity: DVec3::new(3.0, 0.0, 10.0),
        gravity: DVec3::Z * -9.8,
        spin: DVec3::new(1.0, 4.0, 0.5),
        moments: DVec3::new(1.0, 1.01, 0.02),
        ..Flight::at(Pose::IDENTITY)
    };
    let motion = Ballistic::new(thrown).map_err(|e| trouble(&e))?;
    let mut table = Table::new(1, &["box of 2 s of flight", "least z", "greatest z", "greatest x"]);
    let mut row = |name: &str, b: impinge::bound::Aabb| {
        table.row([name.to_owned(), figure(b.min.z), figure(b.max.z), figure(b.max.x)]);
    };
    let at = |t: f64| model_box(&rod, &motion.pose(t));
    row("of start and end", at(0.0).join(&at(2.0)));
    row(
        "of 2000 samples",
        (0..=2000).map(|k| at(f64::from(k) * 1e-3)).fold(impinge::bound::Aabb::EMPTY, |x, y| x.join(&y)),
    );
    row("swept", motion.swept_box(&rod, 0.0, 2.0).unwrap_or(impinge::bound::Aabb::EMPTY));
    report.add(table);
    Ok(())
}

fn model_box(model: &Model, pose: &Pose) -> impinge::bound::Aabb {
    model.outline(pose, Outline::Fitted).unwrap_or(impinge::bound::Aabb::EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The queue needs a quarter of the looks of a fixed interval that is as safe, on bowling. Most bodies stand still
    /// there for most of the time, and a pair of bodies that stand still is looked at once by both.
    #[test]
    fn the_queue_needs_few_looks() {
        let safe = Schedule::Fixed { interval: ENVELOPE / 8.0 };
        let scene = || scenes::bowling(2.6, ENVELOPE).unwrap();
        let (fixed, _) = play(scene(), safe).unwrap();
        let (queue, _) = play(scene(), Schedule::Queue).unwrap();
        assert!(queue.encounters > 5 && fixed.encounters > 5, "{queue:?} {fixed:?}");
        assert!(queue.checks * 4 <= fixed.checks, "{} against {}", queue.checks, fixed.checks);
    }
}
