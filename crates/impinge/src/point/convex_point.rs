//! How far a point is from the surface of one convex body that has no formula for it ([`super::closed_point`]): a core
//! and a margin.
//!
//! Of a polyhedral core the signed distance is known ([`polyhedron_point`]), from which the
//! margin comes off; where the point lies on such a core, or in it, the way out goes on beyond the core's surface.
//! Smooth cores are known by their support only: outside by GJK, inside by the expanding polytope, against a point.
//!
//! [`polyhedron_point`]: super::polyhedron_point

use glam::DVec3;

use super::closed_point;
use super::polyhedron_point;
use super::polyhedron_point::PointSide;
use super::signed_gap::{SignedGap, signed};
use crate::answer::{Element, Feature, Stats};
use crate::math::{EPS, Interval, Relative};
use crate::model::Convex;
use crate::model::closed_form::ClosedForm;
use crate::model::round::Core;
use crate::narrow::context::Context;
use crate::narrow::convex::closest;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::witnesses::ConvexGap;
use crate::narrow::depth::convex_depth;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::solid::Solid;

fn part(element: Element) -> Feature {
    Feature::Convex { piece: 0, element }
}

/// The signed distance.
pub(super) fn gap(solid: &Solid<'_>, at: DVec3, stats: &mut Stats) -> Option<SignedGap> {
    match solid.core {
        Core::Polyhedron(body) => Some(of_polyhedron(body, solid.margin, at, stats)),
        Core::HalfSpace { normal, offset } => {
            Some(closed_point::gap(&ClosedForm::HalfSpace { normal, offset }, solid.margin, at))
        }
        Core::Smooth(_) => of_smooth(solid, at, stats),
    }
}

fn of_polyhedron(body: &Convex, margin: f64, at: DVec3, stats: &mut Stats) -> SignedGap {
    let core = polyhedron_point::gap(body, at, stats);
    if margin == 0.0 {
        let inside = core.side != PointSide::Outside;
        if core.side == PointSide::Surface {
            return SignedGap::touching(inside, part(core.element));
        }
        return SignedGap { interval: core.interval, inside, closest: Some(core.foot), feature: part(core.element) };
    }
    let noise = 4.0 * EPS * margin;
    let Interval { lower, upper } = core.interval;
    SignedGap {
        interval: Interval { lower: lower - margin - noise, upper: upper - margin + noise },
        inside: core.distance <= margin,
        closest: Some(core.foot + core.out * margin),
        feature: part(Element::Surface),
    }
}

fn of_smooth(solid: &Solid<'_>, at: DVec3, stats: &mut Stats) -> Option<SignedGap> {
    let place = Relative { translation: at, ..Relative::IDENTITY };
    let point = Solid::polyhedron(polyhedron_point::a_point()?);
    let (memory, feature) = (&mut ConvexMemory::default(), part(Element::Surface));
    match closest::nearest([solid, &point], &place, f64::INFINITY, Method::Auto, Context::new(memory, stats)) {
        Outcome::Apart(ConvexGap { interval, witness }) => {
            Some(SignedGap { interval, inside: false, closest: Some(witness.points[0]), feature })
        }
        _ => {
            let memory = &mut ConvexMemory::default();
            let cx = Context::new(memory, stats);
            let Some(deep) = convex_depth::depth([solid, &point], &place, Method::Auto, cx) else {
                return Some(SignedGap::touching(true, feature));
            };
            let middle = 0.5 * (deep.lower + deep.upper);
            let interval = signed(middle, 0.5 * (deep.upper - deep.lower), true);
            Some(SignedGap { interval, inside: true, closest: Some(at + deep.normal * middle), feature })
        }
    }
}
