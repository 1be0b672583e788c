//! Finds which pairs of bodies may touch during a window of time, and keeps when to look at each of them.
//!
//! Mirtich 1997 §2 and §4: every body that moves has a box that contains it for the whole window, all others have the
//! box around where they are placed; the broad phase of the world finds the boxes that meet; only those pairs are in
//! the queue. When a body gets another motion within the window, it gets a new box for the rest of the window, and the
//! boxes near that are looked up.
//!
//! Invariant: two bodies that come within the envelope during the window are tracked, and looked at no later than when
//! they do; two that are static and have no motion are not tracked.
//!
//! Cost of a window: a box for each body with a motion, the refresh of the broad phase for these, and the pairs. Cost
//! of a change: one box, one look-up, and the pairs of the body.

use std::collections::BTreeMap;

use super::encounter::Advance;
use super::look::{LookResult, MovingPair, TwoMotions};
use super::time_queue::TimeQueue;
use crate::broad::Space;
use crate::threads::share::{self, Pace};
use crate::world::body::{BodyId, PlacedBody, Slot};
use crate::world::state::{BoxesAround, World};

/// A window of a world that advances.
#[derive(Debug, Default)]
pub(in crate::world) struct Window {
    /// Its number among all windows of the world.
    number: u64,
    /// The space of the way of each body with a motion, by slot.
    ways: BTreeMap<u32, Space>,
    /// The tracked pairs by handle, each with a look that is yet to be reported.
    pairs: Vec<Option<(MovingPair, Option<LookResult>)>>,
    /// Handles that no pair has.
    free: Vec<u32>,
    /// The handles of the pairs, by both orders of their slots.
    handles: BTreeMap<[u32; 2], u32>,
    pub(in crate::world) queue: TimeQueue,
}

/// The space that the body in a slot takes from one time to another; `None` where it has no motion.
fn way(slots: &[Slot], at: u32, from: f64, to: f64, how: &Advance) -> Option<Space> {
    let body = &slots[at as usize].body.as_ref()?.body;
    let swept = body.motion.as_ref()?.swept_box(&body.model, from, to);
    Some(Space::reaching(swept, how.reach()))
}

impl Window {
    /// Opens a window: looks at every pair that may touch in it, at its beginning. Returns how many pairs there were.
    pub(in crate::world) fn open(&mut self, world: &mut World, from: f64, to: f64, how: &Advance) -> usize {
        world.windows += 1;
        self.number = world.windows;
        let (slots, movers): (_, Vec<u32>) = (&world.slots, world.movers.iter().copied().collect());
        let ways = share::map(movers.len(), 64, |k| way(slots, movers[k], from, to, how));
        self.ways = movers.iter().zip(ways).filter_map(|(&at, way)| Some((at, way?))).collect();
        self.put_boxes(world);
        let pairs = self.near_pairs(world, how);
        let old = std::mem::take(&mut self.handles);
        self.queue.clear();
        self.free.clear();
        let mut kept = Vec::with_capacity(pairs.len());
        let mut handles = Vec::with_capacity(2 * pairs.len());
        for &slots in &pairs {
            let Some([a, b]) = placed(&world.slots, slots) else { continue };
            let ids = slots.map(|slot| world.id(slot));
            let known = old.get(&slots).and_then(|&handle| self.pairs[handle as usize].take());
            let pair = match known.filter(|(pair, _)| pair.ids == ids) {
                Some((mut pair, _)) => {
                    pair.renew(a, b);
                    pair
                }
                None => MovingPair::new(slots, ids, a, b),
            };
            handles.extend([(slots, kept.len() as u32), ([slots[1], slots[0]], kept.len() as u32)]);
            kept.push(Some((pair, None)));
        }
        self.handles = handles.into_iter().collect();
        self.pairs = kept;
        let World { slots, paces, .. } = world;
        self.look_at_all(slots, from, to, how, &mut paces.look)
    }

