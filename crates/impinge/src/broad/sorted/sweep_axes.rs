//! The directions along which coordinates are sorted.
//!
//! Mirtich 1997, §2.3, names two ways out where boxes cluster along an axis, as parts on a floor do: to leave that axis
//! out, and "to skew the axes … so that all three coordinates vary along surfaces like table tops". Boxes then overlap
//! on all directions more often than they meet, and are compared once more.
//!
//! Skewed directions are (2, 2, −1), (−1, 2, 2), (2, −1, 2): at right angles to each other, and every plane of two
//! coordinate axes varies along all three. A box's interval is the sum of three terms, in one order. Rounding is
//! monotone: the sum for the lower end, of terms each at most those of a point in the box, is at most the rounded sum
//! for the point. So boxes with a common point overlap on every direction, without any margin for rounding.

use super::streamed_segment_tree::BoxItem;
use crate::bound::Aabb;

/// Directions to sort along.
///
/// ```
/// use impinge::broad::{BroadPhase, SweepAxes, SweepPrune};
/// let phase = SweepPrune::new(SweepAxes::Two);
/// assert_eq!((SweepAxes::default(), phase.counts().swaps), (SweepAxes::Three, 0));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SweepAxes {
    /// The three coordinate axes.
    #[default]
    Three,
    /// Two of them: the one on which boxes are most crowded when many of them come in is left out.
    Two,
    /// Three that are skewed to the coordinate axes.
    Skewed,
}

const SKEWED: [[f64; 3]; 3] = [[2.0, 2.0, -1.0], [-1.0, 2.0, 2.0], [2.0, -1.0, 2.0]];

/// The directions in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Directions {
    kind: SweepAxes,
    /// The coordinate axes, those that are left out last.
    order: [usize; 3],
}

impl Directions {
    pub(crate) const fn new(kind: SweepAxes, order: [usize; 3]) -> Directions {
        Directions { kind, order }
    }

    pub(crate) fn count(&self) -> usize {
        if self.kind == SweepAxes::Two { 2 } else { 3 }
    }

    /// Lower and upper end along a direction.
    #[inline]
    pub(crate) fn interval(&self, b: &Aabb, direction: usize) -> [f64; 2] {
        if self.kind != SweepAxes::Skewed {
            let axis = self.order[direction];
            return [b.min[axis], b.max[axis]];
        }
        let ends = |axis: usize| {
            let d = SKEWED[direction][axis];
            let (low, high) = (b.min[axis] * d, b.max[axis] * d);
            if d > 0.0 { [low, high] } else { [high, low] }
        };
        let (x, y, z) = (ends(0), ends(1), ends(2));
        [x[0] + y[0] + z[0], x[1] + y[1] + z[1]]
    }

    /// Whether two boxes overlap along all directions.
    #[inline]
    pub(crate) fn overlap(&self, a: &Aabb, b: &Aabb) -> bool {
        (0..self.count()).all(|direction| {
            let (a, b) = (self.interval(a, direction), self.interval(b, direction));
            a[0] <= b[1] && b[0] <= a[1]
        })
    }

    /// The box along the directions, for a search from scratch; the direction that separates most boxes comes last.
    pub(crate) fn item(&self, b: &Aabb, slot: u32) -> BoxItem {
        let mut ends = [[0.0; 2]; 3];
        (0..self.count()).for_each(|direction| ends[2 - direction] = self.interval(b, direction));
        BoxItem::new(ends.map(|e| e[0]), ends.map(|e| e[1]), slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    proptest! {
        /// Boxes with a common point overlap along every direction, also where it is their only one and coordinates are
        /// rounded.
        #[test]
        fn boxes_with_a_common_point_overlap(
            p in prop::array::uniform3(-1e3..1e3),
            t in prop::array::uniform12(prop_oneof![Just(0.0), 0.0..10.0, 0.0..1e9]),
        ) {
            let p = DVec3::from_array(p);
            let v = |k: usize| DVec3::new(t[k], t[k + 1], t[k + 2]);
            let (a, b) = (Aabb::new(p - v(0), p + v(3)), Aabb::new(p - v(6), p + v(9)));
            for kind in [SweepAxes::Three, SweepAxes::Two, SweepAxes::Skewed] {
                prop_assert!(Directions::new(kind, [1, 2, 0]).overlap(&a, &b));
            }
        }
    }

    #[test]
    fn every_plane_of_axes_varies_along_all_three() {
        let directions = Directions::new(SweepAxes::Skewed, [0, 1, 2]);
        for moved in [DVec3::X, DVec3::Y, DVec3::Z] {
            let (o, b) = (Aabb::new(DVec3::ZERO, DVec3::ZERO), Aabb::new(moved, moved));
            (0..3).for_each(|d| assert_ne!(directions.interval(&o, d), directions.interval(&b, d)));
        }
    }
}
