//! One distance query, and how long the motions allow nothing to happen.

use super::Pair;
use crate::answer::{Distance, Stats};
use crate::math::Interval;
use crate::narrow::context::Context;
use crate::path::{Motion, Span};
use crate::time::movers::next_parting::TouchDuration;
use crate::time::movers::two_bodies::Movers;

impl Pair {
    /// How long they cannot touch, from one distance query when the span begins: no contact before this time. `None`
    /// where there is none in the whole span. Lin's estimated time of arrival, and the key of Mirtich's queue; see
    /// [`next_contact`](crate::next_contact) for the bounds. [`Pair::impact`] goes on from there until they do.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady};
    /// let cube = Round::cuboid(DVec3::splat(2.0))?;
    /// let mut pair = Pair::new(cube.clone(), cube);
    /// let still = Steady::still(Pose::IDENTITY);
    /// let fast = Steady::straight(Pose::at(DVec3::X * -7.0)?, DVec3::X * 10.0, 0.0)?;
    /// let time = pair.next_contact(&fast, &still, Span::UNIT).expect("they meet");
    /// assert!(time <= 0.5 && time > 0.499);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_contact(&mut self, motion_a: &dyn Motion, motion_b: &dyn Motion, span: Span) -> Option<f64> {
        let distance = self.distance_at([motion_a, motion_b], span.from());
        self.contact_after(motion_a, motion_b, span, &distance, self.envelope)
    }

    /// The same from a distance that was asked for when the span begins, until they are as near as `near`.
    pub(crate) fn contact_after(
        &self,
        motion_a: &dyn Motion,
        motion_b: &dyn Motion,
        span: Span,
        distance: &Distance,
        near: f64,
    ) -> Option<f64> {
        let movers = Movers { models: [&self.a, &self.b], motions: [motion_a, motion_b] };
        let towards = distance.witness.map(|witness| witness.points[1] - witness.points[0]);
        movers.next_contact(span.from(), span.to(), distance.interval.lower, towards, near)
    }

    /// How long bodies that are as near as `envelope` when the span begins, and `distance` apart, stay so.
    pub(crate) fn parting_after(
        &mut self,
        motions: [&dyn Motion; 2],
        span: Span,
        distance: Interval,
        envelope: f64,
    ) -> TouchDuration {
        let movers = Movers { models: [&self.a, &self.b], motions };
        let mut stats = Stats::default();
        let context = Context::new(&mut self.memory, &mut stats);
        movers.next_parting([span.from(), span.to()], distance, envelope, context)
    }

    /// How far both may be from where their motions put them at a time.
    pub(crate) fn margin_at(&self, motions: [&dyn Motion; 2], t: f64) -> f64 {
        Movers { models: [&self.a, &self.b], motions }.margin(t, t)
    }
}
