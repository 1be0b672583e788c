//! `impinge run SCENE`: many bodies that move, looked at step by step.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use clap::Args;
use impinge::Limit;

use super::continuous::{self, Named};
use super::report::{Nanoseconds, Step};
use super::stage::Stage;
use crate::input::body;
use crate::input::options::EXIT_STATUS;
use crate::output::error::Failure;
use crate::output::format::AnswerFormat;
use crate::output::interrupt;
use crate::output::sheet::{Sheet, Title};
use crate::output::status::Status;
use crate::question::threads;

const EXAMPLES: &str = "\
Examples:
  impinge run scene.toml > report.jsonl
  impinge run scene.toml --format text --steps 10
  impinge run scene.toml --no-times --threads 1         the same bytes every time
  impinge run scene.toml --schedule queue               when they touch, between steps too";

/// Many bodies over time: which of them touch, step by step
///
/// The scene is a TOML file: bodies (files, or shapes in words), poses, motions, groups, a broad phase; docs/scene.md
/// describes it. Bodies are moved at fixed intervals and looked at where they stand: what happens between two steps is
/// not seen. With --schedule they move in continuous time, and a line says when two of them touch.
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct RunArgs {
    /// The scene, a TOML file
    scene: PathBuf,

    /// Steps, instead of those that the scene asks for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,

    /// Contacts listed for each two bodies that touch
    #[arg(long, value_name = "N", default_value_t = 4)]
    limit: u32,

    /// Broad phase, instead of the scene's: auto, all-pairs, grid-sweep, dynamic-tree, spatial-hash, sweep-prune, ...
    #[arg(long, value_name = "NAME")]
    phase: Option<String>,

    /// Continuous time: when two bodies touch, looked for at steps (fixed), whenever they could (queue), or whenever
    /// they should (estimate)
    #[arg(long, value_name = "NAME")]
    schedule: Option<Named>,

    /// Leave out how long each step took, which differs from run to run
    #[arg(long)]
    no_times: bool,

    /// Threads (same answers) [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// text, json (one array) or jsonl (one object a line)
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", hide_possible_values = true)]
    format: AnswerFormat,
}

pub(crate) fn run(args: &RunArgs) -> Result<Status, Failure> {
    threads::limit_threads(args.threads);
    let title = Title { verb: "run", a: args.scene.display().to_string(), b: Some(String::new()) };
    let sheet = Arc::new(Mutex::new(Sheet::on_stdout(args.format, true, title)));
    // Models may take long to read.
    interrupt::close_on_ctrl_c(&sheet);
    body::must_exist(&args.scene)?;
    let scene = impinge_io::read_scene(&args.scene)?;
    let steps = args.steps.unwrap_or(scene.steps);
    let mut stage = Stage::new(&args.scene, scene, args.phase.as_deref())?;
    let mut touching = false;
    let mut put = |text: Vec<u8>| -> Result<(), Failure> {
        sheet.lock().unwrap_or_else(PoisonError::into_inner).put(&text)?;
        Ok(())
    };
    let outcome = match args.schedule {
        Some(schedule) => {
            let text = matches!(args.format, AnswerFormat::Text);
            continuous::run(&mut stage, steps, schedule, text, &mut put).map(|touched| touching = touched)
        }
        None => (0..steps).try_for_each(|step| -> Result<(), Failure> {
            let line = look(&mut stage, step, args)?;
            touching |= line.is_touching();
            let text = match args.format {
                AnswerFormat::Text => line.text().into_bytes(),
                _ => serde_json::to_vec(&line).map_err(std::io::Error::from)?,
            };
            put(text)
        }),
    };
    let cut_short = matches!(&outcome, Err(failure) if failure.is_broken_pipe());
    if cut_short {
        return Ok(if touching { Status::Touching } else { Status::CutShort });
    }
    let closed = sheet.lock().unwrap_or_else(PoisonError::into_inner).close(outcome.is_err());
    outcome?;
    closed?;
    Ok(Status::of(touching))
}

/// Moves the bodies to where they are at a step, and asks.
fn look(stage: &mut Stage, step: u64, args: &RunArgs) -> Result<Step, Failure> {
    let mut clock = Clock(Instant::now());
    let time = stage.advance(step)?;
    let moving = clock.lap();
    // The farthest distance that the queries below need, so that the pairs are found, counted and timed here.
    stage.world.set_reach(stage.clearance);
    let pairs = stage.world.refresh();
    let broad = clock.lap();
    let contacts = stage.world.contacts(Limit::UpTo(args.limit.max(1) as usize));
    let near = if stage.clearance > 0.0 { stage.world.distance(stage.clearance) } else { Vec::new() };
    let narrow = clock.lap();
    let times = (!args.no_times).then_some(Nanoseconds { moving, broad, narrow });
    Ok(Step::new(stage, step, time, pairs, &contacts, &near, args.limit as usize, times))
}

struct Clock(Instant);

impl Clock {
    /// Nanoseconds since the last lap.
    fn lap(&mut self) -> u64 {
        let now = Instant::now();
        let passed = now.duration_since(std::mem::replace(&mut self.0, now));
        u64::try_from(passed.as_nanos()).unwrap_or(u64::MAX)
    }
}
