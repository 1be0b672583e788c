//! Closest features of moving convex bodies (Mirtich §3): the turning sphere of Figure 10 by every engine, V-Clip
//! beside enhanced GJK (§3.3), the satellite (§3.2), and bodies made of pieces (§3.4); and the depth of hulls deep in
//! each other (Lin §2.2).

mod deep;
mod laps;
mod satellite;
mod turning;
mod unions;

use crate::error::BenchError;
use crate::report::Report;
use laps::PASSES;

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let mut report = Report::new("papers-convex", "Closest features of moving convex bodies (Mirtich §3)");
    report.add(format!(
        "Times are ns a call, medians of {PASSES} rounds in which all engines and bodies take turns. Steps are those of an \
         engine's main loop, per call. `gjk` and its kin remember nothing; the others go on from the last call."
    ));
    turning::run(quick, &mut report)?;
    satellite::run(quick, &mut report)?;
    unions::run(quick, &mut report)?;
    deep::run(quick, &mut report)?;
    Ok(report)
}
