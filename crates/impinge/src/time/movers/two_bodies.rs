//! Two bodies and how they move: their poses, their speeds, and the static test at a time.

use crate::answer::Stats;
use crate::math::{Pose, Relative};
use crate::model::Model;
use crate::narrow::Method;
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::{Proximity, WitnessedGap};
use crate::path::{Motion, Span};

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

    /// What is asked about them at a time.
    pub(crate) fn query(&self, t: f64) -> Query<'_> {
        let [a, b] = self.poses(t);
        Query { a: self.models[0], b: self.models[1], b_in_a: Relative::new(&a, &b), method: Method::Auto }
    }

    /// How they stand at a time; points are in the frame of `a`.
    pub(crate) fn nearest(&self, t: f64, enough: f64, memory: &mut Memory, stats: &mut Stats) -> Proximity {
        self.query(t).nearest(enough, Context::new(memory, stats))
    }

    /// No two points of the bodies approach each other faster between two times. Of a body without bounds only those
    /// count that the other can reach: no farther from its centre than the other's points are.
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
        one(0) + one(1)
    }

    /// How far both may be from where their motions put them.
    pub(crate) fn margin(&self, from: f64, to: f64) -> f64 {
        (0..2).map(|k| self.motions[k].margin(from, to, self.models[k].reach())).sum()
    }

    /// Whether both are convex, so that a depth is worth something to a body that turns.
    pub(crate) fn are_convex(&self) -> bool {
        self.models.iter().all(|model| matches!(model, Model::Convex(_) | Model::Round(_)))
    }

    /// Whether they touch at a time, or are as near as `tolerance`.
    pub(crate) fn touch_at(&self, t: f64, tolerance: f64, memory: &mut Memory, stats: &mut Stats) -> bool {
        match self.nearest(t, tolerance, memory, stats) {
            Outcome::Beyond => false,
            Outcome::Apart(WitnessedGap { interval, .. }) => tolerance > 0.0 && interval.lower <= tolerance,
            _ => true,
        }
    }

    /// Until when both motions go on as they do at a time.
    pub(crate) fn smooth_until(&self, t: f64) -> f64 {
        self.motions.iter().map(|motion| motion.smooth_until(t)).filter(|end| *end > t).fold(f64::INFINITY, f64::min)
    }

    /// Whether a body is a solid by winding number.
    pub(crate) fn have_holes(&self) -> bool {
        self.models.iter().any(|model| matches!(model, Model::Mesh(mesh) if mesh.is_solid_by_winding()))
    }

    /// A length below which bodies that turn without bounds are not told from touching.
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
