//! How far a point is from the surface of a shape, by formulas: ball, capsule, box, cylinder, cone, ellipsoid,
//! half-space, and margins around them.
//!
//! What is round about an axis is seen in the half-plane through the axis and the point: a cylinder is a rectangle
//! there, a cone a triangle. Outside, the nearest point is the foot on the side that the point is beyond, if that is on
//! the side, else a corner; inside, the nearest side counts. The margin comes off the distance, and the nearest point
//! lies as much farther out. An ellipsoid has a root to find: [`super::ellipsoid_point`].
//!
//! **Error.** Of a point at `p` and a shape of size `s`, each distance is the outcome of at most a dozen roundings of
//! numbers no greater than `|p| + s`, along unit vectors that are off by 4 roundings themselves: `32ε(|p| + s)` covers
//! all. On which side of a box a point is, is decided by comparing coordinates, which is exact.
//!
//! Cost: two roots at most, but for the ellipsoid.

use glam::{DVec2, DVec3};

use super::ellipsoid_point::ellipsoid;
use super::signed_gap::{FormGap, SignedGap, length};
use crate::answer::{Element, Feature};
use crate::math::{EPS, Interval};
use crate::model::Round;
use crate::model::closed_form::ClosedForm;
use crate::prim::{Cone, Cylinder};

/// The signed distance of a point from the surface of a core with a margin.
#[inline]
pub(super) fn gap(form: &ClosedForm, margin: f64, at: DVec3) -> SignedGap {
    let core = match form {
        ClosedForm::Point(p) => from_point(*p, at),
        ClosedForm::Segment { centre, axis, half } => segment(*centre, *axis, *half, at),
        ClosedForm::Cuboid { half, faces } => cuboid(*half, faces, at),
        ClosedForm::Cylinder(body) => cylinder(body, at),
        ClosedForm::Cone(body) => cone(body, at),
        ClosedForm::Ellipsoid(body) => ellipsoid(body.radii, at),
        ClosedForm::HalfSpace { normal, offset } => half_space(*normal, *offset, at),
    };
    let feature = |element| Feature::Convex { piece: 0, element };
    if margin > 0.0 {
        let (distance, noise) = (core.distance - margin, core.noise + 2.0 * EPS * (core.distance.abs() + margin));
        return SignedGap {
            interval: Interval { lower: distance - noise, upper: distance + noise },
            inside: distance <= 0.0,
            closest: Some(core.foot + core.out * margin),
            feature: feature(Element::Surface),
        };
    }
    let mut interval = Interval { lower: core.distance - core.noise, upper: core.distance + core.noise };
    if let ClosedForm::Cuboid { .. } | ClosedForm::Point(_) = form {
        if core.distance == 0.0 {
            return SignedGap::touching(true, feature(core.element));
        }
        interval = on_its_side(interval, core.distance);
    }
    let inside = core.distance <= 0.0;
    SignedGap { interval, inside, closest: Some(core.foot), feature: feature(core.element) }
}

/// The form of a shape that has formulas for points: all but segments without a margin, on which a point lies or not
/// exactly, and polyhedra.
#[inline]
pub(super) fn closed(round: &Round) -> Option<&ClosedForm> {
    round.form().filter(|form| !matches!(form, ClosedForm::Segment { .. }) || round.margin() > 0.0)
}

/// The interval of a distance whose sign is certain.
#[inline]
fn on_its_side(Interval { lower, upper }: Interval, distance: f64) -> Interval {
    if distance < 0.0 { Interval { lower, upper: upper.min(0.0) } } else { Interval { lower: lower.max(0.0), upper } }
}

/// The greatest component: a bound on rounding.
#[inline]
fn reach(v: DVec3) -> f64 {
    v.abs().max_element()
}

#[inline]
fn from_point(p: DVec3, at: DVec3) -> FormGap {
    let from = at - p;
    let distance = length(from);
    let out = if distance > 0.0 { from / distance } else { DVec3::X };
    let out = if out.is_finite() { out } else { DVec3::X };
    FormGap { distance, noise: 8.0 * EPS * distance, foot: p, out, element: Element::Vertex(0) }
}

fn segment(centre: DVec3, axis: DVec3, half: f64, at: DVec3) -> FormGap {
    let from = at - centre;
    let along = from.dot(axis).clamp(-half, half);
    let beside = from - axis * along;
    let distance = beside.length();
    let noise = 32.0 * EPS * (reach(from) + reach(centre) + half);
    let out = if distance > noise { beside / distance } else { axis.any_orthonormal_vector() };
    let element = match along {
        x if x == -half => Element::Vertex(0),
        x if x == half => Element::Vertex(1),
        _ => Element::Edge([0, 1]),
    };
    FormGap { distance, noise, foot: centre + axis * along, out, element }
}

