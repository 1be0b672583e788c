//! How far a point is from the bodies of a world: the nearest, those within a distance, and those that hold it.
//!
//! The distance is signed, so the bound of a box is too: within a body a point is no deeper than in the box around it.
//! Of bodies whose distances have the same upper end the one with the lesser id counts as nearer.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::box_gap::BoxGap;
use super::found::Found;
use super::view_of::{Search, View};
use crate::bound::Aabb;
use crate::error::PointError;
use crate::math::simd::Simd;
use crate::narrow::Limit;
use crate::point::PointDistance;
use crate::threads::share;
use crate::tree::nodes::{Tree, TreeNode};
use crate::world::body::{Body, BodyId};

/// The number of points that one thread takes at a time.
const GRAIN: usize = 64;

impl View<'_> {
    /// Which body is nearest to the point, how far is it, and which point of it is nearest? The distance is negative
    /// inside a solid, by the rule of [`Model::point_distance`](crate::Model::point_distance); of several bodies that
    /// hold the point the one whose surface is farthest counts. `None` where no body has points.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ids = [0.0, 5.0].map(|x| {
    ///     let ball = Round::sphere(1.0).expect("a radius");
    ///     world.add(Body::new(ball, Pose::at(DVec3::X * x).expect("not far"))).expect("not far")
    /// });
    /// let found = world.view().point_distance(DVec3::X * 3.0)?.expect("there are two");
    /// assert!(found.body == ids[1] && found.answer.interval.contains(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The point is not finite or beyond ±1e150.
    pub fn point_distance(&self, point: DVec3) -> Result<Option<Found<PointDistance>>, PointError> {
        PointError::check(0, point)?;
        Ok(self.nearest_to(point))
    }

    /// What [`View::point_distance`] answers to each of many points, on all threads of the current pool.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// let line: Vec<DVec3> = (0..100).map(|k| DVec3::X * f64::from(k)).collect();
    /// let answers = world.view().point_distances(&line)?;
    /// assert!(answers.iter().flatten().zip(&line).all(|(found, p)| found.answer.interval.contains(p.x - 1.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Names the first point that is not finite or beyond ±1e150.
    pub fn point_distances(&self, points: &[DVec3]) -> Result<Vec<Option<Found<PointDistance>>>, PointError> {
        points.iter().enumerate().try_for_each(|(index, point)| PointError::check(index, *point))?;
        Ok(share::map(points.len(), GRAIN, |k| self.nearest_to(points[k])))
    }

    /// Which bodies may be as near to the point as `most`, nearest first, and how far are they? With a limit the
    /// nearest ones: `Limit::UpTo(k)` and an infinite distance give the k nearest. A distance that is NaN or less than
    /// 0 counts as 0.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Limit, Pose, Round, World};
    /// let mut world = World::new();
    /// let ids = [0.0, 5.0, 9.0].map(|x| {
    ///     let ball = Round::sphere(1.0).expect("a radius");
    ///     world.add(Body::new(ball, Pose::at(DVec3::X * x).expect("not far"))).expect("not far")
    /// });
    /// let two = world.view().near_point(DVec3::X * 6.5, f64::INFINITY, Limit::UpTo(2))?;
    /// assert_eq!(two.iter().map(|found| found.body).collect::<Vec<_>>(), [ids[1], ids[2]]);
    /// assert_eq!(world.view().near_point(DVec3::X * 6.5, 1.0, Limit::All)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The point is not finite or beyond ±1e150.
    pub fn near_point(&self, point: DVec3, most: f64, limit: Limit) -> Result<Vec<Found<PointDistance>>, PointError> {
        PointError::check(0, point)?;
        let (most, count) = (most.max(0.0), limit.most());
        let mut search = SeveralNearest { point, gap: BoxGap::NONE, most, count, found: BinaryHeap::new() };
        self.search(&mut search);
        Ok(search.found.into_sorted_vec().into_iter().map(|Ranked(found)| found).collect())
    }

    /// Which bodies hold the point? By the rule of [`Model::contains`](crate::Model::contains).
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let brick = world.add(Body::new(Round::cuboid(DVec3::splat(2.0))?, Pose::IDENTITY))?;
    /// assert_eq!(world.view().contains(DVec3::X)?, [brick], "on a face");
    /// assert!(world.view().contains(DVec3::X * 1.5)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The point is not finite or beyond ±1e150.
    pub fn contains(&self, point: DVec3) -> Result<Vec<BodyId>, PointError> {
        PointError::check(0, point)?;
        let mut search = Holding { point, gap: BoxGap::NONE, found: Vec::new() };
        self.search(&mut search);
        search.found.sort_unstable();
        Ok(search.found)
    }

    fn nearest_to(&self, point: DVec3) -> Option<Found<PointDistance>> {
        let mut search = Nearest { point, gap: BoxGap::NONE, best: None };
        self.search(&mut search);
        search.best
    }
}

