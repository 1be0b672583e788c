//! Gear, plate and motor (Xavier §3.2, Figure 5): a gear drops through a hole in a plate onto the spindle of a motor.
//!
//! The sizes are the paper's as far as it names them: a gear of 3920 polygons, a plate of 4054, a motor of 2252 that is
//! about 1 large, a path of 1, and 0.00125 between the bore of the gear and the spindle, which the gear comes upon in
//! the last quarter. Here the gear has 3920 triangles, the plate 4032 and the motor 2240.

use std::f64::consts::PI;

use impinge::Pose;
use impinge::glam::{DQuat, DVec2, DVec3};

use super::machined::{bored, direction, turned};
use crate::error::BenchError;
use crate::shapes::Soup;

pub(in crate::papers) const CLEARANCE: f64 = 0.00125;

/// Where on the path the gear is on the spindle.
pub(in crate::papers) const ON_SPINDLE: f64 = 0.8;

const SPINDLE: f64 = 0.1;
const SPINDLE_SIDES: u32 = 70;
const TEETH: u32 = 49;
const TOOTH: [f64; 10] = [0.27, 0.27, 0.27, 0.275, 0.285, 0.295, 0.3, 0.3, 0.29, 0.28];
const BORE_SIDES: u32 = TEETH * TOOTH.len() as u32;
const HOLE: f64 = 0.3025;
const HOLE_SIDES: u32 = 126;

/// The gear, about the origin.
pub(in crate::papers) fn gear() -> Soup {
    let tooth = |i: u32| direction(i, BORE_SIDES) * TOOTH[i as usize % TOOTH.len()];
    // Around a circle, so that nothing of the bore is nearer to the spindle's edges than the clearance.
    let bore = (SPINDLE + CLEARANCE) / (PI / f64::from(BORE_SIDES)).cos();
    let outline = |point: &dyn Fn(u32) -> DVec2| (0..BORE_SIDES).map(point).collect::<Vec<_>>();
    bored(&outline(&tooth), &outline(&|i| direction(i, BORE_SIDES) * bore), 0.1, 1, 1)
}

/// The plate at height 0.6 and the motor, whose spindle ends at height 0.2.
pub(in crate::papers) fn plate_and_motor() -> Soup {
    let square = |d: DVec2| d * 0.5 / d.abs().max_element();
    let hole = HOLE / (PI / f64::from(HOLE_SIDES)).cos();
    let outline =
        |point: &dyn Fn(DVec2) -> DVec2| (0..HOLE_SIDES).map(|i| point(direction(i, HOLE_SIDES))).collect::<Vec<_>>();
    let plate = bored(&outline(&square), &outline(&|d| d * hole), 0.06, 6, 3);
    let mut profile = vec![DVec2::new(0.4, -0.7)];
    profile.extend((1..=5).map(|k| DVec2::new(0.45, -0.7 + 0.1 * f64::from(k))));
    profile.extend([[0.4, -0.15], [0.3, -0.15], [0.2, -0.15], [SPINDLE, -0.15]].map(DVec2::from_array));
    profile.extend((0..6).map(|k| DVec2::new(SPINDLE, -0.1 + 0.06 * f64::from(k))));
    plate.placed(DVec3::Z * 0.6, DQuat::IDENTITY).and(turned(&profile, SPINDLE_SIDES))
}

/// Down by 1 in so many steps.
pub(in crate::papers) fn drop(steps: u32) -> Result<Vec<Pose>, BenchError> {
    (0..=steps).map(|k| Ok(Pose::at(DVec3::Z * (1.0 - f64::from(k) / f64::from(steps)))?)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::ask::surface;
    use super::*;
    use impinge::bound::Volume;
    use impinge::{Builder, Pair};

    #[test]
    fn sizes_are_nearly_the_papers() {
        assert_eq!(gear().triangles.len(), 3920);
        assert_eq!(plate_and_motor().triangles.len(), 4032 + 2240);
        for soup in [gear(), plate_and_motor()] {
            let mesh = soup.surface(Builder::Auto).unwrap();
            let report = mesh.report();
            assert!(report.closed && report.manifold && report.oriented, "{report:?}");
        }
    }

    #[test]
    fn nothing_touches_and_the_spindle_is_a_clearance_away() {
        let [a, b] =
            [plate_and_motor(), gear()].map(|soup| surface("gear", &soup, Builder::Auto, Volume::Hull).unwrap());
        let mut pair = Pair::new(a, b);
        let path = drop(50).unwrap();
        let gaps: Vec<f64> = path.iter().map(|p| pair.distance(&Pose::IDENTITY, p).interval.upper).collect();
        for (k, gap) in gaps.iter().enumerate() {
            let on_spindle = k as f64 >= ON_SPINDLE * 50.0;
            assert!(*gap > CLEARANCE - 1e-9, "{gap} at step {k}");
            assert!(!on_spindle || *gap < CLEARANCE + 3e-6, "{gap} at step {k}");
        }
        assert!(gaps[0] > 0.1 && gaps[20] < 0.003, "above and within the hole: {gaps:?}");
    }
}
