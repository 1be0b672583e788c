//! A triangle, and a box of a tree, as convex bodies for GJK.

use glam::DVec3;

use crate::narrow::convex::simplex::minkowski::Mapped;
use crate::prim::Triangle;

/// A triangle as a convex body for GJK.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corners(pub(crate) Triangle);

impl Mapped for Corners {
    type Start = ();

    fn start(&self, _: DVec3, _: u32) {}

    #[inline(always)]
    fn farthest(&self, d: DVec3, (): ()) -> (u32, DVec3) {
        // Differences first: a triangle far from the origin loses nothing.
        let [a, b, c] = self.0;
        let (b_up, c_up) = (d.dot(b - a), d.dot(c - a));
        if b_up > 0.0 && b_up >= c_up {
            (1, b)
        } else if c_up > 0.0 {
            (2, c)
        } else {
            (0, a)
        }
    }

    fn named(&self, name: u32) -> Option<DVec3> {
        self.0.get(name as usize).copied()
    }

    fn centre(&self) -> DVec3 {
        let [a, b, c] = self.0;
        a + ((b - a) + (c - a)) / 3.0
    }

    fn radius(&self) -> f64 {
        let centre = self.centre();
        let [a, b, c] = self.0.map(|x| x.distance_squared(centre));
        a.max(b).max(c).sqrt()
    }
}

/// A box of the tree as a convex body for GJK.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cuboid {
    pub(crate) middle: DVec3,
    pub(crate) half: DVec3,
}

impl Mapped for Cuboid {
    type Start = ();

    fn start(&self, _: DVec3, _: u32) {}

    #[inline(always)]
    fn farthest(&self, d: DVec3, (): ()) -> (u32, DVec3) {
        (0, self.middle + DVec3::new(self.half.x.copysign(d.x), self.half.y.copysign(d.y), self.half.z.copysign(d.z)))
    }

    fn named(&self, _: u32) -> Option<DVec3> {
        None
    }

    fn centre(&self) -> DVec3 {
        self.middle
    }

    fn radius(&self) -> f64 {
        self.half.length()
    }
}
