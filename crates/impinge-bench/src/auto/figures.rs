//! How the cost of the choice compares with that of the best method: the distribution, and the worst cases.

use super::Auto;
use super::answers::{as_good, contradiction};
use super::cases::{bodies, case};
use super::measure::{Cost, costs};
use super::once_slow;
use super::ways::Way;
use crate::digest::Refused;
use crate::error::BenchError;
use crate::report::{Report, Table, figure};

/// How many of the worst cases are shown.
const WORST: usize = 24;
/// Below this many seconds a ratio of times is mostly that of the clock and of what each call does first.
const RESOLVED: f64 = 2e-6;

/// One case.
struct Row {
    name: String,
    costs: Vec<Cost>,
    /// The cost of the choice over that of the best method with as good an answer, in time and in work.
    ratios: [f64; 2],
    /// That method in time.
    best: usize,
}

impl Row {
    fn new(name: String, costs: Vec<Cost>) -> Row {
        let own = costs[0];
        let rivals = || (1..costs.len()).filter(|&k| costs[k].way.proves() && as_good(&costs[k].told, &own.told));
        let of = |measure: fn(&Cost) -> f64| {
            let best = rivals().min_by(|&i, &j| measure(&costs[i]).total_cmp(&measure(&costs[j]))).unwrap_or(0);
            (best, measure(&own) / measure(&costs[best]).max(f64::MIN_POSITIVE))
        };
        let ((best, time), (_, work)) = (of(|cost| cost.seconds), of(|cost| cost.work));
        Row { name, costs, ratios: [time, work], best }
    }

    fn own(&self) -> &Cost {
        &self.costs[0]
    }

    /// Whether some method with a proof says more than the choice does.
    fn is_beaten(&self) -> bool {
        let own = &self.own().told;
        self.costs.iter().any(|cost| cost.way.proves() && !as_good(own, &cost.told))
    }
}

/// The report, and whether all answers agree.
pub(crate) fn run(asked: Auto) -> Result<(Report, bool), BenchError> {
    let refused = |refused: Refused| BenchError::usage(format!("a case was refused: {refused}"));
    let rows = rows(asked).map_err(refused)?;
    let mut report = Report::new("auto", "What `impact` costs when it chooses, over the best of all methods");
    report.add(format!(
        "{} random pairs and motions. The best is the cheapest of advancement, contact functions, static distances \
         with speeds, and a sweep for a contact followed by advancement, among those whose answer is as certain and \
         about as narrow. Work counts steps, tests of boxes and primitives, and questions to motions; it is the same \
         in every run. Times are medians of rounds in which the methods take turns, nothing remembered.",
        rows.len()
    ));
    report.add(distribution(&rows));
    report.add(by_method(&rows));
    for (title, measure) in [("## Worst in time", 0), ("## Worst in work", 1)] {
        report.add(title);
        report.add(worst(&rows, measure));
    }
    report.add("## Cases that were slow once");
    report.add(
        once_slow::table(|name, costs| {
            if asked.each {
                show(name, costs);
            }
        })
        .map_err(refused)?,
    );
    let wrong: Vec<String> = rows.iter().filter_map(disagreement).collect();
    report.add(format!("Answers that contradict each other: {}.", wrong.len()));
    wrong.iter().take(WORST).for_each(|line| report.add(format!("- {line}")));
    let beaten: Vec<&Row> = rows.iter().filter(|row| row.is_beaten()).collect();
    report.add(format!("Cases in which another method says more than the choice: {}.", beaten.len()));
    beaten.iter().take(WORST).for_each(|row| report.add(format!("- {}", row.name)));
    Ok((report, wrong.is_empty()))
}

fn rows(asked: Auto) -> Result<Vec<Row>, Refused> {
    let bodies = bodies()?;
    let numbers = asked.first..asked.first.saturating_add(asked.cases);
    let mut rows = Vec::new();
    for number in numbers {
        let case = case(number, &bodies)?;
        let row = Row::new(case.name.clone(), costs(&case, &Way::EACH));
        if asked.each {
            show(&row.name, &row.costs);
        }
        rows.push(row);
    }
    Ok(rows)
}

