//! Functions of time that are zero when features of two triangles touch, for one body that turns steadily.
//!
//! Xavier 1997, eq. 4: in the frame of a body that does not turn, a point of the other with the arm `u` from its centre
//! is at
//! `p(s) = R(s·ω)·u + c + s·v`. With `k` the unit axis, `θ` the rate, `C = cos sθ`, `S = sin sθ`, for any two vectors
//!
//! ```text
//!     x·R·y = (x·k)(y·k) + C·(x·y − (x·k)(y·k)) + S·x·(k × y)                                (Rodrigues)
//! ```
//!
//! and so, with `q` a point of the other body,
//!
//! ```text
//!     moving vertex, fixed face with normal n:   n·R·u + n·(c − q) + s·n·v
//!     moving face with normal m, fixed vertex:   (q − c)·R·m − m·u − s·v·R·m
//!     moving edge e, fixed edge h:               h·R·(u × e) + (h × (c − q))·R·e + s·(h × v)·R·e
//! ```
//!
//! are all of the form `a + bC + cS + s(e + fC + gS)`, the first with `f = g = 0`. The last is `(R·e) × h · (p − q)`, a
//! volume in which `R·u × R·e` contracts to `R·(u × e)`, so that no products of sines are left.
//!
//! Invariant: where the absolute value of a function is above its `error_bound`, it has the sign of the volume that it
//! computes. This holds for the volume of the exact motion, and for that of the rounded coordinates which a static test
//! at that time uses.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat3, DVec3};

use crate::math::{EPS, Interval};
use crate::path::{Motion, Steady};
use crate::prim::Triangle;

/// The number of roundings of a length on its way into a coefficient. Arms are also turned, and count twice.
const ROUNDINGS: f64 = 16.0;

/// One body's motion from some time on, in the frame of the other body, which does not turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RelativeMotion {
    /// Which body moves.
    pub(crate) mover: usize,
    /// Unit, or zero where nothing turns.
    axis: DVec3,
    /// Radians per unit of time.
    rate: f64,
    /// The velocity of the mover's centre, and where the centre is at the beginning.
    velocity: DVec3,
    centre: DVec3,
    /// The mover's orientation at the beginning, and its centre in its own frame.
    turn: DMat3,
    pivot: DVec3,
    /// The sum of the lengths that rounding is relative to, without those of the triangles.
    size: f64,
    /// The longest time since a motion's start, and the greatest relative speed of the centres.
    since: f64,
    speed: f64,
}

impl RelativeMotion {
    /// The relative motion between two times; `None` where both bodies turn.
    pub(crate) fn new(motions: &[Steady; 2], from: f64, to: f64) -> Option<RelativeMotion> {
        let mover = usize::from(motions[0].is_straight());
        let (moving, still) = (&motions[mover], &motions[1 - mover]);
        if !still.is_straight() {
            return None;
        }
        let [pose, frame] = [moving.pose(from), still.pose(from)];
        let into = frame.rotation_matrix().transpose();
        let rate = moving.spin().length();
        let axis = if rate > 0.0 { into * (moving.spin() / rate) } else { DVec3::ZERO };
        let centre = into * (moving.centre_at(from) - frame.translation());
        let speed = moving.velocity().length() + still.velocity().length();
        let since = [moving, still].iter().fold(0.0, |m: f64, x| m.max((from - x.start()).abs()).max(to - x.start()));
        let size = pose.translation().length() + frame.translation().length() + centre.length() + speed * (to - from);
        Some(RelativeMotion {
            mover,
            axis,
            rate,
            velocity: into * (moving.velocity() - still.velocity()),
            centre,
            turn: into * pose.rotation_matrix(),
            pivot: moving.centre(),
            size,
            since,
            speed,
        })
    }

    /// How long a quarter turn takes; infinite where nothing turns.
    pub(crate) fn quarter_turn(&self) -> f64 {
        if self.rate > 0.0 { FRAC_PI_2 / self.rate } else { f64::INFINITY }
    }

    /// Bounds on the speed and on the acceleration of every point of the mover's triangle, rounded up.
    pub(crate) fn speed_of(&self, moving: &Triangle) -> [f64; 2] {
        let arm = |x: DVec3| self.axis.cross(self.turn * (x - self.pivot)).length();
        let farthest = moving.iter().fold(0.0, |m: f64, x| m.max(arm(*x))) * (1.0 + 1e-12);
        [self.velocity.length() * (1.0 + 1e-12) + self.rate * farthest, self.rate * self.rate * farthest]
    }

    /// The velocity of the point of the mover that is at `p`, at the time `since` after the beginning.
    pub(crate) fn velocity_at(&self, p: DVec3, since: f64) -> DVec3 {
        self.velocity + self.axis.cross(p - self.centre - self.velocity * since) * self.rate
    }

