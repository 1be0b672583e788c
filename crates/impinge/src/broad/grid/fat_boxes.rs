//! Boxes with room to move: while each box stays in its fat box, the pairs found for the fat boxes stay complete.
//!
//! A fat box contains the box where it is and where it will be for some frames, if it goes on as in the last one, and a
//! little more on every side: [`MARGIN`] of its sides, and once its last step. So boxes that go straight on, and boxes
//! that move to and fro a little, both stay inside for long.
//!
//! Invariant: a place is a *stray* iff its box is not in its fat box. Strays are closed in `tight` (lane 3 is +∞), so
//! that no comparison of local boxes finds them.

use super::spatial_order::{FETCH, SpatialOrder, fetch};
use crate::bound::Aabb;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::local::{ALL, Local, LocalBox, NOWHERE, REACH, is_within};
use crate::math::simd::{F32x8, Kernel, Simd, Vector, dispatch};
use crate::threads::same_threads::{on_same_threads, piece};

/// The room on every side, as a part of the box's extent along that axis.
const MARGIN: f32 = 1.0 / 32.0;
/// The lane whose value closes a place.
const CLOSED: usize = 3;
/// The number of boxes sampled to learn how fast boxes move.
const SAMPLE: usize = 1 << 9;

/// The fat box of each place.
#[derive(Debug, Clone, Default)]
pub(crate) struct FatBoxes {
    pub(crate) boxes: Vec<LocalBox>,
}

/// What reading the boxes found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strays {
    /// Places whose boxes are outside their fat boxes, ascending.
    pub(crate) places: Vec<u32>,
    /// How many places are empty.
    pub(crate) empty: usize,
    /// Whether a box is so far out that the world has to be measured anew.
    pub(crate) beyond: bool,
}

impl Strays {
    /// Puts a box where it is now; it becomes a stray if that is outside `fat`.
    #[inline(always)]
    fn look<S: Simd>(&mut self, now: S::F32x8, tight: &mut LocalBox, fat: &LocalBox, place: usize) {
        *tight = now.array();
        if S::F32x8::load(fat).le(now) == ALL {
            return;
        }
        if tight[0].is_nan() {
            self.empty += 1;
            return;
        }
        tight[CLOSED] = f32::INFINITY;
        self.places.push(place as u32);
        self.beyond |= !is_within::<S>(now);
    }
}

/// How far boxes moved since they were last read, as a part of their longest sides: the mean of a sample.
pub(crate) fn pace(places: &SpatialOrder, boxes: &Boxes) -> f32 {
    dispatch(Pace { places, bounds: boxes.all() })
}

impl FatBoxes {
    /// Reads all boxes, and gives each room for `horizon` more steps like the last. Returns whether all are within
    /// reach.
    pub(crate) fn fatten(&mut self, places: &mut SpatialOrder, boxes: &Boxes, horizon: f32) -> bool {
        let (local, bounds) = (places.local, boxes.all());
        if self.boxes.capacity() < places.len() || self.boxes.capacity() > 2 * places.len() {
            self.boxes = Vec::with_capacity(places.len());
        }
        self.boxes.resize(places.len(), NOWHERE);
        let piece = piece(places.len());
        let pieces = places.order.chunks(piece).zip(places.tight.chunks_mut(piece)).zip(self.boxes.chunks_mut(piece));
        let fatten = |_, ((order, tight), fat)| dispatch(Fatten { local, bounds, order, tight, fat, horizon });
        on_same_threads(pieces, fatten).into_iter().all(|within| within)
    }

