//! Meshes: volumes in parallel close proximity (Lin §5.2), and the experiments of Xavier, 1997, §3: the complex torus,
//! Table 1 without its sweeps, and the threshold query on the spindle; then what memory is worth.

pub(super) mod ask;
mod coherence;
mod complex_torus;
pub(super) mod gear;
mod machined;
mod proximity;
mod spindle;
mod table_one;
pub(super) mod truck_field;

use crate::error::BenchError;
use crate::report::Report;

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let mut report = Report::new("papers-mesh", "Trees of meshes (Lin §5.2, Xavier §3)");
    report.add(
        "Trees by their names under `--tree`: `auto` is the default, `hull` is Xavier's with its five optimisations, `obb` \
         RAPID's. Bodies are surfaces, made by the bench at the sizes that the papers name.",
    );
    proximity::run(quick, &mut report)?;
    complex_torus::run(quick, &mut report)?;
    table_one::run(quick, &mut report)?;
    spindle::run(quick, &mut report)?;
    coherence::run(quick, &mut report)?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All of it at a size that takes seconds.
    #[test]
    fn every_section_has_its_tables() {
        let report = run(true).unwrap();
        for head in ["close proximity", "complex torus", "Table 1", "spindle", "What memory is worth"] {
            assert!(report.body.contains(head), "no {head} in {}", report.body);
        }
        assert!(report.body.lines().filter(|line| line.starts_with("|-")).count() == 5, "{}", report.body);
        assert!(!report.body.contains("NaN") && !report.body.contains("inf"), "{}", report.body);
    }
}
