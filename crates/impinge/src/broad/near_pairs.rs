//! Which of many things are near each other: a box for each, and the pairs that one broad phase leaves of them.
//!
//! The one source of near pairs: the verbs of a [`World`](crate::World), its windows of time, and the parts of an
//! assembly all use it. A thing is known by a number that the caller gives; the numbers should be small, and may be
//! used again once the thing is gone. The phase is the caller's choice and is kept: from frame to frame it learns which
//! boxes have changed, so a frame in which m of n things move costs what the phase takes for m, and the pairs. A thing
//! that changes between two frames is looked up on its own ([`NearPairs::near`]).
//!
//! Invariant: each pair of things that both have points, whose boxes meet or one of which is unbounded, and whose
//! filters and mobilities allow it, is shown once.

use super::store::box_id::BoxId;
use super::store::boxes::Boxes;
use super::store::broad_phase::{BroadPhase, Counts};
use super::store::error::{BoxError, check};
use super::store::filter::{Filter, Mobility};
use super::tree::dynamic_tree::DynamicTree;
use crate::bound::Aabb;

/// The number of changed boxes up to which they are compared one by one before the phase takes them in.
const MOST_CHANGED: usize = 64;

/// The space that a thing occupies.
///
/// ```
/// use impinge::{bound::Aabb, broad::Space, glam::DVec3};
/// let cube = Space::Box(Aabb::new(DVec3::ZERO, DVec3::ONE));
/// assert!(cube.meets(&Space::Unbounded) && !cube.meets(&Space::Empty));
/// assert!(!cube.meets(&Space::Box(Aabb::new(DVec3::splat(2.0), DVec3::splat(3.0)))));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Space {
    /// It has no points, and is near nothing.
    Empty,
    /// It lies within a box.
    Box(Aabb),
    /// No box contains it: it is near all things that have points.
    Unbounded,
}

impl Space {
    /// The space of a thing within these bounds, wider by half of `reach` on every side; unbounded where there are
    /// none.
    pub fn reaching(bounds: Option<Aabb>, reach: f64) -> Space {
        match bounds {
            None => Space::Unbounded,
            Some(b) if b.is_empty() => Space::Empty,
            Some(b) => Space::Box(b.reaching(reach)),
        }
    }

