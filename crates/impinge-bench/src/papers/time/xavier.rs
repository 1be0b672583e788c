//! Tables 1 and 2 of Xavier, 1997, with the swept queries, and the cold ones of §3.3, on the field of trucks (FT) and
//! on gear, plate and motor (GPM), whose paths are translations.
//!
//! A step of a static experiment is asked about at its end, one of a swept experiment from its start to its end.

use std::hint::black_box;
use std::time::Instant;

use impinge::bound::Volume;
use impinge::glam::DVec3;
use impinge::{Builder, Limit, Pair, Pose, Span, Stats, Steady, SweepOptions};

use crate::error::BenchError;
use crate::papers::mesh::ask::{laps, surface};
use crate::papers::mesh::{gear, truck_field};
use crate::report::{Report, Table, figure};
use crate::shapes::Soup;
use crate::timing::median;

const STEPS: [u32; 5] = [25, 50, 100, 200, 400];

/// A query about one step, from its start to its end, with a length; also the work it took, where that is counted.
type Ask = fn(&mut Pair, &Step, f64) -> Stats;

/// From one pose to the next.
struct Step {
    poses: [Pose; 2],
    still: Steady,
    moving: Steady,
}

/// The steps between the poses of a path.
fn steps_of(path: &[Pose]) -> Result<Vec<Step>, BenchError> {
    let step = |poses: &[Pose]| {
        let way: DVec3 = poses[1].translation() - poses[0].translation();
        let moving = Steady::straight(poses[0], way, 0.0).map_err(|error| BenchError::usage(error.to_string()))?;
        Ok(Step { poses: [poses[0], poses[1]], still: Steady::still(STILL), moving })
    };
    path.windows(2).map(step).collect()
}

type Path = fn(u32) -> Result<Vec<Pose>, BenchError>;

const STILL: Pose = Pose::IDENTITY;

fn distance(pair: &mut Pair, step: &Step, _: f64) -> Stats {
    black_box(pair.distance(&STILL, &step.poses[1])).stats
}

fn interference(pair: &mut Pair, step: &Step, _: f64) -> Stats {
    black_box(pair.overlap(&STILL, &step.poses[1])).stats
}

fn swept_distance(pair: &mut Pair, step: &Step, _: f64) -> Stats {
    black_box(pair.sweep(&step.still, &step.moving, Span::UNIT)).stats
}

fn swept_interference(pair: &mut Pair, step: &Step, near: f64) -> Stats {
    let options = SweepOptions { enough: Some(near), ..SweepOptions::default() };
    black_box(pair.sweep_with(&step.still, &step.moving, Span::UNIT, &options)).stats
}

fn swept_witnesses(pair: &mut Pair, step: &Step, near: f64) -> Stats {
    black_box(pair.sweep_pairs(&step.still, &step.moving, Span::UNIT, near, Limit::All));
    Stats::default()
}

/// All pairs within a threshold half way: a sweep of no length.
fn static_witnesses(pair: &mut Pair, step: &Step, near: f64) -> Stats {
    if let Ok(middle) = Pose::at(step.poses[0].translation().midpoint(step.poses[1].translation())) {
        black_box(pair.sweep_pairs(&step.still, &Steady::still(middle), Span::UNIT, near, Limit::All));
    }
    Stats::default()
}

/// An experiment: its name, its query, Xavier's seconds.
type Row = (&'static str, Ask, [&'static str; 5]);

const FT: [Row; 4] = [
    ("D", distance, ["1.6", "1.9", "2.2", "2.9", "5.3"]),
    ("DS", swept_distance, ["1.5", "1.9", "2.5", "3.8", "6.4"]),
    ("I", interference, [".32", ".49", ".83", "1.5", "2.7"]),
    ("IS", swept_interference, [".44", ".64", "1.1", "2.0", "3.5"]),
];

const GPM: [Row; 4] = [
    ("D", distance, ["2.0", "3.3", "5.9", "10.7", "20.9"]),
    ("DS", swept_distance, ["3.1", "5.1", "9.3", "17.3", "31.9"]),
    ("I", interference, [".59", "1.1", "1.7", "3.1", "6.0"]),
    ("IS", swept_interference, ["1.0", "1.6", "2.6", "4.6", "8.6"]),
];

