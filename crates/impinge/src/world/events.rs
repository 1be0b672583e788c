//! Which contacts have begun, last on and have ended since the last look.
//!
//! The bodies that touch now and those that touched at the last look are two lists sorted by ids; one pass over both
//! tells them apart. An id is never given twice, so a body that was removed and another that took its slot are two.
//!
//! Cost: that of [`World::within`], whose pairs remember, and one step for each contact.

use std::cmp::Ordering;

use super::body::BodyId;
use super::known_pair::TouchedPair;
use super::state::World;

/// What has become of a contact since the last look.
///
/// ```
/// use impinge::{Body, EventKind, Pose, Round, World};
/// let mut world = World::new();
/// let a = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
/// world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
/// let mut kinds = Vec::new();
/// for frame in 0..3 {
///     if frame == 2 {
///         world.remove(a)?;
///     }
///     kinds.extend(world.events(0.0).iter().map(|event| event.kind));
/// }
/// assert_eq!(kinds, [EventKind::Begin, EventKind::Stay, EventKind::End]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// They touch, and did not at the last look.
    Begin,
    /// They touch, as they did.
    Stay,
    /// They no longer touch, may no longer meet, or one of them was removed.
    End,
}

crate::error::named! { EventKind { Begin = "begin", Stay = "stay", End = "end" } }

/// What has become of the contact of two bodies since the last look.
///
/// ```
/// use impinge::{glam::DVec3, Body, EventKind, Pose, Round, World};
/// let mut world = World::new();
/// let gate = Round::cuboid(DVec3::splat(2.0))?;
/// let gate = world.add(Body { sensor: true, ..Body::new(gate, Pose::IDENTITY) })?;
/// let ball = world.add(Body::new(Round::sphere(0.5)?, Pose::at(DVec3::X)?))?;
/// let event = world.events(0.0)[0];
/// assert!((event.a, event.b, event.kind) == (gate, ball, EventKind::Begin) && event.sensor);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactEvent {
    /// What has become of it.
    pub kind: EventKind,
    /// The body with the lesser id. It may have been removed where the contact has ended.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// Whether one of them is a sensor; of a contact that has ended, whether one was.
    pub sensor: bool,
}

impl World {
    /// Which contacts have begun, last on or have ended since the last call? Sorted by the ids of the bodies. Bodies
    /// as near as `tolerance` count as touching, by the rule of [`World::within`]; at 0 those that touch, exactly.
    ///
    /// The first call tells of every contact that it has begun. Sensors are told as well. What touches and parts
    /// between two calls is not seen; [`World::advance`] sees it.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, EventKind, Pose, Round, World};
    /// let mut world = World::new();
    /// let floor = world.add(Body::new(Round::half_space(DVec3::Z, 0.0)?, Pose::IDENTITY))?;
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::Z * 0.5)?))?;
    /// let events = world.events(0.0);
    /// assert_eq!((events[0].a, events[0].b, events[0].kind), (floor, ball, EventKind::Begin));
    /// world.place(ball, Pose::at(DVec3::Z * 3.0)?)?;
    /// assert_eq!(world.events(0.0)[0].kind, EventKind::End);
    /// assert!(world.events(0.0).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn events(&mut self, tolerance: f64) -> Vec<ContactEvent> {
        let met = self.within(tolerance);
        let is_sensor = |id: BodyId| self.in_slot(id.slot).is_some_and(|body| body.sensor);
        let now: Vec<TouchedPair> = met
            .iter()
            .map(|met| TouchedPair { ids: [met.a, met.b], sensor: is_sensor(met.a) || is_sensor(met.b) })
            .collect();
        let before = std::mem::replace(&mut self.touching, now);
        changes(&before, &self.touching)
    }
}

/// What is in one sorted list, in both, and in the other.
fn changes(before: &[TouchedPair], now: &[TouchedPair]) -> Vec<ContactEvent> {
    let (mut old, mut new) = (before.iter().peekable(), now.iter().peekable());
    let event = |kind, of: &TouchedPair| ContactEvent { kind, a: of.ids[0], b: of.ids[1], sensor: of.sensor };
    let mut events = Vec::with_capacity(now.len());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return events,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(x), Some(y)) => x.ids.cmp(&y.ids),
        };
        let ended = if order == Ordering::Greater { None } else { old.next() };
        let touching = if order == Ordering::Less { None } else { new.next() };
        match (ended, touching) {
            (Some(ended), None) => events.push(event(EventKind::End, ended)),
            (before, Some(now)) => {
                let kind = if before.is_some() { EventKind::Stay } else { EventKind::Begin };
                events.push(event(kind, now));
            }
            (None, None) => return events,
        }
    }
}
