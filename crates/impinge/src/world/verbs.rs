//! The verbs of a [`Pair`], over all pairs of bodies, and over those of one body.

use super::body::BodyId;
use super::error::WorldError;
use super::known_pair::{KnownPair, PairMemory};
use super::paces::Asked;
use super::state::World;
use crate::answer::{Distance, Overlap, Penetration, Within};
use crate::manifolds::{ManifoldOptions, Manifolds};
use crate::math::Pose;
use crate::narrow::Limit;
use crate::pair::{Contacts, Pair};
use crate::threads::share::{self, Pace};

/// The greatest number of pairs that one thread takes at a time.
const GRAIN: usize = 16;

/// Which pairs of bodies are asked about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    /// How near the boxes of two bodies have to be.
    reach: f64,
    /// Whether pairs with a sensor are asked about.
    sensors: bool,
}

impl Near {
    const TOUCHING: Near = Near { reach: 0.0, sensors: true };
    /// What a solver asks about.
    const SOLID: Near = Near { sensors: false, ..Near::TOUCHING };

    pub(super) fn within(reach: f64) -> Near {
        Near { reach, ..Near::TOUCHING }
    }
}

/// Two bodies of a world, and the answer about them.
///
/// ```
/// use impinge::{glam::DVec3, Body, Pose, Round, World};
/// let mut world = World::new();
/// let ball = Round::sphere(1.0)?;
/// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
/// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 5.0)?))?;
/// let near = world.distance(4.0);
/// assert!([near[0].a, near[0].b] == [a, b] && near[0].answer.interval.contains(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Met<T> {
    /// The body with the lesser id; points and normals are as of a pair of `a` and `b`.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// The answer of the verb.
    pub answer: T,
}

