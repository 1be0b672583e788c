//! A world: its bodies, where each is placed, which pairs may meet, and which pairs are known.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::body::{BodyId, Slot};
use super::body_tree::{BodyTree, ChangedBodies};
use super::change_log::ChangeLog;
use super::paces::Paces;
use super::pair_rules::{PairRules, ordered};
use crate::broad::{BroadPhase, Counts, NearPairs, Phase};

use super::error::WorldError;
use super::known_pair::{KnownPair, TouchedPair};

/// Many bodies, and queries over all of them.
///
/// Bodies can be added, removed, moved and changed at any time; a query is answered for where they are at that time.
/// Answers are sorted by the bodies' ids and do not depend on the number of threads. A world can be copied, sent to
/// another thread, and read by several at once.
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
    pub(super) slots: Vec<Slot>,
    pub(super) free: Vec<u32>,
    /// The boxes of all bodies, by their slots, with the broad phase that compares them.
    pub(super) near: NearPairs,
    /// Slots of bodies with a motion.
    pub(super) movers: BTreeSet<u32>,
    pub(super) boxes_around: BoxesAround,
    /// How many windows of time were opened.
    pub(super) windows: u64,
    pub(super) reach: f64,
    pub(super) rules: PairRules,
    /// Bodies whose boxes meet where they are placed, sorted.
    pub(super) known_pairs: Vec<KnownPair>,
    /// Whether nothing has changed since `known_pairs` was listed.
    pub(super) listed: bool,
    pub(super) paces: Paces,
    pub(super) next_stamp: u64,
    /// What was changed, while the world advances.
    pub(super) log: Option<ChangeLog>,
    /// The bodies that touched when [`World::events`] was last called, sorted.
    pub(super) touching: Vec<TouchedPair>,
    /// The tree that views search, and which bodies may have changed since the last view.
    pub(super) tree: BodyTree,
    pub(super) changed: ChangedBodies,
}

/// What the boxes of bodies with a motion enclose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoxesAround {
    /// The bodies where they are placed.
    Placed,
    /// The ways of the bodies through the window of this number.
    Window(u64),
}

/// The copy has the same bodies under the same ids, and all that is remembered of them: it gives the same answers, to
/// the last bit. A copy that a reaction of [`World::advance`] makes is a world that does not advance.
impl Clone for World {
    fn clone(&self) -> World {
        World {
            slots: self.slots.clone(),
            free: self.free.clone(),
            near: self.near.clone(),
            movers: self.movers.clone(),
            rules: self.rules.clone(),
            known_pairs: self.known_pairs.clone(),
            log: None,
            touching: self.touching.clone(),
            tree: self.tree.clone(),
            changed: self.changed.clone(),
            ..*self
        }
    }
}

impl Default for World {
    fn default() -> World {
        World::new()
    }
}

impl World {
    /// A world without bodies. The broad phase chooses its algorithm itself.
    ///
    /// ```
    /// use impinge::World;
    /// assert!(World::new().overlap().is_empty());
    /// ```
    pub fn new() -> World {
        World::with_phase(Phase::Auto.start())
    }

    /// A world without bodies, with a broad phase chosen or written by the caller. The verbs and [`World::advance`]
    /// both use it.
    ///
    /// ```
    /// use impinge::{broad::Phase, World};
    /// assert!(World::with_phase(Phase::AllPairs.start()).is_empty());
    /// ```
    pub fn with_phase(phase: Box<dyn BroadPhase>) -> World {
        World {
            slots: Vec::new(),
            free: Vec::new(),
            near: NearPairs::new(phase),
            movers: BTreeSet::new(),
            boxes_around: BoxesAround::Placed,
            windows: 0,
            reach: 0.0,
            rules: PairRules::default(),
            known_pairs: Vec::new(),
            listed: true,
            paces: Paces::default(),
            next_stamp: 0,
            log: None,
            touching: Vec::new(),
            tree: BodyTree::default(),
            changed: ChangedBodies::default(),
        }
    }

    /// Leaves two bodies out of every answer about each other, or stops doing so.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// world.ignore(a, b, true)?;
    /// assert!(world.overlap().is_empty());
    /// world.ignore(a, b, false)?;
    /// assert_eq!(world.overlap().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body.
    pub fn ignore(&mut self, a: BodyId, b: BodyId, ignored: bool) -> Result<(), WorldError> {
        self.known(a)?;
        self.known(b)?;
        self.keep_rules();
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

    /// Leaves out every pair that `admits` refuses. It is called for bodies whose boxes meet, whenever pairs are listed
    /// again, and has to give the same answer for the same bodies.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// world.set_rule(move |i, j| [i, j] != [a, b]);
    /// assert!(world.overlap().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_rule(&mut self, admits: impl Fn(BodyId, BodyId) -> bool + Send + Sync + 'static) {
        self.keep_rules();
        self.rules.admits = Some(Arc::new(admits));
        self.listed = false;
        self.note_all();
    }

    /// How near bodies have to come for the broad phase to report them. It grows when [`World::within`] is called with
    /// a larger distance, or [`World::advance`] with a wider envelope, and stays so until it is set. NaN and negative
    /// numbers count as 0.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// world.add(Body::new(ball, Pose::at(DVec3::X * 2.5)?))?;
    /// assert_eq!(world.refresh(), 0);
    /// world.set_reach(1.0);
    /// assert_eq!(world.refresh(), 1, "their boxes are 0.5 apart");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_reach(&mut self, reach: f64) {
        let least = self.log.as_ref().map_or(0.0, |log| log.least_reach);
        let reach = reach.max(least);
        if reach != self.reach {
            self.reach = reach;
            (0..self.slots.len() as u32).for_each(|slot| self.rebox_known(slot));
        }
    }

    /// What the broad phase did so far.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// world.overlap();
    /// assert!(world.counts().tests > 0, "boxes were compared");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counts(&self) -> Counts {
        self.near.counts()
    }
}
