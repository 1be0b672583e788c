//! Which bodies may be near each other, and what is remembered of them.
//!
//! The pairs of the broad phase, sorted, take over what the last list remembers; what is not among them any more is
//! dropped. Memory is made when a pair is first asked about.

use super::body::{Body, BodyId, PlacedBody};
use super::state::World;
use crate::pair::Pair;

/// Two bodies whose boxes meet.
#[derive(Debug)]
pub(super) struct Meeting {
    /// Their slots, ascending.
    pub(super) slots: [u32; 2],
    /// Which models the pair has.
    stamps: [u64; 2],
    pair: Option<Box<Pair>>,
}

impl Meeting {
    /// The pair, with the models that the bodies have now.
    pub(super) fn pair(&mut self, a: &PlacedBody, b: &PlacedBody) -> &mut Pair {
        let stamps = [a.stamp, b.stamp];
        let new = || Box::new(Pair::new(&a.body.model, &b.body.model));
        let pair = self.pair.get_or_insert_with(|| {
            self.stamps = stamps;
            new()
        });
        if self.stamps[0] != stamps[0] {
            pair.replace_a(&a.body.model);
        }
        if self.stamps[1] != stamps[1] {
            pair.replace_b(&b.body.model);
        }
        self.stamps = stamps;
        pair
    }
}

impl World {
    /// Brings the broad phase up to date, and says how many pairs of bodies have boxes that meet and are not left out.
    /// Every verb does so first; who calls it can tell the time of the broad phase from that of the answers.
    pub fn refresh(&mut self) -> usize {
        self.list();
        self.meetings.len()
    }

    /// How many pairs of bodies have boxes that meet and are not left out. They are counted as the broad phase shows
    /// them and not listed, so that n bodies in one place need no n² of memory.
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
            return self.meetings.len() as u64;
        }
        self.phase.refresh(&self.boxes);
        self.boxes.settle();
        let World { phase, boxes, owners, rules, slots, .. } = self;
        let id = |slot: u32| BodyId { slot, generation: slots[slot as usize].generation };
        let mut count = 0;
        phase.pairs(boxes, &mut |pairs| {
            let bodies = pairs.iter().map(|pair| pair.map(|boxed| owners[boxed as usize]));
            count += bodies.filter(|&[a, b]| rules.admit(id(a), id(b))).count() as u64;
        });
        let mut unbounded = Vec::new();
        self.list_unbounded(&mut unbounded);
        count + unbounded.iter().filter(|&&[a, b]| self.rules.admit(self.id(a), self.id(b))).count() as u64
    }

    /// Brings the broad phase and the list up to date.
    pub(super) fn list(&mut self) {
        if std::mem::replace(&mut self.listed, true) {
            return;
        }
        self.phase.refresh(&self.boxes);
        self.boxes.settle();
        let mut slots: Vec<[u32; 2]> = Vec::new();
        let owners = &self.owners;
        self.phase.pairs(&self.boxes, &mut |pairs| {
            slots.extend(pairs.iter().map(|&[i, j]| sorted(owners[i as usize], owners[j as usize])));
        });
        self.list_unbounded(&mut slots);
        slots.retain(|&[a, b]| self.rules.admit(self.id(a), self.id(b)));
        slots.sort_unstable();
        let mut old = std::mem::take(&mut self.meetings).into_iter().peekable();
        self.meetings = slots
            .into_iter()
            .map(|slots| {
                while old.next_if(|meeting| meeting.slots < slots).is_some() {}
                let kept = old.next_if(|meeting| meeting.slots == slots);
                kept.unwrap_or(Meeting { slots, stamps: [0; 2], pair: None })
            })
            .collect();
    }

    /// Bodies without bounds are near every other that has points.
    fn list_unbounded(&self, slots: &mut Vec<[u32; 2]>) {
        for &at in &self.unbounded {
            let Some(unbounded) = self.in_slot(at) else { continue };
            for other in 0..self.slots.len() as u32 {
                let both = other < at && self.unbounded.binary_search(&other).is_ok();
                let Some(body) = self.in_slot(other).filter(|_| other != at && !both) else { continue };
                if unbounded.may_meet(body) {
                    slots.push(sorted(at, other));
                }
            }
        }
    }

    pub(super) fn in_slot(&self, slot: u32) -> Option<&Body> {
        self.slots[slot as usize].body.as_ref().map(|placed| &placed.body)
    }

    pub(super) fn id(&self, slot: u32) -> BodyId {
        BodyId { slot, generation: self.slots[slot as usize].generation }
    }
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
