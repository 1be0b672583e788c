//! What a ray meets: the first body, any, or all.
//!
//! Bodies come in the order in which the ray enters their boxes; a search ends where the next box is entered behind the
//! point found. Of bodies met at the same distance the one with the lesser id counts.

use super::beam::{Beam, TreeBeam};
use super::found::Found;
use super::view_of::{Search, View};
use crate::bound::Aabb;
use crate::math::simd::Simd;
use crate::ray::{Ray, RayHit};
use crate::threads::share;
use crate::tree::nodes::{Tree, TreeNode};
use crate::world::body::{Body, BodyId};

/// The number of rays that one thread takes at a time.
const GRAIN: usize = 64;

/// The part by which a computed distance may differ from the true one, with plenty to spare.
const ROUNDING: f64 = 1e-9;

impl View<'_> {
    /// Which body does the ray meet first, and where? By the rule of [`Model::ray`](crate::Model::ray).
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Ray, Round, World};
    /// let mut world = World::new();
    /// let ids = [3.0, 6.0].map(|x| {
    ///     let ball = Round::sphere(1.0).expect("a radius");
    ///     world.add(Body::new(ball, Pose::at(DVec3::X * x).expect("not far"))).expect("not far")
    /// });
    /// let found = world.view().ray(&Ray::new(DVec3::ZERO, DVec3::X)?).expect("two balls are ahead");
    /// assert_eq!((found.body, found.answer.distance), (ids[0], 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, ray: &Ray) -> Option<Found<RayHit>> {
        let mut search = First { line: Line::new(ray), best: None };
        self.search(&mut search);
        search.best
    }

    /// Does the ray meet any body? Stops at the first that it finds.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Ray, Round, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::X * 3.0)?))?;
    /// let sight = Ray::new(DVec3::ZERO, DVec3::X)?;
    /// assert!(world.view().meets_ray(&sight) && !world.view().meets_ray(&sight.with_length(1.5)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn meets_ray(&self, ray: &Ray) -> bool {
        let mut search = Any { line: Line::new(ray), met: false };
        self.search(&mut search);
        search.met
    }

    /// Where does the ray meet bodies? All points of all of them, in the order of the ray, by the rule of
    /// [`Model::ray_all`](crate::Model::ray_all).
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Ray, Round, World};
    /// let mut world = World::new();
    /// for x in [3.0, 4.0] {
    ///     world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::X * x)?))?;
    /// }
    /// let hits = world.view().ray_all(&Ray::new(DVec3::ZERO, DVec3::X)?);
    /// assert_eq!(hits.iter().map(|hit| hit.answer.distance).collect::<Vec<_>>(), [2.0, 3.0, 4.0, 5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray_all(&self, ray: &Ray) -> Vec<Found<RayHit>> {
        let mut search = All { line: Line::new(ray), found: Vec::new() };
        self.search(&mut search);
        let mut found = search.found;
        found.sort_by(|x, y| x.answer.distance.total_cmp(&y.answer.distance).then(x.body.cmp(&y.body)));
        found
    }

    /// What [`View::ray`] answers to each of many rays, on all threads of the current pool.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Ray, Round, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// let rays = [0.0, 2.0].map(|y| Ray::new(DVec3::new(-9.0, y, 0.0), DVec3::X));
    /// let hits = world.view().rays(&rays.into_iter().collect::<Result<Vec<_>, _>>()?);
    /// assert!(hits[0].is_some() && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rays(&self, rays: &[Ray]) -> Vec<Option<Found<RayHit>>> {
        share::fill(None, rays.len(), GRAIN, |k| self.ray(&rays[k]))
    }
}

/// A ray, and its way through boxes; costs are distances.
struct Line<'r> {
    ray: &'r Ray,
    beam: Beam,
    in_tree: TreeBeam,
    /// No hit is farther.
    length: f64,
}

impl<'r> Line<'r> {
    #[inline]
    fn new(ray: &'r Ray) -> Line<'r> {
        let (start, length) = (Aabb::new(ray.origin(), ray.origin()), padded(ray.length()));
        Line { ray, beam: Beam::new(&start, ray.direction(), &Aabb::EMPTY), in_tree: TreeBeam::OVER, length }
    }

    #[inline]
    fn enter(&mut self, tree: &Tree, bounds: &Aabb) {
        let (start, way) = (Aabb::new(self.ray.origin(), self.ray.origin()), self.ray.direction());
        self.beam = Beam::new(&start, way, bounds);
        self.in_tree = TreeBeam::new(tree, bounds, &self.beam, &start, way);
    }
}

/// A distance made longer than rounding.
fn padded(distance: f64) -> f64 {
    distance * (1.0 + ROUNDING)
}

/// What the searches along a ray have in common.
macro_rules! along_a_ray {
    () => {
        #[inline(always)]
        fn bound(&self, b: &Aabb) -> f64 {
            self.line.beam.enters(b) * (1.0 - ROUNDING)
        }

        fn enter(&mut self, tree: &Tree, bounds: &Aabb) {
            self.line.enter(tree, bounds);
        }

        #[inline(always)]
        fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
            self.line.in_tree.enters::<S>(node, limit)
        }

        #[inline(always)]
        fn limit_in_tree(&self, limit: f64) -> f32 {
            self.line.in_tree.limit(limit)
        }
    };
}

struct First<'r> {
    line: Line<'r>,
    best: Option<Found<RayHit>>,
}

impl Search for First<'_> {
    along_a_ray!();

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(self.line.length, |best| best.answer.distance)
    }

    #[inline(never)]
    fn look(&mut self, id: BodyId, body: &Body, _: f64) {
        let Some(answer) = body.model.ray(&body.pose, self.line.ray) else { return };
        let nearer = |best: &Found<RayHit>| (answer.distance, id) < (best.answer.distance, best.body);
        if self.best.as_ref().is_none_or(nearer) {
            self.best = Some(Found { body: id, answer });
        }
    }
}

struct Any<'r> {
    line: Line<'r>,
    met: bool,
}

impl Search for Any<'_> {
    along_a_ray!();

    #[inline(always)]
    fn limit(&self) -> f64 {
        if self.met { f64::NEG_INFINITY } else { self.line.length }
    }

    #[inline(never)]
    fn look(&mut self, _: BodyId, body: &Body, _: f64) {
        self.met |= body.model.meets_ray(&body.pose, self.line.ray);
    }
}

struct All<'r> {
    line: Line<'r>,
    found: Vec<Found<RayHit>>,
}

impl Search for All<'_> {
    const IN_ORDER: bool = false;

    along_a_ray!();

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.line.length
    }

    fn look(&mut self, id: BodyId, body: &Body, _: f64) {
        let hits = body.model.ray_all(&body.pose, self.line.ray);
        self.found.extend(hits.into_iter().map(|answer| Found { body: id, answer }));
    }
}