    /// Puts the boxes of bodies with a motion around their ways.
    fn put_boxes(&mut self, world: &mut World) {
        world.boxes_around = BoxesAround::Window(self.number);
        for (&at, space) in &mut self.ways {
            if world.movers.contains(&at) {
                *space = world.box_for_window(at, *space);
            }
        }
    }

    /// The space that the body in a slot takes during the window.
    fn space(&self, slots: &[Slot], at: u32, how: &Advance) -> Space {
        let still = || slots[at as usize].body.as_ref().map(|placed| Space::reaching(placed.bounds, how.reach()));
        self.ways.get(&at).copied().or_else(still).unwrap_or(Space::Empty)
    }

    /// All pairs of bodies whose boxes meet, sorted. Boxes in the store may be wider than this window needs.
    fn near_pairs(&self, world: &mut World, how: &Advance) -> Vec<[u32; 2]> {
        let World { near, slots, rules, .. } = world;
        let id = |slot: u32| BodyId { slot, generation: slots[slot as usize].generation };
        let mut pairs = Vec::new();
        near.each(&mut |some| {
            let meet = |&&[a, b]: &&[u32; 2]| self.space(slots, a, how).meets(&self.space(slots, b, how));
            pairs.extend(some.iter().filter(meet).filter(|&&[a, b]| rules.admit(id(a), id(b))));
        });
        pairs.sort_unstable();
        pairs
    }

    /// The first look of a window, at all pairs in parallel. Returns how many pairs were looked at, or will be.
    fn look_at_all(&mut self, slots: &[Slot], from: f64, to: f64, how: &Advance, pace: &mut Pace) -> usize {
        share::each_few(pace, &mut self.pairs, 4, |entries| {
            for (pair, found) in entries.iter_mut().flatten() {
                pair.enter(from, to);
                *found = two(slots, pair.slots)
                    .filter(|two| !pair.is_settled(two) && pair.not_before(two.stamps, how) <= from)
                    .map(|two| pair.look(&two, from, to, how));
            }
            Vec::<()>::new()
        });
        let mut looks = 0;
        for (entry, handle) in self.pairs.iter_mut().zip(0u32..) {
            let Some((pair, found)) = entry else { continue };
            let Some(two) = two(slots, pair.slots) else { continue };
            if found.is_none() && pair.is_settled(&two) {
                continue;
            }
            looks += 1;
            let key = match found {
                None => Some(pair.not_before(two.stamps, how).max(from)),
                Some(look) if look.encounter.is_some() => Some(from),
                Some(look) => look.next,
            };
            if found.as_ref().is_some_and(|look| look.encounter.is_none()) {
                *found = None;
            }
            if let Some(key) = key.filter(|&key| key < to) {
                self.queue.set(handle, pair.slots, key);
            }
        }
        looks
    }

    /// Takes in bodies that were changed at a time within the window.
    pub(in crate::world) fn changed(&mut self, world: &mut World, slots: &[u32], now: f64, to: f64, how: &Advance) {
        if slots.is_empty() {
            return;
        }
        if world.boxes_around != BoxesAround::Window(self.number) {
            // In the reaction a verb was called, or the world advanced: boxes are no longer those of the window.
            self.put_boxes(world);
        }
        for &at in slots {
            let old = self.untrack(at);
            self.ways.remove(&at);
            if let Some(space) = way(&world.slots, at, now, to, how) {
                self.ways.insert(at, world.box_for_window(at, space));
            }
            self.retrack(world, at, now, to, how, old);
        }
    }

    /// Stops tracking a body; returns what is known of its pairs, by the other's slot.
    fn untrack(&mut self, at: u32) -> BTreeMap<u32, MovingPair> {
        let beside: Vec<(u32, u32)> =
            self.handles.range([at, 0]..=[at, u32::MAX]).map(|(slots, &handle)| (slots[1], handle)).collect();
        let mut old = BTreeMap::new();
        for (other, handle) in beside {
            self.handles.remove(&[at, other]);
            self.handles.remove(&[other, at]);
            self.queue.remove(handle);
            self.free.push(handle);
            if let Some((pair, _)) = self.pairs[handle as usize].take() {
                old.insert(other, pair);
            }
        }
        old
    }

