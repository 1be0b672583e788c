//! The simple alternative to every search: the static test at many times, and bisection between two of them.

use super::two_bodies::Movers;
use crate::math::Interval;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::path::Span;

/// The number of steps that a span is divided into.
const SAMPLES: u32 = 1024;
/// The most bisections: more would make the result finer than the rounding of the static test.
const HALVINGS: usize = 36;

/// The time of the first contact among equally spaced times, and bisection between that time and the one before it. A
/// contact that begins and ends between two of the times is missed.
pub(crate) fn first_sampled(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> Option<Interval> {
    let at = |i: u32| span.from() + (span.to() - span.from()) * (f64::from(i) / f64::from(SAMPLES));
    let first = (0..=SAMPLES).find(|&i| movers.touch_at(at(i), tolerance, context.lend()))?;
    let Some(before) = first.checked_sub(1) else { return Some(Interval { lower: at(0), upper: at(0) }) };
    Some(bisected(movers, [at(before), at(first)], tolerance, context.lend()))
}

/// Bisects between two times: at the first of them the bodies touch and at the second they do not, or the other way
/// round.
pub(crate) fn bisected(
    movers: &Movers<'_>,
    [mut low, mut high]: [f64; 2],
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> Interval {
    let mut touch = |t: f64| movers.touch_at(t, tolerance + movers.margin(t, t), context.lend());
    let before = touch(low);
    for _ in 0..HALVINGS {
        let middle = 0.5 * low + 0.5 * high;
        if middle <= low || middle >= high {
            break;
        }
        if touch(middle) == before {
            low = middle;
        } else {
            high = middle;
        }
    }
    Interval { lower: low, upper: high }
}
