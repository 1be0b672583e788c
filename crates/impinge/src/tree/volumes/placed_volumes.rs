//! The volumes of the inner tree in the outer tree's frame: placed when a descent first needs them, and kept.
//!
//! Volumes of the outer tree stand still; those of the inner are placed in the outer's frame, each when the descent
//! first comes to it, and kept until the query ends: so k-DOPs are tumbled lazily (J. Klosowski et al., *Efficient
//! collision detection using bounding volume hierarchies of k-DOPs*, TVCG 4(1), 1998).
//!
//! From query to query only the allocated room is kept. Volumes that another query has placed are never used.

use std::any::Any;
use std::fmt;

use crate::tree::nodes::WIDTH;

/// Room for placed volumes of any kind, kept so that no query allocates.
#[derive(Default)]
pub(crate) struct PlacedVolumes {
    /// Number of the current query.
    query: u64,
    /// A [`PlacedOf`] of the kind that the last query used.
    room: Option<Box<dyn Any + Send + Sync>>,
}

/// Placed volumes of one kind, each at its slot modulo their number. Of two slots that share a place the one that was
/// placed last is kept; the other is placed again when it is needed again.
pub(super) struct PlacedOf<P>(Vec<Option<PlacedVolume<P>>>);

struct PlacedVolume<P> {
    query: u64,
    slot: u32,
    placed: P,
}

/// Most volumes kept placed. Those of one descent lie near each other; of a large tree more are placed twice.
const MOST_PLACED: usize = 1 << 12;

impl PlacedVolumes {
    /// A query begins on an inner tree with so many volumes.
    pub(super) fn begin_query<P: Send + Sync + 'static>(&mut self, volumes: usize) {
        self.query += 1;
        let size = volumes.clamp(WIDTH, MOST_PLACED).next_power_of_two();
        let room = self.room.as_ref().and_then(|room| room.downcast_ref::<PlacedOf<P>>());
        if room.is_none_or(|room| room.0.len() < size) {
            self.room = Some(Box::new(PlacedOf::<P>((0..size).map(|_| None).collect())));
        }
    }

    /// The number of the query and the room for its volumes; `None` when it was made for another kind.
    #[inline(always)]
    pub(super) fn of_kind<P: Send + Sync + 'static>(&mut self) -> Option<(u64, &mut PlacedOf<P>)> {
        Some((self.query, self.room.as_mut()?.downcast_mut()?))
    }
}

impl<P> PlacedOf<P> {
    /// The volume of a slot; `place` places it if this query has not placed it yet, or another has taken its place.
    #[inline(always)]
    pub(super) fn at(&mut self, query: u64, slot: u32, place: impl FnOnce() -> P) -> &P {
        let index = slot as usize & (self.0.len() - 1);
        let entry = &mut self.0[index];
        if !entry.as_ref().is_some_and(|entry| entry.query == query && entry.slot == slot) {
            *entry = None;
        }
        &entry.get_or_insert_with(|| PlacedVolume { query, slot, placed: place() }).placed
    }
}

/// A copy starts without the room, which is not worth copying.
impl Clone for PlacedVolumes {
    fn clone(&self) -> Self {
        PlacedVolumes::default()
    }
}

impl fmt::Debug for PlacedVolumes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlacedVolumes").field("query", &self.query).finish_non_exhaustive()
    }
}
