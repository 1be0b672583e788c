//! Convex bodies beside parry3d-f64: a tracked sphere, and random hulls apart, touching and overlapping.

mod hulls;
mod tracking;

use super::Options;
use crate::agreement::Differences;
use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::timing::median;

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Convex against convex: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-convex", title);
    report.add(format!(
        "Medians of {} rounds in which the sides take turns. Ratio: parry's time over ours. `same`: answers within 1e-6, \
         of those parry gives; where they differ, brute force decides.",
        options.passes
    ));
    let mut verdict = Verdict::default();
    report.add("## Distance of a cube and a turning sphere, ns a call");
    report.add(
        "Warm: a kept pair on our side, the last direction and simplex on parry's. The ratio is to parry's better.",
    );
    let columns = ["impinge cold", "warm", "parry cold", "warm", "ratio", "same"];
    let mut table = Table::new(0, &[&["facets", "degrees"], columns.as_slice()].concat());
    report.add(tracking::run(options, &mut table, &mut verdict)?.told(table));
    report.add("## Random hulls of 10 to 500 points, ns a query");
    report.add(
        "`sep` is 1e-3 to 1 apart, `touch` within 1e-7 of first contact, `over` 1e-3 to 0.5 past it; `depth` is the \
         distance, or minus the depth. Cold: nothing is remembered. Coherent: each pair is kept, and asked by turns at \
         its pose and at one displaced by 1e-3 and turned by 1e-3 radian.",
    );
    let columns = ["impinge cold", "coherent", "parry", "ratio", "coherent", "touching", "same"];
    let mut table = Table::new(2, &[&["class", "query"], columns.as_slice()].concat());
    let [cold, coherent] = hulls::run(options, &mut table, &mut verdict)?;
    report.add(cold.told(table));
    report.add(coherent.told("With coherence:"));
    report.add(verdict.told());
    Ok((report, verdict.against_us == 0))
}

/// How many times faster than parry, row by row.
#[derive(Default)]
struct Ratios(Vec<f64>);

impl Ratios {
    fn told(self, above: impl std::fmt::Display) -> String {
        let least = self.0.iter().copied().fold(f64::INFINITY, f64::min);
        format!("{above}\nRatio: median {}, least {}.", figure(median(self.0)), figure(least))
    }
}

/// What came of comparing answers.
#[derive(Default)]
struct Verdict {
    compared: usize,
    against_us: usize,
    remarks: Vec<String>,
}

impl Verdict {
    /// Keeps the differences of one question, and says how many answers are the same.
    fn add(&mut self, question: &str, peer: &str, found: &Differences) -> String {
        self.compared += found.compared;
        self.against_us += found.against_us();
        self.remarks.extend(found.told(question, peer));
        format!("{}/{}", found.compared - found.differ, found.compared)
    }

    fn told(&self) -> String {
        let mut text =
            format!("{} answers compared; brute force found {} of ours wrong.", self.compared, self.against_us);
        for remark in &self.remarks {
            text += &format!("\n- {remark}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_of_ours_is_counted() {
        let mut verdict = Verdict::default();
        assert_eq!(verdict.add("x", "parry", &Differences::between(&[1.0, 2.0], &[1.0, 3.0], |_| 2.0)), "1/2");
        assert_eq!((verdict.compared, verdict.against_us, verdict.remarks.len()), (2, 0, 1));
        verdict.add("y", "parry", &Differences::between(&[1.0], &[3.0], |_| 3.0));
        assert_eq!((verdict.against_us, verdict.told().lines().count()), (1, 3));
    }

    #[test]
    fn ratios_are_told_below_their_table() {
        assert_eq!(Ratios(vec![2.0, 8.0, 4.0]).told("table"), "table\nRatio: median 4.00, least 2.00.");
    }
}
