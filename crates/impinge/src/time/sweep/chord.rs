//! The paths of a body's points over a stretch of time: the chord from start to end, and how far they are from it.
//!
//! At the ends the body is where its motion puts it. Between them a point `p` that turns about an axis at distance `r`
//! by `θ` while the axis moves straight is, at the fraction `u` of the stretch (Xavier 1997, eq. 4),
//!
//! ```text
//!     p(u) = (1 − u)·p(0) + u·p(1) + g(u)·m + f(u)·t
//!     g(u) = r·(cos θ(u − ½) − cos θ/2),   f(u) = r·(sin θ(u − ½) − (2u − 1)·sin θ/2)
//! ```
//!
//! with `m` the outward radius at half the angle and `t` along the chord of the rotation. For `θ ≤ π`, `g` is concave,
//! not negative, and has the slope `rθ·sin θ/2` at the start, so `g(u) ≤ min(2u, 2 − 2u)·G·r` with `G = (θ/2)·sin θ/2`;
//! and `|f| ≤ τ·r`, `τ = θ³/(36·√12)`. So the path lies within `τ·r` of the triangle of `p(0)`, `p(1)` and
//! `M = (p(0) + p(1))/2 + G·r·m`: the *chord with its bulge*. `p(1)` and `M` are affine in `p`, so one support of the
//! body gives each. This holds for every translation; the triangle of the tangents (Xavier's bound 3) does not.
//! Figure: `docs/figures/chord.svg`.
//!
//! Any motion whose accelerations are bounded by `K` stays within `K/8` of its chord, and any motion whose velocities
//! are within `σ` of one vector stays within `σ` of it, both for a stretch of length 1: this bounds motions that are
//! not steady.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DMat3, DQuat, DVec3};

use crate::math::Pose;
use crate::path::{Motion, Rates};

/// `1/(36·√12)`: `|f|` is at most this times `r·θ³`.
const SIDEWAYS: f64 = 1.0 / 124.707_658_144_959_44;

/// What contains the paths around their chords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filling {
    /// The triangles above.
    Bulge,
    /// The points within a distance of the chords.
    Ball,
}

/// The paths of one body's points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chord {
    /// The poses at the ends.
    pub(crate) ends: [Pose; 2],
    /// The rotations at the ends.
    pub(crate) turn: [DMat3; 2],
    /// From `p − centre` to the bulge at the middle of its path.
    pub(crate) bulge: Option<DMat3>,
    /// The point that moves straight, in the body's frame.
    pub(crate) centre: DVec3,
    /// The axis that the body turns about, in its frame; zero where it is not constant.
    axis: DVec3,
    /// Angle of a steady turn; infinite where the motion is not steady.
    pub(crate) angle: f64,
    /// For a stretch of length 1: rates, and accelerations of the centre and of the spin.
    pub(crate) rates: Rates,
    pub(crate) accelerations: [f64; 2],
}

impl Chord {
    pub(crate) fn new(motion: &dyn Motion, from: f64, to: f64, filling: Filling) -> Chord {
        let length = to - from;
        let ends = [motion.pose(from), motion.pose(to)];
        let turn = ends.map(|pose| pose.rotation_matrix());
        let slow = |rates: Rates| Rates {
            velocity: rates.velocity * length,
            velocity_spread: times(rates.velocity_spread, length),
            spin: rates.spin * length,
            spin_spread: times(rates.spin_spread, length),
            ..rates
        };
        if let Some((steady, until)) = motion.steady(from)
            && until >= to
        {
            let rates = slow(steady.rates(from, to));
            let (angle, centre) = (steady.angle(from, to), steady.centre());
            let axis = steady.spin().normalize_or_zero();
            let bulge = (filling == Filling::Bulge && angle > 0.0 && angle <= FRAC_PI_2).then(|| {
                let across = DMat3::IDENTITY - DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
                let height = 0.5 * angle * (0.5 * angle).sin();
                across * DMat3::from_quat(DQuat::from_axis_angle(axis, 0.5 * angle)) * turn[0] * height
            });
            let axis = turn[0].transpose() * axis;
            return Chord { ends, turn, bulge, centre, axis, angle, rates, accelerations: [0.0; 2] };
        }
        let rates = slow(motion.rates(from, to));
        let accelerations = motion.accelerations(from, to).map(|a| times(a, length * length));
        let (centre, axis) = (rates.centre, DVec3::ZERO);
        Chord { ends, turn, bulge: None, centre, axis, angle: f64::INFINITY, rates, accelerations }
    }

    /// Whether every point moves along its chord.
    pub(crate) fn is_straight(&self) -> bool {
        self.angle == 0.0
    }

    /// Whether it is steady and turns by more than a half turn.
    pub(crate) fn is_long(&self) -> bool {
        self.angle > PI
    }

