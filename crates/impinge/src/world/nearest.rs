//! The body nearest to a given one: takes the other bodies by the distance of their boxes, until the next box is
//! farther than the nearest body.
//!
//! Cost: one pass over the boxes, which makes a heap of them, and for each box nearer than the answer a step down the
//! heap and a distance query. The other boxes are never sorted.

use super::body::BodyId;
use super::error::WorldError;
use super::state::World;
use super::verbs::Met;
use crate::answer::Distance;
use crate::pair;
use crate::search::best_first::{BestFirst, LowerBound};

impl World {
    /// The nearest body that this one may meet, and how far it is; `None` where there is none.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let mut ids = Vec::new();
    /// for x in [0.0, 5.0, 9.0, 20.0] {
    ///     ids.push(world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::X * x)?))?);
    /// }
    /// let nearest = world.nearest(ids[1])?.unwrap();
    /// assert_eq!((nearest.b, nearest.answer.interval.contains(2.0)), (ids[2], true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body.
    pub fn nearest(&self, id: BodyId) -> Result<Option<Met<Distance>>, WorldError> {
        let one = self.known(id)?;
        let others = self.slots.iter().zip(0u32..).filter_map(|(slot, at)| {
            let other = slot.body.as_ref()?;
            let asked = at != id.slot && one.body.may_meet(&other.body) && self.rules.admit(id, self.id(at));
            asked.then(|| ((LowerBound(one.gap(other)), at), ()))
        });
        // The others by the distance of their boxes, of equal ones the least slot first.
        let mut others: BestFirst<_, _> = others.collect();
        let mut best: Option<Met<Distance>> = None;
        while let Some(((LowerBound(gap), at), ())) = others.pop() {
            if best.as_ref().is_some_and(|met| met.answer.interval.upper <= gap) {
                break;
            }
            let Some(other) = self.in_slot(at) else { continue };
            let answer = pair::distance(&one.body.model, &one.body.pose, &other.model, &other.pose);
            // A body without points has no distance.
            let nearer = best.as_ref().is_none_or(|met| answer.interval.upper < met.answer.interval.upper);
            if nearer && answer.interval.upper.is_finite() {
                best = Some(Met { a: id, b: self.id(at), answer });
            }
        }
        Ok(best)
    }
}
