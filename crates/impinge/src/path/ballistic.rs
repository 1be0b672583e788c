//! Free flight: the centre of mass follows a parabola, and the body turns as no torque acts on it.
//!
//! Mirtich 1997 §2 and 1996 §2.3. The rotation is in closed form, so that a pose costs the same at every time, forwards
//! and backwards, and depends on no step size. With the moments of inertia `I₁, I₂, I₃`, the spin `ω` along those axes,
//! `2T = Σ I ω²` and `L² = Σ I² ω²`, let the third axis be the one that the spin goes round: that of the greatest
//! moment where `L² > 2T·I₂`, else that of the least. Then (E. T. Whittaker, *Analytical Dynamics*, §69)
//!
//! ```text
//!     ω₁ = A₁ cn u,  ω₂ = A₂ sn u,  ω₃ = A₃ dn u,   u = ε + λt,   λ = A₃ (I₃ − I₂)/I₁ · A₂/A₁
//!     A₁² = X/I₁|I₃ − I₁|,   A₂² = X/I₂|I₃ − I₂|,   X = I₁|I₃ − I₁|ω₁² + I₂|I₃ − I₂|ω₂²
//!     A₃² = ω₃² + I₂(I₂ − I₁)/I₃(I₃ − I₁) ω₂²,      m = I₁(I₂ − I₁)A₁² / I₃(I₃ − I₂)A₃²
//! ```
//!
//! all sums of terms of one sign. The plane of `L` and the third axis turns about `L`, which stands still, by
//!
//! ```text
//!     ψ̇ = L (2T − I₃ω₃²)/(L² − I₃²ω₃²) = L/I₃ + L (1/I₁ − 1/I₃) / (1 − n sn²u),   n = −I₃(I₂ − I₁)/I₁(I₃ − I₂),
//! ```
//!
//! whose integral is one of the third kind (`elliptic.rs`). Near the second axis, the unstable one, cn, dn and `1 − m`
//! are tiny, and grow: they are computed from the spin as given, and at later times from the functions of `λt` alone.
//! With `F(t)` the frame of `L`, and of that plane, in the body, the rotation is `R₀ F(0) exp(ψ ẑ) F(t)ᵀ`. Bodies with
//! two equal moments, and spin about a principal axis, need no elliptic functions: `R = exp(t·L/I₁) R₀ exp(t·ω₃(1 −
//! I₃/I₁))`.
//!
//! Bounds: the part of `ω` along `L` is `2T/L` for ever, and `|ω|² ≤ Ω² = (2T(I_min + I_max) − L²)/I_min I_max`: over
//! the surface of constant `T` and `L` that is the maximum. So the spin stays within `√(Ω² − (2T/L)²)` of `L·2T/L²`.
//!
//! Cost: a pose takes about as long as a hundred square roots where the moments differ.

use glam::{DMat3, DQuat, DVec3};

use super::elliptic::{Elliptic, Functions};
use super::moving_body::{Motion, box_by_bounds};
use super::rates::Rates;
use super::swept_box::common;
use crate::bound::Aabb;
use crate::broad::body_box;
use crate::error::MotionError;
use crate::math::Pose;
use crate::model::{Model, Outline};

/// How a flight begins.
///
/// ```
/// use impinge::{glam::DVec3, Ballistic, Flight, Motion, Pose};
/// let drop = Flight { gravity: DVec3::Z * -10.0, ..Flight::at(Pose::at(DVec3::Z * 20.0)?) };
/// assert_eq!(Ballistic::new(drop)?.pose(2.0).translation(), DVec3::ZERO);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Flight {
    /// The pose at the start.
    pub pose: Pose,
    /// The centre of mass, in the body's frame.
    pub centre: DVec3,
    /// Velocity of the centre at the start.
    pub velocity: DVec3,
    /// Angular velocity at the start, in radians, in the world.
    pub spin: DVec3,
    /// Acceleration of the centre: gravity.
    pub gravity: DVec3,
    /// Principal moments of inertia about the centre; only their ratios matter.
    pub moments: DVec3,
    /// From the principal axes to the body's frame.
    pub axes: DQuat,
    /// When it starts.
    pub start: f64,
}

impl Flight {
    /// A body at rest at a pose at time 0, without gravity, with the same moment about every axis.
    pub fn at(pose: Pose) -> Flight {
        Flight {
            pose,
            centre: DVec3::ZERO,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            gravity: DVec3::ZERO,
            moments: DVec3::ONE,
            axes: DQuat::IDENTITY,
            start: 0.0,
        }
    }
}