/// A lower bound on the signed distance of a point from anything within a box. Its four roundings, and those of the
/// box, are taken off.
#[inline(always)]
fn signed_distance(point: DVec3, b: &Aabb) -> f64 {
    let beyond = (b.min - point).max(point - b.max);
    let outside = beyond.max(DVec3::ZERO).length();
    let bound = if outside > 0.0 { outside } else { beyond.max_element() };
    bound - bound.abs() * 1e-14
}

/// By how near they are; of two at the same distance the one with the lesser id counts as nearer.
struct Ranked(Found<PointDistance>);

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        let upper = |ranked: &Ranked| ranked.0.answer.interval.upper;
        upper(self).total_cmp(&upper(other)).then(self.0.body.cmp(&other.0.body))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

/// What the searches around a point have in common: bodies by their signed distances.
macro_rules! around_a_point {
    () => {
        #[inline(always)]
        fn bound(&self, b: &Aabb) -> f64 {
            signed_distance(self.point, b)
        }

        fn enter(&mut self, tree: &Tree, _: &Aabb) {
            self.gap = BoxGap::new(tree, &Aabb::new(self.point, self.point));
        }

        #[inline(always)]
        fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
            self.gap.within::<S>(node, limit)
        }

        #[inline(always)]
        fn limit_in_tree(&self, limit: f64) -> f32 {
            self.gap.limit(limit)
        }
    };
}

/// The nearest body.
struct Nearest {
    point: DVec3,
    gap: BoxGap,
    best: Option<Found<PointDistance>>,
}

impl Search for Nearest {
    around_a_point!();

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |best| best.answer.interval.upper)
    }

    #[inline(never)]
    fn look(&mut self, id: BodyId, body: &Body, _: f64) {
        // A mesh without triangles has no nearest point.
        let Ok(answer) = body.model.point_distance(&body.pose, self.point) else { return };
        let upper = answer.interval.upper;
        if self.best.as_ref().is_none_or(|best| (upper, id) < (best.answer.interval.upper, best.body)) {
            self.best = Some(Found { body: id, answer });
        }
    }
}

/// The `count` nearest bodies that are not farther than `most`.
struct SeveralNearest {
    point: DVec3,
    gap: BoxGap,
    most: f64,
    count: usize,
    /// The farthest on top.
    found: BinaryHeap<Ranked>,
}

impl Search for SeveralNearest {
    around_a_point!();

    #[inline(always)]
    fn limit(&self) -> f64 {
        match self.found.peek() {
            _ if self.count == 0 => f64::NEG_INFINITY,
            Some(last) if self.found.len() == self.count => last.0.answer.interval.upper.min(self.most),
            _ => self.most,
        }
    }

    fn look(&mut self, id: BodyId, body: &Body, _: f64) {
        let Ok(answer) = body.model.point_distance(&body.pose, self.point) else { return };
        if answer.interval.lower > self.most {
            return;
        }
        self.found.push(Ranked(Found { body: id, answer }));
        if self.found.len() > self.count {
            self.found.pop();
        }
    }
}

/// The bodies that hold a point.
struct Holding {
    point: DVec3,
    gap: BoxGap,
    found: Vec<BodyId>,
}

impl Search for Holding {
    const IN_ORDER: bool = false;

    around_a_point!();

    #[inline(always)]
    fn limit(&self) -> f64 {
        0.0
    }

    fn look(&mut self, id: BodyId, body: &Body, _: f64) {
        if body.model.contains(&body.pose, self.point).unwrap_or(false) {
            self.found.push(id);
        }
    }
}