    /// How far rounding may move a corner of a triangle, in the functions or in a static test.
    pub(crate) fn corner_error(&self, triangles: [&Triangle; 2]) -> f64 {
        let reach = |t: &Triangle| t.iter().fold(0.0, |m: f64, x| m.max(x.length()));
        let size = self.size + 2.0 * (reach(triangles[0]) + reach(triangles[1]) + self.pivot.length());
        // Times are rounded, and so are angles.
        let time_error = self.since * (self.speed + self.rate * (reach(triangles[self.mover]) + self.pivot.length()));
        ROUNDINGS * EPS * size + 8.0 * EPS * time_error
    }

    /// `x·R·y` as coefficients of 1, `C` and `S`.
    fn turned(&self, x: DVec3, y: DVec3) -> [f64; 3] {
        let along = x.dot(self.axis) * y.dot(self.axis);
        [along, x.dot(y) - along, x.dot(self.axis.cross(y))]
    }
}

/// Two triangles in the frame of the one that is taken as fixed, with all lengths scaled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeaturePairs {
    relative: RelativeMotion,
    /// The moving triangle's corners from the centre, at the beginning; the fixed triangle's corners.
    arms: Triangle,
    corners: Triangle,
    corner_error: f64,
}

impl FeaturePairs {
    /// `triangles` are in the frames of their bodies; `scale` is a power of two.
    pub(crate) fn new(relative: &RelativeMotion, triangles: [&Triangle; 2], scale: f64) -> FeaturePairs {
        let (moving, fixed) = (triangles[relative.mover], triangles[1 - relative.mover]);
        let corner_error = scale * relative.corner_error(triangles);
        let mut relative = *relative;
        let arms = moving.map(|x| relative.turn * (x - relative.pivot) * scale);
        (relative.velocity, relative.centre) = (relative.velocity * scale, relative.centre * scale);
        FeaturePairs { relative, arms, corners: fixed.map(|x| x * scale), corner_error }
    }

    /// The corners of the moving triangle over the plane of the fixed one.
    pub(crate) fn vertices_over_face(&self) -> [ContactFunction; 3] {
        let [p, q, r] = self.corners;
        let (n, error_bound) = self.normal(q - p, r - p);
        self.arms.map(|u| {
            let mut constant = self.relative.turned(n, u);
            constant[0] += n.dot(self.relative.centre - p);
            self.function(constant, [n.dot(self.relative.velocity), 0.0, 0.0], error_bound)
        })
    }

    /// The corners of the fixed triangle over the plane of the moving one.
    pub(crate) fn face_under_vertices(&self) -> [ContactFunction; 3] {
        let [p, q, r] = self.arms;
        let (m, error_bound) = self.normal(q - p, r - p);
        self.corners.map(|x| {
            let mut constant = self.relative.turned(x - self.relative.centre, m);
            constant[0] -= m.dot(p);
            self.function(constant, self.relative.turned(-self.relative.velocity, m), error_bound)
        })
    }

    /// The function of an edge of the moving triangle and one of the fixed triangle, each named by its first corner.
    ///
    /// `None` where the edges stay parallel, or one has no length: the function is then zero at all times. It is not
    /// needed either: when parallel edges meet, a corner of one is on the other edge, and so in the plane of its
    /// face.
    pub(crate) fn edges(&self, i: usize, j: usize) -> Option<ContactFunction> {
        let (u, q) = (self.arms[i], self.corners[j]);
        let (e, h) = (self.arms[(i + 1) % 3] - u, self.corners[(j + 1) % 3] - q);
        let parallel = |x: DVec3, y: DVec3| x.cross(y).length() <= 16.0 * EPS * x.length() * y.length();
        let axis = self.relative.axis;
        if parallel(e, h) && (self.relative.rate == 0.0 || parallel(e, axis) && parallel(h, axis)) {
            return None;
        }
        let [x, y] = [self.relative.turned(h, u.cross(e)), self.relative.turned(h.cross(self.relative.centre - q), e)];
        let constant = [x[0] + y[0], x[1] + y[1], x[2] + y[2]];
        let error_bound = 4.0 * self.corner_error * e.length() * h.length();
        Some(self.function(constant, self.relative.turned(h.cross(self.relative.velocity), e), error_bound))
    }

    /// The normal of a triangle with the edges `u` and `v`, and the error bound of heights over its plane, times the
    /// length of the normal. When a corner lies on the triangle, moving one of the four corners changes its height by
    /// no more than the corner moves. The normal itself has the rounding error of the product of the edges.
    fn normal(&self, u: DVec3, v: DVec3) -> (DVec3, f64) {
        let n = u.cross(v);
        (n, self.corner_error * (4.0 * n.length() + u.length() * v.length()))
    }

    fn function(&self, constant: [f64; 3], drift: [f64; 3], error_bound: f64) -> ContactFunction {
        let rate = self.relative.rate;
        if rate == 0.0 {
            let all = |c: [f64; 3]| [c[0] + c[1], 0.0, 0.0];
            return ContactFunction { constant: all(constant), drift: all(drift), rate, error_bound };
        }
        ContactFunction { constant, drift, rate, error_bound }
    }
}

