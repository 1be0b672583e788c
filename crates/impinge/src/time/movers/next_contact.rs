//! Lower bounds on the time until two bodies touch, from how far apart they are and how they move.
//!
//! Mirtich 1996 §2.3 and Lin §4.2. Bodies between which a slab across a direction `n` is empty and `d` wide do not
//! touch before their approach along `n` has grown to `d`; without a slab, not before any two points have come nearer
//! to each other by `d`. By the time `t` from now the approach is at most
//!
//! ```text
//!     v·t + ½a·t² + Σ ρ·min(Ω·t, 2)
//! ```
//!
//! with `v` and `a` the speed and the acceleration of the one centre towards the other along `n`; a turning body
//! contributes its chord, with `Ω` its greatest spin and `ρ` its radius about the centre. Every function here finds the
//! first time at which such a sum, or a greater one, reaches `d`. None of these times is later than the true contact.
//!
//! Departs from the notes of both papers: the slab is measured (two supports along `n`) and not taken from the closest
//! points. Near contact the direction between these is mostly rounding, and across it there is no empty slab as wide as
//! their distance.

use glam::DVec3;

use super::two_bodies::Movers;
use crate::math::{EPS, Pose};
use crate::model::Model;
use crate::path::{Motion, Rates};

/// The most halvings of the time for which a bound is computed; 2⁻⁶⁰ of it is negligible.
const HALVINGS: usize = 60;

/// The time in which something that approaches at no more than `speed` comes nearer by `distance`: the Lipschitz bound
/// (Von Herzen), and the bound for a constant twist, whose closing speed along a direction may be negative.
///
/// ```
/// use impinge::next_contact::at_speed;
/// assert_eq!([at_speed(3.0, 2.0), at_speed(3.0, -1.0), at_speed(0.0, -1.0)], [1.5, f64::INFINITY, 0.0]);
/// ```
pub fn at_speed(distance: f64, speed: f64) -> f64 {
    accelerating(distance, speed, 0.0)
}

/// The time in which something that approaches at no more than `speed` now, and accelerates by no more than
/// `acceleration`, comes nearer by `distance`; both may be negative.
///
/// The first positive root of `½a·t² + v·t = d`: `2d/(v + √(v² + 2ad))`, in which nothing cancels for `v > 0`, and
/// `(√(v² + 2ad) − v)/a` for `v < 0`. Infinite where the root is not real: what slows down turns back before. A root
/// that only rounding makes complex counts as real.
///
/// ```
/// use impinge::next_contact::accelerating;
/// assert_eq!(accelerating(4.0, 3.0, 2.0), 1.0);
/// assert_eq!(accelerating(4.0, 2.0, -1.0), f64::INFINITY, "turns back after 2");
/// ```
pub fn accelerating(distance: f64, speed: f64, acceleration: f64) -> f64 {
    let (d, v, a) = (distance, speed, acceleration);
    if d.is_nan() || v.is_nan() || a.is_nan() || d <= 0.0 {
        return 0.0;
    }
    if d == f64::INFINITY || (v <= 0.0 && a <= 0.0) {
        return f64::INFINITY;
    }
    let under = v * v + 2.0 * a * d;
    if under < -8.0 * f64::EPSILON * v * v {
        return f64::INFINITY;
    }
    let root = under.max(0.0).sqrt();
    if root == f64::INFINITY || under.is_nan() {
        return 0.0;
    }
    if v < 0.0 { (root - v) / a } else { 2.0 * d / (v + root) }
}

/// How a body turns: no faster than `spin`, with no point farther from its centre than `radius`.
///
/// ```
/// use impinge::next_contact::{ballistic, Turning};
/// // A stick of radius 1 that spins at 1 a second reaches out by at most 1 in the first second.
/// let stick = Turning { spin: 1.0, radius: 1.0 };
/// assert_eq!(ballistic(4.0, 3.0, 0.0, [stick, Turning::default()]), 1.0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Turning {
    /// In radians per unit of time.
    pub spin: f64,
    /// Of the body about the centre.
    pub radius: f64,
}