fn show(name: &str, costs: &[Cost]) {
    eprintln!("{name}");
    for cost in costs {
        let (us, told) = (cost.seconds * 1e6, cost.told);
        let (name, time) = (cost.way.name(), told.time.map(|time| (time.lower, time.upper)));
        eprintln!("    {name:<18} {us:>12.2} us {:>10} work  {time:?} certain {}", cost.work, told.certain);
    }
}

fn disagreement(row: &Row) -> Option<String> {
    let told: Vec<_> = row.costs.iter().map(|cost| (cost.way, cost.told)).collect();
    contradiction(&told).map(|[one, other]| format!("{}: {one} and {other}", row.name))
}

fn distribution(rows: &[Row]) -> Table {
    let mut table = Table::new(1, &["auto / best", "cases", "median", "90 %", "99 %", "99.9 %", "worst", "above 3"]);
    let long = |row: &&Row| row.own().seconds >= RESOLVED;
    let kinds: [(&str, Vec<f64>); 3] = [
        ("time", rows.iter().map(|row| row.ratios[0]).collect()),
        ("time, where auto takes 2 µs or more", rows.iter().filter(long).map(|row| row.ratios[0]).collect()),
        ("work", rows.iter().map(|row| row.ratios[1]).collect()),
    ];
    for (name, mut ratios) in kinds {
        ratios.sort_by(f64::total_cmp);
        let at = |share: f64| ratios.get(((ratios.len() as f64 * share) as usize).min(ratios.len().max(1) - 1));
        let parts = [0.5, 0.9, 0.99, 0.999, 1.0].map(|share| figure(at(share).copied().unwrap_or(f64::NAN)));
        let above = ratios.iter().filter(|&&ratio| ratio > 3.0).count();
        let head = [name.to_owned(), ratios.len().to_string()];
        table.row(head.into_iter().chain(parts).chain([above.to_string()]));
    }
    table
}

fn by_method(rows: &[Row]) -> Table {
    let mut table = Table::new(1, &["method", "seconds in all", "longest, ms", "best of all", "not certain"]);
    for k in 0..rows.first().map_or(0, |row| row.costs.len()) {
        let of = |row: &Row| row.costs[k].seconds;
        let best = rows.iter().filter(|row| row.best == k).count();
        let open = rows.iter().filter(|row| !row.costs[k].told.certain).count();
        table.row([
            rows[0].costs[k].way.name().to_owned(),
            figure(rows.iter().map(of).sum()),
            figure(rows.iter().map(of).fold(0.0, f64::max) * 1e3),
            best.to_string(),
            open.to_string(),
        ]);
    }
    table
}

fn worst(rows: &[Row], measure: usize) -> Table {
    let mut order: Vec<&Row> = rows.iter().collect();
    order.sort_by(|x, y| y.ratios[measure].total_cmp(&x.ratios[measure]));
    let mut table = Table::new(2, &["case", "best", "ratio of time", "of work", "auto, µs", "best, µs"]);
    for row in order.into_iter().take(WORST) {
        let best = &row.costs[row.best];
        table.row([
            row.name.clone(),
            best.way.name().to_owned(),
            figure(row.ratios[0]),
            figure(row.ratios[1]),
            figure(row.own().seconds * 1e6),
            figure(best.seconds * 1e6),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_cases_agree_and_fill_every_table() {
        let (report, agreed) = run(Auto { cases: 12, first: 0, each: false }).unwrap();
        assert!(agreed, "{}", report.body);
        for head in ["auto / best", "swept-first", "Worst in work", "contradict each other: 0"] {
            assert!(report.body.contains(head), "no {head} in {}", report.body);
        }
    }
}
