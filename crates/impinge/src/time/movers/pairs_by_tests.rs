//! Finds which triangles or pieces of bodies that deform come near each other, from nothing but static tests and a
//! bound on speeds.
//!
//! As in [`super::by_speed`]: within a span of time, the distance of two points is less than at its middle by no more
//! than the speed times half the span. The search collects the pairs that are near at the middle. If other pairs can
//! come near within the span, it halves the span.
//!
//! Invariant: every pair that comes near is collected. So are some pairs that may only seem to come near: those that
//! can come near within a span in which points move by less than [`PairsQuestion::fine`], and, when a cap is reached,
//! all that can come near in the rest.

use std::collections::BTreeMap;

use super::two_bodies::Movers;
use crate::answer::Stats;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::path::Span;

/// The most static tests of one search.
const MOST_TESTS: usize = 1 << 12;
/// The most pairs of one static test: where there are more, the span is halved, without checking each pair.
const MOST_PAIRS: usize = 1 << 16;

/// What a search is to find.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairsQuestion {
    /// How near pairs have to come.
    pub(crate) within: f64,
    /// A span in which points move by no more than this is not divided.
    pub(crate) fine: f64,
    /// The most pairs to be collected.
    pub(crate) limit: usize,
}

/// For each pair a time, and the distance then. That is more than was asked for a pair that may not come near.
pub(crate) type NearTimes = BTreeMap<[u32; 2], [f64; 2]>;

/// The pairs, and whether these are certainly all.
pub(crate) fn pairs_by_tests(
    movers: &Movers<'_>,
    span: Span,
    question: &PairsQuestion,
    stats: &mut Stats,
) -> (NearTimes, bool) {
    let PairsQuestion { within, fine, limit } = *question;
    let (mut found, mut complete) = (NearTimes::new(), true);
    let mut open = vec![[span.from(), span.to()]];
    let most = movers.most_tests(MOST_TESTS);
    let mut tests = 0;
    while let Some([from, to]) = open.pop() {
        let t = 0.5 * from + 0.5 * to;
        let reach = movers.speed(from, to) * (0.5 * (to - from)) * (1.0 + 1e-12) + movers.margin(from, to);
        tests += 1;
        let is_last = reach <= fine || tests >= most || !(from < t && t < to);
        let is_all = movers.ask(t, Context::new(&mut Memory::default(), stats), |query, mut context| {
            let mut near = |distance: f64| query.touching(MOST_PAIRS, distance, context.lend()).pairs;
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
