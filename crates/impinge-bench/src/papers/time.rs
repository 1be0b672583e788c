//! Bodies that move: the swept queries of Xavier, 1997, §3.

mod xavier;

use crate::error::BenchError;
use crate::report::Report;

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let mut report = Report::new("papers-time", "Bodies that move (Xavier §3)");
    xavier::run(quick, &mut report)?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_its_table() {
        let report = run(true).unwrap();
        for head in ["Table 1", "Table 2", "Cold"] {
            assert!(report.body.contains(head), "no {head} in {}", report.body);
        }
        assert!(!report.body.contains("NaN") && !report.body.contains("inf"), "{}", report.body);
    }
}
