//! How far a point is from the bodies of a world: the nearest, those within a distance, and those that hold it.
//!
//! The distance is signed, so the bound of a box is too: within a body a point is no deeper than in the box around it.
//! Of bodies whose distances have the same upper end the one with the lesser id counts as nearer.

use glam::DVec3;

use super::found::Found;
use super::view_of::{Search, View};
use crate::bound::Aabb;
use crate::error::PointError;
use crate::narrow::Limit;
use crate::point::PointDistance;
use crate::threads::share;
use crate::world::body::{BodyId, PlacedBody};

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
        let mut search = Nearest { point, most: most.max(0.0), count: limit.most(), found: Vec::new() };
        self.search(&mut search);
        Ok(search.found)
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
        let mut search = Holding { point, found: Vec::new() };
        self.search(&mut search);
        search.found.sort_unstable();
        Ok(search.found)
    }

    fn nearest_to(&self, point: DVec3) -> Option<Found<PointDistance>> {
        let mut search = Nearest { point, most: f64::INFINITY, count: 1, found: Vec::new() };
        self.search(&mut search);
        search.found.pop()
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

/// The `count` nearest bodies that are not farther than `most`, nearest first.
struct Nearest {
    point: DVec3,
    most: f64,
    count: usize,
    found: Vec<Found<PointDistance>>,
}

impl Search for Nearest {
    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        signed_distance(self.point, b)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        match self.found.last() {
            _ if self.count == 0 => f64::NEG_INFINITY,
            Some(last) if self.found.len() == self.count => last.answer.interval.upper.min(self.most),
            _ => self.most,
        }
    }

    fn look(&mut self, body: BodyId, placed: &PlacedBody, _: f64) {
        // A mesh without triangles has no nearest point.
        let Ok(answer) = placed.body.model.point_distance(&placed.body.pose, self.point) else { return };
        if answer.interval.lower > self.most {
            return;
        }
        let before = |other: &Found<PointDistance>| {
            let order = other.answer.interval.upper.total_cmp(&answer.interval.upper);
            order.then(other.body.cmp(&body)).is_lt()
        };
        let at = self.found.partition_point(before);
        if at < self.count {
            self.found.insert(at, Found { body, answer });
            self.found.truncate(self.count);
        }
    }
}

struct Holding {
    point: DVec3,
    found: Vec<BodyId>,
}

impl Search for Holding {
    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        signed_distance(self.point, b)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        0.0
    }

    fn look(&mut self, id: BodyId, placed: &PlacedBody, _: f64) {
        if placed.body.model.contains(&placed.body.pose, self.point).unwrap_or(false) {
            self.found.push(id);
        }
    }
}
