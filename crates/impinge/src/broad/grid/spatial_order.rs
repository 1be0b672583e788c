//! The boxes of a store in spatial order, in local coordinates, read anew in every frame.
//!
//! Each live slot has one *place*. Places of boxes that are near each other lie near each other, so that a pass over
//! pairs of neighbours stays in the cache; the one pass that does not is [`SpatialOrder::read`], which fetches each box
//! from its slot. The order is only as good as it was when it was last made; no answer depends on it.
//!
//! Invariant: after a read every live slot has exactly one place, and `tight[p]` contains the box in slot `order[p]`,
//! or is NaN where that slot is empty. All coordinates are within `REACH`.

use crate::bound::Aabb;
use crate::broad::store::bits::Bits;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::local::{Local, LocalBox, NOWHERE, is_within};
use crate::math::simd::{F32x8, Kernel, Simd, dispatch};
use crate::threads::same_threads::{SERIAL, on_same_threads, piece};
use crate::threads::share;

/// The number of places that one thread takes at a time, where nothing else decides it.
pub(crate) const GRAIN: usize = 1 << 12;
/// The number of calls between two looks at the size of the world.
const LOOK: u32 = 64;
/// Boxes in spatial order.
#[derive(Debug, Clone)]
pub(crate) struct SpatialOrder {
    pub(crate) local: Local,
    /// The slot of each place.
    pub(crate) order: Vec<u32>,
    /// The box of each place.
    pub(crate) tight: Vec<LocalBox>,
    /// Slots that have a place.
    known: Bits,
    seen: u64,
    /// Frames since the world was last looked at.
    age: u32,
}

/// What a change of the store means for the places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    /// The same places; some may be empty now, or new ones were appended.
    Continued,
    /// A place known before has another box, with another filter maybe.
    Replaced,
    /// All was read from the beginning.
    Everything,
}

impl Default for SpatialOrder {
    fn default() -> SpatialOrder {
        let local = Local::of(&Aabb::EMPTY);
        SpatialOrder { local, order: Vec::new(), tight: Vec::new(), known: Bits::default(), seen: 0, age: 0 }
    }
}

impl SpatialOrder {
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// Gives every live slot a place; new places have the box [`NOWHERE`] until they are read.
    pub(crate) fn admit(&mut self, boxes: &Boxes) -> News {
        let continued = boxes.continues(self.seen);
        self.seen = boxes.frame();
        if !continued {
            self.start(boxes);
            return News::Everything;
        }
        let mut replaced = false;
        self.known.grow(boxes.slots());
        for slot in boxes.born() {
            if self.known.contains(slot as usize) {
                replaced = true;
            } else {
                self.known.insert(slot as usize);
                self.order.push(slot);
                self.tight.push(NOWHERE);
            }
        }
        if replaced { News::Replaced } else { News::Continued }
    }

    /// Forgets all places and takes the live slots in their order.
    fn start(&mut self, boxes: &Boxes) {
        self.local = Local::of(&boxes.world());
        self.known = Bits::default();
        self.known.grow(boxes.slots());
        self.order.clear();
        self.order.reserve_exact(boxes.len());
        self.order.extend(boxes.live());
        for &slot in &self.order {
            self.known.insert(slot as usize);
        }
        self.tight.clear();
        self.tight.resize(self.order.len(), NOWHERE);
    }

    /// Measures the world anew: boxes read before are no longer valid.
    pub(crate) fn measure(&mut self, boxes: &Boxes) {
        self.local = Local::of(&boxes.world());
        self.tight.fill(NOWHERE);
    }

    /// Measures the world anew if it has become much smaller than it was; only every [`LOOK`]th call checks this. Far
    /// from the middle, small boxes cannot be told apart.
    pub(crate) fn measure_at_times(&mut self, boxes: &Boxes) {
        self.age += 1;
        if self.age < LOOK {
            return;
        }
        self.age = 0;
        let fit = Local::of(&boxes.world());
        if fit.scale >= 4.0 * self.local.scale {
            self.local = fit;
            self.tight.fill(NOWHERE);
        }
    }

    /// Drops the places of empty slots.
    pub(crate) fn compact(&mut self, boxes: &Boxes) {
        let mut kept = 0;
        for p in 0..self.order.len() {
            let slot = self.order[p];
            if boxes.is_live(slot) {
                self.order[kept] = slot;
                self.tight[kept] = self.tight[p];
                kept += 1;
            } else {
                self.known.remove(slot as usize);
            }
        }
        self.order.truncate(kept);
        self.tight.truncate(kept);
    }

    /// Puts place `from[p]` at `p`, for all p.
    pub(crate) fn rearrange(&mut self, from: &[u32]) {
        self.order = permuted(&self.order, from);
        self.tight = permuted(&self.tight, from);
    }

    /// The same, for boxes that will be read before they are asked for.
    pub(crate) fn rearrange_slots(&mut self, from: &[u32]) {
        self.order = permuted(&self.order, from);
    }

    /// Whether all places but new ones were read before, in coordinates that are still valid.
    pub(crate) fn is_read(&self) -> bool {
        self.tight.first().is_some_and(|b| !b[0].is_nan())
    }

    /// Reads all boxes, also where that needs the world to be measured.
    pub(crate) fn read_anywhere(&mut self, boxes: &Boxes) {
        if !self.read(boxes) {
            self.measure(boxes);
            self.read(boxes);
        }
    }

    /// Reads all boxes. Says whether all are within reach; if not, the world has to be measured.
    pub(crate) fn read(&mut self, boxes: &Boxes) -> bool {
        let (local, bounds) = (self.local, boxes.all());
        let piece = piece(self.len());
        let pieces = self.order.chunks(piece).zip(self.tight.chunks_mut(piece));
        on_same_threads(pieces, |_, (order, tight)| dispatch(Read { local, bounds, order, tight }))
            .into_iter()
            .all(|within| within)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.order.capacity() * 4 + self.tight.capacity() * size_of::<LocalBox>() + self.known.bytes()
    }
}

fn permuted<T: Copy + Send + Sync>(all: &[T], from: &[u32]) -> Vec<T> {
    match all.first() {
        Some(&blank) if from.len() > SERIAL => share::fill(blank, from.len(), GRAIN, |k| all[from[k] as usize]),
        _ => from.iter().map(|p| all[*p as usize]).collect(),
    }
}

/// The number of boxes fetched at once.
pub(crate) const FETCH: usize = 32;

/// The boxes in these slots, at most [`FETCH`]. Boxes lie at random in the store: when many are fetched together, their
/// memory is read at the same time and not one after the other.
#[inline(always)]
pub(crate) fn fetch(bounds: &[Aabb], slots: &[u32], into: &mut [Aabb; FETCH]) {
    for (slot, b) in slots.iter().zip(into) {
        *b = bounds[*slot as usize];
    }
}

struct Read<'a> {
    local: Local,
    bounds: &'a [Aabb],
    order: &'a [u32],
    tight: &'a mut [LocalBox],
}

impl Kernel for Read<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self) -> bool {
        let mut within = true;
        let mut fetched = [Aabb::EMPTY; FETCH];
        for (slots, tight) in self.order.chunks(FETCH).zip(self.tight.chunks_mut(FETCH)) {
            fetch(self.bounds, slots, &mut fetched);
            for (b, tight) in fetched.iter().zip(tight) {
                let now = self.local.outward::<S>(b);
                *tight = now.array();
                within &= is_within::<S>(now) | tight[0].is_nan();
            }
        }
        within
    }
}