/// A body in free flight.
///
/// ```
/// use impinge::{glam::DVec3, Ballistic, Flight, Motion, Pose};
/// let stone = Ballistic::new(Flight {
///     velocity: DVec3::new(1.0, 0.0, 10.0),
///     gravity: DVec3::Z * -10.0,
///     spin: DVec3::new(0.1, 3.0, 0.2),
///     moments: DVec3::new(1.0, 2.0, 2.5),
///     ..Flight::at(Pose::IDENTITY)
/// })?;
/// assert_eq!(stone.pose(2.0).translation(), DVec3::new(2.0, 0.0, 0.0));
/// # Ok::<(), impinge::MotionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Ballistic {
    flight: Flight,
    rotation: Rotation,
    /// The direction of the angular momentum, times the spin along it, which is constant.
    steady_spin: DVec3,
    /// How far the spin may be from `steady_spin`.
    wobble: f64,
    /// The angular acceleration is no greater than this.
    spin_acceleration: f64,
}

/// How the body turns.
#[derive(Debug, Clone, PartialEq)]
enum Rotation {
    /// The product of a turn about a fixed axis of the world by `about` and one about a fixed axis of the body by
    /// `own`.
    Two {
        about: DVec3,
        own: DVec3,
    },
    Free(Box<Free>),
}

/// The free rotation of a body with three different moments.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Free {
    elliptic: Elliptic,
    /// From the axes, in the order that the module gives them, to the body's frame.
    axes: DMat3,
    /// `I₁A₁`, `I₂A₂`, `I₃A₃`: the greatest values of the parts of the angular momentum.
    momentum: DVec3,
    /// The direction of the first two parts, which is known also where these parts vanish.
    across: [f64; 2],
    /// sn, cn and dn at the start, and their argument.
    start: Functions,
    phase: f64,
    rate: f64,
    n: f64,
    /// `L/I₃` and `L (1/I₁ − 1/I₃)`.
    turning: [f64; 2],
    /// `R₀ F(0)`.
    first: DMat3,
    /// The integral of the third kind at the start.
    begun: f64,
}

impl Ballistic {
    /// A flight.
    ///
    /// # Errors
    /// A number is not finite or beyond the supported scale, or a moment is not positive.
    pub fn new(flight: Flight) -> Result<Ballistic, MotionError> {
        let Flight { centre, velocity, spin, gravity, moments, axes, start, .. } = flight;
        let vectors =
            [("centre", centre), ("velocity", velocity), ("spin", spin), ("gravity", gravity), ("moments", moments)];
        for (what, v) in vectors {
            MotionError::check(what, v)?;
        }
        MotionError::check("start", DVec3::splat(start))?;
        if !axes.is_finite() || (axes.length() - 1.0).abs() > 1e-6 {
            return Err(MotionError::NotUnit { what: "principal axes" });
        }
        // Ratios beyond this leave no digits in the module's bounds.
        if moments.min_element() <= 1e-9 * moments.max_element() {
            return Err(MotionError::NotPositive { what: "moments" });
        }
        // What is of unit length already stays as it is, so that a flight made again is the same.
        let is_unit = (axes.length_squared() - 1.0).abs() <= 4.0 * f64::EPSILON;
        let axes = if is_unit { axes } else { axes.normalize() };
        let flight = Flight { axes, moments: moments / moments.max_element(), ..flight };
        Ok(Ballistic::of(flight))
    }

    fn of(flight: Flight) -> Ballistic {
        let body = flight.pose.rotation_matrix() * DMat3::from_quat(flight.axes);
        let (i, w) = (flight.moments, body.transpose() * flight.spin);
        let momentum = i * w;
        let (energy, square) = (momentum.dot(w), momentum.length_squared());
        let along = if square > 0.0 { body * momentum * (energy / square) } else { DVec3::ZERO };
        let (least, most) = (i.min_element(), i.max_element());
        let fastest = ((energy * (least + most) - square) / (least * most)).max(w.length_squared());
        let wobble = (fastest - along.length_squared()).max(0.0).sqrt().max(along.distance(flight.spin));
        // The spin stays within Ω of zero, so each part of Euler's equations is bounded on its own.
        let gyration = DVec3::new((i.y - i.z) / i.x, (i.z - i.x) / i.y, (i.x - i.y) / i.z).abs();
        // |ω₂ω₃| is at most half of |ω|².
        let spin_acceleration = 0.5 * fastest * gyration.length();
        let rotation = Rotation::new(&flight, body, i, w);
        let (wobble, spin_acceleration) = match rotation {
            Rotation::Two { about, own } => (own.length(), about.length() * own.length()),
            Rotation::Free(_) => (wobble, spin_acceleration),
        };
        let steady_spin = match rotation {
            Rotation::Two { about, .. } => about,
            Rotation::Free(_) => along,
        };
        Ballistic { flight, rotation, steady_spin, wobble, spin_acceleration }
    }

