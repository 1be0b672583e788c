//! How the gap between two moving pieces closes: bounds of the second order along a fixed direction.
//!
//! Let `n` be a unit direction of the world and `g(t)` the gap along it: how far the lowest point of `b` is above the
//! highest of `a`. While `g > 0` the bodies are apart, whatever `n` is. The height of each point changes with a
//! velocity along `n`, and with an acceleration of at most
//!
//! ```text
//!     K_x = |a| + |α|·ρ + |ω|²·ρ
//! ```
//!
//! with `|a|` the acceleration of the body's centre, `α` that of its spin `ω`, and `ρ` the distance of the point from
//! the axis (from the centre, where the axis turns). With `K = K_a + K_b`, three certificates that `g > 0` on all of
//! `[t, t + τ]`:
//!
//! 1. (Lin 1993 §4, with the velocities at `t`.) If `s` bounds the speed at which points close at `t`, then
//!    `g(t + τ) ≥ g − s·τ − ½K·τ²`, positive up to the root `τ = 2g/(s + √(s² + 2K·g))`, in which nothing cancels;
//!    positive for ever where the denominator is not positive.
//! 2. The height of every point differs from its chord over `[t, t + τ]` by at most `½K·σ(τ − σ)` at `t + σ`. So with
//!    `g(t + τ) ≥ 0` known, `g(t + σ) ≥ (1 − σ/τ)·g(t) − ½K·σ(τ − σ)`, positive for `σ < τ` as long as `½K·τ² ≤ g(t)`.
//!    This needs no speed: the search only has to find a time near the root of `g`.
//! 3. The same with a direction `n(t)` that turns: the normal of a face, or the cross product of two edges, which is no
//!    longer than 1. Where the spins of the bodies that it turns with are `W` together, `|n'| ≤ W` and
//!    `|n''| ≤ W² + Σ|α|`. For a point of each body with `d` between them, `h = n·d` has
//!    `|h''| ≤ K' = K + 2W·|d'| + (W² + Σ|α|)·|d|`, and `g`, the least `h` at each time, is positive on `[t, t + τ)`
//!    with `g(t + τ) ≥ 0` and `½K'·τ² ≤ g(t)`. A fixed direction loses `ωτL` to the far corner of a face that turns,
//!    `L` away, so for a vertex that slides along the face at a height `g` it proves only `g/ωL` at a time; here it is
//!    `√(2g/K')`.
//!
//! Mirtich 1996 §2.3 bounds without a direction, and to the first order. Where accelerations are not bounded, only the
//! `rates` of the motions are used, also to the first order.

use glam::DVec3;

use crate::math::{EPS, Pose, Relative};
use crate::path::{Motion, Rates};
use crate::time::movers::padded_box::PaddedBox;

/// Two motions over a span in which both are smooth, or for which only bounds on speeds are known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Closing<'q> {
    motions: [&'q dyn Motion; 2],
    pub(crate) until: f64,
    /// Bounds on the accelerations of each, linear and angular; `None` where one has none.
    accelerations: Option<[[f64; 2]; 2]>,
    /// Whether the spin of each is constant.
    keeps_axis: [bool; 2],
    /// The sum of the margins of both motions: how far the bodies may be from the poses of the motions.
    pub(crate) margin: f64,
}

/// Both bodies at one time. Vectors are in the frame of `a`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) t: f64,
    pub(crate) poses: [Pose; 2],
    pub(crate) b_in_a: Relative,
    /// The centre of each, its velocity and its spin.
    centres: [DVec3; 2],
    velocities: [DVec3; 2],
    spins: [DVec3; 2],
    /// How far velocities and spins may be from the ones above.
    spreads: [[f64; 2]; 2],
}

impl Moment {
    /// How fast a point of `a` and one of `b`, both in the frame of `a`, approach each other along `n`.
    pub(crate) fn closing_speed(&self, points: [DVec3; 2], n: DVec3) -> f64 {
        let along = |k: usize| n.dot(self.velocities[k] + self.spins[k].cross(points[k] - self.centres[k]));
        along(0) - along(1)
    }

    /// How fast a point of body `k` moves along `n`; all in the frame of `a`.
    pub(crate) fn speed_of(&self, k: usize, point: DVec3, n: DVec3) -> f64 {
        let across = self.turning_across(k, n);
        let spread = self.spreads[k][0] + self.spreads[k][1] * (point - self.centres[k]).length();
        n.dot(self.velocities[k]) + across.dot(point - self.centres[k]) + spread
    }

