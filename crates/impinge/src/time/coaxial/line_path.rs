//! Where a line of one body is in the frame of the other over a stretch of time.
//!
//! Two points of the line, seen in the frame of the other body `o`, are known at both ends of the stretch, and differ
//! between them by some `off` from moving straight. Let `p` be such a point, `r` its way from the centre of its body
//! `k`, and `D` its way from the centre of `o`, in the world. Seen in the turning frame of `o`, it is at `q = RᵀD`, and
//!
//! ```text
//!     |q'| ≤ |D'| + |ω_o × D|            =: V
//!     |q''| ≤ |D''| + |α_o||D| + |ω_o|(|D'| + V)
//!     |D'| ≤ |v_k − v_o| + |ω_k × r|,    |D''| ≤ |a_k| + |a_o| + |α_k||r| + |ω_k||ω_k × r|
//! ```
//!
//! A point near the axis about which its body turns has a small `ω_k × r`, which a turn about that axis does not
//! change: so the line of a shaft moves little, however fast the shaft turns. Over a stretch of the length `h`, `off`
//! is at most `h²/8` times the bound on `|q''|`; at most `h/2` times that on `|q'|`, or, where `o` does not turn, times
//! how far `D'` may be from one vector. The last two hold where velocities jump.
//!
//! How far body `k` has turned about the line matters as well. With `Ω = ω_k − ω_o` and the line along `w`, a direction
//! `n` that is fixed in the frame of `o` has an angle about the line, as body `k` sees it, that changes by
//! `−Ω·w + (n·w)(n·Ω⊥)/(1 − (n·w)²)`. And `Ω·w` changes by no more than `|ω_o||ω_k × w|` and what is not known of the
//! spins.

use glam::{DMat3, DVec3};

use super::axis_line::AxisLine;
use crate::math::EPS;
use crate::path::{Motion, Rates};
use crate::time::movers::two_bodies::Movers;

/// How a body turns about its line over a stretch, as seen from the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineTurn {
    /// At each end of the stretch, from the body's frame to that of the other.
    pub(crate) rotations: [DMat3; 2],
    /// The angle, and how far it may be off at any time.
    pub(crate) angle: f64,
    pub(crate) off: f64,
    /// How far the bodies turn relative to each other across the line at most.
    pub(crate) across: f64,
}

/// Where two points of a line are, in the frame of the other body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinePath {
    pub(crate) turn: LineTurn,
    /// At each end of the stretch, both points.
    pub(crate) ends: [[DVec3; 2]; 2],
    /// How far each may be from moving straight, rounding included.
    pub(crate) off: [f64; 2],
    /// How far both bodies together may be from where their motions put them.
    pub(crate) margin: f64,
}

/// The rates of a motion and its accelerations between two times; a steady motion has none.
fn bounds(motion: &dyn Motion, from: f64, to: f64) -> (Rates, [f64; 2]) {
    if let Some((steady, until)) = motion.steady(from)
        && until >= to
    {
        return (steady.rates(from, to), [0.0; 2]);
    }
    (motion.rates(from, to), motion.accelerations(from, to))
}

/// The product, with `0·∞ = 0`.
fn times(x: f64, y: f64) -> f64 {
    if x == 0.0 || y == 0.0 { 0.0 } else { x * y }
}

impl LinePath {
    /// The path of the points `line.point ± half·line.direction` of body `k` between two times.
    pub(crate) fn new(movers: &Movers<'_>, k: usize, line: &AxisLine, half: f64, [from, to]: [f64; 2]) -> LinePath {
        let points = [line.point - line.direction * half, line.point + line.direction * half];
        let poses = movers.poses(from);
        let at_ends = [poses, if from == to { poses } else { movers.poses(to) }];
        let rotations = at_ends.map(|poses| poses[1 - k].rotation_matrix().transpose() * poses[k].rotation_matrix());
        let ends = at_ends.map(|poses| {
            let (own, other) = (poses[k], poses[1 - k]);
            let back = other.rotation_matrix().transpose();
            points.map(|p| back * (own.apply(p) - other.translation()))
        });
        let size = poses[0].translation().abs().max_element()
            + poses[1].translation().abs().max_element()
            + points[0].length().max(points[1].length())
            + ends[1][0].length().max(ends[1][1].length());
        let rounding = 64.0 * EPS * size;
        let margin = movers.margin(from, to);
        let duration = to - from;
        if duration == 0.0 {
            let turn = LineTurn { rotations, angle: 0.0, off: 0.0, across: 0.0 };
            return LinePath { turn, ends, off: [rounding; 2], margin };
        }
        let [own, other] = [k, 1 - k].map(|i| bounds(movers.motions[i], from, to));
        let centres = [poses[k].apply(own.0.centre), poses[1 - k].apply(other.0.centre)];
        let off = points.map(|p| {
            let at = poses[k].apply(p);
            off_straight(&own, &other, at - centres[0], at - centres[1], duration) + rounding
        });
        let turn = turn(&own.0, &other.0, poses[k].rotation_matrix() * line.direction, duration);
        LinePath { turn: LineTurn { rotations, ..turn }, ends, off, margin }
    }
}

/// How far a body turns about its line, which has the direction `w` when the stretch begins.
fn turn(own: &Rates, other: &Rates, w: DVec3, duration: f64) -> LineTurn {
    let relative = own.spin - other.spin;
    let spreads = own.spin_spread + other.spin_spread;
    let swung = own.spin.cross(w).length() + times(own.spin.length() * own.spin_spread, duration) + own.spin_spread;
    let changes = other.spin.length() * swung + relative.length() * own.spin_spread;
    // The direction of the line itself changes by as much as `swung`.
    let across = relative.cross(w).length() + spreads + times(relative.length() * swung, duration);
    LineTurn {
        rotations: [DMat3::IDENTITY; 2],
        angle: relative.dot(w) * duration,
        off: duration * (spreads + times(changes, duration)),
        across: duration * across,
    }
}

/// How far a point of one body, `r` from its centre and `d` from that of the other when the stretch begins, may be from
/// moving straight in the frame of the other.
fn off_straight(
    (own, [linear, angular]): &(Rates, [f64; 2]),
    (other, [linear_o, angular_o]): &(Rates, [f64; 2]),
    r: DVec3,
    d: DVec3,
    duration: f64,
) -> f64 {
    let (spin, arm) = (own.spin.length(), r.length());
    let by_spread = times(own.spin_spread, arm);
    // |ω × r| changes only by the part of the spin that is not constant.
    let across = own.spin.cross(r).length() + times(spin * by_spread, duration) + by_spread;
    let spread = own.velocity_spread + other.velocity_spread;
    let speed = (own.velocity - other.velocity).length() + spread + across;
    let (spin_o, turn_o) = (other.spin.length(), other.spin.length() + other.spin_spread);
    let farthest = d.length() + speed * duration;
    let carried = other.spin.cross(d).length() + times(spin_o, speed * duration) + times(other.spin_spread, farthest);
    let seen_speed = speed + carried;
    let bent = linear + linear_o + times(*angular, arm) + times(spin + own.spin_spread, across);
    let seen_bent = bent + times(*angular_o, farthest) + times(turn_o, speed + seen_speed);
    let from_one_vector =
        if turn_o == 0.0 { spread + by_spread + times(spin * across, duration) } else { f64::INFINITY };
    let by_speed = 0.5 * duration * seen_speed.min(from_one_vector);
    (0.125 * duration * duration * seen_bent).min(by_speed) * (1.0 + 64.0 * EPS)
}
