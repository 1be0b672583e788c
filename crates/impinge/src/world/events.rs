//! Which contacts have begun, last on and have ended since the last look.
//!
//! The bodies that touch now and those that touched at the last look are two lists sorted by ids; one pass over both
//! tells them apart. An id is never given twice, so a body that was removed and another that took its slot are two. Of
//! bodies in both lists the points are told apart in the same way.
//!
//! Cost: that of [`World::within`] and of the manifolds of what touches, whose pairs remember, and one step for each
//! contact and point.

use std::cmp::Ordering;

use super::body::BodyId;
use super::known_pair::{TouchedPair, TouchedPoint};
use super::paces::Asked;
use super::state::World;
use super::verbs::Near;
use crate::answer::Feature;
use crate::manifolds::{KeptPoints, ManifoldOptions};

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
/// let event = &world.events(0.0)[0];
/// assert!((event.a, event.b, event.kind) == (gate, ball, EventKind::Begin) && event.sensor);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// What has become of each of its points, sorted by their ids.
    pub points: Vec<PointEvent>,
}

/// What has become of one point of contact since the last look.
///
/// ```
/// use impinge::{glam::{DQuat, DVec3}, Body, EventKind, Pose, Round, World};
/// let mut world = World::new();
/// world.add(Body::new(Round::half_space(DVec3::Z, 0.0)?, Pose::IDENTITY))?;
/// let cube = world.add(Body::new(Round::cuboid(DVec3::splat(2.0))?, Pose::at(DVec3::Z)?))?;
/// let begun = world.events(0.0).remove(0).points;
/// assert!(begun.len() == 4 && begun.iter().all(|point| point.kind == EventKind::Begin));
/// // Tipped over a little it stands on one side: two of the points end, two stay, by their ids.
/// world.place(cube, Pose::new(DVec3::Z * 1.09, DQuat::from_rotation_y(0.1))?)?;
/// let kinds = world.events(0.0).remove(0).points.into_iter().map(|point| point.kind);
/// assert_eq!(kinds.filter(|kind| *kind == EventKind::Stay).count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointEvent {
    /// What has become of it.
    pub kind: EventKind,
    /// The number made from its features, as that of [`ContactPoint::id`](crate::ContactPoint::id).
    pub id: u64,
    /// The features of `a` and `b` that meet there, or met.
    pub features: [Feature; 2],
}

impl World {
    /// Which contacts have begun, last on or have ended since the last call? Sorted by the ids of the bodies. Bodies
    /// as near as `tolerance` count as touching, by the rule of [`World::within`]; at 0 those that touch, exactly.
    ///
    /// Each event has the points of the contact, of manifolds with all points and the tolerance as prediction, and
    /// tells of each whether it has begun, stays or has ended: a point is known by its features from call to call.
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
        let options = ManifoldOptions { prediction: tolerance, points: KeptPoints::All };
        let met = self.ask_memory(Asked::Within, Near::within(tolerance), |memory, a, b| {
            if !memory.pair.within(a, b, tolerance).within {
                return None;
            }
            memory.pair.manifolds(a, b, &options, &mut memory.manifolds);
            let points = memory.manifolds.points().iter();
            let mut points: Vec<TouchedPoint> =
                points.map(|p| TouchedPoint { id: p.id, features: p.features }).collect();
            points.sort_by_key(|point| point.id);
            points.dedup_by_key(|point| point.id);
            Some(points)
        });
        let is_sensor = |id: BodyId| self.in_slot(id.slot).is_some_and(|body| body.sensor);
        let now: Vec<TouchedPair> = met
            .into_iter()
            .map(|met| TouchedPair {
                ids: [met.a, met.b],
                sensor: is_sensor(met.a) || is_sensor(met.b),
                points: met.answer,
            })
            .collect();
        let before = std::mem::replace(&mut self.touching, now);
        compared(&before, &self.touching, |pair| pair.ids).into_iter().map(event).collect()
    }
}

fn event(pair: Compared<'_, TouchedPair>) -> ContactEvent {
    let before = pair.before.map_or(&[][..], |pair| &pair.points[..]);
    let now = if pair.kind == EventKind::End { &[][..] } else { &pair.latest.points[..] };
    let points = compared(before, now, |point| point.id).into_iter();
    let point = |point: Compared<'_, TouchedPoint>| {
        let TouchedPoint { id, features } = *point.latest;
        PointEvent { kind: point.kind, id, features }
    };
    let ([a, b], sensor) = (pair.latest.ids, pair.latest.sensor);
    ContactEvent { kind: pair.kind, a, b, sensor, points: points.map(point).collect() }
}

/// Something that is in one of two lists, or in both.
struct Compared<'t, T> {
    kind: EventKind,
    /// In the list of before.
    before: Option<&'t T>,
    /// As it is now, or was at last.
    latest: &'t T,
}

/// What is in one sorted list, in both, and in the other.
fn compared<'t, T, K: Ord>(before: &'t [T], now: &'t [T], key: impl Fn(&T) -> K) -> Vec<Compared<'t, T>> {
    let (mut old, mut new) = (before.iter().peekable(), now.iter().peekable());
    let mut all = Vec::with_capacity(now.len());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return all,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(x), Some(y)) => key(x).cmp(&key(y)),
        };
        let before = if order == Ordering::Greater { None } else { old.next() };
        let now = if order == Ordering::Less { None } else { new.next() };
        all.extend(match (before, now) {
            (None, None) => None,
            (Some(ended), None) => Some(Compared { kind: EventKind::End, before, latest: ended }),
            (Some(_), Some(latest)) => Some(Compared { kind: EventKind::Stay, before, latest }),
            (None, Some(latest)) => Some(Compared { kind: EventKind::Begin, before, latest }),
        });
    }
}
