//! A world that moves on: encounters in the order in which they happen.
//!
//! Mirtich 1997 §4, Figure 11, and Lin §4.2. The span is cut into windows. In each, pairs that may touch stand in a
//! queue by the time before which they do not; the first is looked at then; it either touches, or goes back into the
//! queue with a new bound. A contact is reported to the caller, who may change motions, add and remove bodies: pairs of
//! what was changed are looked at anew, all others stay where they are in the queue. Bodies have no state of their own
//! in between: a motion says where they are at any time, so nothing is moved until the span ends.
//!
//! Estimates instead of bounds (§4, last paragraph) may be too late. A pair that is found touching goes back to the
//! last time at which it was certainly apart, and comes on from there by bounds; if that leads to a contact before
//! others that were reported, these are undone ([`super::rollback`]).
//!
//! Invariant: encounters come in ascending order of time, and of slots where times are equal; what is undone is said
//! before. Only the first look of a window is shared among threads, and no look depends on another: the same bits for
//! any number of them. Cost: a distance query a look.

use std::sync::Arc;

use super::encounter::{Advance, Encounter, End, Kind, Progress, Schedule};
use super::rollback::Log;
use super::window::Traffic;
use crate::math::Pose;
use crate::path::{Motion, Span};
use crate::world::body::BodyId;
use crate::world::error::WorldError;
use crate::world::state::World;

/// Times that a window is gone through again because estimates were too late; bounds serve from then on.
const MOST_PASSES: u32 = 64;

/// What the caller does about an encounter.
pub(in crate::world) type React<'r> = dyn FnMut(&mut World, &Encounter) + 'r;

