//! What memory saves, and what it costs where there is nothing to remember: warm beside cold, over small steps and over
//! poses without any relation to each other.

use std::time::Duration;

use impinge::bound::Volume;
use impinge::glam::{DQuat, DVec3};
use impinge::{Builder, Model, Pair, Pose};

use super::ask::{Ask, distance, overlap, surface};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, torus};
use crate::timing::{Side, interleaved};

const TREES: [Volume; 2] = [Volume::Auto, Volume::Hull];

const VERBS: [(&str, Ask); 3] = [("distance", distance), ("within 0.02", within), ("overlap", overlap)];

fn within(pair: &mut Pair, pose: &Pose) {
    std::hint::black_box(pair.within(&Pose::IDENTITY, pose, 0.02));
}

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (soup, count, passes) = if quick { (bumpy(20, 12), 10, 1) } else { (bumpy(100, 100), 100, 9) };
    eprintln!("coherence, {} triangles", soup.triangles.len());
    report.add("## What memory is worth");
    report.add(format!(
        "Two bumpy tori of {} triangles. Small steps: {count} of 0.001, as near as 0.05. Unrelated: {count} poses, each \
         turned at random. µs a query, medians of rounds in which cold and warm take turns; cold forgets before each.",
        soup.triangles.len()
    ));
    let mut table = Table::new(3, &["poses", "tree", "verb", "cold µs", "warm µs", "warm / cold"]);
    for (name, poses) in [("small steps", small_steps(count)?), ("unrelated", unrelated(count)?)] {
        for volume in TREES {
            let model = surface("torus", &soup, Builder::Auto, volume)?;
            for (verb, ask) in VERBS {
                let [cold, warm] = cold_and_warm(&model, &poses, ask, passes);
                let us = |seconds: f64| figure(seconds * 1e6 / poses.len() as f64);
                let words = [name.to_owned(), volume.to_string(), verb.to_owned()];
                table.row(words.into_iter().chain([us(cold), us(warm), figure(warm / cold)]));
            }
        }
    }
    report.add(table);
    Ok(())
}

fn bumpy(around: u32, across: u32) -> Soup {
    torus(around, across, &mut Random::new(3, 7))
}

/// Seconds for all poses.
fn cold_and_warm(model: &Model, poses: &[Pose], ask: Ask, passes: usize) -> [f64; 2] {
    let [mut cold, mut warm] = [Pair::new(model, model), Pair::new(model, model)];
    let mut sides: [Side<'_>; 2] = [
        Box::new(|| {
            for pose in poses {
                cold.forget();
                ask(&mut cold, pose);
            }
        }),
        Box::new(|| poses.iter().for_each(|pose| ask(&mut warm, pose))),
    ];
    let seconds = interleaved(passes, Duration::from_millis(4), &mut sides);
    [seconds[0], seconds[1]]
}

/// There and back again, so that a lap ends where it began.
fn small_steps(count: u32) -> Result<Vec<Pose>, BenchError> {
    let pose = |k: u32| {
        let t = 0.001 * f64::from(k.min(count - k));
        Pose::new(DVec3::new(2.6, t, 0.1 + t), DQuat::from_rotation_x(0.4 + t))
    };
    Ok((0..count).map(pose).collect::<Result<_, _>>()?)
}

fn unrelated(count: u32) -> Result<Vec<Pose>, BenchError> {
    let mut random = Random::new(3, 8);
    Ok((0..count).map(|_| Pose::new(random.direction() * 2.2, random.rotation())).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warm_answers_as_cold_over_both_sets_of_poses() {
        for volume in TREES {
            let model = surface("torus", &bumpy(30, 20), Builder::Auto, volume).unwrap();
            let mut warm = Pair::new(&model, &model);
            for pose in small_steps(20).unwrap().iter().chain(&unrelated(20).unwrap()) {
                let cold = Pair::new(&model, &model).distance(&Pose::IDENTITY, pose).interval;
                let got = warm.distance(&Pose::IDENTITY, pose).interval;
                assert!((got.mid() - cold.mid()).abs() < 1e-12, "{volume}: {got:?} {cold:?}");
            }
        }
    }
}
