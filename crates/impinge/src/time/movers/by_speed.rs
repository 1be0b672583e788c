//! The least distance and the first contact of two moving bodies, from nothing but static distances and a bound on
//! speeds.
//!
//! Von Herzen, Barr and Zatz 1990: bodies that are `d` apart and whose points move no faster than `Λ_a` and `Λ_b`
//! cannot touch for `d/(Λ_a + Λ_b)`, nor come nearer than `d − (Λ_a + Λ_b)·τ` within `τ`. This holds for every two
//! models and every motion, so this engine is the oracle of the faster ones, and answers where motions are not steady.
//!
//! Invariant: before `lower` the bodies do not touch (first contact); in a span of time that was dropped they come no
//! nearer than the bound for which it was dropped (least distance). Cost: a distance query for each step. Steps shrink
//! with the distance: for bodies that nearly touch, the least distance takes thousands. Both searches are capped; where
//! a search reaches its cap, the interval is wider.

use super::two_bodies::Movers;
use crate::math::Interval;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::precision::Precision;
use crate::narrow::proximity::{Proximity, WitnessedGap};
use crate::path::Span;
use crate::search::best_first::{BestFirst, LowerBound};

/// The most distances measured before a search gives up.
const MOST_STEPS: usize = 1 << 14;
/// Steps by speed go on while the rest takes no more than so many times the steps that are left, at their last length:
/// where bodies part again, steps become longer.
const HOPEFUL: f64 = 2.0;
/// Where they did not seem to lead to the end, they are tried again when this share of the rest is proven.
const AGAIN: f64 = 0.25;

/// How precise distances are from which other searches go on: exact ones of large meshes cost many times as much.
pub(crate) const ROUGH: Precision = Precision { relative: 0.25, absolute: 0.0 };
/// Steps that other searches go on from end short of what they prove, by this share, so that there is a gap left whose
/// direction shows.
const SHORT: f64 = 0.9;
/// These steps end where the bodies are nearer to each other than this share of the smaller one's radius.
const CLOSE: f64 = 0.01;

/// The first contact.
#[derive(Debug, Clone)]
pub(crate) struct NearTime {
    /// Before `lower` the bodies do not touch; at `upper` they touch, or are as near as `tolerance`.
    pub(crate) time: Interval,
    /// The static answer at `time.upper`.
    pub(crate) answer: Proximity,
}

/// What one distance and a bound on speeds tell.
pub(crate) enum SpeedStep {
    /// No contact before the end.
    Never,
    /// No contact before this time; how near the bodies are now.
    Until(f64, Proximity),
    /// They are as near as the tolerance and the margins of their motions.
    Near(Proximity),
}

/// One step from `t` on, at which the bodies have not touched before, towards `to`, by a distance so precise.
pub(crate) fn step(
    movers: &Movers<'_>,
    [t, to]: [f64; 2],
    tolerance: f64,
    precision: Precision,
    mut context: Context<'_, Memory>,
) -> SpeedStep {
    context.stats.iterations += 1;
    let answer = movers.nearest_to(t, precision, context.lend());
    let distance = match &answer {
        Outcome::Beyond => return SpeedStep::Never,
        Outcome::Apart(WitnessedGap { interval, .. }) => interval.lower,
        _ => 0.0,
    };
    let near = tolerance + movers.margin(t, to);
    if distance <= near {
        return SpeedStep::Near(answer);
    }
    let speed = movers.speed(t, to);
    if speed * (to - t) < distance - near || t >= to {
        return SpeedStep::Never;
    }
    // A little less than the whole way to the contact, which rounding could otherwise pass.
    SpeedStep::Until(t + (distance - near) / speed * (1.0 - 1e-12), answer)
}

/// When two bodies first come as near as `tolerance`.
pub(crate) fn first_contact(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> Option<NearTime> {
    let (mut lower, mut t) = (span.from(), span.from());
    for _ in 0..movers.most_tests(MOST_STEPS) {
        let answer = match step(movers, [t, span.to()], tolerance, Precision::EXACT, context.lend()) {
            SpeedStep::Never => return None,
            SpeedStep::Near(answer) => return Some(NearTime { time: Interval { lower, upper: t }, answer }),
            SpeedStep::Until(later, answer) => {
                lower = later;
                answer
            }
        };
        if lower <= t {
            // In the time to the next floating-point number the bodies can move farther than they are apart.
            return Some(NearTime { time: Interval { lower: t, upper: t.next_up().min(span.to()) }, answer });
        }
        t = lower.min(span.to());
    }
    let answer = movers.nearest(span.to(), f64::INFINITY, context.lend());
    Some(NearTime { time: Interval { lower, upper: span.to() }, answer })
}

/// Steps by speed that other searches interrupt, and that go on from what those have proven.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SpeedSteps {
    /// The share of the rest that the last step led on.
    share: f64,
    /// The time that it led to.
    at: f64,
}

