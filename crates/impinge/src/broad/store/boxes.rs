//! The store of all boxes: where they are, which others they may meet, and what changed.
//!
//! A box is in a *slot*, and phases know it by the slot's number; slots of removed boxes are used again. A [`BoxId`] is
//! a slot and its generation, so that the id of a removed box is refused for ever. The store works frame by frame:
//! every change is marked, phases take the marks in ([`BroadPhase::refresh`](super::broad_phase::BroadPhase::refresh)),
//! and [`Boxes::settle`] clears them. A phase that missed a frame sees that by the frame's number and reads everything.
//!
//! Invariant: coordinates in live slots are finite, within ±1e150 and in order; those in empty slots are such that no
//! box meets them.

use std::sync::atomic::{AtomicU64, Ordering};

use super::bits::Bits;
use super::box_id::BoxId;
use super::error::{BoxError, check};
use super::filter::{Filter, Mobility};
use crate::bound::Aabb;
use crate::threads::same_threads::{on_same_threads, piece};
use crate::threads::share;

/// The number of slots that one thread takes at a time.
const GRAIN: usize = 1 << 12;
/// The most slots: the last numbers are used as marks.
const SLOTS: usize = u32::MAX as usize - 64;

/// Frames of all stores have different numbers, so that no phase takes one store for another.
fn next_frame() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// All boxes.
///
/// ```
/// use impinge::bound::Aabb;
/// use impinge::broad::{Boxes, Filter, Mobility, Phase};
/// use impinge::glam::DVec3;
///
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 1.0));
/// let a = boxes.insert(unit(0.0), Filter::ALL, Mobility::Static)?;
/// let b = boxes.insert(unit(5.0), Filter::ALL, Mobility::Moving)?;
///
/// let mut phase = Phase::AllPairs.start();
/// phase.refresh(&boxes);
/// boxes.settle();
/// boxes.update(b, unit(1.0))?;
/// phase.refresh(&boxes);
/// boxes.settle();
///
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[a.slot(), b.slot()]]);
/// # Ok::<(), impinge::broad::BoxError>(())
/// ```
#[derive(Debug)]
pub struct Boxes {
    bounds: Vec<Aabb>,
    filters: Vec<Filter>,
    /// The generation of each slot; odd while the slot has a box.
    generations: Vec<u32>,
    free: Vec<u32>,
    live: Bits,
    fixed: Bits,
    changed: Bits,
    born: Bits,
    count: usize,
    /// Live boxes that are static or do not have [`Filter::ALL`].
    special: usize,
    frame: u64,
    before: u64,
}

impl Default for Boxes {
    fn default() -> Boxes {
        Boxes::new()
    }
}

impl Boxes {
    /// A store without boxes.
    pub fn new() -> Boxes {
        Boxes {
            bounds: Vec::new(),
            filters: Vec::new(),
            generations: Vec::new(),
            free: Vec::new(),
            live: Bits::default(),
            fixed: Bits::default(),
            changed: Bits::default(),
            born: Bits::default(),
            count: 0,
            special: 0,
            frame: next_frame(),
            before: next_frame(),
        }
    }

    /// A copy with the same number of its frame: for copies of the phases that have seen this store, and not for the
    /// phases themselves, which would take the one for the other.
    pub(crate) fn twin(&self) -> Boxes {
        Boxes {
            bounds: self.bounds.clone(),
            filters: self.filters.clone(),
            generations: self.generations.clone(),
            free: self.free.clone(),
            live: self.live.clone(),
            fixed: self.fixed.clone(),
            changed: self.changed.clone(),
            born: self.born.clone(),
            ..*self
        }
    }

    /// Makes room for so many boxes at once.
    pub fn reserve(&mut self, more: usize) {
        let length = self.bounds.len() + more.saturating_sub(self.free.len());
        self.bounds.reserve_exact(length - self.bounds.len());
        self.filters.reserve_exact(length - self.filters.len());
        self.generations.reserve_exact(length - self.generations.len());
    }

    /// Adds a box.
    ///
    /// # Errors
    /// The box is empty, not finite or beyond ±1e150, or there are 2³² boxes already.
    pub fn insert(&mut self, bounds: Aabb, filter: Filter, mobility: Mobility) -> Result<BoxId, BoxError> {
        check(&bounds)?;
        let slot = match self.free.pop() {
            Some(slot) => slot as usize,
            None => self.open_slot()?,
        };
        self.bounds[slot] = bounds;
        self.filters[slot] = filter;
        self.generations[slot] |= 1;
        self.live.insert(slot);
        if mobility == Mobility::Static {
            self.fixed.insert(slot);
        } else {
            self.fixed.remove(slot);
        }
        self.count += 1;
        self.special += usize::from(self.is_special(slot));
        self.changed.insert(slot);
        self.born.insert(slot);
        Ok(BoxId { slot: slot as u32, generation: self.generations[slot] })
    }

