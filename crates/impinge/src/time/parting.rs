//! When bodies that touch part again, and all their contacts over a span.
//!
//! From a time at which they touch, what keeps them in touch is asked how long it does for certain
//! ([`super::impact::still_touching`]), then what does from there on. Near a parting that gets on by less and less; so
//! does it where bodies lie on each other and turn, which nothing proves. There it is looked ahead by steps that
//! double, from one in which they move by no more than rounding hides: up to the first time at which they are apart, or
//! held together again. Between the last time at which they touch and that, the static test is bisected.
//!
//! Invariant: they touch until `lower`, but for moments that rounding hides, and are apart at `upper`. Where looking
//! ahead took longer than a moment, `lower` is where it began, and they are not said to touch for certain.
//! Cost: some looks for each digit, and those of the pieces that hold on in between; at most [`MOST_PROOFS`] and a look
//! for each piece of the motions. What is left is then looked at in [`STEPS`] steps.

use super::functions::contact_intervals::contact_intervals;
use super::functions::timeline::ContactSpan;
use super::impact::still_touching::TouchingBodies;
use super::impact_query::{ImpactMemory, impact};
use super::movers::by_samples::bisected;
use super::movers::contact_interval::{ContactInterval, Parting};
use super::movers::parting_by_looks::parting_by_looks;
use super::movers::two_bodies::Movers;
use crate::answer::Stats;
use crate::math::Interval;
use crate::narrow::grid::memory::Memory;
use crate::path::Span;

/// Steps that a span is divided into where nothing is proven.
const STEPS: f64 = 1024.0;
/// Depths and tests of the pieces that touch, and of the bodies.
const MOST_PROOFS: usize = 1 << 13;
/// Pieces of the motions in which they touch.
const MOST_PIECES: usize = 1 << 17;
/// In how many of the shortest steps ahead bodies may part and come back without notice: they move by a
/// hundred-millionth of their size meanwhile.
const HIDDEN: f64 = 128.0;
/// After a parting the next contact is sought from where bodies are apart by this share of the resolution: most
/// searches then see that they do not touch at the start. Where one does not, it is done again from farther apart.
const CLEAR_BY: f64 = 0.01;
/// Tests for the time at which bodies touch that were found when they only nearly did.
const MOST_TRIES: usize = 64;
/// Contacts in one span, and looks for the next.
const MOST_CONTACTS: usize = 1 << 12;
/// Steps of all searches for them: a second.
const MOST_WORK: u64 = 1 << 19;

