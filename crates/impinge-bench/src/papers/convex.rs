//! Closest features of moving convex bodies (Mirtich §3): the turning sphere of Figure 10 by every engine, V-Clip
//! beside enhanced GJK (§3.3), and the satellite (§3.2).

mod satellite;
mod turning;

use std::time::Duration;

use impinge::{Pair, Pose};

use crate::error::BenchError;
use crate::report::Report;
use crate::timing::{Side, interleaved};

/// Rounds in which the sides take turns.
const PASSES: usize = 9;
const SLOT: Duration = Duration::from_millis(2);

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let mut report = Report::new("papers-convex", "Closest features of moving convex bodies (Mirtich §3)");
    report.add(format!(
        "Times are ns a call, medians of {PASSES} rounds in which all engines and bodies take turns. Steps are those of an \
         engine's main loop, per call. `gjk` and its kin remember nothing; the others go on from the last call."
    ));
    turning::run(quick, &mut report)?;
    satellite::run(quick, &mut report)?;
    Ok(report)
}

/// Asks for the distance with `b` at every pose, and counts the steps.
fn lap(pair: &mut Pair, poses: &[Pose]) -> u64 {
    poses.iter().map(|pose| std::hint::black_box(pair.distance(&Pose::IDENTITY, pose)).stats.iterations).sum()
}

/// Nanoseconds of a call in the laps of each pair.
fn timed(passes: usize, pairs: &mut [Pair], poses: &[Pose]) -> Vec<f64> {
    let mut sides: Vec<Side<'_>> = Vec::new();
    for pair in pairs {
        sides.push(Box::new(|| {
            lap(pair, poses);
        }));
    }
    let seconds = interleaved(passes, SLOT, &mut sides);
    seconds.into_iter().map(|seconds| seconds * 1e9 / poses.len() as f64).collect()
}
