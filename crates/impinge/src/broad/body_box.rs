//! Boxes that contain a body for a while: however it turns, while it flies, or while it moves a little.
//!
//! Mirtich 1997, §2, Figure 1: the box of a body whose centre follows a parabola. Lin, §4.3, after Cohen et al. 1995: a
//! cube that contains the body in every orientation stays the same when it turns; a tight box is smaller, and needs
//! supports of the body. A *fat* box has a margin, and the store gets a new one only when the tight box has left it.
//!
//! All boxes are rounded outwards; a number that is not finite makes a box that
//! [`Boxes::insert`](super::store::boxes::Boxes::insert) refuses.

use glam::DVec3;

use crate::bound::Aabb;

/// The cube of side 2r around a body's centre: no point of the body is farther than `radius` from it, however it turns.
///
/// ```
/// use impinge::broad::body_box::cube;
/// use impinge::glam::DVec3;
/// assert!(cube(DVec3::ZERO, 2.0).contains(&cube(DVec3::ONE, 1.0)));
/// ```
pub fn cube(centre: DVec3, radius: f64) -> Aabb {
    outward(Aabb::new(centre - radius, centre + radius), DVec3::ZERO)
}

/// The box of a body of this radius over an interval of time, its centre at `start` with this velocity and under this
/// acceleration.
///
/// p(t) = p₀ + v·t + a·t²/2 is least and greatest, axis by axis, at an end of the interval or at the apex t = −v/a,
/// where p = p₀ − v²/2a. Each term is computed with a few roundings and none exceeds S = |p₀| + |v|·t + |a|·t²/2, so
/// the result is off by less than 4 ε (S + r). An apex that rounding puts on the wrong side of an end differs from the
/// end by less.
///
/// ```
/// use impinge::broad::body_box::ballistic;
/// use impinge::glam::DVec3;
/// // Thrown upwards at 10 m/s: it comes to 5.1 m and is almost back after two seconds.
/// let b = ballistic(DVec3::ZERO, DVec3::Y * 10.0, DVec3::Y * -9.8, 2.0, 1.0);
/// assert!(b.max.y > 6.102 && b.max.y < 6.103 && b.min.y <= -1.0);
/// ```
pub fn ballistic(start: DVec3, velocity: DVec3, acceleration: DVec3, interval: f64, radius: f64) -> Aabb {
    let (drift, fall) = (velocity * interval, acceleration * (0.5 * interval * interval));
    let end = start + drift + fall;
    let (mut min, mut max) = (start.min(end), start.max(end));
    for axis in 0..3 {
        let (v, a) = (velocity[axis], acceleration[axis]);
        let apex = -v / a;
        if apex > 0.0 && apex < interval {
            let p = start[axis] + 0.5 * v * apex;
            min[axis] = min[axis].min(p);
            max[axis] = max[axis].max(p);
        }
    }
    let size = start.abs() + drift.abs() + fall.abs() + radius;
    outward(Aabb::new(min - radius, max + radius), size * (4.0 * f64::EPSILON))
}

/// The box with a margin around it, extended along the motion that is expected.
///
/// ```
/// use impinge::{bound::Aabb, broad::body_box::fatten, glam::DVec3};
/// let fat = fatten(&Aabb::new(DVec3::ZERO, DVec3::ONE), 0.5, DVec3::X * 2.0);
/// assert!(fat.contains(&Aabb::new(DVec3::splat(-0.5), DVec3::new(3.5, 1.5, 1.5))));
/// ```
pub fn fatten(tight: &Aabb, margin: f64, motion: DVec3) -> Aabb {
    let (back, ahead) = (motion.min(DVec3::ZERO), motion.max(DVec3::ZERO));
    outward(Aabb::new(tight.min - margin + back, tight.max + margin + ahead), DVec3::ZERO)
}

/// The box moved outward by `by` and one rounding more, which covers the rounding of the last operation.
fn outward(b: Aabb, by: DVec3) -> Aabb {
    let down = (b.min - by).to_array().map(f64::next_down);
    let up = (b.max + by).to_array().map(f64::next_up);
    Aabb::new(DVec3::from_array(down), DVec3::from_array(up))
}

