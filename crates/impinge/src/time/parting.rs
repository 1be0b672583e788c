//! When bodies that touch part again, and all their contacts over a span.
//!
//! From a time at which the bodies touch, the search asks for how long the pair of pieces that touches certainly does
//! ([`super::impact::still_touching`]), then again from the end of that time. Near a parting these steps become shorter
//! and shorter; so do they where bodies lie on each other and turn, since nothing proves that these touch. There the
//! search looks ahead by steps that double, the first so short that no point moves by more than rounding hides: up to
//! the first time at which the bodies are apart, or at which a pair of pieces again touches for certain. Where they are
//! apart, the static test is bisected between that time and the last one at which they touched.
//!
//! Invariant: the bodies touch until `lower`, but for moments that rounding hides, and are apart at `upper`. Where
//! looking ahead took longer than such a moment, `lower` is where it began, and the bodies are not said to touch for
//! certain.
//! Cost: some looks for each digit, and for each pair of pieces that keeps the bodies touching; at most
//! [`MOST_PROOFS`], and a look for each piece of the motions. The rest of the span is then looked at in [`STEPS`]
//! steps.

use super::functions::contact_intervals::contact_intervals;
use super::functions::timeline::ContactSpan;
use super::impact::still_touching::TouchingBodies;
use super::impact_query::{MovingMemory, impact};
use super::movers::by_samples::bisected;
use super::movers::contact_interval::{ContactInterval, Parting};
use super::movers::parting_by_looks::parting_by_looks;
use super::movers::two_bodies::Movers;
use crate::math::Interval;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::path::Span;

/// Steps that a span is divided into where nothing is proven.
const STEPS: f64 = 1024.0;
/// The most depth queries and tests of the pieces that touch, and of the bodies.
const MOST_PROOFS: usize = 1 << 13;
/// The most pieces of the motions in which the bodies touch.
const MOST_PIECES: usize = 1 << 17;
/// Bodies may part and come back unnoticed within this many of the shortest steps ahead: they move by a
/// hundred-millionth of their size in that time.
const HIDDEN: f64 = 128.0;
/// After a parting the search for the next contact starts where the bodies are apart by this share of the resolution:
/// most searches then see that they do not touch at the start. A search that does not see it is repeated from where
/// they are farther apart.
const CLEAR_BY: f64 = 0.01;
/// The most tests for a time at which bodies really touch, after a search found one at which they nearly do.
const MOST_TRIES: usize = 64;
/// The most contacts in one span, and searches for the next one.
const MOST_CONTACTS: usize = 1 << 12;
/// The most steps of all searches for contacts: a second.
const MOST_WORK: u64 = 1 << 19;

/// When bodies part whose contact begins within `begins`; bodies as near as `tolerance` count as touching.
pub(crate) fn parting(
    movers: &Movers<'_>,
    begins: Interval,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> Parting {
    let from = match begin(movers, begins.upper, span, tolerance, context.lend()) {
        Ok(from) => from,
        Err(apart) => {
            let ends = Some(Interval { lower: begins.lower, upper: apart });
            return Parting { ends, certain: false };
        }
    };
    if movers.deform() {
        return parting_by_looks(movers, from, span, tolerance, context);
    }
    let to = span.to();
    let mut together = TouchingBodies::new(movers, tolerance);
    let (mut touching, mut t, mut smooth_until, mut pieces) = (from, from, from, 0);
    // Since when the search looks ahead, and by how much next; also the first place where that took too long.
    let mut doubt: Option<[f64; 2]> = None;
    let mut unproven: Option<f64> = None;
    loop {
        let Some(cause) = together.cause(t, context.lend()) else {
            let found = bisected(movers, [touching, t], tolerance, context.lend());
            let ends = Interval { lower: unproven.unwrap_or(found.lower), upper: found.upper };
            return Parting { ends: Some(ends), certain: unproven.is_none() };
        };
        touching = t;
        if t >= to {
            return Parting { ends: None, certain: unproven.is_none() };
        }
        if together.proofs - pieces >= MOST_PROOFS || pieces >= MOST_PIECES {
            unproven = unproven.or(Some(doubt.map_or(t, |[since, _]| since)));
            t = (t + (to - from) / STEPS).clamp(t.next_up(), to);
            continue;
        }
        if t >= smooth_until {
            smooth_until = movers.smooth_until(t).min(to);
            pieces += 1;
        }
        let (sure, moment) =
            (together.touches_until(&cause, t, smooth_until, context.stats), together.moment(t, smooth_until));
        if sure >= smooth_until || sure - t > moment {
            (t, doubt) = (sure, None);
            continue;
        }
        let most = moment.max((to - from) / STEPS);
        let [since, step] = doubt.unwrap_or([t, if moment > 0.0 { moment } else { most }]);
        t = (t + step).clamp(t.next_up(), smooth_until);
        doubt = Some([since, (2.0 * step).min(most)]);
        if t - since > HIDDEN * moment {
            unproven = unproven.or(Some(since));
        }
    }
}

/// A time from `from` on at which the bodies touch. A first contact may have been found a little before they touch, or
/// where they come no nearer than rounding can tell: then `Err` is a time soon after at which they are apart.
fn begin(
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

/// Every contact over the span, in order: by functions of time where these apply, else one contact after the other.
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
    let (mut from, mut clear_by, mut is_again) = (span.from(), CLEAR_BY, false);
    let (before, mut rounds) = (context.stats.iterations, 0);
    while let Ok(rest) = Span::new(from, span.to())
        && let Some(contact) = impact(movers, rest, tolerance, context.lend())
    {
        rounds += 1;
        let is_capped = rounds > MOST_CONTACTS || context.stats.iterations - before >= MOST_WORK;
        let moment = movers.resolution(rest) / movers.speed(from, span.to());
        // Where the static test found that they touch again, a later start would not find them apart either.
        let is_seen_apart =
            is_again || contact.time.lower - from > moment || contact.certain && contact.time.width() <= moment;
        if let Some(ends) = all.last_mut().and_then(|last| last.ends.as_mut())
            && !is_seen_apart
            && !is_capped
        {
            if from >= span.to() {
                break;
            }
            clear_by *= 256.0;
            (ends.upper, from, is_again) = apart(movers, from, span, (clear_by, tolerance), context.part(|m| m.pair));
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
        (upper, from, is_again) = apart(movers, ends.upper, span, (clear_by, tolerance), context.part(|m| m.pair));
        let ends = Some(Interval { upper, ..ends });
        all.push(ContactInterval { begins: contact.time, ends, certain: certain && contact.certain });
    }
    all
}

/// The last time soon after a parting at which the bodies do not touch, where to go on, and whether they touch there
/// again; if not, they are far enough apart there to be told from touching. The search looks ahead by steps that
/// double, from one in which no point moves by more than the resolution.
fn apart(
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
