//! The points of contact that a constraint solver consumes.

use super::{Pair, query};
use crate::manifolds::find::manifolds;
use crate::manifolds::{ManifoldOptions, Manifolds};
use crate::math::Pose;

impl Pair {
    /// Where do they touch, or nearly: points on each body with depth, normal and identity, for a solver?
    ///
    /// The list is emptied first. Of bodies that move a little from call to call the contacts keep their faces, so that
    /// a call costs little; a list that is filled again allocates nothing for convex bodies.
    ///
    /// ```
    /// use impinge::{glam::DVec3, ManifoldOptions, Manifolds, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::half_space(DVec3::Z, 0.0)?, Round::cuboid(DVec3::ONE)?);
    /// let options = ManifoldOptions { prediction: 0.02, ..Default::default() };
    /// let mut found = Manifolds::new();
    /// for step in 0..5 {
    ///     let falling = Pose::at(DVec3::Z * (0.52 - 0.01 * f64::from(step)))?;
    ///     pair.manifolds(&Pose::IDENTITY, &falling, &options, &mut found);
    ///     let manifold = found.iter().next().expect("as near as 0.02");
    ///     assert!(manifold.normal == DVec3::Z && manifold.points.len() == 4);
    ///     assert!(manifold.points.iter().all(|point| (point.depth - 0.01 * f64::from(step) + 0.02).abs() < 1e-12));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn manifolds(&mut self, pose_a: &Pose, pose_b: &Pose, options: &ManifoldOptions, out: &mut Manifolds) {
        let query = query(&self.a, &self.b, pose_a, pose_b, self.method);
        manifolds(&query, [pose_a, pose_b], options, &mut self.contacts, &mut self.memory, out);
    }
}
