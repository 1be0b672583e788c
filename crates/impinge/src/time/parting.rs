//! When bodies that touch part again, and all their contacts over a span.
//!
//! From a time at which the bodies touch, the search computes how long the pair of pieces that touches certainly goes
//! on touching ([`super::impact::still_touching`]), and repeats this from the end of that time. These steps become
//! shorter and shorter near a parting, and also where one body lies on the other and turns, since nothing proves that
//! these touch. There the search only tests the bodies at later times, by steps that double. In the first step no point
//! moves by more than rounding errors. These tests go on to the first time at which the bodies are apart, or at which
//! some pair of pieces again proves contact. If they are apart, bisection with the static test finds when they parted.
//!
//! Invariant: the bodies touch until `lower`, except for times too short for rounding to resolve, and are apart at
//! `upper`. Where tests without a proof covered more than such a short time, `lower` is where they began, and the
//! parting is not certain.
//! Cost: a few tests for each digit of the time, and for each pair of pieces that proves contact for a while; at most
//! [`MOST_PROOFS`], and a test for each piece of the motions. The rest of the span is then tested in [`STEPS`] steps.

use super::functions::contact_intervals::contact_intervals;
use super::functions::timeline::ContactSpan;
use super::impact::still_touching::TouchingBodies;
use super::impact_query::{MovingMemory, impact};
use super::movers::by_samples::bisected;
use super::movers::contact_interval::{ContactInterval, Parting};
use super::movers::parting_by_tests::parting_by_tests;
use super::movers::two_bodies::Movers;
use crate::math::Interval;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::path::Span;

/// The number of steps that a span is divided into where nothing is proven.
const STEPS: f64 = 1024.0;
/// The most depth queries and tests, of bodies and of their pieces.
const MOST_PROOFS: usize = 1 << 13;
/// The most pieces of the motions in which the bodies touch.
const MOST_PIECES: usize = 1 << 17;
/// Bodies may part and touch again unnoticed within this many of the shortest steps: in that time they move by a
/// hundred-millionth of their size.
const HIDDEN: f64 = 128.0;
/// After a parting the search for the next contact starts when the bodies are apart by this share of the resolution:
/// most searches then find that they do not touch at the start. A search that finds a contact at once is repeated from
/// a time at which they are farther apart.
const CLEAR_BY: f64 = 0.01;
/// The most tests for a time at which the bodies touch, or are apart, soon after a given one.
const MOST_TRIES: usize = 64;
/// The most contacts in one span, and searches for the next one.
const MOST_CONTACTS: usize = 1 << 12;
/// The most steps of all searches for contacts: a second.
const MOST_WORK: u64 = 1 << 19;

