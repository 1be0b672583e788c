//! What a shape that moves straight, without turning, meets first: the short form of [`View::impact`].
//!
//! Bodies come in the order in which the box of the shape enters theirs, and each is asked by [`Model::cast`]. Times
//! are intervals: the body whose interval ends first is told; where the interval of another begins before that, the
//! time told begins with it, so that it is never late.

use glam::DVec3;

use super::beam::{StraightWay, TreeBeam};
use super::found::Found;
use super::view_of::{Search, View};
use crate::bound::Aabb;
use crate::math::simd::Simd;
use crate::math::{Pose, PoseError};
use crate::model::{Model, Outline};
use crate::ray::CastHit;
use crate::threads::share;
use crate::tree::nodes::{Tree, TreeNode};
use crate::world::body::{Body, BodyId};

/// The number of casts that one thread takes at a time.
const GRAIN: usize = 8;

/// The part by which a computed time may differ from the true one, with plenty to spare.
const ROUNDING: f64 = 1e-9;

impl View<'_> {
    /// Which body does a shape that moves straight from a pose meet first, when and where? No body is met before
    /// `time.lower`. [`View::impact`] is for shapes that turn.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Model, Pose, Round, World};
    /// let mut world = World::new();
    /// let wall = Round::cuboid(DVec3::new(2.0, 9.0, 9.0))?;
    /// let ids = [4.0, 9.0].map(|x| {
    ///     world.add(Body::new(wall.clone(), Pose::at(DVec3::X * x).expect("not far"))).expect("not far")
    /// });
    /// let ball = Model::from(Round::sphere(0.5)?);
    /// let hit = world.view().cast(&ball, &Pose::IDENTITY, DVec3::X * 5.0)?.expect("a wall is in the way");
    /// assert!(hit.body == ids[0] && hit.answer.time.contains(0.5));
    /// assert!(world.view().cast(&ball, &Pose::IDENTITY, DVec3::X * 2.0)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The motion is not finite or beyond ±1e150.
    pub fn cast(&self, model: &Model, from: &Pose, motion: DVec3) -> Result<Option<Found<CastHit>>, PoseError> {
        CastHit::check_motion(motion)?;
        let mut search = FirstCast::new(model, from, motion);
        self.search(&mut search);
        Ok(search.first())
    }

    /// What [`View::cast`] answers for each of many starts and motions of one shape, on all threads of the current
    /// pool.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Model, Pose, Round, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::X * 5.0)?))?;
    /// let ball = Model::from(Round::sphere(0.5)?);
    /// let hits = world.view().casts(&ball, &[(Pose::IDENTITY, DVec3::X * 9.0), (Pose::IDENTITY, DVec3::Y)])?;
    /// assert!(hits[0].is_some() && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A motion is not finite or beyond ±1e150.
    pub fn casts(&self, model: &Model, motions: &[(Pose, DVec3)]) -> Result<Vec<Option<Found<CastHit>>>, PoseError> {
        share::map(motions.len(), GRAIN, |k| self.cast(model, &motions[k].0, motions[k].1)).into_iter().collect()
    }
}

struct FirstCast<'m> {
    model: &'m Model,
    from: &'m Pose,
    motion: DVec3,
    /// The way of the box around the shape; `None` where it has no bounds.
    way: Option<StraightWay>,
    best: Option<Found<CastHit>>,
    /// The bound of the box of each body met, and when its contact begins.
    begins: Vec<(f64, f64)>,
}

impl<'m> FirstCast<'m> {
    fn new(model: &'m Model, from: &'m Pose, motion: DVec3) -> FirstCast<'m> {
        let way = model.outline(from, Outline::Fitted).map(|start| StraightWay::new(start, motion, 1.0));
        FirstCast { model, from, motion, way, best: None, begins: Vec::new() }
    }

    fn first(self) -> Option<Found<CastHit>> {
        let mut best = self.best?;
        let end = best.answer.time.upper;
        // What is surely later than the first was perhaps not found at all.
        let near = self.begins.iter().filter(|(bound, _)| *bound <= end).map(|(_, begin)| *begin);
        best.answer.time.lower = near.fold(best.answer.time.lower, f64::min);
        Some(best)
    }
}

impl Search for FirstCast<'_> {
    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        self.way.as_ref().map_or(0.0, |way| way.enters(b) * (1.0 - ROUNDING))
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(1.0, |best| best.answer.time.upper)
    }

    fn enter(&mut self, tree: &Tree, bounds: &Aabb) {
        if let Some(way) = &mut self.way {
            way.enter(tree, bounds);
        }
    }

    #[inline(always)]
    fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
        match &self.way {
            Some(way) => way.in_tree.enters::<S>(node, limit),
            None => TreeBeam::OVER.enters::<S>(node, limit),
        }
    }

    #[inline(always)]
    fn limit_in_tree(&self, limit: f64) -> f32 {
        self.way.as_ref().map_or(f32::MAX, |way| way.in_tree.limit(limit * (1.0 + ROUNDING)))
    }

    #[inline(never)]
    fn look(&mut self, id: BodyId, body: &Body, bound: f64) {
        // Nothing comes before a body that touches at the start but another one of a lesser id.
        if self.best.as_ref().is_some_and(|best| best.answer.time.upper <= 0.0 && best.body < id) {
            return;
        }
        // The motion was checked: no cast is refused.
        let Ok(Some(answer)) = body.model.cast(&body.pose, self.model, self.from, self.motion) else { return };
        let upper = answer.time.upper;
        self.begins.push((bound, answer.time.lower));
        if self.best.as_ref().is_none_or(|best| (upper, id) < (best.answer.time.upper, best.body)) {
            self.best = Some(Found { body: id, answer });
        }
    }
}
