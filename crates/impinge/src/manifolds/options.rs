//! What may be said about the manifolds wanted.

/// Which points of a contact are kept.
///
/// ```
/// use impinge::{glam::{DQuat, DVec3}, KeptPoints, ManifoldOptions, Manifolds, Pair, Pose, Round};
/// let cube = Round::cuboid(DVec3::splat(2.0))?;
/// let mut pair = Pair::new(cube.clone(), cube);
/// let turned = Pose::new(DVec3::Z * 1.99, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4))?;
/// let mut found = Manifolds::new();
/// for (points, count) in [(KeptPoints::Four, 4), (KeptPoints::All, 8)] {
///     pair.manifolds(&Pose::IDENTITY, &turned, &ManifoldOptions { points, ..Default::default() }, &mut found);
///     assert_eq!(found.points().len(), count, "two squares share an octagon");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum KeptPoints {
    /// Up to four: the deepest, and those that with it span a large area.
    #[default]
    Four,
    /// Every corner of the contact.
    All,
}

crate::error::named! { KeptPoints { Four = "four", All = "all" } }

/// What may be said about the manifolds wanted.
///
/// ```
/// use impinge::{glam::DVec3, ManifoldOptions, Manifolds, Pair, Pose, Round};
/// let cube = Round::cuboid(DVec3::splat(2.0))?;
/// let mut pair = Pair::new(cube.clone(), cube);
/// let mut found = Manifolds::new();
/// let options = ManifoldOptions { prediction: 0.02, ..Default::default() };
/// pair.manifolds(&Pose::IDENTITY, &Pose::at(DVec3::Z * 2.01)?, &options, &mut found);
/// assert_eq!(found.points().len(), 4);
/// assert!(found.points().iter().all(|point| (point.depth + 0.01).abs() < 1e-12), "apart by a hundredth");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ManifoldOptions {
    /// Points of the bodies that are apart by up to this are told, too, with a negative depth. A prediction that is
    /// negative or NaN counts as 0: then only bodies that touch have points.
    ///
    /// Two polyhedra may get the normal of a face in place of the least way out when the depth along it is more by a
    /// tenth of this at most; with 0 the normal is that of the least way out.
    pub prediction: f64,
    /// Which points are kept.
    pub points: KeptPoints,
}

impl ManifoldOptions {
    /// The prediction, with sense.
    pub(crate) fn reach(&self) -> f64 {
        self.prediction.clamp(0.0, f64::MAX).max(0.0)
    }

    /// How much deeper than the least way out a face's normal may be.
    pub(crate) fn bias(&self) -> f64 {
        0.1 * self.reach()
    }
}
