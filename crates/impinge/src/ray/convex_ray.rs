//! Where a ray enters and leaves a convex polyhedron.
//!
//! M. Cyrus and J. Beck, *Generalized two- and three-dimensional clipping*, Computers & Graphics 3, 1978: the ray is in
//! the body as long as it is below the planes of all faces. Each plane that it crosses downward bounds that interval
//! from below, each that it crosses upward from above.
//!
//! A ray that passes the ball around the body is not looked at further.
//!
//! Cost: the faces, one product each.

use super::line::{Line, LineHit, RaySpan};
use crate::answer::{Element, Feature};
use crate::math::EPS;
use crate::model::Convex;

/// The part of the ray in the body, whose faces are all moved outward by `beyond`; `None` where it passes by, or where
/// the body lies behind it.
pub(super) fn convex_ray(body: &Convex, beyond: f64, line: &Line) -> Option<RaySpan> {
    if passes(body, beyond, line) {
        return None;
    }
    let (mut enter, mut leave) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
    for (f, face) in (0..).zip(body.faces()) {
        let height = face.normal.dot(line.origin) - face.offset - beyond;
        let speed = face.normal.dot(line.unit);
        let t = -height / speed;
        if speed < 0.0 && t > enter.0 {
            enter = (t, f);
        } else if speed > 0.0 && t < leave.0 {
            leave = (t, f);
        } else if speed == 0.0 && height > 0.0 {
            return None;
        }
    }
    if enter.0 > leave.0 || leave.0 < 0.0 || leave.0.is_nan() || enter.0.is_nan() {
        return None;
    }
    let hit = |(t, f): (f64, u32), outward: f64| LineHit {
        distance: t,
        point: line.origin + line.unit * t,
        normal: body.face(f).normal * outward,
        feature: Feature::Convex { piece: 0, element: Element::Face(f) },
        uv: [0.0; 2],
    };
    let (enter, leave) = (hit(enter, 1.0), hit(leave, 1.0));
    Some(RaySpan { enter: (enter.distance >= 0.0).then_some(enter), leave: Some(leave) })
}

/// Whether the ray passes the ball around the body, by more than rounding.
fn passes(body: &Convex, beyond: f64, line: &Line) -> bool {
    let from = body.centre() - line.origin;
    let foot = from.dot(line.unit);
    let radius = (body.radius() + beyond) * (1.0 + 1e-9) + 32.0 * EPS * line.origin.abs().max_element();
    foot < -radius || (from - line.unit * foot).length_squared() > radius * radius
}

/// Whether the body has a plane for each of its sides, so that clipping by planes finds all of it.
pub(super) fn has_volume(body: &Convex) -> bool {
    body.face_count() >= 4
}
