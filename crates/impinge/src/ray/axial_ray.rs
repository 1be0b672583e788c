//! Where a line is in a cylinder or a cone, whose axis is along z and whose middle is the origin.
//!
//! Seen along its axis a tube is a disc; the line passes that at a distance from the middle which is a cross product.
//! For a cone with its apex at height `h` and `k` for the tangent of its half angle, the line is in the double cone
//! where `x² + y² ≤ k²(h − z)²`, which is a quadratic of the parameter. A line flatter than the cone is in one of the
//! two nappes for an interval; a steeper one is in each of them from a root on to infinity, and the nappe below the
//! apex is that towards which it falls.

use glam::{DVec2, DVec3};

use super::near_line::{LineSpan, NearLine, common};
use crate::prim::{Cone, Cylinder};

/// The part of a cylinder or cone that is its disc at the lower end; 2 is that at the upper one.
const LOWER: u8 = 1;
const UPPER: u8 = 2;

/// The span within a radius of a line through the middle along a unit vector.
#[inline]
pub(super) fn tube(axis: DVec3, radius: f64, line: &NearLine) -> Option<LineSpan> {
    let flat = line.unit - axis * line.unit.dot(axis);
    let off = line.start - axis * line.start.dot(axis);
    disc(off.cross(flat).length(), off.dot(flat), flat.length_squared(), off.length_squared(), radius)
}

/// A disc of the plane around the middle, and a point that moves in the plane: from its cross and dot products with its
/// velocity, and the squares of both.
#[inline]
fn disc(cross: f64, dot: f64, speed: f64, off: f64, radius: f64) -> Option<LineSpan> {
    if speed == 0.0 {
        let within = off <= radius * radius;
        return within.then_some(LineSpan { enter: f64::NEG_INFINITY, leave: f64::INFINITY, parts: [0; 2] });
    }
    let beside = cross / speed.sqrt();
    let square = (radius - beside) * (radius + beside);
    if square < 0.0 || square.is_nan() {
        return None;
    }
    let (foot, half) = (-dot / speed, (square / speed).sqrt());
    Some(LineSpan { enter: foot - half, leave: foot + half, parts: [0; 2] })
}

/// The span between the planes at `±half`.
#[inline]
fn between_discs(half: f64, line: &NearLine) -> Option<LineSpan> {
    let (height, rise) = (line.start.z, line.unit.z);
    if rise == 0.0 {
        let within = height.abs() <= half;
        return within.then_some(LineSpan { enter: f64::NEG_INFINITY, leave: f64::INFINITY, parts: [0; 2] });
    }
    let inverse = rise.recip();
    let (foot, reach) = (-height * inverse, half * inverse.abs());
    let parts = if rise > 0.0 { [LOWER, UPPER] } else { [UPPER, LOWER] };
    Some(LineSpan { enter: foot - reach, leave: foot + reach, parts })
}

pub(super) fn cylinder(body: &Cylinder, line: &NearLine) -> Option<LineSpan> {
    let (off, flat): (DVec2, DVec2) = (line.start.truncate(), line.unit.truncate());
    let round =
        disc(off.perp_dot(flat).abs(), off.dot(flat), flat.length_squared(), off.length_squared(), body.radius)?;
    common(between_discs(body.half, line)?, round)
}

pub(super) fn cylinder_normal(_: &Cylinder, point: DVec3, part: u8) -> DVec3 {
    match part {
        LOWER => -DVec3::Z,
        UPPER => DVec3::Z,
        _ => DVec3::new(point.x, point.y, 0.0),
    }
}

pub(super) fn cone(body: &Cone, line: &NearLine) -> Option<LineSpan> {
    let slope = body.radius / (2.0 * body.half);
    let (off, flat): (DVec2, DVec2) = (line.start.truncate(), line.unit.truncate());
    // What the disc at the height of the point has for a radius, and how fast that grows.
    let (radius, growth) = (slope * (body.half - line.start.z), -slope * line.unit.z);
    let a = flat.length_squared() - growth * growth;
    let b = off.dot(flat) - radius * growth;
    let c = off.length_squared() - radius * radius;
    let square = b * b - a * c;
    let round = if square >= 0.0 {
        let q = -(b + square.sqrt().copysign(b));
        // Without the square term one of the roots is infinitely far; without any, all of the line is alike.
        let (x, y) = (q / a, c / q);
        let far = |root: f64| if root.is_nan() { f64::INFINITY } else { root };
        if q == 0.0 && a == 0.0 {
            if c > 0.0 {
                return None;
            }
            (f64::NEG_INFINITY, f64::INFINITY)
        } else if q == 0.0 {
            // A double root at the start.
            if a > 0.0 { (0.0, 0.0) } else { beyond(growth, 0.0, 0.0) }
        } else if a >= 0.0 {
            (far(x.min(y)), far(x.max(y)))
        } else {
            beyond(growth, x.min(y), x.max(y))
        }
    } else if a < 0.0 {
        // Through the apex, but for rounding.
        let apex = -radius / growth;
        beyond(growth, apex, apex)
    } else {
        return None;
    };
    let round = LineSpan { enter: round.0, leave: round.1, parts: [0; 2] };
    common(between_discs(body.half, line)?, round)
}

/// The part of a steep line in the nappe where discs have a positive radius, from its two roots.
fn beyond(growth: f64, lower: f64, upper: f64) -> (f64, f64) {
    if growth > 0.0 { (upper, f64::INFINITY) } else { (f64::NEG_INFINITY, lower) }
}

pub(super) fn cone_normal(body: &Cone, point: DVec3, part: u8) -> DVec3 {
    let across = point.truncate().normalize_or_zero() * (2.0 * body.half);
    match part {
        LOWER => -DVec3::Z,
        UPPER => DVec3::Z,
        _ => DVec3::new(across.x, across.y, body.radius),
    }
}
