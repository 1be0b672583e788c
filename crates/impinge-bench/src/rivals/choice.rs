//! The names of the comparisons, and the functions that run them.

use super::sides::Options;
use super::{broad, convex, mesh, point, queries, ray, time};
use crate::error::BenchError;
use crate::report::Report;

/// What there is: name, and what it compares.
pub(crate) const NAMES: [(&str, &str); 7] = [
    ("mesh", "overlap, contacts, distance and building of triangle meshes, beside parry3d-f64"),
    ("convex", "tracking, and boolean, distance and depth of random hulls, beside parry3d-f64"),
    ("broad", "all pairs of up to a million moving boxes, beside the tree of parry3d-f64"),
    ("point", "how far points are from meshes and shapes, beside the projections of parry3d-f64"),
    ("queries", "rays, points, boxes and casts in worlds of many bodies, beside the tree of parry3d-f64"),
    ("ray", "rays against meshes and shapes, beside the casts of parry3d-f64"),
    ("time", "first time of impact of hulls and meshes, beside the casts of parry3d-f64"),
];

/// The report, and whether every disagreement was decided in our favour.
pub(crate) fn run(name: &str, options: Options) -> Result<(Report, bool), BenchError> {
    match name {
        "broad" => broad::run(options),
        "convex" => convex::run(options),
        "mesh" => mesh::run(options),
        "point" => point::run(options),
        "queries" => queries::run(options),
        "ray" => ray::run(options),
        "time" => time::run(options),
        _ => Err(BenchError::usage(format!("there is no comparison `{name}`; `impinge-bench rivals` lists them"))),
    }
}
