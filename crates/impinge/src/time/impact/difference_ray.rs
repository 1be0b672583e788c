//! A ray and the Minkowski difference that it is cast against: what the casts of [`super::ray_cast`] share.
//!
//! With `a` moving by `r` relative to `b`, the bodies touch at the share `λ` of the way for which `−λ·r` is a point of
//! the [`Difference`]: so the ray leaves the origin along `−r`.

use glam::DVec3;

use crate::answer::Stats;
use crate::math::{EPS, Relative, normalising_scale};
use crate::narrow::convex::simplex::minkowski::{Difference, Mapped};

/// The ray and the difference, in units of the difference.
pub(super) struct DifferenceRay<'m, A: ?Sized, B: ?Sized> {
    pub(super) m: Difference<'m, A, B>,
    pub(super) way: DVec3,
    pub(super) margins: f64,
    /// Points nearer to each other than this are taken to be the same.
    pub(super) near: f64,
}

impl<'m, A: Mapped + ?Sized, B: Mapped + ?Sized> DifferenceRay<'m, A, B> {
    pub(super) fn new(a: &'m A, b: &'m B, b_in_a: &Relative, way: DVec3, margins: f64) -> Self {
        let mut m = Difference::new(a, b, *b_in_a);
        let (centre, radius) = (m.centre / m.scale, m.radius / m.scale);
        let size = centre.length() + radius + margins + way.length();
        m.scale = if (1e-30..1e30).contains(&size) { 1.0 } else { normalising_scale(size) };
        (m.centre, m.radius) = (centre * m.scale, radius * m.scale);
        let near = 64.0 * EPS * size * m.scale;
        DifferenceRay { way: way * m.scale, margins: margins * m.scale, near, m }
    }

    /// The rounding error of a height along `n`, from how far the difference and the way reach along each axis: so the
    /// width of a floor does not add to the error of heights above it. Where `b` is turned, each axis has the error of
    /// the longest one.
    #[cold]
    pub(super) fn noise_along(&self, n: DVec3, stats: &mut Stats) -> f64 {
        let mut reach = self.way.abs();
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            for d in [axis, -axis] {
                let [p, q] = self.m.support(d, [0; 2], stats).points;
                reach = reach.max((p.abs() + q.abs()) * self.m.scale);
            }
        }
        let turned = if self.m.b_in_a.is_rotated() { reach.max_element() } else { 0.0 };
        let along = n.abs().dot(reach + self.margins + turned);
        64.0 * EPS * along
    }
}

impl<'m, A: ?Sized, B: ?Sized> DifferenceRay<'m, A, B> {
    /// The same ray, with other views of the bodies.
    #[inline(always)]
    pub(super) fn between<'k, C: ?Sized, D: ?Sized>(&self, a: &'k C, b: &'k D) -> DifferenceRay<'k, C, D> {
        DifferenceRay { m: self.m.between(a, b), way: self.way, margins: self.margins, near: self.near }
    }
}
