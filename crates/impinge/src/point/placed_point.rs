//! A point of the world in the frame of a body.

use glam::{DQuat, DVec3};

use crate::math::{EPS, Pose};

/// Where the point is, seen from the body: `Rᵀ(point − t)`, translations subtracted first, as for a body at the point.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedPoint {
    pub(super) at: DVec3,
    /// How far that may be from the truth: the difference is rounded once a coordinate; a rotation has entries that are
    /// off by some `8ε`, three of which are summed.
    pub(super) noise: f64,
}

impl PlacedPoint {
    /// The point is within the supported scale.
    #[inline]
    pub(super) fn new(pose: &Pose, point: DVec3) -> PlacedPoint {
        // As for a body which is nothing but its origin, at the point: see `Relative::new`.
        let at = pose.rotation_matrix().transpose() * (point - pose.translation());
        let reach = at.abs().max_element();
        let noise = if pose.rotation() != DQuat::IDENTITY {
            64.0 * EPS * reach
        } else if pose.translation() != DVec3::ZERO {
            2.0 * EPS * reach
        } else {
            0.0
        };
        PlacedPoint { at, noise }
    }
}