/// The time until two bodies in free flight have come nearer by `distance`, from the speed and the acceleration of the
/// one centre towards the other, and from how they turn.
///
/// Each body's `ρ·min(Ω·t, 2)` is at most `Ωρ·t` and at most `2ρ`: the latest of the four roots counts.
///
/// ```
/// use impinge::next_contact::{ballistic, Turning};
/// let spinning = Turning { spin: 100.0, radius: 0.5 };
/// assert_eq!(ballistic(3.0, 1.0, 0.0, [spinning, Turning::default()]), 2.0, "however fast it spins");
/// ```
pub fn ballistic(distance: f64, speed: f64, acceleration: f64, turning: [Turning; 2]) -> f64 {
    let mut latest = 0.0_f64;
    for whole in 0..4 {
        let (mut d, mut v) = (distance, speed);
        for (k, body) in turning.iter().enumerate().filter(|(_, body)| body.spin > 0.0) {
            if whole >> k & 1 == 1 {
                d -= 2.0 * body.radius;
            } else {
                v += body.spin * body.radius;
            }
        }
        if d > 0.0 {
            latest = latest.max(accelerating(d, v, acceleration));
        }
    }
    latest
}

impl Movers<'_> {
    /// The time before which the bodies come no nearer than `envelope`; `None` where that holds until `until`.
    ///
    /// At `t` the bodies are at least `distance` apart, about along the direction `towards` from `a` to `b`, if that is
    /// known.
    ///
    /// The margin of a motion grows with the length of time. So shorter spans are tried, until the bound is at least
    /// half as long as the span.
    pub(crate) fn next_contact(
        &self,
        t: f64,
        until: f64,
        distance: f64,
        towards: Option<DVec3>,
        envelope: f64,
    ) -> Option<f64> {
        let (mut latest, mut end) = (t, until);
        for _ in 0..HALVINGS {
            let margin = self.margin(t, end);
            let free_until = self.next_contact_within([t, end], distance, towards, envelope + margin);
            latest = latest.max(free_until.unwrap_or(end));
            if margin == 0.0 || latest - t >= 0.5 * (end - t) {
                break;
            }
            end = t + 0.5 * (end - t);
        }
        (latest < until).then_some(latest)
    }

    /// As [`Movers::next_contact`], for motions without margins.
    fn next_contact_within(
        &self,
        [t, until]: [f64; 2],
        distance: f64,
        towards: Option<DVec3>,
        near: f64,
    ) -> Option<f64> {
        if self.deform() {
            let time = t + at_speed(distance - near, self.speed(t, until)) * (1.0 - 1e-12);
            return (time < until).then_some(time);
        }
        let now = [0, 1].map(|k| Side::new(self, k, t, until));
        let mut wait = wait(&now, distance - near, None);
        let poses = self.poses(t);
        if let Some(n) = self.slab_direction(&poses, towards) {
            let gap = slab(self.models, &poses, n);
            if gap > near {
                wait = wait.max(self::wait(&now, gap - near, Some(n)));
            }
        }
        if now.iter().any(|side| side.radius == f64::INFINITY) {
            wait = wait.max(self.wait_for_unbounded([t, until], distance - near));
        }
        // A little less than the whole way to the contact, which rounding could otherwise pass.
        let time = t + wait * (1.0 - 1e-12);
        (time < until).then_some(time)
    }

    /// The time without contact where a half-space turns: no point of the other body approaches its plane faster than
    /// if the point turned about the half-space's centre. In a longer time that point may get farther from the centre,
    /// so shorter times are tried, too.
    fn wait_for_unbounded(&self, [t, until]: [f64; 2], distance: f64) -> f64 {
        let (mut latest, mut ahead) = (0.0_f64, until - t);
        for _ in 0..HALVINGS {
            latest = latest.max(at_speed(distance, self.speed(t, t + ahead)).min(ahead));
            if latest >= 0.5 * ahead {
                break;
            }
            ahead *= 0.5;
        }
        latest
    }

    /// The direction across the slab: the normal of a half-space, which is unbounded along all others; else `towards`.
    fn slab_direction(&self, poses: &[Pose; 2], towards: Option<DVec3>) -> Option<DVec3> {
        match [self.models[0].floor(), self.models[1].floor()] {
            [Some(normal), _] => Some(poses[0].rotate(normal)),
            [None, Some(normal)] => Some(-poses[1].rotate(normal)),
            [None, None] => towards.and_then(DVec3::try_normalize),
        }
    }
}

