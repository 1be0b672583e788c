//! Bounds on the velocities of a body over a span of time.
//!
//! A point `p` of a body whose centre moves with velocity `v` and which turns with `ω` has velocity `v + ω × r`, with
//! `r` from the centre to `p`. Along a direction `n` that is `v·n + (n × ω)·r`. For all points no farther from the
//! centre than `ρ`, with `v` no farther than `v̄` from the velocity given and `ω` no farther than `ω̄` from the spin:
//!
//! ```text
//!     v·n + v̄ + (|n × ω| + ω̄)·ρ
//! ```
//!
//! bounds it (Mirtich 1996 §2.3 with the direction of the closest points). Where the spin does not change, `ρ` may be
//! the distance from the *axis* through the centre: the part of `r` along `ω` does not count.

use glam::DVec3;

/// Bounds on the velocities of a body over a span of time: the velocity of one of its points, its spin, and how far
/// each may be from that.
///
/// ```
/// use impinge::{glam::DVec3, Rates};
/// let wheel = Rates { velocity: DVec3::X, spin: DVec3::Y, ..Rates::STILL };
/// assert_eq!(wheel.speed(0.5), 1.5);
/// assert_eq!(wheel.along(DVec3::Y, 0.5), 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rates {
    /// A point of the body, in its own frame.
    pub centre: DVec3,
    /// Velocity of that point in the world.
    pub velocity: DVec3,
    /// The true velocity is no farther from it than this.
    pub velocity_spread: f64,
    /// Angular velocity in the world, in radians.
    pub spin: DVec3,
    /// The true angular velocity is no farther from it than this.
    pub spin_spread: f64,
}

impl Rates {
    /// The rates of a body that does not move.
    pub const STILL: Rates =
        Rates { centre: DVec3::ZERO, velocity: DVec3::ZERO, velocity_spread: 0.0, spin: DVec3::ZERO, spin_spread: 0.0 };

    /// The largest speed of a point within `radius` of the centre.
    pub fn speed(&self, radius: f64) -> f64 {
        self.velocity.length() + self.velocity_spread + (self.spin.length() + self.spin_spread) * radius
    }

    /// The largest speed along the unit direction `n` of a point within `radius` of the centre (of the axis, where the
    /// spin is constant); negative where all points move against `n`.
    pub fn along(&self, n: DVec3, radius: f64) -> f64 {
        self.velocity.dot(n) + self.velocity_spread + (n.cross(self.spin).length() + self.spin_spread) * radius
    }
}
