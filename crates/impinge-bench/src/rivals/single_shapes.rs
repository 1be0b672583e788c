//! Single shapes on both sides, for questions about one body.

use impinge::glam::{DMat3, DQuat, DVec3};
use impinge::{BuildError, Convex, Model, Pose, Round};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::shape::{Ball, Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, Shape};

use super::sides::parry::vector;
use crate::bodies::random_points;
use crate::error::BenchError;
use crate::random::Random;

/// A shape of about size 1.
pub(super) struct SingleShape {
    pub(super) name: &'static str,
    pub(super) ours: Model,
    pub(super) theirs: Box<dyn Shape>,
}

/// Whether parry's shape stands along y, where ours stands along z.
pub(super) fn stands_along_y(name: &str) -> bool {
    ["cylinder", "cone"].contains(&name)
}

/// Where a body stands, on both sides.
pub(super) struct BothPlaces {
    pub(super) ours: Pose,
    pub(super) theirs: ParryPose,
}

impl BothPlaces {
    /// Turned and moved, the same for all bodies.
    pub(super) fn of(name: &str) -> Result<BothPlaces, BenchError> {
        BothPlaces::at(name, DVec3::new(0.3, -0.2, 0.1), DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.7))
    }

    /// There and so turned, for a shape of this name.
    pub(super) fn at(name: &str, at: DVec3, turn: DQuat) -> Result<BothPlaces, BenchError> {
        let upright = DQuat::from_mat3(&DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X));
        let q = if stands_along_y(name) { turn * upright } else { turn };
        let theirs = ParryPose::from_parts(vector(at), Rotation::from_xyzw(q.x, q.y, q.z, q.w));
        Ok(BothPlaces { ours: Pose::new(at, turn)?, theirs })
    }

    pub(super) fn into_parts(self) -> (Pose, ParryPose) {
        (self.ours, self.theirs)
    }
}

/// Round shapes, and the hull of random points, of this size.
pub(super) fn single_shapes(random: &mut Random, size: f64) -> Result<Vec<SingleShape>, BenchError> {
    let refused = |source: BuildError| BenchError::Build { name: "shape".to_owned(), source };
    let round = |shape: Result<Round, BuildError>| shape.map(Model::from).map_err(refused);
    let points: Vec<DVec3> = random_points(random).iter().map(|p| *p * size).collect();
    let hull = ConvexPolyhedron::from_convex_hull(&points.iter().map(|p| vector(*p)).collect::<Vec<_>>());
    let hull = hull.ok_or_else(|| BenchError::Rival { name: "hull".to_owned(), reason: "no hull".to_owned() })?;
    let half = 0.5 * size;
    let ends = [Vector::new(0.0, 0.0, -half), Vector::new(0.0, 0.0, half)];
    let shape = |name, ours, theirs| SingleShape { name, ours, theirs };
    Ok(vec![
        shape("sphere", round(Round::sphere(size))?, Box::new(Ball::new(size))),
        shape("box", round(Round::cuboid(DVec3::splat(size)))?, Box::new(Cuboid::new(Vector::splat(half)))),
        shape("capsule", round(Round::capsule(half, size))?, Box::new(Capsule::new(ends[0], ends[1], half))),
        shape("cylinder", round(Round::cylinder(half, size))?, Box::new(Cylinder::new(half, half))),
        shape("cone", round(Round::cone(half, size))?, Box::new(Cone::new(half, half))),
        shape("hull", Convex::hull(&points).map_err(refused)?.into(), Box::new(hull)),
    ])
}
