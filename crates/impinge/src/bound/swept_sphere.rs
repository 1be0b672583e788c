//! Swept spheres: a ball moved over a point, a segment or a rectangle, whichever is the least in volume.
//!
//! E. Larsen, S. Gottschalk, M. Lin, D. Manocha, *Fast proximity queries with swept sphere volumes*, UNC TR99-018:
//! point, line and rectangle swept spheres (PSS, LSS, RSS), mixed in one tree. All three are a
//! rectangle, with sides of length 0 or not, and a radius; so one distance serves them (`rectangle_distance.rs`).
//!
//! **Fit.** Axes are those of the oriented box, `x` the longest. With the thickness `2r` of the set along `z`, a point
//! at height `z` is covered as far as `ρ` beyond the rectangle; its sides along `x` follow, and so for `y`:
//!
//! ```text
//!     ρ = √(r² − z²)    x₁ = max (x − ρ)    x₀ = min (x + ρ)
//! ```
//!
//! A point that is beyond the corner by `dx` and `dy`, both at most `ρ`, moves the corner out along the diagonal by the
//! least `u` for which it is covered:
//!
//! ```text
//!     (dx − u)² + (dy − u)² ≤ ρ²    u = ½(dx + dy − √(2ρ² − (dx − dy)²))
//! ```
//!
//! A rectangle that grows covers what it covered before, so one pass will do. The segment runs along `x` with the
//! greatest distance from that line for a radius; the point is the centre of a sphere.
//!
//! Invariant: whatever the fit, the radius is the greatest distance of a corner from the rectangle, a little enlarged.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::node_volume::{Bound, Placement};
use super::obb::Obb;
use super::rectangle_distance::{Rectangle, distance};
use super::sphere::Sphere;
use crate::math::EPS;

/// All points within a radius of a rectangle, a segment or a point.
///
/// ```
/// use impinge::{bound::{Bound, SweptSphere}, glam::DVec3};
/// let triangle = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0];
/// let around = SweptSphere::around(&[triangle]);
/// assert!(around.radius() < 1.5 && around.half().iter().all(|half| *half < 1.5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SweptSphere {
    core: Rectangle,
    radius: f64,
}

impl SweptSphere {
    /// Half the lengths of the rectangle's sides: one of them 0 for a segment, both for a point.
    pub fn half(&self) -> [f64; 2] {
        self.core.half
    }

    /// The radius of the sphere.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    #[cfg(test)]
    pub(crate) fn flat(centre: DVec3, sides: [DVec3; 2], half: [f64; 2]) -> SweptSphere {
        SweptSphere { core: Rectangle { centre, sides, half }, radius: 0.0 }
    }

    fn new(core: Rectangle, triangles: &[[DVec3; 3]]) -> SweptSphere {
        let radius = triangles.iter().flatten().fold(0.0, |most: f64, &p| most.max(core.distance_to(p)));
        SweptSphere { core, radius: radius * (1.0 + 8.0 * EPS) }
    }

    /// Slab over the rectangle, half cylinders along its sides, eighths of a ball at its corners.
    fn volume(&self) -> f64 {
        let ([x, y], r) = (self.core.half.map(|h| 2.0 * h), self.radius);
        2.0 * r * x * y + PI * r * r * (x + y) + 4.0 / 3.0 * PI * r * r * r
    }
}

/// What is fitted: the corners in the axes of their oriented box, relative to its middle.
struct Cloud<'t> {
    triangles: &'t [[DVec3; 3]],
    centre: DVec3,
    /// Longest extent first.
    axes: DMat3,
    half: DVec3,
}

impl<'t> Cloud<'t> {
    fn new(triangles: &'t [[DVec3; 3]]) -> Cloud<'t> {
        let b = Obb::around(triangles);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| b.half[j].total_cmp(&b.half[i]));
        let axes = DMat3::from_cols(b.axes.col(order[0]), b.axes.col(order[1]), b.axes.col(order[2]));
        let half = DVec3::new(b.half[order[0]], b.half[order[1]], b.half[order[2]]);
        Cloud { triangles, centre: b.centre, axes, half }
    }