    /// The largest distance of a point of a ball from the axis, or from the centre where the axis is not constant.
    pub(crate) fn arm(&self, centre: DVec3, radius: f64) -> f64 {
        let v = centre - self.centre;
        (v - self.axis * self.axis.dot(v)).length() + radius
    }

    /// How far points with such an arm may be from the chord, or from the triangle with its bulge.
    pub(crate) fn deviation(&self, arm: f64) -> f64 {
        if self.is_straight() {
            0.0
        } else if self.bulge.is_some() {
            arm * self.angle.powi(3) * SIDEWAYS
        } else if self.angle.is_finite() {
            arm * (0.125 * self.angle * self.angle).min(2.0)
        } else {
            let spin = self.rates.spin.length() + self.rates.spin_spread;
            let bent = self.accelerations[0] + times(self.accelerations[1] + spin * spin, arm);
            let spread = self.rates.velocity_spread + times(spin, arm);
            (0.125 * bent).min(spread)
        }
    }

    /// How far points that move within the body, straight and by `way`, may be from where such a hull puts them besides
    /// (`stretch.rs`).
    pub(crate) fn drifted(&self, way: f64) -> f64 {
        if way == 0.0 || self.is_straight() {
            return 0.0;
        }
        let turned = self.turn[1] - self.turn[0];
        let most = [turned.x_axis, turned.y_axis, turned.z_axis].map(DVec3::length_squared).iter().sum::<f64>().sqrt();
        let height = self.bulge.map_or(0.0, |_| 0.5 * self.angle * (0.5 * self.angle).sin());
        (0.25 * most + 0.125 * height) * way
    }

    /// How far the bound may reach beyond the paths: the deviation and the height of the bulge.
    pub(crate) fn excess(&self, arm: f64) -> f64 {
        let height = self.bulge.map_or(0.0, |_| 0.5 * self.angle * (0.5 * self.angle).sin());
        height * arm + self.deviation(arm)
    }
}

/// The product, with `0·∞ = 0`.
pub(crate) fn times(x: f64, y: f64) -> f64 {
    if x == 0.0 || y == 0.0 { 0.0 } else { x * y }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::path::Steady;
    use crate::prim::nearest;

    /// A vector in `[−1, 1]³` that is the same in every run.
    pub(crate) fn spread(k: u32) -> DVec3 {
        let t = f64::from(k);
        DVec3::new((t * 12.9898).sin(), (t * 78.233).cos(), (t * 37.719 + 1.0).sin())
    }

    /// Paths of points under turns up to a quarter, with any translation, stay within the deviation of their triangles;
    /// under larger turns, and with the ball, they stay within the deviation of their chords.
    #[test]
    fn paths_stay_near_their_chords() {
        for k in 0..400 {
            let angle = [0.01, 0.3, 1.0, 1.5, 2.5, 6.0][k as usize % 6];
            let pose = Pose::new(spread(k) * 3.0, DQuat::from_scaled_axis(spread(k + 1000) * 3.0)).unwrap();
            let spin = spread(k + 2000).normalize() * angle;
            let motion = Steady::new(pose, spread(k + 3000), spread(k + 4000) * 3.0, spin, 0.0).unwrap();
            for filling in [Filling::Bulge, Filling::Ball] {
                let chord = Chord::new(&motion, 0.0, 1.0, filling);
                assert_eq!(chord.bulge.is_some(), filling == Filling::Bulge && angle <= FRAC_PI_2);
                let p = spread(k + 5000) * 2.0;
                let ends = chord.ends.map(|pose| pose.apply(p));
                let bulge = chord.bulge.map_or(DVec3::ZERO, |b| b * (p - chord.centre));
                let triangle = [ends[0], ends[1], (ends[0] + ends[1]) * 0.5 + bulge];
                let deviation = chord.deviation(chord.arm(p, 0.0));
                for s in 0..=1000 {
                    let x = motion.pose(f64::from(s) / 1000.0).apply(p);
                    let outside = nearest(&[x; 3], &triangle).squared.sqrt();
                    assert!(outside <= deviation + 1e-12, "{k} {filling:?} {s}: {outside} {deviation}");
                }
            }
        }
    }

    /// The bound on the distance of the path from the triangle is not much larger than that distance.
    #[test]
    fn the_deviation_from_a_bulge_is_small() {
        let motion = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * 0.5, 0.0).unwrap();
        let chord = Chord::new(&motion, 0.0, 1.0, Filling::Bulge);
        assert!(chord.deviation(1.0) < 0.0011 && chord.excess(1.0) < 0.064);
        let ball = Chord::new(&motion, 0.0, 1.0, Filling::Ball);
        assert!((ball.deviation(1.0) - 0.03125).abs() < 1e-15);
    }
}
