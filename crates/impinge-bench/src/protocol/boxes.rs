//! W5: all overlapping pairs of moving boxes, frame by frame.
//!
//! Variants are the broad phases, on one thread as the rivals are; `auto-2threads` is `auto` on two. A frame is timed
//! as the rivals' is: all boxes are moved, the phase is refreshed (`update ms` to here), and all pairs are shown. Bytes
//! are those of the store, of the ids and of the phase.

use std::time::Instant;

use impinge::bound::Aabb;
use impinge::broad::{BoxId, Boxes, Filter, Mobility, Phase};
use impinge::glam::DVec3;

use super::files::{Frames, read_frames};
use super::request::Request;
use crate::error::BenchError;
use crate::heap::live_bytes;
use crate::timing::median;

pub(super) const KINDS: [&str; 4] = ["small", "large", "settled", "mixed"];
pub(super) const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

pub(super) fn run(request: &Request) -> Result<(), BenchError> {
    for size in SIZES {
        for kind in KINDS {
            let case = format!("{kind}_{size}");
            let path = request.data.join(format!("w5_{case}.box"));
            if !path.exists() || (request.quick && size > 100_000) {
                continue;
            }
            let frames = read_frames(&path)?;
            for &phase in Phase::EACH {
                if size <= most(phase, request.quick) {
                    measure(request, &case, &phase.to_string(), phase, 1, &frames)?;
                }
            }
            measure(request, &case, "auto-2threads", Phase::Auto, 2, &frames)?;
        }
    }
    Ok(())
}

/// The most boxes that a phase is asked about: beyond, a frame takes seconds. Sorted coordinates take them where all
/// boxes move far.
fn most(phase: Phase, quick: bool) -> usize {
    match phase {
        Phase::Auto => usize::MAX,
        _ if quick => 0,
        Phase::GridSweep | Phase::FatSweep => usize::MAX,
        Phase::AllPairs | Phase::SweepPrune | Phase::SweepTwoAxes | Phase::SkewedSweep => 10_000,
        _ => 100_000,
    }
}

fn measure(
    request: &Request,
    case: &str,
    variant: &str,
    phase: Phase,
    threads: usize,
    frames: &Frames,
) -> Result<(), BenchError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let figures = pool.install(|| play(phase, threads > 1, frames))?;
    let mean = figures.frame.iter().sum::<f64>() / figures.frame.len().max(1) as f64;
    request.row("W5", case, variant, "first-frame ms", figures.first)?;
    request.row("W5", case, variant, "bytes/body", figures.bytes)?;
    request.row("W5", case, variant, "ms/frame", median(figures.frame))?;
    request.row("W5", case, variant, "mean ms/frame", mean)?;
    request.row("W5", case, variant, "update ms", median(figures.update))?;
    request.row("W5", case, variant, "pairs", figures.pairs.first().copied().unwrap_or(0.0))?;
    request.answers("w5", case, "pairs", variant, &figures.pairs)
}

/// Milliseconds and pairs of each frame after the first.
pub(super) struct Figures {
    first: f64,
    pub(super) bytes: f64,
    pub(super) frame: Vec<f64>,
    /// Until boxes are moved, and until the phase is refreshed.
    pub(super) moved: Vec<f64>,
    pub(super) update: Vec<f64>,
    pub(super) pairs: Vec<f64>,
}

/// Plays all frames; `at_once` moves all boxes by one call and not each by its own.
pub(super) fn play(phase: Phase, at_once: bool, frames: &Frames) -> Result<Figures, BenchError> {
    let n = frames.count;
    let place = |frame: usize, k: usize| {
        let [a, b, c, d, e, f] = frames.boxes[frame * n + k].map(f64::from);
        Aabb::new(DVec3::new(a, b, c), DVec3::new(d, e, f))
    };
    let ms = |since: Instant| since.elapsed().as_secs_f64() * 1e3;
    let before = live_bytes();
    let start = Instant::now();
    let (mut boxes, mut phase) = (Boxes::new(), phase.start());
    boxes.reserve(n);
    let ids = (0..n).map(|k| boxes.insert(place(0, k), Filter::ALL, Mobility::Moving));
    let ids: Vec<BoxId> = ids.collect::<Result<_, _>>()?;
    let mut count = 0;
    phase.refresh(&boxes);
    boxes.settle();
    phase.pairs(&boxes, &mut |pairs| count += pairs.len());
    let first = ms(start);
    let [mut frame, mut moved, mut update, mut pairs] = [const { Vec::new() }; 4];
    for number in 1..frames.boxes.len() / n.max(1) {
        let start = Instant::now();
        if at_once {
            boxes.update_each(|slot| Some(place(number, slot as usize)))?;
        } else {
            ids.iter().enumerate().try_for_each(|(k, &id)| boxes.update(id, place(number, k)))?;
        }
        moved.push(ms(start));
        phase.refresh(&boxes);
        boxes.settle();
        update.push(ms(start));
        let mut count = 0;
        phase.pairs(&boxes, &mut |pairs| count += pairs.len());
        frame.push(ms(start));
        pairs.push(count as f64);
    }
    let bytes = (live_bytes() - before) as f64 / n.max(1) as f64;
    Ok(Figures { first, bytes, frame, moved, update, pairs })
}
