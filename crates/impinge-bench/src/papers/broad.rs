//! Many boxes: Mirtich, 1997, Table 1 (standard against coherent hashing) and Figure 6 (where sorted coordinates break
//! down), and Lin §4.3 (cost that is linear in the number of bodies).

mod clustered;
mod frame;
mod linear;
mod scenes;
mod table_one;

use crate::error::BenchError;
use crate::report::Report;

pub(crate) fn run(quick: bool) -> Result<Report, BenchError> {
    let mut report = Report::new("papers-broad", "Broad phases (Mirtich §2, Lin §4.3)");
    table_one::run(quick, &mut report)?;
    clustered::run(quick, &mut report)?;
    linear::run(quick, &mut report)?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All of it at a size that takes seconds.
    #[test]
    fn every_section_has_its_table() {
        let report = run(true).unwrap();
        for head in ["Table 1", "Figure 6", "§4.3"] {
            assert!(report.body.contains(head), "no {head} in {}", report.body);
        }
        assert!(report.body.lines().filter(|line| line.starts_with("|-")).count() >= 4, "{}", report.body);
        assert!(!report.body.contains("NaN") && !report.body.contains(" inf "), "{}", report.body);
    }
}
