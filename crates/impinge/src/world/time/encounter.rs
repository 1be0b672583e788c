//! Encounters of bodies while a world advances, the ways to look for them, and what that cost.

use glam::DVec3;

use crate::answer::Witness;
use crate::math::{Interval, Pose};
use crate::path::Span;
use crate::world::body::BodyId;
use crate::world::state::World;

/// When pairs of bodies are looked at.
///
/// - `Fixed` looks at the pairs whose boxes meet after every interval, and misses what begins and ends in between.
///   After 2²² intervals it ends, and says so ([`End::Steps`]).
/// - `Queue` looks at a pair when the two could touch, by lower bounds on the time of impact (Mirtich 1997 §4), and
///   misses nothing.
/// - `Estimate` looks at a pair when the two should touch if they move on as they do, and where a window ends; it goes
///   back when that was too late, and misses contacts that begin and end before it looks.
///
/// ```
/// use std::sync::Arc;
/// use impinge::{glam::DVec3, Advance, Body, Pose, Round, Schedule, Span, Steady, World};
/// let mut world = World::new();
/// world.add(Body::new(Round::cuboid(DVec3::splat(2.0))?, Pose::IDENTITY))?;
/// let ball = world.add(Body::new(Round::sphere(0.5)?, Pose::IDENTITY))?;
/// let roll = Steady::straight(Pose::at(DVec3::X * -3.5)?, DVec3::X * 4.0, 0.0)?;
/// world.set_motion(ball, Some(Arc::new(roll)))?;
/// let mut times = Vec::new();
/// let steps = Advance::new(Schedule::Fixed { interval: 0.125 });
/// world.advance(Span::UNIT, &steps, |_, encounter| times.push(encounter.time));
/// assert_eq!(times.first(), Some(&0.5), "at the first step at which they touch");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Schedule {
    /// At fixed intervals.
    Fixed {
        /// The time from one look to the next.
        interval: f64,
    },
    /// Ordered by lower bounds on the time of impact.
    Queue,
    /// Ordered by estimates of the time of impact, with rollback.
    Estimate,
}

/// How a world advances. Numbers that are NaN or not positive are replaced by the least that work: times by 2⁻¹⁶ of the
/// span, the envelope by 10⁻¹².
///
/// ```
/// use impinge::{Advance, Schedule};
/// let often = Advance { envelope: 1e-4, ..Advance::new(Schedule::Queue) };
/// assert_eq!(often.windows, 16);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Advance {
    /// When pairs are looked at.
    pub schedule: Schedule,
    /// Bodies that are as near as this touch (Mirtich's ε_c); they may meet when they are a little farther apart
    /// ([`Encounter::distance`]). Positive; the smaller, the more looks before a contact.
    pub envelope: f64,
    /// Encounters of the same two bodies that follow each other faster than this are reported as
    /// [`EncounterKind::Zeno`]. Where reactions make bodies meet by giving them other motions, their encounters are
    /// looked for no more often than this; bodies that keep their motions (a fast blade, say) miss none. Also how often
    /// two bodies that touch and keep their motions are looked at: more often where they can part by more than a 1024th
    /// of the smaller one's radius in that time, and not while they certainly touch.
    pub shortest: f64,
    /// The number of parts of the span; in each, a body has one box in the broad phase.
    pub windows: u32,
    /// The advance ends after so many encounters.
    pub most_encounters: u64,
}

impl Advance {
    /// With an envelope of 10⁻⁶, and a shortest time of 10⁻⁴.
    pub fn new(schedule: Schedule) -> Advance {
        Advance { schedule, envelope: 1e-6, shortest: 1e-4, windows: 16, most_encounters: 1_000_000 }
    }

    /// How near two bodies have to come to be looked at, rounded outward.
    pub(in crate::world) fn reach(&self) -> f64 {
        self.envelope * (1.0 + 1e-12)
    }

    /// The numbers, with those that cannot be used replaced.
    pub(in crate::world) fn checked(mut self, span: Span) -> Advance {
        let moment = (span.to() - span.from()) / f64::from(1u32 << 16);
        let time = |x: f64| if x > 0.0 { x } else { moment }.clamp(f64::MIN_POSITIVE, f64::MAX);
        self.envelope = if self.envelope > 1e-12 { self.envelope } else { 1e-12 };
        self.shortest = time(self.shortest);
        self.windows = self.windows.clamp(1, 1 << 20);
        if let Schedule::Fixed { interval } = &mut self.schedule {
            *interval = time(*interval);
        }
        self
    }
}

/// The kind of an encounter.
///
/// ```
/// # use std::sync::Arc;
/// use impinge::{glam::DVec3, Advance, Body, EncounterKind, Pose, Round, Schedule, Span, Steady, World};
/// # let mut world = World::new();
/// # world.add(Body::new(Round::cuboid(DVec3::splat(2.0))?, Pose::IDENTITY))?;
/// # let ball = world.add(Body::new(Round::sphere(0.5)?, Pose::IDENTITY))?;
/// # let roll = Steady::straight(Pose::at(DVec3::X * -3.5)?, DVec3::X * 4.0, 0.0)?;
/// # world.set_motion(ball, Some(Arc::new(roll)))?;
/// let mut touches = 0;
/// world.advance(Span::UNIT, &Advance::new(Schedule::Estimate), |_, encounter| match encounter.kind {
///     EncounterKind::Touch => touches += 1,
///     EncounterKind::Undone => touches -= 1, // the world has taken back all changes, the caller its own
///     EncounterKind::Zeno => {} // here the caller stops a body: `world.set_motion(encounter.b, None)`
/// });
/// assert_eq!(touches, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EncounterKind {
    /// Two bodies have come as near as the envelope, or have been given motions that press them together.
    Touch,
    /// The same two bodies meet again and again in less than the shortest time: the caller should put them to rest.
    Zeno,
    /// An encounter that was reported has not happened: an estimate was too late. The world is as it was before it.
    Undone,
}

