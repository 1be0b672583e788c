//! A scene in continuous time: which bodies touch and when, by one of the schedules of a world.

use impinge::{Advance, Encounter, EncounterKind, End, Progress, Schedule, Span, World};
use serde::Serialize;

use super::report::CountsJson;
use super::stage::Stage;
use crate::output::error::Failure;
use crate::output::json;
use crate::output::text::plural;

/// Bodies that are as near as this touch, in a scene without a clearance.
const ENVELOPE: f64 = 1e-6;

/// `--schedule`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Named {
    /// Looked at where a step is, as without it
    Fixed,
    /// Looked at when they could touch: nothing is missed
    Queue,
    /// Looked at when they should touch, going back when that was too late
    Estimate,
}

/// A line about two bodies that touch.
#[derive(Debug, Serialize)]
struct Met<'s> {
    time: f64,
    kind: &'static str,
    a: &'s str,
    b: &'s str,
    lower: f64,
    upper: f64,
    points: Option<[[f64; 3]; 2]>,
    normal: Option<[f64; 3]>,
    closing: f64,
}

/// The last line.
#[derive(Debug, Serialize)]
struct Whole {
    end: &'static str,
    time: f64,
    bodies: usize,
    encounters: u64,
    zeno: u64,
    rollbacks: u64,
    late: u64,
    pairs: u64,
    checks: u64,
    counts: CountsJson,
}

/// Moves the scene on through all of its steps and puts down what happens; whether anything touched.
pub(super) fn run(
    stage: &mut Stage,
    steps: u64,
    named: Named,
    text: bool,
    put: &mut dyn FnMut(Vec<u8>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    stage.set_motions(steps)?;
    let interval = stage.interval;
    let schedule = match named {
        Named::Fixed => Schedule::Fixed { interval },
        Named::Queue => Schedule::Queue,
        Named::Estimate => Schedule::Estimate,
    };
    let windows = u32::try_from(steps).unwrap_or(u32::MAX);
    let envelope = stage.clearance.max(ENVELOPE);
    let how = Advance { envelope, shortest: 1e-2 * interval, windows, ..Advance::new(schedule) };
    let span = Span::new(0.0, steps as f64 * interval).map_err(|error| stage.refuse(error.to_string()))?;
    let names = stage.names.clone();
    let name = |id| names.get(&id).map_or("", String::as_str);
    let mut outcome = Ok(());
    let mut touching = false;
    let progress = stage.world.advance(span, &how, |_, met| {
        touching = true;
        if outcome.is_ok() {
            outcome = line(&Met::new(met, name(met.a), name(met.b)), text).and_then(&mut *put);
        }
    });
    outcome?;
    put(last(&progress, &stage.world, text)?)?;
    Ok(touching)
}

impl<'s> Met<'s> {
    fn new(met: &Encounter, a: &'s str, b: &'s str) -> Met<'s> {
        let kind = match met.kind {
            EncounterKind::Touch => "touch",
            EncounterKind::Zeno => "zeno",
            EncounterKind::Undone => "undone",
        };
        Met {
            time: met.time,
            kind,
            a,
            b,
            lower: met.distance.lower,
            upper: met.distance.upper,
            points: json::points(&met.witness),
            normal: met.normal.map(|n| n.to_array()),
            closing: met.closing,
        }
    }
}

fn line(met: &Met<'_>, text: bool) -> Result<Vec<u8>, Failure> {
    if !text {
        return Ok(serde_json::to_vec(met).map_err(std::io::Error::from)?);
    }
    let Met { time, a, b, closing, .. } = met;
    let what = match met.kind {
        "zeno" => "keeps touching",
        "undone" => "does not touch after all:",
        _ => "touches",
    };
    Ok(format!("time {time:.9}: {a} {what} {b}, closing at {closing:.6}").into_bytes())
}

fn last(progress: &Progress, world: &World, text: bool) -> Result<Vec<u8>, Failure> {
    let Progress { time, checks, encounters, zeno, rollbacks, late, pairs, .. } = *progress;
    let end = match progress.end {
        End::Reached => "reached",
        End::Encounters => "encounters",
        End::Steps => "steps",
    };
    if text {
        let encounters = plural(encounters, "encounter", "encounters");
        let checks = plural(checks, "look", "looks");
        return Ok(format!("time {time:.9}: {encounters}, {checks} at pairs of bodies").into_bytes());
    }
    let (bodies, counts) = (world.len(), CountsJson::of(world.counts()));
    let whole = Whole { end, time, bodies, encounters, zeno, rollbacks, late, pairs, checks, counts };
    Ok(serde_json::to_vec(&whole).map_err(std::io::Error::from)?)
}
