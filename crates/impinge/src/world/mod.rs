//! Rank 7: many bodies, and the verbs over all of them.
//!
//! I-COLLIDE and V-COLLIDE (Lin §4 to §6; T. Hudson, M. Lin, J. Cohen, S. Gottschalk, D. Manocha 1997): boxes around
//! the bodies go through a broad phase; bodies whose boxes meet are asked about by a [`Pair`](crate::Pair), which is
//! kept, with what it remembers, for as long as the boxes meet.
//!
//! Invariant: bodies that come as near as `reach` have boxes that meet, each box being wider by half of it; so a margin
//! that was asked for is lost in no phase.

mod advance;
mod bodies;
mod encounter;
mod error;
mod fixed;
mod heap;
mod look;
mod meetings;
mod nearest;
mod rollback;
mod traffic;
mod verbs;

use std::fmt;
use std::sync::Arc;

use glam::DVec3;

use crate::bound::Aabb;
use crate::broad::{BoxId, Boxes, BroadPhase, Counts, Filter, Mobility, Phase};
use crate::math::Pose;
use crate::model::{Model, Outline};
use crate::path::Motion;

pub use encounter::{Advance, Encounter, End, Kind, Progress, Schedule};
pub use error::WorldError;
use meetings::Meeting;
pub use verbs::Met;

/// Many bodies.
///
/// Bodies come and go, move and change at any time; what is asked is answered for where they stand now. Answers are
/// sorted by the bodies' ids and do not depend on the number of threads.
///
/// ```
/// use impinge::{glam::DVec3, Body, Pose, Round, World};
/// let mut world = World::new();
/// let ball = Round::sphere(1.0)?;
/// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
/// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 3.0)?))?;
/// assert!(world.overlap().is_empty());
/// assert_eq!(world.within(1.5).len(), 1);
///
/// world.place(b, Pose::at(DVec3::X * 1.5)?)?;
/// let met = world.overlap();
/// assert_eq!([met[0].a, met[0].b], [a, b]);
///
/// world.remove(a)?;
/// assert!(world.overlap().is_empty() && world.remove(a).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct World {
    slots: Vec<Slot>,
    free: Vec<u32>,
    boxes: Boxes,
    /// The slot of the body in each box.
    owners: Vec<u32>,
    /// Slots of bodies without bounds, ascending: they are near every other.
    unbounded: Vec<u32>,
    phase: Box<dyn BroadPhase>,
    reach: f64,
    rules: Rules,
    /// Bodies whose boxes meet, sorted.
    meetings: Vec<Meeting>,
    /// Whether nothing has changed since the meetings were listed.
    listed: bool,
    next_stamp: u64,
    /// The slots of bodies that were changed, while the world moves on.
    log: Option<Vec<u32>>,
}

/// A body in a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId {
    slot: u32,
    generation: u32,
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {}.{}", self.slot, self.generation)
    }
}

/// What a body is, where it stands, and whom it may meet.
///
/// ```
/// use impinge::broad::{Filter, Mobility};
/// use impinge::{Body, Pose, Round};
/// let floor = Round::half_space(impinge::glam::DVec3::Z, 0.0)?;
/// let body = Body { mobility: Mobility::Static, ..Body::new(floor, Pose::IDENTITY) };
/// assert_eq!(body.filter, Filter::ALL);
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Body {
    /// What it is.
    pub model: Model,
    /// Where it stands.
    pub pose: Pose,
    /// Whom it may meet.
    pub filter: Filter,
    /// Static bodies are stored once, and do not meet each other.
    pub mobility: Mobility,
    /// Which box stands for it in the broad phase.
    pub outline: Outline,
    /// How it moves in [`World::advance`]; it stands still without one. The other verbs take it where it is placed.
    pub motion: Option<Arc<dyn Motion>>,
}

impl Body {
    /// A body that moves and may meet every other.
    pub fn new(model: impl Into<Model>, pose: Pose) -> Body {
        let (filter, mobility, outline) = (Filter::ALL, Mobility::Moving, Outline::Fitted);
        Body { model: model.into(), pose, filter, mobility, outline, motion: None }
    }

    fn may_meet(&self, other: &Body) -> bool {
        let both_static = self.mobility == Mobility::Static && other.mobility == Mobility::Static;
        !both_static && self.filter.admits(other.filter)
    }
}

