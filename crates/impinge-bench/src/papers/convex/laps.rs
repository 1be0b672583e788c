//! Runs through a path of poses, several pairs taking turns.

use std::time::Duration;

use impinge::{Pair, Pose};

use crate::timing::{Side, interleaved};

/// Rounds in which the sides take turns.
pub(super) const PASSES: usize = 9;
/// How long a turn is at least.
const SLOT: Duration = Duration::from_millis(2);

/// Asks for the distance with `b` at every pose, and counts the steps.
pub(super) fn lap(pair: &mut Pair, poses: &[Pose]) -> u64 {
    poses.iter().map(|pose| std::hint::black_box(pair.distance(&Pose::IDENTITY, pose)).stats.iterations).sum()
}

/// Nanoseconds of a call in the laps of each pair.
pub(super) fn timed(passes: usize, pairs: &mut [Pair], poses: &[Pose]) -> Vec<f64> {
    let mut sides: Vec<Side<'_>> = Vec::new();
    for pair in pairs {
        sides.push(Box::new(|| {
            lap(pair, poses);
        }));
    }
    let seconds = interleaved(passes, SLOT, &mut sides);
    seconds.into_iter().map(|seconds| seconds * 1e9 / poses.len() as f64).collect()
}
