//! Poses obey the laws of rigid motions, and every form of them reads back.

use impinge::glam::{DAffine3, DMat3, DMat4, DQuat, DVec3, DVec4};
use impinge::{Motion, Pair, Pose, PoseError, Round, Steady};
use proptest::prelude::*;

/// Poses with any rotation; translations of every size up to a thousand.
fn poses() -> impl Strategy<Value = Pose> {
    let part = -1.0..1.0f64;
    let turn = [part.clone(), part.clone(), part.clone(), part.clone()].prop_filter("no direction", |q| {
        let length = DVec4::from_array(*q).length();
        length > 0.1
    });
    (turn, [part.clone(), part.clone(), part], -3..4).prop_map(|(q, t, size)| {
        let translation = DVec3::from_array(t) * 10f64.powi(size);
        Pose::new(translation, DQuat::from_array(q).normalize()).unwrap()
    })
}

fn points() -> impl Strategy<Value = DVec3> {
    [-10.0..10.0, -10.0..10.0, -10.0..10.0f64].prop_map(DVec3::from_array)
}

/// How far rounding may bring points apart that these poses move.
fn slack(poses: &[Pose]) -> f64 {
    1e-13 * (20.0 + poses.iter().map(|p| p.translation().length()).sum::<f64>())
}

fn near(x: &Pose, y: &Pose, slack: f64) -> bool {
    let same = (x.rotation_matrix() - y.rotation_matrix()).to_cols_array().iter().all(|e| e.abs() < 1e-13);
    same && x.translation().distance(y.translation()) <= slack
}