    /// How it began.
    pub fn flight(&self) -> &Flight {
        &self.flight
    }

    /// Where the centre of mass is at a time.
    pub fn centre_at(&self, t: f64) -> DVec3 {
        let since = t - self.flight.start;
        self.flight.pose.apply(self.flight.centre)
            + (self.flight.velocity + self.flight.gravity * (0.5 * since)) * since
    }

    /// Velocity of the centre of mass at a time.
    pub fn velocity_at(&self, t: f64) -> DVec3 {
        self.flight.velocity + self.flight.gravity * (t - self.flight.start)
    }

    /// Angular velocity at a time.
    pub fn spin_at(&self, t: f64) -> DVec3 {
        let since = t - self.flight.start;
        match &self.rotation {
            Rotation::Two { about, own } => {
                *about + DQuat::from_scaled_axis(*about * since) * self.flight.pose.rotate(*own)
            }
            Rotation::Free(free) => {
                // ω = I⁻¹ L, with L in the body.
                let l = free.axes * free.momentum_at(&free.functions_at(since));
                let principal = DQuat::conjugate(self.flight.axes) * l / self.flight.moments;
                self.turned(since) * (self.flight.axes * principal)
            }
        }
    }

    /// The rotation of the body at the time `since` after the start.
    fn turned(&self, since: f64) -> DMat3 {
        let begun = self.flight.pose.rotation_matrix();
        match &self.rotation {
            Rotation::Two { about, own } => {
                let turn = |spin: DVec3| DMat3::from_quat(DQuat::from_scaled_axis(spin * since));
                turn(*about) * begun * turn(*own)
            }
            Rotation::Free(free) => free.rotation_at(since),
        }
    }
}

impl Rotation {
    /// `body` takes the principal axes, along which `i` and `w` are, to the world.
    fn new(flight: &Flight, body: DMat3, i: DVec3, w: DVec3) -> Rotation {
        let axes = DMat3::from_quat(flight.axes);
        let parts = [w.x, w.y, w.z].iter().filter(|part| part.abs() > 1e-15 * w.abs().max_element()).count();
        if parts <= 1 {
            return Rotation::Two { about: flight.spin, own: DVec3::ZERO };
        }
        for third in 0..3 {
            let (first, second) = ((third + 1) % 3, (third + 2) % 3);
            if i[first] == i[second] {
                let own = axes.col(third) * (w[third] * (1.0 - i[third] / i[first]));
                return Rotation::Two { about: body * (i * w) / i[first], own };
            }
        }
        Rotation::Free(Box::new(Free::new(flight.pose.rotation_matrix(), axes, i, w)))
    }
}

impl Free {
    fn new(begun: DMat3, axes: DMat3, i: DVec3, w: DVec3) -> Free {
        let mut order = [0usize, 1, 2];
        order.sort_by(|&x, &y| i[x].total_cmp(&i[y]));
        let [least, middle, most] = order;
        // The sign of L² − 2T·I₂ decides which axis is the third.
        let side = i[most] * (i[most] - i[middle]) * w[most] * w[most]
            - i[least] * (i[middle] - i[least]) * w[least] * w[least];
        if side <= 0.0 {
            order = [most, middle, least];
        }
        // A mirrored order is made a rotation by reversing one axis, and the spin along it.
        let even = matches!(order, [0, 1, 2] | [1, 2, 0] | [2, 0, 1]);
        let flip = if even { 1.0 } else { -1.0 };
        let i = DVec3::new(i[order[0]], i[order[1]], i[order[2]]);
        let w = DVec3::new(w[order[0]] * flip, w[order[1]], w[order[2]]);
        let axes = DMat3::from_cols(axes.col(order[0]) * flip, axes.col(order[1]), axes.col(order[2]));

        let (d31, d32, d21) = ((i.z - i.x).abs(), (i.z - i.y).abs(), (i.y - i.x).abs());
        let (x1, x2) = ((i.x * d31).sqrt() * w.x, (i.y * d32).sqrt() * w.y);
        let x = x1.hypot(x2);
        let third = w.z.hypot((i.y * d21 / (i.z * d31)).sqrt() * w.y).copysign(w.z);
        let complement = side.abs() / (i.z * d32) / (third * third);
        let elliptic = Elliptic::new(complement);
        let start = if x > 0.0 { [x2 / x, x1 / x, w.z / third] } else { [0.0, 1.0, 1.0] };
        let phase = elliptic.first(start);
        let sign = (i.z - i.y).signum();
        let rate = sign * third * (d31 * d32 / (i.x * i.y)).sqrt();
        let across = [(i.x / d31).sqrt(), (i.y / d32).sqrt()];
        let momentum = DVec3::new(across[0] * x, across[1] * x, i.z * third);
        let l = (i * w).length();
        let n = -(i.z * d21) / (i.x * d32);
        let turning = [l / i.z, l * (1.0 / i.x - 1.0 / i.z)];
        let third = elliptic.third(n, phase, start);
        let free =
            Free { elliptic, axes, momentum, across, start, phase, rate, n, turning, first: begun, begun: third };
        Free { first: begun * free.frame(&start), ..free }
    }

