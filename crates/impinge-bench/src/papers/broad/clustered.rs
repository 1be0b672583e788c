//! Mirtich, Figure 6: parts at rest on a floor, whose ends cluster along the vertical: what sorted coordinates cost
//! there, what the remedies do, and what hashing costs.

use impinge::bound::Aabb;
use impinge::broad::{BroadPhase, Phase, SweepAxes, SweepPrune};
use impinge::glam::DVec3;

use super::frame::{frame, store};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::timing::median;

/// How far a part moves in a frame, and how far the parts' heights differ.
const SHIVER: f64 = 1e-3;

/// More exchanges than this would take minutes: the plain insertion sort is left out beyond.
const SORTED: usize = 100_000;

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let sizes: &[usize] = if quick { &[500, 1000] } else { &[1000, 3000, 10_000, 30_000, 100_000] };
    report.add("## Mirtich, Figure 6: parts settled on a floor");
    report.add(
        "Unit boxes on a floor, 0.4 of it covered, heights within 0.001, each moved by up to 0.001 on every axis in a \
         frame. `insertion sort` sorts to the end; `sweep-prune` sorts from scratch when it has made 64 exchanges for \
         each end. Medians of frames; all phases find the same number of pairs.",
    );
    let mut heads = vec!["phase".to_owned()];
    heads.extend(sizes.iter().map(|n| n.to_string()));
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let (mut times, mut swaps) = (Table::new(1, &heads), Table::new(1, &heads));
    for (name, start) in phases() {
        let (mut ms, mut exchanges) = (vec![name.clone()], vec![name.clone()]);
        for &n in sizes {
            let frames = if name == "insertion sort" && n > 10_000 { 1 } else { 7 };
            if name == "insertion sort" && n > SORTED {
                continue;
            }
            eprintln!("Figure 6, {name}, {n} boxes");
            let row = measure(start().as_mut(), n, frames)?;
            ms.push(figure(row.0 * 1e3));
            exchanges.push(format!("{:.0}", row.1));
        }
        times.row(ms);
        if exchanges[1..].iter().any(|n| n != "0") {
            swaps.row(exchanges);
        }
    }
    report.add("Milliseconds a frame:");
    report.add(times);
    report.add("Exchanges a frame:");
    report.add(swaps);
    Ok(())
}

type Start = Box<dyn Fn() -> Box<dyn BroadPhase>>;

fn phases() -> Vec<(String, Start)> {
    let endless = || -> Box<dyn BroadPhase> { Box::new(SweepPrune::new(SweepAxes::Three).with_endless_patience()) };
    let mut all: Vec<(String, Start)> = vec![("insertion sort".to_owned(), Box::new(endless))];
    for phase in [
        Phase::SweepPrune,
        Phase::SweepTwoAxes,
        Phase::SkewedSweep,
        Phase::SegmentedSweep,
        Phase::PlaneSweep,
        Phase::BoxIntersect,
        Phase::SpatialHash,
        Phase::CoherentHash,
    ] {
        all.push((phase.to_string(), Box::new(move || phase.start())));
    }
    all
}

/// Seconds and exchanges of a frame, and the pairs of the last one.
fn measure(phase: &mut dyn BroadPhase, n: usize, frames: usize) -> Result<(f64, f64, usize), BenchError> {
    let mut random = Random::new(6, n as u64);
    let side = (n as f64 / 0.4).sqrt();
    let floor: Vec<DVec3> = (0..n)
        .map(|_| DVec3::new(random.between(0.0, side), random.between(0.0, SHIVER), random.between(0.0, side)))
        .collect();
    let at = |p: DVec3| Aabb::new(p, p + DVec3::ONE);
    let (mut boxes, ids) = store(floor.iter().map(|&p| at(p)))?;
    frame(phase, &boxes);
    boxes.settle();
    let (mut seconds, mut swaps, mut pairs) = (Vec::new(), Vec::new(), 0);
    for _ in 0..frames {
        for (&id, &p) in ids.iter().zip(&floor) {
            let by = DVec3::new(
                random.between(-SHIVER, SHIVER),
                random.between(0.0, SHIVER),
                random.between(-SHIVER, SHIVER),
            );
            boxes.update(id, at(DVec3::new(p.x, 0.0, p.z) + by))?;
        }
        let (s, counts, found) = frame(phase, &boxes);
        boxes.settle();
        seconds.push(s);
        swaps.push(counts.swaps as f64);
        pairs = found;
    }
    Ok((median(seconds), median(swaps), pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_grow_with_the_square_and_pairs_agree() {
        let mut endless = SweepPrune::new(SweepAxes::Three).with_endless_patience();
        let (_, few, _) = measure(&mut endless, 500, 3).unwrap();
        let (_, many, pairs) =
            measure(&mut SweepPrune::new(SweepAxes::Three).with_endless_patience(), 1000, 3).unwrap();
        assert!(many > 3.0 * few, "{few} {many}");
        for (name, start) in phases() {
            assert_eq!(measure(start().as_mut(), 1000, 3).unwrap().2, pairs, "{name}");
        }
    }
}
