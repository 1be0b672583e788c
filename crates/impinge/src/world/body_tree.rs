//! The tree over the boxes of a world's bodies that views search: it follows what changes in the world.
//!
//! Boxes are those where bodies are placed, tight. What decides whether a body is looked at lies in the order of the
//! leaves, so that bodies that are not are never touched. Changes are gathered until the next view: then the boxes that
//! changed are fitted, or all is built anew where many bodies came, or where the trees have become bad.
//!
//! A tree has the resolution of `f32` for the space that it spans. So that one body far away takes nothing from that of
//! the others, there is a tree for each of several *levels*: the space of one is up to [`WIDER`] times as large as that
//! which seven of eight of its bodies need, and bodies beyond are left to the next.
//!
//! Invariant: after [`BodyTree::update`] every body with bounds has a leaf, whose box contains its own. Cost of an
//! update: what changed since the last one. No more levels than the logarithm, to base 8, of the number of bodies, but
//! for bodies that left theirs.

use glam::DVec3;

use super::body::{BodyId, Slot};
use crate::bound::Aabb;
use crate::broad::Filter;
use crate::tree::build::changing::ChangingTree;
use crate::tree::nodes::{Tree, WIDTH};

/// With as many new bodies, of so many in all, all is built anew.
const MANY_NEW: usize = 8;

/// How much larger than needed by most of its bodies the space of a level may be.
const WIDER: f64 = 16.0;

/// What a search asks of a body besides its box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxedBody {
    pub(crate) id: BodyId,
    pub(crate) filter: Filter,
}

/// Which bodies may have changed since a tree was last brought up to date.
#[derive(Debug, Clone)]
pub(crate) struct ChangedBodies {
    slots: Vec<u32>,
    /// Whether all may have: nothing is listed then.
    all: bool,
}

impl Default for ChangedBodies {
    fn default() -> ChangedBodies {
        ChangedBodies { slots: Vec::new(), all: true }
    }
}

impl ChangedBodies {
    /// The body in a slot has changed, of so many slots.
    pub(crate) fn add(&mut self, slot: u32, slots: usize) {
        if self.all {
            return;
        }
        self.slots.push(slot);
        if self.slots.len() > slots {
            (self.slots, self.all) = (Vec::new(), true);
        }
    }
}

/// The bodies in one part of space, and their tree.
#[derive(Debug, Clone)]
pub(crate) struct TreeLevel {
    tree: ChangingTree,
    /// The bodies and their boxes, by the places of the tree. They lie apart: some searches need one of them only.
    bodies: Vec<BoxedBody>,
    boxes: Vec<Aabb>,
    /// Places without a body.
    free: Vec<u32>,
    /// A box around all boxes.
    bounds: Aabb,
}

impl TreeLevel {
    fn new(held: &[(BoxedBody, Aabb)], room: &Aabb) -> TreeLevel {
        let boxes: Vec<Aabb> = held.iter().map(|(_, b)| *b).collect();
        let (tree, order) = ChangingTree::build(&boxes, room);
        let bodies = order.iter().map(|&k| held[k as usize].0).collect();
        let boxes = order.iter().map(|&k| boxes[k as usize]).collect();
        TreeLevel { tree, bodies, boxes, free: Vec::new(), bounds: Aabb::EMPTY }
    }

    pub(crate) fn tree(&self) -> &Tree {
        self.tree.tree()
    }

    /// A box around all boxes.
    pub(crate) fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    #[inline(always)]
    pub(crate) fn body_at(&self, place: u32) -> &BoxedBody {
        &self.bodies[place as usize]
    }

    /// The box of the body at a place, as it is placed.
    #[inline(always)]
    pub(crate) fn bounds_at(&self, place: u32) -> &Aabb {
        &self.boxes[place as usize]
    }

    /// Puts a body in; `None` where there is no room for it.
    fn put_in(&mut self, body: BoxedBody, b: Aabb) -> Option<u32> {
        let place = self.free.last().copied().unwrap_or(self.bodies.len() as u32);
        if place as usize >= ChangingTree::MOST || !self.tree.insert(place, &b) {
            return None;
        }
        self.free.pop();
        if place as usize == self.bodies.len() {
            self.bodies.push(body);
            self.boxes.push(b);
        } else {
            (self.bodies[place as usize], self.boxes[place as usize]) = (body, b);
        }
        Some(place)
    }

    fn remove(&mut self, place: u32) {
        self.tree.remove(place);
        self.free.push(place);
    }

