//! When two bodies first touch of which one deforms, and both may turn: conservative advancement through both trees,
//! earliest first.
//!
//! The search is that of `impact/earliest.rs` (after C²A, Tang et al. 2009): every pair of nodes has a time before
//! which it is known to be apart, and the pair with the earliest time is opened next. Here the boxes and triangles of a
//! deforming mesh also move within their body. Their speeds along a direction are added to those of the motions, and
//! to the accelerations `2|ω||v|`; distances from an axis count as they are at the end of the span, when they are
//! greatest. So a pair costs about as much as one of rigid bodies, and no vertex is moved that is not near the contact.
//!
//! Invariant: no pair of pieces touches before the least time in the queue and the best contact. Cost: the pairs of
//! nodes that come near before the first contact, and some closest points for each pair of pieces that does.

use std::cmp::Reverse;

use glam::DVec3;
use smallvec::SmallVec;

use super::tops::{free_for, tops};
use crate::answer::{Stats, Witness};
use crate::math::{EPS, Interval};
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::outcome::Outcome;
use crate::narrow::parts::piece::{ConvexPiece, gap, more_directions};
use crate::narrow::parts::piece_outcome::{PieceGap, WitnessedPoints, outcome_of};
use crate::path::Span;
use crate::search::best_first::{BestFirst, LowerBound};
use crate::time::impact::closing::{Closing, Moment, time_to_close};
use crate::time::impact::contact_details::FirstContact;
use crate::time::movers::carried_body::CarriedBody;
use crate::time::movers::padded_box::PaddedBox;
use crate::time::movers::two_bodies::Movers;

/// The most pairs of nodes opened, and of steps for all pairs of pieces, before the search gives up: seconds.
const MOST_PAIRS: u64 = 1 << 22;
const MOST_STEPS: u64 = 1 << 20;
/// The most steps for one pair of pieces, and for the spans in which motions are smooth.
const MOST_STEPS_OF_PAIR: usize = 1 << 12;
const MOST_SMOOTH_SPANS: usize = 1 << 20;
/// Rounding may hide a gap below this share of the size.
const ROUNDING: f64 = 256.0 * EPS;
/// How far pieces sink into each other before they are tested, as a share of their size; the most tests, each four
/// times as much later.
const SINK: f64 = 1e-12;
const MOST_TESTS: usize = 16;
/// How far the axes of a box may be from unit length, and from right angles to each other.
const SLANT: f64 = 2e-6;
/// How often the time of a certain contact is halved.
const MOST_HALVINGS: usize = 40;

/// Two bodies, at least one of which deforms, over a span within the step.
pub(crate) struct CarriedSearch<'q> {
    bodies: [CarriedBody<'q>; 2],
    movers: Movers<'q>,
    tolerance: f64,
}

/// Bounds that hold over a whole span of smooth motion.
struct Bounds<'q> {
    closing: Closing<'q>,
    /// The greatest spin of each.
    spins: [f64; 2],
    is_smooth: bool,
    /// How near counts as touching.
    near: f64,
}

/// A pair in the queue: of nodes, or of pieces.
#[derive(Debug, Clone, Copy)]
enum CarriedPair {
    Nodes,
    Pieces,
}

type Queue = BestFirst<(LowerBound, Reverse<[u32; 2]>), CarriedPair>;

/// The earliest contacts so far.
struct Found {
    first: Option<FirstContact>,
    sure: Option<FirstContact>,
    limit: f64,
}