impl World {
    /// Which bodies touch?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// let met = world.overlap();
    /// assert_eq!([met[0].a, met[0].b], [a, b]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap(&mut self) -> Vec<Met<Overlap>> {
        self.ask(Asked::Overlap, Near::TOUCHING, overlap)
    }

    /// Which bodies does this one touch?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// assert_eq!(world.overlap_of(b)?[0].a, a);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body; as for every verb about one body.
    pub fn overlap_of(&mut self, id: BodyId) -> Result<Vec<Met<Overlap>>, WorldError> {
        self.ask_of(id, Near::TOUCHING, overlap)
    }

    /// Which parts of bodies touch? Up to `limit` contacts of each two bodies. Sensors are left out.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Limit, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// let met = world.contacts(Limit::All);
    /// assert_eq!(([met[0].a, met[0].b], met[0].answer.pairs.len()), ([a, b], 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts(&mut self, limit: Limit) -> Vec<Met<Contacts>> {
        self.ask(Asked::Contacts, Near::SOLID, contacts(limit))
    }

    /// Which parts of other bodies does this one touch? Sensors are left out.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Limit, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// let met = world.contacts_of(b, Limit::All)?;
    /// assert!(met[0].a == a && met[0].answer.touching());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts_of(&mut self, id: BodyId, limit: Limit) -> Result<Vec<Met<Contacts>>, WorldError> {
        self.ask_of(id, Near::SOLID, contacts(limit))
    }

    /// Which bodies come within a tolerance of each other?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 2.5)?))?;
    /// let near = world.within(1.0);
    /// assert_eq!([near[0].a, near[0].b], [a, b]);
    /// assert!(world.within(0.25).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within(&mut self, tolerance: f64) -> Vec<Met<Within>> {
        self.ask(Asked::Within, Near::within(tolerance), within(tolerance))
    }

    /// Which bodies come within a tolerance of this one?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 2.5)?))?;
    /// assert_eq!(world.within_of(b, 1.0)?[0].a, a);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within_of(&mut self, id: BodyId, tolerance: f64) -> Result<Vec<Met<Within>>, WorldError> {
        self.ask_of(id, Near::within(tolerance), within(tolerance))
    }

    /// How far apart are bodies that are not farther apart than `most`? NaN and negative numbers count as 0.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 2.5)?))?;
    /// let near = world.distance(1.0);
    /// assert!([near[0].a, near[0].b] == [a, b] && near[0].answer.interval.contains(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance(&mut self, most: f64) -> Vec<Met<Distance>> {
        self.ask(Asked::Distance, Near::within(most), distance(most))
    }

    /// How far from this body are the bodies that are not farther than `most`?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 2.5)?))?;
    /// let near = world.distance_of(b, 1.0)?;
    /// assert!(near[0].a == a && near[0].answer.interval.contains(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance_of(&mut self, id: BodyId, most: f64) -> Result<Vec<Met<Distance>>, WorldError> {
        self.ask_of(id, Near::within(most), distance(most))
    }

    /// How deep are bodies in each other? Sensors are left out.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// let deep = world.penetration();
    /// assert!([deep[0].a, deep[0].b] == [a, b] && deep[0].answer.interval.contains(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn penetration(&mut self) -> Vec<Met<Penetration>> {
        self.ask(Asked::Penetration, Near::SOLID, penetration)
    }

    /// How deep are bodies in this one? Sensors are left out.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// let deep = world.penetration_of(b)?;
    /// assert!(deep[0].a == a && deep[0].answer.interval.contains(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn penetration_of(&mut self, id: BodyId) -> Result<Vec<Met<Penetration>>, WorldError> {
        self.ask_of(id, Near::SOLID, penetration)
    }

    /// Where do bodies touch, or nearly: manifolds for a solver, of every two bodies that may be as near as the
    /// prediction? Sensors are left out. [`Pair::manifolds`] says what they have.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, ManifoldOptions, Pose, Round, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::half_space(DVec3::Z, 0.0)?, Pose::IDENTITY))?;
    /// let cube = world.add(Body::new(Round::cuboid(DVec3::splat(2.0))?, Pose::at(DVec3::Z * 1.01)?))?;
    /// assert!(world.manifolds(&ManifoldOptions::default()).is_empty(), "they are apart");
    /// let near = world.manifolds(&ManifoldOptions { prediction: 0.02, ..Default::default() });
    /// assert!(near[0].b == cube && near[0].answer.points().len() == 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn manifolds(&mut self, options: &ManifoldOptions) -> Vec<Met<Manifolds>> {
        let mut found = Vec::new();
        self.manifolds_into(options, &mut found);
        found
    }

    /// As [`World::manifolds`], into a list that is emptied first. A list that is filled frame after frame hands its
    /// memory back, so that bodies that rest take no new memory.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, ManifoldOptions, Pose, Round, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::half_space(DVec3::Z, 0.0)?, Pose::IDENTITY))?;
    /// let cube = world.add(Body::new(Round::cuboid(DVec3::splat(2.0))?, Pose::at(DVec3::Z)?))?;
    /// let (options, mut found) = (ManifoldOptions::default(), Vec::new());
    /// for step in 0..3 {
    ///     world.place(cube, Pose::at(DVec3::Z * (0.99 - 0.001 * f64::from(step)))?)?;
    ///     world.manifolds_into(&options, &mut found);
    ///     assert!(found[0].b == cube && found[0].answer.points().len() == 4);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn manifolds_into(&mut self, options: &ManifoldOptions, out: &mut Vec<Met<Manifolds>>) {
        let near = Near { reach: options.prediction.max(0.0), ..Near::SOLID };
        let met = self.ask_memory(Asked::Manifolds, near, |memory, a, b| {
            let PairMemory { pair, manifolds } = memory;
            pair.manifolds(a, b, options, manifolds);
            (!manifolds.is_empty() || manifolds.contained.is_some()).then_some(())
        });
        out.truncate(met.len());
        let mut known = self.known_pairs.iter_mut();
        for (k, Met { a, b, .. }) in met.into_iter().enumerate() {
            // Both lists are sorted by the slots.
            let Some(found) = known.find(|known| known.slots == [a.slot, b.slot]).and_then(KnownPair::manifolds) else {
                break;
            };
            if k == out.len() {
                out.push(Met { a, b, answer: Manifolds::new() });
            }
            (out[k].a, out[k].b) = (a, b);
            std::mem::swap(&mut out[k].answer, found);
        }
    }

    fn ask_of<T: Send>(
        &mut self,
        id: BodyId,
        near: Near,
        question: impl Fn(&mut Pair, &Pose, &Pose) -> Option<T> + Sync,
    ) -> Result<Vec<Met<T>>, WorldError> {
        self.known(id)?;
        Ok(self.ask(Asked::OfBody(id.slot), near, question))
    }

    /// Asks about all bodies that may be within `reach`, or about those near one body.
    fn ask<T: Send>(
        &mut self,
        asked: Asked,
        near: Near,
        question: impl Fn(&mut Pair, &Pose, &Pose) -> Option<T> + Sync,
    ) -> Vec<Met<T>> {
        self.ask_memory(asked, near, |memory, a, b| question(&mut memory.pair, a, b))
    }

    /// The same of what is remembered of each pair.
    pub(super) fn ask_memory<T: Send>(
        &mut self,
        asked: Asked,
        Near { reach, sensors }: Near,
        question: impl Fn(&mut PairMemory, &Pose, &Pose) -> Option<T> + Sync,
    ) -> Vec<Met<T>> {
        if reach > self.reach {
            self.set_reach(reach);
        }
        self.list();
        let (slots, reach) = (&self.slots, reach.max(0.0));
        let ask_one = |known: &mut KnownPair| {
            let [i, j] = known.slots.map(|slot| &slots[slot as usize]);
            let (a, b) = (i.body.as_ref()?, j.body.as_ref()?);
            if !sensors && (a.body.sensor || b.body.sensor) {
                return None;
            }
            // The boxes of the broad phase may be wider than this query needs.
            if a.gap(b) > reach {
                return None;
            }
            let [slot_a, slot_b] = known.slots;
            let answer = question(known.memory(a, b), &a.body.pose, &b.body.pose)?;
            let id = |slot, generation| BodyId { slot, generation };
            Some(Met { a: id(slot_a, i.generation), b: id(slot_b, j.generation), answer })
        };
        match asked {
            Asked::OfBody(slot) => {
                let of_body = |known: &&mut KnownPair| known.slots.contains(&slot);
                let mut pairs: Vec<&mut KnownPair> = self.known_pairs.iter_mut().filter(of_body).collect();
                let few = if pairs.len() < GRAIN { Pace::SHORT } else { Pace::UNKNOWN };
                let some = |some: &mut [&mut KnownPair]| some.iter_mut().filter_map(|known| ask_one(known)).collect();
                share::each_few(&mut { few }, &mut pairs, GRAIN, some)
            }
            verb => {
                let some = |some: &mut [KnownPair]| some.iter_mut().filter_map(ask_one).collect();
                share::each_few(self.paces.of(verb), &mut self.known_pairs, GRAIN, some)
            }
        }
    }
}

fn overlap(pair: &mut Pair, a: &Pose, b: &Pose) -> Option<Overlap> {
    Some(pair.overlap(a, b)).filter(|answer| answer.overlap)
}

fn contacts(limit: Limit) -> impl Fn(&mut Pair, &Pose, &Pose) -> Option<Contacts> + Sync {
    move |pair, a, b| Some(pair.contacts(a, b, limit)).filter(Contacts::touching)
}

fn within(tolerance: f64) -> impl Fn(&mut Pair, &Pose, &Pose) -> Option<Within> + Sync {
    move |pair, a, b| Some(pair.within(a, b, tolerance)).filter(|answer| answer.within)
}

fn distance(most: f64) -> impl Fn(&mut Pair, &Pose, &Pose) -> Option<Distance> + Sync {
    move |pair, a, b| Some(pair.distance(a, b)).filter(|answer| answer.interval.lower <= most.max(0.0))
}

fn penetration(pair: &mut Pair, a: &Pose, b: &Pose) -> Option<Penetration> {
    Some(pair.penetration(a, b)).filter(|answer| answer.direction.is_some())
}
