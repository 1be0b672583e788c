//! When two convex pieces first touch: conservative advancement, a direction at a time.
//!
//! Mirtich 1996 §2.3 and B. Mirtich, J. Canny 1995: from the distance and a bound on speeds follows a time without
//! contact; advance by it, measure again. Here we deviate: after each measurement the direction `n` of the closest
//! points is kept, and the root of the gap along it is sought (certificate 2 of [`super::closing`]), which costs two
//! supports a try. Near the contact that is Newton's iteration on the distance, where the classic step closes a fixed
//! part of the gap.
//!
//! Invariant: on `[from, lower)` there is a plane between the pieces. The end: they touch at `upper`, or the gap is
//! within rounding, or no contact is left before the limit. Cost: three to six measurements.

use glam::DVec3;

use super::closing::{Closing, Hold};
use crate::answer::Stats;
use crate::math::{EPS, Interval, Relative};
use crate::narrow::{Piece, Recollection, Sight, Witnessed, gap, look};

/// Measurements before the search for a contact gives up.
const MOST_STEPS: usize = 256;
/// Times tried for one root.
const MOST_TRIES: usize = 24;

/// Two pieces on their ways.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pieces<'q> {
    pub(super) pieces: [&'q Piece<'q>; 2],
    /// How near counts as touching, beyond rounding.
    pub(super) tolerance: f64,
}

/// The first contact of two pieces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) time: Interval,
    /// Whether they touch at `time.upper`; else they are as near as can be told.
    pub(super) certain: bool,
    /// From `a` to `b`, in the frame of `a` at `time.lower`; zero when they touched from the beginning.
    pub(super) normal: DVec3,
    /// In the frame of `a` at `time.lower`.
    pub(super) witness: Option<Witnessed>,
}

impl Pieces<'_> {
    /// The first contact from `from` until `limit`, before which the pieces are taken to be apart.
    pub(super) fn advance(
        &self,
        closing: &Closing<'_>,
        from: f64,
        limit: f64,
        memory: &mut Recollection,
        stats: &mut Stats,
    ) -> Option<Touch> {
        let (mut t, mut normal) = (from, DVec3::ZERO);
        let near = self.tolerance + closing.margin;
        for _ in 0..MOST_STEPS {
            stats.iterations += 1;
            let moment = closing.at(t);
            let (n, witness) = match look(self.pieces, &moment.b_in_a, memory, stats) {
                Sight::Touch(witness) => {
                    let time = Interval { lower: t, upper: t };
                    return Some(Touch { time, certain: true, normal: moment.in_a(normal), witness: Some(witness) });
                }
                Sight::Apart(n, witness) => (n, witness),
            };
            let open = gap(self.pieces, &moment.b_in_a, n) - near;
            let rounding = 16.0 * EPS * self.size(&moment.b_in_a);
            if open <= rounding {
                let upper = self.touch_after(closing, t, limit, rounding, memory, stats);
                let time = Interval { lower: t, upper: upper.unwrap_or(t) };
                return Some(Touch { time, certain: upper.is_some(), normal: n, witness: Some(witness) });
            }
            normal = moment.poses[0].rotate(n);
            let holds = [self.hold(0, &moment.b_in_a), self.hold(1, &moment.b_in_a)];
            let k = closing.acceleration(&moment, [&holds[0], &holds[1]], n);
            let bounded = (2.0 * open / k).sqrt() * (1.0 - 1e-12);
            let horizon = if k > 0.0 { bounded.min(limit - t) } else { limit - t };
            let first_order = closing.free_for(&moment, [&holds[0], &holds[1]], n, open);
            let (step, root) = if first_order >= horizon {
                (first_order, false)
            } else {
                self.root(closing, normal, t, [first_order, horizon], open, near, rounding)
            };
            if t + step >= limit {
                return None;
            }
            let next = (t + step).max(t.next_up());
            if root && next - t <= 4.0 * EPS * (t.abs() + closing.until.abs()) {
                let upper = self.touch_after(closing, next, limit, rounding, memory, stats);
                let time = Interval { lower: t, upper: upper.unwrap_or(next) };
                return Some(Touch { time, certain: upper.is_some(), normal: n, witness: Some(witness) });
            }
            t = next;
        }
        let moment = closing.at(t);
        let witness = match look(self.pieces, &moment.b_in_a, memory, stats) {
            Sight::Touch(witness) | Sight::Apart(_, witness) => witness,
        };
        let time = Interval { lower: t, upper: limit };
        Some(Touch { time, certain: false, normal: moment.in_a(normal), witness: Some(witness) })
    }

    /// A time `τ` in `[low, high]` for which the gap along the direction `n` of the world is still open, and nearly
    /// closed, if it closes; else `high`. The second says whether it closes.
    #[allow(clippy::too_many_arguments, reason = "one caller")]
    fn root(
        &self,
        closing: &Closing<'_>,
        n: DVec3,
        t: f64,
        [low, high]: [f64; 2],
        open: f64,
        near: f64,
        rounding: f64,
    ) -> (f64, bool) {
        let gap_at = |tau: f64| {
            let (pose_a, b_in_a) = closing.relative(t + tau);
            gap(self.pieces, &b_in_a, pose_a.rotation_matrix().transpose() * n) - near
        };
        let mut end = gap_at(high);
        if end > 0.0 {
            return (high, false);
        }
        // False position, with the Illinois rule for an end that stays.
        let ([mut low, mut high], mut open) = ([low, high], if low > 0.0 { gap_at(low).max(0.0) } else { open });
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
        (low, true)
    }

    /// A time soon after `t` at which they touch for certain.
    fn touch_after(
        &self,
        closing: &Closing<'_>,
        t: f64,
        limit: f64,
        rounding: f64,
        memory: &mut Recollection,
        stats: &mut Stats,
    ) -> Option<f64> {
        let moment = closing.at(t);
        let holds = [self.hold(0, &moment.b_in_a), self.hold(1, &moment.b_in_a)];
        let speed = closing.speed(&moment, [&holds[0], &holds[1]]);
        let mut step = (rounding / speed).max(EPS * t.abs());
        for _ in 0..24 {
            let later = t + step;
            if later.partial_cmp(&limit) != Some(std::cmp::Ordering::Less) {
                break;
            }
            let (_, b_in_a) = closing.relative(later);
            if let Sight::Touch(_) = look(self.pieces, &b_in_a, memory, stats) {
                return Some(later);
            }
            step *= 2.0;
        }
        let (_, b_in_a) = closing.relative(t);
        matches!(look(self.pieces, &b_in_a, memory, stats), Sight::Touch(_)).then_some(t)
    }

    /// The ball around a piece, in the frame of `a`; a half-space counts as its nearest part does, at its centre.
    fn hold(&self, k: usize, b_in_a: &Relative) -> Hold {
        let (centre, radius) = self.pieces[k].ball().unwrap_or((DVec3::ZERO, 0.0));
        let centre = if k == 0 { centre } else { b_in_a.apply(centre) };
        Hold { centre, axes: [DVec3::ZERO; 3], slack: radius, radius, endless: false }
    }

    /// Largest length that enters a gap.
    fn size(&self, b_in_a: &Relative) -> f64 {
        let reach = |piece: &Piece<'_>| piece.ball().map_or(0.0, |(c, r)| c.abs().max_element() + r);
        reach(self.pieces[0]) + reach(self.pieces[1]) + b_in_a.translation.abs().max_element()
    }
}