impl<'q> CarriedSearch<'q> {
    /// `None` where a body has no points, or a half-space turns, whose points have no bounds on their speed.
    pub(crate) fn new(movers: &Movers<'q>, span: Span, tolerance: f64) -> Option<CarriedSearch<'q>> {
        let bodies = [CarriedBody::of(movers.models[0])?, CarriedBody::of(movers.models[1])?];
        let is_unbounded = |k: usize| {
            let rates = movers.motions[k].rates(span.from(), span.to());
            bodies[k].half_space().is_some() && (rates.spin != DVec3::ZERO || rates.spin_spread > 0.0)
        };
        if is_unbounded(0) || is_unbounded(1) {
            return None;
        }
        Some(CarriedSearch { bodies, movers: *movers, tolerance })
    }

    /// The first contact of bodies that do not touch when the span begins.
    pub(crate) fn first(&self, span: Span, stats: &mut Stats) -> Option<FirstContact> {
        let mut from = span.from();
        for _ in 0..MOST_SMOOTH_SPANS {
            let bounds = self.bounds(from, span.to());
            let found = self.within(&bounds, from, stats);
            if found.is_some() || bounds.closing.until >= span.to() {
                return found.map(|found| if found.certain { found } else { to_the_end(found, span.to()) });
            }
            from = bounds.closing.until;
        }
        let time = Interval { lower: from, upper: span.to() };
        Some(FirstContact { time, certain: false, separating: false, normal: None, witness: None })
    }

    fn bounds(&self, from: f64, to: f64) -> Bounds<'q> {
        let radii = self.movers.models.map(|model| model.reach());
        let closing = Closing::new(self.movers.motions, radii, from, to);
        let spins = self.movers.motions.map(|motion| {
            let rates = motion.rates(from, closing.until);
            rates.spin.length() + rates.spin_spread
        });
        Bounds { spins, is_smooth: closing.has_accelerations(), near: self.tolerance + closing.margin, closing }
    }

    fn within(&self, bounds: &Bounds<'_>, from: f64, stats: &mut Stats) -> Option<FirstContact> {
        let mut open = Queue::default();
        open.push((LowerBound(from), Reverse([self.bodies[0].root(), self.bodies[1].root()])), CarriedPair::Nodes);
        let mut found = Found { first: None, sure: None, limit: bounds.closing.until.next_up() };
        let mut moment = bounds.closing.at(from);
        let (mut opened, before) = (0, stats.iterations);
        while let Some(((LowerBound(t), Reverse(pair)), level)) = open.pop() {
            if t >= found.limit {
                break;
            }
            opened += 1;
            if opened > MOST_PAIRS || stats.iterations - before > MOST_STEPS {
                found.offer(self.left_open(t, bounds));
                break;
            }
            if t > moment.t {
                moment = bounds.closing.at(t);
            }
            match level {
                CarriedPair::Nodes => self.open(bounds, &moment, pair, &mut open, &found, stats),
                CarriedPair::Pieces => {
                    if let Some(contact) = self.advance(bounds, t, pair, found.limit, stats) {
                        found.offer(contact);
                    }
                }
            }
        }
        stats.iterations += opened;
        found.earliest()
    }

    fn left_open(&self, t: f64, bounds: &Bounds<'_>) -> FirstContact {
        let time = Interval { lower: t, upper: bounds.closing.until };
        FirstContact { time, certain: false, separating: false, normal: None, witness: None }
    }

    fn open(
        &self,
        bounds: &Bounds<'_>,
        moment: &Moment,
        nodes: [u32; 2],
        open: &mut Queue,
        found: &Found,
        stats: &mut Stats,
    ) {
        let below = [0, 1].map(|k| self.bodies[k].children(nodes[k]));
        let size = |k: usize| self.bodies[k].padded_box(nodes[k], moment.t).map_or(f64::INFINITY, |h| h.radius);
        let side = match (below[0].is_empty(), below[1].is_empty()) {
            (true, true) => {
                for i in self.bodies[0].pieces(nodes[0]) {
                    for j in self.bodies[1].pieces(nodes[1]) {
                        self.enqueue(bounds, moment, [i, j], open, found);
                    }
                }
                return;
            }
            (true, false) => 1,
            (false, true) => 0,
            (false, false) => usize::from(size(1) > size(0)),
        };
        for &child in &below[side] {
            stats.volume_tests += 1;
            let mut pair = nodes;
            pair[side] = child;
            let t = moment.t + self.nodes_free_for(bounds, moment, pair);
            if t < found.limit {
                open.push((LowerBound(t), Reverse(pair)), CarriedPair::Nodes);
            }
        }
    }