impl World {
    /// Moves on through a span of time and reports, in order, where bodies touch. Bodies with a motion follow it,
    /// others stand still. Two that stand in each other meet when the span begins, unless both are
    /// [static](crate::broad::Mobility). At the end every body is where its motion puts it then.
    ///
    /// `react` may change anything: motions count from the time of the encounter on. Until the end, bodies are *placed*
    /// where they were in the beginning; [`Encounter::poses`] and [`World::pose_at`] tell where they are meanwhile.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use impinge::{glam::DVec3, Advance, Body, Pose, Round, Schedule, Span, Steady, World};
    /// let mut world = World::new();
    /// let wall = Round::cuboid(DVec3::new(0.001, 2.0, 2.0))?;
    /// let wall = world.add(Body::new(wall, Pose::IDENTITY))?;
    /// let bullet = world.add(Body::new(Round::sphere(0.01)?, Pose::IDENTITY))?;
    /// let flight = Steady::straight(Pose::at(DVec3::X * -40.0)?, DVec3::X * 100.0, 0.0)?;
    /// world.set_motion(bullet, Some(Arc::new(flight)))?;
    ///
    /// let mut times = Vec::new();
    /// let how = Advance::new(Schedule::Queue);
    /// world.advance(Span::UNIT, &how, |_, encounter| times.push(encounter.time));
    /// assert!(times.len() == 1 && (times[0] - 0.399895).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance(&mut self, span: Span, how: &Advance, mut react: impl FnMut(&mut World, &Encounter)) -> Progress {
        let how = how.checked(span);
        let outer = self.log.replace(Vec::new());
        let mut traffic = Traffic::default();
        let progress = match how.schedule {
            Schedule::Fixed { interval } => self.advance_by_steps(span, interval, &how, &mut react),
            Schedule::Queue | Schedule::Estimate => self.advance_by_queue(span, &how, &mut traffic, &mut react),
        };
        // To a world that moves on in a reaction of another, everything has changed.
        self.log = outer.map(|_| (0..self.slots.len() as u32).collect());
        self.settle_at(progress.time);
        progress
    }

    /// Gives a body a motion, or none: then it stands where it is placed.
    ///
    /// # Errors
    /// There is no such body.
    pub fn set_motion(&mut self, id: BodyId, motion: Option<Arc<dyn Motion>>) -> Result<(), WorldError> {
        self.next_stamp += 1;
        let stamp = self.next_stamp;
        let placed = self.known_mut(id)?;
        placed.body.motion = motion;
        placed.moved = stamp;
        self.note(id.slot);
        Ok(())
    }

    /// Where a body is at a time: where its motion puts it, or where it is placed. `None` where there is no such body.
    pub fn pose_at(&self, id: BodyId, t: f64) -> Option<Pose> {
        let body = self.body(id)?;
        Some(body.motion.as_ref().map_or(body.pose, |motion| motion.pose(t)))
    }

    /// Remembers that a body was changed, while the world moves on.
    pub(in crate::world) fn note(&mut self, slot: u32) {
        if let Some(log) = &mut self.log {
            log.push(slot);
        }
    }

    /// The bodies that were changed since the last call, each once.
    pub(in crate::world) fn noted(&mut self) -> Vec<u32> {
        let mut slots = self.log.as_mut().map(std::mem::take).unwrap_or_default();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Places every body where its motion puts it. One that would be beyond the supported scale stays.
    fn settle_at(&mut self, t: f64) {
        let moved: Vec<_> = self.bodies().filter_map(|(id, body)| Some((id, body.motion.as_ref()?.pose(t)))).collect();
        for (id, pose) in moved {
            let stays = self.place(id, pose).is_err();
            debug_assert!(!stays || pose.translation().abs().max_element() > 1e100, "{id}");
        }
    }

    fn advance_by_queue(
        &mut self,
        span: Span,
        how: &Advance,
        traffic: &mut Traffic,
        react: &mut React<'_>,
    ) -> Progress {
        let mut progress = Progress::at(span.to());
        let length = (span.to() - span.from()) / f64::from(how.windows);
        let mut from = span.from();
        for window in 1..=how.windows {
            let last = window == how.windows;
            let to = if last { span.to() } else { span.from() + length * f64::from(window) };
            if to <= from && !last {
                continue;
            }
            traffic.trust();
            let (mut now, mut passes) = (from, 0);
            let mut careful = *how;
            while let Some(again) = self.pass(now, to, last, &careful, traffic, &mut progress, react) {
                passes += 1;
                if passes == MOST_PASSES {
                    careful.schedule = Schedule::Queue;
                }
                if progress.encounters >= how.most_encounters {
                    return Progress { end: End::Encounters, time: again, ..progress };
                }
                now = again;
            }
            from = to;
        }
        progress
    }

    /// One window. Ends early, with the time to begin again from, when estimates were too late or encounters too many.
    #[allow(clippy::too_many_arguments, reason = "one loop, its state and its limits")]
    fn pass(
        &mut self,
        from: f64,
        to: f64,
        last: bool,
        how: &Advance,
        traffic: &mut Traffic,
        progress: &mut Progress,
        react: &mut React<'_>,
    ) -> Option<f64> {
        self.noted();
        // The end of the span belongs to it, the end of a window to the next.
        let end = if last { to.next_up() } else { to };
        progress.pairs += traffic.open(self, from, end, how) as u64;
        progress.checks += traffic.count();
        let mut log = Log::default();
        while let Some((time, handle)) = traffic.heap.first() {
            let Some((look, fresh)) = traffic.look(handle, time, end, how) else {
                traffic.heap.remove(handle);
                continue;
            };
            progress.checks += u64::from(fresh);
            progress.late += u64::from(look.late);
            let Some(tracked) = traffic.tracked(handle) else { continue };
            let slots = tracked.slots;
            match look.next {
                Some(next) => traffic.heap.set(handle, slots, next),
                None => traffic.heap.remove(handle),
            }
            let Some(mut encounter) = look.encounter else { continue };
            let Some(tracked) = traffic.tracked(handle) else { continue };
            if how.schedule == Schedule::Estimate && !tracked.certified {
                tracked.certified = true;
                if tracked.free_until < time && tracked.free_until >= from {
                    progress.rollbacks += 1;
                    let back = tracked.free_until;
                    traffic.heap.set(handle, slots, back);
                    continue;
                }
            }
            if log.latest() > time {
                for undone in log.undo(self, time) {
                    progress.encounters -= 1;
                    react(self, &undone);
                }
                traffic.forget_after(time);
                return Some(time);
            }
            let stamps = traffic.stamps(slots);
            if let Some(tracked) = traffic.tracked(handle) {
                encounter.kind = tracked.report(time, stamps, how);
            }
            if how.schedule == Schedule::Estimate {
                log.keep(self, &encounter);
            }
            progress.encounters += 1;
            progress.zeno += u64::from(encounter.kind == Kind::Zeno);
            react(self, &encounter);
            let changed = self.noted();
            traffic.changed(self, &changed, time, end, how);
            if progress.encounters >= how.most_encounters {
                return Some(time);
            }
        }
        None
    }
}
