//! Lists the pairs of bodies that may be near each other where they are placed.
//!
//! The list has the pairs that the broad phase finds, sorted. A pair that was in the last list keeps what is remembered
//! of it; the memory of a pair that is no longer found is dropped.

use super::body::{Body, BodyId};
use super::known_pair::KnownPair;
use super::state::World;

impl World {
    /// Brings the broad phase up to date, and returns how many pairs of bodies have boxes that meet and are not left
    /// out. Every verb does this first; a caller that does it before a verb can measure the time of the broad phase
    /// apart from that of the answers.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// world.add(Body::new(ball, Pose::at(DVec3::X * 1.5)?))?;
    /// assert_eq!(world.refresh(), 1, "the boxes of the two meet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refresh(&mut self) -> usize {
        self.list();
        self.known_pairs.len()
    }

    /// How many pairs of bodies have boxes that meet and are not left out. The pairs are counted as the broad phase
    /// shows them and not listed, so that n bodies in one place take no n² of memory.
    ///
    /// ```
    /// use impinge::{Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = Round::sphere(1.0)?;
    /// for _ in 0..1000 {
    ///     world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
    /// }
    /// assert_eq!(world.count_pairs(), 499_500);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_pairs(&mut self) -> u64 {
        if self.listed {
            return self.known_pairs.len() as u64;
        }
        let mut count = 0;
        self.each_placed_pair(|_| count += 1);
        count
    }

    /// Brings the broad phase and the list up to date.
    pub(super) fn list(&mut self) {
        if std::mem::replace(&mut self.listed, true) {
            return;
        }
        let mut found: Vec<u64> = Vec::with_capacity(self.known_pairs.len());
        // As one number each, which sorts in half the time.
        self.each_placed_pair(|[i, j]| found.push(u64::from(i) << 32 | u64::from(j)));
        found.sort_unstable();
        let slots = found.into_iter().map(|pair| [(pair >> 32) as u32, pair as u32]);
        let known = self.known_pairs.iter().map(|known| known.slots);
        if slots.clone().eq(known) {
            return;
        }
        let mut old = std::mem::take(&mut self.known_pairs).into_iter().peekable();
        self.known_pairs = slots
            .map(|slots| {
                while old.next_if(|known| known.slots < slots).is_some() {}
                old.next_if(|known| known.slots == slots).unwrap_or(KnownPair::new(slots))
            })
            .collect();
    }

    /// Every two bodies that may be near each other where they are placed and are not left out.
    fn each_placed_pair(&mut self, mut visit: impl FnMut([u32; 2])) {
        self.box_movers_where_placed();
        let World { near, rules, slots, .. } = self;
        near.each(&mut |pairs| {
            for &[i, j] in pairs {
                let [a, b] = [i, j].map(|slot| &slots[slot as usize]);
                let id = |slot, generation| BodyId { slot, generation };
                // A static body with a motion is static to the verbs only: while the world advances it moves.
                let may_meet = a.body.as_ref().zip(b.body.as_ref()).is_some_and(|(a, b)| a.body.may_meet(&b.body));
                if may_meet && rules.admit(id(i, a.generation), id(j, b.generation)) {
                    visit([i, j]);
                }
            }
        });
    }

    pub(super) fn in_slot(&self, slot: u32) -> Option<&Body> {
        self.slots[slot as usize].body.as_ref().map(|placed| &placed.body)
    }

    pub(super) fn id(&self, slot: u32) -> BodyId {
        BodyId { slot, generation: self.slots[slot as usize].generation }
    }
}
