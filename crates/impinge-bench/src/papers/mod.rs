//! Figures and tables of the papers that this engine can show.

mod batch;
mod broad;
mod convex;
mod machines;
mod mesh;
mod time;
mod worlds;

use crate::error::BenchError;
use crate::report::Report;

/// The names of the figures, and what each shows.
pub(crate) const NAMES: [(&str, &str); 7] = [
    ("broad", "Mirtich Table 1, Figure 6: hashing and sorted coordinates; Lin §4.3: cost of coherent motion"),
    ("convex", "Mirtich §3: closest features of a turning sphere and of a satellite, by every engine"),
    ("mesh", "Lin §5.2: volumes in close proximity; Xavier §3: complex torus, Table 1 (D, I), spindle; memory"),
    (
        "time",
        "Mirtich §4, Figure 11: looks at pairs, queue against fixed intervals; Xavier Tables 1 and 2: swept queries",
    ),
    (
        "machines",
        "rods in bores, gears in mesh, screws in nuts: `impact` and `sweep` of bodies that turn in each other",
    ),
    ("batch", "a million poses of one mesh against another in one call, on one thread and on all"),
    ("worlds", "worlds of 20 to 200 bodies: what a second thread gains"),
];

pub(crate) fn run(name: &str, quick: bool) -> Result<Report, BenchError> {
    match name {
        "broad" => broad::run(quick),
        "convex" => convex::run(quick),
        "mesh" => mesh::run(quick),
        "time" => time::run(quick),
        "machines" => machines::run(quick),
        "batch" => batch::run(quick),
        "worlds" => worlds::run(quick),
        _ => Err(BenchError::usage(format!("there is no figure `{name}`; `impinge-bench papers` lists them"))),
    }
}
