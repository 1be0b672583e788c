//! A store of moving boxes, and what one frame of a phase costs.

use std::time::Instant;

use impinge::bound::Aabb;
use impinge::broad::{BoxError, BoxId, Boxes, BroadPhase, Counts, Filter, Mobility};

/// A store of moving boxes.
pub(super) fn store(boxes: impl IntoIterator<Item = Aabb>) -> Result<(Boxes, Vec<BoxId>), BoxError> {
    let mut store = Boxes::new();
    let ids = boxes.into_iter().map(|b| store.insert(b, Filter::ALL, Mobility::Moving)).collect::<Result<_, _>>()?;
    Ok((store, ids))
}

/// Seconds and counts of one frame: changes taken in, pairs counted.
pub(super) fn frame(phase: &mut dyn BroadPhase, boxes: &Boxes) -> (f64, Counts, usize) {
    let before = phase.counts();
    let start = Instant::now();
    phase.refresh(boxes);
    let mut pairs = 0;
    phase.pairs(boxes, &mut |slice| pairs += slice.len());
    let seconds = start.elapsed().as_secs_f64();
    let mut counts = phase.counts();
    counts.swaps -= before.swaps;
    counts.tests -= before.tests;
    counts.cells -= before.cells;
    counts.counters -= before.counters;
    (seconds, counts, pairs)
}
