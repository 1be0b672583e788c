//! The details of a first contact, whichever engine found its time: the points, their features and the normal.
//!
//! At the time of contact rounding decides which points are closest; if a rod has passed a post by a rounding error,
//! the normal points the wrong way. So the closest points are taken just before the contact, when the bodies are about
//! [`GAP_BEFORE_CONTACT`] of their size apart, or a little earlier where they approach slowly. Bodies that touch from
//! the beginning have no earlier time; then the normal is the direction of the shortest separating translation.
//!
//! Cost: one distance query; a few where the bodies approach slowly.

use glam::DVec3;

use crate::answer::{Element, Feature, Witness};
use crate::math::{EPS, Interval};
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::narrow::mesh::mesh_contact::feature;
use crate::narrow::outcome::Outcome;
use crate::narrow::parts::piece_outcome::PointCarrier;
use crate::narrow::proximity::{CommonPoint, Proximity, WitnessedGap};
use crate::path::Span;
use crate::time::movers::contact_interval::ContactTime;
use crate::time::movers::next_contact::slab;
use crate::time::movers::two_bodies::Movers;

/// How far apart, as a share of their size, bodies are at the time just before a contact. Chosen so that the rounding
/// error of the direction between their closest points is about as small as the angle by which they still turn.
const GAP_BEFORE_CONTACT: f64 = 1e-8;
/// Times shortly after the beginning, as shares of the span.
const SOON: [f64; 2] = [1e-9, 1e-6];
/// The most times before the contact that are tried, each 8 times as long before it as the last one.
const MOST_TIMES: usize = 12;

/// The first contact, in the coordinates of the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstContact {
    pub(crate) time: Interval,
    pub(crate) certain: bool,
    pub(crate) separating: bool,
    pub(crate) normal: Option<DVec3>,
    pub(crate) witness: Option<Witness>,
}

