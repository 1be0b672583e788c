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
use crate::math::EPS;
use crate::math::simd::{Simd, Vector};
use crate::tree::descent::line::{TreeLine, inverse};
use crate::tree::nodes::{Tree, TreeNode};

/// How much larger than the unit of a tree a start may be for lengths in `f32`.
const LARGEST: f64 = 1e15;

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

/// The same against the boxes of a tree, eight at once, from a moment shortly before the tree is reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct TreeBeam {
    way: Way,
    /// The moment, and the speed in units of the tree.
    shift: f64,
    speed: f64,
    /// How far places along the way are off, in units of the tree.
    off: f64,
}

#[derive(Debug, Clone, Copy)]
enum Way {
    /// It meets no box.
    Beside,
    Line(TreeLine),
    /// It may meet every box, at once: the start is much larger than the tree.
    Over,
}

impl TreeBeam {
    /// That of a start without bounds.
    pub(super) const OVER: TreeBeam = TreeBeam { way: Way::Over, shift: 0.0, speed: 0.0, off: 0.0 };

    /// `bounds` holds all boxes of the tree; `start` moves along `start + t·direction`, as in the beam.
    pub(super) fn new(tree: &Tree, bounds: &Aabb, beam: &Beam, start: &Aabb, direction: DVec3) -> TreeBeam {
        let enter = if bounds.is_empty() { f64::INFINITY } else { beam.enters(bounds) };
        let (middle, half) = (start.centre(), (start.max - start.min) * 0.5);
        let size = (bounds.max - bounds.min).max_element() + half.max_element();
        if enter == f64::INFINITY || size / tree.unit > LARGEST {
            let way = if enter == f64::INFINITY { Way::Beside } else { Way::Over };
            return TreeBeam { way, ..TreeBeam::OVER };
        }
        let largest = direction.abs().max_element();
        let (speed, unit) = match direction / largest {
            part if largest > 0.0 => (part.length() * largest, part.normalize()),
            _ => (0.0, DVec3::X),
        };
        // So long before the boxes that nothing is met there yet.
        let shift = if enter * speed > 2.0 * size { enter - 0.5 * size / speed } else { 0.0 };
        let reach = middle.abs().max_element() + bounds.reach() + half.max_element();
        let off = if shift > 0.0 { 16.0 * EPS * reach } else { 0.0 };
        let line = TreeLine::new(tree, middle + direction * shift, inverse(unit), off).widened(half / tree.unit);
        TreeBeam { way: Way::Line(line), shift, speed: speed / tree.unit, off: 4.0 * off / tree.unit }
    }

    /// What the bounds of [`TreeBeam::enters`] are compared with, to keep all that is met until a time.
    #[inline(always)]
    pub(super) fn limit(&self, time: f64) -> f32 {
        if time < 0.0 {
            return f32::NEG_INFINITY;
        }
        let way = if self.speed > 0.0 { (time - self.shift) * self.speed } else { 0.0 };
        TreeLine::above(way + self.off).min(f32::MAX)
    }

    /// Bounds on how far along the way boxes are met, and which are met until the limit.
    #[inline(always)]
    pub(super) fn enters<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
        let now = S::F32x8::splat(0.0);
        match &self.way {
            Way::Beside => (now, 0),
            Way::Line(line) => line.spans::<S>(node, limit),
            Way::Over => (now, node.in_use::<S>()),
        }
    }
}

/// The straight way of a box.
#[derive(Debug, Clone, Copy)]
pub(super) struct StraightWay {
    start: Aabb,
    direction: DVec3,
    beam: Beam,
    pub(super) in_tree: TreeBeam,
}

impl StraightWay {
    /// From `start` along `start + t·direction`, until the time `end`.
    pub(super) fn new(start: Aabb, direction: DVec3, end: f64) -> StraightWay {
        // Larger by the rounding of all later places.
        let start = start.grown(1e-12 * (start.reach() + (direction * end).abs().max_element()));
        let beam = Beam::new(&start, direction, &Aabb::EMPTY);
        StraightWay { start, direction, beam, in_tree: TreeBeam::OVER }
    }

    /// A tree comes next, all of whose boxes are in `bounds`.
    pub(super) fn enter(&mut self, tree: &Tree, bounds: &Aabb) {
        self.beam = Beam::new(&self.start, self.direction, bounds);
        self.in_tree = TreeBeam::new(tree, bounds, &self.beam, &self.start, self.direction);
    }

    /// As of the beam.
    #[inline(always)]
    pub(super) fn enters(&self, b: &Aabb) -> f64 {
        self.beam.enters(b)
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