/// Of Table 2, with what is near: so many steps, and so many times ε.
const TABLE_TWO: [(Row, [f64; 2]); 5] = [
    (("TW", static_witnesses, ["3.7", "3.6", "5.7", "9.8", "7.8"]), [0.5, 0.0]),
    (("TWε", static_witnesses, ["3.7", "3.7", "5.8", "9.4", "17.8"]), [0.5, 1.0]),
    (("ISW", swept_witnesses, [".83", "1.2", "2.1", "3.5", "7.8"]), [0.0, 0.0]),
    (("ISε", swept_interference, [".44", ".6", ".84", "1.49", "2.85"]), [0.0, 1.0]),
    (("ISWε", swept_witnesses, ["1.9", "3.0", "5.1", "8.7", "16.8"]), [0.0, 1.0]),
];

const EPSILON: f64 = 0.00128;

fn pair(name: &str, [still, moving]: &[Soup; 2]) -> Result<Pair, BenchError> {
    let model = |soup| surface(name, soup, Builder::Auto, Volume::Auto);
    Ok(Pair::new(model(still)?, model(moving)?))
}

/// Milliseconds for all steps.
fn time(passes: usize, pair: &mut Pair, path: &[Step], ask: Ask, near: f64) -> f64 {
    let first = |p: &mut Pair| {
        distance(p, &path[0], 0.0);
    };
    let lap = |p: &mut Pair| {
        for step in path {
            ask(p, step, near);
        }
    };
    1e3 * median(laps(passes, std::slice::from_mut(pair), first, lap))
}

/// The mean of a turn of [`TURN`] milliseconds at least.
fn turn(pair: &mut Pair, path: &[Step], ask: Ask) -> f64 {
    let (mut all, mut laps) = (0.0, 0);
    while all < TURN {
        all += time(1, pair, path, ask, 0.0);
        laps += 1;
    }
    all / f64::from(laps)
}

/// A path of some microseconds, walked once, would show how cold the code is.
const TURN: f64 = 2.0;

/// The same for every experiment of a scenario: they take turns.
fn times(passes: usize, pair: &mut Pair, path: &[Step], rows: &[Row; 4]) -> [f64; 4] {
    let mut samples = [const { Vec::new() }; 4];
    for _ in 0..passes {
        for (samples, &(_, ask, _)) in samples.iter_mut().zip(rows) {
            samples.push(turn(pair, path, ask));
        }
    }
    samples.map(median)
}

/// Boxes and pairs of triangles tested in a step, on average.
fn work(pair: &mut Pair, path: &[Step], ask: Ask) -> [f64; 2] {
    pair.forget();
    distance(pair, &path[0], 0.0);
    let steps = path.len().max(1) as f64;
    let all: Vec<Stats> = path.iter().map(|step| ask(pair, step, 0.0)).collect();
    let mean = |count: fn(&Stats) -> u64| all.iter().map(count).sum::<u64>() as f64 / steps;
    [mean(|stats| stats.volume_tests), mean(|stats| stats.primitive_tests)]
}

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (steps, passes) = if quick { (&STEPS[..1], 1) } else { (&STEPS[..], 9) };
    report.add("## Table 1 (Xavier §3.2): static against swept");
    report.add(
        "Milliseconds for all steps of a path, on from one query before it, medians of 9 turns, each of 2 ms or more; Xavier's are seconds on an \
         SGI Indigo2 R4400/250. D: distance, I: interference, DS and IS: the same over each step. Factors are of the \
         swept over the static. Boxes and triangles: tests of boxes and of pairs of triangles a step.",
    );
    let heads: Vec<String> = row(["scenario", "expt", "by"], numbers(steps));
    let mut table = Table::new(3, &heads.iter().map(String::as_str).collect::<Vec<_>>());
    let mut gpm = pair("GPM", &[gear::plate_and_motor(), gear::gear()])?;
    let mut ft = pair("FT", &[truck_field::field(), truck_field::chassis()])?;
    let scenarios: [(&str, &mut Pair, Path, &[Row; 4]); 2] =
        [("FT", &mut ft, truck_field::flight, &FT), ("GPM", &mut gpm, gear::drop, &GPM)];
    for (name, pair, path, rows) in scenarios {
        eprintln!("{name}");
        let mut paths = Vec::new();
        for &n in steps {
            let path = steps_of(&path(n)?)?;
            paths.push((times(passes, pair, &path, rows), path));
        }
        let mut last: Vec<f64> = Vec::new();
        for (k, &(expt, ask, xavier)) in rows.iter().enumerate() {
            let times: Vec<f64> = paths.iter().map(|(times, _)| times[k]).collect();
            let counts: Vec<[f64; 2]> = paths.iter().map(|(_, path)| work(pair, path, ask)).collect();
            table.row(row([name, expt, "impinge, ms"], times.iter().map(|&t| figure(t))));
            if expt.ends_with('S') {
                let factors = times.iter().zip(&last).map(|(swept, still)| figure(swept / still));
                table.row(row([name, expt, "factor"], factors));
            }
            table.row(row([name, expt, "boxes"], counts.iter().map(|count| figure(count[0]))));
            table.row(row([name, expt, "triangles"], counts.iter().map(|count| figure(count[1]))));
            table.row(row([name, expt, "Xavier, s"], xavier.iter().take(steps.len()).map(|&s| s.to_owned())));
            last = times;
        }
    }
    report.add(table);
    table_two(steps, passes, &mut gpm, report)?;
    cold(quick, report)
}