/// When the bodies part. Their contact begins within `begins`; bodies as near as `tolerance` count as touching.
pub(crate) fn parting(
    movers: &Movers<'_>,
    begins: Interval,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> Parting {
    let from = match first_touching(movers, begins.upper, span, tolerance, context.lend()) {
        Ok(from) => from,
        Err(apart) => {
            let ends = Some(Interval { lower: begins.lower, upper: apart });
            return Parting { ends, certain: false };
        }
    };
    if movers.deform() {
        return parting_by_tests(movers, from, span, tolerance, context);
    }
    let to = span.to();
    let mut bodies = TouchingBodies::new(movers, tolerance);
    let (mut touching, mut t, mut smooth_until, mut pieces) = (from, from, from, 0);
    // While nothing is proven, `ahead` holds the time at which that began, and the next step. If it once lasted too
    // long, `unproven` is the time at which it began then.
    let mut ahead: Option<[f64; 2]> = None;
    let mut unproven: Option<f64> = None;
    loop {
        let Some(cause) = bodies.cause(t, context.lend()) else {
            let found = bisected(movers, [touching, t], tolerance, context.lend());
            let ends = Interval { lower: unproven.unwrap_or(found.lower), upper: found.upper };
            return Parting { ends: Some(ends), certain: unproven.is_none() };
        };
        touching = t;
        if t >= to {
            return Parting { ends: None, certain: unproven.is_none() };
        }
        if bodies.proofs - pieces >= MOST_PROOFS || pieces >= MOST_PIECES {
            unproven = unproven.or(Some(ahead.map_or(t, |[since, _]| since)));
            t = (t + (to - from) / STEPS).clamp(t.next_up(), to);
            continue;
        }
        if t >= smooth_until {
            smooth_until = movers.smooth_until(t).min(to);
            pieces += 1;
        }
        let (sure, unresolved_time) =
            (bodies.touches_until(&cause, t, smooth_until, context.stats), bodies.unresolved_time(t, smooth_until));
        if sure >= smooth_until || sure - t > unresolved_time {
            (t, ahead) = (sure, None);
            continue;
        }
        let most = unresolved_time.max((to - from) / STEPS);
        let [since, step] = ahead.unwrap_or([t, if unresolved_time > 0.0 { unresolved_time } else { most }]);
        t = (t + step).clamp(t.next_up(), smooth_until);
        ahead = Some([since, (2.0 * step).min(most)]);
        if t - since > HIDDEN * unresolved_time {
            unproven = unproven.or(Some(since));
        }
    }
}

/// A time from `from` on at which the bodies touch. The first contact may have been found a little before they touch,
/// or they may only come so near that rounding does not tell: then `Err` holds a time soon after at which they are
/// apart.
fn first_touching(
    movers: &Movers<'_>,
    from: f64,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> Result<f64, f64> {
    let (mut t, mut step) = (from, 0.0);
    for _ in 0..MOST_TRIES {
        let near = tolerance + movers.margin(t, t);
        if movers.touch_at(t, near, context.lend()) {
            return Ok(t);
        }
        let resolution = movers.resolution(span);
        if t >= span.to() || !movers.touch_at(t, near + 2.0 * resolution, context.lend()) {
            return Err(t);
        }
        step = f64::max(2.0 * step, 0.1 * resolution / movers.speed(t, span.to()));
        t = (t + step).min(span.to()).max(t.next_up());
    }
    Err(t)
}

/// Every contact over the span, in order: by functions of time where these apply, else by one search after the other.
/// Bodies as near as `tolerance` count as touching.
pub(crate) fn contacts_over_time(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, MovingMemory<'_>>,
) -> Vec<ContactInterval> {
    let by_functions = if tolerance == 0.0 { contact_intervals(movers, span, context.part(|m| m.pair)) } else { None };
    let Some(spans) = by_functions else {
        return one_after_the_other(movers, span, tolerance, context);
    };
    let public = |s: ContactSpan| {
        let ends = Some(s.end).filter(|end| end.lower < span.to());
        ContactInterval { begins: s.begin, ends, certain: s.certain }
    };
    spans.into_iter().map(public).collect()
}

/// Finds a contact, then when it ends, then the next contact.
fn one_after_the_other(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, MovingMemory<'_>>,
) -> Vec<ContactInterval> {
    let mut all: Vec<ContactInterval> = Vec::new();
    let (mut from, mut clear_by, mut touches_again) = (span.from(), CLEAR_BY, false);
    let (before, mut rounds) = (context.stats.iterations, 0);
    while let Ok(rest) = Span::new(from, span.to())
        && let Some(contact) = impact(movers, rest, tolerance, context.lend())
    {
        rounds += 1;
        let is_capped = rounds > MOST_CONTACTS || context.stats.iterations - before >= MOST_WORK;
        let unresolved_time = movers.resolution(rest) / movers.speed(from, span.to());
        // If the static test found that they touch again, starting later would not find them apart either.
        let has_parted = touches_again
            || contact.time.lower - from > unresolved_time
            || contact.certain && contact.time.width() <= unresolved_time;
        if let Some(ends) = all.last_mut().and_then(|last| last.ends.as_mut())
            && !has_parted
            && !is_capped
        {
            if from >= span.to() {
                break;
            }
            clear_by *= 256.0;
            (ends.upper, from, touches_again) =
                clear_after(movers, from, span, (clear_by, tolerance), context.part(|m| m.pair));
            continue;
        }
        if is_capped {
            let left = Interval { lower: contact.time.lower, upper: span.to() };
            all.push(ContactInterval { begins: left, ends: Some(left), certain: false });
            break;
        }
        let Parting { ends, certain } = parting(movers, contact.time, rest, tolerance, context.part(|m| m.pair));
        let Some(ends) = ends.filter(|ends| ends.upper < span.to()) else {
            all.push(ContactInterval { begins: contact.time, ends, certain: certain && contact.certain });
            break;
        };
        clear_by = CLEAR_BY;
        let upper;
        (upper, from, touches_again) =
            clear_after(movers, ends.upper, span, (clear_by, tolerance), context.part(|m| m.pair));
        let ends = Some(Interval { upper, ..ends });
        all.push(ContactInterval { begins: contact.time, ends, certain: certain && contact.certain });
    }
    all
}

/// Goes on from a parting to a time at which the search for the next contact can start: the bodies are farther apart
/// there than rounding can hide, or touch again. The result is the last time tested at which they do not touch, the
/// time to start from, and whether they touch again there. Steps double, from one in which no point moves by more than
/// `clear_by` of the resolution.
fn clear_after(
    movers: &Movers<'_>,
    parted: f64,
    span: Span,
    (clear_by, tolerance): (f64, f64),
    mut context: Context<'_, Memory>,
) -> (f64, f64, bool) {
    let clear_by = clear_by * movers.resolution(span);
    let (mut last, mut t, mut step) = (parted, parted, clear_by / movers.speed(parted, span.to()));
    for _ in 0..MOST_TRIES {
        let near = tolerance + movers.margin(t, t);
        if movers.touch_at(t, near, context.lend()) {
            return (last, t, true);
        }
        last = t;
        if t >= span.to() || !movers.touch_at(t, near + clear_by, context.lend()) {
            break;
        }
        t = (t + step).min(span.to()).max(t.next_up());
        step *= 2.0;
    }
    (last, last, false)
}
