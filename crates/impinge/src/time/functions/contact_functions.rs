//! When features of two triangles can touch: functions of time that vanish then, for one body that turns steadily.
//!
//! Xavier 1997, eq. 4: seen by a body that does not turn, a point of the other with the arm `u` from its centre is at
//! `p(s) = R(s·ω)·u + c + s·v`. With `k` the unit axis, `θ` the rate, `C = cos sθ`, `S = sin sθ`, for any two vectors
//!
//! ```text
//!     x·R·y = (x·k)(y·k) + C·(x·y − (x·k)(y·k)) + S·x·(k × y)                                (Rodrigues)
//! ```
//!
//! and so, with `q` a point of the other body,
//!
//! ```text
//!     moving vertex, standing face with normal n:   n·R·u + n·(c − q) + s·n·v
//!     moving face with normal m, standing vertex:   (q − c)·R·m − m·u − s·v·R·m
//!     moving edge e, standing edge h:               h·R·(u × e) + (h × (c − q))·R·e + s·(h × v)·R·e
//! ```
//!
//! are all of the form `a + bC + cS + s(e + fC + gS)`, the first with `f = g = 0`. The last is `(R·e) × h · (p − q)`, a
//! volume in which `R·u × R·e` contracts to `R·(u × e)`, so that no products of sines are left.
//!
//! Invariant: where a function is beyond its `doubt` it has the sign of the volume that it stands for, whether of the
//! motion in real numbers or of the coordinates that a static test at that time sees.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat3, DVec3};

use crate::math::{EPS, Interval};
use crate::path::{Motion, Steady};
use crate::prim::Triangle;

/// Roundings of a length between the poses and the coefficients; arms, which are turned as well, count twice.
const ROUNDINGS: f64 = 16.0;

/// A body's motion from a time on, as the other body, which does not turn, sees it; in the frame of that other body.
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
    /// The largest of the lengths that rounding is relative to, without those of the triangles.
    size: f64,
    /// The time since the motions were given, and the greatest speed of a centre.
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

    /// How far rounding may move a corner of either triangle, in the functions or in a static test.
    pub(crate) fn blur(&self, triangles: [&Triangle; 2]) -> f64 {
        let reach = |t: &Triangle| t.iter().fold(0.0, |m: f64, x| m.max(x.length()));
        let size = self.size + 2.0 * (reach(triangles[0]) + reach(triangles[1]) + self.pivot.length());
        // Times are rounded, and so are angles.
        let late = self.since * (self.speed + self.rate * (reach(triangles[self.mover]) + self.pivot.length()));
        ROUNDINGS * EPS * size + 8.0 * EPS * late
    }

    /// `x·R·y` as coefficients of 1, `C` and `S`.
    fn turned(&self, x: DVec3, y: DVec3) -> [f64; 3] {
        let along = x.dot(self.axis) * y.dot(self.axis);
        [along, x.dot(y) - along, x.dot(self.axis.cross(y))]
    }
}

/// Two triangles, one of which moves as seen from the other, with all lengths scaled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeaturePairs {
    seen: RelativeMotion,
    /// The moving triangle's corners from the centre, at the beginning; the standing triangle's corners.
    arms: Triangle,
    corners: Triangle,
    blur: f64,
}

impl FeaturePairs {
    /// Of triangles in their own frames; `scale` is a power of two.
    pub(crate) fn new(seen: &RelativeMotion, triangles: [&Triangle; 2], scale: f64) -> FeaturePairs {
        let (moving, standing) = (triangles[seen.mover], triangles[1 - seen.mover]);
        let blur = scale * seen.blur(triangles);
        let mut seen = *seen;
        let arms = moving.map(|x| seen.turn * (x - seen.pivot) * scale);
        (seen.velocity, seen.centre) = (seen.velocity * scale, seen.centre * scale);
        FeaturePairs { seen, arms, corners: standing.map(|x| x * scale), blur }
    }

    /// The corners of the moving triangle over the plane of the standing one.
    pub(crate) fn vertices_over_face(&self) -> [ContactFunction; 3] {
        let [p, q, r] = self.corners;
        let (n, doubt) = self.normal(q - p, r - p);
        self.arms.map(|u| {
            let mut constant = self.seen.turned(n, u);
            constant[0] += n.dot(self.seen.centre - p);
            self.function(constant, [n.dot(self.seen.velocity), 0.0, 0.0], doubt)
        })
    }

    /// The corners of the standing triangle over the plane of the moving one.
    pub(crate) fn face_under_vertices(&self) -> [ContactFunction; 3] {
        let [p, q, r] = self.arms;
        let (m, doubt) = self.normal(q - p, r - p);
        self.corners.map(|x| {
            let mut constant = self.seen.turned(x - self.seen.centre, m);
            constant[0] -= m.dot(p);
            self.function(constant, self.seen.turned(-self.seen.velocity, m), doubt)
        })
    }

