//! The simple alternative to every engine: the static test at many moments, and bisection between two of them.

use super::two_bodies::Movers;
use crate::answer::Stats;
use crate::math::Interval;
use crate::narrow::grid::memory::Memory;
use crate::path::Span;

/// Steps that a span is divided into.
const SAMPLES: u32 = 1024;
/// Bisections: finer, the static test is in its own rounding.
const HALVINGS: usize = 36;

/// The first of equally spaced moments at which they touch, and the bisection
/// between it and the last before. What comes and goes between two moments is missed.
pub(crate) fn first_sampled(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    memory: &mut Memory,
    stats: &mut Stats,
) -> Option<Interval> {
    let at = |i: u32| span.from() + (span.to() - span.from()) * (f64::from(i) / f64::from(SAMPLES));
    let first = (0..=SAMPLES).find(|&i| movers.touch_at(at(i), tolerance, memory, stats))?;
    let Some(before) = first.checked_sub(1) else { return Some(Interval { lower: at(0), upper: at(0) }) };
    Some(bisected(movers, [at(before), at(first)], tolerance, memory, stats))
}

/// Bisects between two times, of which the first has what the second has not: whether they touch.
pub(crate) fn bisected(
    movers: &Movers<'_>,
    [mut low, mut high]: [f64; 2],
    tolerance: f64,
    memory: &mut Memory,
    stats: &mut Stats,
) -> Interval {
    let mut touch = |t: f64| movers.touch_at(t, tolerance + movers.margin(t, t), memory, stats);
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
