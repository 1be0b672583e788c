//! `impinge clash FILE…`: every part of an assembly against every other.
//!
//! ```text
//! files ──assembly──▶ bodies ──PairStream──▶ chunks of pairs ──clash::between, on all threads──▶ findings ──▶ report
//! ```
//!
//! Bodies are read once; pairs are found by boxes and streamed; only the clashes are kept. A thread takes the next
//! chunk while the list of clashes is not full, and chunks are numbered in an order that depends only on the boxes. So
//! the clashes reported are the first of that order, cut off at the limit, whatever the number of threads.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Args;
use impinge::Pose;
use impinge::broad::BoxError;
use impinge::clash::{self, ClashLimits, PairStream};

use crate::input::options::{Solid, parse_length};
use crate::input::shape;
use crate::input::units::Units;
use crate::output::error::{Failure, note};
use crate::output::interrupt;
use crate::output::status::Status;
use crate::output::suggest;
use crate::output::text::plural;
use crate::question::threads;

use super::bodies::assembly::{Assembly, Reading};
use super::bodies::rules::{self, Rules};
use super::found::baseline::Baseline;
use super::found::findings::{ChunkFindings, Findings, FoundClash, Stopped};
use super::found::kind::ReportedKind;
use super::found::settings::{ClashFormat, Settings};
use super::report::write;

/// How long a report that is being written may keep an interrupted process alive: it is to be whole.
const PATIENCE: Duration = Duration::from_secs(10);

const EXAMPLES: &str = "\
Examples:
  impinge clash plant.glb                               every part against every other
  impinge clash drive.ply --split                       the connected pieces of one mesh
  impinge clash pipes.obj --against steel.obj ducts.obj --clearance 0.05
  impinge clash building.obj --kinds hard,contained,duplicate --format csv > clashes.csv
  impinge clash plant.glb --ignore '*/bolt*,*/plate*' --format json > monday.json
  impinge clash plant.glb --baseline monday.json        what is new, what is resolved?";

const ENDING: &str = "\
Kinds, the most serious first; a pair has one:
  duplicate  the same triangles, or the same convex solid, at the same place, up to the tolerance
  contained  one lies inside the other, and their surfaces are apart
  hard       they overlap by more than the tolerance; surfaces that cross have no depth
  touch      they are apart, or overlap, by no more than the tolerance
  clearance  they are closer than --clearance

Exit status:
  0    nothing clashes
  1    something does (clashes that a baseline has and this run has not do not count)
  2    error
  130  interrupted by Ctrl-C: the report is whole, and marked partial";

/// Every part of an assembly against every other: what overlaps, touches, is inside, too close or there twice
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = ENDING)]
pub(crate) struct ClashArgs {
    /// Files, every part (OBJ object or group, glTF node) of which is a body; or shapes in words such as box:1,2,3
    #[arg(value_name = "FILE", required = true, long_help = format!(
        "Files, every part (OBJ object or group, glTF node) of which is a body named file/part; or shapes in words\n\n{}",
        shape::HELP
    ))]
    files: Vec<PathBuf>,

    /// Compare only with the bodies of these, not with each other
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Bodies")]
    against: Vec<PathBuf>,

    /// Take every connected piece of a part as a body
    #[arg(long, help_heading = "Bodies")]
    split: bool,

    /// Demand closed bodies, whose inside counts; --solid=winding takes open ones too, by their winding number
    #[arg(long, value_name = "BY", conflicts_with = "surface", help_heading = "Bodies")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "closed")]
    solid: Option<Solid>,

    /// Forget every inside: only surfaces clash
    #[arg(long, help_heading = "Bodies")]
    surface: bool,

    /// Unit of files and answers; glTF (metres) is converted to it, other files are in it already
    #[arg(long, value_name = "UNIT", help_heading = "Bodies")]
    units: Option<Units>,

    /// Up to this distance, and this depth, bodies touch
    #[arg(long, value_name = "D", default_value = "0.001", value_parser = parse_length, help_heading = "Kinds")]
    #[arg(allow_hyphen_values = true)]
    tolerance: f64,

    /// Report bodies that are closer than this, too
    #[arg(long, value_name = "D", value_parser = parse_length, allow_hyphen_values = true, help_heading = "Kinds")]
    clearance: Option<f64>,

    /// Report only these kinds, separated by commas [default: all]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', help_heading = "Kinds")]
    kinds: Vec<ReportedKind>,

    /// Leave out pairs of the same file
    #[arg(long, help_heading = "Left out")]
    ignore_same_file: bool,

    /// Leave out pairs of the same group: OBJ objects in one group (g), glTF nodes with one parent, pieces of one part
    #[arg(long, help_heading = "Left out")]
    ignore_group: bool,

    /// Leave out pairs of these names; `*` stands for any letters. Can be given several times
    #[arg(long, value_name = "A,B", help_heading = "Left out")]
    ignore: Vec<String>,

    /// Leave out the pairs of a list, one a row
    #[arg(long, value_name = "LIST.csv", help_heading = "Left out")]
    ignore_file: Vec<PathBuf>,

    /// An earlier report in JSON: say of each clash whether it is new, still there or resolved
    #[arg(long, value_name = "OLD.json")]
    baseline: Option<PathBuf>,

    /// Stop after N clashes
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,

    /// Threads (same answers) [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// text, json (one object), jsonl (one clash a line) or csv
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    format: ClashFormat,
}

