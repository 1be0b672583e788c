//! What the experiments with meshes share: meshes with trees of each kind of volume, the questions, and timed runs.

use std::time::{Duration, Instant};

use impinge::bound::Volume;
use impinge::{BuildError, Builder, Mesh, Model, Pair, Pose};

use crate::error::BenchError;
use crate::shapes::Soup;
use crate::timing::median;

/// The trees that stand beside each other in Xavier's experiments.
pub(super) const TREES: [Volume; 3] = [Volume::Auto, Volume::Hull, Volume::Obb];

/// A surface in these volumes.
pub(in crate::papers) fn surface(
    name: &str,
    soup: &Soup,
    builder: Builder,
    volume: Volume,
) -> Result<Model, BenchError> {
    let refused = |source: BuildError| BenchError::Build { name: name.to_owned(), source };
    soup.surface(builder).map(|mesh: Mesh| mesh.with_volume(volume).into()).map_err(refused)
}

/// Asks about one pose.
pub(super) type Ask = fn(&mut Pair, &Pose);

pub(super) fn distance(pair: &mut Pair, pose: &Pose) {
    std::hint::black_box(pair.distance(&Pose::IDENTITY, pose));
}

pub(super) fn overlap(pair: &mut Pair, pose: &Pose) {
    std::hint::black_box(pair.overlap(&Pose::IDENTITY, pose));
}

/// Median seconds of `passes` runs through a path, the pairs taking turns. Each run forgets, asks once to fill the
/// memory, as Xavier does, and is then timed.
pub(in crate::papers) fn laps(
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