/// A fat box that is kept until the body leaves it.
///
/// ```
/// use impinge::bound::Aabb;
/// use impinge::broad::body_box::FatBox;
/// use impinge::glam::DVec3;
/// let at = |x: f64| Aabb::new(DVec3::splat(x), DVec3::splat(x + 1.0));
/// let mut fat = FatBox::new(at(0.0), 0.1);
/// assert_eq!(fat.update(&at(0.05), DVec3::ZERO), None, "still inside");
/// assert!(fat.update(&at(0.15), DVec3::X).is_some_and(|b| b.max.x > 2.2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FatBox {
    fat: Aabb,
    margin: f64,
}

impl FatBox {
    /// A fat box around a tight one.
    pub fn new(tight: Aabb, margin: f64) -> FatBox {
        FatBox { fat: fatten(&tight, margin, DVec3::ZERO), margin }
    }

    /// The fat box, as the store should have it.
    pub fn bounds(&self) -> &Aabb {
        &self.fat
    }

    /// A new fat box, when the body has left the old one, or when the old one is wider by more than four margins than a
    /// new one would be: then the expected motion did not happen.
    pub fn update(&mut self, tight: &Aabb, motion: DVec3) -> Option<Aabb> {
        let new = fatten(tight, self.margin, motion);
        let wide = fatten(&new, 4.0 * self.margin, DVec3::ZERO);
        if self.fat.contains(tight) && wide.contains(&self.fat) {
            return None;
        }
        self.fat = new;
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn i18_the_apex_is_in_the_box() {
        let b = ballistic(DVec3::ZERO, DVec3::new(0.0, 10.0, 0.0), DVec3::new(0.0, -9.8, 0.0), 2.0, 1.0);
        assert!(b.min.y <= -1.0 && b.max.y >= 6.1020408163265305);
        assert!(b.min.y > -1.0 - 1e-12 && b.max.y < 6.1020408163266);
        assert!(b.min.x <= -1.0 && b.max.x >= 1.0 && b.max.x < 1.0 + 1e-12);
    }

    #[test]
    fn what_is_not_finite_makes_no_box() {
        for (v, t) in [(f64::NAN, 1.0), (f64::INFINITY, 1.0), (1e200, 1e200)] {
            let b = ballistic(DVec3::ZERO, DVec3::splat(v), DVec3::ZERO, t, 1.0);
            let mut boxes = crate::broad::store::boxes::Boxes::new();
            assert!(boxes.insert(b, Default::default(), Default::default()).is_err());
        }
    }

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-size..size).prop_map(DVec3::from_array)
    }

    proptest! {
        /// Points on the path lie inside the box: without acceleration, and with one so weak that the apex is far away.
        #[test]
        fn the_whole_way_is_in_the_box(
            start in vector(100.0), velocity in vector(10.0), pull in vector(10.0),
            weak in prop_oneof![Just(0.0), Just(1e-300), Just(1.0)], interval in 0.0..5.0, part in 0.0..1.0,
        ) {
            let acceleration = pull * weak;
            let b = ballistic(start, velocity, acceleration, interval, 0.5);
            let t = interval * part;
            let p = start + velocity * t + acceleration * (0.5 * t * t);
            // The position of the sample is itself rounded.
            let slack = DVec3::splat(1e-12);
            prop_assert!(b.contains(&Aabb::new(p - 0.5 + slack, p + 0.5 - slack)));
            let (low, high) = (b.min + 0.5, b.max - 0.5);
            for axis in 0..3 {
                let reached = |x: f64| (0..=1000).any(|k| {
                    let t = interval * f64::from(k) / 1000.0;
                    (start[axis] + velocity[axis] * t + acceleration[axis] * (0.5 * t * t) - x).abs() < 1e-3
                });
                prop_assert!(reached(low[axis]) && reached(high[axis]), "the box is tight");
            }
        }

        /// A fat box always holds the body, and slow motion seldom changes it.
        #[test]
        fn fat_boxes_hold_the_body(steps in prop::collection::vec(vector(0.01), 1..200), jump in vector(5.0)) {
            let mut tight = Aabb::new(DVec3::ZERO, DVec3::ONE);
            let mut fat = FatBox::new(tight, 0.1);
            let mut changes = 0;
            for &step in steps.iter().chain([&jump]).chain(&steps) {
                tight = Aabb::new(tight.min + step, tight.max + step);
                changes += usize::from(fat.update(&tight, step * 5.0).is_some());
                prop_assert!(fat.bounds().contains(&tight));
            }
            prop_assert!(changes <= steps.len() / 4 + 3, "{} of {}", changes, steps.len());
        }
    }
}
