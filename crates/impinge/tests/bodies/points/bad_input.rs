//! Points beyond the range, and a body without points.

use glam::DVec3;
use impinge::{Mesh, Model, PointError, Pose, Round};

#[test]
fn points_beyond_the_range_are_refused_by_their_number() {
    let ball = Model::from(Round::sphere(1.0).unwrap());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let p = DVec3::new(0.0, bad, 0.0);
        assert!(matches!(ball.point_distance(&Pose::IDENTITY, p), Err(PointError::NotFinite { index: 0, .. })));
        assert!(ball.contains(&Pose::IDENTITY, p).is_err());
        let several = [DVec3::ZERO, DVec3::X, p];
        let answer = ball.point_distances(&Pose::IDENTITY, &several);
        assert!(matches!(answer, Err(PointError::NotFinite { index: 2, .. })));
    }
    let far = DVec3::Z * 1.1e150;
    assert!(matches!(ball.point_distance(&Pose::IDENTITY, far), Err(PointError::TooLarge { index: 0, .. })));
    assert!(ball.point_distance(&Pose::IDENTITY, DVec3::Z * 1e150).is_ok());
}

#[test]
fn nothing_of_an_empty_mesh_is_nearest() {
    let nothing = Model::from(Mesh::empty());
    assert_eq!(nothing.point_distance(&Pose::IDENTITY, DVec3::ZERO), Err(PointError::Empty));
    assert_eq!(nothing.point_distances(&Pose::IDENTITY, &[DVec3::ZERO]), Err(PointError::Empty));
    assert_eq!(nothing.point_distances(&Pose::IDENTITY, &[]), Ok(Vec::new()));
    assert_eq!(nothing.contains(&Pose::IDENTITY, DVec3::ZERO), Ok(false));
}
