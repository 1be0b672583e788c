//! Which pairs came and which went: the phase says it where it knows, else two sorted lists are compared.
//!
//! Cost of the difference: the list of all pairs, sorted, so O(k log k) time and 16 bytes a pair. Coherent hashing and
//! sweep and prune have the changes at hand ([`BroadPhase::changes`]) and store nothing here.

use super::boxes::Boxes;
use super::broad_phase::BroadPhase;
use super::events::Events;

/// The pairs of one phase, followed from frame to frame.
///
/// ```
/// use impinge::bound::Aabb;
/// use impinge::broad::{Boxes, Filter, Mobility, PairSet, Phase};
/// use impinge::glam::DVec3;
///
/// let mut boxes = Boxes::new();
/// let unit = Aabb::new(DVec3::ZERO, DVec3::ONE);
/// let ids = [unit, unit].map(|b| boxes.insert(b, Filter::ALL, Mobility::Moving));
/// let (mut phase, mut pairs) = (Phase::AllPairs.start(), PairSet::new());
/// phase.refresh(&boxes);
/// assert_eq!(pairs.update(phase.as_mut(), &boxes).added, [[0, 1]]);
/// boxes.settle();
///
/// boxes.remove(ids[0]?)?;
/// phase.refresh(&boxes);
/// assert_eq!(pairs.update(phase.as_mut(), &boxes).removed, [[0, 1]]);
/// # Ok::<(), impinge::broad::BoxError>(())
/// ```
#[derive(Debug, Default)]
pub struct PairSet {
    known: Vec<[u32; 2]>,
    now: Vec<[u32; 2]>,
    events: Events,
}

impl PairSet {
    /// A set that knows no pairs yet.
    pub fn new() -> PairSet {
        PairSet::default()
    }

    /// What came and went since the last call. Call it between `refresh` and [`Boxes::settle`], once a frame, always
    /// with the same phase.
    pub fn update(&mut self, phase: &mut dyn BroadPhase, boxes: &Boxes) -> &Events {
        self.events.clear();
        if phase.changes(boxes, &mut self.events) {
            self.events.added.sort_unstable();
            self.events.removed.sort_unstable();
            return &self.events;
        }
        self.now.clear();
        phase.pairs(boxes, &mut |pairs| self.now.extend_from_slice(pairs));
        self.now.sort_unstable();
        self.difference(boxes);
        std::mem::swap(&mut self.known, &mut self.now);
        &self.events
    }

    /// Walks both sorted lists at once.
    fn difference(&mut self, boxes: &Boxes) {
        let Events { added, removed } = &mut self.events;
        let (mut old, mut new) = (self.known.iter().peekable(), self.now.iter().peekable());
        loop {
            match (old.peek(), new.peek()) {
                (Some(a), Some(b)) if a == b => {
                    if boxes.is_born(a[0]) || boxes.is_born(a[1]) {
                        removed.push(**a);
                        added.push(**a);
                    }
                    old.next();
                    new.next();
                }
                (Some(a), Some(b)) if a > b => added.extend(new.next()),
                (Some(_), _) => removed.extend(old.next()),
                (None, Some(_)) => added.extend(new.next()),
                (None, None) => break,
            }
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let lists = [&self.known, &self.now, &self.events.added, &self.events.removed];
        lists.iter().map(|list| list.capacity() * 8).sum()
    }
}