    fn points(&self) -> impl Iterator<Item = DVec3> + '_ {
        let back = self.axes.transpose();
        self.triangles.iter().flatten().map(move |&p| back * (p - self.centre))
    }

    fn core(&self, x: [f64; 2], y: [f64; 2]) -> SweptSphere {
        let middle = self.axes.x_axis * (0.5 * (x[0] + x[1])) + self.axes.y_axis * (0.5 * (y[0] + y[1]));
        let core = Rectangle {
            centre: self.centre + middle,
            sides: [self.axes.x_axis, self.axes.y_axis],
            half: [0.5 * (x[1] - x[0]), 0.5 * (y[1] - y[0])],
        };
        SweptSphere::new(core, self.triangles)
    }

    fn point(&self) -> SweptSphere {
        let core = Rectangle {
            centre: Sphere::around(self.triangles).centre,
            sides: [self.axes.x_axis, self.axes.y_axis],
            half: [0.0; 2],
        };
        SweptSphere::new(core, self.triangles)
    }

    fn segment(&self) -> SweptSphere {
        let across = |p: DVec3| p.y * p.y + p.z * p.z;
        let most = self.points().fold(0.0, |most: f64, p| most.max(across(p)));
        let covered = self.points().map(|p| (p.x, (most - across(p)).max(0.0).sqrt()));
        self.core(side(covered), [0.0; 2])
    }

    fn rectangle(&self) -> SweptSphere {
        let r2 = self.half.z * self.half.z;
        let reach = |p: DVec3| (r2 - p.z * p.z).max(0.0).sqrt();
        let mut x = side(self.points().map(|p| (p.x, reach(p))));
        let mut y = side(self.points().map(|p| (p.y, reach(p))));
        for p in self.points() {
            let (high_x, high_y) = (p.x > 0.5 * (x[0] + x[1]), p.y > 0.5 * (y[0] + y[1]));
            let dx = if high_x { p.x - x[1] } else { x[0] - p.x };
            let dy = if high_y { p.y - y[1] } else { y[0] - p.y };
            let rho = reach(p);
            if dx <= 0.0 || dy <= 0.0 || dx * dx + dy * dy <= rho * rho {
                continue;
            }
            let out = (0.5 * (dx + dy - (2.0 * rho * rho - (dx - dy) * (dx - dy)).max(0.0).sqrt())).max(0.0);
            let grow = |side: &mut [f64; 2], high: bool| side[usize::from(high)] += if high { out } else { -out };
            grow(&mut x, high_x);
            grow(&mut y, high_y);
        }
        self.core(x, y)
    }
}

/// The shortest interval that comes as near to each position as its reach; a single number where one is near enough to
/// all.
fn side(covered: impl Iterator<Item = (f64, f64)>) -> [f64; 2] {
    let [low, high] = covered.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], (at, reach)| {
        [low.min(at + reach), high.max(at - reach)]
    });
    if low <= high { [low, high] } else { [0.5 * (low + high); 2] }
}

impl Bound for SweptSphere {
    type Placed = SweptSphere;

    fn around(triangles: &[[DVec3; 3]]) -> SweptSphere {
        let cloud = Cloud::new(triangles);
        let least = |a: SweptSphere, b: SweptSphere| if b.volume() < a.volume() { b } else { a };
        least(least(cloud.point(), cloud.segment()), cloud.rectangle())
    }

    #[inline]
    fn place(&self, to: &Placement) -> SweptSphere {
        let core = Rectangle {
            centre: to.apply(self.core.centre),
            sides: self.core.sides.map(|s| to.rotation * s),
            half: self.core.half.map(|h| h * to.scale),
        };
        SweptSphere { core, radius: self.radius * to.scale }
    }

    #[inline]
    fn apart(&self, other: &SweptSphere) -> f64 {
        distance(&self.core, &other.core) - self.radius - other.radius
    }

    #[inline]
    fn at_most(&self, other: &SweptSphere) -> f64 {
        let reach = |s: &SweptSphere| s.core.half[0].hypot(s.core.half[1]) + s.radius;
        self.core.centre.distance(other.core.centre) + reach(self) + reach(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_takes_the_volume_that_suits_it() {
        let v = DVec3::new;
        let needle = [v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1e-3, 0.0)];
        let thin = SweptSphere::around(&[needle]);
        assert!(thin.half()[0] > 0.99 && thin.radius() < 1e-3, "{thin:?}");
        let plate = [
            [v(-1.0, -1.0, 0.0), v(1.0, -1.0, 0.0), v(1.0, 1.0, 0.0)],
            [v(-1.0, -1.0, 0.0), v(1.0, 1.0, 0.0), v(-1.0, 1.0, 1e-3)],
        ];
        let flat = SweptSphere::around(&plate);
        assert!(flat.half().iter().all(|h| *h > 0.99) && flat.radius() < 1e-3, "{flat:?}");
        let p = v(0.5, 0.25, 0.125);
        let point = SweptSphere::around(&[[p; 3]]);
        assert!(point.half() == [0.0; 2] && point.radius() == 0.0, "{point:?}");
        let octahedron: Vec<[DVec3; 3]> = [DVec3::X, DVec3::Y, DVec3::Z].map(|e| [e, -e, e]).into_iter().collect();
        let ball = SweptSphere::around(&octahedron);
        assert!(ball.half() == [0.0; 2] && (ball.radius() - 1.0).abs() < 1e-12, "{ball:?}");
    }
}