proptest! {
    #[test]
    fn a_product_is_one_map_after_the_other(a in poses(), b in poses(), c in poses(), p in points()) {
        let slack = slack(&[a, b, c]);
        prop_assert!((a * b).apply(p).distance(a.apply(b.apply(p))) <= slack);
        prop_assert!((a * b).rotate(p).distance(a.rotate(b.rotate(p))) <= slack);
        prop_assert!(near(&((a * b) * c), &(a * (b * c)), slack), "in whatever order it is multiplied");
        let mut product = a;
        product *= b;
        prop_assert_eq!(product, a * b);
        prop_assert!(((a * b).rotation().length() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn the_identity_changes_no_bit(a in poses()) {
        prop_assert_eq!(a * Pose::IDENTITY, a);
        prop_assert_eq!(Pose::IDENTITY * a, a);
        prop_assert_eq!(a.seen_from(&Pose::IDENTITY), a);
    }

    #[test]
    fn an_inverse_leads_back(a in poses(), b in poses(), p in points()) {
        let slack = slack(&[a, b]);
        prop_assert!(near(&(a * a.inverse()), &Pose::IDENTITY, slack));
        prop_assert!(near(&(a.inverse() * a), &Pose::IDENTITY, slack));
        prop_assert!(near(&(a * b).inverse(), &(b.inverse() * a.inverse()), slack));
        prop_assert!(a.apply_inverse(a.apply(p)).distance(p) <= slack);
        prop_assert!(a.rotate_inverse(a.rotate(p)).distance(p) <= slack);
        prop_assert!(a.inverse().apply(p).distance(a.apply_inverse(p)) <= slack);
        prop_assert!(near(&(a * b.seen_from(&a)), &b, slack));
    }

    /// Invariant 1: bodies of the same rotation are compared on coordinates that only their shift changes, and their
    /// relative pose keeps that to the last bit.
    #[test]
    fn the_relative_pose_of_equal_rotations_is_exact(a in poses(), shift in points()) {
        let b = Pose::new(a.translation() + shift, a.rotation()).unwrap();
        let seen = b.seen_from(&a);
        prop_assert_eq!(seen.rotation(), DQuat::IDENTITY);
        let cube = Round::cuboid(DVec3::new(2.0, 3.0, 4.0)).unwrap();
        let [there, here] = [(a, b), (Pose::IDENTITY, seen)].map(|(a, b)| {
            let mut pair = Pair::new(cube.clone(), cube.clone());
            (pair.overlap(&a, &b).overlap, pair.distance(&a, &b).interval, pair.penetration(&a, &b).interval)
        });
        prop_assert_eq!(there.0, here.0);
        prop_assert_eq!(there.2, here.2);
        prop_assert!(there.1.lower <= here.1.upper && here.1.lower <= there.1.upper);
    }

    #[test]
    fn interpolation_is_the_path_of_a_steady_motion(a in poses(), b in poses(), t in -0.5..1.5f64) {
        let motion = Steady::between(a, b, DVec3::ZERO, [0.0, 1.0]).unwrap();
        prop_assert_eq!(a.interpolate(&b, t), motion.pose(t));
        prop_assert_eq!(a.interpolate(&b, 0.0), a);
        prop_assert!(near(&a.interpolate(&b, 1.0), &b, slack(&[a, b])));
        prop_assert!(near(&a.interpolate(&b, t), &b.interpolate(&a, 1.0 - t), 4.0 * slack(&[a, b]))
            || a.rotation().dot(b.rotation()).abs() < 1e-6, "but for half a turn, which has two ways");
    }

    #[test]
    fn every_form_reads_back(a in poses(), p in points()) {
        let slack = slack(&[a]);
        let (t, q) = a.to_xyzw();
        prop_assert_eq!(Pose::from_xyzw(t, q), Ok(a), "to the last bit");
        let (t, q) = a.to_wxyz();
        prop_assert_eq!(Pose::from_wxyz(t, q), Ok(a));
        let forms = [
            Pose::from_rows(a.to_rows()),
            Pose::from_columns(a.to_columns()),
            Pose::from_mat4(a.to_mat4()),
            Pose::from_affine(a.to_affine()),
            Pose::from_matrix(a.translation(), a.rotation_matrix()),
        ];
        for form in forms {
            prop_assert!(near(&form.unwrap(), &a, 0.0), "a translation is never rounded");
        }
        prop_assert!(a.to_mat4().transform_point3(p).distance(a.apply(p)) <= slack);
        prop_assert!(a.to_affine().transform_vector3(p).distance(a.rotate(p)) <= slack);
        for k in 0..3 {
            let row = DVec4::from_array(a.to_rows()[k]);
            prop_assert!((row.dot(p.extend(1.0)) - a.apply(p)[k]).abs() <= slack, "row {}", k);
        }
    }
}

#[test]
fn what_is_no_pose_is_refused() {
    let exchanged = Pose::at(DVec3::X * 5.0).unwrap().to_rows();
    assert!(matches!(Pose::from_columns(exchanged), Err(PoseError::NotAffine { error }) if error == 5.0));
    assert!(matches!(Pose::from_mat4(DMat4::ZERO), Err(PoseError::NotAffine { .. })));
    assert_eq!(Pose::from_mat4(DMat4::from_diagonal(DVec4::splat(f64::NAN))), Err(PoseError::NotFinite));
    assert!(matches!(Pose::from_affine(DAffine3::from_scale(-DVec3::ONE)), Err(PoseError::NotARotation { .. })));
    assert_eq!(Pose::from_affine(DAffine3::from_translation(DVec3::X * 1e200)), Err(PoseError::TooLarge));
    assert_eq!(Pose::from_xyzw([f64::INFINITY, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]), Err(PoseError::NotFinite));
    assert!(matches!(Pose::from_wxyz([0.0; 3], [0.0; 4]), Err(PoseError::NotUnit { .. })));
    let sheared = DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::Z);
    assert!(Pose::from_matrix(DVec3::ZERO, sheared).is_err());
}

/// Products of very many poses remain rotations, and what leaves the supported scale is brought back to it.
#[test]
fn long_products_stay_poses() {
    let step = Pose::new(DVec3::X, DQuat::from_rotation_z(1e-3)).unwrap();
    let many = (0..100_000).fold(Pose::IDENTITY, |pose, _| pose * step);
    assert!((many.rotation().length() - 1.0).abs() < 1e-14);
    assert!(many.rotation().angle_between(DQuat::from_rotation_z(100.0)) < 1e-6);
    let far = Pose::at(DVec3::X * 1e150).unwrap();
    assert_eq!((far * far).translation(), DVec3::X * 1e150);
    assert_eq!(far.seen_from(&far.inverse()).translation(), DVec3::X * 1e150);
    let there = Pose::IDENTITY.interpolate(&far, f64::INFINITY);
    assert!(there.translation().is_finite() && there.rotation().is_finite());
    assert_eq!(Pose::IDENTITY.interpolate(&far, f64::NAN), Pose::IDENTITY);
}