    /// Reads the boxes that changed and finds those that are out of their fat boxes. `replaced`: some places have other
    /// boxes than when the fat boxes were made; these are strays until new fat boxes are made.
    pub(crate) fn check(&mut self, places: &mut SpatialOrder, boxes: &Boxes, replaced: bool) -> Strays {
        self.boxes.resize(places.len(), NOWHERE);
        // Where most boxes moved it is cheaper to read all than to find out which moved.
        let all = boxes.changed_count() * 4 >= 3 * places.len();
        let local = places.local;
        let one = |first: usize, order: &[u32], tight: &mut [LocalBox], fat: &mut [LocalBox]| {
            if replaced {
                let born = order.iter().zip(&mut *fat).filter(|(slot, _)| boxes.is_born(**slot));
                born.for_each(|(_, fat)| *fat = NOWHERE);
            }
            dispatch(Check { local, boxes, first, order, tight, fat, all })
        };
        let piece = piece(places.len());
        let pieces = places.order.chunks(piece).zip(places.tight.chunks_mut(piece)).zip(self.boxes.chunks_mut(piece));
        let parts = on_same_threads(pieces, |c, ((order, tight), fat)| one(c * piece, order, tight, fat));
        parts.into_iter().fold(Strays::default(), |mut all, part| {
            all.places.extend_from_slice(&part.places);
            Strays { places: all.places, empty: all.empty + part.empty, beyond: all.beyond | part.beyond }
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<LocalBox>()
    }
}

/// The box of a stray, opened so that it can be compared.
pub(crate) fn opened(b: &LocalBox) -> LocalBox {
    let mut open = *b;
    open[CLOSED] = -1.0;
    open
}

struct Pace<'a> {
    places: &'a SpatialOrder,
    bounds: &'a [Aabb],
}

impl Kernel for Pace<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self) -> f32 {
        let SpatialOrder { local, order, tight, .. } = self.places;
        let (mut sum, mut count) = (0.0, 0.0f32);
        for p in (0..order.len()).step_by((order.len() / SAMPLE).max(1)) {
            let (old, new) = (tight[p], local.outward::<S>(&self.bounds[order[p] as usize]).array());
            let (mut step, mut side) = (0.0f32, f32::MIN_POSITIVE);
            for k in 0..3 {
                step = step.max((new[k] - old[k]).abs()).max((new[k + 4] - old[k + 4]).abs());
                side = side.max(-new[k] - new[k + 4]);
            }
            if !old[0].is_nan() && !new[0].is_nan() {
                sum += (step / side).min(1.0);
                count += 1.0;
            }
        }
        if count == 0.0 { f32::INFINITY } else { sum / count }
    }
}

struct Fatten<'a> {
    local: Local,
    bounds: &'a [Aabb],
    order: &'a [u32],
    tight: &'a mut [LocalBox],
    fat: &'a mut [LocalBox],
    horizon: f32,
}

impl Kernel for Fatten<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self) -> bool {
        let zero = S::F32x8::splat(0.0);
        let horizon = S::F32x8::splat(self.horizon);
        let mut within = true;
        let mut fetched = [Aabb::EMPTY; FETCH];
        let places = self.tight.iter_mut().zip(self.fat).enumerate();
        for (k, (tight, fat)) in places {
            if k % FETCH == 0 {
                fetch(self.bounds, &self.order[k..], &mut fetched);
            }
            let now = self.local.outward::<S>(&fetched[k % FETCH]);
            let mut old = *tight;
            old[CLOSED] = -1.0;
            // Minima fall where the box moves down, negated maxima fall where it moves up: the room has to reach as
            // far. A step that is not known (the box is new) is NaN, which `min` and `max` make 0.
            let step = now.sub(S::F32x8::load(&old));
            let ahead = step.mul(horizon).min(zero);
            let shiver = step.abs().max(zero);
            let extent = zero.sub(now.add(now.swap()));
            let room = extent.mul(S::F32x8::splat(MARGIN)).add(shiver);
            let low = now.add(ahead).sub(room).max(S::F32x8::splat(-REACH));
            *tight = now.array();
            let dead = tight[0].is_nan();
            *fat = if dead { NOWHERE } else { low.array() };
            within &= is_within::<S>(now) || dead;
        }
        within
    }
}

struct Check<'a> {
    local: Local,
    boxes: &'a Boxes,
    first: usize,
    order: &'a [u32],
    tight: &'a mut [LocalBox],
    fat: &'a [LocalBox],
    all: bool,
}

impl Kernel for Check<'_> {
    type Output = Strays;

    #[inline(always)]
    fn run<S: Simd>(self) -> Strays {
        let mut strays = Strays::default();
        let bounds = self.boxes.all();
        if self.all {
            let mut fetched = [Aabb::EMPTY; FETCH];
            let chunks = self.order.chunks(FETCH).zip(self.tight.chunks_mut(FETCH)).zip(self.fat.chunks(FETCH));
            for (c, ((order, tight), fat)) in chunks.enumerate() {
                fetch(bounds, order, &mut fetched);
                for (k, ((b, tight), fat)) in fetched.iter().zip(tight).zip(fat).enumerate() {
                    let now = self.local.outward::<S>(b);
                    strays.look::<S>(now, tight, fat, self.first + c * FETCH + k);
                }
            }
            return strays;
        }
        for (k, ((slot, tight), fat)) in self.order.iter().zip(self.tight).zip(self.fat).enumerate() {
            let now = if self.boxes.is_changed(*slot) || tight[0].is_nan() {
                self.local.outward::<S>(&bounds[*slot as usize])
            } else {
                S::F32x8::load(&opened(tight))
            };
            strays.look::<S>(now, tight, fat, self.first + k);
        }
        strays
    }
}