    fn open_slot(&mut self) -> Result<usize, BoxError> {
        let slot = self.bounds.len();
        if slot >= SLOTS {
            return Err(BoxError::TooMany { limit: SLOTS });
        }
        self.bounds.push(Aabb::EMPTY);
        self.filters.push(Filter::ALL);
        self.generations.push(0);
        for set in [&mut self.live, &mut self.fixed, &mut self.changed, &mut self.born] {
            set.grow(slot + 1);
        }
        Ok(slot)
    }

    /// Moves a box.
    ///
    /// # Errors
    /// The id is stale, or the box is one that [`insert`](Boxes::insert) refuses.
    #[inline]
    pub fn update(&mut self, id: BoxId, bounds: Aabb) -> Result<(), BoxError> {
        let slot = self.slot_of(id)?;
        check(&bounds)?;
        if self.bounds[slot] != bounds {
            self.bounds[slot] = bounds;
            self.changed.insert(slot);
        }
        Ok(())
    }

    /// Moves many boxes on all threads: `place` is called for every live slot and returns where its box is now, or
    /// `None` where it has not moved.
    ///
    /// # Errors
    /// Boxes that [`update`](Boxes::update) would refuse stay where they were; the error is that of the least slot.
    pub fn update_each(&mut self, place: impl Fn(u32) -> Option<Aabb> + Sync) -> Result<(), BoxError> {
        let live = &self.live;
        let piece = piece(self.bounds.len());
        let pieces = self.bounds.chunks_mut(piece).zip(self.changed.words_mut().chunks_mut(piece / 64));
        let refused = on_same_threads(pieces, |c, (bounds, changed)| {
            let mut refused = None;
            for (k, old) in bounds.iter_mut().enumerate() {
                let slot = c * piece + k;
                if !live.contains(slot) {
                    continue;
                }
                let Some(new) = place(slot as u32).filter(|new| new != old) else { continue };
                match check(&new) {
                    Ok(()) => {
                        *old = new;
                        changed[k / 64] |= 1 << (k % 64);
                    }
                    Err(error) => refused = refused.or(Some(error)),
                }
            }
            refused
        });
        refused.into_iter().flatten().next().map_or(Ok(()), Err)
    }

    /// Removes a box.
    ///
    /// # Errors
    /// The id is stale.
    pub fn remove(&mut self, id: BoxId) -> Result<(), BoxError> {
        let slot = self.slot_of(id)?;
        self.special -= usize::from(self.is_special(slot));
        self.bounds[slot] = Aabb::EMPTY;
        self.live.remove(slot);
        self.born.remove(slot);
        self.changed.insert(slot);
        self.count -= 1;
        // A slot with no generations left stays empty for good.
        self.generations[slot] = self.generations[slot].wrapping_add(1);
        if self.generations[slot] != 0 {
            self.free.push(slot as u32);
        }
        Ok(())
    }

    /// Changes which others a box may meet. To the phases it is a box removed and one inserted.
    ///
    /// # Errors
    /// The id is stale.
    pub fn set_filter(&mut self, id: BoxId, filter: Filter) -> Result<(), BoxError> {
        let slot = self.slot_of(id)?;
        self.special -= usize::from(self.is_special(slot));
        self.filters[slot] = filter;
        self.special += usize::from(self.is_special(slot));
        self.changed.insert(slot);
        self.born.insert(slot);
        Ok(())
    }

    #[inline(always)]
    fn slot_of(&self, id: BoxId) -> Result<usize, BoxError> {
        let slot = id.slot as usize;
        // Ids have odd generations, empty slots even ones.
        if self.generations.get(slot) == Some(&id.generation) { Ok(slot) } else { Err(BoxError::Stale { id }) }
    }

    fn is_special(&self, slot: usize) -> bool {
        self.fixed.contains(slot) || self.filters[slot] != Filter::ALL
    }

    /// Where a box is; `None` when the id is stale.
    pub fn bounds(&self, id: BoxId) -> Option<&Aabb> {
        self.slot_of(id).ok().map(|slot| &self.bounds[slot])
    }

