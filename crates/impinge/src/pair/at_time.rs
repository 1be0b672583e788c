//! The verbs about bodies that stand, asked about bodies that move as they are at a time.

use glam::DVec3;

use super::Pair;
use crate::answer::{Distance, Penetration, Witness};
use crate::model::Model;
use crate::path::Motion;

impl Pair {
    /// How far apart they are at a time.
    pub(crate) fn distance_at(&mut self, motions: [&dyn Motion; 2], t: f64) -> Distance {
        let [pose_a, pose_b] = motions.map(|motion| motion.pose(t));
        match self.at(t) {
            Some(mut then) => then.distance(&pose_a, &pose_b),
            None => self.distance(&pose_a, &pose_b),
        }
    }

    /// How deep they are in each other at a time.
    pub(crate) fn penetration_at(&mut self, motions: [&dyn Motion; 2], t: f64) -> Penetration {
        let [pose_a, pose_b] = motions.map(|motion| motion.pose(t));
        match self.at(t) {
            Some(mut then) => then.penetration(&pose_a, &pose_b),
            None => self.penetration(&pose_a, &pose_b),
        }
    }

    /// How fast the points of a witness approach each other along a unit direction from `a` to `b`.
    pub(crate) fn closing_speed(&self, motions: [&dyn Motion; 2], t: f64, witness: &Witness, n: DVec3) -> f64 {
        let models = [&self.a, &self.b];
        let velocity = |k: usize| {
            let (rates, pose) = (motions[k].rates(t, t), motions[k].pose(t));
            let carried = rates.velocity + rates.spin.cross(witness.points[k] - pose.apply(rates.centre));
            match (models[k], witness.features[k].triangle()) {
                (Model::Deforming(body), Some(triangle)) => {
                    let point = pose.rotation_matrix().transpose() * (witness.points[k] - pose.translation());
                    carried + pose.rotate(body.velocity(triangle, point, t))
                }
                _ => carried,
            }
        };
        (velocity(0) - velocity(1)).dot(n)
    }

    /// The bodies as they are at a time, where one deforms.
    fn at(&self, t: f64) -> Option<Pair> {
        let deform = [&self.a, &self.b].iter().any(|model| matches!(model, Model::Deforming(_)));
        deform.then(|| Pair::new(self.a.at(t), self.b.at(t)).with_method(self.method))
    }
}
