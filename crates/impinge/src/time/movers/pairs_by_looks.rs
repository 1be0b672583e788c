//! Which triangles or pieces come near, from nothing but static tests and a bound on speeds: of bodies that deform.
//!
//! As in [`super::by_speed`]: within a span of time no two points come nearer by more than the speed times half the
//! span than they are at its middle. Pairs that are near at the middle are told; where there are others that can come
//! near within the span, it is halved.
//!
//! Invariant: every pair that comes near is told. Of some it is left open whether they do: of those that can within
//! spans shorter than [`PairsQuestion::fine`] of way, and of all when a cap is reached.

use std::collections::BTreeMap;

use super::two_bodies::Movers;
use crate::answer::Stats;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::path::Span;

/// Static tests of one search.
const MOST_LOOKS: usize = 1 << 12;
/// Pairs of one static test: where there are more, the span is halved without looking at them.
const MOST_PAIRS: usize = 1 << 16;

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairsQuestion {
    /// How near pairs have to come.
    pub(crate) within: f64,
    /// A way that need not be divided.
    pub(crate) fine: f64,
    /// Pairs that are enough.
    pub(crate) limit: usize,
}

/// When a pair is near, and how near then; more than was asked where it is left open whether it comes near.
pub(crate) type NearTimes = BTreeMap<[u32; 2], [f64; 2]>;

/// The pairs, and whether these are certainly all.
pub(crate) fn pairs_by_looks(
    movers: &Movers<'_>,
    span: Span,
    question: &PairsQuestion,
    stats: &mut Stats,
) -> (NearTimes, bool) {
    let PairsQuestion { within, fine, limit } = *question;
    let (mut found, mut complete) = (NearTimes::new(), true);
    let mut open = vec![[span.from(), span.to()]];
    let most = movers.most_looks(MOST_LOOKS);
    let mut looks = 0;
    while let Some([from, to]) = open.pop() {
        let t = 0.5 * from + 0.5 * to;
        let reach = movers.speed(from, to) * (0.5 * (to - from)) * (1.0 + 1e-12) + movers.margin(from, to);
        looks += 1;
        let is_last = reach <= fine || looks >= most || !(from < t && t < to);
        let is_all = movers.ask(t, &mut Memory::default(), |query, memory| {
            let mut near = |distance: f64| query.touching(MOST_PAIRS, distance, Context::new(memory, stats)).pairs;
            let distance = |pair: [u32; 2], envelope: f64| {
                let contact = query.contact(pair, envelope);
                let points = contact.iter().flat_map(|contact| contact.points.iter());
                points.map(|[p, q]| p.distance(*q)).fold(envelope, f64::min)
            };
            let now = near(within);
            complete &= now.len() < MOST_PAIRS;
            for &pair in now.iter() {
                found.entry(pair).or_insert_with(|| [t, distance(pair, within)]);
            }
            let can = near(within + reach);
            if is_last {
                complete &= can.len() < MOST_PAIRS;
                for &pair in can.iter() {
                    found.entry(pair).or_insert_with(|| [t, distance(pair, within + reach)]);
                }
            }
            can.len() < MOST_PAIRS && can.iter().all(|pair| found.contains_key(pair))
        });
        if found.len() > limit {
            return (found, false);
        }
        if !is_all && !is_last {
            open.extend([[t, to], [from, t]]);
        }
    }
    (found, complete)
}
