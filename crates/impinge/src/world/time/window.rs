//! Which bodies may touch during a window of time, and when to look at each two of them.
//!
//! Mirtich 1997 §2 and §4: every body has a box that holds it for the whole window; a broad phase finds the boxes that
//! meet; only those pairs have a place in the queue. When a body gets another motion within the window, its box is made
//! anew for the rest of it and compared with all others.
//!
//! Invariant: two bodies that come within the envelope during the window are tracked, and looked at no later than when
//! they do. Bodies without a motion stand where they are; two such that are static are not tracked.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::encounter::Advance;
use super::look::{Look, Tracked, Two};
use super::time_queue::Heap;
use crate::bound::Aabb;
use crate::broad::{Boxes, Filter, Mobility, Phase};
use crate::path::{Motion, Steady};
use crate::world::body::{BodyId, PlacedBody, Slot};
use crate::world::state::World;

/// A body during a window.
#[derive(Debug)]
struct Mover {
    id: BodyId,
    motion: Arc<dyn Motion>,
    /// Static, if it has no motion and is said to be.
    mobility: Mobility,
    /// Of the motion.
    stamp: u64,
    /// `None` where it has no bounds.
    swept: Option<Aabb>,
    filter: Filter,
}

impl Mover {
    fn may_meet(&self, other: &Mover) -> bool {
        let both_static = self.mobility == Mobility::Static && other.mobility == Mobility::Static;
        !both_static && self.filter.admits(other.filter)
    }

    fn meets(&self, other: &Mover) -> bool {
        match (&self.swept, &other.swept) {
            (Some(x), Some(y)) => x.meets(y),
            (Some(x), None) | (None, Some(x)) => !x.is_empty(),
            (None, None) => true,
        }
    }
}

/// A window of a world that moves on.
#[derive(Debug, Default)]
pub(in crate::world) struct Traffic {
    /// By slot.
    movers: Vec<Option<Mover>>,
    /// By handle; a look that is yet to be reported beside each.
    tracked: Vec<Option<(Tracked, Option<Look>)>>,
    /// Handles of none.
    free: Vec<u32>,
    handles: BTreeMap<[u32; 2], u32>,
    /// The slots that each is tracked with.
    beside: Vec<Vec<u32>>,
    pub(in crate::world) heap: Heap,
}

impl Mover {
    /// The body in a slot, with the box that holds it from one time to another.
    fn new(slot: &Slot, at: u32, from: f64, to: f64, how: &Advance) -> Option<Mover> {
        let placed = slot.body.as_ref()?;
        let motion = placed.body.motion.clone();
        let mobility = if motion.is_some() { Mobility::Moving } else { placed.body.mobility };
        let motion = motion.unwrap_or_else(|| Arc::new(Steady::still(placed.body.pose)));
        let swept = motion.swept_box(&placed.body.model, from, to);
        let swept = swept.map(|b| b.reaching(how.envelope * (1.0 + 1e-12)));
        let id = BodyId { slot: at, generation: slot.generation };
        Some(Mover { id, motion, mobility, stamp: placed.moved, swept, filter: placed.body.filter })
    }
}

impl Traffic {
    /// Opens a window: every pair that may touch in it is looked at where it begins. Says how many there are.
    pub(in crate::world) fn open(&mut self, world: &World, from: f64, to: f64, how: &Advance) -> usize {
        let slots = world.slots.par_iter().enumerate().with_min_len(64);
        self.movers = slots.map(|(at, slot)| Mover::new(slot, at as u32, from, to, how)).collect();
        let pairs = self.pairs(world);
        let mut old = std::mem::take(&mut self.handles);
        self.beside = vec![Vec::new(); self.movers.len()];
        self.heap.clear();
        self.free.clear();
        let mut kept: Vec<Option<(Tracked, Option<Look>)>> = Vec::with_capacity(pairs.len());
        for &slots in &pairs {
            let known = old.remove(&slots).and_then(|handle| self.tracked[handle as usize].take());
            let known = known.filter(|(tracked, _)| tracked.ids == self.ids(slots));
            let tracked = match (known, self.placed(world, slots)) {
                (Some((mut tracked, _)), Some([a, b])) => {
                    tracked.renew(a, b);
                    tracked
                }
                (None, Some([a, b])) => Tracked::new(slots, self.ids(slots), a, b),
                (_, None) => continue,
            };
            self.enlist(slots, kept.len() as u32);
            kept.push(Some((tracked, None)));
        }
        self.tracked = kept;
        self.look_at_all(from, to, how);
        pairs.len()
    }

