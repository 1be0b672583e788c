//! Two deforming meshes as they are at one time, for static queries.
//!
//! The meshes are built at the first time and refitted at others. Their triangles are numbered by their places.

use std::sync::Arc;

use crate::answer::Stats;
use crate::error::BuildError;
use crate::math::Relative;
use crate::model::Deforming;
use crate::model::{Mesh, Model};
use crate::narrow::Method;
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::grid_contacts::Touching;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::{Proximity, WitnessedGap};

/// How soon after a meeting the bodies are tested, as a share of the step.
const SOON: f64 = 1.0 / (1u64 << 40) as f64;

/// Two meshes at a time.
#[derive(Debug)]
pub(crate) struct MeshSnapshot<'q> {
    bodies: [&'q Deforming; 2],
    models: [Model; 2],
    memory: Memory,
    /// Bodies as near as this count as touching.
    pub(crate) near: f64,
}

impl<'q> MeshSnapshot<'q> {
    /// The meshes at time `t`. `None` only if a body is empty, since positions between valid positions are valid.
    pub(crate) fn new(bodies: [&'q Deforming; 2], t: f64) -> Option<MeshSnapshot<'q>> {
        let at = |body: &Deforming| -> Result<Model, BuildError> {
            let mesh = Mesh::new(body.positions_at(t), body.triangles.clone())?;
            Ok(Model::from(mesh.with_inside_of(body.mesh())))
        };
        let [Ok(a), Ok(b)] = bodies.map(at) else { return None };
        Some(MeshSnapshot { bodies, models: [a, b], memory: Memory::default(), near: 0.0 })
    }

    /// Moves on to another time.
    pub(crate) fn move_to(&mut self, t: f64) {
        for (body, model) in self.bodies.iter().zip(&mut self.models) {
            if let Model::Mesh(mesh) = model
                && !body.is_still()
            {
                // Positions between valid positions are never refused.
                let _ = Arc::make_mut(mesh).deform(&body.positions_at(t));
            }
        }
        // The memory holds answers for the bodies at the time before, even for this same pose.
        self.memory.forget();
    }

    /// A time soon after `t` at which the bodies touch where their vertices are rounded to. Features meet at `t`: when
    /// one face comes to lie on another, rounding may put them apart then, but a little later they overlap.
    pub(crate) fn touching_soon(&mut self, t: f64, stats: &mut Stats) -> Option<f64> {
        let tries = [0.0, SOON, 64.0 * SOON, 4096.0 * SOON, 262_144.0 * SOON];
        tries.into_iter().map(|d| t + d).filter(|&t| t <= 1.0).find(|&t| {
            self.move_to(t);
            self.is_touching(stats)
        })
    }

    fn query(&self) -> Query<'_> {
        Query { a: &self.models[0], b: &self.models[1], b_in_a: Relative::IDENTITY, method: Method::Auto }
    }

    pub(crate) fn is_touching(&mut self, stats: &mut Stats) -> bool {
        match self.nearest(self.near, stats) {
            Outcome::Beyond => false,
            Outcome::Apart(WitnessedGap { interval, .. }) => self.near > 0.0 && interval.lower <= self.near,
            _ => true,
        }
    }

    pub(crate) fn nearest(&mut self, enough: f64, stats: &mut Stats) -> Proximity {
        let mut memory = std::mem::take(&mut self.memory);
        let answer = self.query().nearest(enough, Context::new(&mut memory, stats));
        self.memory = memory;
        answer
    }

    /// Which triangles touch, by their places, up to a limit; and whether one body is inside the other.
    pub(crate) fn touching(&mut self, limit: usize, stats: &mut Stats) -> Touching {
        let mut memory = std::mem::take(&mut self.memory);
        let touching = self.query().touching(limit, 0.0, Context::new(&mut memory, stats));
        self.memory = memory;
        touching
    }

    /// How far the surfaces are apart at least.
    pub(crate) fn surface_distance(&self, stats: &mut Stats) -> f64 {
        let surface = |model: &Model| match model {
            Model::Mesh(mesh) => Model::from(Mesh::clone(mesh).into_surface()),
            other => other.clone(),
        };
        let [a, b] = &self.models;
        let (a, b) = (surface(a), surface(b));
        let query = Query { a: &a, b: &b, b_in_a: Relative::IDENTITY, method: Method::Auto };
        match query.nearest(f64::INFINITY, Context::new(&mut Memory::default(), stats)) {
            Outcome::Apart(WitnessedGap { interval, .. }) => interval.lower,
            _ => 0.0,
        }
    }

    pub(crate) fn bodies(&self) -> [&'q Deforming; 2] {
        self.bodies
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    /// Queries about convex meshes use their hulls, which differ from one time to another.
    #[test]
    fn moving_to_another_time_forgets_what_was_found() {
        let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array).to_vec();
        let mesh = |x: f64| {
            let moved = corners.iter().map(|v| *v + DVec3::X * x).collect();
            Mesh::new(moved, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap()
        };
        let end: Vec<DVec3> = corners.iter().map(|v| *v + DVec3::X * 4.0).collect();
        let [passing, there] = [Deforming::new(mesh(0.0), &end).unwrap(), Deforming::still(mesh(5.0))];
        let mut both = MeshSnapshot::new([&passing, &there], 0.0).unwrap();
        let stats = &mut Stats::default();
        let nearest = both.nearest(f64::INFINITY, stats);
        assert!(matches!(nearest, Outcome::Apart(WitnessedGap { interval, .. }) if interval.contains(4.0)));
        both.near = 1.0;
        assert!(!both.is_touching(stats));
        both.move_to(0.9);
        assert!(both.is_touching(stats));
    }
}
