//! The questions about a ray and a body: what it meets first, whether it meets anything, and all that it meets.

use super::closed_ray::{ClosedWay, closed};
use super::line::{Ray, RayHit};
use super::mesh_ray::{all_of_mesh, any_of_mesh, first_of_mesh};
use super::parts_ray::parts_ray;
use super::solid_ray::{Ends, solid_ray};
use crate::math::Pose;
use crate::model::Model;
use crate::narrow::body::BodyKind;
use crate::threads::share;

/// The number of rays that one thread takes at a time.
const GRAIN: usize = 64;

impl Model {
    /// Where does the ray first meet the surface of the body? A ray that begins inside meets it where it leaves.
    ///
    /// Meshes are met exactly: no ray passes between two triangles that share an edge. A union of parts has only its
    /// outer surface. A mesh that deforms is taken as it is when its step begins.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Model, Pose, Ray, Round};
    /// let cube = Model::from(Round::cuboid(DVec3::splat(2.0))?);
    /// let pose = Pose::at(DVec3::X * 10.0)?;
    /// let hit = cube.ray(&pose, &Ray::new(DVec3::ZERO, DVec3::X)?).expect("the cube is ahead");
    /// assert_eq!((hit.distance, hit.normal), (9.0, -DVec3::X));
    /// assert!(cube.ray(&pose, &Ray::new(DVec3::ZERO, DVec3::Y)?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, pose: &Pose, ray: &Ray) -> Option<RayHit> {
        if let Model::Round(round) = self
            && let Some(form) = closed(round)
        {
            return ClosedWay::new(form, round.margin(), pose, ray)?.first(pose, ray);
        }
        let line = ray.seen_from(pose);
        let way = match BodyKind::of(self) {
            BodyKind::Mesh(mesh) => return first_of_mesh(mesh, &line).map(|hit| line.hit(pose, &hit)),
            BodyKind::Solid(solid) => solid_ray(&solid, &line, Ends::First)?,
            BodyKind::Parts(parts) => *parts_ray(parts, &line).first()?,
        };
        way.enter.or(way.leave).filter(|hit| line.reaches(hit)).map(|hit| line.hit(pose, &hit))
    }

    /// Does the ray meet the surface of the body? Stops at the first triangle that it finds, wherever that is.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Model, Pose, Ray, Round};
    /// let ball = Model::from(Round::sphere(1.0)?);
    /// let from = |y: f64| Ray::new(DVec3::new(-9.0, y, 0.0), DVec3::X);
    /// assert!(ball.meets_ray(&Pose::IDENTITY, &from(0.9)?) && !ball.meets_ray(&Pose::IDENTITY, &from(1.1)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn meets_ray(&self, pose: &Pose, ray: &Ray) -> bool {
        match BodyKind::of(self) {
            BodyKind::Mesh(mesh) => any_of_mesh(mesh, &ray.seen_from(pose)),
            _ => self.ray(pose, ray).is_some(),
        }
    }

    /// Where does the ray meet the surface of the body? All points, in the order of the ray. A vertex or an edge of a
    /// mesh counts once, however many triangles share it.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Model, Pose, Ray, Round};
    /// let ball = Model::from(Round::sphere(1.0)?);
    /// let hits = ball.ray_all(&Pose::IDENTITY, &Ray::new(DVec3::X * -9.0, DVec3::X)?);
    /// assert_eq!(hits.iter().map(|hit| hit.distance).collect::<Vec<_>>(), [8.0, 10.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray_all(&self, pose: &Pose, ray: &Ray) -> Vec<RayHit> {
        if let Model::Round(round) = self
            && let Some(form) = closed(round)
        {
            let way = ClosedWay::new(form, round.margin(), pose, ray);
            return way.iter().flat_map(|way| way.hits(pose, ray)).flatten().collect();
        }
        let line = ray.seen_from(pose);
        let ways = match BodyKind::of(self) {
            BodyKind::Mesh(mesh) => return all_of_mesh(mesh, &line).iter().map(|hit| line.hit(pose, hit)).collect(),
            BodyKind::Solid(solid) => solid_ray(&solid, &line, Ends::Both).into_iter().collect(),
            BodyKind::Parts(parts) => parts_ray(parts, &line),
        };
        let ends = ways.iter().flat_map(|way| [way.enter, way.leave]).flatten();
        ends.filter(|hit| line.reaches(hit)).map(|hit| line.hit(pose, &hit)).collect()
    }

    /// What [`Model::ray`] answers to each of many rays, on all threads of the current pool.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Model, Pose, Ray, Round};
    /// let ball = Model::from(Round::sphere(1.0)?);
    /// let rays = [0.0, 2.0].map(|y| Ray::new(DVec3::new(-9.0, y, 0.0), DVec3::X));
    /// let hits = ball.rays(&Pose::IDENTITY, &rays.into_iter().collect::<Result<Vec<_>, _>>()?);
    /// assert!(hits[0].is_some() && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rays(&self, pose: &Pose, rays: &[Ray]) -> Vec<Option<RayHit>> {
        share::fill(None, rays.len(), GRAIN, |k| self.ray(pose, &rays[k]))
    }
}
