//! The plane between two polyhedra that are apart: the lower bound on the distance that closest points give.
//!
//! No points of the bodies are nearer than the extreme ones along any direction, for any direction. Along that of two
//! closest points the two bounds meet. Where the points are near each other, rounding turns the direction from one to
//! the other, and the bound is poor; the features that carry the points have a better one: the normal of a face, the
//! common normal of two edges, or the line between the points made square to an edge.

use glam::DVec3;

use super::two_polyhedra::{ClosestFeatures, HullFeature, Polyhedra};

impl Polyhedra<'_> {
    /// Whether the points prove that the bodies are apart. Far apart the engines' own tests are enough; where a bit of
    /// rounding might have led them to features that face away from each other, the supports along the points have to
    /// agree.
    #[inline(always)]
    pub(crate) fn is_proven(&self, near: &ClosestFeatures) -> bool {
        let distance = near.distance();
        distance > 1e-4 * (self.a.radius() + self.b.radius()) || self.is_gap(near, distance)
    }

    #[inline(never)]
    fn is_gap(&self, near: &ClosestFeatures, distance: f64) -> bool {
        let noise = self.noise(0.0);
        if distance <= noise {
            return false;
        }
        let gap = self.gap_along(self.across(near, distance));
        gap > noise && distance - gap <= 1e-3 * distance + 8.0 * noise
    }

    /// A lower bound on the distance: `lower` or better; where the points are the closest ones, it is their distance.
    pub(crate) fn at_least(&self, near: &ClosestFeatures, lower: f64) -> f64 {
        let distance = near.distance();
        if distance - lower <= self.noise(distance) {
            return lower;
        }
        let feet = self.closest_points(near.features);
        let straight = (near.points[1] - near.points[0]) / distance;
        [straight, self.across(near, distance), self.across(&feet, feet.distance())]
            .into_iter()
            .filter(|n| n.is_finite())
            .map(|n| self.gap_along(n))
            .fold(lower, f64::max)
    }

    /// The direction from `a` to `b` in which features at a distance face each other. That of points near each other is
    /// mostly rounding; that of faces and edges is not.
    fn across(&self, near: &ClosestFeatures, distance: f64) -> DVec3 {
        let [p, q] = near.points;
        let straight = (q - p) / distance;
        let along_a = |e: u32| self.a.edge(e).direction;
        let along_b = |e: u32| self.b_in_a.rotation * self.b.edge(e).direction;
        let square_to = |d: DVec3| (straight - d * d.dot(straight)).normalize();
        match near.features {
            [HullFeature::Face(f), _] => self.a.face(f).normal,
            [_, HullFeature::Face(f)] => -(self.b_in_a.rotation * self.b.face(f).normal),
            [HullFeature::Edge(e), HullFeature::Edge(g)] => {
                let cross = along_a(e).cross(along_b(g));
                let n = if cross.length_squared() > 1e-12 { cross.normalize() } else { square_to(along_a(e)) };
                n * n.dot(q - p).signum()
            }
            [HullFeature::Edge(e), _] => square_to(along_a(e)),
            [_, HullFeature::Edge(g)] => square_to(along_b(g)),
            _ => straight,
        }
    }

    /// What lies between the bodies along the unit vector `n`; negative where it does not part them.
    pub(crate) fn gap_along(&self, n: DVec3) -> f64 {
        let highest = self.a.vertex(self.a.support(n, 0));
        let lowest = self.b_in_a.apply(self.b.vertex(self.b.support(-(self.b_in_a.rotation.transpose() * n), 0)));
        n.dot(lowest - highest)
    }
}