/// `a + bC + cS + s(e + fC + gS)`, with `s` the time since the beginning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactFunction {
    /// `a`, `b`, `c`.
    pub(crate) constant: [f64; 3],
    /// `e`, `f`, `g`.
    pub(crate) drift: [f64; 3],
    pub(crate) rate: f64,
    /// A value no greater than this, of either sign, may be a rounded zero.
    pub(crate) error_bound: f64,
}

impl ContactFunction {
    #[inline]
    pub(crate) fn value(&self, s: f64) -> f64 {
        self.with_slope(s)[0]
    }

    /// The value and the derivative at time `s`.
    #[inline]
    pub(crate) fn with_slope(&self, s: f64) -> [f64; 2] {
        let ([a, b, c], [e, f, g]) = (self.constant, self.drift);
        if self.rate == 0.0 {
            return [a + s * e, e];
        }
        let (sine, cosine) = (s * self.rate).sin_cos();
        let drift = e + f * cosine + g * sine;
        let bent = (c + s * g) * cosine - (b + s * f) * sine;
        [a + b * cosine + c * sine + s * drift, drift + self.rate * bent]
    }

    /// A bound on the second derivative up to time `s`.
    pub(crate) fn curvature(&self, s: f64) -> f64 {
        let ([_, b, c], [_, f, g]) = (self.constant, self.drift);
        let (turning, drifting) = (b.hypot(c), f.hypot(g));
        self.rate * (self.rate * (turning + s * drifting) + 2.0 * drifting) * (1.0 + 1e-12)
    }

    /// Whether all coefficients are finite, so that values can be compared.
    pub(crate) fn is_finite(&self) -> bool {
        let sum = self.constant.iter().chain(&self.drift).fold(self.error_bound + self.rate, |sum, x| sum + x.abs());
        sum.is_finite()
    }
}

/// An interval of times since `from`, as an interval of times of the motion, rounded outward.
pub(crate) fn times(from: f64, [low, high]: [f64; 2], to: f64) -> Interval {
    Interval { lower: (from + low).next_down().max(from), upper: (from + high).next_up().min(to) }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::math::{Pose, Relative};

    /// Every function equals the determinant of the corners at that time, at any angle, whichever body turns.
    #[test]
    fn functions_equal_the_determinants() {
        let a = [DVec3::new(0.3, -1.0, 0.2), DVec3::new(1.1, 0.4, -0.3), DVec3::new(-0.2, 0.8, 0.9)];
        let b = [DVec3::new(-0.7, 0.1, 0.5), DVec3::new(0.6, -0.9, 0.1), DVec3::new(0.2, 0.3, -1.2)];
        let pose = |x: f64, turn: f64| {
            Pose::new(DVec3::new(x, 0.4, -0.2), DQuat::from_scaled_axis(DVec3::new(turn, 0.3, -turn))).unwrap()
        };
        let turning =
            Steady::screw(pose(0.1, 0.7), DVec3::new(0.5, 0.2, 0.1), DVec3::new(1.0, -2.0, 0.5), DVec3::Y, 0.3)
                .unwrap();
        let straight = Steady::straight(pose(-0.3, -0.4), DVec3::new(0.2, 0.1, -0.5), -1.0).unwrap();
        for motions in [[turning, straight], [straight, turning], [straight, straight]] {
            let from = 0.7;
            let relative = RelativeMotion::new(&motions, from, from + 8.0).unwrap();
            let pairs = FeaturePairs::new(&relative, [&a, &b], 1.0);
            for s in [0.0, 0.01, 1.3, 7.9] {
                let place = Relative::new(&motions[0].pose(from + s), &motions[1].pose(from + s));
                let placed = [a, b.map(|x| place.apply(x))];
                let (moving, fixed) = (placed[relative.mover], placed[1 - relative.mover]);
                let over = |[p, q, r]: Triangle, x: DVec3| (q - p).cross(r - p).dot(x - p);
                for k in 0..3 {
                    let [f, g] = [pairs.vertices_over_face()[k], pairs.face_under_vertices()[k]];
                    assert!((f.value(s) - over(fixed, moving[k])).abs() <= f.error_bound, "vertex {k} at {s}");
                    assert!((g.value(s) - over(moving, fixed[k])).abs() <= g.error_bound, "face {k} at {s}");
                    for j in 0..3 {
                        let edge = |t: Triangle, i: usize| t[(i + 1) % 3] - t[i];
                        let volume = edge(moving, k).cross(edge(fixed, j)).dot(moving[k] - fixed[j]);
                        let h = pairs.edges(k, j).unwrap();
                        assert!((h.value(s) - volume).abs() <= h.error_bound, "edges {k}, {j} at {s}");
                        let slope = (h.value(s + 1e-6) - h.value(s - 1e-6)) / 2e-6;
                        assert!((h.with_slope(s)[1] - slope).abs() < 1e-7, "slope at {s}");
                    }
                }
            }
        }
    }
}
