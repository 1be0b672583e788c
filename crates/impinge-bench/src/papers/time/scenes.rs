//! Coins and bowling, as worlds in continuous time: Mirtich's scenes (1997, Table 1 and Figure 4) with the shapes, and
//! impacts without friction instead of recorded motions. In metres, seconds and kilograms.

use std::collections::BTreeMap;
use std::sync::Arc;

use impinge::broad::Mobility;
use impinge::glam::{DMat3, DQuat, DVec3};
use impinge::{
    Ballistic, Body, BodyId, BuildError, Encounter, EncounterKind, Flight, MotionError, Pose, PoseError, Round, Steady,
    World, WorldError,
};

use crate::error::BenchError;
use crate::random::Random;

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.8);

/// A world, and what its bodies weigh.
pub(super) struct Play {
    pub(super) name: &'static str,
    pub(super) world: World,
    pub(super) duration: f64,
    /// No two points approach each other faster, about: what fixed intervals are chosen by.
    pub(super) fastest: f64,
    pub(super) rules: Rules,
}

/// Masses, principal moments and how much speed a bounce leaves.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    masses: BTreeMap<BodyId, (f64, DVec3)>,
    restitution: f64,
}

/// What a body does at a time.
struct State {
    velocity: DVec3,
    spin: DVec3,
    mass: f64,
    /// Inverse inertia in the world.
    inverse: DMat3,
    moments: DVec3,
}

impl Rules {
    fn state(&self, world: &World, id: BodyId, pose: &Pose, t: f64) -> Option<State> {
        let &(mass, moments) = self.masses.get(&id)?;
        let rates = world.body(id)?.motion.as_ref().map(|motion| motion.rates(t, t));
        let turn = DMat3::from_quat(pose.rotation());
        let inverse = turn * DMat3::from_diagonal(moments.recip()) * turn.transpose();
        let (velocity, spin) = rates.map_or((DVec3::ZERO, DVec3::ZERO), |rates| (rates.velocity, rates.spin));
        Some(State { velocity, spin, mass, inverse, moments })
    }

    /// A central impulse that reverses the closing speed; what bounces too fast is put to rest.
    pub(super) fn react(&self, world: &mut World, e: &Encounter) -> Result<(), BenchError> {
        let (Some(n), Some(witness)) = (e.normal, e.witness) else { return Ok(()) };
        if e.kind == EncounterKind::Undone || e.closing <= 0.0 {
            return Ok(());
        }
        let ids = [e.a, e.b];
        let states = [0, 1].map(|k| self.state(world, ids[k], &e.poses[k], e.time));
        if e.kind == EncounterKind::Zeno {
            for k in [0, 1] {
                if states[k].is_some() {
                    world.set_motion(ids[k], Some(Arc::new(Steady::still(e.poses[k])))).map_err(built)?;
                }
            }
            return Ok(());
        }
        let arm = |k: usize| witness.points[k] - e.poses[k].translation();
        let yielding = |k: usize| {
            states[k].as_ref().map_or(0.0, |s| s.mass.recip() + n.dot((s.inverse * arm(k).cross(n)).cross(arm(k))))
        };
        let impulse = (1.0 + self.restitution) * e.closing / (yielding(0) + yielding(1)).max(1e-12);
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(state) = &states[k] else { continue };
            let push = n * (sign * impulse);
            let flight = Flight {
                velocity: state.velocity + push / state.mass,
                spin: state.spin + state.inverse * arm(k).cross(push),
                gravity: GRAVITY,
                moments: state.moments,
                start: e.time,
                ..Flight::at(e.poses[k])
            };
            world.set_motion(ids[k], Some(Arc::new(Ballistic::new(flight).map_err(built)?))).map_err(built)?;
        }
        Ok(())
    }
}

/// Whatever a scene could not be built for.
fn built(source: impl Into<Unbuilt>) -> BenchError {
    BenchError::usage(format!("the scene cannot be built: {:?}", source.into()))
}

#[derive(Debug)]
#[allow(dead_code, reason = "shown as it is")]
enum Unbuilt {
    Body(BuildError),
    Pose(PoseError),
    Motion(MotionError),
    World(WorldError),
}

impl From<BuildError> for Unbuilt {
    fn from(e: BuildError) -> Unbuilt {
        Unbuilt::Body(e)
    }
}

impl From<PoseError> for Unbuilt {
    fn from(e: PoseError) -> Unbuilt {
        Unbuilt::Pose(e)
    }
}

impl From<MotionError> for Unbuilt {
    fn from(e: MotionError) -> Unbuilt {
        Unbuilt::Motion(e)
    }
}

