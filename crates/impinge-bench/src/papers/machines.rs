//! Parts of machines that turn in each other: rods in bores, gears in mesh, screws in nuts, links of a robot.

mod cases;

use std::hint::black_box;
use std::time::Instant;

use impinge::{Impact, Pair, Span, SweepOptions};

use self::cases::{MachineCase, cases};
use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::timing::median;

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let mut report = Report::new("papers-machines", "Parts of machines that turn in each other");
    report.add(
        "Each row is one pair of bodies and one motion, begun at several angles. Milliseconds: the median over the \
         angles, and the worst. `never`: the bodies certainly do not touch; `touch`: they certainly do; `?`: not \
         certain, or an interval of time wider than 1e-6 of the span. `width` is that of the interval of the least \
         distance, at most, over the tolerance asked for (1e-7 of the sizes).",
    );
    let mut table = Table::new(
        3,
        &[
            "bodies",
            "motion",
            "answers",
            "triangles",
            "impact, ms",
            "worst",
            "sweep, ms",
            "worst",
            "least distance",
            "width",
        ],
    );
    for case in cases(quick)? {
        let row = measured(&case);
        eprintln!("{}", row.join(" | "));
        table.row(row);
    }
    report.add(table);
    Ok(report)
}

/// The row of a case.
fn measured(case: &MachineCase) -> Vec<String> {
    let mut answers = [0; 3];
    let (mut impacts, mut sweeps) = (Vec::new(), Vec::new());
    let (mut least, mut width) = (f64::INFINITY, 0.0_f64);
    let tolerance = SweepOptions::default().tolerance * case.size;
    for [a, b] in &case.motions {
        let mut pair = Pair::new(&case.models[0], &case.models[1]);
        let start = Instant::now();
        let impact = black_box(pair.impact(a.as_ref(), b.as_ref(), Span::UNIT));
        impacts.push(1e3 * start.elapsed().as_secs_f64());
        answers[kind(&impact)] += 1;
        let mut pair = Pair::new(&case.models[0], &case.models[1]);
        let start = Instant::now();
        let sweep = black_box(pair.sweep(a.as_ref(), b.as_ref(), Span::UNIT));
        sweeps.push(1e3 * start.elapsed().as_secs_f64());
        least = least.min(sweep.interval.upper);
        width = width.max((sweep.interval.upper - sweep.interval.lower) / tolerance);
    }
    let words = ["never", "touch", "?"];
    let told = words.iter().zip(answers).filter(|(_, count)| *count > 0).map(|(word, count)| format!("{word} {count}"));
    let told = told.collect::<Vec<_>>().join(", ");
    let worst = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    let cells = [worst(&impacts), median(sweeps.clone()), worst(&sweeps)].map(figure);
    let [worst_impact, sweep, worst_sweep] = cells;
    vec![
        case.bodies.clone(),
        case.motion.clone(),
        told,
        case.triangles.to_string(),
        figure(median(impacts)),
        worst_impact,
        sweep,
        worst_sweep,
        format!("{least:.3e}"),
        figure(width),
    ]
}

/// Which of the three answers it is.
fn kind(impact: &Impact) -> usize {
    match &impact.time {
        None => 0,
        Some(time) if impact.certain && time.upper - time.lower <= 1e-6 => 1,
        Some(_) => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_certain() {
        let report = run(true).unwrap();
        assert!(report.body.contains("rod of") && report.body.contains("pinion in ring gear"), "{}", report.body);
        assert!(
            report.body.contains("screw of") && !report.body.contains(", ? ") && !report.body.contains("| ? "),
            "{}",
            report.body
        );
    }
}