impl ClashArgs {
    fn reading(&self) -> Reading<'_> {
        Reading {
            files: &self.files,
            against: &self.against,
            split: self.split,
            solid: self.solid,
            surface: self.surface,
            units: self.units,
        }
    }
}

pub(crate) fn run(args: &ClashArgs) -> Result<Status, Failure> {
    threads::limit_threads(args.threads);
    let settings = Settings {
        limits: ClashLimits { tolerance: args.tolerance, clearance: args.clearance },
        kinds: if args.kinds.is_empty() { ReportedKind::EACH.to_vec() } else { args.kinds.clone() },
        units: args.units,
        limit: args.limit as usize,
        format: args.format,
    };
    let baseline = args.baseline.as_deref().map(|path| Baseline::read(path, args.tolerance, args.clearance));
    let baseline = baseline.transpose()?;
    let mut listed = args.ignore.iter().map(|text| rules::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let typed = listed.len();
    for path in &args.ignore_file {
        listed.extend(rules::read(path)?);
    }
    let findings = Arc::new(Mutex::new(Findings::new(settings.clone(), baseline)));
    interrupt::on_ctrl_c(&findings, PATIENCE, |findings| {
        let _ = write::close(findings, Some(Stopped::Interrupted), None, io::stdout().lock());
    });
    if args.kinds.contains(&ReportedKind::Clearance) && args.clearance.is_none() {
        note("--kinds asks for clearance, and without --clearance none is too small");
    }
    let assembly = Arc::new(Assembly::read(&args.reading())?);
    let rules = Rules::new(&assembly.bodies, &listed, args.ignore_same_file, args.ignore_group);
    tell_idle(&rules, &assembly, typed);
    if assembly.pairs() == 0 {
        note("there is no pair of bodies to compare; --split takes the connected pieces of a file as bodies");
    }
    let rules = Arc::new(rules);
    lock(&findings).begin(&assembly, &rules);
    let near = PairStream::start(&assembly.placed(), settings.limits.reach()).map_err(out_of_range)?;
    compare(&near, &settings, &assembly, &rules, &findings);
    finish(&findings, near.end(), settings.limit)
}

/// Asks about every pair, on all threads, until the list is full.
fn compare(near: &PairStream, settings: &Settings, assembly: &Assembly, rules: &Rules, findings: &Mutex<Findings>) {
    let work = || {
        while !lock(findings).is_full() {
            let Some(chunk) = near.next_chunk() else { return };
            let batch = judge_all(&chunk.pairs, settings, assembly, rules);
            lock(findings).add(chunk.number, batch, near.found());
        }
    };
    thread::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            // Where the system starts no further thread, those already running do the work.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

fn judge_all(pairs: &[[u32; 2]], settings: &Settings, assembly: &Assembly, rules: &Rules) -> ChunkFindings {
    let mut batch = ChunkFindings::default();
    for &pair in pairs {
        if rules.ignore(&assembly.bodies, pair) {
            batch.ignored += 1;
            continue;
        }
        batch.tested += 1;
        let [a, b] = pair.map(|i| &assembly.bodies[i as usize]);
        let here = Pose::IDENTITY;
        let Some(clash) = clash::between(&a.model, &here, &b.model, &here, &settings.limits) else { continue };
        let kind = ReportedKind::from(clash.kind);
        if settings.kinds.contains(&kind) {
            batch.clashes.push(FoundClash { pair, kind, clash });
        }
    }
    batch
}

fn finish(findings: &Mutex<Findings>, near: Option<u64>, limit: usize) -> Result<Status, Failure> {
    let mut findings = lock(findings);
    let stopped = findings.is_cut(near.is_none()).then_some(Stopped::Limit);
    let near = near.filter(|_| stopped.is_none());
    let (clashing, written) = write::close(&mut findings, stopped, near, io::stdout().lock());
    let Some(clashing) = clashing else { return Ok(Status::Clear) };
    if stopped.is_some() {
        let text = "there may be more (--limit takes more, --kinds and --ignore fewer)";
        note(&format!("stopped after {}: {text}", plural(limit as u64, "clash", "clashes")));
    }
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Status::of(clashing)),
    }
}

/// Says which patterns match nothing: of those typed each, of those in lists how many.
fn tell_idle(rules: &Rules, assembly: &Assembly, typed: usize) {
    let (on_line, in_lists) = rules.idle.iter().partition::<Vec<_>, _>(|(rule, _)| *rule < typed);
    for (_, pattern) in on_line {
        let near = suggest::nearest(pattern, assembly.bodies.iter().map(|body| body.name.as_str()));
        let hint = suggest::did_you_mean(&near).map_or(String::new(), |hint| format!("; {hint}"));
        note(&format!("--ignore: no body is named `{pattern}`{hint}"));
    }
    if !in_lists.is_empty() {
        note(&format!("--ignore-file: {} of the names match no body", in_lists.len()));
    }
}

fn out_of_range(problem: BoxError) -> Failure {
    let (place, help) = ("the bodies".to_owned(), "export the files in a larger unit".to_owned());
    Failure::Read { place, problem: problem.to_string(), help }
}

fn lock(findings: &Mutex<Findings>) -> MutexGuard<'_, Findings> {
    findings.lock().unwrap_or_else(PoisonError::into_inner)
}
