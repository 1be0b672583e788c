//! Single shapes on both sides, for questions about one body.

use impinge::glam::DVec3;
use impinge::{BuildError, Convex, Model, Round};
use parry3d_f64::math::Vector;
use parry3d_f64::shape::{Ball, Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, Shape};

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

pub(super) fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// Round shapes, and the hull of random points.
pub(super) fn single_shapes(random: &mut Random) -> Result<Vec<SingleShape>, BenchError> {
    let refused = |source: BuildError| BenchError::Build { name: "shape".to_owned(), source };
    let round = |shape: Result<Round, BuildError>| shape.map(Model::from).map_err(refused);
    let points = random_points(random);
    let hull = ConvexPolyhedron::from_convex_hull(&points.iter().map(|p| vector(*p)).collect::<Vec<_>>());
    let hull = hull.ok_or_else(|| BenchError::Rival { name: "hull".to_owned(), reason: "no hull".to_owned() })?;
    let ends = [Vector::new(0.0, 0.0, -0.5), Vector::new(0.0, 0.0, 0.5)];
    let shape = |name, ours, theirs| SingleShape { name, ours, theirs };
    Ok(vec![
        shape("sphere", round(Round::sphere(1.0))?, Box::new(Ball::new(1.0))),
        shape("box", round(Round::cuboid(DVec3::ONE))?, Box::new(Cuboid::new(Vector::splat(0.5)))),
        shape("capsule", round(Round::capsule(0.5, 1.0))?, Box::new(Capsule::new(ends[0], ends[1], 0.5))),
        shape("cylinder", round(Round::cylinder(0.5, 1.0))?, Box::new(Cylinder::new(0.5, 0.5))),
        shape("cone", round(Round::cone(0.5, 1.0))?, Box::new(Cone::new(0.5, 0.5))),
        shape("hull", Convex::hull(&points).map_err(refused)?.into(), Box::new(hull)),
    ])
}
