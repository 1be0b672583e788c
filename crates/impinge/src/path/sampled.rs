//! A body that was seen at some times, and between them is only known to respect bounds on its motion.
//!
//! Mirtich 1997 §2 (Figure 1, right) and Lin §4.2 bound what happens between samples by speeds and accelerations. Here
//! the samples are joined by steady motion ([`TimedPoses`]) and [`Motion::margin`] says how far the true body may be
//! from there. A gap between samples lasts `T`; `s` has passed, `u = T − s` is left; the samples are `L = v·T` and `θ =
//! w·T` apart.
//!
//! **Speed at most `V`.** The true place `x` is within `V·s` of the one sample and within `V·u` of the other, and the
//! interpolated one, `p`, divides the segment between them as `s : u`. Stewart's theorem for that point,
//! `u·|x−x₀|² + s·|x−x₁|² = T·|x−p|² + s·u·L²/T`, gives
//!
//! ```text
//!     |x − p|² ≤ (V² − v²)·s·u,     and plainly     |x − p| ≤ (V + v)·min(s, u).
//! ```
//!
//! **Spin at most `W`.** Rotations are points of a sphere with half their angle as distance. The law of cosines for the
//! same figure there reads `cos d(x,p)·sin(a+b) = cos d(x,x₀)·sin b + cos d(x,x₁)·sin a` with `a = w·s/2`, `b = w·u/2`,
//! and cosines fall, so `d` is at most what `d(x,x₀) = W·s/2`, `d(x,x₁) = W·u/2` give. The two quaternions of the
//! second sample cannot be confused while `W·T + θ < 2π`; else only `(W + w)·min(s, u)` holds. A point at the distance
//! `ρ` from the centre is off by the chord, `2ρ·sin(d)`.
//!
//! **Accelerations at most `A` and `B`.** The difference of the true and the interpolated path of a point vanishes at
//! both ends of the gap, and its second derivative is at most `A + (B + W² + w²)·ρ`, so the difference is at most
//! `s·u/2` times that.
//!
//! The least of these bounds is used. Before the first sample and after the last the body stays within its bounds, too.
//!
//! Invariant: margins hold for every motion that passes through the samples and respects the bounds, and there is such
//! a motion: samples that contradict the bounds are refused.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DVec3;

use super::moving_body::Motion;
use super::rates::Rates;
use super::steady::Steady;
use super::timed::TimedPoses;
use crate::bound::Aabb;
use crate::error::MotionError;
use crate::math::Pose;
use crate::model::Model;

/// Bounds on a motion between samples. Infinite where nothing is known; the spin has to be bounded.
///
/// ```
/// use impinge::SampleBounds;
/// let slow = SampleBounds { spin: 0.0, ..SampleBounds::speeds(2.0, 0.5) };
/// assert_eq!(slow.acceleration, f64::INFINITY);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SampleBounds {
    /// No greater speed of the centre.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
    pub speed: f64,
    /// No greater angular speed.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
    pub spin: f64,
    /// No greater acceleration of the centre.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
    pub acceleration: f64,
    /// No greater angular acceleration.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
    pub spin_acceleration: f64,
}

impl SampleBounds {
    /// Speeds only.
    pub fn speeds(speed: f64, spin: f64) -> SampleBounds {
        SampleBounds { speed, spin, acceleration: f64::INFINITY, spin_acceleration: f64::INFINITY }
    }

    /// Bounds on accelerations, and on the angular speed: without the latter, two samples may be any number of turns
    /// apart.
    pub fn accelerations(acceleration: f64, spin: f64, spin_acceleration: f64) -> SampleBounds {
        SampleBounds { speed: f64::INFINITY, spin, acceleration, spin_acceleration }
    }

    fn check(&self, samples: usize) -> Result<(), MotionError> {
        let all = [
            ("speed", self.speed),
            ("spin", self.spin),
            ("acceleration", self.acceleration),
            ("angular acceleration", self.spin_acceleration),
        ];
        for (what, value) in all {
            if value.is_nan() || value < 0.0 || (what == "spin" && value.is_infinite()) {
                return Err(MotionError::BadBound { what, value });
            }
        }
        if self.speed.is_infinite() && (self.acceleration.is_infinite() || samples < 2) {
            return Err(MotionError::BadBound { what: "speed", value: self.speed });
        }
        Ok(())
    }
}

