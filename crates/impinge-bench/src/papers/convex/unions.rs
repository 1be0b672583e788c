//! Two bodies made of convex pieces, tracked while one turns: cold, warm, and beside the closest two pieces alone
//! (Mirtich §3.4 and Lin §5.2 have the trees of hulls, Lin §5.2 and Xavier §3.2 the front that is kept).

use std::time::Duration;

use impinge::glam::{DQuat, DVec3};
use impinge::{Convex, Model, Pair, Parts, Pose};

use super::laps::PASSES;
use crate::bodies::geodesic;
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::timing::{Side, interleaved};

/// Pieces of each body.
const PIECES: [usize; 2] = [50, 1000];
const DEGREES: [f64; 2] = [0.1, 1.0];

/// How the second body turns.
#[derive(Clone, Copy)]
enum Turning {
    /// About the line through the two pieces that stand out, which stay closest.
    AboutLine,
    /// About an axis across it: other pieces come closest.
    Across,
}

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (calls, passes) = if quick { (90, 3) } else { (360, PASSES) };
    report.add("## Bodies made of pieces (§3.4)");
    report.add(format!(
        "Each body: hulls of 8 points strewn over a ball of radius 1, and one of 42 corners that stands out towards the \
         other body. {calls} calls there and back, the one body turning about the line between these two, which then \
         stay closest, or across it. ns a call, medians of {passes} rounds in which cold, warm and convex take turns: \
         cold forgets before each call, convex tracks the two pieces that stand out alone."
    ));
    let heads = ["pieces", "turning", "degrees", "cold", "warm", "convex", "warm / cold", "warm / convex"];
    let mut table = Table::new(2, &heads);
    for pieces in PIECES {
        eprintln!("two bodies of {pieces} pieces");
        let bodies = Bodies::new(pieces)?;
        for (name, turning) in [("about the line", Turning::AboutLine), ("across", Turning::Across)] {
            for degrees in DEGREES {
                let [cold, warm, convex] = bodies.measure(passes, &path(turning, degrees, calls)?);
                let words = [pieces.to_string(), name.to_owned(), degrees.to_string()];
                let times = [cold, warm, convex].map(|seconds| figure(seconds * 1e9 / f64::from(calls)));
                table.row(words.into_iter().chain(times).chain([warm / cold, warm / convex].map(figure)));
            }
        }
    }
    report.add(table);
    Ok(())
}

/// Two bodies, and the two pieces of them that stand out.
struct Bodies {
    unions: [Model; 2],
    noses: [Model; 2],
}

impl Bodies {
    fn new(pieces: usize) -> Result<Bodies, BenchError> {
        let refused = |source| BenchError::Build { name: "pieces".to_owned(), source };
        let mut random = Random::new(4, pieces as u64);
        let mut body = |height: f64| -> Result<[Model; 2], BenchError> {
            let nose: Vec<DVec3> = geodesic(2).vertices.iter().map(|p| *p * 0.2 + DVec3::Z * height).collect();
            let nose = Convex::hull(&nose).map_err(refused)?;
            let mut all = vec![nose.clone()];
            while all.len() < pieces {
                let centre = random.direction() * random.unit().cbrt();
                let points: Vec<DVec3> = (0..8).map(|_| centre + random.direction() * 0.15).collect();
                all.push(Convex::hull(&points).map_err(refused)?);
            }
            Ok([Parts::new(all).map_err(refused)?.into(), nose.into()])
        };
        let [[a, nose_a], [b, nose_b]] = [body(1.2)?, body(-1.2)?];
        Ok(Bodies { unions: [a, b], noses: [nose_a, nose_b] })
    }

    /// Seconds of a lap: cold, warm, and of the two pieces that stand out.
    fn measure(&self, passes: usize, poses: &[Pose]) -> [f64; 3] {
        let pair = |[a, b]: &[Model; 2]| Pair::new(a, b);
        let [mut cold, mut warm, mut convex] = [&self.unions, &self.unions, &self.noses].map(pair);
        let ask = |pair: &mut Pair, pose: &Pose| {
            std::hint::black_box(pair.distance(&Pose::IDENTITY, pose));
        };
        let mut sides: [Side<'_>; 3] = [
            Box::new(|| {
                for pose in poses {
                    cold.forget();
                    ask(&mut cold, pose);
                }
            }),
            Box::new(|| poses.iter().for_each(|pose| ask(&mut warm, pose))),
            Box::new(|| poses.iter().for_each(|pose| ask(&mut convex, pose))),
        ];
        let seconds = interleaved(passes, Duration::from_millis(4), &mut sides);
        [seconds[0], seconds[1], seconds[2]]
    }
}

/// There and back again, so that a lap ends where it began.
fn path(turning: Turning, degrees: f64, calls: u32) -> Result<Vec<Pose>, BenchError> {
    let pose = |k: u32| {
        let angle = (degrees * f64::from(k.min(calls - k))).to_radians();
        let turn = match turning {
            Turning::AboutLine => DQuat::from_rotation_z(angle),
            Turning::Across => DQuat::from_rotation_x(angle),
        };
        Pose::new(DVec3::new(0.02, 0.05, 3.0), turn)
    };
    Ok((0..calls).map(pose).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warm_answers_as_cold_and_the_pieces_that_stand_out_stay_closest() {
        let bodies = Bodies::new(50).unwrap();
        for turning in [Turning::AboutLine, Turning::Across] {
            let mut warm = Pair::new(&bodies.unions[0], &bodies.unions[1]);
            for pose in &path(turning, 1.0, 120).unwrap() {
                let near = warm.distance(&Pose::IDENTITY, pose).interval;
                let cold = impinge::distance(&bodies.unions[0], &Pose::IDENTITY, &bodies.unions[1], pose).interval;
                assert!((near.mid() - cold.mid()).abs() < 1e-12);
                if let Turning::AboutLine = turning {
                    let noses = impinge::distance(&bodies.noses[0], &Pose::IDENTITY, &bodies.noses[1], pose).interval;
                    assert!((near.mid() - noses.mid()).abs() < 1e-12);
                }
            }
        }
    }
}
