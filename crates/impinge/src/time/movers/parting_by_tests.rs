//! When two bodies part of which one deforms, from nothing but static tests.
//!
//! From a time at which the bodies touch, the search tests later times, by steps that double, up to the first time at
//! which they do not touch. Bisection between the last two times tested then finds the parting.
//!
//! Invariant: the bodies touch at `lower` and not at `upper`. Nothing proves that they touch in between: a parting that
//! is shorter than [`LONGEST`] of the span may be missed. Cost: a thousand static tests in a span, and one for
//! each binary digit of the time.

use super::by_samples::bisected;
use super::contact_interval::Parting;
use super::two_bodies::Movers;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::path::Span;

/// The first step and the longest, as shares of the span.
const SHORTEST: f64 = 1.0 / (1u64 << 36) as f64;
const LONGEST: f64 = 1.0 / 1024.0;
/// The longest step, as a multiple of the shortest, in which a parting is too short to be reported.
const HIDDEN: f64 = 64.0;
/// The most static tests of one search.
const MOST_TESTS: usize = 1 << 11;

/// When bodies part that touch at `from`; bodies as near as `tolerance` count as touching.
pub(crate) fn parting_by_tests(
    movers: &Movers<'_>,
    from: f64,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> Parting {
    let (to, length) = (span.to(), span.to() - span.from());
    let (mut t, mut ahead, mut certain) = (from, SHORTEST * length, true);
    for _ in 0..movers.most_tests(MOST_TESTS) {
        if t >= to {
            return Parting { ends: None, certain };
        }
        let next = (t + ahead).max(t.next_up()).min(to);
        if !movers.touch_at(next, tolerance + movers.margin(next, next), context.lend()) {
            return Parting { ends: Some(bisected(movers, [t, next], tolerance, context.lend())), certain };
        }
        certain &= ahead <= HIDDEN * SHORTEST * length;
        (t, ahead) = (next, (2.0 * ahead).min(LONGEST * length));
    }
    Parting { ends: None, certain: false }
}
