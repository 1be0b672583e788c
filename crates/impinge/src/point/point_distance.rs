//! The answer about one point and one body.

use glam::DVec3;

use crate::answer::{Feature, Semantics, Stats};
use crate::math::Interval;

/// Answer to [`Model::point_distance`](crate::Model::point_distance).
///
/// ```
/// use impinge::{glam::DVec3, Feature, Mesh, Model, Pose};
/// let corners = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]].map(DVec3::from_array).to_vec();
/// let body = Model::from(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
/// let below = body.point_distance(&Pose::IDENTITY, DVec3::new(1.0, 1.0, -2.0))?;
/// assert!(below.interval.contains(2.0) && !below.inside);
/// assert_eq!((below.closest, below.feature), (DVec3::new(1.0, 1.0, 0.0), Feature::Face { triangle: 0 }));
/// let deep = body.point_distance(&Pose::IDENTITY, DVec3::new(1.0, 1.0, 0.25))?;
/// assert!(deep.interval.contains(-0.25) && deep.inside);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointDistance {
    /// Contains the signed distance of the point from the body's surface: negative inside a solid. `[0, 0]` exactly
    /// when the point lies on the surface, where that is decided exactly: on meshes and polyhedra. A surface without an
    /// inside has distances of 0 and more.
    pub interval: Interval,
    /// Whether the point lies in the body. A solid holds its surface, as it does for `overlap`; a surface without an
    /// inside holds nothing.
    pub inside: bool,
    /// The point of the body's surface that is nearest, in the world frame; one of them, where several are.
    pub closest: DVec3,
    /// The part of the surface that carries it.
    pub feature: Feature,
    /// Whether the body has an inside.
    pub semantics: Semantics,
    /// The work done to find the nearest point: boxes, triangles or faces, and nodes opened.
    pub stats: Stats,
}
