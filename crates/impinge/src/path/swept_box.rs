//! A box that holds a body during a span of time, from bounds on its velocities and accelerations.
//!
//! Each of three boxes contains the body; the answer is their common part.
//!
//! - *By speed*: the box at the middle, moved out by as far as any point goes from there in half the span.
//! - *By the ball*: the path of the centre, and the farthest point of the body around it, however it turns. The path
//!   stays within `V·τ` of its place at the middle.
//! - *By acceleration*: between two times `T` apart a point whose acceleration is at most `a` is within `a·T²/8` of the
//!   straight way between its places at the ends (the error of linear interpolation), which lies in the box around
//!   those. A point at the distance `ρ` from the centre has `a ≤ a_c + (α + ω²)·ρ`. The span is split so that the body
//!   turns by a sixteenth of a turn at most, in up to 16 parts: then the bulge is below `ρ/50`.
//!
//! Where a translating body also turns, this is right for any turn, unlike the hull of the start and the end, which is
//! no bound (Xavier 1997 §3.1 uses tangents instead; his tangents are no bound where a path has an inflection).
//!
//! Cost: up to 18 boxes of the body where it stands.

use std::f64::consts::FRAC_PI_8;

use glam::DVec3;

use super::rates::Rates;
use crate::bound::Aabb;
use crate::math::{LIMIT, Pose};
use crate::model::{Model, Outline};

/// The most parts that a span is split into.
const MOST_PARTS: f64 = 16.0;

/// Bounds on a motion over a span; the fields are named like the methods of [`Motion`](super::Motion).
pub(crate) struct SpanBounds<'m> {
    pub(crate) pose: &'m dyn Fn(f64) -> Pose,
    pub(crate) rates: Rates,
    pub(crate) accelerations: [f64; 2],
    pub(crate) margin: f64,
}

/// The box that the module describes; `None` where the body has no bounds.
pub(crate) fn swept_box(motion: &SpanBounds<'_>, model: &Model, from: f64, to: f64) -> Option<Aabb> {
    let pose = (motion.pose)(0.5 * from + 0.5 * to);
    let still = model.outline(&pose, Outline::Fitted)?;
    if still.is_empty() {
        return Some(still);
    }
    let rates = &motion.rates;
    let (duration, radius) = ((to - from).max(0.0), model.radius_about(rates.centre));
    let margin = motion.margin;
    let by_speed = still.grown(outward(0.5 * rates.speed(radius) * duration + margin));

    let middle = pose.apply(rates.centre);
    let strayed = 0.5 * (rates.velocity_spread + 1e-15 * rates.velocity.length()) * duration + 1e-15 * middle.length();
    let way = rates.velocity * (0.5 * duration);
    let path = Aabb { min: middle - way.abs(), max: middle + way.abs() };
    let by_ball = path.grown(outward(strayed + radius * (1.0 + 1e-14) + margin));

    let bounds = common(&by_speed, &by_ball);
    let spin = rates.spin.length() + rates.spin_spread;
    let [a, alpha] = motion.accelerations;
    let bulge = a + (alpha + spin * spin) * radius;
    if !bulge.is_finite() {
        return Some(bounds);
    }
    let parts = (spin * duration / FRAC_PI_8).ceil().clamp(1.0, MOST_PARTS);
    let step = duration / parts;
    let mut by_acceleration = Aabb::EMPTY;
    for k in 0..=parts as u32 {
        let t = (from + f64::from(k) * step).min(to);
        by_acceleration = by_acceleration.join(&model.outline(&(motion.pose)(t), Outline::Fitted)?);
    }
    let bent = bulge * step * step / 8.0;
    // By rounding the last part may end a little before the span does.
    let late = 4.0 * f64::EPSILON * (from.abs() + to.abs()) * rates.speed(radius);
    Some(common(&bounds, &by_acceleration.grown(outward(bent + late + margin))))
}

fn outward(by: f64) -> f64 {
    if by.is_nan() { f64::INFINITY } else { by * (1.0 + 1e-12) }
}

/// The common part of two boxes; both contain the body, so it is not empty. A number that an overflow made NaN bounds
/// nothing.
pub(crate) fn common(one: &Aabb, other: &Aabb) -> Aabb {
    let number = |x: f64, none: f64| if x.is_nan() { none } else { x.clamp(-LIMIT, LIMIT) };
    let greater = |k: usize| number(one.min[k], -LIMIT).max(number(other.min[k], -LIMIT));
    let lesser = |k: usize| number(one.max[k], LIMIT).min(number(other.max[k], LIMIT));
    Aabb { min: DVec3::new(greater(0), greater(1), greater(2)), max: DVec3::new(lesser(0), lesser(1), lesser(2)) }
}
