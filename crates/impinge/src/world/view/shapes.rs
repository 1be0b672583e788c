//! What a shape that is no body of the world touches where it stands, and what is nearest to it.

use glam::DVec3;

use super::box_gap::BoxGap;
use super::found::Found;
use super::view_of::{Search, View};
use crate::answer::{Distance, Overlap};
use crate::bound::Aabb;
use crate::math::Pose;
use crate::math::simd::Simd;
use crate::model::{Model, Outline};
use crate::pair;
use crate::tree::nodes::{Tree, TreeNode};
use crate::world::body::{Body, BodyId};

impl View<'_> {
    /// Which bodies does a shape touch that stands at this pose?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Model, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// let rod = Model::from(Round::capsule(0.25, 4.0)?);
    /// let met = world.view().overlap(&rod, &Pose::at(DVec3::X * 1.2)?);
    /// assert!(met.len() == 1 && met[0].body == ball);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap(&self, model: &Model, pose: &Pose) -> Vec<Found<Overlap>> {
        let mut search = Touching::new(model, pose, false);
        self.search(&mut search);
        search.found.sort_unstable_by_key(|found| found.body);
        search.found
    }

    /// Does a shape that stands at this pose touch any body? Stops at the first that it finds.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Model, Pose, Round, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// let ball = Model::from(Round::sphere(0.5)?);
    /// let at = |x: f64| Pose::at(DVec3::X * x);
    /// assert!(world.view().touches(&ball, &at(1.25)?) && !world.view().touches(&ball, &at(1.75)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn touches(&self, model: &Model, pose: &Pose) -> bool {
        let mut search = Touching::new(model, pose, true);
        self.search(&mut search);
        !search.found.is_empty()
    }

    /// Which body is nearest to a shape that stands at this pose, and how far is it? Of several at the same distance
    /// the one with the least id; `None` where no body has points.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Model, Pose, Round, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// let far = world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::X * 7.0)?))?;
    /// let ball = Model::from(Round::sphere(0.5)?);
    /// let found = world.view().distance(&ball, &Pose::at(DVec3::X * 5.0)?).expect("there are two");
    /// assert!(found.body == far && found.answer.interval.contains(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance(&self, model: &Model, pose: &Pose) -> Option<Found<Distance>> {
        let own = box_around(model, pose);
        let mut search = NearestToShape { model, pose, own, gap: BoxGap::NONE, best: None };
        self.search(&mut search);
        search.best
    }
}

/// The box around a shape; infinite where it has no bounds.
fn box_around(model: &Model, pose: &Pose) -> Aabb {
    model.outline(pose, Outline::Fitted).unwrap_or(Aabb::new(DVec3::NEG_INFINITY, DVec3::INFINITY))
}

struct Touching<'m> {
    model: &'m Model,
    pose: &'m Pose,
    own: Aabb,
    gap: BoxGap,
    /// Whether one is enough.
    any: bool,
    found: Vec<Found<Overlap>>,
}

impl<'m> Touching<'m> {
    fn new(model: &'m Model, pose: &'m Pose, any: bool) -> Touching<'m> {
        Touching { model, pose, own: box_around(model, pose), gap: BoxGap::NONE, any, found: Vec::new() }
    }
}

impl Search for Touching<'_> {
    const IN_ORDER: bool = false;

    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        if self.own.meets(b) { 0.0 } else { f64::INFINITY }
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        if self.any && !self.found.is_empty() { f64::NEG_INFINITY } else { 0.0 }
    }

    fn enter(&mut self, tree: &Tree, _: &Aabb) {
        self.gap = BoxGap::new(tree, &self.own);
    }

    #[inline(always)]
    fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, _: f32) -> (S::F32x8, u32) {
        self.gap.meets::<S>(node)
    }

    #[inline(always)]
    fn limit_in_tree(&self, _: f64) -> f32 {
        f32::MAX
    }

    fn look(&mut self, id: BodyId, body: &Body, _: f64) {
        let answer = pair::overlap(self.model, self.pose, &body.model, &body.pose);
        if answer.overlap {
            self.found.push(Found { body: id, answer });
        }
    }
}

/// A lower bound on the distance of two boxes; that of a box without points is infinite.
#[inline(always)]
pub(super) fn box_distance(a: &Aabb, b: &Aabb) -> f64 {
    let gap = (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO);
    gap.length() * (1.0 - 1e-14)
}

struct NearestToShape<'m> {
    model: &'m Model,
    pose: &'m Pose,
    own: Aabb,
    gap: BoxGap,
    best: Option<Found<Distance>>,
}

impl Search for NearestToShape<'_> {
    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        box_distance(&self.own, b)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(f64::MAX, |best| best.answer.interval.upper)
    }

    fn enter(&mut self, tree: &Tree, _: &Aabb) {
        self.gap = BoxGap::new(tree, &self.own);
    }

    #[inline(always)]
    fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
        self.gap.within::<S>(node, limit)
    }

    #[inline(always)]
    fn limit_in_tree(&self, limit: f64) -> f32 {
        self.gap.limit(limit)
    }

    fn look(&mut self, id: BodyId, body: &Body, _: f64) {
        let answer = pair::distance(self.model, self.pose, &body.model, &body.pose);
        let upper = answer.interval.upper;
        let nearer = |best: &Found<Distance>| (upper, id) < (best.answer.interval.upper, best.body);
        // A body without points has no distance.
        if upper.is_finite() && self.best.as_ref().is_none_or(nearer) {
            self.best = Some(Found { body: id, answer });
        }
    }
}
