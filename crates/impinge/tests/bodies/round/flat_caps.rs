//! Bodies just above the flat faces of curved shapes are found to be apart, however small the gap, down to rounding.

use glam::DVec3;
use impinge::{Model, Pair, Pose, Round};
use impinge_testing::random::Random;

/// Points, segments, small balls and other caps above the flat faces of cylinders and cones, down to where rounding
/// begins.
#[test]
fn what_is_just_above_a_flat_face_is_apart() {
    let mut r = Random::new(71);
    for trial in 0..4000 {
        let (radius, height) = (1.0, 1.0);
        let body = if trial % 2 == 0 { Round::cylinder(radius, height) } else { Round::cone(radius, height) };
        let gap = [1e-7, 1e-9, 1e-11, 1e-12][trial / 2 % 4];
        let below = trial % 2 == 1;
        // Below the base of a cone, above the top of a cylinder.
        let level = if below { -0.5 - gap } else { 0.5 + gap };
        let mut on_disc = || {
            let (x, y) = (r.within(-1.0, 1.0), r.within(-1.0, 1.0));
            let far = f64::hypot(x, y).max(1.0);
            DVec3::new(0.95 * x / far, 0.95 * y / far, 0.0)
        };
        let (p, q) = (on_disc(), on_disc());
        let side = if below { -1.0 } else { 1.0 };
        let (other, at): (Round, DVec3) = match trial / 8 % 4 {
            0 => (Round::point(DVec3::ZERO).unwrap(), p),
            1 => (Round::segment(DVec3::ZERO, q - p).unwrap(), p),
            2 => (Round::sphere(1e-3).unwrap(), p + DVec3::Z * side * 1e-3),
            _ => (Round::cylinder(0.3, 0.5).unwrap(), p + DVec3::Z * side * 0.25),
        };
        let pose = Pose::at(at + DVec3::Z * level).unwrap();
        let truth = (pose.translation().z - at.z).abs() - 0.5;
        let mut pair = Pair::new(Model::from(body.unwrap()), Model::from(other));
        let distance = pair.distance(&Pose::IDENTITY, &pose).interval;
        assert!(distance.upper > 0.0, "trial {trial}: {gap} apart, not overlapping, at {at:?}");
        assert!(distance.lower <= truth + 1e-13 && distance.upper >= truth - 1e-13, "{trial}: {distance:?} {gap}");
        assert!(distance.width() <= 1e-13 + 0.5 * gap, "trial {trial}: {distance:?}, {gap} apart");
        assert!(!pair.overlap(&Pose::IDENTITY, &pose).overlap, "trial {trial}: {gap} apart");
    }
}
