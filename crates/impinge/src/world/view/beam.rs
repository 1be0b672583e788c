//! When a box that moves straight first meets a box that stands; a ray is a box without extent.
//!
//! The slabs of T. Kay and J. Kajiya, *Ray tracing complex scenes*, SIGGRAPH 1986: along each axis the two overlap
//! during an interval of the parameter, and they meet when the three intervals have a common point.
//!
//! **Error.** The corner that moves is given to within 2⁻⁵³ of itself, differences and products with the inverse
//! direction add two roundings each, and a direction that was rounded leads astray by two more. Every box is taken to
//! be larger by 2⁻⁴⁸ of the greatest coordinate of the world and of the start, which is more than all of these. A
//! component of 0 has an infinite inverse: the interval is then all or nothing; where the product is NaN the axis is
//! left out.

use glam::DVec3;

use crate::bound::Aabb;

/// A box that moves straight; times are those of `start + t·direction`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beam {
    /// For each axis what a face of the other box has to pass: for the face met first, and for the last one.
    first: DVec3,
    last: DVec3,
    inverse: DVec3,
    /// Whether the box moves towards lesser coordinates.
    back: [bool; 3],
}

impl Beam {
    /// `world` holds all boxes that are asked about.
    pub(super) fn new(start: &Aabb, direction: DVec3, world: &Aabb) -> Beam {
        let of_world =
            if world.min.cmple(world.max).all() { world.min.abs().max(world.max.abs()) } else { DVec3::ZERO };
        let greatest = of_world.max(start.min.abs()).max(start.max.abs()).max_element();
        let slack = greatest * (16.0 * f64::EPSILON) + f64::MIN_POSITIVE;
        let inverse = direction.to_array().map(f64::recip);
        let back = inverse.map(|x| x.is_sign_negative());
        let (mut first, mut last) = (DVec3::ZERO, DVec3::ZERO);
        for k in 0..3 {
            (first[k], last[k]) = if back[k] {
                (start.min[k] - slack, start.max[k] + slack)
            } else {
                (start.max[k] + slack, start.min[k] - slack)
            };
        }
        Beam { first, last, inverse: DVec3::from_array(inverse), back }
    }

    /// The first time, 0 or more, at which it may meet a box; infinite when it never does.
    #[inline(always)]
    pub(super) fn enters(&self, b: &Aabb) -> f64 {
        let (mut enter, mut leave) = (0.0, f64::INFINITY);
        for k in 0..3 {
            let (near, far) = if self.back[k] { (b.max[k], b.min[k]) } else { (b.min[k], b.max[k]) };
            let (from, to) = ((near - self.first[k]) * self.inverse[k], (far - self.last[k]) * self.inverse[k]);
            enter = if from > enter { from } else { enter };
            leave = if to < leave { to } else { leave };
        }
        if enter <= leave { enter } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(prop_oneof![4 => -size..size, 1 => Just(0.0)]).prop_map(DVec3::from_array)
    }

    proptest! {
        /// A box seen at one of 200 moments is met no later than then, and one that is met is near at the time told.
        #[test]
        fn a_beam_is_never_late(
            from in vector(9.0), way in vector(2.0), size in vector(0.5), at in vector(3.0), extent in vector(1.0),
        ) {
            let start = Aabb::new(from - size.abs(), from + size.abs());
            let wall = Aabb::new(at - extent.abs(), at + extent.abs());
            let beam = Beam::new(&start, way, &wall);
            let time = beam.enters(&wall);
            let moved = |t: f64, by: f64| Aabb::new(start.min + way * t - by, start.max + way * t + by);
            for k in 0..200 {
                let t = 0.1 * f64::from(k);
                prop_assert!(time <= t || !moved(t, 0.0).meets(&wall), "{time} {t}");
            }
            prop_assert!(time == f64::INFINITY || moved(time, 1e-9).meets(&wall), "{time}");
        }
    }

    #[test]
    fn along_a_face_is_met() {
        let wall = Aabb::new(DVec3::ZERO, DVec3::ONE);
        for (from, way, time) in [
            (DVec3::new(-1.0, 1.0, 0.0), DVec3::X, 1.0),
            (DVec3::new(3.0, 0.0, 1.0), DVec3::NEG_X, 2.0),
            (DVec3::new(0.5, 0.5, 0.5), DVec3::Y, 0.0),
            (DVec3::new(-1.0, 1.5, 0.0), DVec3::X, f64::INFINITY),
            (DVec3::new(-1.0, 0.5, 0.0), DVec3::NEG_X, f64::INFINITY),
        ] {
            let found = Beam::new(&Aabb::new(from, from), way, &wall).enters(&wall);
            assert!(found == time || (found <= time && time - found < 2e-14), "{from} {way}: {found}");
        }
    }
}
