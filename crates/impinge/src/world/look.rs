//! One look at two moving bodies: do they touch now, and when has one to look again?

use glam::DVec3;

use super::encounter::{Advance, Encounter, Kind, Schedule};
use super::{BodyId, Placed};
use crate::answer::{Distance, Witness};
use crate::math::Pose;
use crate::motion::next_contact::accelerating;
use crate::motion::{Motion, Span};
use crate::pair::Pair;

/// Encounters that follow each other too fast before they are called so.
const PATIENCE: u32 = 8;
/// Looks at one pair in one window; a pair that needs more is taken to touch.
const MOST_LOOKS: u32 = 1 << 16;

/// Two bodies of a world that moves on.
#[derive(Debug)]
pub(super) struct Tracked {
    /// Their slots, ascending.
    pub(super) slots: [u32; 2],
    /// Who they are, for slots that get other bodies.
    pub(super) ids: [Option<BodyId>; 2],
    pair: Box<Pair>,
    /// Of the models that the pair has.
    models: [u64; 2],
    /// Whether they touched at the last look, and with which motions that was reported.
    touching: Option<[u64; 2]>,
    /// When they were last reported, and how often too fast.
    last: f64,
    again: u32,
    /// They do not touch before this.
    pub(super) free_until: f64,
    /// Estimates are not trusted any more.
    pub(super) certified: bool,
    pub(super) looks: u32,
}

/// What a look found.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) time: f64,
    /// To be reported.
    pub(super) encounter: Option<Encounter>,
    /// When to look again; `None` when not before the window ends.
    pub(super) next: Option<f64>,
}

/// Two bodies at a moment, and what they do from then on.
pub(super) struct Two<'w> {
    pub(super) ids: [BodyId; 2],
    pub(super) motions: [&'w dyn Motion; 2],
    /// Which motions these are.
    pub(super) stamps: [u64; 2],
}

impl Tracked {
    pub(super) fn new(slots: [u32; 2], ids: [Option<BodyId>; 2], a: &Placed, b: &Placed) -> Tracked {
        Tracked {
            slots,
            ids,
            pair: Box::new(Pair::new(&a.body.model, &b.body.model)),
            models: [a.stamp, b.stamp],
            touching: None,
            last: f64::NEG_INFINITY,
            again: 0,
            free_until: f64::NEG_INFINITY,
            certified: false,
            looks: 0,
        }
    }

    /// Puts in the models that the bodies have now.
    pub(super) fn renew(&mut self, a: &Placed, b: &Placed) {
        if self.models[0] != a.stamp {
            self.pair.replace_a(&a.body.model);
        }
        if self.models[1] != b.stamp {
            self.pair.replace_b(&b.body.model);
        }
        self.models = [a.stamp, b.stamp];
    }

    /// Looks at `time`; `until` is where the window ends.
    pub(super) fn look(&mut self, two: &Two<'_>, time: f64, until: f64, how: &Advance) -> Look {
        self.looks += 1;
        let poses = two.motions.map(|motion| motion.pose(time));
        let distance = self.pair.distance(&poses[0], &poses[1]);
        if distance.interval.lower > how.envelope && self.looks < MOST_LOOKS {
            self.touching = None;
            return Look { time, encounter: None, next: self.after(two, time, until, &distance, how) };
        }
        if distance.interval.lower.is_infinite() {
            return Look { time, encounter: None, next: None };
        }
        let encounter = self.meeting(two, time, poses, &distance);
        let pressed = self.touching.is_none_or(|stamps| stamps != two.stamps && encounter.closing > 0.0);
        let next = Some(time + how.shortest).filter(|&next| next < until);
        Look { time, encounter: pressed.then_some(encounter), next }
    }

    /// Takes note that an encounter is reported, and says of what kind it is.
    pub(super) fn report(&mut self, time: f64, stamps: [u64; 2], how: &Advance) -> Kind {
        self.again = if time - self.last < how.shortest { self.again + 1 } else { 0 };
        self.last = time;
        self.touching = Some(stamps);
        if self.again < PATIENCE { Kind::Touch } else { Kind::Zeno }
    }

    /// Before this they are not looked at again, whatever motions they are given.
    pub(super) fn not_before(&self, how: &Advance) -> f64 {
        if self.again < PATIENCE { f64::NEG_INFINITY } else { self.last + how.shortest }
    }

    /// Forgets what was reported after a time.
    pub(super) fn forget_after(&mut self, time: f64) {
        if self.last > time {
            (self.touching, self.last, self.again) = (None, f64::NEG_INFINITY, 0);
        }
    }

    /// When bodies that are apart are to be looked at again. The bound is on half the envelope: the next look finds
    /// them within it, and not just outside.
    fn after(&mut self, two: &Two<'_>, time: f64, until: f64, distance: &Distance, how: &Advance) -> Option<f64> {
        let span = Span::new(time, until).ok()?;
        let [a, b] = two.motions;
        if how.schedule == Schedule::Estimate && !self.certified {
            self.free_until = time;
            let wait = distance.witness.map_or(f64::INFINITY, |w| {
                let falls = [a, b].map(|motion| motion.fall(time, until).unwrap_or_default());
                let towards = (w.points[1] - w.points[0]).normalize_or_zero();
                let closing = closing_speed(two.motions, time, &w, None);
                let left = distance.interval.lower - 0.5 * how.envelope;
                accelerating(left, closing, (falls[0] - falls[1]).dot(towards))
            });
            // Where the window ends it is looked whether that was right.
            let next = (time + wait.max(1e-3 * how.shortest)).min(until.next_down());
            return Some(next).filter(|&next| next > time);
        }
        let next = self.pair.contact_after(a, b, span, distance, 0.5 * how.envelope);
        self.free_until = next.unwrap_or(until);
        next.map(|next| next.max(time.next_up()))
    }

    /// The encounter of bodies that touch.
    fn meeting(&mut self, two: &Two<'_>, time: f64, poses: [Pose; 2], distance: &Distance) -> Encounter {
        let mut witness = distance.witness;
        let mut normal = witness.and_then(|w| (w.points[1] - w.points[0]).try_normalize());
        if distance.penetrating {
            let deep = self.pair.penetration(&poses[0], &poses[1]);
            (witness, normal) = (deep.witness.or(witness), deep.direction);
        }
        let closing = witness.map_or(0.0, |w| closing_speed(two.motions, time, &w, normal));
        let [a, b] = two.ids;
        Encounter { kind: Kind::Touch, time, a, b, poses, distance: distance.interval, witness, normal, closing }
    }
}

/// How fast two points approach each other, along the normal or along the way between them.
fn closing_speed(motions: [&dyn Motion; 2], t: f64, witness: &Witness, normal: Option<DVec3>) -> f64 {
    let between = (witness.points[1] - witness.points[0]).try_normalize();
    let Some(n) = normal.or(between) else { return 0.0 };
    let velocity = |k: usize| {
        let (rates, pose) = (motions[k].rates(t, t), motions[k].pose(t));
        rates.velocity + rates.spin.cross(witness.points[k] - pose.apply(rates.centre))
    };
    (velocity(0) - velocity(1)).dot(n)
}
