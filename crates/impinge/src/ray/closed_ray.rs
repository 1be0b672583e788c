//! Where a ray enters and leaves a shape by formulas: ball, capsule, box, cylinder, cone, ellipsoid, half-space.
//!
//! First the ray is followed to its point nearest to the middle of the shape, from where everything is measured: so no
//! squares of long distances cancel, however far away the ray begins. A capsule is entered through its tube if the ray
//! enters the tube's line between the two ends, else through the ball at the end on that side; and left likewise. What
//! is round about an axis is in [`super::axial_ray`]. A ball looks the same from all sides and is not turned (row
//! `sphere` of `impinge-bench rivals ray`).
//!
//! Cost: two roots at most.

use glam::DVec3;

use super::axial_ray::{cone, cone_normal, cylinder, cylinder_normal, tube};
use super::line::{Ray, RayHit};
use super::near_line::{LineSpan, NearLine};
use crate::answer::{Element, Feature};
use crate::math::Pose;
use crate::model::Round;
use crate::model::closed_form::ClosedForm;

/// What of a ray is in a shape: the distance of its nearest point to the middle, from which the span is measured.
pub(super) struct ClosedWay<'m> {
    form: &'m ClosedForm,
    margin: f64,
    line: NearLine,
    middle: f64,
    span: LineSpan,
    /// The centre of a ball in the world, to which all of this is parallel then.
    centre: Option<DVec3>,
}

/// The form of a shape that has formulas for rays: all but a margin around a core that has faces or is curved, and
/// segments.
pub(super) fn closed(round: &Round) -> Option<&ClosedForm> {
    let (form, margin) = (round.form()?, round.margin());
    let is_simple = match form {
        ClosedForm::Segment { .. } => margin > 0.0,
        ClosedForm::Point(_) | ClosedForm::HalfSpace { .. } => true,
        _ => margin == 0.0,
    };
    is_simple.then_some(form)
}

