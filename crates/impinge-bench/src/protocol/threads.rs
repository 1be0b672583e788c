//! W5 on one thread and on two: what of a frame they share.
//!
//! The machine need not be quiet. Plays of all frames on one thread and on two take turns, round after round; a
//! frame's figure is the least of its rounds, since whatever else runs can only add to it. The frames of a case are the
//! same in every round, so those in which the phase builds anew are compared with themselves.

use std::path::Path;

use impinge::broad::Phase;

use super::boxes::{Figures, KINDS, SIZES, play};
use super::files::{Frames, read_frames};
use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::timing::median;

const THREADS: [usize; 2] = [1, 2];

/// The report on `w5_*.box` in `data`; `quick` leaves out a million boxes.
pub(crate) fn run(data: &Path, rounds: usize, quick: bool) -> Result<Report, BenchError> {
    let mut cases = Vec::new();
    for size in SIZES.into_iter().filter(|&size| !quick || size <= 100_000) {
        for kind in KINDS {
            let path = data.join(format!("w5_{kind}_{size}.box"));
            if path.exists() {
                cases.push(Case { name: format!("{kind}_{size}"), frames: read_frames(&path)?, least: None });
            }
        }
    }
    let [one, two] = THREADS.map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build());
    let pools = [one?, two?];
    // All cases in every round: a quiet moment of the machine serves each of them.
    for round in 1..=rounds {
        eprintln!("round {round} of {rounds}");
        cases.iter_mut().try_for_each(|case| case.play(&pools))?;
    }
    Ok(report(&cases, rounds))
}

fn report(cases: &[Case], rounds: usize) -> Report {
    let mut report = Report::new("w5-threads", "Many boxes on one thread and on two");
    let heads = ["case", "one", "two", "gain", "mean of one", "of two", "gain", "slowest of one", "of two", "bytes"];
    let mut whole = Table::new(1, &heads);
    let mut stages =
        Table::new(1, &["case", "moving", "two", "gain", "refresh", "two", "gain", "pairs", "two", "gain"]);
    let ratio = |x: f64, y: f64| [figure(x), figure(y), figure(x / y)];
    for Case { name, least, .. } in cases {
        let Some([a, b]) = least else { continue };
        let mut cells = vec![name.clone()];
        cells.extend(ratio(median(a.frame.clone()), median(b.frame.clone())));
        cells.extend(ratio(mean(&a.frame), mean(&b.frame)));
        cells.extend([figure(slowest(&a.frame)), figure(slowest(&b.frame)), figure(b.bytes)]);
        whole.row(cells);
        let mut cells = vec![name.clone()];
        for [a, b] in [[&a.moved, &b.moved], [&a.refreshed, &b.refreshed], [&a.shown, &b.shown]] {
            cells.extend(ratio(median(a.clone()), median(b.clone())));
        }
        stages.row(cells);
    }
    report.add(format!(
        "Milliseconds a frame of `Phase::Auto` on the files of W5, each frame the least of {rounds} rounds in which \
         one thread and two take turns: the median, the mean and the slowest of the frames after the first. Boxes are \
         moved by one call (`Boxes::update_each`) on both sides, the phase is refreshed, every pair is shown and \
         counted. Bytes are those that a box holds on two threads."
    ));
    report.add(whole);
    report.add("The same by stages, medians:");
    report.add(stages);
    report
}

struct Case {
    name: String,
    frames: Frames,
    /// On one thread and on two.
    least: Option<[Stages; 2]>,
}

impl Case {
    /// One round: each number of threads twice in a row. The first time a thread fetches the frames that another has
    /// read before, which is no part of what is measured; the second time it has them.
    fn play(&mut self, pools: &[rayon::ThreadPool; 2]) -> Result<(), BenchError> {
        let twice = |pool: &rayon::ThreadPool| [0, 1].map(|_| pool.install(|| play(Phase::Auto, true, &self.frames)));
        let [[one, one_more], [two, two_more]] = pools.each_ref().map(twice);
        for (one, two) in [(one?, two?), (one_more?, two_more?)] {
            if one.pairs != two.pairs {
                return Err(BenchError::Differ { case: self.name.clone() });
            }
            let round = [Stages::of(one), Stages::of(two)];
            match &mut self.least {
                Some(least) => least.iter_mut().zip(&round).for_each(|(least, round)| least.take_least(round)),
                None => self.least = Some(round),
            }
        }
        Ok(())
    }
}

/// Milliseconds of the stages of each frame, the least of all rounds.
struct Stages {
    frame: Vec<f64>,
    moved: Vec<f64>,
    refreshed: Vec<f64>,
    shown: Vec<f64>,
    bytes: f64,
}

impl Stages {
    fn of(figures: Figures) -> Stages {
        let between = |from: &[f64], to: &[f64]| from.iter().zip(to).map(|(from, to)| to - from).collect();
        Stages {
            refreshed: between(&figures.moved, &figures.update),
            shown: between(&figures.update, &figures.frame),
            frame: figures.frame,
            moved: figures.moved,
            bytes: figures.bytes,
        }
    }

    fn take_least(&mut self, other: &Stages) {
        let least = |a: &mut Vec<f64>, b: &[f64]| a.iter_mut().zip(b).for_each(|(a, b)| *a = a.min(*b));
        least(&mut self.frame, &other.frame);
        least(&mut self.moved, &other.moved);
        least(&mut self.refreshed, &other.refreshed);
        least(&mut self.shown, &other.shown);
        self.bytes = self.bytes.max(other.bytes);
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn slowest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_each_stage_is_kept() {
        let figures = |frame: f64, moved: f64, update: f64| Stages {
            frame: vec![frame],
            moved: vec![moved],
            refreshed: vec![update - moved],
            shown: vec![frame - update],
            bytes: frame,
        };
        let mut least = figures(9.0, 1.0, 4.0);
        least.take_least(&figures(8.0, 2.0, 7.0));
        assert_eq!([least.frame[0], least.moved[0], least.refreshed[0], least.shown[0]], [8.0, 1.0, 3.0, 1.0]);
        assert_eq!((least.bytes, mean(&[1.0, 3.0]), slowest(&[1.0, 3.0, 2.0])), (9.0, 2.0, 3.0));
    }
}
