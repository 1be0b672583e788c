//! Bodies that move: scheduled checks (Mirtich, 1997, §4), and the swept queries of Xavier, 1997, §3.

mod deforming;
mod queue;
mod scenes;
mod windows;
mod xavier;

use crate::error::BenchError;
use crate::report::Report;

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let mut report = Report::new("papers-time", "Bodies that move (Mirtich §2 and §4, Xavier §3)");
    queue::run(quick, &mut report)?;
    windows::run(quick, &mut report)?;
    xavier::run(quick, &mut report)?;
    deforming::run(quick, &mut report)?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_its_table() {
        let report = run(true).unwrap();
        for head in ["Figure 11", "bullet", "Figure 1:", "Windows", "Table 1", "Table 2", "Cold", "Deforming"] {
            assert!(report.body.contains(head), "no {head} in {}", report.body);
        }
        assert!(!report.body.contains("NaN") && !report.body.contains("inf"), "{}", report.body);
    }
}