    fn enqueue(&self, bounds: &Bounds<'_>, moment: &Moment, names: [u32; 2], open: &mut Queue, found: &Found) {
        let pieces = [0, 1].map(|k| self.bodies[k].piece(names[k], moment.t));
        let pieces = [&pieces[0], &pieces[1]];
        let mut free: f64 = 0.0;
        // A half-space has a gap along its own normal only.
        if let (Some((a, _)), Some((b, _))) = (pieces[0].ball(), pieces[1].ball()) {
            let way = moment.b_in_a.apply(b) - a;
            for n in std::iter::once(way).chain(more_directions(pieces, &moment.b_in_a)) {
                let Some(n) = n.try_normalize() else { continue };
                let n = if n.dot(way) < 0.0 { -n } else { n };
                free = free.max(self.pieces_free_for(bounds, moment, names, pieces, n));
            }
        }
        if moment.t + free < found.limit {
            open.push((LowerBound(moment.t + free), Reverse(names)), CarriedPair::Pieces);
        }
    }

    /// How long the boxes of two nodes certainly stay apart.
    fn nodes_free_for(&self, bounds: &Bounds<'_>, moment: &Moment, nodes: [u32; 2]) -> f64 {
        let own = [0, 1].map(|k| self.bodies[k].padded_box(nodes[k], moment.t));
        let drifts = [0, 1].map(|k| self.bodies[k].drift(nodes[k]));
        let placed = [own[0], own[1].map(|h| h.placed(&moment.b_in_a))];
        let Some(boxes) = self.bounded(moment, placed) else { return 0.0 };
        let rest = bounds.closing.until - moment.t;
        let grown = [0, 1].map(|k: usize| PaddedBox { radius: boxes[k].radius + drifts[k].speed() * rest, ..boxes[k] });
        let approach = bounds.closing.approach(moment, [&grown[0], &grown[1]]);
        let turn = moment.b_in_a.rotation.transpose();
        let drift = |n: DVec3| match bounds.is_smooth {
            true => drifts[0].along(n) + drifts[1].along(-(turn * n)),
            false => drifts[0].speed() + drifts[1].speed(),
        };
        let acceleration = approach.acceleration() + bounds.coriolis([drifts[0].speed(), drifts[1].speed()]);
        let [a, b] = &boxes;
        let way = b.centre - a.centre;
        let size = a.centre.abs().max_element() + b.centre.abs().max_element() + a.radius + b.radius;
        let around = (a.padding + b.padding + bounds.near + 64.0 * EPS * size) * (1.0 + SLANT);
        let mut free: f64 = 0.0;
        let mut offer = |n: DVec3, extent: f64| {
            let along = n.dot(way);
            let gap = along.abs() - extent - around;
            if gap > 0.0 {
                let n = n * 1f64.copysign(along);
                let speed = approach.speed_along(n) + drift(n);
                free = free.max(time_to_close(gap, speed + 32.0 * EPS * speed.abs(), acceleration));
            }
        };
        if let Some(n) = way.try_normalize() {
            offer(n, a.extent(n) + b.extent(n));
        }
        if !(a.endless || b.endless) {
            for i in 0..3 {
                offer(a.axes[i], a.half[i] + SLANT * a.radius + b.extent(a.axes[i]));
                offer(b.axes[i], b.half[i] + SLANT * b.radius + a.extent(b.axes[i]));
            }
        }
        free * (1.0 - SLANT)
    }

    /// Both boxes, that of a half-space as the point of its border that is nearest to the other.
    fn bounded(&self, moment: &Moment, boxes: [Option<PaddedBox>; 2]) -> Option<[PaddedBox; 2]> {
        match boxes {
            [Some(a), Some(b)] => Some([a, b]),
            [None, Some(b)] => Some([PaddedBox::foot(self.bodies[0].half_space()?, &b), b]),
            [Some(a), None] => {
                let (normal, height) = self.bodies[1].half_space()?;
                let turned = moment.b_in_a.rotation * normal;
                Some([a, PaddedBox::foot((turned, height + turned.dot(moment.b_in_a.translation)), &a)])
            }
            [None, None] => None,
        }
    }

