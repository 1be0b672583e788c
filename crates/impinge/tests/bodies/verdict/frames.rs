//! Maps one body's frame to the other's, as the library's contract describes.

use glam::DVec3;
use impinge::Pose;

/// The map from `b`'s frame to `a`'s, with the roundings that the library's promise of exactness names.
pub(crate) fn into_frame_of_a(pose_a: &Pose, pose_b: &Pose) -> impl Fn(DVec3) -> DVec3 + use<> {
    let parts = |pose: &Pose| (pose.translation(), pose.rotation());
    impinge_testing::soup::into_frame_of_a(parts(pose_a), parts(pose_b))
}