impl<'m> ClosedWay<'m> {
    /// `None` where the line of the ray passes the shape by, or the shape lies wholly behind the ray.
    #[inline]
    pub(super) fn new(form: &'m ClosedForm, margin: f64, pose: &Pose, ray: &Ray) -> Option<ClosedWay<'m>> {
        let centre = match *form {
            ClosedForm::Point(DVec3::ZERO) => Some(pose.translation()),
            ClosedForm::Point(p) => Some(pose.apply(p)),
            _ => None,
        };
        let (from, unit) = match centre {
            Some(centre) => (ray.origin() - centre, ray.direction()),
            None => {
                let back = pose.rotation_matrix().transpose();
                (back * (ray.origin() - pose.translation()) - middle(form), back * ray.direction())
            }
        };
        // A half-space has no middle.
        let middle = if let ClosedForm::HalfSpace { .. } = form { 0.0 } else { -from.dot(unit) };
        let line = NearLine { start: from + unit * middle, unit };
        let span = span(form, margin, &line)?;
        let is_ahead = middle + span.leave >= 0.0 && span.enter <= span.leave;
        is_ahead.then_some(ClosedWay { form, margin, line, middle, span, centre })
    }

    /// The hits in the order of the ray: where it enters, if it does not begin inside, and where it leaves.
    #[inline]
    pub(super) fn hits(&self, pose: &Pose, ray: &Ray) -> [Option<RayHit>; 2] {
        let [enter, leave] = [self.middle + self.span.enter, self.middle + self.span.leave];
        let enters = enter >= 0.0 && enter <= ray.length();
        [enters.then(|| self.hit(pose, 0)), (leave.is_finite() && leave <= ray.length()).then(|| self.hit(pose, 1))]
    }

    /// The first hit.
    #[inline]
    pub(super) fn first(&self, pose: &Pose, ray: &Ray) -> Option<RayHit> {
        let enter = self.middle + self.span.enter;
        let (distance, end) = if enter >= 0.0 { (enter, 0) } else { (self.middle + self.span.leave, 1) };
        (distance <= ray.length() && distance.is_finite()).then(|| self.hit(pose, end))
    }

    #[inline]
    fn hit(&self, pose: &Pose, end: usize) -> RayHit {
        let along = if end == 0 { self.span.enter } else { self.span.leave };
        let point = self.line.start + self.line.unit * along;
        let (normal, element) = self.surface(point, self.span.parts[end]);
        let (point, normal) = match self.centre {
            Some(centre) => (centre + point, normal),
            None => (pose.apply(point + middle(self.form)), pose.rotate(normal)),
        };
        RayHit {
            distance: self.middle + along,
            point,
            normal,
            feature: Feature::Convex { piece: 0, element },
            uv: [0.0; 2],
        }
    }

    /// The outward normal at a point of the surface, from the middle.
    #[inline]
    fn surface(&self, point: DVec3, part: u8) -> (DVec3, Element) {
        let normal = match *self.form {
            ClosedForm::Point(_) => point / self.margin,
            ClosedForm::Segment { axis, half, .. } => {
                let on_axis = axis * point.dot(axis).clamp(-half, half);
                (point - on_axis) / self.margin
            }
            ClosedForm::Cuboid { faces, .. } => {
                let (axis, upper) = (usize::from(part >> 1), usize::from(part & 1));
                let mut normal = DVec3::ZERO;
                normal[axis] = if upper == 1 { 1.0 } else { -1.0 };
                return (normal, Element::Face(faces[axis][upper]));
            }
            ClosedForm::Cylinder(body) => cylinder_normal(&body, point, part),
            ClosedForm::Cone(body) => cone_normal(&body, point, part),
            ClosedForm::Ellipsoid(body) => point / body.radii / body.radii * body.radii.min_element(),
            ClosedForm::HalfSpace { normal, .. } => return (normal, Element::Surface),
        };
        (normal.normalize_or_zero(), Element::Surface)
    }
}

/// The point from which a shape is seen.
#[inline]
fn middle(form: &ClosedForm) -> DVec3 {
    match *form {
        ClosedForm::Point(p) => p,
        ClosedForm::Segment { centre, .. } => centre,
        _ => DVec3::ZERO,
    }
}

#[inline]
fn span(form: &ClosedForm, margin: f64, line: &NearLine) -> Option<LineSpan> {
    match *form {
        ClosedForm::Point(_) => ball(margin, line),
        ClosedForm::Segment { axis, half, .. } => capsule(axis, half, margin, line),
        ClosedForm::Cuboid { half, .. } => cuboid(half, line),
        ClosedForm::Cylinder(body) => cylinder(&body, line),
        ClosedForm::Cone(body) => cone(&body, line),
        ClosedForm::Ellipsoid(body) => ellipsoid(body.radii, line),
        ClosedForm::HalfSpace { normal, offset } => half_space(normal, offset + margin, line),
    }
}

/// The line is nearest to the centre at its start.
#[inline]
fn ball(radius: f64, line: &NearLine) -> Option<LineSpan> {
    let square = radius * radius - line.start.length_squared();
    if square < 0.0 || square.is_nan() {
        return None;
    }
    let half = square.sqrt();
    Some(LineSpan { enter: -half, leave: half, parts: [0; 2] })
}

fn capsule(axis: DVec3, half: f64, radius: f64, line: &NearLine) -> Option<LineSpan> {
    let tube = tube(axis, radius, line)?;
    let (height, rise) = (line.start.dot(axis), line.unit.dot(axis));
    let end = |along: f64, into: bool| {
        // Along the axis the tube has no ends, and neither has the line: it enters at the end that it comes from.
        let at = if along.is_finite() { height + rise * along } else { along * rise };
        if at.abs() <= half {
            return Some(along);
        }
        let from = line.start - axis * half.copysign(at);
        let foot = -from.dot(line.unit);
        let way = ball(radius, &NearLine { start: from + line.unit * foot, unit: line.unit })?;
        Some(foot + if into { way.enter } else { way.leave })
    };
    Some(LineSpan { enter: end(tube.enter, true)?, leave: end(tube.leave, false)?, parts: [0; 2] })
}

/// The line is between the two planes of each axis for an interval. A part is twice the axis, plus 1 at its upper end.
#[inline]
fn cuboid(half: DVec3, line: &NearLine) -> Option<LineSpan> {
    let mut all = LineSpan { enter: f64::NEG_INFINITY, leave: f64::INFINITY, parts: [0; 2] };
    for axis in 0..3 {
        let (start, speed, half) = (line.start[axis], line.unit[axis], half[axis]);
        if speed == 0.0 {
            if start.abs() > half {
                return None;
            }
            continue;
        }
        let inverse = speed.recip();
        let (middle, reach) = (-start * inverse, half * inverse.abs());
        let upper = u8::from(speed > 0.0);
        if middle - reach > all.enter {
            (all.enter, all.parts[0]) = (middle - reach, 2 * axis as u8 + 1 - upper);
        }
        if middle + reach < all.leave {
            (all.leave, all.parts[1]) = (middle + reach, 2 * axis as u8 + upper);
        }
    }
    (all.enter <= all.leave).then_some(all)
}

/// A unit ball once every axis is divided by its radius, which takes lines to lines and keeps their parameters.
fn ellipsoid(radii: DVec3, line: &NearLine) -> Option<LineSpan> {
    let (start, way) = (line.start / radii, line.unit / radii);
    let length = way.length();
    let unit = way / length;
    let foot = -start.dot(unit);
    let span = ball(1.0, &NearLine { start: start + unit * foot, unit })?;
    Some(LineSpan { enter: (foot + span.enter) / length, leave: (foot + span.leave) / length, parts: [0; 2] })
}

fn half_space(normal: DVec3, offset: f64, line: &NearLine) -> Option<LineSpan> {
    let (height, speed) = (normal.dot(line.start) - offset, normal.dot(line.unit));
    let at = -height / speed;
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    if speed < 0.0 {
        enter = at;
    } else if speed > 0.0 {
        leave = at;
    } else if height > 0.0 {
        return None;
    }
    Some(LineSpan { enter, leave, parts: [0; 2] })
}