    /// How long a direction proves two pieces apart.
    fn pieces_free_for(
        &self,
        bounds: &Bounds<'_>,
        moment: &Moment,
        names: [u32; 2],
        pieces: [&ConvexPiece<'_>; 2],
        n: DVec3,
    ) -> f64 {
        let open = gap(pieces, &moment.b_in_a, n) - bounds.near;
        if open <= 0.0 {
            return 0.0;
        }
        let drifts = [0, 1].map(|k| self.bodies[k].piece_drift(names[k]));
        let speeds = drifts.map(|drift| drift.iter().fold(0.0, |most: f64, v| most.max(v.length())));
        let boxes = [0, 1].map(|k| around(pieces[k], k, moment, speeds[k] * (bounds.closing.until - moment.t)));
        let approach = bounds.closing.approach(moment, [&boxes[0], &boxes[1]]);
        let acceleration = approach.acceleration() + bounds.coriolis(speeds);
        let both = [tops(pieces[0], &drifts[0], 0, moment, n), tops(pieces[1], &drifts[1], 1, moment, -n)];
        if bounds.is_smooth
            && let [Some(a), Some(b)] = &both
        {
            // The gap is measured with a margin for rounding; heights get the same.
            let widest = |tops: &[super::tops::RisingTop]| tops.iter().fold(f64::NEG_INFINITY, |h, t| h.max(t.height));
            let rounding = (-widest(b) - widest(a) - bounds.near - open).max(0.0);
            return free_for(a, b, bounds.near + rounding, acceleration) * (1.0 - 1e-12);
        }
        let drift = match bounds.is_smooth {
            true => {
                let turn = moment.b_in_a.rotation.transpose();
                let most = |drift: &[DVec3; 3], n: DVec3| drift.iter().fold(f64::NEG_INFINITY, |m, v| m.max(v.dot(n)));
                most(&drifts[0], n) + most(&drifts[1], -(turn * n))
            }
            false => speeds[0] + speeds[1],
        };
        let speed = approach.speed_along(n) + drift;
        time_to_close(open, speed + 32.0 * EPS * speed.abs(), acceleration)
    }

    /// Finds when two pieces touch, which do not touch before `from`.
    fn advance(
        &self,
        bounds: &Bounds<'_>,
        from: f64,
        names: [u32; 2],
        limit: f64,
        stats: &mut Stats,
    ) -> Option<FirstContact> {
        let closing = &bounds.closing;
        let (mut t, mut last) = (from, None);
        for _ in 0..MOST_STEPS_OF_PAIR {
            if t >= limit {
                return None;
            }
            stats.iterations += 1;
            let moment = closing.at(t);
            let pieces = [0, 1].map(|k| self.bodies[k].piece(names[k], t));
            let pieces = [&pieces[0], &pieces[1]];
            let (normal, witness) = match outcome_of(pieces, &moment.b_in_a, &mut ConvexMemory::default(), stats) {
                Outcome::Touching(witness) => {
                    let time = Interval { lower: t, upper: t };
                    return Some(self.told(&moment, names, (time, true), last, witness));
                }
                Outcome::Apart(PieceGap { normal, witness, .. }) => (normal, witness),
                Outcome::Beyond | Outcome::Contained(_) => return None,
            };
            last = Some(moment.poses[0].rotate(normal));
            let size = size_of(pieces, &moment);
            let open = gap(pieces, &moment.b_in_a, normal) - bounds.near;
            let distance = witness.lower - bounds.near;
            let is_bounded = pieces.iter().all(|piece| piece.ball().is_some());
            let more = if is_bounded { more_directions(pieces, &moment.b_in_a) } else { SmallVec::new() };
            let free = std::iter::once(normal)
                .chain(more.into_iter().flat_map(|n| [n, -n]))
                .map(|n| self.pieces_free_for(bounds, &moment, names, pieces, n))
                .fold(0.0, f64::max);
            if open.max(distance) <= ROUNDING * size || t + free <= t {
                let speed = self.movers.speed(t, closing.until);
                let upper = self.touching_after(bounds, [t, SINK * size / speed], names, stats);
                let time = Interval { lower: t, upper: upper.unwrap_or(closing.until) };
                return Some(self.told(&moment, names, (time, upper.is_some()), last, witness));
            }
            t += free;
        }
        Some(self.left_open(t, bounds))
    }

    /// A time soon after `t` at which two pieces certainly touch, or are as near as the tolerance.
    fn touching_after(
        &self,
        bounds: &Bounds<'_>,
        [t, step]: [f64; 2],
        names: [u32; 2],
        stats: &mut Stats,
    ) -> Option<f64> {
        let mut later = t;
        for count in 0..MOST_TESTS {
            let next = t + step * f64::from(1u32 << (2 * count.min(15)));
            let next = next.max(later.next_up());
            if next > bounds.closing.until {
                return None;
            }
            if self.is_near_at(bounds, next, names, stats) {
                return Some(self.halved(bounds, [later, next], names, stats));
            }
            later = next;
        }
        None
    }

    /// The second of two times, made earlier by bisection.
    fn halved(&self, bounds: &Bounds<'_>, [mut apart, mut near]: [f64; 2], names: [u32; 2], stats: &mut Stats) -> f64 {
        for _ in 0..MOST_HALVINGS {
            let middle = 0.5 * apart + 0.5 * near;
            if middle <= apart || middle >= near {
                break;
            }
            *(if self.is_near_at(bounds, middle, names, stats) { &mut near } else { &mut apart }) = middle;
        }
        near
    }

    fn is_near_at(&self, bounds: &Bounds<'_>, t: f64, names: [u32; 2], stats: &mut Stats) -> bool {
        let (_, b_in_a) = bounds.closing.relative(t);
        let pieces = [0, 1].map(|k| self.bodies[k].piece(names[k], t));
        match outcome_of([&pieces[0], &pieces[1]], &b_in_a, &mut ConvexMemory::default(), stats) {
            Outcome::Touching(_) => true,
            Outcome::Apart(PieceGap { witness, .. }) => witness.points[0].distance(witness.points[1]) < self.tolerance,
            Outcome::Beyond | Outcome::Contained(_) => false,
        }
    }

    fn told(
        &self,
        moment: &Moment,
        names: [u32; 2],
        (time, certain): (Interval, bool),
        normal: Option<DVec3>,
        witness: WitnessedPoints,
    ) -> FirstContact {
        let feature = |k: usize| self.bodies[k].feature_at(names[k], witness.carriers[k]);
        let witness = Witness { points: witness.points, features: [feature(0), feature(1)] };
        let witness = Some(witness.placed(&moment.poses[0]));
        FirstContact { time, certain, separating: false, normal, witness }
    }
}

impl Bounds<'_> {
    /// What points that move within turning bodies add to the bound on accelerations.
    fn coriolis(&self, speeds: [f64; 2]) -> f64 {
        if self.is_smooth { 2.0 * (self.spins[0] * speeds[0] + self.spins[1] * speeds[1]) } else { 0.0 }
    }
}

