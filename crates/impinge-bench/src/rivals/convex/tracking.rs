//! A cube and a sphere of F facets that turns above it by D degrees a call.

use std::time::Duration;

use impinge::{Method, Pair, Pose};

use super::super::sides::Options;
use super::super::sides::parry::ParryPoses;
use super::super::sides::parry_convex::Tracked;
use super::verdict::{Ratios, Verdict};
use crate::agreement::Differences;
use crate::bodies::{cube, geodesic, turning};
use crate::error::BenchError;
use crate::hull_queries::distance;
use crate::random::Random;
use crate::report::{Table, figure};
use crate::timing::{Side, interleaved};

/// Edges of an icosahedron are cut into so many: 180, 720, 2880 and 20480 facets.
const FREQUENCIES: [u32; 4] = [3, 6, 12, 32];
const DEGREES: [u32; 4] = [1, 5, 10, 20];
const SLOT: Duration = Duration::from_millis(4);

pub(super) fn run(options: Options, table: &mut Table, verdict: &mut Verdict) -> Result<Ratios, BenchError> {
    let mut ratios = Ratios::default();
    let cube = cube().hull("cube")?;
    for frequency in FREQUENCIES {
        let soup = geodesic(frequency);
        let facets = soup.triangles.len();
        eprintln!("sphere of {facets} facets");
        let (sphere, mut parry) = (soup.hull("sphere")?, Tracked::new("sphere", &soup)?);
        for degrees in DEGREES {
            let mut random = Random::new(options.seed, u64::from(1000 * frequency + degrees));
            let calls = if options.quick { 180 } else { 720 };
            let poses: Vec<[Pose; 2]> = turning(f64::from(degrees), calls, &mut random)?
                .into_iter()
                .map(|pose| [Pose::IDENTITY, pose])
                .collect();
            let mut pairs = [Pair::new(&cube, &sphere), Pair::new(&cube, &sphere)];
            let (times, answers) = timed(options, &mut pairs, &mut parry, &poses);
            let ns = times.map(|seconds| seconds * 1e9 / poses.len() as f64);
            let ratio = ns[2].min(ns[3]) / ns[1];
            ratios.0.push(ratio);
            let brute = |i: usize| distance(&mut Pair::new(&cube, &sphere).with_method(Method::Brute), &poses[i]);
            let [cold, warm] = [0, 1].map(|ours| {
                let found = Differences::between(&answers[ours], &answers[2 + ours], brute);
                verdict.add(&format!("{facets} facets, {degrees}°"), "parry", &found)
            });
            let cells = [facets.to_string(), degrees.to_string()].into_iter().chain(ns.map(figure));
            table.row(cells.chain([figure(ratio), format!("{cold} {warm}")]));
        }
    }
    Ok(ratios)
}

/// Seconds and answers of all poses: ours cold and warm, parry's cold and warm.
fn timed(
    options: Options,
    [cold, warm]: &mut [Pair; 2],
    parry: &mut Tracked,
    poses: &[[Pose; 2]],
) -> ([f64; 4], [Vec<f64>; 4]) {
    let theirs: Vec<_> = poses.iter().map(ParryPoses::new).collect();
    let mut answers = [(); 4].map(|()| vec![0.0; poses.len()]);
    let [ours_cold, ours_warm, parry_cold, parry_warm] = &mut answers;
    let parry = std::cell::RefCell::new(parry);
    let mut sides: [Side<'_>; 4] = [
        Box::new(|| {
            for (answer, at) in ours_cold.iter_mut().zip(poses) {
                cold.forget();
                *answer = distance(cold, at);
            }
        }),
        Box::new(|| ours_warm.iter_mut().zip(poses).for_each(|(answer, at)| *answer = distance(warm, at))),
        Box::new(|| {
            let parry = parry.borrow();
            parry_cold.iter_mut().zip(&theirs).for_each(|(answer, at)| *answer = parry.cold(at));
        }),
        Box::new(|| {
            let mut parry = parry.borrow_mut();
            parry_warm.iter_mut().zip(&theirs).for_each(|(answer, at)| *answer = parry.warm(at));
        }),
    ];
    let times = interleaved(options.passes, SLOT, &mut sides);
    drop(sides);
    (std::array::from_fn(|side| times[side]), answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_find_the_same_distances() {
        let (cube, soup) = (cube().hull("cube").unwrap(), geodesic(4));
        let sphere = soup.hull("sphere").unwrap();
        let options = Options { seed: 1, passes: 1, quick: true };
        let turn = turning(10.0, 36, &mut Random::new(1, 0)).unwrap();
        let poses: Vec<_> = turn.into_iter().map(|pose| [Pose::IDENTITY, pose]).collect();
        let mut pairs = [Pair::new(&cube, &sphere), Pair::new(&cube, &sphere)];
        let mut parry = Tracked::new("sphere", &soup).unwrap();
        let (times, answers) = timed(options, &mut pairs, &mut parry, &poses);
        assert!(times.iter().all(|&t| t > 0.0));
        for theirs in &answers[1..] {
            assert!(answers[0].iter().zip(theirs).all(|(x, y)| (x - y).abs() < 1e-6));
        }
    }
}
