//! Parallel close proximity (Lin §5.2): two concentric spheres, every facet parallel to its partner, the gap shrinking.
//! The worst case of bounding volumes: nothing touches, and near the end every leaf comes close to another one.
//!
//! S. Gottschalk, M. Lin and D. Manocha, *OBBTree*, 1996, §7: to tell surfaces a gap ε apart from each other takes a
//! number of volumes that grows as 1/ε² with spheres and boxes along the axes, and as 1/ε with oriented boxes, which
//! get thin as the square of their length.

use std::time::Duration;

use impinge::bound::Volume;
use impinge::glam::{DQuat, DVec3};
use impinge::{Builder, Pair, Pose, Stats};

use super::ask::surface;
use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, sphere};
use crate::timing::per_query_ns;

const GAPS: [f64; 9] = [1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001];

const VOLUMES: [Volume; 6] =
    [Volume::Sphere, Volume::Aabb, Volume::Kdop18, Volume::SweptSphere, Volume::Obb, Volume::Hull];

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let inner = sphere(if quick { 3 } else { 5 });
    eprintln!("spheres of {} triangles", inner.triangles.len());
    report.add("## Parallel close proximity (Lin §5.2)");
    report.add(format!(
        "Two concentric spheres of {} triangles, radii 1 and 1 + gap, facets parallel, their frames turned against each \
         other: do they touch? Volume tests, and µs below them. Trees are RAPID's, with two children a node and one \
         triangle a leaf; those of hulls count the boxes before them too.",
        inner.triangles.len()
    ));
    let names = VOLUMES.map(|volume| volume.to_string());
    let heads: Vec<&str> = ["gap", ""].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(2, &heads);
    let mut tests = Vec::new();
    for gap in GAPS {
        let mut row = Vec::new();
        for volume in VOLUMES {
            row.push(Spheres::new(&inner, gap, volume)?.overlap());
        }
        let cells = |what: &str, cell: &dyn Fn(&(Stats, f64)) -> String| {
            [gap.to_string(), what.to_owned()].into_iter().chain(row.iter().map(cell)).collect::<Vec<_>>()
        };
        table.row(cells("tests", &|(stats, _)| stats.volume_tests.to_string()));
        table.row(cells("µs", &|(_, us)| figure(*us)));
        tests.push(row.iter().map(|(stats, _)| stats.volume_tests as f64).collect::<Vec<_>>());
    }
    report.add(table);
    let powers = (0..VOLUMES.len()).map(|v| format!("{} {:.2}", names[v], power(&tests, v)));
    report.add(format!(
        "Tests grow as 1/gap to the power of, just before half of what the least gap takes: {}.",
        powers.collect::<Vec<_>>().join(", ")
    ));
    Ok(())
}

/// How tests grow between the last two gaps that take less than half of what the least does: beyond them most leaves
/// are reached, and growth ends.
fn power(tests: &[Vec<f64>], volume: usize) -> f64 {
    let most = tests[tests.len() - 1][volume];
    let to = tests.iter().take_while(|tests| 2.0 * tests[volume] < most).count().saturating_sub(1).max(1);
    (tests[to][volume] / tests[to - 1][volume]).ln() / (GAPS[to - 1] / GAPS[to]).ln()
}

/// The inner sphere `a` and the outer `b`, whose vertices are turned back by as much as its pose turns them.
struct Spheres {
    pair: Pair,
    turn: Pose,
}

impl Spheres {
    fn new(inner: &Soup, gap: f64, volume: Volume) -> Result<Spheres, BenchError> {
        let rotation = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.0);
        let outer = inner.vertices.iter().map(|v| rotation.inverse() * *v * (1.0 + gap)).collect();
        let outer = Soup { vertices: outer, triangles: inner.triangles.clone() };
        let [inner, outer] = [inner, &outer].map(|soup| surface("sphere", soup, Builder::Binary, volume));
        let (mut pair, turn) = (Pair::new(inner?, outer?), Pose::new(DVec3::ZERO, rotation)?);
        // Volumes are fitted when they are first asked for.
        pair.overlap(&Pose::IDENTITY, &turn);
        Ok(Spheres { pair, turn })
    }

    /// The work of one query, cold, and its microseconds.
    fn overlap(&mut self) -> (Stats, f64) {
        let Spheres { pair, turn } = self;
        let mut stats = Stats::default();
        let ns = per_query_ns(1, Duration::from_millis(50), || {
            pair.forget();
            stats = pair.overlap(&Pose::IDENTITY, turn).stats;
        });
        (stats, ns * 1e-3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_stay_apart_and_thin_volumes_grow_slower() {
        let inner = sphere(3);
        let mut tests = vec![Vec::new(); GAPS.len()];
        for volume in VOLUMES {
            for (gap, tests) in GAPS.into_iter().zip(&mut tests) {
                let mut spheres = Spheres::new(&inner, gap, volume).unwrap();
                let answer = spheres.pair.overlap(&Pose::IDENTITY, &spheres.turn);
                assert!(!answer.overlap, "{volume}, {gap}");
                tests.push(answer.stats.volume_tests as f64);
                if volume == Volume::Obb {
                    let got = spheres.pair.distance(&Pose::IDENTITY, &spheres.turn).interval;
                    // Facets are parallel, and a facet's inscribed circle is a little inside the sphere.
                    assert!(got.lower > 0.9 * gap && got.upper < gap, "{got:?}");
                }
            }
        }
        let [round, aligned, _, _, oriented, _] = [0, 1, 2, 3, 4, 5].map(|v| power(&tests, v));
        assert!((1.7..2.3).contains(&round) && (1.7..2.3).contains(&aligned), "{round} {aligned}");
        assert!((0.8..1.5).contains(&oriented), "{oriented}");
        for [round, aligned, _, _, oriented, _] in tests.iter().map(|t| [t[0], t[1], t[2], t[3], t[4], t[5]]) {
            assert!(oriented < aligned && aligned < round, "{tests:?}");
        }
    }
}
