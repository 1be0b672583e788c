//! When two convex pieces first touch: conservative advancement, with certificates of the second order.
//!
//! Mirtich 1996 §2.3 and B. Mirtich, J. Canny 1995: measure the distance, divide it by a bound on the speed of all
//! points, advance by the time without contact that this gives, and measure again. Each step closes a fixed part of the
//! gap.
//!
//! Here we deviate. The search advances from the time `t` to the time `t'` at which the points that are closest now
//! would meet if they accelerated towards each other as much as they may. The direction across the same two features at
//! `t'` then proves that there is no contact between `t` and `t'` (certificate 2 of [`super::closing`]). Distances
//! shrink as in Newton's iteration, mostly without another measurement. That direction proves nothing if other points
//! meet first; then the search advances to the root of the gap along the direction of `t`. This always makes progress,
//! and costs two supports for each time tried. It is slow where a face turns beneath points that hardly come nearer: so
//! after some steps the search also tries a direction that turns with the features (certificate 3).
//!
//! Invariant: at every time of `[from, lower)` a plane separates the pieces. The search ends when they touch at
//! `upper`, when the gap is within rounding, or when it has proven that there is no contact before the limit. From one
//! floating-point time to the next the pieces may move farther than they are apart. Where no direction separates them
//! at both times, they may have met in between: the search then reports a contact that is not certain.
//! Cost: four or five measurements.

use glam::DVec3;

use super::closing::{Closing, Moment, time_to_close};
use super::facet::DifferenceFacet;
use super::piece_contact::PieceContact;
use super::turning_directions::Turned;
use crate::math::{EPS, Interval, Relative};
use crate::model::round::Core;
use crate::narrow::context::Context;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::outcome::Outcome;
use crate::narrow::parts::closest_features::{PieceFeatures, across_features};
use crate::narrow::parts::piece::{ConvexPiece, gap, more_directions};
use crate::narrow::parts::piece_outcome::{PieceGap, WitnessedPoints, outcome_of, touches};
use crate::time::movers::padded_box::PaddedBox;

/// The most steps before the search for a contact gives up.
pub(crate) const MOST_STEPS: usize = 512;
/// Rounding may hide a gap below this share of the size.
const ROUNDING: f64 = 256.0 * EPS;
/// The most steps in a row that only lead to the next floating-point time, before the search gives up. In such a step
/// the pieces move farther than they are apart, so nothing proves that they do not touch.
const MOST_SHORTEST_STEPS: usize = 16;
/// A gap, as a share of the pieces' size, that is wide enough for rounding not to decide which points are closest.
const GAP_BEFORE_CONTACT: f64 = 1e-9;
/// A depth, as a share of their size, at which the static test certainly finds that bodies touch.
const CERTAIN_DEPTH: f64 = 1e-11;
/// The number of steps before the search tries directions that turn with the bodies.
const STEPS_BEFORE_TURNING: usize = 32;
/// The most times tried for one root.
const MOST_TRIES: usize = 24;

/// Two moving pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PiecePair<'q> {
    pub(crate) pieces: [&'q ConvexPiece<'q>; 2],
    /// The distance up to which pieces count as touching, besides rounding.
    pub(crate) tolerance: f64,
}

/// A gap between the pieces at one time: its direction and its width, and the closest points.
struct Known {
    n: DVec3,
    open: f64,
    witness: WitnessedPoints,
    features: PieceFeatures,
}

/// The direction of the last gap, in the coordinates of the world, of `a` and of `b`.
struct LastDirection {
    world: DVec3,
    in_a: DVec3,
    in_b: DVec3,
}

impl LastDirection {
    const NONE: LastDirection = LastDirection { world: DVec3::ZERO, in_a: DVec3::ZERO, in_b: DVec3::ZERO };

    fn of(moment: &Moment, n: DVec3) -> LastDirection {
        LastDirection { world: moment.poses[0].rotate(n), in_a: n, in_b: moment.b_in_a.rotation.transpose() * n }
    }
}

