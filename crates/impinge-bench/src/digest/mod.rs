//! One number for the answers of a large fixed set of queries, so that a change of the code that must not change any
//! answer can be shown to change none: every verb, kind of pair, engine, tree and motion, asked cold and warm.
//!
//! A row of the report is a kind of question: how often it was asked, a hash of the answers to the last bit, and a hash
//! of the work (`Stats`). The work is apart because an optimisation may change it and still give the same answers.

mod bodies;
mod deforming;
mod motions;
mod planes;
mod tally;
mod two_bodies;
mod worlds;

use std::error::Error;

use crate::report::Report;
use tally::Tally;

/// Why a body, a motion or a place of the set was refused: none should be.
pub(crate) type Refused = Box<dyn Error + Send + Sync>;

/// The parts of the set, as they are named on the command line.
pub(crate) const PARTS: [&str; 5] = ["two-bodies", "motions", "deforming", "planes", "worlds"];

/// Asks what the parts named hold, or everything where none is; of many bodies once on one thread and once on two.
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