    /// sn, cn and dn at the time `since` after the start.
    fn functions_at(&self, since: f64) -> Functions {
        self.elliptic.sum(self.start, self.elliptic.functions(self.rate * since))
    }

    /// The parts of the angular momentum, in the module's order of axes.
    fn momentum_at(&self, [s, c, d]: &Functions) -> DVec3 {
        self.momentum * DVec3::new(*c, *s, *d)
    }

    /// `F`: its columns, in the body's frame, are in the plane of `L` and the third axis, across that plane, and along
    /// `L`.
    fn frame(&self, functions: &Functions) -> DMat3 {
        let [sine, cosine, _] = *functions;
        let across = DVec3::new(-self.across[1] * sine, self.across[0] * cosine, 0.0).normalize_or(DVec3::Y);
        let along = self.momentum_at(functions).normalize_or(DVec3::Z);
        let inside = across.cross(along).normalize_or(DVec3::X);
        self.axes * DMat3::from_cols(inside, across, inside.cross(across))
    }

    fn rotation_at(&self, since: f64) -> DMat3 {
        let functions = self.functions_at(since);
        let u = self.phase + self.rate * since;
        let third =
            if self.rate == 0.0 { since } else { (self.elliptic.third(self.n, u, functions) - self.begun) / self.rate };
        let psi = self.turning[0] * since + self.turning[1] * third;
        self.first * DMat3::from_rotation_z(psi) * self.frame(&functions).transpose()
    }
}

impl Motion for Ballistic {
    fn pose(&self, t: f64) -> Pose {
        let since = t - self.flight.start;
        let turn = self.turned(since);
        let rotation = DQuat::from_mat3(&turn).normalize();
        Pose::bounded(self.centre_at(t) - rotation * self.flight.centre, rotation)
    }

    fn rates(&self, from: f64, to: f64) -> Rates {
        let (middle, half) = (0.5 * from + 0.5 * to, 0.5 * (to - from).max(0.0));
        let fall = self.flight.gravity.length() * half * (1.0 + 1e-12);
        let mut rates = Rates {
            centre: self.flight.centre,
            velocity: self.velocity_at(middle),
            velocity_spread: fall,
            spin: self.steady_spin,
            spin_spread: self.wobble * (1.0 + 1e-9) + 1e-12 * self.steady_spin.length(),
        };
        let changed = self.spin_acceleration * half;
        if changed < self.wobble {
            rates.spin = self.spin_at(middle);
            rates.spin_spread = changed * (1.0 + 1e-9) + 1e-12 * rates.spin.length();
        }
        rates
    }

    fn accelerations(&self, _: f64, _: f64) -> [f64; 2] {
        [self.flight.gravity.length(), self.spin_acceleration * (1.0 + 1e-9)]
    }

    fn fall(&self, _: f64, _: f64) -> Option<DVec3> {
        Some(self.flight.gravity)
    }

    /// Exact for the parabola, apex included; around its points the body is held by a ball, or by its box if it does
    /// not turn.
    fn swept_box(&self, model: &Model, from: f64, to: f64) -> Option<Aabb> {
        let swept = box_by_bounds(self, model, from, to)?;
        if swept.is_empty() {
            return Some(swept);
        }
        let (start, velocity) = (self.centre_at(from), self.velocity_at(from));
        let path =
            |radius: f64| body_box::ballistic(start, velocity, self.flight.gravity, (to - from).max(0.0), radius);
        let bounds = if self.flight.spin == DVec3::ZERO {
            let still = model.outline(&self.pose(from), Outline::Fitted)?;
            let centre = path(0.0);
            let rounding = 8.0 * f64::EPSILON * (start.abs().max_element() + centre.reach());
            Aabb { min: centre.min + (still.min - start), max: centre.max + (still.max - start) }.grown(rounding)
        } else {
            path(model.radius_about(self.flight.centre) * (1.0 + 1e-14))
        };
        Some(common(&swept, &bounds))
    }
}
