//! The boxes of a store in spatial order, in local coordinates, read anew in every frame.
//!
//! Each live slot has one *place*. Places of boxes that are near each other lie near each other, so that a pass over
//! pairs of neighbours stays in the cache; the one pass that does not is [`Places::read`], which fetches each box from
//! its slot. The order is only as good as it was when it was last made; no answer depends on it.
//!
//! Invariant: after a read every live slot has exactly one place, and `tight[p]` contains the box in slot `order[p]`, or
//! is NaN where that slot is empty. All coordinates are within [`REACH`].

use rayon::prelude::*;

use super::Boxes;
use super::bits::Bits;
use super::local::{ALL, Local, LocalBox, NOWHERE, REACH};
use crate::bound::Aabb;
use crate::math::simd::{F32x8, Kernel, Simd, Vector, dispatch};

/// Places that one thread takes at a time.
pub(super) const GRAIN: usize = 1 << 12;
/// Up to so many places, threads are not worth the while.
pub(super) const SERIAL: usize = 1 << 13;

/// Boxes in spatial order.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) local: Local,
    /// The slot of each place.
    pub(super) order: Vec<u32>,
    /// Its box.
    pub(super) tight: Vec<LocalBox>,
    /// Slots that have a place.
    known: Bits,
    seen: u64,
}

/// What a change of the store means for the places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    /// The same places; some may be empty now, or new ones were appended.
    Continued,
    /// A place known before has another box, with another filter maybe.
    Replaced,
    /// All was read from the beginning.
    Everything,
}

impl Default for Places {
    fn default() -> Places {
        let local = Local::of(&Aabb::EMPTY);
        Places { local, order: Vec::new(), tight: Vec::new(), known: Bits::default(), seen: 0 }
    }
}

impl Places {
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Gives every live slot a place; new places lie [`NOWHERE`] until they are read.
    pub(super) fn admit(&mut self, boxes: &Boxes) -> News {
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

    /// Forgets all and takes the live slots as they come.
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

    /// Measures the world anew: what was read before is void.
    pub(super) fn measure(&mut self, boxes: &Boxes) {
        self.local = Local::of(&boxes.world());
        self.tight.fill(NOWHERE);
    }

    /// Drops the places of empty slots.
    pub(super) fn compact(&mut self, boxes: &Boxes) {
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
    pub(super) fn rearrange(&mut self, from: &[u32]) {
        let (order, tight) = (&self.order, &self.tight);
        let pick = |p: &u32| (order[*p as usize], tight[*p as usize]);
        (self.order, self.tight) = if from.len() > SERIAL {
            from.par_iter().with_min_len(GRAIN).map(pick).unzip()
        } else {
            from.iter().map(pick).unzip()
        };
    }

    /// Reads all boxes, wherever they are.
    pub(super) fn read_anywhere(&mut self, boxes: &Boxes) {
        if !self.read(boxes) {
            self.measure(boxes);
            self.read(boxes);
        }
    }

    /// Reads all boxes. Says whether all are within reach; if not, the world has to be measured.
    pub(super) fn read(&mut self, boxes: &Boxes) -> bool {
        let (local, bounds) = (self.local, boxes.all());
        if self.order.len() <= SERIAL {
            return dispatch(Read { local, bounds, order: &self.order, tight: &mut self.tight });
        }
        let chunks = self.order.par_chunks(GRAIN).zip(self.tight.par_chunks_mut(GRAIN));
        let within = chunks.map(|(order, tight)| dispatch(Read { local, bounds, order, tight }));
        within.reduce(|| true, |a, b| a & b)
    }

    pub(super) fn bytes(&self) -> usize {
        self.order.capacity() * 4 + self.tight.capacity() * size_of::<LocalBox>() + self.known.bytes()
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
        for (slot, tight) in self.order.iter().zip(self.tight) {
            let now = self.local.outward::<S>(&self.bounds[*slot as usize]);
            *tight = now.array();
            within &= is_within::<S>(now) || tight[0].is_nan();
        }
        within
    }
}

/// Whether a box lies within [`REACH`]; NaN does not.
#[inline(always)]
pub(super) fn is_within<S: Simd>(b: S::F32x8) -> bool {
    S::F32x8::splat(-REACH).le(b) == ALL
}
