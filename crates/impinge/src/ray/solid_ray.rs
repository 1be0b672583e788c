//! Where a ray enters and leaves a convex body of any kind.
//!
//! Polyhedra are clipped ([`super::convex_ray`]), half-spaces, balls and capsules have closed forms, and every other
//! body is met by a point that moves along the ray: van den Bergen's cast ([`crate::time::impact::ray_cast`]), forward
//! for the point where the ray enters, and back from a point beyond the body for the point where it leaves.

use std::sync::OnceLock;

use glam::{DMat3, DVec3};

use super::convex_ray::{convex_ray, has_volume};
use super::line::{Line, LineHit, RaySpan};
use crate::answer::{Element, Feature, Stats};
use crate::math::Relative;
use crate::model::Convex;
use crate::model::round::Core;
use crate::narrow::solid::Solid;
use crate::time::impact::ray_cast::ray_cast;

/// Which ends of the span are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// The first: the other may be missing.
    First,
    Both,
}

const SURFACE: Feature = Feature::Convex { piece: 0, element: Element::Surface };

/// The part of the ray in the body; `None` where it passes by.
pub(super) fn solid_ray(body: &Solid<'_>, line: &Line, ends: Ends) -> Option<RaySpan> {
    match body.core {
        Core::HalfSpace { normal, offset } => half_space(normal, offset + body.margin, line),
        Core::Polyhedron(core) if body.margin == 0.0 && has_volume(core) => convex_ray(core, 0.0, line),
        Core::Polyhedron(core) if core.vertex_count() == 1 => ball(core.centre(), body.margin, line),
        Core::Polyhedron(core) if core.vertex_count() == 2 && body.margin > 0.0 => {
            capsule([core.vertex(0), core.vertex(1)], body.margin, line)
        }
        Core::Polyhedron(core) => any(body, (core.centre(), core.radius()), line, ends),
        Core::Smooth(core) => any(body, (core.centre(), core.radius()), line, ends),
    }
}

fn half_space(normal: DVec3, offset: f64, line: &Line) -> Option<RaySpan> {
    let (height, speed) = (normal.dot(line.origin) - offset, normal.dot(line.direction));
    let t = -height / speed;
    let hit = LineHit { t, point: line.origin + line.direction * t, normal, feature: SURFACE, uv: [0.0; 2] };
    match (height > 0.0, t >= 0.0 && t.is_finite()) {
        (true, true) => Some(RaySpan { enter: Some(hit), leave: None }),
        (true, false) => None,
        (false, true) => Some(RaySpan { enter: None, leave: Some(hit) }),
        (false, false) => Some(RaySpan { enter: None, leave: None }),
    }
}

/// The ray meets the sphere at `t₀ ± √(r² − h²)`, with `t₀` the foot of the centre on it and `h` the height of the
/// centre above it. The height is measured and not computed from lengths, whose squares cancel far from the ball.
fn ball(centre: DVec3, radius: f64, line: &Line) -> Option<RaySpan> {
    let unit = line.direction / line.norm;
    let from_origin = centre - line.origin;
    let foot = from_origin.dot(unit);
    let beside = from_origin - unit * foot;
    let square = radius * radius - beside.length_squared();
    if square < 0.0 || square.is_nan() {
        return None;
    }
    let half = square.sqrt();
    let hit = |distance: f64| {
        let point = line.origin + unit * distance;
        let normal = (unit * (distance - foot) - beside).normalize_or_zero();
        LineHit { t: distance / line.norm, point, normal, feature: SURFACE, uv: [0.0; 2] }
    };
    let (enter, leave) = (hit(foot - half), hit(foot + half));
    (leave.t >= 0.0).then_some(RaySpan { enter: (enter.t >= 0.0).then_some(enter), leave: Some(leave) })
}