    fn settle(&mut self) {
        self.tree.settle();
        let around = |[middle, half]: [DVec3; 2]| {
            let b = Aabb::new(middle - half, middle + half);
            b.grown(4.0 * f64::EPSILON * b.reach())
        };
        self.bounds = self.tree().slot_box(0).map_or(Aabb::EMPTY, around);
    }

    fn bytes(&self) -> usize {
        let bodies = self.bodies.capacity() * size_of::<BoxedBody>() + self.boxes.capacity() * size_of::<Aabb>();
        self.tree.bytes() + bodies + self.free.capacity() * 4
    }
}

/// Where a body is: in which level, and at which place there.
#[derive(Debug, Clone, Copy)]
struct LevelPlace {
    level: u32,
    place: u32,
}

/// The levels.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyTree {
    levels: Vec<TreeLevel>,
    /// Where the body in each slot of the world is.
    places: Vec<Option<LevelPlace>>,
    /// The slots of bodies that no box contains, ascending.
    unbounded: Vec<u32>,
    /// How many bodies the levels have.
    count: usize,
    /// How many boxes were changed since the trees were last seen to be good, and how many bodies were put in since
    /// they were built.
    moved: usize,
    come: usize,
}

impl BodyTree {
    pub(crate) fn levels(&self) -> &[TreeLevel] {
        &self.levels
    }

    /// The slots of bodies that no box contains, ascending.
    pub(crate) fn unbounded(&self) -> &[u32] {
        &self.unbounded
    }

    /// A box around all boxes.
    pub(crate) fn bounds(&self) -> Aabb {
        self.levels.iter().fold(Aabb::EMPTY, |all, level| all.join(&level.bounds))
    }

    /// The boxes of all nodes and leaves.
    pub(crate) fn node_boxes(&self) -> impl Iterator<Item = Aabb> + '_ {
        let boxes = |level: &TreeLevel| -> Vec<Aabb> {
            let slots = (0..level.tree().nodes() * WIDTH).filter_map(|slot| level.tree().slot_box(slot));
            slots.map(|[middle, half]| Aabb::new(middle - half, middle + half)).collect()
        };
        self.levels.iter().flat_map(boxes)
    }

    pub(crate) fn bytes(&self) -> usize {
        let places = self.places.capacity() * size_of::<Option<LevelPlace>>();
        self.levels.iter().map(TreeLevel::bytes).sum::<usize>() + places + self.unbounded.capacity() * 4
    }

    /// Takes in what has changed.
    pub(crate) fn update(&mut self, slots: &[Slot], changed: &mut ChangedBodies) {
        if !changed.all && changed.slots.is_empty() {
            return;
        }
        let done = if changed.all {
            self.take_in(slots, 0..slots.len() as u32)
        } else {
            self.take_in(slots, changed.slots.iter().copied())
        };
        changed.all = false;
        changed.slots.clear();
        let free = self.levels.iter().map(|level| level.free.len()).sum::<usize>();
        if !done || free > self.count {
            self.build(slots);
        }
        self.levels.iter_mut().for_each(TreeLevel::settle);
        if self.moved > self.count {
            self.moved = 0;
            if self.levels.iter().any(|level| level.tree().is_worth_rebuilding()) {
                self.build(slots);
                self.levels.iter_mut().for_each(TreeLevel::settle);
            }
        }
    }

    /// Takes in the bodies in these slots; `false` where all has to be built anew.
    fn take_in(&mut self, slots: &[Slot], changed: impl Iterator<Item = u32>) -> bool {
        self.places.resize(slots.len(), None);
        for slot in changed {
            let held = self.places[slot as usize];
            let level = held.and_then(|held| Some((self.levels.get_mut(held.level as usize)?, held.place)));
            let stays = match (boxed(slots, slot), level) {
                (Some((body, b)), Some((level, place))) => {
                    level.bodies[place as usize] = body;
                    let moved = std::mem::replace(&mut level.boxes[place as usize], b) != b;
                    self.moved += usize::from(moved);
                    !moved || level.tree.replace(place, &b)
                }
                (None, None) => true,
                _ => false,
            };
            if !stays && !self.put_elsewhere(slots, slot) {
                return false;
            }
            self.list_if_unbounded(slots, slot);
        }
        true
    }

    /// Takes a body out of its level, if it has one, and puts it into another, if it has bounds.
    fn put_elsewhere(&mut self, slots: &[Slot], slot: u32) -> bool {
        if let Some(LevelPlace { level, place }) = self.places[slot as usize].take() {
            self.levels[level as usize].remove(place);
            self.count -= 1;
        }
        let Some((body, b)) = boxed(slots, slot) else { return true };
        self.come += 1;
        if self.come * MANY_NEW > self.count {
            return false;
        }
        let found = (0..).zip(&mut self.levels).find_map(|(level, held)| {
            let place = held.put_in(body, b)?;
            Some(LevelPlace { level, place })
        });
        self.places[slot as usize] = found.or_else(|| self.level_for(body, b));
        self.count += 1;
        self.places[slot as usize].is_some()
    }

    /// A new level, of more space than the last, for a body that has left all.
    fn level_for(&mut self, body: BoxedBody, b: Aabb) -> Option<LevelPlace> {
        let last = self.levels.last()?.tree.room();
        let (middle, half) = (last.centre(), (last.max - last.min) * (0.5 * WIDER));
        let room = Aabb::new(middle - half, middle + half).join(&roomy(&b));
        self.levels.push(TreeLevel::new(&[(body, b)], &room));
        Some(LevelPlace { level: self.levels.len() as u32 - 1, place: 0 })
    }

    fn list_if_unbounded(&mut self, slots: &[Slot], slot: u32) {
        let listed = is_unbounded(slots, slot);
        match (self.unbounded.binary_search(&slot), listed) {
            (Err(at), true) => self.unbounded.insert(at, slot),
            (Ok(at), false) => drop(self.unbounded.remove(at)),
            _ => {}
        }
    }

    fn build(&mut self, slots: &[Slot]) {
        let all = 0..slots.len() as u32;
        let mut left: Vec<(BoxedBody, Aabb)> = all.clone().filter_map(|slot| boxed(slots, slot)).collect();
        // What there is no room for is looked at as if it had no bounds.
        let beyond = left.split_off(left.len().min(ChangingTree::MOST));
        (self.count, self.moved, self.come) = (left.len(), 0, 0);
        self.places.clear();
        self.places.resize(slots.len(), None);
        self.levels.clear();
        while !left.is_empty() {
            let room = most_of(&left);
            let (near, far): (Vec<_>, Vec<_>) = left.iter().partition(|(_, b)| room.contains(b));
            let around = near.iter().fold(Aabb::EMPTY, |all, (_, b)| all.join(b));
            let level = TreeLevel::new(&near, &roomy(&around));
            for (place, body) in (0..).zip(&level.bodies) {
                self.places[body.id.slot as usize] = Some(LevelPlace { level: self.levels.len() as u32, place });
            }
            self.levels.push(level);
            left = far;
        }
        self.unbounded = all.filter(|&slot| is_unbounded(slots, slot)).collect();
        self.unbounded.extend(beyond.iter().map(|(body, _)| body.id.slot));
        self.unbounded.sort_unstable();
    }
}