impl From<WorldError> for Unbuilt {
    fn from(e: WorldError) -> Unbuilt {
        Unbuilt::World(e)
    }
}

fn block(world: &mut World, min: [f64; 3], max: [f64; 3]) -> Result<(), BenchError> {
    let (min, max) = (DVec3::from_array(min), DVec3::from_array(max));
    let shape = Round::cuboid(max - min).map_err(built)?;
    let pose = Pose::at(0.5 * (min + max)).map_err(built)?;
    world.add(Body { mobility: Mobility::Static, ..Body::new(shape, pose) }).map_err(built)?;
    Ok(())
}

/// Moments of a cylinder along z.
fn cylinder_moments(mass: f64, radius: f64, height: f64) -> DVec3 {
    let across = mass * (3.0 * radius * radius + height * height) / 12.0;
    DVec3::new(across, across, 0.5 * mass * radius * radius)
}

/// Eight coins tossed onto a table (Figure 4).
pub(super) fn coins(duration: f64) -> Result<Play, BenchError> {
    let mut random = Random::new(1997, 1);
    let mut world = World::new();
    let mut rules = Rules { restitution: 0.4, ..Rules::default() };
    block(&mut world, [-1.0, -1.0, -0.05], [1.0, 1.0, 0.0])?;
    for k in 0..8u32 {
        let (radius, height, mass) = ([0.0121, 0.0096, 0.009, 0.0106][k as usize % 4], 0.0018, 0.005);
        let at = DVec3::new(0.06 * f64::from(k % 4), 0.06 * f64::from(k / 4), 0.15 + 0.03 * f64::from(k));
        let pose = Pose::new(at, random.rotation()).map_err(built)?;
        let flight = Flight {
            velocity: DVec3::new(random.between(-0.4, 0.4), random.between(-0.4, 0.4), random.between(0.0, 1.0)),
            spin: random.direction() * random.between(2.0, 20.0),
            gravity: GRAVITY,
            moments: cylinder_moments(mass, radius, height),
            ..Flight::at(pose)
        };
        let motion = Ballistic::new(flight).map_err(built)?;
        let shape = Round::cylinder(radius, height).map_err(built)?;
        let id = world.add(Body { motion: Some(Arc::new(motion)), ..Body::new(shape, pose) }).map_err(built)?;
        rules.masses.insert(id, (mass, flight.moments));
    }
    Ok(Play { name: "coins", world, duration, fastest: 3.0, rules })
}

/// A ball, ten pins, a lane with gutters and walls. The ball rolls until it meets a pin.
pub(super) fn bowling(duration: f64, envelope: f64) -> Result<Play, BenchError> {
    let mut world = World::new();
    let mut rules = Rules { restitution: 0.4, ..Rules::default() };
    block(&mut world, [0.0, -0.53, -0.1], [19.2, 0.53, 0.0])?;
    block(&mut world, [0.0, -0.77, -0.2], [19.2, -0.53, -0.05])?;
    block(&mut world, [0.0, 0.53, -0.2], [19.2, 0.77, -0.05])?;
    block(&mut world, [19.2, -1.0, -0.3], [19.4, 1.0, 1.5])?;
    block(&mut world, [17.0, -1.0, -0.3], [19.2, -0.77, 1.0])?;
    block(&mut world, [17.0, 0.77, -0.3], [19.2, 1.0, 1.0])?;
    let (radius, speed) = (0.109, 8.0);
    let start = Pose::at(DVec3::new(0.5, 0.02, radius + 2.0 * envelope)).map_err(built)?;
    let rolling = Steady::new(start, DVec3::ZERO, DVec3::X * speed, DVec3::Y * (speed / radius), 0.0).map_err(built)?;
    let ball = Round::sphere(radius).map_err(built)?;
    let id = world.add(Body { motion: Some(Arc::new(rolling)), ..Body::new(ball, start) }).map_err(built)?;
    rules.masses.insert(id, (6.0, DVec3::splat(0.4 * 6.0 * radius * radius)));
    for row in 0..4 {
        for k in 0..=row {
            let (x, y) = (18.0 + 0.264 * f64::from(row), 0.3048 * (f64::from(k) - 0.5 * f64::from(row)));
            let (radius, height, mass) = (0.06, 0.38, 1.5);
            let pose = Pose::new(DVec3::new(x, y, 0.19 + 0.5 * envelope), DQuat::IDENTITY).map_err(built)?;
            let pin = Round::cylinder(radius, height).map_err(built)?;
            let id = world.add(Body::new(pin, pose)).map_err(built)?;
            rules.masses.insert(id, (mass, cylinder_moments(mass, radius, height)));
        }
    }
    Ok(Play { name: "bowling", world, duration, fastest: speed, rules })
}
