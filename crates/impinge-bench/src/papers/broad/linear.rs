//! Lin, §4.3: "its running time is linearly dependent on the number of objects": sorted coordinates, and hashing beside
//! them, where motion is coherent.

use impinge::bound::Aabb;
use impinge::broad::{BroadPhase, Phase};
use impinge::glam::DVec3;

use super::frame::{frame, store};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::timing::median;

const PHASES: [Phase; 3] = [Phase::SweepPrune, Phase::SegmentedSweep, Phase::CoherentHash];

/// Along the longest side of the world a box moves in a frame by this part of its size, divided by the number of boxes
/// that end within its size along an axis: so it passes only a few neighbours, whatever n is.
const PLACES: f64 = 0.5;

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let sizes: &[usize] = if quick { &[1000, 2000] } else { &[1000, 10_000, 100_000, 1_000_000] };
    report.add("## Lin, §4.3: cost of coherent motion");
    report.add(
        "Unit boxes, an eighth of the world filled, all of them moving; steps such that an end passes about one \
         neighbour a frame on each axis, whatever the number of boxes. Medians of frames; the exponent is the slope of \
         time over boxes between the ends of the row, both logarithmic.",
    );
    let mut heads = vec!["phase".to_owned(), "".to_owned()];
    heads.extend(sizes.iter().map(|n| n.to_string()));
    heads.push("exponent".to_owned());
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = Table::new(2, &heads);
    for phase in PHASES {
        let mut time = vec![phase.to_string(), "ns a box".to_owned()];
        let mut swaps = vec![String::new(), "exchanges a box".to_owned()];
        let mut seconds = Vec::new();
        for &n in sizes {
            eprintln!("§4.3, {phase}, {n} boxes");
            let row = measure(phase.start().as_mut(), n, if n > 200_000 { 5 } else { 9 })?;
            time.push(figure(row.0 * 1e9 / n as f64));
            swaps.push(figure(row.1 / n as f64));
            seconds.push(row.0);
        }
        let ratio = |x: &[f64]| (x[x.len() - 1] / x[0]).ln();
        let boxes: Vec<f64> = sizes.iter().map(|&n| n as f64).collect();
        time.push(figure(ratio(&seconds) / ratio(&boxes)));
        table.row(time);
        if phase != Phase::CoherentHash {
            table.row(swaps);
        }
    }
    report.add(table);
    Ok(())
}

/// Seconds and exchanges of a frame.
fn measure(phase: &mut dyn BroadPhase, n: usize, frames: usize) -> Result<(f64, f64), BenchError> {
    let mut random = Random::new(43, n as u64);
    let side = (8.0 * n as f64).cbrt();
    let step = PLACES * side / n as f64;
    let mut places: Vec<DVec3> =
        (0..n).map(|_| DVec3::from_array(std::array::from_fn(|_| random.between(0.0, side)))).collect();
    let velocities: Vec<DVec3> = (0..n).map(|_| random.direction() * step).collect();
    let at = |p: DVec3| Aabb::new(p, p + DVec3::ONE);
    let (mut boxes, ids) = store(places.iter().map(|&p| at(p)))?;
    frame(phase, &boxes);
    boxes.settle();
    let (mut seconds, mut swaps) = (Vec::new(), Vec::new());
    for _ in 0..frames {
        for ((&id, p), &v) in ids.iter().zip(&mut places).zip(&velocities) {
            *p += v;
            boxes.update(id, at(*p))?;
        }
        let (s, counts, _) = frame(phase, &boxes);
        boxes.settle();
        seconds.push(s);
        swaps.push(counts.swaps as f64);
    }
    Ok((median(seconds), median(swaps)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exchanges for each box stay the same while boxes become sixteen times as many.
    #[test]
    fn exchanges_are_linear() {
        let [few, many] = [500, 8000].map(|n| measure(Phase::SweepPrune.start().as_mut(), n, 3).unwrap().1 / n as f64);
        assert!(few > 0.1 && many < 2.0 * few, "{few} {many}");
    }
}
