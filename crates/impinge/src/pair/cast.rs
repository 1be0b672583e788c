//! Casts: when one body that moves straight first touches the other, which stands.

use glam::DVec3;

use super::Pair;
use crate::math::{Pose, PoseError};
use crate::ray::CastHit;

impl Pair {
    /// When does `b`, which moves straight from its pose without turning, first touch `a`, which stands? `None` where
    /// it does not. The short form of [`Pair::impact`] for such a motion, with the same answer for less work, by
    /// [`Model::cast`](crate::Model::cast). Neither method nor envelope matters.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let pair = Pair::new(Round::cuboid(DVec3::new(2.0, 8.0, 8.0))?, Round::sphere(0.5)?);
    /// let from = Pose::at(DVec3::X * 6.0)?;
    /// let hit = pair.cast(&Pose::IDENTITY, &from, DVec3::X * -9.0)?.expect("the wall is in the way");
    /// assert!(hit.time.contains(0.5) && hit.normal == Some(DVec3::X));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The motion is not finite or beyond ±1e150.
    pub fn cast(&self, pose_a: &Pose, pose_b: &Pose, motion: DVec3) -> Result<Option<CastHit>, PoseError> {
        self.a.cast(pose_a, &self.b, pose_b, motion)
    }

    /// What [`Pair::cast`] answers for each of many starts and motions of `b`, on all threads of the current pool.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let pair = Pair::new(Round::sphere(1.0)?, Round::sphere(0.5)?);
    /// let from = Pose::at(DVec3::X * -6.0)?;
    /// let hits = pair.casts(&Pose::IDENTITY, &[(from, DVec3::X * 9.0), (from, DVec3::Y)])?;
    /// assert!(hits[0].is_some_and(|hit| hit.time.contains(0.5)) && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A motion is not finite or beyond ±1e150.
    pub fn casts(&self, pose_a: &Pose, motions: &[(Pose, DVec3)]) -> Result<Vec<Option<CastHit>>, PoseError> {
        self.a.casts(pose_a, &self.b, motions)
    }
}