    fn ids(&self, slots: [u32; 2]) -> [Option<BodyId>; 2] {
        slots.map(|slot| self.movers[slot as usize].as_ref().map(|mover| mover.id))
    }

    fn placed<'w>(&self, world: &'w World, slots: [u32; 2]) -> Option<[&'w PlacedBody; 2]> {
        let [a, b] = slots.map(|slot| world.slots[slot as usize].body.as_ref());
        Some([a?, b?])
    }

    fn enlist(&mut self, slots: [u32; 2], handle: u32) {
        self.handles.insert(slots, handle);
        self.beside[slots[0] as usize].push(slots[1]);
        self.beside[slots[1] as usize].push(slots[0]);
    }

    /// All pairs of bodies whose boxes meet, sorted.
    fn pairs(&self, world: &World) -> Vec<[u32; 2]> {
        let (mut boxes, mut owners) = (Boxes::new(), Vec::new());
        let mut endless = Vec::new();
        for (mover, at) in self.movers.iter().zip(0u32..) {
            let Some(mover) = mover else { continue };
            match mover.swept {
                Some(b) if b.is_empty() => {}
                Some(b) => match boxes.insert(b, mover.filter, mover.mobility) {
                    Ok(id) => {
                        owners.resize(owners.len().max(id.slot() as usize + 1), 0);
                        owners[id.slot() as usize] = at;
                    }
                    Err(_) => endless.push(at),
                },
                None => endless.push(at),
            }
        }
        let mut phase = Phase::Auto.start();
        phase.refresh(&boxes);
        boxes.settle();
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        phase.pairs(&boxes, &mut |met| {
            pairs.extend(met.iter().map(|&[i, j]| sorted(owners[i as usize], owners[j as usize])));
        });
        for &at in &endless {
            let Some(one) = &self.movers[at as usize] else { continue };
            for (other, slot) in self.movers.iter().zip(0u32..) {
                let Some(other) = other.as_ref().filter(|_| slot != at) else { continue };
                if one.may_meet(other) && other.swept.is_none_or(|b| !b.is_empty()) {
                    pairs.push(sorted(at, slot));
                }
            }
        }
        pairs.retain(|&[a, b]| world.rules.admit(world.id(a), world.id(b)));
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The first look of a window, at all pairs side by side.
    fn look_at_all(&mut self, from: f64, to: f64, how: &Advance) {
        let movers = &self.movers;
        self.tracked.par_iter_mut().with_min_len(4).for_each(|entry| {
            let Some((tracked, found)) = entry else { return };
            tracked.enter(from, to);
            *found = two(movers, tracked.slots)
                .filter(|two| tracked.not_before(two.stamps, how) <= from)
                .map(|two| tracked.look(&two, from, to, how));
        });
        for (entry, handle) in self.tracked.iter_mut().zip(0u32..) {
            let Some((tracked, found)) = entry else { continue };
            let key = match found {
                None => Some(tracked.not_before(stamps(movers, tracked.slots), how).max(from)),
                Some(look) if look.encounter.is_some() => Some(from),
                Some(look) => look.next,
            };
            if found.as_ref().is_some_and(|look| look.encounter.is_none()) {
                *found = None;
            }
            if let Some(key) = key.filter(|&key| key < to) {
                self.heap.set(handle, tracked.slots, key);
            }
        }
    }

    /// Takes in that bodies were changed at a time within the window.
    pub(in crate::world) fn changed(&mut self, world: &World, slots: &[u32], now: f64, to: f64, how: &Advance) {
        self.movers.resize_with(world.slots.len(), || None);
        self.beside.resize_with(world.slots.len(), Vec::new);
        for &at in slots {
            let mut old = BTreeMap::new();
            for other in std::mem::take(&mut self.beside[at as usize]) {
                self.beside[other as usize].retain(|&slot| slot != at);
                let Some(handle) = self.handles.remove(&sorted(at, other)) else { continue };
                self.heap.remove(handle);
                self.free.push(handle);
                if let Some((tracked, _)) = self.tracked[handle as usize].take() {
                    old.insert(other, tracked);
                }
            }
            self.movers[at as usize] = Mover::new(&world.slots[at as usize], at, now, to, how);
            self.retrack(world, at, now, to, how, old);
        }
    }

    /// Tracks a body with all whose boxes meet its new one.
    fn retrack(&mut self, world: &World, at: u32, now: f64, to: f64, how: &Advance, mut old: BTreeMap<u32, Tracked>) {
        for other in 0..self.movers.len() as u32 {
            let (Some(one), Some(two)) = (&self.movers[at as usize], &self.movers[other as usize]) else { continue };
            let slots = sorted(at, other);
            if at == other || !one.may_meet(two) || !one.meets(two) || !world.rules.admit(one.id, two.id) {
                continue;
            }
            let Some([a, b]) = self.placed(world, slots) else { continue };
            let ids = self.ids(slots);
            let mut tracked = match old.remove(&other).filter(|tracked| tracked.ids == ids) {
                Some(tracked) => tracked,
                None => {
                    let mut tracked = Tracked::new(slots, ids, a, b);
                    tracked.enter(now, to);
                    tracked
                }
            };
            tracked.renew(a, b);
            let key = tracked.not_before(self.stamps(slots), how).max(now);
            let handle = self.free.pop().unwrap_or_else(|| {
                self.tracked.push(None);
                self.tracked.len() as u32 - 1
            });
            self.tracked[handle as usize] = Some((tracked, None));
            self.enlist(slots, handle);
            if key < to {
                self.heap.set(handle, slots, key);
            }
        }
    }

    /// Looks at a pair, or takes the look that was not reported yet.
    pub(in crate::world) fn look(&mut self, handle: u32, time: f64, to: f64, how: &Advance) -> Option<(Look, bool)> {
        let (tracked, found) = self.tracked.get_mut(handle as usize)?.as_mut()?;
        if let Some(look) = found.take().filter(|look| look.time == time) {
            return Some((look, false));
        }
        let two = two(&self.movers, tracked.slots)?;
        Some((tracked.look(&two, time, to, how), true))
    }

    pub(in crate::world) fn tracked(&mut self, handle: u32) -> Option<&mut Tracked> {
        self.tracked.get_mut(handle as usize)?.as_mut().map(|(tracked, _)| tracked)
    }

    /// Which motions two bodies have.
    pub(in crate::world) fn stamps(&self, slots: [u32; 2]) -> [u64; 2] {
        stamps(&self.movers, slots)
    }

    /// Forgets what was reported after a time.
    pub(in crate::world) fn forget_after(&mut self, time: f64) {
        for (tracked, found) in self.tracked.iter_mut().flatten() {
            tracked.forget_after(time);
            *found = None;
        }
    }

    /// Estimates are trusted again.
    pub(in crate::world) fn trust(&mut self) {
        for (tracked, _) in self.tracked.iter_mut().flatten() {
            tracked.certified = false;
        }
    }

    pub(in crate::world) fn count(&self) -> u64 {
        self.handles.len() as u64
    }
}

fn two(movers: &[Option<Mover>], slots: [u32; 2]) -> Option<Two<'_>> {
    let [a, b] = slots.map(|slot| movers[slot as usize].as_ref());
    let (a, b) = (a?, b?);
    Some(Two { ids: [a.id, b.id], motions: [&*a.motion, &*b.motion], stamps: [a.stamp, b.stamp] })
}

fn stamps(movers: &[Option<Mover>], slots: [u32; 2]) -> [u64; 2] {
    slots.map(|slot| movers[slot as usize].as_ref().map_or(0, |mover| mover.stamp))
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
