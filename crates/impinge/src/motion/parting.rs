//! When bodies that touch part again, and all their contacts over a span.
//!
//! Between a time at which they touch and one at which they do not, the static test is bisected. To find the latter:
//! convex bodies that are `d` deep in each other stay so for `d/Λ`, with `Λ` the bound on their speeds, since a motion
//! of every point by less than the depth cannot take the origin out of their difference (notes to Xavier 1997 §3; J.
//! Canny 1986 asks the same of contact functions). Bodies that are not convex have no such bound, and are looked at in
//! steps; so are those whose depth has become too small to get on.
//!
//! Invariant: they touch at `lower` and are apart at `upper`. A separation of convex bodies shorter than a step, or one
//! of other bodies, may be passed over: a step is 1/1024 of the span.

use super::by_speed::Movers;
use super::contact_intervals::{ContactSpan, contact_intervals};
use super::{ImpactMemory, Span, impact};
use crate::answer::Stats;
use crate::math::Interval;
use crate::model::Model;
use crate::narrow::{Answer, Memory};

/// Steps that a span is divided into where nothing better is known.
const STEPS: f64 = 1024.0;
/// Times looked at.
const MOST_LOOKS: usize = 1 << 13;
/// Bisections: finer, the static test is in its own rounding.
const HALVINGS: usize = 36;
/// Contacts in one span.
const MOST_CONTACTS: usize = 1 << 12;

/// One contact over time: when it begins, and when it ends if that is within the span.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactInterval {
    /// They do not touch before `lower` (after the last contact), and do at `upper`.
    pub begins: Interval,
    /// They touch at `lower`, and do not at `upper`.
    pub ends: Option<Interval>,
    /// Whether they touch for certain in between. Else they are as near as can be told.
    pub certain: bool,
}

/// When bodies that touch at `from` part.
pub(crate) fn parting(
    movers: &Movers<'_>,
    from: f64,
    to: f64,
    memory: &mut Memory,
    stats: &mut Stats,
) -> Option<Interval> {
    let least = (to - from) / STEPS;
    let (mut touching, mut t) = (from, from);
    for _ in 0..MOST_LOOKS {
        if !movers.touch_at(t, memory, stats) {
            return Some(bisected(movers, [touching, t], memory, stats));
        }
        if t >= to {
            return None;
        }
        touching = t;
        let deep = if movers.are_convex() { movers.query(t).deepest(memory, stats) } else { None };
        let sure = deep.map_or(0.0, |deep| deep.interval.lower / movers.speed(t, to));
        let step = if sure.is_nan() { least } else { sure.max(least) };
        t = (t + step).min(to).max(t.next_up());
    }
    None
}

/// Bisects between two times, of which the first has what the second has not: whether they touch.
fn bisected(movers: &Movers<'_>, [mut low, mut high]: [f64; 2], memory: &mut Memory, stats: &mut Stats) -> Interval {
    let before = movers.touch_at(low, memory, stats);
    for _ in 0..HALVINGS {
        let middle = 0.5 * low + 0.5 * high;
        if middle <= low || middle >= high {
            break;
        }
        if movers.touch_at(middle, memory, stats) == before {
            low = middle;
        } else {
            high = middle;
        }
    }
    Interval { lower: low, upper: high }
}

/// Every contact over the span, in order: by functions of time where these answer, else one after the other.
pub(crate) fn contacts_over_time(
    movers: &Movers<'_>,
    span: Span,
    memory: &mut Memory,
    own: &mut ImpactMemory,
    stats: &mut Stats,
) -> Vec<ContactInterval> {
    let Some(spans) = contact_intervals(movers, span, memory, stats) else {
        return one_after_the_other(movers, span, memory, own, stats);
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
    memory: &mut Memory,
    own: &mut ImpactMemory,
    stats: &mut Stats,
) -> Vec<ContactInterval> {
    let mut all: Vec<ContactInterval> = Vec::new();
    let duration = span.to() - span.from();
    let (mut from, mut skip) = (span.from(), 1e-13 * duration);
    while all.len() < MOST_CONTACTS
        && let Ok(rest) = Span::new(from, span.to())
        && let Some(struck) = impact(movers, rest, 0.0, memory, own, stats)
    {
        // Bodies that have just parted are not told from touching until they are a little apart.
        let just_parted = !all.is_empty() && struck.time.lower - from <= 1e-9 * duration;
        if just_parted && (!struck.certain || struck.time.width() > 1e-9 * duration) {
            from += skip;
            skip *= 2.0;
            continue;
        }
        let ends = parting(movers, struck.time.upper, span.to(), memory, stats);
        all.push(ContactInterval { begins: struck.time, ends, certain: struck.certain });
        let Some(ends) = ends.filter(|ends| ends.upper < span.to()) else { break };
        (from, skip) = (ends.upper, 1e-13 * duration);
    }
    all
}

/// The simple alternative to every engine: the first of `samples + 1` moments at which they touch, and the bisection
/// between it and the last before. What comes and goes between two moments is missed.
pub(crate) fn first_sampled(
    movers: &Movers<'_>,
    span: Span,
    samples: u32,
    memory: &mut Memory,
    stats: &mut Stats,
) -> Option<Interval> {
    let at = |i: u32| span.from() + (span.to() - span.from()) * (f64::from(i) / f64::from(samples.max(1)));
    let first = (0..=samples.max(1)).find(|&i| movers.touch_at(at(i), memory, stats))?;
    let Some(before) = first.checked_sub(1) else { return Some(Interval { lower: at(0), upper: at(0) }) };
    Some(bisected(movers, [at(before), at(first)], memory, stats))
}

impl Movers<'_> {
    /// Whether both are convex, so that a depth is worth something to a body that turns.
    pub(super) fn are_convex(&self) -> bool {
        self.models.iter().all(|model| matches!(model, Model::Convex(_) | Model::Round(_)))
    }

    /// Whether they touch at a time.
    pub(crate) fn touch_at(&self, t: f64, memory: &mut Memory, stats: &mut Stats) -> bool {
        !matches!(self.nearest(t, 0.0, memory, stats), Answer::Nothing | Answer::Apart(..))
    }
}
