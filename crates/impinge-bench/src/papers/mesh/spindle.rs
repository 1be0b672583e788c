//! The threshold query on the spindle (Xavier §3.2): with 0.00125 between gear and spindle all around, hundreds of
//! pairs of polygons are about equally near, and a distance takes long; whether they are nearer than 0.00128 the last
//! closest pair says at once.

use impinge::{Builder, Pair, Pose};

use super::ask::{Ask, TREES, distance, laps, surface};
use super::gear;
use crate::error::BenchError;
use crate::report::{Report, Table, figure};

const THRESHOLD: f64 = 0.00128;

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (path, passes) = if quick { (on_spindle(50)?, 1) } else { (on_spindle(400)?, 5) };
    eprintln!("spindle, {} steps", path.len());
    let (still, moving) = (gear::plate_and_motor(), gear::gear());
    let mut table = Table::new(1, &["tree", "within 0.00128, kHz", "cold", "distance, kHz", "cold"]);
    for volume in TREES {
        let model = |soup| surface("gear", soup, Builder::Auto, volume);
        let mut pair = [Pair::new(model(&still)?, model(&moving)?)];
        let nobody = |_: &mut Pair| {};
        let mut khz = |first: &dyn Fn(&mut Pair), ask: &dyn Fn(&mut Pair, &Pose)| {
            let seconds = laps(passes, &mut pair, first, |pair| path.iter().for_each(|pose| ask(pair, pose)));
            figure(path.len() as f64 / seconds[0] * 1e-3)
        };
        let forgetful = |ask: Ask| {
            move |pair: &mut Pair, pose: &Pose| {
                pair.forget();
                ask(pair, pose);
            }
        };
        let first = |pair: &mut Pair| near(pair, &path[0]);
        let cells = [
            khz(&first, &near),
            khz(&nobody, &forgetful(near)),
            khz(&first, &distance),
            khz(&nobody, &forgetful(distance)),
        ];
        table.row([volume.to_string()].into_iter().chain(cells));
    }
    table.row(["Xavier, 1997", "over 2", "-", "0.010 to 0.015", "-"].map(str::to_owned));
    report.add("## On the spindle (Xavier §3.2)");
    report.add(format!(
        "The last fifth of the gear's way, in steps of 1/400 of it: whether it is nearer than {THRESHOLD}, with {} between, \
         and the distance; on from the last step, and cold.",
        gear::CLEARANCE
    ));
    report.add(table);
    Ok(())
}

fn near(pair: &mut Pair, pose: &Pose) {
    std::hint::black_box(pair.within(&Pose::IDENTITY, pose, THRESHOLD));
}

fn on_spindle(steps: u32) -> Result<Vec<Pose>, BenchError> {
    let path = gear::drop(steps)?;
    let first = (gear::ON_SPINDLE * f64::from(steps)).ceil() as usize;
    Ok(path[first.min(path.len() - 1)..].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::bound::Volume;

    #[test]
    fn the_answer_is_yes_all_the_way_from_what_is_remembered() {
        for volume in [Volume::Auto, Volume::Hull] {
            let [a, b] = [gear::plate_and_motor(), gear::gear()]
                .map(|soup| surface("gear", &soup, Builder::Auto, volume).unwrap());
            let mut pair = Pair::new(a, b);
            for (k, pose) in on_spindle(400).unwrap().iter().enumerate() {
                let answer = pair.within(&Pose::IDENTITY, pose, THRESHOLD);
                assert!(answer.within, "step {k}");
                assert!(!pair.within(&Pose::IDENTITY, pose, 0.99 * gear::CLEARANCE).within, "step {k}");
                let again = pair.within(&Pose::IDENTITY, pose, THRESHOLD).stats;
                assert!(again.volume_tests == 0 && again.primitive_tests <= 1, "{again:?} at step {k}");
            }
        }
    }
}
