//! Which convex, round and composed bodies are refused when they are built, and that those accepted answer every query.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use impinge::{BuildError, Convex, Limit, Method, Model, Pair, Parts, Pose, Round, Support};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

const BAD: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, -0.0];

#[test]
fn lengths_have_to_be_positive_and_finite() {
    for bad in BAD {
        let refused = |round: Result<Round, BuildError>, what: &str| {
            let error = round.map(|r| r.kind()).unwrap_err();
            assert!(!error.to_string().is_empty(), "{what}");
            assert!(matches!(error, BuildError::NotPositive { .. }), "{what} {bad}: {error:?}");
        };
        refused(Round::sphere(bad), "sphere");
        refused(Round::capsule(bad, 1.0), "capsule radius");
        refused(Round::cylinder(bad, 1.0), "cylinder radius");
        refused(Round::cylinder(1.0, bad), "cylinder height");
        refused(Round::cone(bad, 1.0), "cone radius");
        refused(Round::cone(1.0, bad), "cone height");
        for axis in 0..3 {
            let mut sides = DVec3::ONE;
            sides[axis] = bad;
            refused(Round::cuboid(sides), "box");
            refused(Round::ellipsoid(sides), "ellipsoid");
        }
    }
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(Round::capsule(1.0, bad).is_err(), "{bad}");
        assert!(Round::sphere(1.0).unwrap().with_margin(bad).is_err(), "{bad}");
        assert!(Round::around(Convex::hull(&[DVec3::ZERO]).unwrap(), bad).is_err(), "{bad}");
    }
}

#[test]
fn half_spaces_need_a_direction() {
    for bad in [DVec3::ZERO, v(f64::NAN, 0.0, 0.0), v(0.0, f64::INFINITY, 0.0), v(0.0, 0.0, f64::NEG_INFINITY)] {
        assert!(Round::half_space(bad, 0.0).is_err(), "{bad}");
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(Round::half_space(DVec3::Z, bad).is_err(), "{bad}");
    }
    // A normal of any length means the same plane: 2z <= 1 is z <= 1/2.
    let floor: Model = Round::half_space(v(0.0, 0.0, 2.0), 1.0).unwrap().into();
    let ball: Model = Round::sphere(0.25).unwrap().into();
    let up = Pose::at(v(0.0, 0.0, 1.0)).unwrap();
    let got = impinge::distance(&floor, &Pose::IDENTITY, &ball, &up).interval;
    assert!((got.mid() - 0.25).abs() <= 1e-12, "{got:?}");
}

#[test]
fn corners_have_to_be_finite() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let p = v(0.0, bad, 0.0);
        assert!(Round::point(p).is_err());
        assert!(Round::segment(DVec3::X, p).is_err());
        assert!(Round::triangle(DVec3::X, DVec3::Y, p).is_err());
        assert!(matches!(Round::polygon(&[DVec3::X, DVec3::Y, p]), Err(BuildError::NotFinite { vertex: 2, .. })));
    }
    assert!(Round::polygon(&[]).is_err());
    // Degenerate bodies are accepted as they are.
    assert!(Round::segment(DVec3::X, DVec3::X).is_ok());
    assert!(Round::triangle(DVec3::X, DVec3::X, DVec3::Y).is_ok());
    assert!(Round::polygon(&[DVec3::X]).is_ok());
}

#[test]
fn lengths_beyond_the_scale_are_refused() {
    for bad in [1e51, 1e200, f64::MAX] {
        assert!(Round::sphere(bad).is_err(), "{bad:e}");
        assert!(Round::cuboid(v(1.0, bad, 1.0)).is_err(), "{bad:e}");
        assert!(Round::point(v(bad, 0.0, 0.0)).is_err(), "{bad:e}");
        assert!(Round::half_space(DVec3::Z, bad).is_err(), "{bad:e}");
        assert!(Round::sphere(1.0).unwrap().with_margin(bad).is_err(), "{bad:e}");
    }
}

/// A shape of the user's whose answers are wrong. Either it is refused, or the answers about it are finite and come in
/// time.
#[derive(Debug)]
struct Liar(u32);

