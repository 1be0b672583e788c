//! Mirtich, Table 1: cycles of standard and of coherent hashing in four simulations.

use std::hint::black_box;
use std::time::Duration;

use impinge::broad::{BoxError, Boxes, BroadPhase, CoherentHash, Counts, Filter, Levels, Mobility, SpatialHash};

use super::scenes::{self, Scene};
use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::timing::{Side, interleaved};

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (frames, passes) = if quick { (200, 1) } else { (5000, 15) };
    eprintln!("Table 1, {frames} frames");
    report.add("## Mirtich, Table 1: hashing schemes");
    report.add(format!(
        "Motions made by the bench after the paper's descriptions, {frames} steps of 1 ms; the boxes hold the bodies \
         over a step. A call takes in the boxes and lists the close pairs; both schemes list the same ones in every \
         step. Cycles are seconds times the clock of /proc/cpuinfo, without those of the store; medians of rounds in \
         which the schemes take turns. Cells: entered, left or looked into; counters: changed."
    ));
    let heads = [
        "example",
        "moving",
        "fixed",
        "standard Mcycles",
        "coherent Mcycles",
        "ratio",
        "paper",
        "standard cells",
        "coherent cells",
        "counters",
        "close pairs",
    ];
    let mut table = Table::new(1, &heads);
    for scene in scenes::all(frames) {
        let row = measure(&scene, passes)?;
        let clock = clock_mhz();
        let cycles = |seconds: f64| figure(seconds * clock);
        let count = |n: u64| n.to_string();
        table.row([
            scene.name.to_owned(),
            scene.frames[0].len().to_string(),
            scene.fixed.len().to_string(),
            cycles(row.seconds[0]),
            cycles(row.seconds[1]),
            figure(row.seconds[0] / row.seconds[1]),
            figure(scene.paper),
            count(row.standard.cells),
            count(row.coherent.cells),
            count(row.coherent.counters),
            count(row.pairs),
        ]);
    }
    report.add(table);
    Ok(())
}

struct Row {
    seconds: [f64; 2],
    standard: Counts,
    coherent: Counts,
    /// Close pairs of all steps.
    pairs: u64,
}

/// Runs a scene through a phase, and shows each step's phase to `each`.
fn play(
    scene: &Scene,
    mut phase: Option<&mut dyn BroadPhase>,
    mut each: impl FnMut(&mut dyn BroadPhase, &Boxes),
) -> Result<(), BoxError> {
    let mut boxes = Boxes::new();
    for &b in &scene.fixed {
        boxes.insert(b, Filter::ALL, Mobility::Static)?;
    }
    let mut ids = Vec::new();
    for &b in &scene.frames[0] {
        ids.push(boxes.insert(b, Filter::ALL, Mobility::Moving)?);
    }
    for frame in &scene.frames {
        for (&id, &b) in ids.iter().zip(frame) {
            boxes.update(id, b)?;
        }
        if let Some(phase) = &mut phase {
            phase.refresh(&boxes);
            each(&mut **phase, &boxes);
        }
        boxes.settle();
    }
    black_box(&boxes);
    Ok(())
}

fn listed(phase: &mut dyn BroadPhase, boxes: &Boxes) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    phase.close(boxes, &mut |slice| pairs.extend_from_slice(slice));
    pairs.sort_unstable();
    pairs
}

fn counted(phase: &mut dyn BroadPhase, boxes: &Boxes) {
    let mut pairs = 0;
    phase.close(boxes, &mut |slice| pairs += slice.len());
    black_box(pairs);
}

fn measure(scene: &Scene, passes: usize) -> Result<Row, BenchError> {
    let (mut standard, mut coherent, mut pairs) = (SpatialHash::default(), coherent_hash(), 0);
    play(scene, Some(&mut standard), |phase, boxes| pairs += listed(phase, boxes).len() as u64)?;
    play(scene, Some(&mut coherent), |phase, boxes| counted(phase, boxes))?;
    let counts = (standard.counts(), coherent.counts());
    let side = |mut phase: Option<Box<dyn BroadPhase>>| -> Side<'_> {
        Box::new(move || {
            let phase = phase.as_mut().map(|phase| &mut **phase as &mut dyn BroadPhase);
            black_box(play(scene, phase, counted).is_ok());
        })
    };
    let sides: [Option<Box<dyn BroadPhase>>; 3] =
        [None, Some(Box::new(SpatialHash::default())), Some(Box::new(coherent_hash()))];
    let seconds = interleaved(passes, Duration::from_millis(4), &mut sides.map(side));
    let net = [seconds[1] - seconds[0], seconds[2] - seconds[0]].map(|s| s.max(1e-9));
    Ok(Row { seconds: net, standard: counts.0, coherent: counts.1, pairs })
}

/// With levels as in the standard form, so that both list the same pairs.
fn coherent_hash() -> CoherentHash {
    CoherentHash::new(Levels::default(), 1.0)
}

/// The clock in MHz, NaN where it is not told.
fn clock_mhz() -> f64 {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix("cpu MHz")?.split_once(':'));
    line.and_then(|(_, value)| value.trim().parse().ok()).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper: "the close pairs returned by the algorithm are exactly the same".
    #[test]
    fn both_schemes_list_the_same_pairs() {
        for scene in scenes::all(1500) {
            let (mut lists, mut at) = (Vec::new(), 0);
            play(&scene, Some(&mut SpatialHash::default()), |phase, boxes| lists.push(listed(phase, boxes))).unwrap();
            play(&scene, Some(&mut coherent_hash()), |phase, boxes| {
                assert_eq!(listed(phase, boxes), lists[at], "{}, step {at}", scene.name);
                at += 1;
            })
            .unwrap();
            assert!(lists.iter().any(|list| !list.is_empty()), "{}", scene.name);
        }
    }
}