/// A body known at some times, with bounds on its motion between them.
///
/// ```
/// use impinge::{glam::DVec3, Motion, Pose, SampleBounds, SampledPoses};
/// let seen = [(0.0, Pose::IDENTITY), (1.0, Pose::at(DVec3::X * 3.0)?)];
/// let motion = SampledPoses::new(&seen, DVec3::ZERO, SampleBounds::speeds(5.0, 0.0))?;
/// // With 5 a second to cover 3, it may have strayed by 2 on the way, and not at all at the end.
/// assert!((motion.margin(0.0, 1.0, 1.0) - 2.0).abs() < 1e-9);
/// assert!(motion.margin(1.0, 1.0, 1.0) < 1e-9);
/// assert!(SampledPoses::new(&seen, DVec3::ZERO, SampleBounds::speeds(2.0, 0.0)).is_err(), "too far for that speed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SampledPoses {
    path: TimedPoses,
    bounds: SampleBounds,
}

impl SampledPoses {
    /// Samples at ascending times; the bounds are on the point `centre` of the body, in its own frame, and on its spin.
    ///
    /// # Errors
    /// As [`TimedPoses::new`]; a bound is negative or NaN; nothing bounds how far the body can be from its samples; or
    /// no motion within the bounds has these samples.
    pub fn new(rows: &[(f64, Pose)], centre: DVec3, bounds: SampleBounds) -> Result<SampledPoses, MotionError> {
        bounds.check(rows.len())?;
        let path = TimedPoses::new(rows, centre)?;
        let sampled = SampledPoses { path, bounds };
        sampled.agree()?;
        Ok(sampled)
    }

    /// The samples and what joins them.
    pub fn path(&self) -> &TimedPoses {
        &self.path
    }

    /// What bounds the motion.
    pub fn bounds(&self) -> SampleBounds {
        self.bounds
    }

    /// Refuses samples through which no motion within the bounds passes, rounding allowed for.
    fn agree(&self) -> Result<(), MotionError> {
        let pieces = self.path.pieces();
        let times = self.path.times();
        let rounding = |row: usize| {
            let places =
                self.path.poses()[row].translation().length() + self.path.poses()[row - 1].translation().length();
            16.0 * f64::EPSILON * (places + self.path.centre().length()) / (times[row] - times[row - 1])
        };
        let beyond = |what, row, takes: f64, bound: f64, rounding: f64| {
            let over = takes > bound * (1.0 + 1e-9) + rounding;
            if over { Err(MotionError::Contradicts { what, row, takes, bound }) } else { Ok(()) }
        };
        for (row, piece) in (1..).zip(pieces) {
            let turning = 16.0 * f64::EPSILON / (times[row] - times[row - 1]);
            beyond("speed", row, piece.velocity().length(), self.bounds.speed, rounding(row))?;
            beyond("spin", row, piece.spin().length(), self.bounds.spin, turning)?;
        }
        // Mean velocities of two gaps differ by no more than the acceleration times the time between their middles.
        for (row, two) in (2..).zip(pieces.windows(2)) {
            let apart = 0.5 * (times[row] - times[row - 2]);
            let takes = two[0].velocity().distance(two[1].velocity()) / apart;
            let rounding = (rounding(row) + rounding(row - 1)) / apart;
            beyond("acceleration", row, takes, self.bounds.acceleration, rounding)?;
        }
        Ok(())
    }

    /// How far a point at the distance `arm` from the centre may be from its interpolated place, at the time `s` after
    /// one sample and `u` before the next; `piece` is the motion between them.
    fn off(&self, piece: &Steady, s: f64, u: f64, arm: f64) -> f64 {
        let SampleBounds { speed, spin, acceleration, spin_acceleration } = self.bounds;
        let (v, w) = (piece.velocity().length(), piece.spin().length());
        let near = s.min(u);
        let strayed = ((speed + v) * near).min(((speed - v).max(0.0) * (speed + v) * s * u).sqrt());
        let by_speed = known(strayed) + chord(turned(spin, w, s, u), arm);
        let bent = acceleration + (spin_acceleration + spin * spin + w * w) * arm;
        by_speed.min(known(0.5 * s * u * known(bent)))
    }