impl Found {
    fn offer(&mut self, contact: FirstContact) {
        let Interval { lower, upper } = contact.time;
        if self.first.is_none_or(|first| lower < first.time.lower) {
            self.first = Some(contact);
        }
        if contact.certain && self.sure.is_none_or(|sure| upper < sure.time.upper) {
            self.sure = Some(contact);
            self.limit = self.limit.min(upper);
        }
    }

    /// The time begins when a first pair may touch, and ends when a pair certainly touches.
    fn earliest(self) -> Option<FirstContact> {
        let first = self.first?;
        let mut at = self.sure.unwrap_or(first);
        at.time.lower = first.time.lower;
        Some(at)
    }
}

fn to_the_end(contact: FirstContact, end: f64) -> FirstContact {
    FirstContact { time: Interval { upper: end, ..contact.time }, ..contact }
}

/// The ball around a piece, in the frame of `a`, whose points may move within the body by `travel`.
fn around(piece: &ConvexPiece<'_>, k: usize, moment: &Moment, travel: f64) -> PaddedBox {
    let (centre, radius) = piece.ball().unwrap_or((DVec3::ZERO, 0.0));
    let centre = if k == 0 { centre } else { moment.b_in_a.apply(centre) };
    PaddedBox { radius: radius + travel, ..PaddedBox::ball(centre, radius) }
}

/// A length that no value in the computation of a gap exceeds.
fn size_of(pieces: [&ConvexPiece<'_>; 2], moment: &Moment) -> f64 {
    let reach = |piece: &ConvexPiece<'_>| piece.ball().map_or(0.0, |(c, r)| c.abs().max_element() + r);
    reach(pieces[0]) + reach(pieces[1]) + moment.b_in_a.translation.abs().max_element()
}
