//! Rivals measured beside impinge in one process, on workloads generated from a seed, in turns.

mod broad;
mod convex;
mod judge;
mod mesh;
mod parry;
mod parry_convex;
mod placement;
mod time;

use crate::error::BenchError;
use crate::report::Report;

/// How a comparison is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// Rounds in which the sides take turns; the figure is the median.
    pub(crate) passes: usize,
    /// Fewer poses and no walk of parry that takes long.
    pub(crate) quick: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 1, passes: 5, quick: false }
    }
}

/// What there is: name, and what it compares.
pub(crate) const NAMES: [(&str, &str); 4] = [
    ("mesh", "overlap, contacts, distance and building of triangle meshes, beside parry3d-f64"),
    ("convex", "tracking, and boolean, distance and depth of random hulls, beside parry3d-f64"),
    ("broad", "all pairs of up to a million moving boxes, beside the tree of parry3d-f64"),
    ("time", "first time of impact of hulls and meshes, beside the casts of parry3d-f64"),
];

/// The report, and whether every disagreement was decided in our favour.
pub(crate) fn run(name: &str, options: Options) -> Result<(Report, bool), BenchError> {
    match name {
        "broad" => broad::run(options),
        "convex" => convex::run(options),
        "mesh" => mesh::run(options),
        "time" => time::run(options),
        _ => Err(BenchError::usage(format!("there is no comparison `{name}`; `impinge-bench rivals` lists them"))),
    }
}
