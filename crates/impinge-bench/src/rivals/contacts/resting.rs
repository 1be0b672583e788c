//! What rests on the tiles: the bodies of both libraries, and where they are from frame to frame.

use std::time::Duration;

use impinge::glam::{DQuat, DVec3};
use impinge::{Convex, Model, Pose, PoseError, Round};
use parry3d_f64::query::{ContactManifold, ContactManifoldsWorkspace};
use parry3d_f64::shape::{ConvexPolyhedron, Cuboid, Shape};

use super::super::sides::parry::vector;
use crate::bodies::random_points;
use crate::error::BenchError;
use crate::random::Random;

/// How near bodies have to be for points of contact.
pub(super) const PREDICTION: f64 = 0.02;

/// How long a side of a comparison runs before the other does.
pub(super) const SLOT: Duration = Duration::from_millis(4);

/// What parry keeps of a pair.
pub(super) type Kept = (Vec<ContactManifold<(), ()>>, Option<ContactManifoldsWorkspace>);

/// Frames that are gone through again and again.
pub(super) const FRAMES: usize = 16;

/// A body in both libraries, and how far its lowest point is below its middle.
pub(super) struct RestingBody {
    pub(super) ours: Model,
    pub(super) theirs: Box<dyn Shape>,
    below: f64,
}

/// A kind of pair: a floor tile, and what rests on it.
pub(super) struct Resting {
    pub(super) name: &'static str,
    bodies: Vec<RestingBody>,
    /// Radians by which the bodies are tilted.
    tilt: f64,
    /// The poses of each pair in each frame.
    pub(super) places: Vec<Vec<[Pose; 2]>>,
}

fn refused(source: impinge::BuildError) -> BenchError {
    BenchError::Build { name: "shape".to_owned(), source }
}

/// The tile on which each body rests.
pub(super) fn tile() -> Result<RestingBody, BenchError> {
    let ours = Round::cuboid(DVec3::new(2.0, 2.0, 1.0)).map_err(refused)?.into();
    Ok(RestingBody { ours, theirs: Box::new(Cuboid::new(vector(DVec3::new(1.0, 1.0, 0.5)))), below: 0.5 })
}

pub(super) fn kinds(count: usize, random: &mut Random) -> Result<Vec<Resting>, BenchError> {
    let cube = || -> Result<RestingBody, BenchError> {
        let ours = Round::cuboid(DVec3::ONE).map_err(refused)?.into();
        Ok(RestingBody { ours, theirs: Box::new(Cuboid::new(vector(DVec3::splat(0.5)))), below: 0.5 })
    };
    let hulls = (0..16).map(|_| hull(random)).collect::<Result<_, _>>()?;
    let kinds = [("boxes", vec![cube()?], 0.0), ("boxes, tilted by 0.01", vec![cube()?], 0.01), ("hulls", hulls, 0.0)];
    kinds.into_iter().map(|(name, bodies, tilt)| Resting::new(name, bodies, tilt, count, random)).collect()
}

/// A hull cut off below, so that it rests on a face, an edge or a corner, whatever is lowest then.
fn hull(random: &mut Random) -> Result<RestingBody, BenchError> {
    let mut points = random_points(random);
    points.iter_mut().for_each(|p| p.z = p.z.max(-0.4));
    let below = points.iter().fold(f64::INFINITY, |low: f64, p| low.min(p.z)).abs();
    let refused_there = || BenchError::Rival { name: "hull".to_owned(), reason: "no hull".to_owned() };
    let theirs = ConvexPolyhedron::from_convex_hull(&points.iter().map(|p| vector(*p)).collect::<Vec<_>>());
    let theirs = Box::new(theirs.ok_or_else(refused_there)?);
    Ok(RestingBody { ours: Convex::hull(&points).map_err(refused)?.into(), theirs, below })
}

impl Resting {
    fn new(
        name: &'static str,
        bodies: Vec<RestingBody>,
        tilt: f64,
        count: usize,
        random: &mut Random,
    ) -> Result<Resting, BenchError> {
        let mut resting = Resting { name, bodies, tilt, places: Vec::new() };
        let refused = |e: PoseError| BenchError::Rival { name: "pose".to_owned(), reason: e.to_string() };
        resting.places = (0..count).map(|i| resting.frames(i, random).map_err(refused)).collect::<Result<_, _>>()?;
        Ok(resting)
    }

    pub(super) fn body(&self, i: usize) -> &RestingBody {
        &self.bodies[i % self.bodies.len()]
    }

    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    fn frames(&self, i: usize, random: &mut Random) -> Result<Vec<[Pose; 2]>, PoseError> {
        let tile = DVec3::new(4.0 * (i % 71) as f64, 4.0 * (i / 71) as f64, 0.0);
        let mut between = |r: f64| random.between(-r, r);
        let at = tile + DVec3::new(between(0.3), between(0.3), 0.5 + self.body(i).below + between(0.001));
        let turn = DQuat::from_rotation_z(between(3.0)) * DQuat::from_rotation_x(between(self.tilt));
        (0..FRAMES)
            .map(|_| {
                let shift = DVec3::new(between(5e-4), between(5e-4), between(5e-4));
                let spin = DQuat::from_scaled_axis(DVec3::new(between(5e-4), between(5e-4), between(5e-4)));
                Ok([Pose::at(tile)?, Pose::new(at + shift, (spin * turn).normalize())?])
            })
            .collect()
    }
}
