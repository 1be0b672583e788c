//! Two bodies and how they move: their poses, their speeds, and the static test at a time.

use crate::math::{Pose, Relative};
use crate::model::Model;
use crate::narrow::Method;
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::precision::Precision;
use crate::narrow::proximity::{Proximity, WitnessedGap};
use crate::path::{Motion, Span};

/// The most vertices that all static tests of one search move together; the cost of a test besides its vertices; and
/// the number of tests that are made however large the bodies are.
const MOST_MOVED: usize = 1 << 26;
const TEST_COST: usize = 1 << 12;
const FEWEST_TESTS: usize = 256;

/// Where bodies turn by more than this in a span, dividing the span shows little: they are near all the time, or never.
const WHIRLING: f64 = 1e9;
/// For these, searches give up after this share of the work.
const WHIRLING_SHARE: u64 = 64;

/// How much work a search may do, if it may do `most` where bodies turn by `turning` in all.
pub(crate) fn work_for(turning: f64, most: u64) -> u64 {
    if turning > WHIRLING { most / WHIRLING_SHARE } else { most }
}

/// Two moving bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Movers<'q> {
    pub(crate) models: [&'q Model; 2],
    pub(crate) motions: [&'q dyn Motion; 2],
}

impl Movers<'_> {
    pub(crate) fn poses(&self, t: f64) -> [Pose; 2] {
        self.motions.map(|motion| motion.pose(t))
    }

    /// Where `b` is in the frame of `a` at a time.
    pub(crate) fn b_in_a(&self, t: f64) -> Relative {
        let [a, b] = self.poses(t);
        Relative::new(&a, &b)
    }

    /// Whether one is a mesh that deforms.
    pub(crate) fn deform(&self) -> bool {
        self.models.iter().any(|model| matches!(model, Model::Deforming(_)))
    }

    /// A static query about the bodies where they are at a time. For rigid bodies it uses the memory; where one
    /// deforms, each query starts without memory.
    pub(crate) fn ask<T>(
        &self,
        t: f64,
        context: Context<'_, Memory>,
        ask: impl FnOnce(Query<'_>, Context<'_, Memory>) -> T,
    ) -> T {
        let (b_in_a, method) = (self.b_in_a(t), Method::Auto);
        if !self.deform() {
            return ask(Query { a: self.models[0], b: self.models[1], b_in_a, method }, context);
        }
        let [a, b] = self.models.map(|model| model.at(t));
        ask(Query { a: &a, b: &b, b_in_a, method }, Context::new(&mut Memory::default(), context.stats))
    }

    /// How near they are at a time; points are in the frame of `a`.
    pub(crate) fn nearest(&self, t: f64, enough: f64, context: Context<'_, Memory>) -> Proximity {
        self.ask(t, context, |query, context| query.nearest(enough, context))
    }

    /// How near they are at a time, as exactly as asked.
    pub(crate) fn nearest_to(&self, t: f64, precision: Precision, context: Context<'_, Memory>) -> Proximity {
        self.ask(t, context, |query, context| query.nearest_to(precision, context))
    }

    /// How many static tests a search may make, if it may make `most` for rigid bodies. Fewer where a body deforms,
    /// since each test then moves all of its vertices.
    pub(crate) fn most_tests(&self, most: usize) -> usize {
        let moved = self.models.iter().filter_map(|model| match model {
            Model::Deforming(body) => Some(body.mesh().vertex_count()),
            _ => None,
        });
        let moved: usize = moved.sum();
        if moved == 0 { most } else { most.min(MOST_MOVED / (moved + TEST_COST)).max(FEWEST_TESTS) }
    }

    /// No two points of the bodies approach each other faster than this between two times. Of an unbounded body only
    /// those points count that the other body can reach.
    pub(crate) fn speed(&self, from: f64, to: f64) -> f64 {
        let rates = [self.motions[0].rates(from, to), self.motions[1].rates(from, to)];
        let radius = |k: usize| self.models[k].radius_about(rates[k].centre);
        let one = |k: usize| {
            if rates[k].spin.length() + rates[k].spin_spread == 0.0 {
                return rates[k].speed(0.0);
            }
            let own = radius(k);
            if own.is_finite() {
                return rates[k].speed(own);
            }
            let [here, there] = [k, 1 - k].map(|k| self.motions[k].pose(from).apply(rates[k].centre));
            let travel = (rates[0].speed(0.0) + rates[1].speed(0.0)) * (to - from);
            rates[k].speed(here.distance(there) + radius(1 - k) + travel)
        };
        let deformed = |k: usize| self.models[k].fastest_between(from, to);
        one(0) + one(1) + deformed(0) + deformed(1)
    }

    /// How far the bodies turn between two times at most, together.
    pub(crate) fn turning(&self, from: f64, to: f64) -> f64 {
        let rates = self.motions.map(|motion| motion.rates(from, to));
        rates.iter().map(|rates| rates.spin.length() + rates.spin_spread).sum::<f64>() * (to - from)
    }

    /// Whether both motions are steady at all times, and so bounds on them cost nothing.
    pub(crate) fn are_steady(&self) -> bool {
        self.motions.iter().all(|motion| motion.always_steady().is_some())
    }

    /// How far both together may be from where their motions put them.
    pub(crate) fn margin(&self, from: f64, to: f64) -> f64 {
        (0..2).map(|k| self.motions[k].margin(from, to, self.models[k].reach())).sum()
    }

    /// Whether both are convex, so that a depth also says how long bodies that turn go on touching.
    pub(crate) fn are_convex(&self) -> bool {
        self.models.iter().all(|model| matches!(model, Model::Convex(_) | Model::Round(_)))
    }

    /// Whether they touch at a time, or are as near as `tolerance`.
    pub(crate) fn touch_at(&self, t: f64, tolerance: f64, context: Context<'_, Memory>) -> bool {
        match self.nearest(t, tolerance, context) {
            Outcome::Beyond => false,
            Outcome::Apart(WitnessedGap { interval, .. }) => tolerance > 0.0 && interval.lower <= tolerance,
            _ => true,
        }
    }

    /// The time until which both motions go on from `t` without a jump.
    pub(crate) fn smooth_until(&self, t: f64) -> f64 {
        self.motions.iter().map(|motion| motion.smooth_until(t)).filter(|end| *end > t).fold(f64::INFINITY, f64::min)
    }

    /// Where to divide a stretch of time: in the middle, or where a motion changes, so that it changes within neither
    /// part in the end.
    pub(crate) fn divide_at(&self, from: f64, to: f64) -> f64 {
        let middle = 0.5 * from + 0.5 * to;
        let change = self.smooth_until(middle);
        if change < to {
            return change;
        }
        let change = self.smooth_until(from);
        if change < to && self.smooth_until(change) >= to { change } else { middle }
    }

    /// Whether one of the bodies is a solid by winding number.
    pub(crate) fn have_holes(&self) -> bool {
        self.models.iter().any(|model| model.mesh().is_some_and(|mesh| mesh.is_solid_by_winding()))
    }

    /// The radius of the smaller body; infinite where neither has bounds.
    pub(crate) fn smaller_radius(&self) -> f64 {
        self.models[0].radius().min(self.models[1].radius())
    }

    /// A distance below which searches that use static distances do not tell bodies that are apart from ones that
    /// touch.
    pub(crate) fn resolution(&self, span: Span) -> f64 {
        1e-9 * self.size_at(span.from())
    }

    /// The size of the bodies and of the way between them.
    pub(crate) fn size_at(&self, t: f64) -> f64 {
        let reach = self.models.iter().map(|model| model.reach()).sum::<f64>();
        let [a, b] = self.poses(t);
        reach + (b.translation() - a.translation()).length()
    }
}