impl PiecePair<'_> {
    /// The first contact between `from` and `limit`; the caller knows that the pieces are apart before `from`.
    pub(crate) fn advance(
        &self,
        closing: &Closing<'_>,
        from: f64,
        limit: f64,
        context: Context<'_, ConvexMemory>,
    ) -> Option<PieceContact> {
        self.advance_by(closing, [from, limit], MOST_STEPS, context)
    }

    /// As [`PiecePair::advance`], by no more than so many steps: where fewer than [`MOST_STEPS`] are not enough, the
    /// answer is [open](PieceContact::is_open) from the time until which the pieces are proven apart.
    pub(crate) fn advance_by(
        &self,
        closing: &Closing<'_>,
        span: [f64; 2],
        most_steps: usize,
        mut context: Context<'_, ConvexMemory>,
    ) -> Option<PieceContact> {
        let mut uncertain_contact = None;
        let touch = self.advance_past(closing, span, most_steps, &mut uncertain_contact, context.lend());
        let Some(uncertain_contact) = uncertain_contact else { return touch };
        let Some(touch) = touch else { return Some(uncertain_contact) };
        if touch.is_open() {
            let time = Interval { lower: uncertain_contact.time.lower, ..touch.time };
            return Some(PieceContact { time, ..touch });
        }
        let time = Interval { lower: uncertain_contact.time.lower, upper: touch.time.upper };
        Some(PieceContact { time, certain: touch.certain, ..uncertain_contact })
    }

    /// As [`PiecePair::advance`], but goes on where nothing proves that the pieces are apart from one floating-point
    /// time to the next. The first time at which that happens is written to `uncertain_contact`, since the pieces may
    /// have touched there.
    fn advance_past(
        &self,
        closing: &Closing<'_>,
        [from, limit]: [f64; 2],
        most_steps: usize,
        uncertain_contact: &mut Option<PieceContact>,
        mut context: Context<'_, ConvexMemory>,
    ) -> Option<PieceContact> {
        let near = self.tolerance + closing.margin;
        let mut now = closing.at(from);
        let mut last = LastDirection::NONE;
        // What the last step found out about `now`: then the pieces are not measured again.
        let mut known: Option<Known> = None;
        let mut shortest_steps = 0;
        for count in 0..most_steps.min(MOST_STEPS) {
            if now.t >= limit {
                return None;
            }
            if shortest_steps >= MOST_SHORTEST_STEPS {
                break;
            }
            context.stats.iterations += 1;
            let is_measured = known.is_none();
            let Known { n, open, witness, features } = match known.take() {
                Some(known) => known,
                None => match outcome_of(self.pieces, &now.b_in_a, context.memory, context.stats) {
                    Outcome::Touching(witness) => {
                        return Some(PieceContact::at(now.t, now.in_a(last.world), witness));
                    }
                    Outcome::Apart(PieceGap { normal: n, witness, features }) => {
                        let (n, open) = self.widest(&now, n, &witness, &last, near);
                        Known { n, open, witness, features }
                    }
                    // Two pieces never give these answers.
                    Outcome::Beyond | Outcome::Contained(_) => return None,
                },
            };
            let size = self.size(&now.b_in_a);
            let rounding = ROUNDING * size;
            let speed = now.closing_speed(witness.points, n);
            if open <= rounding {
                if near == 0.0
                    && let Some(touch) = self.touch_across(closing, &now, limit, (n, speed), features)
                {
                    return Some(touch);
                }
                let tries = if is_measured { 10 } else { 2 };
                let upper = self.touch_after(closing, now.t, limit, (speed, tries), context.lend());
                if upper.is_none() && !is_measured {
                    continue;
                }
                let time = Interval { lower: now.t, upper: upper.unwrap_or(now.t) };
                let (n, witness) = self.before(closing, &now, from, speed, context.lend()).unwrap_or((n, witness));
                return Some(PieceContact { time, certain: upper.is_some(), normal: n, witness: Some(witness) });
            }
            last = LastDirection::of(&now, n);
            let boxes = [self.padded_box(0, &now.b_in_a), self.padded_box(1, &now.b_in_a)];
            let approach = closing.approach(&now, [&boxes[0], &boxes[1]]);
            // Rounding may make the gap along every direction narrower than the distance: then the distance itself is
            // the better bound.
            let directed = approach.free_for(n, open);
            let first_order =
                if is_measured { directed.max(approach.free_by_distance(witness.lower - near)) } else { directed };
            if now.t + first_order >= limit {
                return None;
            }
            let k = closing.acceleration(&now, [&boxes[0], &boxes[1]]);
            let horizon = (limit - now.t).min((2.0 * open / k).sqrt() * (1.0 - 1e-12));
            // Aims at a gap that is just wide enough for rounding not to decide which points are closest, if the gap
            // is wider than that now.
            let aim = if open > GAP_BEFORE_CONTACT * size { open - 0.1 * GAP_BEFORE_CONTACT * size } else { open };
            let step = time_to_close(aim, speed, k).min(horizon).max(first_order);
            let later = closing.at(after(now.t, step));
            let is_later = later.t > now.t;
            let later = if is_later { later } else { closing.at(now.t.next_up()) };
            let bulge = 0.5 * k * step * step;
            let as_now = later.in_a(last.world);
            let tracked = across_features(self.pieces, features, &later.b_in_a, as_now);
            let ahead = tracked.unwrap_or(as_now);
            let gap_ahead = gap(self.pieces, &later.b_in_a, ahead) - near;
            let ahead_now = now.in_a(later.poses[0].rotate(ahead));
            if step <= first_order || gap_ahead > 0.0 && gap(self.pieces, &now.b_in_a, ahead_now) - near >= bulge {
                if !is_later {
                    self.note_uncertain_contact(uncertain_contact, [&now, &later], (n, witness), [k, near], ahead);
                }
                if later.t >= limit {
                    return None;
                }
                // If the gap is as narrow as expected, the same features are still closest; else others are.
                let expected = (open - step * speed).abs() + bulge;
                if tracked.is_some()
                    && gap_ahead <= 2.0 * expected + rounding
                    && gap_ahead > 0.5 * (open - step * speed)
                {
                    let way = later.b_in_a.apply(now.b_in_a.inverse().apply(witness.points[1]));
                    let witness = WitnessedPoints { points: [witness.points[0], way], ..witness };
                    known = Some(Known { n: ahead, open: gap_ahead, witness, features });
                }
                now = later;
                shortest_steps = if is_later { 0 } else { shortest_steps + 1 };
                continue;
            }
            let gap_at = |tau: f64| {
                let (pose_a, b_in_a) = closing.relative(now.t + tau);
                gap(self.pieces, &b_in_a, pose_a.rotation_matrix().transpose() * last.world) - near
            };
            let mut free = root(gap_at, now.t, [first_order, step], open, rounding);
            if count >= STEPS_BEFORE_TURNING && free < 0.5 * step {
                let way = (n, features, [aim, speed, near]);
                free = self.turned(closing, &now, [&boxes[0], &boxes[1]], [free, horizon], way);
            }
            if now.t + free >= limit {
                return None;
            }
            let t = after(now.t, free);
            let later = closing.at(t.max(now.t.next_up()));
            shortest_steps = if t > now.t { 0 } else { shortest_steps + 1 };
            if t <= now.t {
                self.note_uncertain_contact(uncertain_contact, [&now, &later], (n, witness), [k, near], as_now);
            }
            now = later;
        }
        if most_steps < MOST_STEPS && shortest_steps < MOST_SHORTEST_STEPS {
            return Some(PieceContact::open([now.t, limit.min(closing.until)]));
        }
        let (n, witness) = match outcome_of(self.pieces, &now.b_in_a, context.memory, context.stats) {
            Outcome::Touching(witness) => (now.in_a(last.world), witness),
            Outcome::Apart(PieceGap { normal: n, witness, .. }) => (n, witness),
            Outcome::Beyond | Outcome::Contained(_) => return None,
        };
        let speed = now.closing_speed(witness.points, n);
        let upper = self.touch_after(closing, now.t, limit, (speed, 16), context.lend());
        let time = Interval { lower: now.t, upper: upper.unwrap_or(limit.min(closing.until)) };
        Some(PieceContact { time, certain: upper.is_some(), normal: n, witness: Some(witness) })
    }

    /// Sets `uncertain_contact`, if it is not set yet and no direction proves the pieces apart from `now` to the next
    /// floating-point time, `later`. It tries the direction of the gap at `now`, that at `later`, the component of the
    /// first that is perpendicular to the relative motion, and the direction between the closest points.
    fn note_uncertain_contact(
        &self,
        uncertain_contact: &mut Option<PieceContact>,
        [now, later]: [&Moment; 2],
        (n, witness): (DVec3, WitnessedPoints),
        [k, near]: [f64; 2],
        ahead: DVec3,
    ) {
        if uncertain_contact.is_some() {
            return;
        }
        let tau = later.t - now.t;
        let [p, q] = witness.points;
        let way = (later.b_in_a.apply(now.b_in_a.inverse().apply(q)) - q).normalize_or_zero();
        let perpendicular = (n - way * n.dot(way)).normalize_or_zero();
        let separates = |d: DVec3| {
            let then = later.in_a(now.poses[0].rotate(d));
            d != DVec3::ZERO
                && gap(self.pieces, &now.b_in_a, d) - near >= 0.5 * k * tau * tau
                && gap(self.pieces, &later.b_in_a, then) - near > 0.0
        };
        if ![n, now.in_a(later.poses[0].rotate(ahead)), perpendicular, (q - p).normalize_or_zero()]
            .into_iter()
            .any(separates)
        {
            let time = Interval { lower: now.t, upper: later.t };
            *uncertain_contact = Some(PieceContact { time, certain: false, normal: n, witness: Some(witness) });
        }
    }

    /// The contact at `t`, if the pieces certainly touch soon after; the caller knows that they are apart before `t`.
    pub(crate) fn touch_at(
        &self,
        closing: &Closing<'_>,
        from: f64,
        t: f64,
        normal: DVec3,
        mut context: Context<'_, ConvexMemory>,
    ) -> Option<PieceContact> {
        let now = closing.at(t);
        let speed = now.velocity().dot(normal);
        let upper = self.touch_after(closing, t, closing.until, (speed, 2), context.lend())?;
        let (normal, witness) = self.before(closing, &now, from, speed, context.lend())?;
        let time = Interval { lower: t, upper };
        Some(PieceContact { time, certain: true, normal, witness: Some(witness) })
    }

    /// The contact of two features along `n`, if it is certain soon after `now`; the pieces are apart before `now`.
    fn touch_across(
        &self,
        closing: &Closing<'_>,
        now: &Moment,
        limit: f64,
        (n, speed): (DVec3, f64),
        features: PieceFeatures,
    ) -> Option<PieceContact> {
        let (PieceFeatures::Cells(cells), [ConvexPiece::Solid(a), ConvexPiece::Solid(b)]) = (features, self.pieces)
        else {
            return None;
        };
        let (Core::Polyhedron(p), Core::Polyhedron(q), true) = (a.core, b.core, a.margin + b.margin == 0.0) else {
            return None;
        };
        let later = now.t + self.time_to_sink(&now.b_in_a, now.t, speed);
        let facet = DifferenceFacet::of_cells(&Polyhedra { a: p, b: q, b_in_a: now.b_in_a }, cells, n)?;
        if later <= limit.min(closing.until) { facet.touch(closing, now.t, later) } else { None }
    }

    /// The closest points, and the direction between them, just before a contact, in the frame of `a`. At the contact
    /// itself rounding decides which points are closest, and they cost more to find.
    fn before(
        &self,
        closing: &Closing<'_>,
        now: &Moment,
        from: f64,
        speed: f64,
        context: Context<'_, ConvexMemory>,
    ) -> Option<(DVec3, WitnessedPoints)> {
        let size = self.size(&now.b_in_a);
        let time_before = GAP_BEFORE_CONTACT * size / speed.max(f64::MIN_POSITIVE);
        let (_, b_in_a) = closing.relative((now.t - time_before).max(from));
        if let Outcome::Apart(PieceGap { normal: n, witness, .. }) =
            outcome_of(self.pieces, &b_in_a, context.memory, context.stats)
        {
            let [p, q] = witness.points;
            let there = now.b_in_a.apply(b_in_a.inverse().apply(q));
            // Where the pieces hardly approach, that time may be too long before the contact: then `q` has moved far.
            if p.distance(there) <= 10.0 * GAP_BEFORE_CONTACT * size {
                return Some((n, WitnessedPoints { points: [p, there], ..witness }));
            }
        }
        match outcome_of(self.pieces, &now.b_in_a, context.memory, context.stats) {
            Outcome::Apart(PieceGap { normal: n, witness, .. }) => Some((n, witness)),
            Outcome::Touching(_) | Outcome::Beyond | Outcome::Contained(_) => None,
        }
    }

    /// The direction with the widest gap, and the gap, in the frame of `a`. This is the direction `n` between the
    /// closest points, unless rounding has spoiled that direction: then its gap is much smaller than the distance of
    /// the points, and other directions are tried: the last one, as it was in the world, in `a` and in `b`, and those
    /// that the pieces suggest.
    fn widest(
        &self,
        moment: &Moment,
        n: DVec3,
        witness: &WitnessedPoints,
        last: &LastDirection,
        near: f64,
    ) -> (DVec3, f64) {
        let mut best = (n, gap(self.pieces, &moment.b_in_a, n) - near);
        let [p, q] = witness.points;
        let distance = p.distance(q) - near;
        if best.1 >= 0.999 * distance {
            return best;
        }
        let mut offer = |d: DVec3| {
            let d = if d.dot(n) < 0.0 { -d } else { d };
            let open = gap(self.pieces, &moment.b_in_a, d) - near;
            if open > best.1 {
                best = (d, open);
            }
        };
        for d in [moment.in_a(last.world), last.in_a, moment.b_in_a.rotation * last.in_b] {
            if d != DVec3::ZERO {
                offer(d);
            }
        }
        more_directions(self.pieces, &moment.b_in_a).into_iter().for_each(offer);
        best
    }

    /// How long after `now` a direction that turns with the bodies proves the pieces apart. Returns `free`, which is
    /// already proven, unless a direction proves more than twice as long.
    fn turned(
        &self,
        closing: &Closing<'_>,
        now: &Moment,
        boxes: [&PaddedBox; 2],
        [free, horizon]: [f64; 2],
        (n, features, [aim, speed, near]): (DVec3, PieceFeatures, [f64; 3]),
    ) -> f64 {
        let mut longest = free;
        for direction in Turned::all(self.pieces, features, &now.b_in_a, n) {
            let with = direction.with();
            if !(0..2).any(|k| with[k] && now.is_turning(k)) {
                continue;
            }
            let k = closing.turned_acceleration(now, boxes, with, near, horizon);
            let most = time_to_close(aim, speed, k).min(horizon);
            if most <= 2.0 * free {
                continue;
            }
            let (d, length) = direction.at(&now.b_in_a);
            let open = gap(self.pieces, &now.b_in_a, d) - near;
            let high = most.min((2.0 * length * open.max(0.0) / k).sqrt() * (1.0 - 1e-12));
            let is_open = |tau: f64| {
                let (_, b_in_a) = closing.relative(now.t + tau);
                gap(self.pieces, &b_in_a, direction.at(&b_in_a).0) > near
            };
            let tries = [high, 0.25 * high];
            longest = longest.max(tries.into_iter().find(|&tau| tau > 2.0 * free && is_open(tau)).unwrap_or(0.0));
        }
        longest
    }

    /// A time soon after `t` at which the pieces certainly touch. The first time tried is when points that approach
    /// each other with `speed` are deeper in each other than rounding could explain.
    fn touch_after(
        &self,
        closing: &Closing<'_>,
        t: f64,
        limit: f64,
        (speed, tries): (f64, usize),
        context: Context<'_, ConvexMemory>,
    ) -> Option<f64> {
        let (_, b_in_a) = closing.relative(t);
        let mut step = self.time_to_sink(&b_in_a, t, speed).min(limit - t).max(EPS * t.abs());
        let cells = context.memory.features;
        let mut upper = None;
        for _ in 0..tries {
            let later = t + step;
            if later > limit.min(closing.until) {
                break;
            }
            let (_, b_in_a) = closing.relative(later);
            if touches(self.pieces, &b_in_a, context.memory, context.stats) {
                upper = Some(later);
                break;
            }
            step *= 4.0;
        }
        context.memory.return_to(cells);
        upper
    }

    /// How long after `t` points that approach each other with `speed` are deeper in each other than rounding could
    /// explain.
    pub(crate) fn time_to_sink(&self, b_in_a: &Relative, t: f64, speed: f64) -> f64 {
        (CERTAIN_DEPTH * self.size(b_in_a) / speed.max(f64::MIN_POSITIVE)).max(EPS * t.abs())
    }

    /// The ball around a piece, in the frame of `a`; a half-space, which has no ball, gets the origin of its frame.
    fn padded_box(&self, k: usize, b_in_a: &Relative) -> PaddedBox {
        let (centre, radius) = self.pieces[k].ball().unwrap_or((DVec3::ZERO, 0.0));
        let centre = if k == 0 { centre } else { b_in_a.apply(centre) };
        PaddedBox::ball(centre, radius)
    }

    /// A length that no value in the computation of a gap exceeds: rounding errors are relative to it.
    fn size(&self, b_in_a: &Relative) -> f64 {
        let reach = |piece: &ConvexPiece<'_>| piece.ball().map_or(0.0, |(c, r)| c.abs().max_element() + r);
        reach(self.pieces[0]) + reach(self.pieces[1]) + b_in_a.translation.abs().max_element()
    }
}