    /// The id of the box in a slot; `None` when the slot is empty.
    pub fn id(&self, slot: u32) -> Option<BoxId> {
        self.is_live(slot).then(|| BoxId { slot, generation: self.generations[slot as usize] })
    }

    /// How many boxes there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One more than the greatest slot ever used.
    pub fn slots(&self) -> usize {
        self.bounds.len()
    }

    /// The boxes of all slots; [`Aabb::EMPTY`] in empty ones.
    pub fn all(&self) -> &[Aabb] {
        &self.bounds
    }

    /// The least box around all of them; empty when there are none.
    pub fn world(&self) -> Aabb {
        let union = |a: Aabb, b: &Aabb| Aabb::new(a.min.min(b.min), a.max.max(b.max));
        let parts = share::each_piece(self.bounds.chunks(GRAIN), |_, some| some.iter().fold(Aabb::EMPTY, union));
        parts.iter().fold(Aabb::EMPTY, union)
    }

    /// Whether there is a box in the slot.
    #[inline(always)]
    pub fn is_live(&self, slot: u32) -> bool {
        self.live.contains(slot as usize)
    }

    /// Whether the box in the slot is static.
    #[inline(always)]
    pub fn is_static(&self, slot: u32) -> bool {
        self.fixed.contains(slot as usize)
    }

    /// Whether the box in the slot was inserted in this frame: a box that a phase knew there before is then another
    /// one.
    #[inline(always)]
    pub fn is_born(&self, slot: u32) -> bool {
        self.born.contains(slot as usize)
    }

    /// Whether the slot's box was inserted, moved or removed in this frame.
    #[inline(always)]
    pub fn is_changed(&self, slot: u32) -> bool {
        self.changed.contains(slot as usize)
    }

    /// The filter of the box in the slot.
    pub fn filter(&self, slot: u32) -> Filter {
        self.filters.get(slot as usize).copied().unwrap_or_default()
    }

    /// The live slots, ascending.
    pub fn live(&self) -> impl Iterator<Item = u32> + '_ {
        self.live.iter()
    }

    /// The slots whose box was inserted, moved or removed in this frame, ascending.
    pub fn changed(&self) -> impl Iterator<Item = u32> + '_ {
        self.changed.iter()
    }

    /// The slots whose box was inserted in this frame, ascending.
    pub fn born(&self) -> impl Iterator<Item = u32> + '_ {
        self.born.iter()
    }

    /// How many slots [`changed`](Boxes::changed) has.
    pub fn changed_count(&self) -> usize {
        self.changed.count()
    }

    /// Whether any two boxes may meet: none is static, and all filters are [`Filter::ALL`].
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        self.special == 0
    }

    /// Whether the boxes in two slots may meet, wherever they are: filters allow it and not both are static.
    #[inline(always)]
    pub fn admits(&self, i: u32, j: u32) -> bool {
        self.is_plain()
            || (self.filters[i as usize].admits(self.filters[j as usize]) && !(self.is_static(i) && self.is_static(j)))
    }

    /// Whether the boxes in two slots have a common point.
    #[inline(always)]
    pub fn touch(&self, i: u32, j: u32) -> bool {
        self.bounds[i as usize].meets(&self.bounds[j as usize])
    }

    /// Whether the boxes in two slots are a pair: they have a common point and may meet.
    #[inline(always)]
    pub fn meet(&self, i: u32, j: u32) -> bool {
        self.touch(i, j) && self.admits(i, j)
    }

    /// Ends the frame: what changed until now is forgotten. Call it once all phases are refreshed.
    pub fn settle(&mut self) {
        self.changed.clear();
        self.born.clear();
        self.before = self.frame;
        self.frame = next_frame();
    }

    /// The number of this frame, which no other frame of any store has.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Whether [`changed`](Boxes::changed) includes all that changed since a refresh in frame `seen`; else a phase has
    /// to read everything. It may include changes of the same frame that the phase took in already.
    pub fn continues(&self, seen: u64) -> bool {
        seen == self.frame || seen == self.before
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let sets = [&self.live, &self.fixed, &self.changed, &self.born].map(Bits::bytes).iter().sum::<usize>();
        self.bounds.capacity() * size_of::<Aabb>()
            + self.filters.capacity() * size_of::<Filter>()
            + (self.generations.capacity() + self.free.capacity()) * 4
            + sets
    }
}