/// A box around at least seven of eight boxes, and up to [`WIDER`] times as large.
fn most_of(held: &[(BoxedBody, Aabb)]) -> Aabb {
    let all = held.iter().fold(Aabb::EMPTY, |all, (_, b)| all.join(b));
    let quantile = |of: &dyn Fn(&Aabb) -> f64, part: usize| {
        let mut values: Vec<f64> = held.iter().map(|(_, b)| of(b)).collect();
        let at = (values.len() * part / 8).min(values.len() - 1);
        *values.select_nth_unstable_by(at, f64::total_cmp).1
    };
    let middle = DVec3::from_array([0, 1, 2].map(|axis| quantile(&|b| b.min[axis] * 0.5 + b.max[axis] * 0.5, 4)));
    let reach = quantile(&|b| (b.max - middle).max(middle - b.min).max_element(), 7);
    let space = Aabb::new(middle - WIDER * reach, middle + WIDER * reach);
    if space.contains(&all) { all } else { space }
}

/// With some room for what is in a box to move in.
fn roomy(b: &Aabb) -> Aabb {
    let more = (b.max - b.min) * 0.125;
    Aabb::new(b.min - more, b.max + more)
}

/// The body in a slot and its box, if it has one that is not empty.
fn boxed(slots: &[Slot], slot: u32) -> Option<(BoxedBody, Aabb)> {
    let held = &slots[slot as usize];
    let placed = held.body.as_ref()?;
    let bounds = placed.bounds.filter(|b| !b.is_empty())?;
    let id = BodyId { slot, generation: held.generation };
    Some((BoxedBody { id, filter: placed.body.filter }, bounds))
}

fn is_unbounded(slots: &[Slot], slot: u32) -> bool {
    slots[slot as usize].body.as_ref().is_some_and(|placed| placed.bounds.is_none())
}