fn numbers(steps: &[u32]) -> impl Iterator<Item = String> + '_ {
    steps.iter().map(|n| format!("{n} steps"))
}

fn row(names: [&str; 3], cells: impl Iterator<Item = String>) -> Vec<String> {
    names.map(str::to_owned).into_iter().chain(cells).collect()
}

fn table_two(steps: &[u32], passes: usize, gpm: &mut Pair, report: &mut Report) -> Result<(), BenchError> {
    report.add("## Table 2 (Xavier §3.3): witnesses on GPM");
    report.add(
        "As above. TW: all pairs within half a step at its middle; ε: and 0.00128 more. ISW: all pairs that touch during \
         the step, or come within ε; ISε: whether any does.",
    );
    let heads: Vec<String> = ["expt", "by"].map(str::to_owned).into_iter().chain(numbers(steps)).collect();
    let mut table = Table::new(2, &heads.iter().map(String::as_str).collect::<Vec<_>>());
    for ((expt, ask, xavier), [halves, epsilons]) in TABLE_TWO {
        eprintln!("{expt}");
        let mut cells = vec![expt.to_owned(), "impinge, ms".to_owned()];
        for &n in steps {
            let near = halves / f64::from(n) + epsilons * EPSILON;
            cells.push(figure(time(passes, gpm, &steps_of(&gear::drop(n)?)?, ask, near)));
        }
        table.row(cells);
        let theirs = xavier.iter().take(steps.len()).map(|&s| s.to_owned());
        table.row([expt.to_owned(), "Xavier, s".to_owned()].into_iter().chain(theirs));
    }
    report.add(table);
    Ok(())
}

/// The whole drop of the gear as one step, by a pair that remembers nothing.
fn cold(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    report.add("## Cold queries (Xavier §3.3)");
    report.add(
        "The whole way of GPM as one step, by a pair that remembers nothing: (i) does anything come as near, (ii) which \
         triangles do.",
    );
    let mut table = Table::new(1, &["query", "ε", "ms", "pairs", "Xavier, s", "Xavier, pairs"]);
    let mut pair = pair("GPM", &[gear::plate_and_motor(), gear::gear()])?;
    let path = steps_of(&gear::drop(1)?)?;
    let rows: [(&str, Ask, f64, &str, &str); 4] = [
        ("(i)", swept_interference, 0.00124, ".45", ""),
        ("(ii)", swept_witnesses, 0.00124, ".45", "0"),
        ("(i)", swept_interference, 0.00126, ".45", ""),
        ("(ii)", swept_witnesses, 0.00126, ".89", "1335"),
    ];
    for (query, ask, near, seconds, theirs) in rows {
        let mut samples = Vec::new();
        for _ in 0..if quick { 1 } else { 9 } {
            pair.forget();
            let start = Instant::now();
            ask(&mut pair, &path[0], near);
            samples.push(start.elapsed().as_secs_f64());
        }
        let pairs = if query == "(ii)" {
            pair.sweep_pairs(&path[0].still, &path[0].moving, Span::UNIT, near, Limit::All).0.len().to_string()
        } else {
            String::new()
        };
        let ms = figure(1e3 * median(samples));
        table.row([query.to_owned(), near.to_string(), ms, pairs, seconds.to_owned(), theirs.to_owned()]);
    }
    report.add(table);
    Ok(())
}