/// The balls around the ends of the axis, and the cylinder between them: the ray is in their union, which is convex,
/// from the first point where it enters one to the last where it leaves one.
fn capsule([p, q]: [DVec3; 2], radius: f64, line: &Line) -> Option<RaySpan> {
    let ways = [ball(p, radius, line), ball(q, radius, line), tube([p, q], radius, line)];
    let first = |x: LineHit, y: LineHit| if y.t < x.t { y } else { x };
    let last = |x: LineHit, y: LineHit| if y.t > x.t { y } else { x };
    ways.into_iter().flatten().reduce(|x, y| RaySpan {
        enter: x.enter.zip(y.enter).map(|(x, y)| first(x, y)),
        leave: x.leave.zip(y.leave).map(|(x, y)| last(x, y)),
    })
}

/// The part of the ray within `radius` of the line `pq`, and between the planes across the line at `p` and `q`. Normals
/// are those of the tube; where the ray passes through one of the planes it is in the ball there.
fn tube([p, q]: [DVec3; 2], radius: f64, line: &Line) -> Option<RaySpan> {
    let axis = (q - p).normalize_or_zero();
    let (unit, from) = (line.direction / line.norm, line.origin - p);
    let (rise, height) = (unit.dot(axis), from.dot(axis));
    let (flat, off) = (unit - axis * rise, from - axis * height);
    let speed = flat.length();
    // Seen along the axis: a disc and a line, as in `ball`.
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    if speed > 0.0 {
        let along = flat / speed;
        let foot = -off.dot(along);
        let square = radius * radius - (off + along * foot).length_squared();
        if square < 0.0 {
            return None;
        }
        (enter, leave) = ((foot - square.sqrt()) / speed, (foot + square.sqrt()) / speed);
    } else if off.length_squared() > radius * radius {
        return None;
    }
    let top = (q - p).dot(axis);
    if rise != 0.0 {
        let (x, y) = (-height / rise, (top - height) / rise);
        (enter, leave) = (enter.max(x.min(y)), leave.min(x.max(y)));
    } else if !(0.0..=top).contains(&height) {
        return None;
    }
    let hit = |distance: f64| {
        let point = line.origin + unit * distance;
        let normal = (off + flat * distance).normalize_or_zero();
        LineHit { t: distance / line.norm, point, normal, feature: SURFACE, uv: [0.0; 2] }
    };
    let is_met = enter <= leave && leave >= 0.0 && leave.is_finite();
    is_met.then(|| RaySpan { enter: (enter >= 0.0).then(|| hit(enter)), leave: Some(hit(leave)) })
}

fn any(body: &Solid<'_>, (centre, radius): (DVec3, f64), line: &Line, ends: Ends) -> Option<RaySpan> {
    let unit = line.direction / line.norm;
    let reach = 1.5 * (radius + body.margin);
    let foot = (centre - line.origin).dot(unit);
    if foot + reach < 0.0 {
        return None;
    }
    let begin = (foot - reach).max(0.0);
    let end = foot + reach;
    let forward = cast(body, line.origin + unit * begin, unit * (end - begin))?;
    let at = |distance: f64, normal: DVec3| LineHit {
        t: distance / line.norm,
        point: line.origin + unit * distance,
        normal,
        feature: SURFACE,
        uv: [0.0; 2],
    };
    let (share, normal) = forward;
    let enter = (share > 0.0 || begin > 0.0).then(|| at(begin + share * (end - begin), -normal));
    if enter.is_some() && ends == Ends::First {
        return Some(RaySpan { enter, leave: None });
    }
    let back = cast(body, line.origin + unit * end, unit * (begin - end));
    let leave = back.map(|(share, normal)| at(end - share * (end - begin), -normal));
    Some(RaySpan { enter, leave })
}

/// How far a point moves along `way` before it meets the body, and the normal towards the body.
fn cast(body: &Solid<'_>, from: DVec3, way: DVec3) -> Option<(f64, DVec3)> {
    static POINT: OnceLock<Option<Convex>> = OnceLock::new();
    let point = POINT.get_or_init(|| Convex::hull(&[DVec3::ZERO]).ok()).as_ref()?;
    let place = Relative { rotation: DMat3::IDENTITY, translation: -from };
    let found = ray_cast([&Solid::polyhedron(point), body], &place, way, &mut Stats::default())?;
    Some((found.share, found.normal))
}