    /// Tracks a body with every body whose box meets its new one.
    fn retrack(
        &mut self,
        world: &mut World,
        at: u32,
        now: f64,
        to: f64,
        how: &Advance,
        mut old: BTreeMap<u32, MovingPair>,
    ) {
        let mut others = Vec::new();
        world.near.near(at, &mut |other| others.push(other));
        others.sort_unstable();
        let own = self.space(&world.slots, at, how);
        for other in others {
            let slots = [at.min(other), at.max(other)];
            let met = own.meets(&self.space(&world.slots, other, how));
            if !met || !world.rules.admit(world.id(at), world.id(other)) {
                continue;
            }
            let Some([a, b]) = placed(&world.slots, slots) else { continue };
            let ids = slots.map(|slot| world.id(slot));
            let mut pair = old.remove(&other).filter(|pair| pair.ids == ids).unwrap_or_else(|| {
                let mut pair = MovingPair::new(slots, ids, a, b);
                pair.enter(now, to);
                pair
            });
            pair.renew(a, b);
            let key = pair.not_before([a.motion_stamp, b.motion_stamp], how).max(now);
            let handle = self.free.pop().unwrap_or_else(|| {
                self.pairs.push(None);
                self.pairs.len() as u32 - 1
            });
            self.pairs[handle as usize] = Some((pair, None));
            self.handles.extend([(slots, handle), ([slots[1], slots[0]], handle)]);
            if key < to {
                self.queue.set(handle, slots, key);
            }
        }
    }

    /// Looks at a pair, or takes the look that was not reported yet; `true` if the look is a new one.
    pub(in crate::world) fn look(
        &mut self,
        world: &World,
        handle: u32,
        time: f64,
        to: f64,
        how: &Advance,
    ) -> Option<(LookResult, bool)> {
        let (pair, found) = self.pairs.get_mut(handle as usize)?.as_mut()?;
        if let Some(look) = found.take().filter(|look| look.time == time) {
            return Some((look, false));
        }
        let two = two(&world.slots, pair.slots)?;
        Some((pair.look(&two, time, to, how), true))
    }

    pub(in crate::world) fn pair(&mut self, handle: u32) -> Option<&mut MovingPair> {
        self.pairs.get_mut(handle as usize)?.as_mut().map(|(pair, _)| pair)
    }

    /// The stamps of the motions of two bodies.
    pub(in crate::world) fn stamps(&self, world: &World, slots: [u32; 2]) -> [u64; 2] {
        placed(&world.slots, slots).map_or([0; 2], |[a, b]| [a.motion_stamp, b.motion_stamp])
    }

    /// Forgets what was reported after a time, since it is undone.
    pub(in crate::world) fn forget_after(&mut self, time: f64) {
        for (pair, found) in self.pairs.iter_mut().flatten() {
            pair.forget_after(time);
            *found = None;
        }
    }

    /// Lets estimates be used again.
    pub(in crate::world) fn trust(&mut self) {
        for (pair, _) in self.pairs.iter_mut().flatten() {
            pair.certified = false;
        }
    }

    /// How many pairs are tracked.
    pub(in crate::world) fn count(&self) -> u64 {
        self.handles.len() as u64 / 2
    }
}

fn placed(slots: &[Slot], pair: [u32; 2]) -> Option<[&PlacedBody; 2]> {
    let [a, b] = pair.map(|slot| slots[slot as usize].body.as_ref());
    Some([a?, b?])
}

fn two(slots: &[Slot], pair: [u32; 2]) -> Option<TwoMotions<'_>> {
    let [a, b] = placed(slots, pair)?;
    let id = |slot: u32| BodyId { slot, generation: slots[slot as usize].generation };
    Some(TwoMotions {
        ids: pair.map(id),
        motions: [a.motion(), b.motion()],
        stamps: [a.motion_stamp, b.motion_stamp],
        both_still: a.is_still() && b.is_still(),
    })
}