crate::error::named! { EncounterKind { Touch = "touch", Zeno = "zeno", Undone = "undone" } }

/// Two bodies that touch at a time.
///
/// ```
/// use std::sync::Arc;
/// use impinge::{glam::DVec3, Advance, Body, Pose, Round, Schedule, Span, Steady, World};
/// let mut world = World::new();
/// world.add(Body::new(Round::cuboid(DVec3::splat(2.0))?, Pose::IDENTITY))?;
/// let ball = world.add(Body::new(Round::sphere(0.5)?, Pose::IDENTITY))?;
/// let roll = Steady::straight(Pose::at(DVec3::X * -3.5)?, DVec3::X * 4.0, 0.0)?;
/// world.set_motion(ball, Some(Arc::new(roll)))?;
/// let mut met = None;
/// world.advance(Span::UNIT, &Advance::new(Schedule::Queue), |_, encounter| met = Some(encounter.clone()));
/// let met = met.expect("the ball hits the cube");
/// assert!(met.b == ball && (met.time - 0.5).abs() < 1e-5 && (met.closing - 4.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Encounter {
    /// Its kind.
    pub kind: EncounterKind,
    /// When it happens.
    pub time: f64,
    /// The body with the lesser id.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// The poses of both at that time.
    pub poses: [Pose; 2],
    /// How far apart the bodies are at that time where their motions put them: no more than the envelope and a little
    /// (2⁻²⁰ of the sizes and of the envelope, at most half of the envelope), and how far the bodies may be from there
    /// ([`Motion::margin`](crate::Motion::margin)).
    pub distance: Interval,
    /// Where they touch.
    pub witness: Option<Witness>,
    /// Unit normal from `a` to `b`.
    pub normal: Option<DVec3>,
    /// How fast the two points approach each other along the normal; negative when they part.
    pub closing: f64,
}

/// The caller's reaction to an encounter.
pub(in crate::world) type React<'r> = dyn FnMut(&mut World, &Encounter) + 'r;

/// Why an advance ended.
///
/// ```
/// use std::sync::Arc;
/// use impinge::{glam::DVec3, Advance, Body, End, Pose, Round, Schedule, Span, Steady, World};
/// let mut world = World::new();
/// world.add(Body::new(Round::cuboid(DVec3::splat(2.0))?, Pose::IDENTITY))?;
/// let ball = world.add(Body::new(Round::sphere(0.5)?, Pose::IDENTITY))?;
/// let roll = Steady::straight(Pose::at(DVec3::X * -3.5)?, DVec3::X * 4.0, 0.0)?;
/// world.set_motion(ball, Some(Arc::new(roll)))?;
/// let one = Advance { most_encounters: 1, ..Advance::new(Schedule::Queue) };
/// assert_eq!(world.advance(Span::UNIT, &one, |_, _| {}).end, End::Encounters);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// It reached the end of the span.
    Reached,
    /// There were as many encounters as were allowed.
    Encounters,
    /// [`Schedule::Fixed`] has taken 2²² steps.
    Steps,
}

crate::error::named! { End { Reached = "reached", Encounters = "encounters", Steps = "steps" } }

/// How far an advance came, and what it cost.
///
/// ```
/// use std::sync::Arc;
/// use impinge::{glam::DVec3, Advance, Body, End, Pose, Round, Schedule, Span, Steady, World};
/// let mut world = World::new();
/// world.add(Body::new(Round::cuboid(DVec3::splat(2.0))?, Pose::IDENTITY))?;
/// let ball = world.add(Body::new(Round::sphere(0.5)?, Pose::IDENTITY))?;
/// let roll = Steady::straight(Pose::at(DVec3::X * -3.5)?, DVec3::X * 4.0, 0.0)?;
/// world.set_motion(ball, Some(Arc::new(roll)))?;
/// let progress = world.advance(Span::UNIT, &Advance::new(Schedule::Queue), |_, _| {});
/// assert_eq!((progress.end, progress.time, progress.encounters), (End::Reached, 1.0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Progress {
    /// Why it ended.
    pub end: End,
    /// The time at which bodies now are.
    pub time: f64,
    /// Looks at pairs: distance queries. Two bodies that both stand still are looked at once, not in every window.
    pub checks: u64,
    /// Encounters reported, those of every kind but [`EncounterKind::Undone`].
    pub encounters: u64,
    /// How many of these were [`EncounterKind::Zeno`].
    pub zeno: u64,
    /// How often an estimate was too late.
    pub rollbacks: u64,
    /// Looks that came later than they should, because two bodies needed more than 2¹⁶ looks in a window before they
    /// met or parted; what begins and ends before such a look is missed. None in ordinary worlds.
    pub late: u64,
    /// Pairs of bodies that the broad phase found, over all windows or steps.
    pub pairs: u64,
}

impl Progress {
    pub(in crate::world) fn at(time: f64) -> Progress {
        Progress { end: End::Reached, time, checks: 0, encounters: 0, zeno: 0, rollbacks: 0, late: 0, pairs: 0 }
    }
}
