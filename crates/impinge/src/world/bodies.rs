//! Adds, removes, moves and changes the bodies of a world.

use super::body::{Body, BodyId, PlacedBody, Slot};
use super::change_log::KeptBody;
use super::error::WorldError;
use super::state::World;
use crate::broad::Filter;
use crate::math::Pose;
use crate::model::Model;

impl World {
    /// How many bodies there are.
    ///
    /// ```
    /// use impinge::{Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// assert_eq!(world.len(), 1);
    /// world.remove(ball)?;
    /// assert_eq!(world.len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn len(&self) -> usize {
        self.slots.iter().filter(|slot| slot.body.is_some()).count()
    }

    /// Whether there are no bodies.
    ///
    /// ```
    /// use impinge::World;
    /// assert!(World::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.slots.iter().all(|slot| slot.body.is_none())
    }

    /// All bodies, by their ids.
    ///
    /// ```
    /// use impinge::{Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// assert!(world.bodies().all(|(id, body)| id == ball && body.pose == Pose::IDENTITY));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> + '_ {
        self.slots.iter().zip(0..).filter_map(|(slot, at)| {
            let placed = slot.body.as_ref()?;
            Some((BodyId { slot: at, generation: slot.generation }, &placed.body))
        })
    }

    /// The body with this id.
    ///
    /// ```
    /// use impinge::{Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// assert_eq!(world.body(ball).map(|body| body.pose), Some(Pose::IDENTITY));
    /// world.remove(ball)?;
    /// assert!(world.body(ball).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.known(id).ok().map(|placed| &placed.body)
    }

    /// Adds a body.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Mobility, Pose, Round, World};
    /// let mut world = World::new();
    /// let floor = Body::new(Round::half_space(DVec3::Z, 0.0)?, Pose::IDENTITY);
    /// world.add(Body { mobility: Mobility::Static, ..floor })?;
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::Z * 0.5)?))?;
    /// assert_eq!(world.overlap()[0].b, ball);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The body reaches beyond ±1e150, or there are 2³² already.
    pub fn add(&mut self, body: Body) -> Result<BodyId, WorldError> {
        let at = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, next: 0, body: None });
            self.slots.len() as u32 - 1
        });
        let stamp = self.stamp();
        self.keep_body(at);
        let slot = &mut self.slots[at as usize];
        slot.generation = slot.next;
        let id = BodyId { slot: at, generation: slot.generation };
        let moves = body.motion.is_some();
        slot.body = Some(PlacedBody::new(body, stamp, stamp));
        if let Err(error) = self.rebox(at) {
            self.slots[at as usize].body = None;
            self.free.push(at);
            return Err(error);
        }
        if moves {
            self.movers.insert(at);
        }
        self.slots[at as usize].next = id.generation + 1;
        self.note(at);
        Ok(id)
    }

    /// Removes a body. Its id is refused from now on, also when its slot has a new body. Where [`World::advance`]
    /// undoes an encounter and what the caller did about it, the body is back under its id, and ids given since are
    /// refused.
    ///
    /// ```
    /// use impinge::{Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// let body = world.remove(ball)?;
    /// assert_eq!(body.pose, Pose::IDENTITY);
    /// assert!(world.remove(ball).is_err(), "it is no longer there");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, WorldError> {
        self.known(id)?;
        self.near.remove(id.slot)?;
        self.movers.remove(&id.slot);
        self.keep_body(id.slot);
        if self.rules.ignored.iter().any(|pair| pair.contains(&id)) {
            self.keep_rules();
            self.rules.ignored.retain(|pair| !pair.contains(&id));
        }
        self.listed = false;
        self.changed.add(id.slot, self.slots.len());
        self.note(id.slot);
        let slot = &mut self.slots[id.slot as usize];
        // A slot with no generations left is not used again.
        if slot.next < u32::MAX {
            self.free.push(id.slot);
        }
        slot.body.take().map(|placed| placed.body).ok_or(WorldError::NoBody { id })
    }

    /// Moves a body.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 9.0)?))?;
    /// assert!(world.overlap().is_empty());
    /// world.place(b, Pose::at(DVec3::X * 1.5)?)?;
    /// assert_eq!(world.overlap_of(a)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body, or it would reach beyond ±1e150; it is then where it was.
    pub fn place(&mut self, id: BodyId, pose: Pose) -> Result<(), WorldError> {
        if self.known(id)?.body.pose == pose {
            return Ok(());
        }
        self.keep_body(id.slot);
        let old = std::mem::replace(&mut self.known_mut(id)?.body.pose, pose);
        self.rebox(id.slot).inspect_err(|_| self.undo(id, |body| body.pose = old))?;
        let stamp = self.stamp();
        // Where a body with a motion is placed does not change where it is at a time.
        if let Ok(placed) = self.known_mut(id)
            && placed.body.motion.is_none()
        {
            placed.motion_stamp = stamp;
            self.note(id.slot);
        }
        Ok(())
    }

    /// Gives a body another model, and returns the old one. Where a mesh was deformed and its tree refitted, what the
    /// world remembers of its pairs stays of use.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 4.0)?))?;
    /// assert!(world.overlap_of(a)?.is_empty());
    /// world.replace(b, Round::sphere(3.5)?)?;
    /// assert_eq!(world.overlap_of(a)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body, or it would reach beyond ±1e150; it is then as it was.
    pub fn replace(&mut self, id: BodyId, model: impl Into<Model>) -> Result<Model, WorldError> {
        let stamp = self.stamp();
        self.known(id)?;
        self.keep_body(id.slot);
        let placed = self.known_mut(id)?;
        let old = std::mem::replace(&mut placed.body.model, model.into());
        placed.model_stamp = stamp;
        match self.rebox(id.slot) {
            Ok(()) => {
                self.note(id.slot);
                Ok(old)
            }
            Err(error) => {
                self.undo(id, |body| body.model = old);
                Err(error)
            }
        }
    }

    /// Changes which other bodies a body may meet.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Filter, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// let b = world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// // `b` belongs to no group, so that no other body may meet it.
    /// world.set_filter(b, Filter { group: 0, mask: u32::MAX })?;
    /// assert!(world.overlap_of(a)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body.
    pub fn set_filter(&mut self, id: BodyId, filter: Filter) -> Result<(), WorldError> {
        self.known(id)?;
        self.keep_body(id.slot);
        self.known_mut(id)?.body.filter = filter;
        self.near.set_filter(id.slot, filter)?;
        self.changed.add(id.slot, self.slots.len());
        self.listed = false;
        self.note(id.slot);
        Ok(())
    }

    /// Makes a body a sensor ([`Body::sensor`]), or no longer one.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Limit, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// let gate = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// world.set_sensor(gate, true)?;
    /// assert!(world.overlap().len() == 1 && world.contacts(Limit::All).is_empty(), "told, and not solved");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body.
    pub fn set_sensor(&mut self, id: BodyId, sensor: bool) -> Result<(), WorldError> {
        self.known(id)?;
        self.keep_body(id.slot);
        self.known_mut(id)?.body.sensor = sensor;
        Ok(())
    }

    /// Changes the number that the caller knows a body by ([`Body::user_data`]).
    ///
    /// ```
    /// use impinge::{Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body { user_data: 7, ..Body::new(Round::sphere(1.0)?, Pose::IDENTITY) })?;
    /// world.set_user_data(ball, u128::MAX)?;
    /// assert_eq!(world.body(ball).map(|body| body.user_data), Some(u128::MAX));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body.
    pub fn set_user_data(&mut self, id: BodyId, user_data: u128) -> Result<(), WorldError> {
        self.known(id)?;
        self.keep_body(id.slot);
        self.known_mut(id)?.body.user_data = user_data;
        Ok(())
    }

    pub(super) fn known(&self, id: BodyId) -> Result<&PlacedBody, WorldError> {
        let slot = self.slots.get(id.slot as usize).filter(|slot| slot.generation == id.generation);
        slot.and_then(|slot| slot.body.as_ref()).ok_or(WorldError::NoBody { id })
    }

    pub(super) fn known_mut(&mut self, id: BodyId) -> Result<&mut PlacedBody, WorldError> {
        let slot = self.slots.get_mut(id.slot as usize).filter(|slot| slot.generation == id.generation);
        slot.and_then(|slot| slot.body.as_mut()).ok_or(WorldError::NoBody { id })
    }

    /// Puts a body back into its slot, which is empty, under the id that it had.
    pub(super) fn put_back(&mut self, at: u32, kept: KeptBody) {
        self.free.retain(|&free| free != at);
        if kept.body.motion.is_some() {
            self.movers.insert(at);
        }
        let slot = &mut self.slots[at as usize];
        slot.generation = kept.generation;
        slot.body = Some(PlacedBody::new(kept.body, kept.model_stamp, kept.motion_stamp));
        self.rebox_known(at);
    }

    /// The next stamp, which nothing has had yet.
    pub(super) fn stamp(&mut self) -> u64 {
        self.next_stamp += 1;
        self.next_stamp
    }

    fn undo(&mut self, id: BodyId, change: impl FnOnce(&mut Body)) {
        if let Ok(placed) = self.known_mut(id) {
            change(&mut placed.body);
        }
    }
}
