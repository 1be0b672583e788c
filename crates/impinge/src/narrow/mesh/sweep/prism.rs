//! A triangle that moves straight, as a convex body for GJK: the prism of all its positions (Xavier 1997, §2.2).
//!
//! The support of a sum is the sum of the supports, so one corner is found as of a triangle that stands still, and
//! then moved to the end of the way that is farther along the direction. Figure: `docs/figures/prism.svg`.

use glam::DVec3;

use crate::narrow::convex::simplex::minkowski::Mapped;
use crate::narrow::mesh::placed::gjk_shapes::Corners;

/// Corners at the end of the way are named from here on.
pub(crate) const ENDED: u32 = 4;

/// A triangle that moves from `−half` to `half`, as a convex body for GJK.
pub(crate) struct Prism {
    pub(crate) corners: Corners,
    pub(crate) half: DVec3,
}

impl Mapped for Prism {
    type Start = ();

    fn start(&self, _: DVec3, _: u32) {}

    #[inline(always)]
    fn farthest(&self, d: DVec3, (): ()) -> (u32, DVec3) {
        let (name, corner) = self.corners.farthest(d, ());
        if d.dot(self.half) > 0.0 { (name + ENDED, corner + self.half) } else { (name, corner - self.half) }
    }

    fn named(&self, name: u32) -> Option<DVec3> {
        let corner = self.corners.named(name % ENDED)?;
        Some(if name >= ENDED { corner + self.half } else { corner - self.half })
    }

    fn centre(&self) -> DVec3 {
        self.corners.centre()
    }

    fn radius(&self) -> f64 {
        self.corners.radius() + self.half.length()
    }
}
