//! The parts of the set of queries, and the functions that run them.

use super::refused::Refused;
use super::tally::Tally;
use super::{bodies, deforming, motions, planes, two_bodies, worlds};
use crate::report::Report;

/// The parts of the set, as they are named on the command line.
pub(crate) const PARTS: [&str; 5] = ["two-bodies", "motions", "deforming", "planes", "worlds"];

/// Runs the parts that are named, or all where none is; the queries about many bodies run once on one thread and once
/// on two.
pub(crate) fn run(parts: &[String]) -> Result<Report, Refused> {
    let mut tally = Tally::default();
    let bodies = bodies::all()?;
    for part in PARTS.into_iter().filter(|part| parts.is_empty() || parts.iter().any(|named| named == part)) {
        match part {
            "two-bodies" => two_bodies::ask(&bodies, &mut tally)?,
            "motions" => motions::ask(&bodies, &mut tally)?,
            "deforming" => deforming::ask(&mut tally)?,
            "planes" => planes::ask(&mut tally)?,
            _ => {
                worlds::ask(&bodies, 1, &mut tally)?;
                worlds::ask(&bodies, 2, &mut tally)?;
            }
        }
    }
    Ok(tally.report())
}
