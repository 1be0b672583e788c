//! Looks at two moving bodies at one time: do they touch now, and when must they be looked at again?

use glam::DVec3;

use super::encounter::{Advance, Encounter, EncounterKind, Schedule};
use crate::answer::{Distance, Witness};
use crate::math::Pose;
use crate::pair::Pair;
use crate::path::{Motion, Span};
use crate::time::movers::next_contact::accelerating;
use crate::time::movers::next_parting::TouchDuration;
use crate::world::body::{BodyId, PlacedBody};

/// After so many encounters in a row, each too soon after the last, a pair is reported as [`EncounterKind::Zeno`].
const PATIENCE: u32 = 8;
/// How much farther apart than the envelope bodies may be when they meet, as a share of the sizes and of the envelope.
const SLIVER: f64 = 1.0 / 1048576.0;
/// Looks at one pair in one window since it last met or parted; further looks are as far apart as if a window had so
/// many.
const MOST_LOOKS: u32 = 1 << 16;

/// Two bodies of a world that advances.
#[derive(Debug)]
pub(in crate::world) struct MovingPair {
    /// Their slots, ascending.
    pub(in crate::world) slots: [u32; 2],
    /// Their ids, since slots are used again.
    pub(in crate::world) ids: [BodyId; 2],
    pair: Box<Pair>,
    /// The stamps of the models that the pair has.
    models: [u64; 2],
    /// The sum of the radii of the bodies that have one.
    size: f64,
    /// Whether they touched at the last look, and the stamps of the motions with which that was reported.
    touching: Option<[u64; 2]>,
    /// When they were last reported, with which motions, and how often in a row too fast.
    last: f64,
    reported: [u64; 2],
    again: u32,
    /// They do not touch before this time.
    pub(in crate::world) free_until: f64,
    /// Whether estimates were too late for this pair, so that bounds are used.
    pub(in crate::world) certified: bool,
    /// Looks since they met or parted, or since the window began.
    looks: u32,
    /// The time from look to look, when there were too many.
    pace: f64,
    /// The stamps of the motions of two bodies that both stand still and were looked at: they need no further look
    /// until one of them changes.
    settled: Option<[u64; 2]>,
}

/// The result of a look.
#[derive(Debug)]
pub(in crate::world) struct LookResult {
    pub(in crate::world) time: f64,
    /// The encounter to be reported.
    pub(in crate::world) encounter: Option<Encounter>,
    /// When to look again; `None` when not before the window ends.
    pub(in crate::world) next: Option<f64>,
    /// Whether that is later than it should be.
    pub(in crate::world) late: bool,
}

/// Two bodies at one time, and their motions from then on.
pub(in crate::world) struct TwoMotions<'w> {
    pub(in crate::world) ids: [BodyId; 2],
    pub(in crate::world) motions: [&'w dyn Motion; 2],
    /// The stamps of the motions.
    pub(in crate::world) stamps: [u64; 2],
    /// Whether neither body has a motion of its own.
    pub(in crate::world) both_still: bool,
}

impl MovingPair {
    pub(in crate::world) fn new(slots: [u32; 2], ids: [BodyId; 2], a: &PlacedBody, b: &PlacedBody) -> MovingPair {
        MovingPair {
            slots,
            ids,
            pair: Box::new(Pair::new(&a.body.model, &b.body.model)),
            models: [a.model_stamp, b.model_stamp],
            size: size(a, b),
            touching: None,
            last: f64::NEG_INFINITY,
            reported: [0; 2],
            again: 0,
            free_until: f64::NEG_INFINITY,
            certified: false,
            looks: 0,
            pace: 0.0,
            settled: None,
        }
    }

    /// Prepares the pair for a new window.
    pub(in crate::world) fn enter(&mut self, from: f64, to: f64) {
        (self.looks, self.pace) = (0, (to - from) / f64::from(MOST_LOOKS));
    }

    /// Puts in the models that the bodies have now.
    pub(in crate::world) fn renew(&mut self, a: &PlacedBody, b: &PlacedBody) {
        if self.models != [a.model_stamp, b.model_stamp] {
            self.settled = None;
        }
        if self.models[0] != a.model_stamp {
            self.pair.replace_a(&a.body.model);
        }
        if self.models[1] != b.model_stamp {
            self.pair.replace_b(&b.body.model);
        }
        (self.models, self.size) = ([a.model_stamp, b.model_stamp], size(a, b));
    }

    /// The distance at which bodies meet. A look comes when the two can have come as near as the envelope and not
    /// later, and as often as not it would find them just outside, again and again: so they meet a little outside.
    fn near(&self, how: &Advance) -> f64 {
        how.envelope + f64::min(0.5 * how.envelope, SLIVER * (self.size + how.envelope))
    }

    /// Whether no look is needed: both bodies stand still as they did at an earlier look.
    pub(in crate::world) fn is_settled(&self, two: &TwoMotions<'_>) -> bool {
        two.both_still && self.settled == Some(two.stamps)
    }

    /// Looks at the pair at `time`; `until` is where the window ends.
    pub(in crate::world) fn look(&mut self, two: &TwoMotions<'_>, time: f64, until: f64, how: &Advance) -> LookResult {
        let result = self.look_again(two, time, until, how);
        let over = result.encounter.is_none() && result.next.is_none();
        self.settled = (two.both_still && over).then_some(two.stamps);
        result
    }