    /// `n × ω`: the speed along `n` of a point `r` from the centre of body `k` is `v·n + (n × ω)·r`.
    pub(crate) fn turning_across(&self, k: usize, n: DVec3) -> DVec3 {
        n.cross(self.spins[k])
    }

    /// How fast the centre of `a` comes towards that of `b`.
    pub(crate) fn velocity(&self) -> DVec3 {
        self.velocities[0] - self.velocities[1]
    }

    /// Whether a body turns.
    #[inline(always)]
    pub(crate) fn is_turning(&self, k: usize) -> bool {
        self.spins[k] != DVec3::ZERO || self.spreads[k][1] > 0.0
    }

    /// A direction of the world in the frame of `a`.
    pub(crate) fn in_a(&self, d: DVec3) -> DVec3 {
        self.poses[0].rotation_matrix().transpose() * d
    }
}

impl<'q> Closing<'q> {
    /// The longest span from `from` on, up to `to`, in which both motions are smooth.
    pub(crate) fn new(motions: [&'q dyn Motion; 2], radii: [f64; 2], from: f64, to: f64) -> Closing<'q> {
        let steady = motions.map(|motion| motion.steady(from));
        let until = motions.iter().map(|motion| motion.smooth_until(from)).filter(|t| *t > from).fold(to, f64::min);
        let bounds = motions.map(|motion| motion.accelerations(from, until));
        let finite = |b: &[f64; 2]| b[0].is_finite() && b[1].is_finite();
        let accelerations = match steady {
            // Steady pieces have no accelerations, whatever jumps there are at their ends.
            [Some(_), Some(_)] => Some([[0.0; 2]; 2]),
            [Some(_), None] => finite(&bounds[1]).then_some([[0.0; 2], bounds[1]]),
            [None, Some(_)] => finite(&bounds[0]).then_some([bounds[0], [0.0; 2]]),
            [None, None] => bounds.iter().all(finite).then_some(bounds),
        };
        let keeps_axis = steady.map(|piece| piece.is_some());
        let margin = (0..2).map(|k| motions[k].margin(from, until, radii[k])).sum();
        Closing { motions, until, accelerations, keeps_axis, margin }
    }

    pub(crate) fn at(&self, t: f64) -> Moment {
        let poses = self.motions.map(|motion| motion.pose(t));
        let b_in_a = Relative::new(&poses[0], &poses[1]);
        let end = if self.accelerations.is_some() { t } else { self.until };
        let [a, b] = self.motions.map(|motion| motion.rates(t, end));
        let into_a = poses[0].rotation_matrix().transpose();
        let spreads = [a, b].map(|r: Rates| [r.velocity_spread, r.spin_spread]);
        Moment {
            t,
            poses,
            b_in_a,
            centres: [a.centre, b_in_a.apply(b.centre)],
            velocities: [into_a * a.velocity, into_a * b.velocity],
            spins: [into_a * a.spin, into_a * b.spin],
            spreads,
        }
    }

    /// Whether bounds on the accelerations are known.
    pub(crate) fn has_accelerations(&self) -> bool {
        self.accelerations.is_some()
    }

    /// Just the relative pose.
    pub(crate) fn relative(&self, t: f64) -> (Pose, Relative) {
        let [a, b] = self.motions.map(|motion| motion.pose(t));
        (a, Relative::new(&a, &b))
    }

    /// How far points of body `k` are from its axis at most; `around` is in the frame of `a`.
    #[inline(always)]
    fn arm(&self, k: usize, m: &Moment, around: &PaddedBox) -> f64 {
        let from_centre = around.centre - m.centres[k];
        let spin2 = m.spins[k].length_squared();
        let off_axis = if self.keeps_axis[k] && spin2 > 0.0 {
            m.spins[k].cross(from_centre).length() / spin2.sqrt()
        } else {
            from_centre.length()
        };
        off_axis + around.radius
    }

    /// The bound `K` for every direction; infinite where accelerations are not bounded.
    pub(crate) fn acceleration(&self, m: &Moment, boxes: [&PaddedBox; 2]) -> f64 {
        let Some(bounds) = self.accelerations else { return f64::INFINITY };
        let arms = |k: usize| if m.is_turning(k) || bounds[k][1] > 0.0 { self.arm(k, m, boxes[k]) } else { 0.0 };
        self.acceleration_with(m, &bounds, [arms(0), arms(1)])
    }

    /// The bound `K'` of certificate 3 for the next `tau`. The direction turns with the bodies for which `with` is
    /// true; pieces as near as `near` count as touching.
    pub(crate) fn turned_acceleration(
        &self,
        m: &Moment,
        boxes: [&PaddedBox; 2],
        with: [bool; 2],
        near: f64,
        tau: f64,
    ) -> f64 {
        let Some(bounds) = self.accelerations else { return f64::INFINITY };
        let k = self.acceleration(m, boxes);
        let approach = self.approach(m, boxes);
        let speed = approach.velocity.length() + approach.most + k * tau;
        let distance =
            boxes[0].centre.distance(boxes[1].centre) + boxes[0].radius + boxes[1].radius + near + speed * tau;
        let sum_over_turning = |of: &dyn Fn(usize) -> f64| (0..2).filter(|&k| with[k]).map(of).sum::<f64>();
        let spin = sum_over_turning(&|k| m.spins[k].length() + m.spreads[k][1] + bounds[k][1] * (self.until - m.t));
        k + 2.0 * spin * speed + (spin * spin + sum_over_turning(&|k| bounds[k][1])) * distance
    }

    #[inline(always)]
    fn acceleration_with(&self, m: &Moment, bounds: &[[f64; 2]; 2], arms: [f64; 2]) -> f64 {
        let one = |k: usize| {
            let [linear, angular] = bounds[k];
            // The spin changes by as much as its acceleration lets it.
            let spin = m.spins[k].length() + m.spreads[k][1] + angular * (self.until - m.t);
            if arms[k] == 0.0 { linear } else { linear + (angular + spin * spin) * arms[k] }
        };
        one(0) + one(1)
    }

    /// What certificate 1 needs for two boxes and any direction.
    #[inline(always)]
    pub(crate) fn approach<'h>(&self, m: &Moment, boxes: [&'h PaddedBox; 2]) -> Approach<'h> {
        let may_turn = |k: usize| m.is_turning(k) || self.accelerations.is_some_and(|bounds| bounds[k][1] > 0.0);
        let arms = |k: usize| if may_turn(k) { self.arm(k, m, boxes[k]) } else { 0.0 };
        let arms = [arms(0), arms(1)];
        let linear = m.spreads[0][0] + m.spreads[1][0];
        let (velocity, speed, acceleration) = match self.accelerations {
            Some(bounds) => {
                let at_centre = |k: usize| m.velocities[k] + m.spins[k].cross(boxes[k].centre - m.centres[k]);
                let spread = |k: usize| {
                    let angular = m.spreads[k][1];
                    if angular == 0.0 {
                        0.0
                    } else {
                        angular * (boxes[k].centre.distance(m.centres[k]) + boxes[k].radius)
                    }
                };
                let k = self.acceleration_with(m, &bounds, arms);
                (at_centre(0) - at_centre(1), linear + spread(0) + spread(1), k)
            }
            None => (m.velocities[0] - m.velocities[1], linear, 0.0),
        };
        let smooth = self.accelerations.is_some();
        let turning = |k: usize| {
            let arm = if smooth { boxes[k].radius } else { arms[k] };
            if arms[k] == 0.0 { 0.0 } else { (m.spins[k].length() + m.spreads[k][1]) * arm }
        };
        let most = (speed + turning(0) + turning(1)) * (1.0 + 16.0 * EPS);
        Approach { boxes, spins: m.spins, arms, spreads: m.spreads, velocity, speed, most, acceleration, smooth }
    }
}

