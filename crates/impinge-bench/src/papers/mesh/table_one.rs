//! Table 1 of Xavier, 1997: distance (D) and interference (I) along a path in 25 to 400 steps, of the field of trucks
//! (FT) and of gear, plate and motor (GPM). The rows of swept bodies (DS, IS) belong to time.

use impinge::{Builder, Pair, Pose};

use super::ask::{Ask, TREES, distance, laps, overlap, surface};
use super::{gear, truck_field};
use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::shapes::Soup;

const STEPS: [u32; 5] = [25, 50, 100, 200, 400];

/// Seconds on an SGI Indigo2 R4400/250.
const XAVIER: [[[&str; 5]; 2]; 2] = [
    [["1.6", "1.9", "2.2", "2.9", "5.3"], [".32", ".49", ".83", "1.5", "2.7"]],
    [["2.0", "3.3", "5.9", "10.7", "20.9"], [".59", "1.1", "1.7", "3.1", "6.0"]],
];

const EXPERIMENTS: [(&str, Ask); 2] = [("D", distance), ("I", overlap)];

struct Scenario {
    name: &'static str,
    /// The body that stays, and the body that moves.
    bodies: [Soup; 2],
    path: fn(u32) -> Result<Vec<Pose>, BenchError>,
}

fn scenarios() -> [Scenario; 2] {
    [
        Scenario { name: "FT", bodies: [truck_field::field(), truck_field::chassis()], path: truck_field::flight },
        Scenario { name: "GPM", bodies: [gear::plate_and_motor(), gear::gear()], path: gear::drop },
    ]
}

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (steps, passes) = if quick { (&STEPS[..1], 1) } else { (&STEPS[..], 5) };
    report.add("## Table 1 (Xavier §3.2), distance and interference");
    report.add(
        "Milliseconds for all steps of a path, on from one query before it, medians of 5 runs; Xavier's are seconds on an \
         SGI Indigo2 R4400/250. D: distance, I: interference. FT: a chassis of 9952 triangles past 42 000. GPM: a \
         gear of 3920 through a plate and onto a motor of 6272 together, with 0.00125 between gear and spindle.",
    );
    let numbers = steps.iter().map(|n| format!("{n} steps"));
    let heads: Vec<String> = ["scenario", "expt", "tree"].map(str::to_owned).into_iter().chain(numbers).collect();
    let mut table = Table::new(3, &heads.iter().map(String::as_str).collect::<Vec<_>>());
    for (scenario, xavier) in scenarios().iter().zip(XAVIER) {
        eprintln!("{}", scenario.name);
        let mut pairs = scenario.pairs()?;
        for ((expt, ask), xavier) in EXPERIMENTS.into_iter().zip(xavier) {
            let mut rows = vec![Vec::new(); TREES.len()];
            for &n in steps {
                let path = (scenario.path)(n)?;
                let seconds =
                    laps(passes, &mut pairs, |p| ask(p, &path[0]), |p| path[1..].iter().for_each(|pose| ask(p, pose)));
                rows.iter_mut().zip(seconds).for_each(|(row, s)| row.push(figure(1e3 * s)));
            }
            for (tree, row) in TREES.iter().zip(rows) {
                table.row([scenario.name.to_owned(), expt.to_owned(), format!("{tree}, ms")].into_iter().chain(row));
            }
            let theirs = xavier.iter().take(steps.len()).map(|&s| s.to_owned());
            table.row([scenario.name, expt, "Xavier, s"].map(str::to_owned).into_iter().chain(theirs));
        }
    }
    report.add(table);
    Ok(())
}

impl Scenario {
    /// One for each tree.
    fn pairs(&self) -> Result<Vec<Pair>, BenchError> {
        let model = |soup, volume| surface(self.name, soup, Builder::Auto, volume);
        let [still, moving] = &self.bodies;
        TREES.into_iter().map(|volume| Ok(Pair::new(model(still, volume)?, model(moving, volume)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_agree_along_both_paths() {
        for scenario in scenarios() {
            let mut pairs = scenario.pairs().unwrap();
            for pose in (scenario.path)(30).unwrap() {
                let gaps: Vec<f64> =
                    pairs.iter_mut().map(|p| p.distance(&Pose::IDENTITY, &pose).interval.upper).collect();
                assert!(gaps.iter().all(|gap| (gap - gaps[0]).abs() < 1e-12), "{}: {gaps:?}", scenario.name);
                for pair in &mut pairs {
                    assert_eq!(pair.overlap(&Pose::IDENTITY, &pose).overlap, gaps[0] == 0.0);
                }
            }
        }
    }
}
