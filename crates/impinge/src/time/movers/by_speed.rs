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
use crate::narrow::proximity::{Proximity, WitnessedGap};
use crate::path::Span;
use crate::search::best_first::{BestFirst, LowerBound};

/// The most distances measured before a search gives up.
const MOST_STEPS: usize = 1 << 14;

/// The first contact.
#[derive(Debug, Clone)]
pub(crate) struct NearTime {
    /// Before `lower` the bodies do not touch; at `upper` they touch, or are as near as `tolerance`.
    pub(crate) time: Interval,
    /// The static answer at `time.upper`.
    pub(crate) answer: Proximity,
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
        let answer = movers.nearest(t, f64::INFINITY, context.lend());
        let distance = match &answer {
            Outcome::Beyond => return None,
            Outcome::Apart(WitnessedGap { interval, .. }) => interval.lower,
            _ => 0.0,
        };
        let near = tolerance + movers.margin(t, span.to());
        if distance <= near {
            return Some(NearTime { time: Interval { lower, upper: t }, answer });
        }
        let speed = movers.speed(t, span.to());
        if speed * (span.to() - t) < distance - near || t >= span.to() {
            return None;
        }
        // A little less than the whole way to the contact, which rounding could otherwise pass.
        lower = t + (distance - near) / speed * (1.0 - 1e-12);
        if lower <= t {
            // In the time to the next floating-point number the bodies can move farther than they are apart.
            return Some(NearTime { time: Interval { lower: t, upper: t.next_up().min(span.to()) }, answer });
        }
        t = lower.min(span.to());
    }
    let answer = movers.nearest(span.to(), f64::INFINITY, context.lend());
    Some(NearTime { time: Interval { lower, upper: span.to() }, answer })
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