    fn look_again(&mut self, two: &TwoMotions<'_>, time: f64, until: f64, how: &Advance) -> LookResult {
        let poses = two.motions.map(|motion| motion.pose(time));
        let distance = self.pair.distance_at(two.motions, time);
        if distance.interval.lower.is_infinite() {
            return LookResult { time, encounter: None, next: None, late: false };
        }
        let touch = distance.interval.lower <= self.near(how) + self.pair.margin_at(two.motions, time);
        let (encounter, next) = if touch {
            (self.pressed(two, time, poses, &distance), self.while_touching(two, time, until, &distance, how))
        } else {
            if self.touching.take().is_some() {
                self.looks = 0;
            }
            (None, self.after(two, time, until, &distance, how))
        };
        self.looks = self.looks.saturating_add(1);
        let late = self.looks > MOST_LOOKS && next.is_some_and(|next| next < time + self.pace);
        let next = if late { Some(time + self.pace) } else { next };
        LookResult {
            time,
            encounter,
            next: next.map(|next| next.max(time.next_up())).filter(|&next| next < until),
            late,
        }
    }

    /// Notes that an encounter is reported, and returns its kind.
    pub(in crate::world) fn report(&mut self, time: f64, stamps: [u64; 2], how: &Advance) -> EncounterKind {
        self.again = if time - self.last < how.shortest { self.again + 1 } else { 0 };
        (self.last, self.reported, self.touching, self.looks) = (time, stamps, Some(stamps), 0);
        if self.again < PATIENCE { EncounterKind::Touch } else { EncounterKind::Zeno }
    }

    /// Before this time the two are not looked at again, whatever motions they are given. It does not apply to bodies
    /// that kept the motions with which they last met: no reaction made these meet too often.
    pub(in crate::world) fn not_before(&self, stamps: [u64; 2], how: &Advance) -> f64 {
        let often = self.again >= PATIENCE && self.reported != stamps;
        if often { self.last + how.shortest } else { f64::NEG_INFINITY }
    }

    /// Forgets what was reported after a time, since it is undone.
    pub(in crate::world) fn forget_after(&mut self, time: f64) {
        if self.last > time {
            (self.touching, self.last, self.again) = (None, f64::NEG_INFINITY, 0);
        }
    }

    /// When bodies that are apart are to be looked at again: no later than when they come as near as the envelope.
    fn after(
        &mut self,
        two: &TwoMotions<'_>,
        time: f64,
        until: f64,
        distance: &Distance,
        how: &Advance,
    ) -> Option<f64> {
        let span = Span::new(time, until).ok()?;
        let [a, b] = two.motions;
        if how.schedule == Schedule::Estimate && !self.certified {
            self.free_until = time;
            let wait = distance.witness.map_or(f64::INFINITY, |w| {
                let falls = [a, b].map(|motion| motion.fall(time, until).unwrap_or_default());
                let towards = (w.points[1] - w.points[0]).normalize_or_zero();
                let closing = closing_speed(&self.pair, two.motions, time, &w, None);
                let left = distance.interval.lower - self.pair.margin_at(two.motions, time) - how.envelope;
                accelerating(left, closing, (falls[0] - falls[1]).dot(towards))
            });
            // At the end of a window the pair is looked at, to see whether the estimate was right.
            let next = (time + wait.max(1e-3 * how.shortest)).max(time.next_up());
            return Some(next.min(until.next_down())).filter(|&next| next > time);
        }
        let next = self.pair.contact_after(a, b, span, distance, how.envelope);
        self.free_until = next.unwrap_or(until);
        next
    }

    /// When bodies that touch are to be looked at again: after the shortest time, or before they can have parted and
    /// come back, if that is sooner; but not while they certainly touch.
    fn while_touching(
        &mut self,
        two: &TwoMotions<'_>,
        time: f64,
        until: f64,
        distance: &Distance,
        how: &Advance,
    ) -> Option<f64> {
        let smooth = two.motions.iter().map(|motion| motion.smooth_until(time)).fold(until, f64::min);
        let span = Span::new(time, smooth.max(time + how.shortest).min(until)).ok()?;
        let TouchDuration { sure, near } =
            self.pair.parting_after(two.motions, span, distance.interval, self.near(how));
        Some(time + sure.max(near.min(how.shortest)))
    }

    /// The encounter to be reported of bodies that touch: if they did not touch before, or other motions press them
    /// together.
    fn pressed(&mut self, two: &TwoMotions<'_>, time: f64, poses: [Pose; 2], distance: &Distance) -> Option<Encounter> {
        if self.touching == Some(two.stamps) {
            return None;
        }
        let encounter = self.meeting(two, time, poses, distance);
        (self.touching.is_none() || encounter.closing > 0.0).then_some(encounter)
    }

    /// The encounter of bodies that touch.
    fn meeting(&mut self, two: &TwoMotions<'_>, time: f64, poses: [Pose; 2], distance: &Distance) -> Encounter {
        let mut witness = distance.witness;
        let mut normal = witness.and_then(|w| (w.points[1] - w.points[0]).try_normalize());
        if distance.penetrating {
            let deep = self.pair.penetration_at(two.motions, time);
            (witness, normal) = (deep.witness.or(witness), deep.direction);
        }
        let closing = witness.map_or(0.0, |w| closing_speed(&self.pair, two.motions, time, &w, normal));
        let [a, b] = two.ids;
        Encounter {
            kind: EncounterKind::Touch,
            time,
            a,
            b,
            poses,
            distance: distance.interval,
            witness,
            normal,
            closing,
        }
    }
}

fn size(a: &PlacedBody, b: &PlacedBody) -> f64 {
    [a, b].map(|placed| placed.body.model.radius()).into_iter().filter(|radius| radius.is_finite()).sum()
}

/// How fast two points approach each other, along the normal or else along the direction between them.
fn closing_speed(pair: &Pair, motions: [&dyn Motion; 2], t: f64, witness: &Witness, normal: Option<DVec3>) -> f64 {
    let between = (witness.points[1] - witness.points[0]).try_normalize();
    normal.or(between).map_or(0.0, |n| pair.closing_speed(motions, t, witness, n))
}