/// How two boxes approach each other.
pub(crate) struct Approach<'h> {
    boxes: [&'h PaddedBox; 2],
    spins: [DVec3; 2],
    arms: [f64; 2],
    spreads: [[f64; 2]; 2],
    /// The velocity of the centre of box `a` relative to that of box `b`; where accelerations are not bounded, that of
    /// the bodies' centres.
    velocity: DVec3,
    /// What is added to the speed in every direction: `speed` without turning, `most` with the most that turning adds.
    speed: f64,
    most: f64,
    acceleration: f64,
    smooth: bool,
}

impl Approach<'_> {
    /// Certificate 1 with a bound on turning that is the same for every direction: faster to compute, and weaker.
    #[inline(always)]
    pub(crate) fn free_at_least(&self, n: DVec3, gap: f64) -> f64 {
        time_to_close(gap, n.dot(self.velocity) + self.most, self.acceleration)
    }

    /// How much a gap along `n` may be less at any time, as long before and after as `reach` says.
    #[inline(always)]
    pub(crate) fn closed_within(&self, n: DVec3, [before, after]: [f64; 2]) -> f64 {
        let mut spread = self.speed;
        for k in 0..2 {
            if self.arms[k] > 0.0 {
                spread += self.turning_along(k, n);
            }
        }
        let along = n.dot(self.velocity);
        let closed = |speed: f64, time: f64| (speed * time).max(0.0) + 0.5 * self.acceleration * time * time;
        closed(spread + along, after).max(closed(spread - along, before)) * (1.0 + 16.0 * EPS)
    }

    /// How far a height may be from linear over a time; infinite where no accelerations are bounded.
    pub(crate) fn bend(&self, time: f64) -> f64 {
        if self.smooth { 0.125 * self.acceleration * time * time * (1.0 + 16.0 * EPS) } else { f64::INFINITY }
    }

    /// For how long before and after the moment a gap along `n` stays open. Where no accelerations are bounded, nothing
    /// is known about the time before.
    pub(crate) fn free_around(&self, n: DVec3, gap: f64) -> [f64; 2] {
        let mut spread = self.speed;
        for k in 0..2 {
            if self.arms[k] > 0.0 {
                spread += self.turning_along(k, n);
            }
        }
        let along = n.dot(self.velocity);
        let free = |speed: f64| time_to_close(gap, speed + 16.0 * EPS * (spread + along.abs()), self.acceleration);
        [if self.smooth { free(spread - along) } else { 0.0 }, free(spread + along)]
    }

    /// How far points of the boxes move relative to each other, at most, as long before and after as `reach` says.
    #[inline(always)]
    pub(crate) fn moved_within(&self, [before, after]: [f64; 2]) -> f64 {
        let time = before.max(after);
        (self.velocity.length() + self.most) * time + 0.5 * self.acceleration * time * time
    }

    /// How fast turning moves points of box `k` along `n` at most, as seen from its centre where accelerations are
    /// bounded, else from the axis.
    #[inline(always)]
    fn turning_along(&self, k: usize, n: DVec3) -> f64 {
        let across = n.cross(self.spins[k]);
        if self.smooth {
            self.boxes[k].extent(across) + across.length() * self.boxes[k].padding
        } else {
            (across.length() + self.spreads[k][1]) * self.arms[k]
        }
    }

    /// How long boxes that are `distance` apart in an unknown direction cannot touch.
    pub(crate) fn free_by_distance(&self, distance: f64) -> f64 {
        if distance <= 0.0 {
            return 0.0;
        }
        time_to_close(distance, self.velocity.length() + self.most, self.acceleration)
    }

    /// Certificate 1: how long the boxes, which are `gap` apart along `n`, cannot touch.
    #[inline(always)]
    pub(crate) fn free_for(&self, n: DVec3, gap: f64) -> f64 {
        let speed = self.speed_along(n);
        time_to_close(gap, speed + 16.0 * EPS * speed.abs(), self.acceleration)
    }

    /// How fast the boxes approach each other along `n` at most.
    #[inline(always)]
    pub(crate) fn speed_along(&self, n: DVec3) -> f64 {
        let mut speed = n.dot(self.velocity) + self.speed;
        for k in 0..2 {
            if self.arms[k] == 0.0 {
                continue;
            }
            speed += self.turning_along(k, n);
        }
        speed
    }

    /// By how much that may grow in a unit of time.
    pub(crate) fn acceleration(&self) -> f64 {
        self.acceleration
    }
}

/// How long a gap `d` stays open that closes with speed `v` now and with an acceleration of at most `a`: the root of
/// `d = v·t + ½a·t²`, written so that nothing cancels. Case H10.
pub(crate) fn time_to_close(d: f64, v: f64, a: f64) -> f64 {
    if d <= 0.0 {
        return 0.0;
    }
    let denominator = v + (v * v + 2.0 * a * d).sqrt();
    if denominator > 0.0 { 2.0 * d / denominator * (1.0 - 1e-12) } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::time_to_close;

    #[test]
    fn h10_no_digits_cancel_in_the_time_to_close() {
        let cases = [(1.0, 0.0, 2.0, 1.0), (4.0, 3.0, 2.0, 1.0), (1.0, 1.0, 1e-30, 1.0), (0.0, 5.0, 1.0, 0.0)];
        for (d, v, a, time) in cases {
            assert!((time_to_close(d, v, a) - time).abs() < 1e-11, "{d} {v} {a}");
        }
        assert_eq!(time_to_close(1.0, 0.0, 0.0), f64::INFINITY);
        assert_eq!(time_to_close(1.0, -1.0, 0.0), f64::INFINITY);
    }
}
