//! Two deforming meshes as they stand at a time, for the static verbs.
//!
//! A mesh is built at the first time asked about and refitted at others. Its triangles are numbered by their places.

use std::sync::Arc;

use glam::DVec3;

use super::Deforming;
use crate::answer::Stats;
use crate::error::BuildError;
use crate::math::Relative;
use crate::model::{Mesh, Model};
use crate::narrow::{Answer, Memory, Method, Query, Touching};

/// Two meshes at a time.
#[derive(Debug)]
pub(super) struct Snapshot<'q> {
    bodies: [&'q Deforming; 2],
    models: [Model; 2],
    memory: Memory,
    /// How near counts as touching.
    pub(super) near: f64,
}

impl<'q> Snapshot<'q> {
    /// As they stand at time `t`. Positions between valid ones are valid, so there is one, unless a body is empty.
    pub(super) fn new(bodies: [&'q Deforming; 2], t: f64) -> Option<Snapshot<'q>> {
        let at = |body: &Deforming| -> Result<Model, BuildError> {
            let mesh = Mesh::new(body.positions_at(t), body.triangles.clone())?;
            Ok(Model::from(mesh.with_inside_of(body.mesh())))
        };
        let [Ok(a), Ok(b)] = bodies.map(at) else { return None };
        Some(Snapshot { bodies, models: [a, b], memory: Memory::default(), near: 0.0 })
    }

    /// Moves on to another time.
    pub(super) fn move_to(&mut self, t: f64) {
        for (body, model) in self.bodies.iter().zip(&mut self.models) {
            if let Model::Mesh(mesh) = model
                && !body.is_still()
            {
                // Nothing between valid positions is refused.
                let _ = Arc::make_mut(mesh).deform(&body.positions_at(t));
            }
        }
    }

    fn query(&self) -> Query<'_> {
        Query { a: &self.models[0], b: &self.models[1], b_in_a: Relative::IDENTITY, method: Method::Auto }
    }

    pub(super) fn is_touching(&mut self, stats: &mut Stats) -> bool {
        match self.nearest(self.near, stats) {
            Answer::Nothing => false,
            Answer::Apart(interval, _) => self.near > 0.0 && interval.lower <= self.near,
            _ => true,
        }
    }

    pub(super) fn nearest(&mut self, enough: f64, stats: &mut Stats) -> Answer {
        let mut memory = std::mem::take(&mut self.memory);
        let answer = self.query().nearest(enough, &mut memory, stats);
        self.memory = memory;
        answer
    }

    /// Which triangles touch, by their places, up to a limit; and whether one body is inside the other.
    pub(super) fn touching(&mut self, limit: usize, stats: &mut Stats) -> Touching {
        let mut memory = std::mem::take(&mut self.memory);
        let touching = self.query().touching(limit, 0.0, &mut memory, stats);
        self.memory = memory;
        touching
    }

    /// How far the surfaces are apart at least.
    pub(super) fn surface_distance(&self, stats: &mut Stats) -> f64 {
        let surface = |model: &Model| match model {
            Model::Mesh(mesh) => Model::from(Mesh::clone(mesh).into_surface()),
            other => other.clone(),
        };
        let [a, b] = &self.models;
        let (a, b) = (surface(a), surface(b));
        let query = Query { a: &a, b: &b, b_in_a: Relative::IDENTITY, method: Method::Auto };
        match query.nearest(f64::INFINITY, &mut Memory::default(), stats) {
            Answer::Apart(interval, _) => interval.lower,
            _ => 0.0,
        }
    }

    pub(super) fn bodies(&self) -> [&'q Deforming; 2] {
        self.bodies
    }
}

impl Deforming {
    pub(super) fn positions_at(&self, t: f64) -> Vec<DVec3> {
        // What does not move is not rounded either.
        let at = |[start, end]: &[DVec3; 2]| DVec3::select(start.cmpeq(*end), *start, *start * (1.0 - t) + *end * t);
        self.vertices.iter().map(at).collect()
    }

    fn is_still(&self) -> bool {
        self.vertices.iter().all(|[start, end]| start == end)
    }
}
