//! Where a ray enters and leaves a convex body that has no formula for it ([`super::closed_ray`]).
//!
//! Polyhedra are clipped ([`super::convex_ray`]), and every other body is met by a point that moves along the ray: van
//! den Bergen's cast ([`crate::time::impact::ray_cast`]), forward for the point where the ray enters, and back from a
//! point beyond the body for the point where it leaves.

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
        // It has a formula.
        Core::HalfSpace { .. } => None,
        Core::Polyhedron(core) if body.margin == 0.0 && has_volume(core) => convex_ray(core, 0.0, line),
        Core::Polyhedron(core) if body.margin == 0.0 && core.vertex_count() == 1 => point(core.vertex(0), line),
        Core::Polyhedron(core) => any(body, (core.centre(), core.radius()), line, ends),
        Core::Smooth(core) => any(body, (core.centre(), core.radius()), line, ends),
    }
}

/// A point is met where it lies on the ray, exactly as far as rounding lets it.
fn point(p: DVec3, line: &Line) -> Option<RaySpan> {
    let (from, unit) = (p - line.origin, line.unit);
    let foot = from.dot(unit);
    let hit = LineHit { distance: foot, point: p, normal: DVec3::ZERO, feature: SURFACE, uv: [0.0; 2] };
    let is_met = foot >= 0.0 && from - unit * foot == DVec3::ZERO;
    is_met.then_some(RaySpan { enter: Some(hit), leave: Some(hit) })
}

fn any(body: &Solid<'_>, (centre, radius): (DVec3, f64), line: &Line, ends: Ends) -> Option<RaySpan> {
    let unit = line.unit;
    let reach = 1.5 * (radius + body.margin);
    let foot = (centre - line.origin).dot(unit);
    if foot + reach < 0.0 {
        return None;
    }
    let begin = (foot - reach).max(0.0);
    let end = foot + reach;
    let forward = cast(body, line.origin + unit * begin, unit * (end - begin))?;
    let at = |distance: f64, normal: DVec3| LineHit {
        distance,
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
