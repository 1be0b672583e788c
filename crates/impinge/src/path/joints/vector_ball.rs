//! Vectors that are not known exactly: all within a ball, and none longer than a bound.
//!
//! Sums and products of such vectors, so that the formulas for the velocity and the acceleration of a link give bounds
//! on them when angles and rates are known within ranges (interval arithmetic with balls, R. Moore 1966). A vector `v`
//! fixed to a body that turns by no more than `θ` stays in the cap around its direction, whose smallest ball has the
//! centre `v·cos θ` and the radius `|v|·sin θ` for `θ ≤ 90°`, and the radius `|v|` around 0 beyond.
//!
//! Invariant: `magnitude` is no less than the sum of the lengths of all terms, so rounding errors are relative to it.

use std::f64::consts::FRAC_PI_2;
use std::ops::Add;

use glam::DVec3;

/// The least and the greatest of some numbers.
pub(super) type Range = [f64; 2];

/// Vectors within `radius` of `centre`, and no longer than `magnitude`.
#[derive(Debug, Clone, Copy)]
pub(super) struct VectorBall {
    pub(super) centre: DVec3,
    /// The length of the centre.
    length: f64,
    pub(super) radius: f64,
    pub(super) magnitude: f64,
}

/// How far a body may have turned: the sine and the cosine of the cap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cap([f64; 2]);

impl Cap {
    pub(super) fn new(angle: f64) -> Cap {
        if angle == 0.0 {
            return Cap([0.0, 1.0]);
        }
        Cap(if angle < FRAC_PI_2 { angle.sin_cos().into() } else { [1.0, 0.0] })
    }

    /// A vector, of the length given, that is fixed to the body.
    pub(super) fn around(self, v: DVec3, length: f64) -> VectorBall {
        let Cap([sine, cosine]) = self;
        VectorBall { centre: v * cosine, length: length * cosine, radius: length * sine, magnitude: length }
    }
}

impl VectorBall {
    pub(super) const ZERO: VectorBall = VectorBall { centre: DVec3::ZERO, length: 0.0, radius: 0.0, magnitude: 0.0 };

    /// No vector is longer.
    pub(super) fn most(&self) -> f64 {
        self.magnitude.min(self.length + self.radius)
    }

    /// The ball of another radius around the same centre.
    pub(super) fn with_radius(&self, radius: f64, magnitude: f64) -> VectorBall {
        VectorBall { radius, magnitude, ..*self }
    }

    pub(super) fn scaled(&self, [low, high]: Range) -> VectorBall {
        let (middle, half, most) = (0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low, low.abs().max(high.abs()));
        let radius = (self.radius * most + self.length * half).min(self.radius * middle.abs() + self.most() * half);
        let length = self.length * middle.abs();
        VectorBall { centre: self.centre * middle, length, radius, magnitude: self.magnitude * most }
    }

    pub(super) fn cross(&self, other: &VectorBall) -> VectorBall {
        let one = self.radius * other.most() + self.length * other.radius;
        let two = self.radius * other.length + self.most() * other.radius;
        let magnitude = self.magnitude * other.magnitude;
        VectorBall::around(self.centre.cross(other.centre), one.min(two), magnitude)
    }

    fn around(centre: DVec3, radius: f64, magnitude: f64) -> VectorBall {
        VectorBall { centre, length: centre.length(), radius, magnitude }
    }

    /// A ball around both.
    pub(super) fn join(&self, other: &VectorBall) -> VectorBall {
        let centre = self.centre.midpoint(other.centre);
        let reach = |ball: &VectorBall| centre.distance(ball.centre) + ball.radius;
        VectorBall::around(centre, reach(self).max(reach(other)), self.magnitude.max(other.magnitude))
    }
}

impl Add for VectorBall {
    type Output = VectorBall;

    fn add(self, other: VectorBall) -> VectorBall {
        let (radius, magnitude) = (self.radius + other.radius, self.magnitude + other.magnitude);
        VectorBall::around(self.centre + other.centre, radius, magnitude)
    }
}