/// The width of the empty slab between two bodies along a direction from `a` to `b`; not positive where there is none.
pub(crate) fn slab(models: [&Model; 2], poses: &[Pose; 2], n: DVec3) -> f64 {
    let end = |k: usize, d: DVec3| {
        let pose: &Pose = &poses[k];
        models[k].reach_along(pose.rotation_matrix().transpose() * d)
    };
    let between = (poses[1].translation() - poses[0].translation()).dot(n);
    let size = |k: usize| models[k].reach() + poses[k].translation().abs().max_element();
    between - end(0, n) - end(1, -n) - 64.0 * EPS * (size(0) + size(1))
}

/// Bounds on the motion of one body from now on.
struct Side {
    now: Rates,
    then: Rates,
    /// The accelerations of the centre and of the spin.
    accelerations: [f64; 2],
    fall: Option<DVec3>,
    radius: f64,
}

impl Side {
    fn new(movers: &Movers<'_>, k: usize, t: f64, until: f64) -> Side {
        let motion: &dyn Motion = movers.motions[k];
        let (now, then) = (motion.rates(t, t), motion.rates(t, until));
        let turns = then.spin.length() + then.spin_spread > 0.0;
        let radius = if turns { movers.models[k].turning_radius(then.centre) } else { 0.0 };
        Side { now, then, accelerations: motion.accelerations(t, until), fall: motion.fall(t, until), radius }
    }

    fn turning(&self) -> Turning {
        Turning { spin: self.then.spin.length() + self.then.spin_spread, radius: self.radius }
    }

    /// No point's acceleration is greater than this.
    fn acceleration(&self) -> f64 {
        let spin = self.turning().spin;
        let bent = if self.radius > 0.0 { (self.accelerations[1] + spin * spin) * self.radius } else { 0.0 };
        self.accelerations[0] + bent
    }
}

/// The longest time that a bound proves: along the direction `n`, or, without one, for any two points.
fn wait(sides: &[Side; 2], distance: f64, n: Option<DVec3>) -> f64 {
    let [a, b] = sides;
    // How fast the centres approach, and how fast any two points do.
    let closing = |a: &Rates, b: &Rates| {
        let apart = a.velocity - b.velocity;
        n.map_or(apart.length(), |n| apart.dot(n)) + a.velocity_spread + b.velocity_spread
    };
    let turning = |rates: &Rates, radius: f64| {
        let spin = n.map_or(rates.spin.length(), |n| n.cross(rates.spin).length()) + rates.spin_spread;
        if radius > 0.0 { spin * radius } else { 0.0 }
    };
    let speed = |x: &Rates, y: &Rates| closing(x, y) + turning(x, a.radius) + turning(y, b.radius);
    let mut latest = at_speed(distance, speed(&a.then, &b.then));
    latest = latest.max(ballistic(distance, closing(&a.then, &b.then), 0.0, [a.turning(), b.turning()]));
    latest = latest.max(accelerating(distance, speed(&a.now, &b.now), a.acceleration() + b.acceleration()));
    if let (Some(fall_a), Some(fall_b)) = (a.fall, b.fall) {
        let apart = fall_a - fall_b;
        let acceleration = n.map_or(apart.length(), |n| apart.dot(n));
        latest = latest.max(ballistic(distance, closing(&a.now, &b.now), acceleration, [a.turning(), b.turning()]));
    }
    latest
}