#[derive(Debug)]
struct Slot {
    /// Of the body that is in it, or was the last.
    generation: u32,
    /// Of the next body: greater than all that were ever given, also in what was undone since.
    next: u32,
    body: Option<Placed>,
}

#[derive(Debug)]
struct Placed {
    body: Body,
    /// The box around it; `None` where it has no bounds.
    bounds: Option<Aabb>,
    /// The wider one in the store; `None` also where it has no points.
    boxed: Option<BoxId>,
    /// Of this model in this slot; no two are the same.
    stamp: u64,
    /// Of its motion.
    moved: u64,
}

/// Which pairs are left out, besides those that the filters leave out.
#[derive(Clone, Default)]
struct Rules {
    /// Sorted.
    ignored: Vec<[BodyId; 2]>,
    admits: Option<Arc<dyn Fn(BodyId, BodyId) -> bool + Send + Sync>>,
}

impl Placed {
    /// The two are at least so far apart, by their boxes.
    fn gap(&self, other: &Placed) -> f64 {
        let (Some(x), Some(y)) = (self.bounds, other.bounds) else { return 0.0 };
        (x.min.max(y.min) - x.max.min(y.max)).max(DVec3::ZERO).length() * (1.0 - 1e-15)
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("ignored", &self.ignored).field("admits", &self.admits.is_some()).finish()
    }
}

impl Rules {
    fn admit(&self, a: BodyId, b: BodyId) -> bool {
        (self.ignored.is_empty() || self.ignored.binary_search(&ordered(a, b)).is_err())
            && self.admits.as_ref().is_none_or(|admits| admits(a, b))
    }
}

fn ordered(a: BodyId, b: BodyId) -> [BodyId; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

impl Default for World {
    fn default() -> World {
        World::new()
    }
}

impl World {
    /// No bodies. The broad phase chooses for itself.
    pub fn new() -> World {
        World::with_phase(Phase::Auto.start())
    }

    /// No bodies, and a broad phase of one's choice, or of one's own.
    ///
    /// ```
    /// use impinge::{broad::Phase, World};
    /// assert!(World::with_phase(Phase::AllPairs.start()).is_empty());
    /// ```
    pub fn with_phase(phase: Box<dyn BroadPhase>) -> World {
        World {
            slots: Vec::new(),
            free: Vec::new(),
            boxes: Boxes::new(),
            owners: Vec::new(),
            unbounded: Vec::new(),
            phase,
            reach: 0.0,
            rules: Rules::default(),
            meetings: Vec::new(),
            listed: true,
            next_stamp: 0,
            log: None,
        }
    }

    /// Leaves two bodies out of every answer about each other, or no longer.
    ///
    /// # Errors
    /// There is no such body.
    pub fn ignore(&mut self, a: BodyId, b: BodyId, ignored: bool) -> Result<(), WorldError> {
        self.known(a)?;
        self.known(b)?;
        let pair = ordered(a, b);
        match (self.rules.ignored.binary_search(&pair), ignored) {
            (Err(at), true) => self.rules.ignored.insert(at, pair),
            (Ok(at), false) => drop(self.rules.ignored.remove(at)),
            _ => {}
        }
        self.listed = false;
        self.note(a.slot);
        Ok(())
    }

    /// Leaves out every pair that `admits` refuses. It is asked about bodies whose boxes meet, whenever these are
    /// listed again, and has to say the same of the same bodies.
    pub fn set_rule(&mut self, admits: impl Fn(BodyId, BodyId) -> bool + Send + Sync + 'static) {
        self.rules.admits = Some(Arc::new(admits));
        self.listed = false;
        (0..self.slots.len() as u32).for_each(|slot| self.note(slot));
    }

    /// How near bodies have to come for the broad phase to report them. It grows when [`World::within`] asks about
    /// more, and stays so until it is set. NaN and what is negative count as 0.
    pub fn set_reach(&mut self, reach: f64) {
        let reach = reach.max(0.0);
        if reach != self.reach {
            self.reach = reach;
            (0..self.slots.len() as u32).for_each(|slot| self.rebox_wider(slot));
        }
    }

    /// What the broad phase did so far.
    pub fn counts(&self) -> Counts {
        self.phase.counts()
    }
}
