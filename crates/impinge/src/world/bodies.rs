//! Bodies that come, go, move and change.

use super::body::{Body, BodyId, PlacedBody, Slot};
use super::error::WorldError;
use super::state::World;
use crate::broad::Filter;
use crate::math::Pose;
use crate::model::Model;

impl World {
    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.slots.iter().filter(|slot| slot.body.is_some()).count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.iter().all(|slot| slot.body.is_none())
    }

    /// All bodies, by their ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> + '_ {
        self.slots.iter().zip(0..).filter_map(|(slot, at)| {
            let placed = slot.body.as_ref()?;
            Some((BodyId { slot: at, generation: slot.generation }, &placed.body))
        })
    }

    /// A body.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.known(id).ok().map(|placed| &placed.body)
    }

    /// Puts a body in.
    ///
    /// # Errors
    /// The body reaches beyond ±1e150, or there are 2³² already.
    pub fn add(&mut self, body: Body) -> Result<BodyId, WorldError> {
        let at = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, next: 0, body: None });
            self.slots.len() as u32 - 1
        });
        self.next_stamp += 1;
        let stamp = self.next_stamp;
        let slot = &mut self.slots[at as usize];
        slot.generation = slot.next;
        let id = BodyId { slot: at, generation: slot.generation };
        slot.body = Some(PlacedBody { body, bounds: None, boxed: None, stamp, moved: stamp });
        if let Err(error) = self.rebox(at) {
            self.slots[at as usize].body = None;
            self.free.push(at);
            return Err(error);
        }
        self.slots[at as usize].next = id.generation + 1;
        self.note(at);
        Ok(id)
    }

    /// Takes a body out. Its id is refused from now on, also when its slot has a new body. Where [`World::advance`]
    /// undoes an encounter, and what was done about it, the body is back under its id, and ids given since are refused.
    ///
    /// # Errors
    /// There is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, WorldError> {
        let boxed = self.known(id)?.boxed;
        if let Some(boxed) = boxed {
            self.boxes.remove(boxed)?;
        }
        self.unbounded.retain(|&at| at != id.slot);
        self.rules.ignored.retain(|pair| !pair.contains(&id));
        self.listed = false;
        self.note(id.slot);
        let slot = &mut self.slots[id.slot as usize];
        // A slot whose generations are used up is not used again.
        if slot.next < u32::MAX {
            self.free.push(id.slot);
        }
        slot.body.take().map(|placed| placed.body).ok_or(WorldError::NoBody { id })
    }

    /// Moves a body.
    ///
    /// # Errors
    /// There is no such body, or it would reach beyond ±1e150; it is then where it was.
    pub fn place(&mut self, id: BodyId, pose: Pose) -> Result<(), WorldError> {
        let old = std::mem::replace(&mut self.known_mut(id)?.body.pose, pose);
        if old == pose {
            return Ok(());
        }
        self.rebox(id.slot).inspect_err(|_| self.undo(id, |body| body.pose = old))?;
        self.next_stamp += 1;
        let stamp = self.next_stamp;
        // Where a body with a motion is placed says nothing about where it is in time.
        if let Ok(placed) = self.known_mut(id)
            && placed.body.motion.is_none()
        {
            placed.moved = stamp;
            self.note(id.slot);
        }
        Ok(())
    }

    /// Gives a body another model, and the old one back. Where a mesh was deformed and its tree refitted, what is
    /// remembered of it serves on.
    ///
    /// # Errors
    /// There is no such body, or it would reach beyond ±1e150; it is then as it was.
    pub fn replace(&mut self, id: BodyId, model: impl Into<Model>) -> Result<Model, WorldError> {
        self.next_stamp += 1;
        let stamp = self.next_stamp;
        let placed = self.known_mut(id)?;
        let old = std::mem::replace(&mut placed.body.model, model.into());
        placed.stamp = stamp;
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

    /// Changes whom a body may meet.
    ///
    /// # Errors
    /// There is no such body.
    pub fn set_filter(&mut self, id: BodyId, filter: Filter) -> Result<(), WorldError> {
        let placed = self.known_mut(id)?;
        placed.body.filter = filter;
        if let Some(boxed) = placed.boxed {
            self.boxes.set_filter(boxed, filter)?;
        }
        self.listed = false;
        self.note(id.slot);
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
    pub(super) fn put_back(&mut self, at: u32, generation: u32, body: Body, [stamp, moved]: [u64; 2]) {
        self.free.retain(|&free| free != at);
        let placed = PlacedBody { body, bounds: None, boxed: None, stamp, moved };
        let slot = &mut self.slots[at as usize];
        (slot.generation, slot.body) = (generation, Some(placed));
        // It had a box there before.
        let fitted = self.rebox(at);
        debug_assert!(fitted.is_ok(), "{fitted:?}");
    }

    fn undo(&mut self, id: BodyId, change: impl FnOnce(&mut Body)) {
        if let Ok(placed) = self.known_mut(id) {
            change(&mut placed.body);
        }
    }

    /// Fits the box of the body in a slot; on an error it is as it was.
    fn rebox(&mut self, at: u32) -> Result<(), WorldError> {
        let Some(placed) = &mut self.slots[at as usize].body else { return Ok(()) };
        let Body { model, pose, filter, mobility, outline, .. } = &placed.body;
        let bounds = model.outline(pose, *outline);
        let without = self.unbounded.partition_point(|&other| other < at);
        let was_without = self.unbounded.get(without) == Some(&at);
        let wider = bounds.filter(|b| !b.is_empty()).map(|b| b.reaching(self.reach));
        placed.boxed = match (placed.boxed, wider) {
            (Some(boxed), Some(wider)) => {
                self.boxes.update(boxed, wider)?;
                Some(boxed)
            }
            (None, Some(wider)) => Some(self.boxes.insert(wider, *filter, *mobility)?),
            (Some(boxed), None) => {
                self.boxes.remove(boxed)?;
                None
            }
            (None, None) => None,
        };
        placed.bounds = bounds;
        if let Some(boxed) = placed.boxed {
            let owned = self.owners.len().max(boxed.slot() as usize + 1);
            self.owners.resize(owned, 0);
            self.owners[boxed.slot() as usize] = at;
        }
        match (bounds.is_none(), was_without) {
            (true, false) => self.unbounded.insert(without, at),
            (false, true) => drop(self.unbounded.remove(without)),
            _ => {}
        }
        self.listed = false;
        Ok(())
    }

    /// Fits the box anew after the reach has changed, which no box refuses.
    pub(super) fn rebox_wider(&mut self, at: u32) {
        let fitted = self.rebox(at);
        debug_assert!(fitted.is_ok(), "{fitted:?}");
    }
}
