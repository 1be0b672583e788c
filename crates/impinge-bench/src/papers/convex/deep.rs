//! The depth of two hulls deep in each other, call after call while one turns: cold, and warm (Lin §2.2).
//!
//! An engine that walks from the last way out to the next was measured on this path and taken out: its walk ends in a
//! local minimum, and it gained nothing at any of these angles (`docs/engine.md`).

use std::time::Duration;

use impinge::glam::{DQuat, DVec3};
use impinge::{Convex, Model, Pair, Pose};

use super::laps::PASSES;
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::timing::{Side, interleaved};

const VERTICES: [u32; 3] = [20, 100, 500];
const DEGREES: [f64; 4] = [0.01, 0.1, 1.0, 5.0];

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (calls, passes) = if quick { (90, 3) } else { (720, PASSES) };
    report.add("## Depth of hulls deep in each other (Lin §2.2)");
    report.add(format!(
        "Two hulls of points on an ellipsoid with the axes 1, 0.8 and 0.6, their centres 0.37 apart, so that the way out \
         is about half of a body. One turns about a skew axis, there and back, {calls} calls. ns a call, medians of \
         {passes} rounds in which both take turns: cold forgets before each call."
    ));
    let mut table = Table::new(1, &["vertices", "degrees", "cold", "warm", "warm / cold"]);
    for vertices in VERTICES {
        let bodies = hulls(vertices)?;
        for degrees in DEGREES {
            let poses = path(degrees, calls)?;
            let [mut cold, mut warm] = [0, 1].map(|_| Pair::new(&bodies[0], &bodies[1]));
            let mut sides: [Side<'_>; 2] = [
                Box::new(|| {
                    for pose in &poses {
                        cold.forget();
                        std::hint::black_box(cold.penetration(&Pose::IDENTITY, pose));
                    }
                }),
                Box::new(|| {
                    for pose in &poses {
                        std::hint::black_box(warm.penetration(&Pose::IDENTITY, pose));
                    }
                }),
            ];
            let seconds = interleaved(passes, Duration::from_millis(4), &mut sides);
            let ns = |k: usize| figure(seconds[k] * 1e9 / f64::from(calls));
            table.row([vertices.to_string(), degrees.to_string(), ns(0), ns(1), figure(seconds[1] / seconds[0])]);
        }
    }
    report.add(table);
    Ok(())
}

fn hulls(vertices: u32) -> Result<[Model; 2], BenchError> {
    let mut random = Random::new(9, u64::from(vertices));
    let mut hull = || -> Result<Model, BenchError> {
        let points: Vec<DVec3> = (0..vertices).map(|_| random.direction() * DVec3::new(1.0, 0.8, 0.6)).collect();
        let refused = |source| BenchError::Build { name: "hull".to_owned(), source };
        Ok(Convex::hull(&points).map_err(refused)?.into())
    };
    Ok([hull()?, hull()?])
}

/// There and back again, so that a lap ends where it began.
fn path(degrees: f64, calls: u32) -> Result<Vec<Pose>, BenchError> {
    let axis = DVec3::new(1.0, 2.0, 3.0).normalize();
    let pose = |k: u32| {
        let angle = (degrees * f64::from(k.min(calls - k))).to_radians();
        Pose::new(DVec3::new(0.3, 0.2, 0.1), DQuat::from_axis_angle(axis, angle))
    };
    Ok((0..calls).map(pose).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bodies_are_deep_in_each_other_and_warm_answers_as_cold() {
        let bodies = hulls(20).unwrap();
        let mut warm = Pair::new(&bodies[0], &bodies[1]);
        for pose in &path(5.0, 72).unwrap() {
            let depth = warm.penetration(&Pose::IDENTITY, pose).interval;
            let cold = impinge::penetration(&bodies[0], &Pose::IDENTITY, &bodies[1], pose).interval;
            assert!(depth.lower > 0.3 && (depth.mid() - cold.mid()).abs() < 1e-12, "{depth:?} {cold:?}");
        }
    }
}