impl Movers<'_> {
    /// The contact at a time that a search has found; before it the bodies were farther apart than `tolerance`.
    pub(crate) fn contact_at(
        &self,
        span: Span,
        ContactTime { time, certain }: ContactTime,
        tolerance: f64,
        mut context: Context<'_, Memory>,
    ) -> FirstContact {
        if time.lower <= span.from()
            && let Some(contact) = self.contact_at_start(span, tolerance, context.lend())
        {
            return contact;
        }
        if let Some((normal, witness)) = self.just_before(span, time.lower, context.lend()) {
            return FirstContact { time, certain, separating: false, normal, witness: Some(witness) };
        }
        let answer = self.nearest(time.upper, f64::INFINITY, context.lend());
        let (normal, witness) = self.normal_and_points(time.upper, answer, context.lend());
        FirstContact { time, certain, separating: false, normal, witness }
    }

    /// The contact of bodies that touch when the span begins.
    pub(crate) fn contact_at_start(
        &self,
        span: Span,
        tolerance: f64,
        mut context: Context<'_, Memory>,
    ) -> Option<FirstContact> {
        let answer = self.nearest(span.from(), tolerance, context.lend());
        self.contact_of_start(span, tolerance, answer, context)
    }

    /// The contact when the span begins, from how near the bodies are then.
    pub(crate) fn contact_of_start(
        &self,
        span: Span,
        tolerance: f64,
        answer: Proximity,
        mut context: Context<'_, Memory>,
    ) -> Option<FirstContact> {
        let t = span.from();
        let certain = match &answer {
            Outcome::Beyond => return None,
            Outcome::Apart(WitnessedGap { interval, .. }) if tolerance == 0.0 || interval.lower > tolerance => {
                return None;
            }
            Outcome::Apart(WitnessedGap { interval, .. }) => interval.upper <= tolerance,
            _ => true,
        };
        let (normal, witness) = self.normal_and_points(t, answer, context.lend());
        let time = Interval { lower: t, upper: t };
        let mut contact = FirstContact { time, certain, separating: false, normal, witness };
        // Vertices of a deforming body also move within it, which its motion does not show.
        contact.separating = self.are_apart_soon(span, tolerance, context.lend())
            || !self.deform() && self.is_separating(span, &contact);
        Some(contact)
    }

    /// The direction between the closest points just before a contact at `t`, and where these points are at `t`.
    fn just_before(&self, span: Span, t: f64, mut context: Context<'_, Memory>) -> Option<(Option<DVec3>, Witness)> {
        let size = self.size_at(t);
        let least = 4.0 * EPS * t.abs().max(span.to() - span.from());
        let mut back = (GAP_BEFORE_CONTACT * size / self.speed(span.from(), t)).max(least);
        let mut last_apart = None;
        for _ in 0..MOST_TIMES {
            let before = (t - back).max(span.from());
            if let Outcome::Apart(WitnessedGap { interval, witness }) =
                self.nearest(before, f64::INFINITY, context.lend())
            {
                last_apart = Some((before, witness));
                if interval.upper >= 0.1 * GAP_BEFORE_CONTACT * size {
                    break;
                }
            } else if last_apart.is_some() {
                break;
            }
            if before <= span.from() {
                break;
            }
            back *= 8.0;
        }
        let (before, Witness { points: [p, q], features }) = last_apart?;
        let ([a, _], b_in_a) = (self.poses(before), self.b_in_a(before));
        let normal = (q - p).try_normalize().map(|n| a.rotate(n));
        let [a, b] = self.poses(t);
        let points = [a.apply(p), b.apply(b_in_a.inverse().apply(q))];
        Some((normal, Witness { points, features }))
    }

    /// The normal and the points of a static answer, in the world. Where the answer has no normal, it is the direction
    /// of the shortest separating translation.
    fn normal_and_points(
        &self,
        t: f64,
        answer: Proximity,
        context: Context<'_, Memory>,
    ) -> (Option<DVec3>, Option<Witness>) {
        let (mut normal, mut witness) = match answer {
            Outcome::Beyond | Outcome::Contained(_) => (None, None),
            Outcome::Apart(WitnessedGap { witness: w, .. }) => ((w.points[1] - w.points[0]).try_normalize(), Some(w)),
            Outcome::Touching(CommonPoint::OfBodies(w)) => (None, Some(w)),
            Outcome::Touching(CommonPoint::OfTriangles(contact, features)) => {
                let points = contact.points.first().copied();
                let normal = Some(contact.normal).filter(|n| *n != DVec3::ZERO);
                (normal, points.map(|points| Witness { points, features }))
            }
        };
        if normal.is_none()
            && let Some(deep) = self.ask(t, context, |query, context| query.deepest(context))
        {
            normal = Some(deep.normal);
            witness = witness.or(deep.witness);
        }
        let [pose_a, _] = self.poses(t);
        (normal.map(|n| pose_a.rotate(n)), witness.map(|w| w.placed(&pose_a)))
    }

    /// Whether bodies that touch are apart a short time later. For surfaces that lie on each other, no single normal
    /// shows this.
    fn are_apart_soon(&self, span: Span, tolerance: f64, mut context: Context<'_, Memory>) -> bool {
        SOON.iter().any(|share| {
            let later = span.from() + share * (span.to() - span.from());
            later > span.from() && !self.touch_at(later, tolerance, context.lend())
        })
    }

    /// Whether bodies that touch move apart along the normal: a short time later the gap along it is wider, or they are
    /// less deep in each other. The gap is that of the whole bodies: when one face lies on another, a corner may turn
    /// into the other body while the points of the contact move apart. Only where rounding hides the change of the gap
    /// do the points of the contact decide. The normal between two triangles may be perpendicular to the direction in
    /// which bodies that are not convex part: the centres of their boxes must also move apart.
    fn is_separating(&self, span: Span, contact: &FirstContact) -> bool {
        let (t, Some(n)) = (span.from(), contact.normal) else { return false };
        if self.are_convex() {
            return self.gap_widens(span, n).unwrap_or_else(|| self.points_move_apart(t, n, contact));
        }
        let [a, b] = [0, 1].map(|k| self.poses(t)[k].apply(self.middle(k)));
        match ((b - a).try_normalize().and_then(|way| self.gap_widens(span, way)), self.gap_widens(span, n)) {
            (Some(widens), along) => widens && along != Some(false),
            (None, along) => along.unwrap_or_else(|| self.points_move_apart(t, n, contact)),
        }
    }

    /// Whether the gap between the bodies along `n` is wider a short time after the beginning; `None` where rounding
    /// hides it.
    fn gap_widens(&self, span: Span, n: DVec3) -> Option<bool> {
        let noise = 64.0 * EPS * self.size_at(span.from());
        let between = |t: f64| slab(self.models, &self.poses(t), n);
        SOON.iter().find_map(|share| {
            let more = between(span.from() + share * (span.to() - span.from())) - between(span.from());
            (more.abs() > noise && more.is_finite()).then_some(more > 0.0)
        })
    }

    /// Whether the points that touch move apart along `n`.
    fn points_move_apart(&self, t: f64, n: DVec3, contact: &FirstContact) -> bool {
        let Some(witness) = contact.witness else { return false };
        let along = |k: usize| {
            let (rates, pose) = (self.motions[k].rates(t, t), self.motions[k].pose(t));
            n.dot(rates.velocity + rates.spin.cross(witness.points[k] - pose.apply(rates.centre)))
        };
        along(1) > along(0)
    }

    /// The middle of a body's box, in its own frame.
    fn middle(&self, k: usize) -> DVec3 {
        let along = |d: DVec3| 0.5 * (self.models[k].reach_along(d) - self.models[k].reach_along(-d));
        let middle = DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z));
        if middle.is_finite() { middle } else { DVec3::ZERO }
    }
}

impl BodyKind<'_> {
    /// The feature of the body that carries a point of a piece.
    pub(crate) fn feature_at(&self, piece: u32, carrier: PointCarrier) -> Feature {
        match (self, carrier) {
            (BodyKind::Mesh(mesh), PointCarrier::Part(part)) => feature(mesh, piece, part),
            (BodyKind::Mesh(mesh), PointCarrier::Element(_)) => Feature::Face { triangle: mesh.id(piece) },
            (_, PointCarrier::Element(element)) => Feature::Convex { piece, element },
            (_, PointCarrier::Part(_)) => Feature::Convex { piece, element: Element::Surface },
        }
    }
}
