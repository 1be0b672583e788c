//! The field of trucks (Xavier §3.2, Figure 4): a chassis of 10 000 polygons flies past others and a teapot, 42 000 in
//! all, along 20 units; things are up to 10 units large, and the distance is 0 near both ends of the path.

use impinge::Pose;
use impinge::glam::{DQuat, DVec2, DVec3};

use super::machined::{bar, turned};
use crate::error::BenchError;
use crate::random::Random;
use crate::shapes::{Soup, torus};

/// Rails, cross-members, axles, wheels and a cab: 9952 triangles, x along, z up.
pub(in crate::papers) fn chassis() -> Soup {
    let still = DQuat::IDENTITY;
    let mut soup = bar(DVec3::new(0.9, 1.2, 0.9), [10; 3]).placed(DVec3::new(-4.0, 0.0, 1.2), still);
    for side in [-1.0, 1.0] {
        soup = soup.and(bar(DVec3::new(5.0, 0.15, 0.3), [60, 2, 4]).placed(DVec3::Y * side, still));
    }
    for k in 0..6 {
        let at = DVec3::X * (1.8 * f64::from(k) - 4.5);
        soup = soup.and(bar(DVec3::new(0.1, 1.2, 0.15), [1, 16, 2]).placed(at, still));
    }
    let across = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    let axle: Vec<DVec2> = (0..8).map(|k| DVec2::new(0.12, 0.45 * f64::from(k) - 1.575)).collect();
    let mut tyre = torus(30, 16, &mut Random::new(10, 4));
    tyre.vertices.iter_mut().for_each(|v| *v *= 0.75);
    for x in [-3.2, 3.4] {
        soup = soup.and(turned(&axle, 24).placed(DVec3::new(x, 0.0, -0.5), across));
        for side in [-1.6, 1.6] {
            soup = soup.and(tyre.clone().placed(DVec3::new(x, side, -0.5), across));
        }
    }
    soup
}

/// A pot with a lid and a handle: 2192 triangles.
fn teapot() -> Soup {
    let side = |k: u32| f64::from(k) * 0.19 + 0.1;
    let belly: Vec<DVec2> = (0..16).map(|k| DVec2::new(side(k).sin(), 0.1 * f64::from(k) - 0.8)).collect();
    let knob: Vec<DVec2> =
        (0..8).map(|k| DVec2::new(0.25 * (0.4 * f64::from(k) + 0.2).sin(), 0.06 * f64::from(k) + 0.7)).collect();
    let mut handle = torus(20, 12, &mut Random::new(10, 5));
    handle.vertices.iter_mut().for_each(|v| *v *= 0.4);
    let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    turned(&belly, 40).and(turned(&knob, 27)).and(handle.placed(DVec3::X * 1.1, upright))
}

/// Four chassis and the teapot: 42 000 triangles.
pub(in crate::papers) fn field() -> Soup {
    let places =
        [([19.3, 0.8, 0.2], 0.15), ([-19.3, -0.6, -0.3], 2.9), ([0.5, 6.2, 0.4], 0.25), ([3.0, -6.6, -0.5], -0.4)];
    places.into_iter().fold(teapot().placed(DVec3::new(-4.0, 3.6, 0.3), DQuat::IDENTITY), |field, (at, turn)| {
        field.and(chassis().placed(DVec3::from_array(at), DQuat::from_rotation_z(turn) * DQuat::from_rotation_y(0.05)))
    })
}

/// From right to left in so many steps.
pub(in crate::papers) fn flight(steps: u32) -> Result<Vec<Pose>, BenchError> {
    (0..=steps).map(|k| Ok(Pose::at(DVec3::X * (10.0 - 20.0 * f64::from(k) / f64::from(steps)))?)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::ask::surface;
    use super::*;
    use impinge::bound::Volume;
    use impinge::{Builder, Pair};

    #[test]
    fn sizes_are_nearly_the_papers() {
        assert_eq!([chassis().triangles.len(), field().triangles.len()], [9952, 42_000]);
        let extent = chassis().vertices.iter().fold(0.0, |m: f64, v| m.max(v.abs().max_element()));
        assert!((4.9..5.1).contains(&extent), "{extent}");
    }

    #[test]
    fn the_distance_is_zero_near_both_ends_only() {
        let [a, b] = [field(), chassis()].map(|s| surface("truck", &s, Builder::Auto, Volume::Hull).unwrap());
        let mut pair = Pair::new(a, b);
        let gaps: Vec<f64> =
            flight(40).unwrap().iter().map(|p| pair.distance(&Pose::IDENTITY, p).interval.upper).collect();
        assert!(gaps[0] == 0.0 && gaps[40] == 0.0, "{gaps:?}");
        assert!(gaps[6..34].iter().all(|gap| *gap > 0.05), "{gaps:?}");
    }
}
