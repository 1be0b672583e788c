//! Meshes: volumes in parallel close proximity (Lin §5.2), and the experiments of Xavier, 1997, §3: the complex torus,
//! Table 1 without its sweeps, and the threshold query on the spindle; then what memory is worth.

mod coherence;
mod complex_torus;
pub(super) mod gear;
mod machined;
mod proximity;
mod spindle;
mod table_one;
pub(super) mod truck_field;

use std::time::{Duration, Instant};

use impinge::bound::Volume;
use impinge::{BuildError, Builder, Mesh, Model, Pair, Pose};

use crate::error::BenchError;
use crate::report::Report;
use crate::shapes::Soup;
use crate::timing::median;

/// The trees that stand beside each other in Xavier's experiments.
const TREES: [Volume; 3] = [Volume::Auto, Volume::Hull, Volume::Obb];

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let mut report = Report::new("papers-mesh", "Trees of meshes (Lin §5.2, Xavier §3)");
    report.add(
        "Trees by their names under `--tree`: `auto` is the default, `hull` is Xavier's with its five optimisations, `obb` \
         RAPID's. Bodies are surfaces, made by the bench at the sizes that the papers name.",
    );
    proximity::run(quick, &mut report)?;
    complex_torus::run(quick, &mut report)?;
    table_one::run(quick, &mut report)?;
    spindle::run(quick, &mut report)?;
    coherence::run(quick, &mut report)?;
    Ok(report)
}

/// A surface in these volumes.
pub(super) fn surface(name: &str, soup: &Soup, builder: Builder, volume: Volume) -> Result<Model, BenchError> {
    let refused = |source: BuildError| BenchError::Build { name: name.to_owned(), source };
    soup.surface(builder).map(|mesh: Mesh| mesh.with_volume(volume).into()).map_err(refused)
}

/// Asks about one pose.
type Ask = fn(&mut Pair, &Pose);

fn distance(pair: &mut Pair, pose: &Pose) {
    std::hint::black_box(pair.distance(&Pose::IDENTITY, pose));
}

fn overlap(pair: &mut Pair, pose: &Pose) {
    std::hint::black_box(pair.overlap(&Pose::IDENTITY, pose));
}

/// Median seconds of `passes` runs through a path, the pairs taking turns. Each run forgets, asks once to fill the
/// memory, as Xavier does, and is then timed.
pub(super) fn laps(
    passes: usize,
    pairs: &mut [Pair],
    mut first: impl FnMut(&mut Pair),
    mut lap: impl FnMut(&mut Pair),
) -> Vec<f64> {
    let mut samples = vec![Vec::new(); pairs.len()];
    for _ in 0..passes.max(1) {
        for (pair, samples) in pairs.iter_mut().zip(&mut samples) {
            pair.forget();
            first(pair);
            let start = Instant::now();
            lap(pair);
            samples.push(start.elapsed().max(Duration::from_nanos(1)).as_secs_f64());
        }
    }
    samples.into_iter().map(median).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All of it at a size that takes seconds.
    #[test]
    fn every_section_has_its_tables() {
        let report = run(true).unwrap();
        for head in ["close proximity", "complex torus", "Table 1", "spindle", "What memory is worth"] {
            assert!(report.body.contains(head), "no {head} in {}", report.body);
        }
        assert!(report.body.lines().filter(|line| line.starts_with("|-")).count() == 5, "{}", report.body);
        assert!(!report.body.contains("NaN") && !report.body.contains("inf"), "{}", report.body);
    }
}
