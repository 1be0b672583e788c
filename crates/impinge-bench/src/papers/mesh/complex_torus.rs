//! The complex torus (Xavier §3.1): a body of 20 000 triangles moves along an environment of 98 000.
//!
//! The original sequence of the University of North Carolina is not at hand. Here a wrinkled ring is threaded on a
//! wrinkled torus and goes once around it; at part of the steps their wrinkles touch.

use std::f64::consts::TAU;

use impinge::glam::{DQuat, DVec3};
use impinge::{Builder, Limit, Pair, Pose};

use super::ask::{TREES, distance, laps, surface};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, torus};

/// Size of the ring: its hole is a little wider than the environment's tube.
const RING: f64 = 0.49;

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (bodies, steps, passes) =
        if quick { (bodies([20, 14], [16, 8]), 12, 1) } else { (bodies(FULL[0], FULL[1]), 500, 3) };
    let [environment, body] = &bodies;
    eprintln!("complex torus of {} and {} triangles", environment.triangles.len(), body.triangles.len());
    let path = path(steps)?;
    let mut pairs = Vec::new();
    for volume in TREES {
        let model = |soup| surface("torus", soup, Builder::Auto, volume);
        pairs.push(Pair::new(model(environment)?, model(body)?));
    }
    let touching = |pair: &mut Pair| -> Vec<usize> {
        path.iter().map(|p| pair.contacts(&Pose::IDENTITY, p, Limit::All).pairs.len()).collect()
    };
    let counts = touching(&mut pairs[0]);
    let first = |pair: &mut Pair| distance(pair, &path[0]);
    let contacts = laps(passes, &mut pairs, first, |pair| {
        std::hint::black_box(touching(pair));
    });
    let distances = laps(passes, &mut pairs, first, |pair| {
        path.iter().for_each(|p| distance(pair, p));
    });
    report.add("## The complex torus (Xavier §3.1)");
    let share = 100 * counts.iter().filter(|&&n| n > 0).count() / counts.len();
    report.add(format!(
        "A ring of {} triangles threaded on a torus of {} goes around it in {} steps; it touches at {share} % of them, with \
         {} pairs of triangles on average there. Steps a second, on from what the last one left.",
        body.triangles.len(),
        environment.triangles.len(),
        path.len(),
        counts.iter().sum::<usize>() / counts.iter().filter(|&&n| n > 0).count().max(1)
    ));
    let mut table = Table::new(1, &["tree", "all pairs, Hz", "distance, Hz"]);
    for (tree, (contacts, distances)) in TREES.iter().zip(contacts.iter().zip(&distances)) {
        let hz = |seconds: f64| figure(path.len() as f64 / seconds);
        table.row([tree.to_string(), hz(*contacts), hz(*distances)]);
    }
    table.row(["Xavier, 1997".to_owned(), "44".to_owned(), "31".to_owned()]);
    report.add(table);
    Ok(())
}

/// Facets around and across of the environment and of the body.
const FULL: [[u32; 2]; 2] = [[350, 140], [200, 50]];

/// The environment and the body.
fn bodies([around, across]: [u32; 2], [a, b]: [u32; 2]) -> [Soup; 2] {
    let environment = torus(around, across, &mut Random::new(20, 1));
    let mut body = torus(a, b, &mut Random::new(20, 2));
    body.vertices.iter_mut().for_each(|v| *v *= RING);
    [environment, body]
}

/// Once around the circle in the middle of the environment's tube, across it, turning about its own axis.
fn path(steps: u32) -> Result<Vec<Pose>, BenchError> {
    let pose = |k: u32| {
        let angle = TAU * f64::from(k) / f64::from(steps);
        // The ring's axis is z; it is laid along the circle.
        let along = DQuat::from_rotation_z(angle) * DQuat::from_rotation_x(-TAU / 4.0);
        Pose::new(DVec3::new(angle.cos(), angle.sin(), 0.0), along * DQuat::from_rotation_z(0.7 * angle))
    };
    Ok((0..steps).map(pose).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::bound::Volume;

    #[test]
    fn sizes_are_the_papers() {
        let [environment, body] = bodies(FULL[0], FULL[1]);
        assert_eq!([environment.triangles.len(), body.triangles.len()], [98_000, 20_000]);
    }

    #[test]
    fn the_ring_touches_at_some_steps_and_stays_on_the_torus() {
        let [environment, body] = bodies([120, 40], [60, 24]);
        let [a, b] = [&environment, &body].map(|soup| surface("torus", soup, Builder::Auto, Volume::Hull).unwrap());
        let mut pair = Pair::new(a, b);
        let gaps: Vec<f64> =
            path(80).unwrap().iter().map(|p| pair.distance(&Pose::IDENTITY, p).interval.upper).collect();
        let touching = gaps.iter().filter(|&&gap| gap == 0.0).count();
        assert!((8..72).contains(&touching), "{touching} of {}", gaps.len());
        assert!(gaps.iter().all(|gap| *gap < 0.1), "{gaps:?}");
    }
}
