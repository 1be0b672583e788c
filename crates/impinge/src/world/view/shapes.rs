//! What a shape that is no body of the world touches where it stands, and what is nearest to it.

use glam::DVec3;

use super::found::Found;
use super::view_of::{Search, View};
use crate::answer::{Distance, Overlap};
use crate::bound::Aabb;
use crate::math::Pose;
use crate::model::{Model, Outline};
use crate::pair;
use crate::world::body::{BodyId, PlacedBody};

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
        let mut search = Nearest { model, pose, own: model.outline(pose, Outline::Fitted), best: None };
        self.search(&mut search);
        search.best
    }
}

struct Touching<'m> {
    model: &'m Model,
    pose: &'m Pose,
    /// The box around the shape; `None` where it has no bounds.
    own: Option<Aabb>,
    /// Whether one is enough.
    any: bool,
    found: Vec<Found<Overlap>>,
}

impl<'m> Touching<'m> {
    fn new(model: &'m Model, pose: &'m Pose, any: bool) -> Touching<'m> {
        Touching { model, pose, own: model.outline(pose, Outline::Fitted), any, found: Vec::new() }
    }
}

impl Search for Touching<'_> {
    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        if self.own.is_none_or(|own| own.meets(b)) { 0.0 } else { f64::INFINITY }
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        if self.any && !self.found.is_empty() { f64::NEG_INFINITY } else { 0.0 }
    }

    fn look(&mut self, id: BodyId, body: &PlacedBody, _: f64) {
        let answer = pair::overlap(self.model, self.pose, &body.body.model, &body.body.pose);
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

struct Nearest<'m> {
    model: &'m Model,
    pose: &'m Pose,
    own: Option<Aabb>,
    best: Option<Found<Distance>>,
}

impl Search for Nearest<'_> {
    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        self.own.map_or(0.0, |own| box_distance(&own, b))
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(f64::MAX, |best| best.answer.interval.upper)
    }

    fn look(&mut self, id: BodyId, body: &PlacedBody, _: f64) {
        let answer = pair::distance(self.model, self.pose, &body.body.model, &body.body.pose);
        let upper = answer.interval.upper;
        let nearer = |best: &Found<Distance>| (upper, id) < (best.answer.interval.upper, best.body);
        // A body without points has no distance.
        if upper.is_finite() && self.best.as_ref().is_none_or(nearer) {
            self.best = Some(Found { body: id, answer });
        }
    }
}