/// The largest floating-point number that is no later than `step` after `t`.
fn after(t: f64, step: f64) -> f64 {
    let later = t + step;
    if later - t > step { later.next_down().max(t) } else { later }
}

/// A time in `[low, high]` after `t` at which a gap is still open, and nearly closed, if it closes; else `high`. The
/// gap is `open` at `t`.
fn root(gap_at: impl Fn(f64) -> f64, t: f64, [mut low, mut high]: [f64; 2], mut open: f64, rounding: f64) -> f64 {
    let mut end = gap_at(high);
    if end > 0.0 {
        return high;
    }
    // False position, with the Illinois rule for an end that stays.
    if low > 0.0 {
        open = gap_at(low).max(0.0);
    }
    let target = rounding.max(1e-3 * open);
    let mut stayed = 0i32;
    for _ in 0..MOST_TRIES {
        if open <= target || high - low <= 2.0 * EPS * (t.abs() + high) {
            break;
        }
        let guess = low + (high - low) * (open / (open - end)).clamp(0.0, 1.0) * (1.0 - 1e-9);
        let guess = if guess > low && guess < high { guess } else { 0.5 * low + 0.5 * high };
        let value = gap_at(guess);
        if value > 0.0 {
            (low, open) = (guess, value);
            end *= if stayed > 0 { 0.5 } else { 1.0 };
            stayed = stayed.max(0) + 1;
        } else {
            (high, end) = (guess, value);
            open *= if stayed < 0 { 0.5 } else { 1.0 };
            stayed = stayed.min(0) - 1;
        }
    }
    low
}
