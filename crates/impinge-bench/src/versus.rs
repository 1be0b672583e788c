//! Runs an older driver and this one on the same workloads, in turn: what a change of the code costs or gains, row by
//! row.
//!
//! In each round both run each workload, one right after the other, and which of them begins changes with the round. A
//! row's ratio is the median over the rounds of this driver's figure over the other's in the same round, so that a slow
//! minute of the machine, which affects both, does not count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BenchError;
use crate::protocol::WORKLOADS;
use crate::report::{Report, Table, figure};
use crate::timing::median;

/// A comparison that was asked for.
#[derive(Debug, PartialEq)]
pub(crate) struct Versus {
    /// The other driver.
    pub(crate) other: PathBuf,
    /// The workloads; empty for all of them.
    pub(crate) workloads: Vec<String>,
    pub(crate) data: PathBuf,
    pub(crate) rounds: usize,
    pub(crate) quick: bool,
}

/// A row slower than this is listed in a table of its own.
const SLOWER: f64 = 1.03;

/// Figures by workload, case, variant and metric.
type Rows = BTreeMap<[String; 4], f64>;

/// The figures of both drivers in every round, the other's first.
type Rounds = BTreeMap<[String; 4], Vec<[f64; 2]>>;

pub(crate) fn run(asked: &Versus) -> Result<Report, BenchError> {
    let this = std::env::current_exe().map_err(|source| BenchError::Read { path: "this program".into(), source })?;
    let mut rounds = Rounds::new();
    let chosen: Vec<&str> = WORKLOADS
        .into_iter()
        .filter(|w| asked.workloads.is_empty() || asked.workloads.iter().any(|x| x == w))
        .collect();
    for round in 0..asked.rounds {
        for &workload in &chosen {
            let drive = |driver: &Path| drive(driver, workload, asked);
            let [other, this] = if round % 2 == 0 {
                let other = drive(&asked.other)?;
                [other, drive(&this)?]
            } else {
                let this = drive(&this)?;
                [drive(&asked.other)?, this]
            };
            for (row, figure) in other {
                if let Some(&own) = this.get(&row) {
                    rounds.entry(row).or_default().push([figure, own]);
                }
            }
            eprintln!("round {} of {}: {workload}", round + 1, asked.rounds);
        }
    }
    Ok(report(&rounds, asked.rounds))
}

/// One run of one driver on one workload.
fn drive(driver: &Path, workload: &str, asked: &Versus) -> Result<Rows, BenchError> {
    let answers = std::env::temp_dir().join(format!("impinge-bench-versus-{}", std::process::id()));
    let failed = |source| BenchError::Read { path: driver.to_owned(), source };
    let mut command = Command::new(driver);
    command.arg(workload).args(asked.quick.then_some("--quick"));
    let output = command.arg("--data").arg(&asked.data).arg("--out").arg(&answers).output().map_err(failed)?;
    // A file that was not written cannot be removed.
    let _ = std::fs::remove_dir_all(&answers);
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(BenchError::usage(format!("{} {workload}: {} {said}", driver.display(), output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(row).collect())
}

/// A row `workload,case,peer,variant,metric,value`.
fn row(line: &str) -> Option<([String; 4], f64)> {
    let cells: Vec<&str> = line.split(',').collect();
    let [workload, case, _, variant, metric, value] = cells[..] else { return None };
    Some(([workload, case, variant, metric].map(str::to_owned), value.parse().ok()?))
}

/// Whether a metric is a time, and not a count or a size.
fn is_time(metric: &str) -> bool {
    ["ns", "us", "ms", "s"].contains(&metric.split('/').next().unwrap_or_default())
}

fn report(rounds: &Rounds, count: usize) -> Report {
    let mut report = Report::new("versus", "This driver and an older one in turn");
    report.add(format!(
        "Rounds: {count}. Times are medians over the rounds; the ratio is the median of those within a round, new over \
         old: below 1 the new one is faster."
    ));
    let mut all = Table::new(4, &["workload", "case", "variant", "metric", "old", "new", "ratio"]);
    let mut slower = Table::new(4, &["workload", "case", "variant", "metric", "old", "new", "ratio"]);
    let mut ratios: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut late = 0;
    for (key @ [workload, ..], pairs) in rounds.iter().filter(|([.., metric], _)| is_time(metric)) {
        let of = |side: usize| median(pairs.iter().map(|pair| pair[side]).collect());
        let ratio = median(pairs.iter().map(|[old, new]| new / old).collect());
        if !ratio.is_finite() {
            continue;
        }
        let cells = || key.iter().cloned().chain([figure(of(0)), figure(of(1)), format!("{ratio:.3}")]);
        all.row(cells());
        if ratio > SLOWER {
            slower.row(cells());
            late += 1;
        }
        ratios.entry(workload).or_default().push(ratio);
        ratios.entry("all").or_default().push(ratio);
    }
    let mut summary = Table::new(1, &["workload", "rows", "median", "least", "most"]);
    for (workload, ratios) in &ratios {
        let most = ratios.iter().copied().fold(0.0, f64::max);
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let figures = [median(ratios.clone()), least, most].map(|ratio| format!("{ratio:.3}"));
        summary.row([(*workload).to_owned(), ratios.len().to_string()].into_iter().chain(figures));
    }
    report.add(summary);
    report.add(format!("## Slower by more than {:.0} %: {late} rows", (SLOWER - 1.0) * 100.0));
    if late > 0 {
        report.add(slower);
    }
    report.add("## Every row");
    report.add(all);
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_of_one_round_and_sizes_do_not_count() {
        let mut rounds = Rounds::new();
        for (line, pairs) in [
            ("W1,fast,impinge,warm,ns/query,1", [[100.0, 90.0], [200.0, 180.0], [100.0, 300.0]]),
            ("W1,slow,impinge,warm,ns/query,1", [[100.0, 110.0], [50.0, 55.0], [10.0, 1.0]]),
            ("W3,x,impinge,default,bytes/tri,1", [[1.0, 9.0], [1.0, 9.0], [1.0, 9.0]]),
        ] {
            let key = row(line).map(|(key, _)| key).expect("a row");
            rounds.insert(key, pairs.to_vec());
        }
        let body = report(&rounds, 3).body;
        assert!(body.contains("more than 3 %: 1 rows"), "{body}");
        assert!(body.contains("| 0.900 |") && body.contains("| 1.100 |") && !body.contains("bytes"), "{body}");
        assert!(row("# build/coal W5 failed").is_none());
    }
}