    /// The function of an edge of the moving triangle and one of the standing triangle, each named by its first corner.
    ///
    /// `None` where the edges stay parallel, or one has no length: the function then vanishes altogether. It is not
    /// needed either: parallel edges meet no sooner than a corner of one comes to the other edge, and so into the plane
    /// of that face.
    pub(crate) fn edges(&self, i: usize, j: usize) -> Option<ContactFunction> {
        let (u, q) = (self.arms[i], self.corners[j]);
        let (e, h) = (self.arms[(i + 1) % 3] - u, self.corners[(j + 1) % 3] - q);
        let parallel = |x: DVec3, y: DVec3| x.cross(y).length() <= 16.0 * EPS * x.length() * y.length();
        let axis = self.seen.axis;
        if parallel(e, h) && (self.seen.rate == 0.0 || parallel(e, axis) && parallel(h, axis)) {
            return None;
        }
        let [x, y] = [self.seen.turned(h, u.cross(e)), self.seen.turned(h.cross(self.seen.centre - q), e)];
        let constant = [x[0] + y[0], x[1] + y[1], x[2] + y[2]];
        let doubt = 4.0 * self.blur * e.length() * h.length();
        Some(self.function(constant, self.seen.turned(h.cross(self.seen.velocity), e), doubt))
    }

    /// The normal of a triangle, and how much heights over its plane may be off. Where a corner lies on the other
    /// triangle, moving any of the four corners by some length moves the height by no more than that length times the
    /// length of the normal; the normal itself is off by roundings of the product of the edges, which counts over the
    /// whole distance.
    fn normal(&self, u: DVec3, v: DVec3) -> (DVec3, f64) {
        let n = u.cross(v);
        (n, self.blur * (4.0 * n.length() + u.length() * v.length()))
    }

    fn function(&self, constant: [f64; 3], drift: [f64; 3], doubt: f64) -> ContactFunction {
        let rate = self.seen.rate;
        if rate == 0.0 {
            let all = |c: [f64; 3]| [c[0] + c[1], 0.0, 0.0];
            return ContactFunction { constant: all(constant), drift: all(drift), rate, doubt };
        }
        ContactFunction { constant, drift, rate, doubt }
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
    /// Values up to this, of either sign, may stand for zero.
    pub(crate) doubt: f64,
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

    /// The second derivative is no greater than this up to time `s`.
    pub(crate) fn curvature(&self, s: f64) -> f64 {
        let ([_, b, c], [_, f, g]) = (self.constant, self.drift);
        let (turning, drifting) = (b.hypot(c), f.hypot(g));
        self.rate * (self.rate * (turning + s * drifting) + 2.0 * drifting) * (1.0 + 1e-12)
    }

    /// Whether all coefficients are finite, so that values can be compared.
    pub(crate) fn is_finite(&self) -> bool {
        let sum = self.constant.iter().chain(&self.drift).fold(self.doubt + self.rate, |sum, x| sum + x.abs());
        sum.is_finite()
    }
}

/// The interval of times after `from` as times of the motion, rounded outward.
pub(crate) fn times(from: f64, [low, high]: [f64; 2], to: f64) -> Interval {
    Interval { lower: (from + low).next_down().max(from), upper: (from + high).next_up().min(to) }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::math::{Pose, Relative};

    /// Every function is the determinant of the corners where they are at that time, at any angle, whichever body
    /// turns.
    #[test]
    fn functions_are_the_determinants() {
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
            let seen = RelativeMotion::new(&motions, from, from + 8.0).unwrap();
            let pairs = FeaturePairs::new(&seen, [&a, &b], 1.0);
            for s in [0.0, 0.01, 1.3, 7.9] {
                let place = Relative::new(&motions[0].pose(from + s), &motions[1].pose(from + s));
                let placed = [a, b.map(|x| place.apply(x))];
                let (moving, standing) = (placed[seen.mover], placed[1 - seen.mover]);
                let over = |[p, q, r]: Triangle, x: DVec3| (q - p).cross(r - p).dot(x - p);
                for k in 0..3 {
                    let [f, g] = [pairs.vertices_over_face()[k], pairs.face_under_vertices()[k]];
                    assert!((f.value(s) - over(standing, moving[k])).abs() <= f.doubt, "vertex {k} at {s}");
                    assert!((g.value(s) - over(moving, standing[k])).abs() <= g.doubt, "face {k} at {s}");
                    for j in 0..3 {
                        let edge = |t: Triangle, i: usize| t[(i + 1) % 3] - t[i];
                        let volume = edge(moving, k).cross(edge(standing, j)).dot(moving[k] - standing[j]);
                        let h = pairs.edges(k, j).unwrap();
                        assert!((h.value(s) - volume).abs() <= h.doubt, "edges {k}, {j} at {s}");
                        let slope = (h.value(s + 1e-6) - h.value(s - 1e-6)) / 2e-6;
                        assert!((h.with_slope(s)[1] - slope).abs() < 1e-7, "slope at {s}");
                    }
                }
            }
        }
    }
}