    /// Whether the two spaces have a common point.
    pub fn meets(&self, other: &Space) -> bool {
        match (self, other) {
            (Space::Empty, _) | (_, Space::Empty) => false,
            (Space::Box(x), Space::Box(y)) => x.meets(y),
            (Space::Unbounded, _) | (_, Space::Unbounded) => true,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Thing {
    /// The box; `None` where the space is empty or unbounded.
    boxed: Option<BoxId>,
    unbounded: bool,
    filter: Filter,
    mobility: Mobility,
}

impl Thing {
    fn may_meet(&self, other: &Thing) -> bool {
        let both_static = self.mobility == Mobility::Static && other.mobility == Mobility::Static;
        !both_static && self.filter.admits(other.filter)
    }

    fn has_points(&self) -> bool {
        self.unbounded || self.boxed.is_some()
    }
}

/// Things, their boxes, and a broad phase.
///
/// ```
/// use impinge::bound::Aabb;
/// use impinge::broad::{Filter, Mobility, NearPairs, Phase, Space};
/// use impinge::glam::DVec3;
/// let mut near = NearPairs::new(Phase::DynamicTree.start());
/// for (thing, x) in [(0, 0.0), (1, 0.5), (2, 9.0)] {
///     let space = Space::Box(Aabb::new(DVec3::splat(x), DVec3::splat(x + 1.0)));
///     near.put(thing, space, Filter::ALL, Mobility::Moving)?;
/// }
/// let mut pairs = Vec::new();
/// near.each(&mut |some| pairs.extend_from_slice(some));
/// assert_eq!(pairs, [[0, 1]]);
/// # Ok::<(), impinge::broad::BoxError>(())
/// ```
#[derive(Debug)]
pub struct NearPairs {
    boxes: Boxes,
    things: Vec<Option<Thing>>,
    /// The thing of each slot of `boxes`.
    owners: Vec<u32>,
    /// Unbounded things, ascending.
    unbounded: Vec<u32>,
    phase: Box<dyn BroadPhase>,
    /// Looks up single boxes where the phase cannot; started with the first of these.
    look_up: Option<DynamicTree>,
    /// How many more frames this tree is taken along without being used. After that it is built anew when it is.
    spare: u8,
}

/// Frames for which a tree that nobody uses is kept up to date.
const SPARE: u8 = 16;

/// The copy finds the same pairs from then on, in the same order.
impl Clone for NearPairs {
    fn clone(&self) -> NearPairs {
        NearPairs {
            boxes: self.boxes.twin(),
            things: self.things.clone(),
            owners: self.owners.clone(),
            unbounded: self.unbounded.clone(),
            phase: self.phase.boxed_clone(),
            look_up: self.look_up.clone(),
            ..*self
        }
    }
}

impl NearPairs {
    /// A source without things, with the phase that will find their pairs.
    pub fn new(phase: Box<dyn BroadPhase>) -> NearPairs {
        let (boxes, things, owners, unbounded) = (Boxes::new(), Vec::new(), Vec::new(), Vec::new());
        NearPairs { boxes, things, owners, unbounded, phase, look_up: None, spare: 0 }
    }

    fn thing(&self, thing: u32) -> Option<Thing> {
        self.things.get(thing as usize).copied().flatten()
    }

    /// Whether there is such a thing.
    pub fn contains(&self, thing: u32) -> bool {
        self.thing(thing).is_some()
    }

    /// Whether [`put`](NearPairs::put) would take this space.
    ///
    /// # Errors
    /// As [`put`](NearPairs::put).
    pub fn accepts(space: &Space) -> Result<(), BoxError> {
        if let Space::Box(b) = space { check(b) } else { Ok(()) }
    }

    /// Adds a thing, or tells where it is now and which others it may meet.
    ///
    /// # Errors
    /// The box is empty, not finite or beyond ±1e150, or there are 2³² already; all is then as it was.
    pub fn put(&mut self, thing: u32, space: Space, filter: Filter, mobility: Mobility) -> Result<(), BoxError> {
        let old = self.thing(thing);
        if let (Space::Box(b), Some(Thing { boxed: Some(id), unbounded: false, filter: f, mobility: m })) = (space, old)
            && f == filter
            && m == mobility
        {
            // Only its place is another, as in most frames.
            return self.boxes.update(id, b);
        }
        let held = old.and_then(|old| old.boxed);
        let boxed = match (space, held) {
            (Space::Box(b), Some(id)) if old.is_some_and(|old| old.mobility == mobility) => {
                self.boxes.update(id, b)?;
                if old.is_some_and(|old| old.filter != filter) {
                    self.boxes.set_filter(id, filter)?;
                }
                Some(id)
            }
            (Space::Box(b), _) => Some(self.boxes.insert(b, filter, mobility)?),
            _ => None,
        };
        if let Some(id) = held.filter(|_| held != boxed) {
            self.boxes.remove(id)?;
        }
        if let Some(id) = boxed {
            self.owners.resize(self.owners.len().max(id.slot() as usize + 1), 0);
            self.owners[id.slot() as usize] = thing;
        }
        self.things.resize(self.things.len().max(thing as usize + 1), None);
        let unbounded = space == Space::Unbounded;
        self.things[thing as usize] = Some(Thing { boxed, unbounded, filter, mobility });
        self.list_as_unbounded(thing, unbounded);
        Ok(())
    }

    /// Changes which others a thing may meet; does nothing if there is no such thing.
    ///
    /// # Errors
    /// None where the thing was put in.
    pub fn set_filter(&mut self, thing: u32, filter: Filter) -> Result<(), BoxError> {
        let Some(Some(known)) = self.things.get_mut(thing as usize) else { return Ok(()) };
        known.filter = filter;
        known.boxed.map_or(Ok(()), |id| self.boxes.set_filter(id, filter))
    }

    /// Removes a thing; does nothing if there is no such thing.
    ///
    /// # Errors
    /// None where the thing was put in.
    pub fn remove(&mut self, thing: u32) -> Result<(), BoxError> {
        let Some(known) = self.things.get_mut(thing as usize).and_then(Option::take) else { return Ok(()) };
        self.list_as_unbounded(thing, false);
        known.boxed.map_or(Ok(()), |id| self.boxes.remove(id))
    }

    fn list_as_unbounded(&mut self, thing: u32, listed: bool) {
        match (self.unbounded.binary_search(&thing), listed) {
            (Err(at), true) => self.unbounded.insert(at, thing),
            (Ok(at), false) => drop(self.unbounded.remove(at)),
            _ => {}
        }
    }

    /// The phase takes in what has changed.
    fn refresh(&mut self) {
        self.phase.refresh(&self.boxes);
        if let Some(tree) = self.look_up.as_mut().filter(|_| self.spare > 0) {
            tree.refresh(&self.boxes);
        }
        self.spare = self.spare.saturating_sub(1);
        self.boxes.settle();
    }

    /// Shows every pair of things that are near each other, in slices, the lesser number first: pairs of boxes in the
    /// order of the phase, then those of unbounded things.
    pub fn each(&mut self, visit: &mut dyn FnMut(&[[u32; 2]])) {
        self.refresh();
        let NearPairs { boxes, things, owners, unbounded, phase, .. } = self;
        let mut slice = Vec::new();
        phase.pairs(boxes, &mut |pairs| {
            slice.clear();
            slice.extend(pairs.iter().map(|&[i, j]| sorted(owners[i as usize], owners[j as usize])));
            visit(&slice);
        });
        for &one in &*unbounded {
            let Some(known) = things[one as usize] else { continue };
            slice.clear();
            for (other, thing) in (0..).zip(&*things) {
                // Of two unbounded things only the lesser shows the pair.
                let again = other < one && thing.is_some_and(|thing| thing.unbounded);
                let near = |thing: &Thing| thing.has_points() && known.may_meet(thing);
                if other != one && !again && thing.as_ref().is_some_and(near) {
                    slice.push(sorted(one, other));
                }
            }
            visit(&slice);
        }
    }

    /// Shows the things that are near one, as it is now, in no order. What has not changed since [`NearPairs::each`] is
    /// found by the phase ([`BroadPhase::near_box`]), or by a tree of its own where the phase cannot look up one box.
    pub fn near(&mut self, thing: u32, visit: &mut dyn FnMut(u32)) {
        let Some(known) = self.thing(thing) else { return };
        if known.unbounded {
            let near = |(other, one): &(u32, &Option<Thing>)| {
                *other != thing && one.as_ref().is_some_and(|one| one.has_points() && known.may_meet(one))
            };
            return (0..).zip(&self.things).filter(near).for_each(|(other, _)| visit(other));
        }
        let Some(id) = known.boxed else { return };
        if self.boxes.changed_count() > MOST_CHANGED {
            self.refresh();
        }
        let NearPairs { boxes, things, owners, unbounded, phase, look_up, .. } = self;
        let (own, Some(&bounds)) = (id.slot(), boxes.bounds(id)) else { return };
        let mut unchanged = |slot| {
            if slot != own && boxes.is_live(slot) && !boxes.is_changed(slot) && boxes.meet(own, slot) {
                visit(owners[slot as usize]);
            }
        };
        if !phase.near_box(boxes, &bounds, &mut unchanged) {
            if self.spare == 0 || look_up.is_none() {
                look_up.get_or_insert_default().refresh(boxes);
            }
            self.spare = SPARE;
            let tree = look_up.get_or_insert_default();
            tree.near_box(boxes, &bounds, &mut unchanged);
        }
        let changed = boxes.changed().filter(|&slot| slot != own && boxes.is_live(slot) && boxes.meet(own, slot));
        changed.for_each(|slot| visit(owners[slot as usize]));
        let may_meet = |other: &&u32| things[**other as usize].is_some_and(|other| known.may_meet(&other));
        unbounded.iter().filter(may_meet).for_each(|&other| visit(other));
    }

    /// What the phase did so far, and the tree of [`NearPairs::near`].
    pub fn counts(&self) -> Counts {
        let counts = self.phase.counts();
        self.look_up.as_ref().map_or(counts, |tree| counts.plus(&tree.counts()))
    }
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;
    use crate::broad::phase::Phase;

    /// Collects the things that are near a given one.
    fn beside(things: &[Option<(Space, Filter, Mobility)>], at: u32) -> Vec<u32> {
        let Some((x, f, m)) = things[at as usize] else { return Vec::new() };
        let near = |(other, thing): &(u32, &Option<(Space, Filter, Mobility)>)| {
            let meets =
                |(y, g, n): &(Space, Filter, Mobility)| x.meets(y) && f.admits(*g) && [m, *n] != [Mobility::Static; 2];
            *other != at && thing.as_ref().is_some_and(meets)
        };
        (0..).zip(things).filter(near).map(|(other, _)| other).collect()
    }

    fn thing() -> impl Strategy<Value = Option<(Space, Filter, Mobility)>> {
        let space = (prop::array::uniform3(0.0..6.0f64), prop::array::uniform3(0.0..2.0f64), 0..20u8).prop_map(
            |(low, size, kind)| match kind {
                0 => Space::Unbounded,
                1 => Space::Empty,
                _ => Space::Box(Aabb::new(DVec3::from_array(low), DVec3::from_array(low) + DVec3::from_array(size))),
            },
        );
        let filter = (0..8u32).prop_map(|mask| if mask == 0 { Filter { group: 1, mask } } else { Filter::ALL });
        let mobility = any::<bool>().prop_map(|fixed| if fixed { Mobility::Static } else { Mobility::Moving });
        prop::option::weighted(0.9, (space, filter, mobility))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// In each frame boxes change. Each is looked up when it has changed, and at the end all are looked up
        /// together.
        #[test]
        fn as_two_loops_find_them(
            frames in prop::collection::vec(prop::collection::vec((0..240u32, thing()), 1..90), 1..6),
        ) {
            for &phase in Phase::EACH {
                let mut near = NearPairs::new(phase.start());
                let mut things = vec![None; 240];
                for frame in &frames {
                    for &(at, thing) in frame {
                        things[at as usize] = thing;
                        match thing {
                            Some((space, filter, mobility)) => near.put(at, space, filter, mobility).unwrap(),
                            None => near.remove(at).unwrap(),
                        }
                        let mut found = Vec::new();
                        near.near(at, &mut |other| found.push(other));
                        found.sort_unstable();
                        prop_assert_eq!(&found, &beside(&things, at), "{} near {}", phase, at);
                    }
                    let mut pairs = Vec::new();
                    near.each(&mut |some| pairs.extend_from_slice(some));
                    pairs.sort_unstable();
                    let later = |at: u32| beside(&things, at).into_iter().filter(move |&b| b > at);
                    let above = |at: u32| later(at).map(move |b| [at, b]);
                    prop_assert_eq!(&pairs, &(0..240).flat_map(above).collect::<Vec<_>>(), "{}", phase);
                }
            }
        }
    }

    /// A thing that changes between two frames is compared with those near it, by every phase but the one that always
    /// compares all.
    #[test]
    fn a_look_up_compares_few_boxes() {
        for &phase in Phase::EACH {
            let mut near = NearPairs::new(phase.start());
            for k in 0..4096 {
                let low = DVec3::new(f64::from(k % 64), f64::from(k / 64), 0.0) * 2.0;
                near.put(k, Space::Box(Aabb::new(low, low + 1.0)), Filter::ALL, Mobility::Moving).unwrap();
            }
            near.each(&mut |_| {});
            let mut compared = Vec::new();
            for k in 0..8 {
                let low = DVec3::new(f64::from(2 * k) + 0.5, 0.5, 0.0);
                near.put(7, Space::Box(Aabb::new(low, low + 1.0)), Filter::ALL, Mobility::Moving).unwrap();
                let before = near.counts();
                near.near(7, &mut |_| {});
                let after = near.counts();
                compared.push(after.tests + after.nodes - before.tests - before.nodes);
            }
            assert!(compared[1..].iter().all(|&boxes| 0 < boxes && boxes < 500), "{phase}: {compared:?}");
        }
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let mut near = NearPairs::new(Phase::Auto.start());
        let unit = Space::Box(Aabb::new(DVec3::ZERO, DVec3::ONE));
        for thing in 0..2 {
            near.put(thing, unit, Filter::ALL, Mobility::Moving).unwrap();
        }
        let far = Space::Box(Aabb::new(DVec3::splat(1e200), DVec3::splat(1e201)));
        for mobility in [Mobility::Moving, Mobility::Static] {
            assert!(near.put(1, far, Filter::ALL, mobility).is_err() && NearPairs::accepts(&far).is_err());
        }
        let mut pairs = Vec::new();
        near.each(&mut |some| pairs.extend_from_slice(some));
        assert_eq!(pairs, [[0, 1]]);
        assert!(near.remove(7).is_ok() && !near.contains(7) && near.contains(1));
    }
}