impl Support for Liar {
    fn support(&self, direction: DVec3) -> DVec3 {
        match self.0 {
            0 => DVec3::splat(f64::NAN),
            1 => direction * f64::INFINITY,
            2 => -direction,
            3 => v((direction.x * 1e6).sin(), (direction.y * 1e6).cos(), 1.0),
            4 => direction * 1e300,
            _ => DVec3::ZERO,
        }
    }

    fn centre(&self) -> DVec3 {
        if self.0 == 6 { DVec3::splat(f64::NAN) } else { DVec3::ZERO }
    }

    fn radius(&self) -> f64 {
        match self.0 {
            7 => f64::NAN,
            8 => f64::INFINITY,
            9 => -1.0,
            _ => 1.0,
        }
    }
}

#[test]
fn shapes_with_wrong_supports() {
    for lie in 6..10 {
        assert!(Round::custom(Arc::new(Liar(lie))).is_err(), "{lie}");
    }
    let cube: Model = Round::cuboid(DVec3::ONE).unwrap().into();
    for lie in 0..6 {
        let Ok(round) = Round::custom(Arc::new(Liar(lie))) else { continue };
        let liar: Model = round.into();
        for (a, b) in [(&liar, &cube), (&cube, &liar), (&liar, &liar)] {
            for method in engines() {
                let mut pair = Pair::new(a, b).with_method(method);
                for x in [0.0, 0.5, 3.0] {
                    let pose = Pose::new(v(x, 0.1, 0.2), DQuat::from_rotation_x(x)).unwrap();
                    let distance = pair.distance(&Pose::IDENTITY, &pose).interval;
                    assert!(!distance.lower.is_nan() && !distance.upper.is_nan(), "{lie}, {method}: {distance:?}");
                    pair.overlap(&Pose::IDENTITY, &pose);
                    pair.contacts(&Pose::IDENTITY, &pose, Limit::All).iter().count();
                    let depth = pair.penetration(&Pose::IDENTITY, &pose).interval;
                    assert!(!depth.lower.is_nan() && !depth.upper.is_nan(), "{lie}, {method}: {depth:?}");
                }
            }
        }
    }
}

#[test]
fn parts_need_a_piece() {
    assert!(Parts::new(vec![]).is_err());
    let piece = Convex::hull(&[DVec3::ZERO]).unwrap();
    assert_eq!(Parts::new(vec![piece]).unwrap().piece_count(), 1);
}

