//! Advances a world through time and reports encounters in the order in which they happen.
//!
//! Mirtich 1997 §4, Figure 11, and Lin §4.2. A span is gone through by steps ([`super::by_steps`]) or by a queue of
//! times ([`super::by_queue`]). Bodies need no state of their own within the span: their motions say where they are at
//! any time, so no body is placed anew until the span ends.
//!
//! Invariant: encounters are reported in ascending order of time, and of slots where times are equal; an encounter that
//! is undone is reported as undone before any that replaces it. Only the first look of a window is shared among
//! threads, and no look depends on another: so answers are the same, bit for bit, for any number of threads.

use std::sync::Arc;

use super::encounter::{Advance, Encounter, Progress, Schedule};
use crate::math::Pose;
use crate::path::{Motion, Span};
use crate::world::body::BodyId;
use crate::world::change_log::ChangeLog;
use crate::world::error::WorldError;
use crate::world::state::World;

impl World {
    /// Advances through a span of time and reports, in order, where bodies touch. Bodies with a motion follow it,
    /// others stand still. Two bodies that overlap when the span begins meet then, unless both are
    /// [static](crate::Mobility). At the end every body is where its motion puts it then.
    ///
    /// `react` may change anything: a motion that it sets applies from the time of the encounter on. Until the end,
    /// bodies are *placed* where they were at the beginning; [`Encounter::poses`] and [`World::pose_at`] tell where
    /// they are at other times.
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
        let outer = self.log.take();
        let log = ChangeLog::start(outer.as_ref(), how.schedule == Schedule::Estimate, how.reach());
        self.log = Some(log);
        self.set_reach(self.reach.max(how.reach()));
        let progress = match how.schedule {
            Schedule::Fixed { interval } => self.advance_by_steps(span, interval, &how, &mut react),
            Schedule::Queue | Schedule::Estimate => self.advance_by_queue(span, &how, &mut react),
        };
        let inner = self.log.take();
        // An outer advance, in whose reaction this one ran, has to take everything as changed.
        self.log = outer.map(|log| log.resume(inner));
        self.place_movers(progress.time);
        progress
    }

    /// Sets the motion of a body, or removes it: then the body stands where it is placed.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use impinge::{glam::DVec3, Body, Pose, Round, Steady, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// world.set_motion(ball, Some(Arc::new(Steady::straight(Pose::IDENTITY, DVec3::X * 4.0, 0.0)?)))?;
    /// assert_eq!(world.pose_at(ball, 0.5), Some(Pose::at(DVec3::X * 2.0)?));
    /// world.set_motion(ball, None)?;
    /// assert_eq!(world.pose_at(ball, 0.5), Some(Pose::IDENTITY));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body.
    pub fn set_motion(&mut self, id: BodyId, motion: Option<Arc<dyn Motion>>) -> Result<(), WorldError> {
        let moved = self.known(id)?.body.motion.is_some();
        self.keep_body(id.slot);
        let (moves, stamp) = (motion.is_some(), self.stamp());
        let placed = self.known_mut(id)?;
        placed.body.motion = motion;
        placed.motion_stamp = stamp;
        if moves != moved {
            if moves {
                self.movers.insert(id.slot);
            } else {
                self.movers.remove(&id.slot);
            }
            self.box_where_placed(id.slot);
        }
        self.note(id.slot);
        Ok(())
    }

    /// Where a body is at a time: where its motion puts it, or where it is placed. `None` where there is no such body.
    ///
    /// ```
    /// use impinge::{Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// assert_eq!(world.pose_at(ball, 7.0), Some(Pose::IDENTITY), "it has no motion");
    /// world.remove(ball)?;
    /// assert_eq!(world.pose_at(ball, 7.0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pose_at(&self, id: BodyId, t: f64) -> Option<Pose> {
        let body = self.body(id)?;
        Some(body.motion.as_ref().map_or(body.pose, |motion| motion.pose(t)))
    }

    /// Places every body that has a motion where that puts it. A body that would be beyond the supported scale is not
    /// moved.
    fn place_movers(&mut self, t: f64) {
        let movers: Vec<u32> = self.movers.iter().copied().collect();
        for at in movers {
            let Some(pose) = self.in_slot(at).and_then(|body| Some(body.motion.as_ref()?.pose(t))) else { continue };
            let stays = self.place(self.id(at), pose).is_err();
            debug_assert!(!stays || pose.translation().abs().max_element() > 1e100, "{}", self.id(at));
        }
    }
}
