//! A round body made again from its getters is the same body.

use std::sync::Arc;

use impinge::glam::DVec3;
use impinge::{BuildError, Model, Round, Shape, Support};
use impinge_testing::random::Random;
use proptest::prelude::*;

use crate::models;

fn again(round: &Round) -> Round {
    Round::try_from(round.shape().clone()).unwrap().with_margin(round.extra_margin()).unwrap()
}

#[test]
fn every_shape_is_made_again_from_its_getters() {
    let mut random = Random::new(5);
    for round in models::rounds(&mut random) {
        let made = again(&round);
        assert_eq!(format!("{made:?}"), format!("{round:?}"));
        assert_eq!((made.kind(), made.margin()), (round.kind(), round.margin()));
        models::assert_same_answers(&Model::from(made), &Model::from(round), &mut random);
    }
}

/// Whether the shape is as expected, and is so again when the body is made again.
fn is(round: Result<Round, BuildError>, expected: impl Fn(&Shape) -> bool) -> bool {
    round.is_ok_and(|round| expected(round.shape()) && expected(again(&round).shape()))
}

proptest! {
    /// Parameters are those given, to the last bit, and a half-space made again from its own normal does not drift.
    #[test]
    fn parameters_are_kept(x in 1e-3..1e3f64, y in 1e-3..1e3f64, z in 1e-3..1e3f64, offset in -9.0..9.0f64) {
        let given = DVec3::new(x, y, z);
        let cuboid = is(Round::cuboid(given), |s| matches!(s, Shape::Cuboid { sides } if *sides == given));
        let same = |radius: &f64, height: &f64| [*radius, *height] == [x, y];
        let pill = Round::capsule(x, y);
        let pill = is(pill, |s| matches!(s, Shape::Capsule { radius, height } if same(radius, height)));
        let ball = Round::sphere(x).and_then(|ball| ball.with_margin(y));
        let ball = is(ball, |s| matches!(s, Shape::Sphere { radius } if *radius == x + y));
        prop_assert!(cuboid && pill && ball);
        let half = Round::half_space(given - 10.0, offset).unwrap();
        let Shape::HalfSpace { normal, offset } = *half.shape() else { panic!("it is a half-space") };
        prop_assert!((normal.length() - 1.0).abs() < 1e-15);
        let kept = |n: &DVec3, o: &f64| (*n, *o) == (normal, offset);
        let half = is(Ok(half), |s| matches!(s, Shape::HalfSpace { normal: n, offset: o } if kept(n, o)));
        prop_assert!(half);
    }
}

#[test]
fn a_body_of_ones_own_is_told() {
    #[derive(Debug)]
    struct Dot;
    impl Support for Dot {
        fn support(&self, _: DVec3) -> DVec3 {
            DVec3::X
        }
        fn centre(&self) -> DVec3 {
            DVec3::X
        }
        fn radius(&self) -> f64 {
            0.0
        }
    }
    let dot = Round::custom(Arc::new(Dot)).unwrap().with_margin(0.5).unwrap();
    assert!(matches!(dot.shape(), Shape::Custom(body) if body.centre() == DVec3::X));
    models::assert_same_answers(&Model::from(again(&dot)), &Model::from(dot), &mut Random::new(6));
}

#[test]
fn margins_that_add_up_to_too_much_are_refused() {
    let large = Round::sphere(1e50).unwrap().with_margin(1e50);
    assert!(matches!(large, Err(BuildError::OutOfScale { what: "margin", .. })));
}