fn engines() -> Vec<Method> {
    let names = "auto brute tree lin-canny lin-canny-cells v-clip gjk gjk-signed-volumes gjk-johnson gjk-nesterov \
                 enhanced-gjk witness-plane separating-vector rabbitz epa gauss-map";
    names.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

#[test]
fn names_of_engines() {
    let all = engines();
    assert_eq!(all.len(), 16);
    for (i, method) in all.iter().enumerate() {
        assert_eq!(method.to_string().parse::<Method>().unwrap(), *method);
        assert!(all[..i].iter().all(|other| other != method), "{method} twice");
    }
    assert!("gjk2".parse::<Method>().is_err() && "GJK".parse::<Method>().is_err());
}

#[test]
fn within_takes_any_number_and_envelopes_too() {
    let cube: Model = Convex::hull(&[-DVec3::ONE, DVec3::ONE, DVec3::X * 2.0, DVec3::Y * 2.0]).unwrap().into();
    let ball: Model = Round::sphere(1.0).unwrap().into();
    let far = Pose::at(v(8.0, 0.0, 0.0)).unwrap();
    for (a, b) in [(&cube, &cube), (&cube, &ball), (&ball, &ball)] {
        for method in engines() {
            let mut pair = Pair::new(a, b).with_method(method);
            for tolerance in [f64::NAN, -1.0, -0.0, f64::NEG_INFINITY, 0.0, 1.0] {
                assert!(!pair.within(&Pose::IDENTITY, &far, tolerance).within, "{method}, {tolerance}");
                assert!(pair.within(&Pose::IDENTITY, &Pose::IDENTITY, tolerance).within, "{method}, {tolerance}");
            }
            for tolerance in [8.0, 1e150, f64::MAX, f64::INFINITY] {
                assert!(pair.within(&Pose::IDENTITY, &far, tolerance).within, "{method}, {tolerance}");
            }
            for envelope in [f64::NAN, -1.0, 0.0, 1.0] {
                let mut pair = Pair::new(a, b).with_method(method).with_envelope(envelope);
                assert!(!pair.overlap(&Pose::IDENTITY, &far).overlap, "{method}, {envelope}");
                assert!(pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap, "{method}, {envelope}");
            }
            let mut pair = Pair::new(a, b).with_method(method).with_envelope(8.0);
            assert!(pair.overlap(&Pose::IDENTITY, &far).overlap, "{method}");
            assert!(pair.contacts(&Pose::IDENTITY, &far, Limit::All).touching(), "{method}");
        }
    }
}

/// The largest and smallest bodies that are accepted, at the farthest poses.
#[test]
fn the_edge_of_the_supported_scale_gives_finite_answers() {
    let hull =
        |s: f64| -> Model { Convex::hull(&[DVec3::ZERO, DVec3::X * s, DVec3::Y * s, DVec3::Z * s]).unwrap().into() };
    let ball = |r: f64| -> Model { Round::sphere(r).unwrap().into() };
    let cylinder = |r: f64| -> Model { Round::cylinder(r, r).unwrap().into() };
    let models = [hull(9e49), hull(2e-50), ball(9e49), ball(2e-50), cylinder(4e49), cylinder(2e-50)];
    let pose = |x: f64| Pose::new(v(x, -x, x), DQuat::from_rotation_z(0.5)).unwrap();
    for a in &models {
        for b in &models {
            for (pa, pb) in [(9e149, -9e149), (0.0, 9e149), (1e49, -1e49), (1e-50, -1e-50), (0.0, 0.0), (0.0, 1e-310)] {
                for method in engines() {
                    let mut pair = Pair::new(a, b).with_method(method);
                    let (pa, pb) = (&pose(pa), &pose(pb));
                    let got = pair.distance(pa, pb);
                    let i = got.interval;
                    let sound = i.lower >= 0.0 && i.lower <= i.upper && i.upper.is_finite();
                    assert!(sound, "{method}: {i:?} of {a:?}");
                    assert!(got.witness.is_none_or(|w| w.points.iter().all(|p| p.is_finite())), "{method}: {got:?}");
                    let i = pair.penetration(pa, pb).interval;
                    assert!(i.lower >= 0.0 && i.lower <= i.upper && i.upper.is_finite(), "{method}: depth {i:?}");
                    assert_eq!(pair.overlap(pa, pb).overlap, got.penetrating, "{method}");
                }
            }
        }
    }
}

/// Points may be so near each other that the square of their distance is 0 in an `f64`.
#[test]
fn distances_whose_squares_vanish_are_in_their_interval() {
    let at = |x: f64| Convex::hull(&[v(0.0, 0.0, x)]).unwrap();
    for gap in [5e-324, 4.331894441540178e-208, 1e-170, 1.5e-162, 3e-157, 1e-154, 2e-151, 1e-149, 1e-60] {
        for method in engines() {
            let pairs = [
                Pair::new(at(gap), at(0.0)),
                Pair::new(Parts::new(vec![at(gap)]).unwrap(), Parts::new(vec![at(0.0), at(0.0)]).unwrap()),
            ];
            for pair in pairs {
                let mut pair = pair.with_method(method);
                let got = pair.distance(&Pose::IDENTITY, &Pose::IDENTITY);
                let i = got.interval;
                assert!(i.contains(gap) && !got.penetrating, "{method}, {gap:e}: {i:?}");
                assert!(i.width() <= f64::max(1e-150, 1e-14 * gap), "{method}, {gap:e}: {i:?}");
                assert!(pair.within(&Pose::IDENTITY, &Pose::IDENTITY, i.upper).within, "{method}, {gap:e}: {i:?}");
                assert!(!pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap, "{method}, {gap:e}");
            }
        }
    }
}

#[test]
fn limits_of_zero_and_of_the_largest_number() {
    let cube: Model = Round::cuboid(DVec3::ONE).unwrap().into();
    for method in engines() {
        let mut pair = Pair::new(&cube, &cube).with_method(method);
        let none = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::UpTo(0));
        assert!(none.pairs.is_empty() && !none.complete, "{method}");
        let one = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::First);
        assert_eq!(one.pairs.len(), 1, "{method}");
        let all = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
        assert!(all.pairs.len() == 1 && all.complete, "{method}");
    }
}
