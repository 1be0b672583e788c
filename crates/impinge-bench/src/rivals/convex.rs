//! Convex bodies beside parry3d-f64: a tracked sphere, and random hulls apart, touching and overlapping.

mod hulls;
mod tracking;
mod verdict;

use super::sides::Options;
use crate::error::BenchError;
use crate::report::{Report, Table};
use verdict::Verdict;

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
