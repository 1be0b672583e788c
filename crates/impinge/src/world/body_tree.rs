//! The tree over the boxes of a world's bodies that views search: it follows what changes in the world.
//!
//! Boxes are those where bodies are placed, tight. What decides whether a body is looked at lies in the order of the
//! leaves, so that bodies that are not are never touched. Changes are gathered until the next view: then the
//! boxes that changed are fitted, or the tree is built anew where many bodies came, or where it has become bad.
//!
//! Invariant: after [`BodyTree::update`] every body with bounds has a leaf, whose box contains its own. Cost of an
//! update: what changed since the last one.

use glam::DVec3;

use super::body::{BodyId, Slot};
use crate::bound::Aabb;
use crate::broad::Filter;
use crate::tree::build::changing::ChangingTree;
use crate::tree::nodes::{Tree, WIDTH};

/// No place.
const NONE: u32 = u32::MAX;

/// With this many new bodies, of so many in all, the tree is built anew.
const MANY_NEW: usize = 8;

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

/// The tree.
#[derive(Debug, Clone)]
pub(crate) struct BodyTree {
    tree: ChangingTree,
    /// The bodies and their boxes, by the places of the tree. They lie apart, since some searches need one of them only.
    bodies: Vec<BoxedBody>,
    boxes: Vec<Aabb>,
    /// Places without a body.
    free: Vec<u32>,
    /// The place of each slot of the world.
    places: Vec<u32>,
    /// The slots of bodies that no box contains, ascending.
    unbounded: Vec<u32>,
    /// A box around all boxes.
    bounds: Aabb,
    /// How many boxes were changed since it was last seen to be good, and how many were put in since it was built.
    moved: usize,
    come: usize,
}

impl Default for BodyTree {
    fn default() -> BodyTree {
        BodyTree {
            tree: ChangingTree::default(),
            bodies: Vec::new(),
            boxes: Vec::new(),
            free: Vec::new(),
            places: Vec::new(),
            unbounded: Vec::new(),
            bounds: Aabb::EMPTY,
            moved: 0,
            come: 0,
        }
    }
}

impl BodyTree {
    pub(crate) fn tree(&self) -> &Tree {
        self.tree.tree()
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

    /// The slots of bodies that no box contains, ascending.
    pub(crate) fn unbounded(&self) -> &[u32] {
        &self.unbounded
    }

    /// A box around all boxes.
    pub(crate) fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// The boxes of all nodes and leaves.
    pub(crate) fn node_boxes(&self) -> impl Iterator<Item = Aabb> + '_ {
        let slots = 0..self.tree().nodes() * WIDTH;
        slots.filter_map(|slot| self.tree().slot_box(slot)).map(|[middle, half]| Aabb::new(middle - half, middle + half))
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists = self.free.capacity() + self.places.capacity() + self.unbounded.capacity();
        let bodies = self.bodies.capacity() * size_of::<BoxedBody>() + self.boxes.capacity() * size_of::<Aabb>();
        self.tree.bytes() + bodies + lists * 4
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
        let count = self.bodies.len() - self.free.len();
        if !done || self.free.len() > count {
            self.build(slots);
        } else {
            self.tree.settle();
        }
        if self.moved > count {
            self.moved = 0;
            if self.tree().is_worth_rebuilding() {
                self.build(slots);
            }
        }
        let around = |[middle, half]: [DVec3; 2]| {
            let b = Aabb::new(middle - half, middle + half);
            b.grown(4.0 * f64::EPSILON * b.reach())
        };
        self.bounds = self.tree().slot_box(0).map_or(Aabb::EMPTY, around);
    }

    /// Takes in the bodies in these slots; `false` where the tree has to be built anew.
    fn take_in(&mut self, slots: &[Slot], changed: impl ExactSizeIterator<Item = u32>) -> bool {
        self.places.resize(slots.len(), NONE);
        let most_new = self.bodies.len() / MANY_NEW;
        let mut fits = true;
        for slot in changed {
            let place = self.places[slot as usize];
            match (boxed(slots, slot), place) {
                (None, NONE) => {}
                (None, _) => {
                    self.tree.remove(place);
                    self.places[slot as usize] = NONE;
                    self.free.push(place);
                }
                (Some((body, b)), NONE) => {
                    self.come += 1;
                    if self.come > most_new || !self.put_in(slot, body, b) {
                        return false;
                    }
                }
                (Some((body, b)), _) => {
                    self.bodies[place as usize] = body;
                    if std::mem::replace(&mut self.boxes[place as usize], b) != b {
                        self.moved += 1;
                        fits &= self.tree.replace(place, &b);
                    }
                }
            }
            self.list_if_unbounded(slots, slot);
        }
        if !fits {
            let boxes = &self.boxes;
            let live = self.places.iter().filter(|&&place| place != NONE).map(|&place| boxes[place as usize]);
            self.tree.fit_all(live, |place| boxes[place as usize]);
        }
        true
    }

    fn put_in(&mut self, slot: u32, body: BoxedBody, b: Aabb) -> bool {
        let place = self.free.last().copied().unwrap_or(self.bodies.len() as u32);
        if place as usize >= ChangingTree::MOST || !self.tree.insert(place, &b) {
            return false;
        }
        self.free.pop();
        if place as usize == self.bodies.len() {
            self.bodies.push(body);
            self.boxes.push(b);
        } else {
            (self.bodies[place as usize], self.boxes[place as usize]) = (body, b);
        }
        self.places[slot as usize] = place;
        true
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
        let (mut bodies, boxes): (Vec<BoxedBody>, Vec<Aabb>) =
            all.clone().filter_map(|slot| boxed(slots, slot)).unzip();
        // What there is no room for is looked at as if it had no bounds.
        let beyond = bodies.split_off(bodies.len().min(ChangingTree::MOST));
        let (tree, order) = ChangingTree::build(&boxes[..bodies.len()]);
        self.tree = tree;
        self.boxes = order.iter().map(|&k| boxes[k as usize]).collect();
        self.bodies = order.iter().map(|&k| bodies[k as usize]).collect();
        self.places.clear();
        self.places.resize(slots.len(), NONE);
        for (place, body) in (0..).zip(&self.bodies) {
            self.places[body.id.slot as usize] = place;
        }
        self.unbounded = all.filter(|&slot| is_unbounded(slots, slot)).collect();
        self.unbounded.extend(beyond.iter().map(|body| body.id.slot));
        self.unbounded.sort_unstable();
        self.free.clear();
        (self.moved, self.come) = (0, 0);
    }
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
