//! Parallel close proximity (Lin §5.2): two concentric spheres, every facet parallel to its partner, the gap shrinking.
//! The worst case of bounding volumes: nothing touches, and near the end every leaf comes close to another one.
//!
//! The paper compares trees of oriented boxes with trees of spheres and of axis-aligned boxes. Of these impinge has the
//! axis-aligned boxes so far; the others join this table when they exist.

use std::time::Duration;

use impinge::glam::{DQuat, DVec3};
use impinge::{BuildError, Builder, Mesh, Model, Pair, Pose, Stats};

use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, sphere};
use crate::timing::per_query_ns;

const GAPS: [f64; 9] = [1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001];

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let mut report = Report::new("papers-proximity", "Parallel close proximity (Lin §5.2)");
    report.add(
        "Two concentric spheres as surfaces, radii 1 and 1 + gap, facets parallel, their frames turned against each other. \
         Volume and triangle tests of the trees there are yet: axis-aligned boxes for overlap, oriented ones for distance.",
    );
    let mut table = Table::new(
        0,
        &["triangles", "gap", "overlap: volumes", "triangles", "µs", "distance: volumes", "triangles", "µs"],
    );
    for depth in if quick { 3..=3 } else { 4..=5 } {
        let inner = sphere(depth);
        for gap in GAPS {
            let mut spheres = Spheres::new(&inner, gap)?;
            let count = inner.triangles.len();
            let work = [spheres.overlap(), spheres.distance()]
                .map(|(stats, us)| [stats.volume_tests.to_string(), stats.primitive_tests.to_string(), figure(us)]);
            table.row([count.to_string(), gap.to_string()].into_iter().chain(work.into_iter().flatten()));
        }
    }
    report.add(table);
    Ok(report)
}

/// The inner sphere `a` and the outer `b`, whose vertices are turned back by as much as its pose turns them.
struct Spheres {
    pair: Pair,
    turn: Pose,
}

impl Spheres {
    fn new(inner: &Soup, gap: f64) -> Result<Spheres, BenchError> {
        let rotation = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.0);
        let outer = inner.vertices.iter().map(|v| rotation.inverse() * *v * (1.0 + gap)).collect();
        let outer = Soup { vertices: outer, triangles: inner.triangles.clone() };
        let refused = |source: BuildError| BenchError::Build { name: "sphere".to_owned(), source };
        let surface =
            |soup: &Soup| -> Result<Model, BuildError> { soup.surface(Builder::Auto).map(|m: Mesh| m.into()) };
        let pair = Pair::new(surface(inner).map_err(refused)?, surface(&outer).map_err(refused)?);
        Ok(Spheres { pair, turn: Pose::new(DVec3::ZERO, rotation)? })
    }

    fn overlap(&mut self) -> (Stats, f64) {
        let Spheres { pair, turn } = self;
        timed(|| {
            pair.forget();
            pair.overlap(&Pose::IDENTITY, turn).stats
        })
    }

    fn distance(&mut self) -> (Stats, f64) {
        let Spheres { pair, turn } = self;
        timed(|| {
            pair.forget();
            pair.distance(&Pose::IDENTITY, turn).stats
        })
    }
}

/// The work of one query, and its microseconds.
fn timed(mut ask: impl FnMut() -> Stats) -> (Stats, f64) {
    let mut stats = Stats::default();
    let ns = per_query_ns(1, Duration::from_millis(50), || stats = ask());
    (stats, ns * 1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_stay_apart_by_less_than_the_gap_and_cost_more_the_nearer_they_are() {
        let inner = sphere(3);
        let mut work = Vec::new();
        // Once the gap is far below the edges (0.15 here), the work no longer grows: every leaf is near its partner.
        for gap in [1.0, 0.3, 0.03] {
            let mut spheres = Spheres::new(&inner, gap).unwrap();
            let answer = spheres.pair.distance(&Pose::IDENTITY, &spheres.turn);
            // Facets are parallel, and a facet's inscribed circle is a little inside the sphere.
            assert!(answer.interval.lower > 0.9 * gap && answer.interval.upper < gap, "{answer:?}");
            assert!(!spheres.pair.overlap(&Pose::IDENTITY, &spheres.turn).overlap);
            work.push(spheres.overlap().0.volume_tests);
        }
        assert!(work[0] < work[1] && work[1] < work[2], "{work:?}");
    }
}
