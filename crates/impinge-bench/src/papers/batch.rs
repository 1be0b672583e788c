//! A million poses in one call: a torus of 5 k triangles against one of 20 k, on one thread and on all.

use std::time::Instant;

use impinge::{Builder, Pair, Pose};

use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, torus};

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let count = if quick { 10_000 } else { 1_000_000 };
    let mut report =
        Report::new("papers-batch", format!("{count} poses of a mesh of 5 k against one of 20 k triangles"));
    let random = &mut Random::new(1, 1);
    let mesh = |soup: Soup, name: &str| {
        soup.surface(Builder::Auto).map_err(|source| BenchError::Build { name: name.to_owned(), source })
    };
    let pair = Pair::new(mesh(torus(100, 25, random), "5 k")?, mesh(torus(200, 50, random), "20 k")?);
    let poses: Vec<Pose> = (0..count)
        .filter_map(|_| Pose::new(random.direction() * random.between(0.0, 3.0), random.rotation()).ok())
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut table = Table::new(1, &["verb", "threads", "s", "poses a second", "times one thread", "same bits"]);
    for (verb, ask) in VERBS {
        let mut one = None;
        for threads in [1, threads] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let start = Instant::now();
            let answers = pool.install(|| pair.many(&poses, ask));
            let seconds = start.elapsed().as_secs_f64();
            let (one_thread, first) = one.get_or_insert_with(|| (seconds, answers.clone()));
            table.row([
                verb.to_owned(),
                threads.to_string(),
                figure(seconds),
                figure(poses.len() as f64 / seconds),
                figure(*one_thread / seconds),
                (*first == answers).to_string(),
            ]);
        }
    }
    report
        .add("Poses are drawn at random up to three radii apart: nothing is coherent. `Pair::many`, answers in order.");
    report.add(table);
    Ok(report)
}

type Ask = fn(&mut Pair, &Pose) -> [u64; 2];

/// The bits of the answers.
const VERBS: [(&str, Ask); 2] = [
    ("overlap", |pair, pose| [u64::from(pair.overlap(&Pose::IDENTITY, pose).overlap), 0]),
    ("distance", |pair, pose| {
        let interval = pair.distance(&Pose::IDENTITY, pose).interval;
        [interval.lower.to_bits(), interval.upper.to_bits()]
    }),
];
