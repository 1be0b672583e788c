//! Bounding spheres of the nodes of a tree, after S. Quinlan, *Efficient distance computation between non-convex
//! objects*, ICRA 1994.
//!
//! The sphere of a node is the smaller of two: the one about the mean of the corners below it, and the one around the
//! spheres of its children. A third is tried besides, about the middle of the box: it is smaller where corners crowd.
//! Quinlan covers each triangle of a leaf by a grid of small spheres; here the triangles themselves are the leaves, so
//! spheres only serve to drop pairs.
//!
//! Invariant: no corner is farther from the centre than the radius. Cost: three passes over the corners; a bound is one
//! square root.

use glam::DVec3;

use super::node_volume::{Bound, Placement};
use crate::math::EPS;

/// A ball by its centre and radius.
///
/// ```
/// use impinge::{bound::{Bound, Placement, Sphere}, glam::DVec3};
/// let triangle = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0];
/// let around = Sphere::around(&[triangle]);
/// let aside = around.place(&Placement { translation: DVec3::Z * 10.0, ..Placement::IDENTITY });
/// let apart = around.apart(&aside);
/// assert!(apart <= 10.0 && apart > 6.0 && around.at_most(&aside) >= 10.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// The centre.
    pub centre: DVec3,
    /// The radius.
    pub radius: f64,
}

impl Sphere {
    /// The smallest ball about `centre` with all the points in it.
    fn about(centre: DVec3, points: impl Iterator<Item = DVec3>) -> Sphere {
        let squared = points.fold(0.0, |most: f64, p| most.max(p.distance_squared(centre)));
        // Subtraction, square, sum and root round nine times; the ball is a little larger.
        Sphere { centre, radius: squared.sqrt() * (1.0 + 8.0 * EPS) }
    }

    /// The smallest ball around two: one of them, or the one that spans both along the line of their centres.
    fn merged(&self, o: &Sphere) -> Sphere {
        let between = o.centre - self.centre;
        let apart = between.length();
        if apart + o.radius <= self.radius {
            return *self;
        }
        if apart + self.radius <= o.radius {
            return *o;
        }
        let radius = 0.5 * (apart + self.radius + o.radius);
        let centre = self.centre + between * ((radius - self.radius) / apart);
        Sphere { centre, radius: radius * (1.0 + 16.0 * EPS) }
    }
}

impl Bound for Sphere {
    type Placed = Sphere;

    fn around(triangles: &[[DVec3; 3]]) -> Sphere {
        let corners = || triangles.iter().flatten().copied();
        let count = 3 * triangles.len().max(1);
        let mean = corners().sum::<DVec3>() / count as f64;
        let low = corners().fold(DVec3::INFINITY, DVec3::min);
        let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
        let (mean, middle) = (Sphere::about(mean, corners()), Sphere::about((low + high) * 0.5, corners()));
        if mean.radius <= middle.radius { mean } else { middle }
    }

    /// The children's spheres, merged one by one, where that gives a smaller one.
    fn tighten(&mut self, children: &[Sphere]) {
        let merged = children.iter().copied().reduce(|ball, child| ball.merged(&child));
        *self = merged.filter(|ball| ball.radius < self.radius).unwrap_or(*self);
    }

    #[inline]
    fn place(&self, to: &Placement) -> Sphere {
        Sphere { centre: to.apply(self.centre), radius: self.radius * to.scale }
    }

    #[inline]
    fn apart(&self, other: &Sphere) -> f64 {
        self.centre.distance(other.centre) - self.radius - other.radius
    }

    #[inline]
    fn at_most(&self, other: &Sphere) -> f64 {
        self.centre.distance(other.centre) + self.radius + other.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_contains_both_and_keeps_one_that_contains_the_other() {
        let ball = |x: f64, radius: f64| Sphere { centre: DVec3::new(x, 0.0, 0.0), radius };
        let both = ball(-1.0, 1.0).merged(&ball(3.0, 2.0));
        assert!((both.centre.x - 1.5).abs() < 1e-15 && (both.radius - 3.5).abs() < 1e-14, "{both:?}");
        assert_eq!(ball(0.0, 2.0).merged(&ball(0.5, 1.0)), ball(0.0, 2.0));
        assert_eq!(ball(0.5, 1.0).merged(&ball(0.0, 2.0)), ball(0.0, 2.0));
        assert_eq!(ball(1.0, 0.0).merged(&ball(1.0, 0.0)), ball(1.0, 0.0));
    }

    /// Quinlan's choice: two far clusters of unequal number have a mean that is far from the middle.
    #[test]
    fn children_give_the_smaller_sphere_where_corners_crowd() {
        let at = |x: f64| [DVec3::new(x, 0.0, 0.0), DVec3::new(x, 0.1, 0.0), DVec3::new(x, 0.0, 0.1)];
        let (left, right) = (Sphere::around(&[at(-1.0)]), Sphere::around(&[at(1.0)]));
        let all = Sphere::around(&[at(-1.0), at(-1.0), at(-1.0), at(1.0)]);
        let mut tight = all;
        tight.tighten(&[left, right]);
        assert!(tight.radius <= all.radius && tight.radius < 1.01 + 0.08, "{tight:?} of {all:?}");
    }
}
