//! Two meshes of which one deforms, and whose motions do not turn them: every vertex moves straight, so that the
//! engines for deforming meshes answer.
//!
//! Both are put into the frame of `a`, and the span of time becomes a step from 0 to 1. A mesh that deforms from 0 to 1
//! and does not move in that frame is used as it is. Any other gets new positions at both ends of the span, which are
//! rounded.
//!
//! Invariant: the span lies within the times 0 to 1, at which vertices move. Cost besides that of the engines: a tree
//! for each body that gets new positions.

use std::borrow::Cow;

use glam::DVec3;

use super::deforming_sweep::NearnessWanted;
use super::mesh_encounter::{EncounterOptions, MeshEncounters};
use crate::answer::{Impact, Sweep, Witness};
use crate::math::{EPS, Interval, Pose, Relative};
use crate::model::{Deforming, Mesh, Model};
use crate::path::{Motion, Span, Steady};
use crate::time::movers::contact_interval::ContactInterval;
use crate::time::movers::two_bodies::Movers;

/// Two deforming meshes in the frame of the first.
#[derive(Debug)]
pub(crate) struct StraightStep<'q> {
    bodies: [Cow<'q, Deforming>; 2],
    motion_a: &'q dyn Motion,
    span: Span,
}

impl<'q> StraightStep<'q> {
    /// `None` where no body deforms, where one is no mesh, turns, or has a motion with a margin, where the span is not
    /// within the step, and where a solid has holes, through which another may get inside without touching it.
    pub(crate) fn of(movers: &Movers<'q>, span: Span) -> Option<StraightStep<'q>> {
        let decides = movers.deform() && !movers.have_holes();
        if decides { StraightStep::of_surfaces(movers, span) } else { None }
    }

    /// As [`StraightStep::of`], also where no body deforms, and where solids have holes.
    pub(crate) fn of_surfaces(movers: &Movers<'q>, span: Span) -> Option<StraightStep<'q>> {
        let (from, to) = (span.from(), span.to());
        let is_within = !movers.deform() || from >= 0.0 && to <= 1.0;
        if !is_within || movers.margin(from, to) > 0.0 {
            return None;
        }
        let [a, b] = movers.models;
        let [x, y] = movers.motions.map(|motion| straight(motion, span));
        let (x, y) = (x?, y?);
        let start = Relative::new(x.pose_at_start(), y.pose_at_start());
        let turn = x.pose_at_start().rotation_matrix().transpose();
        let place = |t: f64| Relative { translation: turn * (y.origin_at(t) - x.origin_at(t)), ..start };
        let bodies = [placed(a, [Relative::IDENTITY; 2], span)?, placed(b, [place(from), place(to)], span)?];
        Some(StraightStep { bodies, motion_a: movers.motions[0], span })
    }

    /// When they first touch, or are as near as `tolerance`; and, if asked, when they part.
    pub(crate) fn impact(&self, tolerance: f64, parting: bool) -> Impact {
        let [a, b] = &self.bodies;
        let tolerance = tolerance.max(0.0);
        let impact = a.first_within(b, tolerance);
        // If it is not certain that they met then, they may meet at any time from then on.
        let time = impact.time.map(|time| if impact.certain { time } else { Interval { upper: 1.0, ..time } });
        let time = time.map(|time| self.interval(time));
        let leaves = impact.time.filter(|_| parting);
        let leaves = leaves.and_then(|time| a.parting_within(b, time, tolerance).ends);
        let pose = impact.time.map_or(Pose::IDENTITY, |time| self.motion_a.pose(self.interval(time).upper));
        Impact {
            time,
            witness: impact.witness.map(|witness| in_world(&pose, witness)),
            normal: impact.normal.map(|normal| along_world(&pose, normal)),
            leaves: leaves.map(|ends| self.interval(ends)),
            ..impact
        }
    }

    /// How near they come.
    pub(crate) fn sweep(&self, wanted: &NearnessWanted) -> Sweep {
        let [a, b] = &self.bodies;
        let sweep = a.sweep(b, wanted);
        let time = self.time(sweep.time);
        let pose = self.motion_a.pose(time);
        Sweep { time, witness: sweep.witness.map(|witness| in_world(&pose, witness)), ..sweep }
    }

    /// Every contact; bodies as near as `tolerance` count as touching.
    pub(crate) fn contacts_over_time(&self, tolerance: f64) -> Vec<ContactInterval> {
        let [a, b] = &self.bodies;
        let mut all = a.contacts_over_time(b, tolerance);
        for contact in &mut all {
            contact.begins = self.interval(contact.begins);
            contact.ends = contact.ends.map(|ends| self.interval(ends));
        }
        all
    }

    /// Every encounter of their features.
    pub(crate) fn encounters(&self, options: &EncounterOptions) -> MeshEncounters {
        let [a, b] = &self.bodies;
        let mut all = a.encounters(b, options);
        for met in &mut all.list {
            met.time = self.interval(met.time);
            let pose = self.motion_a.pose(if met.certain { met.time.mid() } else { met.time.lower });
            met.points = met.points.map(|x| if pose == Pose::IDENTITY { x } else { pose.apply(x) });
            met.normal = met.normal.map(|normal| along_world(&pose, normal));
        }
        all
    }

    /// The time at a share of the span.
    fn time(&self, share: f64) -> f64 {
        let (from, to) = (self.span.from(), self.span.to());
        if self.span == Span::UNIT { share } else { (from + share * (to - from)).clamp(from, to) }
    }

    /// The interval of time for an interval of shares, rounded outward.
    fn interval(&self, shares: Interval) -> Interval {
        let (from, to) = (self.span.from(), self.span.to());
        let rounded = if self.span == Span::UNIT { 0.0 } else { 4.0 * EPS * to };
        let lower = (self.time(shares.lower) - rounded).max(from);
        let upper = if shares.upper == 0.0 { from } else { (self.time(shares.upper) + rounded).min(to) };
        Interval { lower, upper }
    }
}

/// The motion, where it is steady over the span and does not turn.
fn straight(motion: &dyn Motion, span: Span) -> Option<Steady> {
    let (steady, until) = match motion.always_steady() {
        Some(steady) => (*steady, f64::INFINITY),
        None => motion.steady(span.from())?,
    };
    (steady.is_straight() && until >= span.to()).then_some(steady)
}

/// A mesh, whether it deforms or not, as a step: from its positions when the span begins to those when it ends.
fn placed<'q>(model: &'q Model, places: [Relative; 2], span: Span) -> Option<Cow<'q, Deforming>> {
    let stays = places.iter().all(|place| *place == Relative::IDENTITY);
    match model {
        Model::Deforming(body) if stays && span == Span::UNIT => Some(Cow::Borrowed(body)),
        Model::Mesh(mesh) if stays => Some(Cow::Owned(Deforming::still(Mesh::clone(mesh)))),
        Model::Deforming(body) => {
            let at = |t: f64, place: &Relative| -> Vec<DVec3> {
                body.given_positions_at(t).into_iter().map(|v| place.apply(v)).collect()
            };
            moved(body.mesh(), at(span.from(), &places[0]), &at(span.to(), &places[1]))
        }
        Model::Mesh(mesh) => {
            let at = |place: &Relative| mesh.given_positions(|v| place.apply(v));
            moved(mesh, at(&places[0]), &at(&places[1]))
        }
        Model::Convex(_) | Model::Round(_) | Model::Parts(_) => None,
    }
}

/// A mesh that moves from the positions `start` to `end`; `None` where they are beyond the supported scale.
fn moved<'q>(mesh: &Mesh, start: Vec<DVec3>, end: &[DVec3]) -> Option<Cow<'q, Deforming>> {
    let mut mesh = mesh.clone();
    mesh.deform(&start).ok()?;
    Deforming::new(mesh, end).ok().map(Cow::Owned)
}

fn in_world(pose_a: &Pose, witness: Witness) -> Witness {
    if *pose_a == Pose::IDENTITY { witness } else { witness.placed(pose_a) }
}

fn along_world(pose_a: &Pose, normal: DVec3) -> DVec3 {
    if *pose_a == Pose::IDENTITY { normal } else { pose_a.rotate(normal) }
}
