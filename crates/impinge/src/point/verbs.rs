//! The verbs about a body and a point, or many points.

use glam::DVec3;

use super::PointDistance;
use super::placed_point::PlacedPoint;
use super::signed_gap::{SignedGap, widened};
use super::{convex_point, mesh_point, parts_point};
use crate::answer::{Semantics, Stats};
use crate::error::PointError;
use crate::math::Pose;
use crate::model::Model;
use crate::narrow::body::BodyKind;
use crate::threads::share;

/// Points asked about in one task.
const GRAIN: usize = 64;

impl Model {
    /// How far is the point from the body's surface, on which side of it, and which point of the surface is nearest?
    ///
    /// The point is one of the world, in which the body stands at `pose`. The distance is that from the surface:
    /// negative inside a solid, 0 or more elsewhere. On which side of a closed mesh or a polyhedron a point is, is
    /// decided exactly; for curved shapes and margins, right up to rounding. Inside a union of pieces the interval has
    /// the depth in the deepest piece and a way out as its ends, which need not meet.
    ///
    /// Refuses a point that is not finite or beyond ±1e150, and a mesh without triangles, which has no nearest point.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Model, Pose, Round};
    /// let ball = Model::from(Round::sphere(2.0)?);
    /// let pose = Pose::at(DVec3::Z * 10.0)?;
    /// let above = ball.point_distance(&pose, DVec3::Z * 15.0)?;
    /// assert!(above.interval.contains(3.0) && above.closest.distance(DVec3::Z * 12.0) < 1e-12);
    /// let deep = ball.point_distance(&pose, DVec3::Z * 11.0)?;
    /// assert!(deep.interval.contains(-1.0) && deep.inside);
    /// assert!(ball.point_distance(&pose, DVec3::NAN).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn point_distance(&self, pose: &Pose, point: DVec3) -> Result<PointDistance, PointError> {
        PointError::check(0, point)?;
        self.distance_of_point(pose, point).ok_or(PointError::Empty)
    }

    /// Does the body hold the point? A solid holds its surface too; a surface without an inside holds nothing, and
    /// neither does a mesh without triangles. The same answer as [`PointDistance::inside`], for less work on meshes.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Model, Pose, Round};
    /// let brick = Model::from(Round::cuboid(DVec3::splat(2.0))?);
    /// assert!(brick.contains(&Pose::IDENTITY, DVec3::X)?, "on a face");
    /// assert!(!brick.contains(&Pose::IDENTITY, DVec3::X * 1.5)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains(&self, pose: &Pose, point: DVec3) -> Result<bool, PointError> {
        PointError::check(0, point)?;
        Ok(match BodyKind::of(self) {
            BodyKind::Mesh(mesh) => mesh_point::holds(mesh, PlacedPoint::new(pose, point).at),
            _ => self.distance_of_point(pose, point).is_some_and(|answer| answer.inside),
        })
    }

    /// [`Model::point_distance`] of many points, on all cores: as many threads as [rayon](https://docs.rs/rayon)'s
    /// current pool has. The answers come in the order of the points, and are the same for any number of threads, to
    /// the last bit. An error names the first point that was refused.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Model, Pose, Round};
    /// let ball = Model::from(Round::sphere(1.0)?);
    /// let line: Vec<DVec3> = (0..1000).map(|i| DVec3::X * (0.01 * f64::from(i))).collect();
    /// let answers = ball.point_distances(&Pose::IDENTITY, &line)?;
    /// assert!(answers.iter().zip(&line).all(|(answer, p)| answer.interval.contains(p.x - 1.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn point_distances(&self, pose: &Pose, points: &[DVec3]) -> Result<Vec<PointDistance>, PointError> {
        points.iter().enumerate().try_for_each(|(index, point)| PointError::check(index, *point))?;
        let answers = share::map(points.len(), GRAIN, |k| self.distance_of_point(pose, points[k]));
        answers.into_iter().collect::<Option<Vec<PointDistance>>>().ok_or(PointError::Empty)
    }

    /// `None` for a body without points.
    fn distance_of_point(&self, pose: &Pose, point: DVec3) -> Option<PointDistance> {
        let mut stats = Stats::default();
        let placed = PlacedPoint::new(pose, point);
        let (gap, solid): (Option<SignedGap>, bool) = match BodyKind::of(self) {
            BodyKind::Mesh(mesh) => (mesh_point::gap(mesh, placed.at, &mut stats), mesh.is_solid()),
            BodyKind::Solid(solid) => (convex_point::gap(&solid, placed.at, &mut stats), true),
            BodyKind::Parts(parts) => (parts_point::gap(self, parts, placed.at, &mut stats), true),
        };
        let SignedGap { interval, inside, closest, feature } = gap?;
        Some(PointDistance {
            interval: if closest.is_some() { widened(interval, placed.noise) } else { interval },
            inside,
            closest: closest.map_or(point, |p| pose.apply(p)),
            feature,
            semantics: if solid { Semantics::Solid } else { Semantics::Surface },
            stats,
        })
    }
}
