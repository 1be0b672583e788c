//! The points of contact that a constraint solver consumes.

use super::{Pair, query};
use crate::answer::Stats;
use crate::manifolds::any_bodies::find::manifolds;
use crate::manifolds::crossings::find_crossings::crossings;
use crate::manifolds::{Crossings, ManifoldOptions, Manifolds};
use crate::math::Pose;
use crate::narrow::context::Context;

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

    /// In which curves do the surfaces of two meshes cross, and which polygons do they share where triangles lie in one
    /// plane? Triangles that only touch in a point have neither; nor have bodies other than meshes.
    ///
    /// Which triangles cross, and which pieces of a curve hang together, is decided exactly, by the features that each
    /// point comes from; points are rounded.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh, Pair, Pose};
    /// let v = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array);
    /// let corner = Mesh::new(v.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let beside = Pose::at(DVec3::new(0.125, 0.25, -0.5))?;
    /// let found = Pair::new(corner.clone(), corner).crossings(&Pose::IDENTITY, &beside);
    /// assert!(found.curves.len() == 1 && found.curves[0].closed, "surfaces of solids cross in closed curves");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn crossings(&mut self, pose_a: &Pose, pose_b: &Pose) -> Crossings {
        let query = query(&self.a, &self.b, pose_a, pose_b, self.method);
        crossings(&query, pose_a, Context::new(&mut self.memory, &mut Stats::default()))
    }
}