/// When bodies part whose contact begins within `begins`, and that touch when they are as near as `tolerance`.
pub(crate) fn parting(
    movers: &Movers<'_>,
    begins: Interval,
    span: Span,
    tolerance: f64,
    memory: &mut Memory,
    stats: &mut Stats,
) -> Parting {
    let from = match begin(movers, begins.upper, span, tolerance, memory, stats) {
        Ok(from) => from,
        Err(apart) => {
            let ends = Some(Interval { lower: begins.lower, upper: apart });
            return Parting { ends, certain: false };
        }
    };
    if movers.deform() {
        return parting_by_looks(movers, from, span, tolerance, memory, stats);
    }
    let to = span.to();
    let mut together = TouchingBodies::new(movers, tolerance);
    let (mut touching, mut t, mut smooth_until, mut pieces) = (from, from, from, 0);
    // Since when it is looked ahead, and by how much next; where that took too long first.
    let mut doubt: Option<[f64; 2]> = None;
    let mut unproven: Option<f64> = None;
    loop {
        let Some(cause) = together.cause(t, memory, stats) else {
            let found = bisected(movers, [touching, t], tolerance, memory, stats);
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
        let (sure, moment) = (together.touches_until(&cause, t, smooth_until, stats), together.moment(t, smooth_until));
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

/// A time from `from` on at which they touch. A first contact may have been found a little before they do, or where
/// they come no nearer than rounding can tell: then `Err` is a time soon after at which they are apart.
fn begin(
    movers: &Movers<'_>,
    from: f64,
    span: Span,
    tolerance: f64,
    memory: &mut Memory,
    stats: &mut Stats,
) -> Result<f64, f64> {
    let (mut t, mut step) = (from, 0.0);
    for _ in 0..MOST_TRIES {
        let near = tolerance + movers.margin(t, t);
        if movers.touch_at(t, near, memory, stats) {
            return Ok(t);
        }
        let resolution = movers.resolution(span);
        if t >= span.to() || !movers.touch_at(t, near + 2.0 * resolution, memory, stats) {
            return Err(t);
        }
        step = f64::max(2.0 * step, 0.1 * resolution / movers.speed(t, span.to()));
        t = (t + step).min(span.to()).max(t.next_up());
    }
    Err(t)
}

/// Every contact over the span, in order: by functions of time where these answer, else one after the other. Bodies as
/// near as `tolerance` count as touching.
pub(crate) fn contacts_over_time(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    memory: &mut Memory,
    own: &mut ImpactMemory,
    stats: &mut Stats,
) -> Vec<ContactInterval> {
    let by_functions = if tolerance == 0.0 { contact_intervals(movers, span, memory, stats) } else { None };
    let Some(spans) = by_functions else {
        return one_after_the_other(movers, span, tolerance, memory, own, stats);
    };
    let public = |s: ContactSpan| {
        let ends = Some(s.end).filter(|end| end.lower < span.to());
        ContactInterval { begins: s.begin, ends, certain: s.certain }
    };
    spans.into_iter().map(public).collect()
}

/// A contact, when it ends, and the next.
fn one_after_the_other(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    memory: &mut Memory,
    own: &mut ImpactMemory,
    stats: &mut Stats,
) -> Vec<ContactInterval> {
    let mut all: Vec<ContactInterval> = Vec::new();
    let (mut from, mut clear_by, mut is_again) = (span.from(), CLEAR_BY, false);
    let (before, mut rounds) = (stats.iterations, 0);
    while let Ok(rest) = Span::new(from, span.to())
        && let Some(contact) = impact(movers, rest, tolerance, memory, own, stats)
    {
        rounds += 1;
        let is_capped = rounds > MOST_CONTACTS || stats.iterations - before >= MOST_WORK;
        let moment = movers.resolution(rest) / movers.speed(from, span.to());
        // Where the static test has them in touch, no later look tells them apart from here.
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
            (ends.upper, from, is_again) = apart(movers, from, span, (clear_by, tolerance), memory, stats);
            continue;
        }
        if is_capped {
            let left = Interval { lower: contact.time.lower, upper: span.to() };
            all.push(ContactInterval { begins: left, ends: Some(left), certain: false });
            break;
        }
        let Parting { ends, certain } = parting(movers, contact.time, rest, tolerance, memory, stats);
        let Some(ends) = ends.filter(|ends| ends.upper < span.to()) else {
            all.push(ContactInterval { begins: contact.time, ends, certain: certain && contact.certain });
            break;
        };
        clear_by = CLEAR_BY;
        let upper;
        (upper, from, is_again) = apart(movers, ends.upper, span, (clear_by, tolerance), memory, stats);
        let ends = Some(Interval { upper, ..ends });
        all.push(ContactInterval { begins: contact.time, ends, certain: certain && contact.certain });
    }
    all
}

/// The last time soon after a parting at which they do not touch, where to go on, and whether they touch there again:
/// else they are told from touching there. It looks ahead by steps that double, from one in which they move by no more
/// than that.
fn apart(
    movers: &Movers<'_>,
    parted: f64,
    span: Span,
    (clear_by, tolerance): (f64, f64),
    memory: &mut Memory,
    stats: &mut Stats,
) -> (f64, f64, bool) {
    let clear_by = clear_by * movers.resolution(span);
    let (mut last, mut t, mut step) = (parted, parted, clear_by / movers.speed(parted, span.to()));
    for _ in 0..MOST_TRIES {
        let near = tolerance + movers.margin(t, t);
        if movers.touch_at(t, near, memory, stats) {
            return (last, t, true);
        }
        last = t;
        if t >= span.to() || !movers.touch_at(t, near + clear_by, memory, stats) {
            break;
        }
        t = (t + step).min(span.to()).max(t.next_up());
        step *= 2.0;
    }
    (last, last, false)
}