impl SpeedSteps {
    /// Before the first step nothing is known of how far steps lead.
    pub(crate) const NEW: SpeedSteps = SpeedSteps { share: 1.0, at: f64::NEG_INFINITY };

    /// Whether so many steps, at the length of the last one, would lead through a good part of the rest.
    fn is_hopeful(&self, most: usize) -> bool {
        HOPEFUL * most as f64 * self.share >= 1.0
    }

    /// The time to go on from, after a step that has proven the bodies apart from `t` until `later`, of a span until
    /// `to`.
    pub(crate) fn take(&mut self, [t, later, to]: [f64; 3]) -> f64 {
        let next = (t + SHORT * (later - t)).clamp(t, to);
        (self.share, self.at) = (((next - t) / (to - t)).clamp(f64::MIN_POSITIVE, 1.0), next);
        next
    }

    /// No contact before the time that comes back, and none at all before `to` where that is `None`. Takes at most so
    /// many steps, and none or few where it seems that many more would be needed.
    pub(crate) fn go_on(
        &mut self,
        movers: &Movers<'_>,
        [from, to]: [f64; 2],
        tolerance: f64,
        most: usize,
        mut context: Context<'_, Memory>,
    ) -> Option<f64> {
        if !self.is_hopeful(most) && from - self.at < AGAIN * (to - self.at) {
            return Some(from);
        }
        let (mut t, close) = (from, CLOSE * movers.smaller_radius());
        for left in (1..=most).rev() {
            match step(movers, [t, to], tolerance, ROUGH, context.lend()) {
                SpeedStep::Never => return None,
                SpeedStep::Near(_) => {
                    (self.share, self.at) = (f64::MIN_POSITIVE, t);
                    break;
                }
                SpeedStep::Until(later, answer) => {
                    t = self.take([t, later, to]);
                    let is_close =
                        matches!(&answer, Outcome::Apart(WitnessedGap { interval, .. }) if interval.lower < close);
                    if is_close || !self.is_hopeful(left - 1) {
                        break;
                    }
                }
            }
        }
        Some(t)
    }
}

/// The least distance.
#[derive(Debug, Clone)]
pub(crate) struct LeastInTime {
    pub(crate) interval: Interval,
    pub(crate) time: f64,
}

/// The least distance over a span, to within `tolerance`.
pub(crate) fn least_distance(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> LeastInTime {
    let mut best = LeastInTime { interval: Interval::INFINITE, time: span.from() };
    // Spans of time, by the least distance that is possible in each and by where it begins; the end of each is kept
    // with it.
    let mut open = BestFirst::default();
    open.push((LowerBound(0.0), LowerBound(span.from())), span.to());
    let mut left = f64::INFINITY;
    let most = movers.most_tests(MOST_STEPS);
    for step in 0.. {
        let Some(((LowerBound(bound), LowerBound(from)), to)) = open.pop() else { break };
        if bound >= best.interval.upper - tolerance || step == most {
            left = left.min(bound);
            break;
        }
        let t = 0.5 * from + 0.5 * to;
        let interval = match movers.nearest(t, f64::INFINITY, context.lend()) {
            Outcome::Beyond => return best,
            Outcome::Apart(WitnessedGap { interval, .. }) => interval,
            Outcome::Touching(_) | Outcome::Contained(_) => Interval::ZERO,
        };
        if interval.upper < best.interval.upper {
            best = LeastInTime { interval, time: t };
        }
        if interval.upper == 0.0 {
            return best;
        }
        let reach = movers.speed(from, to) * (0.5 * (to - from)) * (1.0 + 1e-12) + movers.margin(from, to);
        let bound = (interval.lower - reach).max(0.0);
        if bound < best.interval.upper - tolerance && from < t && t < to {
            open.push((LowerBound(bound), LowerBound(from)), t);
            open.push((LowerBound(bound), LowerBound(t)), to);
        } else {
            left = left.min(bound);
        }
    }
    best.interval.lower = best.interval.lower.min(left);
    best
}