/// Vertices of a box are named by their signs, the lowest bit for x: 1 at the upper end.
fn cuboid(half: DVec3, faces: &[[u32; 2]; 3], at: DVec3) -> FormGap {
    let beyond = at.abs() - half;
    let noise = 8.0 * EPS * (reach(at) + half.max_element());
    let is_out = [beyond.x > 0.0, beyond.y > 0.0, beyond.z > 0.0];
    let upper = |axis: usize| usize::from(at[axis] > 0.0);
    let face = |axis: usize| Element::Face(faces[axis][upper(axis)]);
    let side = DVec3::ONE.copysign(at);
    match is_out.iter().filter(|out| **out).count() {
        0 => {
            let axis = if beyond.x >= beyond.y.max(beyond.z) { 0 } else { 1 + usize::from(beyond.z > beyond.y) };
            let mut foot = at;
            foot[axis] = half[axis].copysign(at[axis]);
            let out = DVec3::AXES[axis] * side[axis];
            FormGap { distance: beyond[axis], noise, foot, out, element: face(axis) }
        }
        count => {
            let foot = at.clamp(-half, half);
            let distance = length(beyond.max(DVec3::ZERO));
            let corner = || (0..3).fold(0, |bits, axis| bits | (upper(axis) as u32) << axis);
            let element = match count {
                1 => face(is_out.iter().position(|out| *out).unwrap_or(0)),
                // The axis along which the point is not beyond the box is that of the edge.
                2 => {
                    let axis = is_out.iter().position(|out| !*out).unwrap_or(0);
                    let lower = corner() & !(1 << axis);
                    Element::Edge([lower, lower | 1 << axis])
                }
                _ => Element::Vertex(corner()),
            };
            let way = at - foot;
            let out = if distance > f64::MIN_POSITIVE { way / distance } else { way.normalize_or(side) };
            FormGap { distance, noise, foot, out, element }
        }
    }
}

/// A point of the half-plane through the axis and `at`, given by its distance from the axis and its height.
struct Meridian {
    /// The unit vector away from the axis.
    away: DVec3,
    /// Distance from the axis, and height.
    at: DVec2,
}

impl Meridian {
    #[inline]
    fn new(at: DVec3) -> Meridian {
        let rho = DVec2::new(at.x, at.y).length();
        // So near the axis, or so far, every direction is as good.
        let fine = rho > 1e-140 && rho < 1e150;
        let away = if fine { DVec3::new(at.x / rho, at.y / rho, 0.0) } else { careful(at) };
        Meridian { away, at: DVec2::new(if fine { rho } else { at.x.hypot(at.y) }, at.z) }
    }

    #[inline]
    fn lifted(&self, p: DVec2) -> DVec3 {
        self.away * p.x + DVec3::Z * p.y
    }

    /// The answer from the foot in the half-plane and the normal there, of any length.
    #[inline]
    fn gap(&self, distance: f64, noise: f64, foot: DVec2, out: DVec2) -> FormGap {
        let out = self.lifted(out.normalize_or_zero());
        FormGap { distance, noise, foot: self.lifted(foot), out, element: Element::Surface }
    }
}

#[cold]
fn careful(at: DVec3) -> DVec3 {
    let most = at.x.abs().max(at.y.abs());
    let flat = if most > 0.0 { DVec3::new(at.x / most, at.y / most, 0.0) } else { DVec3::X };
    flat.normalize_or(DVec3::X)
}

fn cylinder(body: &Cylinder, at: DVec3) -> FormGap {
    let seen = Meridian::new(at);
    let (corner, height) = (DVec2::new(body.radius, body.half), seen.at.y.abs());
    let beyond = DVec2::new(seen.at.x - corner.x, height - corner.y);
    let noise = 32.0 * EPS * (reach(at) + corner.x + corner.y);
    let up = |p: DVec2| DVec2::new(p.x, p.y.copysign(seen.at.y));
    match (beyond.x > 0.0, beyond.y > 0.0) {
        (true, true) => seen.gap(length(beyond.extend(0.0)), noise, up(corner), up(beyond)),
        (false, false) if beyond.x < beyond.y => {
            seen.gap(beyond.y, noise, up(DVec2::new(seen.at.x, corner.y)), up(DVec2::Y))
        }
        (false, true) => seen.gap(beyond.y, noise, up(DVec2::new(seen.at.x, corner.y)), up(DVec2::Y)),
        _ => seen.gap(beyond.x, noise, up(DVec2::new(corner.x, height)), DVec2::X),
    }
}

fn cone(body: &Cone, at: DVec3) -> FormGap {
    let seen = Meridian::new(at);
    let (apex, rim) = (DVec2::new(0.0, body.half), DVec2::new(body.radius, -body.half));
    let slant = (rim - apex).length();
    let along = (rim - apex) / slant;
    let normal = DVec2::new(-along.y, along.x);
    let from = seen.at - apex;
    let (below, above, down) = (rim.y - seen.at.y, from.dot(normal), from.dot(along));
    let noise = 32.0 * EPS * (reach(at) + body.radius + body.half);
    let on_disc = DVec2::new(seen.at.x, rim.y);
    if below <= 0.0 && above <= 0.0 {
        return if below > above {
            seen.gap(below, noise, on_disc, -DVec2::Y)
        } else {
            seen.gap(above, noise, apex + along * down, normal)
        };
    }
    if below > 0.0 && seen.at.x <= rim.x {
        return seen.gap(below, noise, on_disc, -DVec2::Y);
    }
    if above > 0.0 && (0.0..=slant).contains(&down) {
        return seen.gap(above, noise, apex + along * down, normal);
    }
    let corner = if down < 0.0 { apex } else { rim };
    let way = seen.at - corner;
    seen.gap(length(way.extend(0.0)), noise, corner, way)
}

fn half_space(normal: DVec3, offset: f64, at: DVec3) -> FormGap {
    let distance = normal.dot(at) - offset;
    let noise = EPS * (16.0 * reach(at) + 8.0 * offset.abs());
    FormGap { distance, noise, foot: at - normal * distance, out: normal, element: Element::Surface }
}