    /// How far that point may be from its place at the time `since` after the last sample or before the first, where
    /// the body is taken to stand still.
    fn adrift(&self, piece: Option<&Steady>, duration: f64, since: f64, arm: f64) -> f64 {
        let SampleBounds { speed, spin, acceleration, .. } = self.bounds;
        // The speed at a sample differs from the mean of the gap beside it by half its duration's acceleration at most.
        let by_acceleration = piece.map_or(f64::INFINITY, |piece| {
            let fastest = piece.velocity().length() + 0.5 * acceleration * duration;
            known(fastest * since + 0.5 * acceleration * since * since)
        });
        known(speed * since).min(by_acceleration) + chord(spin * since, arm)
    }
}

/// A bound that came out of infinities as NaN counts as no bound.
fn known(bound: f64) -> f64 {
    if bound.is_nan() { f64::INFINITY } else { bound }
}

/// How far an angle moves a point at the end of an arm.
fn chord(angle: f64, arm: f64) -> f64 {
    if arm == 0.0 { 0.0 } else { 2.0 * arm * (0.5 * angle.min(PI)).sin() }
}

/// How far the true rotation may be from the interpolated one.
fn turned(most: f64, w: f64, s: f64, u: f64) -> f64 {
    let plain = (most + w) * s.min(u);
    let (a, b) = (0.5 * w * s, 0.5 * w * u);
    let confused = (most + w) * (s + u) >= TAU;
    // Near 0 the quotient says no more than the plain bound does.
    if confused || a + b < 1e-6 || a + b > FRAC_PI_2 * (1.0 + 1e-12) {
        return plain;
    }
    let cosine = ((0.5 * most * s).cos() * b.sin() + (0.5 * most * u).cos() * a.sin()) / (a + b).sin();
    plain.min(2.0 * (cosine - 8.0 * f64::EPSILON).clamp(-1.0, 1.0).acos())
}

impl Motion for SampledPoses {
    fn pose(&self, t: f64) -> Pose {
        self.path.pose(t)
    }

    fn rates(&self, from: f64, to: f64) -> Rates {
        self.path.rates(from, to)
    }

    fn accelerations(&self, from: f64, to: f64) -> [f64; 2] {
        self.path.accelerations(from, to)
    }

    fn fall(&self, from: f64, to: f64) -> Option<DVec3> {
        self.path.fall(from, to)
    }

    fn steady(&self, from: f64) -> Option<(Steady, f64)> {
        self.path.steady(from)
    }

    /// By each of the bounds the margin is greatest where the span comes nearest to the middle of a gap.
    fn margin(&self, from: f64, to: f64, radius: f64) -> f64 {
        let (times, pieces) = (self.path.times(), self.path.pieces());
        let arm = radius + self.path.centre().length();
        let (first, last) = (times[0], times[times.len() - 1]);
        let mut most = 0.0_f64;
        if from < first {
            let duration = times.get(1).map_or(0.0, |second| second - first);
            most = self.adrift(pieces.first(), duration, first - from, arm);
        }
        if to > last {
            let duration = if times.len() > 1 { last - times[times.len() - 2] } else { 0.0 };
            most = most.max(self.adrift(pieces.last(), duration, to - last, arm));
        }
        let begin = times.partition_point(|&t| t <= from).saturating_sub(1);
        for (piece, ends) in pieces.iter().zip(times.windows(2)).skip(begin) {
            if ends[0] > to {
                break;
            }
            let t = (0.5 * ends[0] + 0.5 * ends[1]).max(from).min(to).max(ends[0]).min(ends[1]);
            most = most.max(self.off(piece, t - ends[0], ends[1] - t, arm));
        }
        most * (1.0 + 1e-12)
    }

    fn swept_box(&self, model: &Model, from: f64, to: f64) -> Option<Aabb> {
        let reach = model.reach();
        self.path.parts(from, to).try_fold(Aabb::EMPTY, |whole, (piece, from, to)| {
            let swept = piece.swept_box(model, from, to)?;
            Some(if swept.is_empty() { whole } else { whole.join(&swept.grown(self.margin(from, to, reach))) })
        })
    }
}
