//! Impacts with known answers that were once wrong, or are in other libraries: cases B10, D23 and D24, contacts shorter
//! than the time between two numbers, bodies that touch from the beginning, and what passes through a solid.

use std::f64::consts::FRAC_PI_2;

use impinge::glam::{DQuat, DVec3};
use impinge::{
    Convex, Impact, ImpactMethod, ImpactOptions, Mesh, Model, Motion, Pair, Pose, Round, Span, Steady, TimedPoses,
};

const METHODS: [ImpactMethod; 4] =
    [ImpactMethod::Auto, ImpactMethod::Advancement, ImpactMethod::ContactFunctions, ImpactMethod::BySpeed];

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn still(at: DVec3) -> Steady {
    Steady::still(Pose::at(at).unwrap())
}

fn along(from: DVec3, way: DVec3) -> Steady {
    Steady::straight(Pose::at(from).unwrap(), way, 0.0).unwrap()
}

fn cuboid(sides: DVec3) -> Model {
    Round::cuboid(sides).unwrap().into()
}

fn mesh(hull: &Convex) -> Mesh {
    let fan = |f: u32| {
        let c: Vec<u32> = hull.face_corners(f).unwrap().collect();
        (1..c.len() - 1).map(move |k| [c[0], c[k], c[k + 1]]).collect::<Vec<_>>()
    };
    Mesh::new(hull.vertices().to_vec(), (0..hull.face_count() as u32).flat_map(fan).collect::<Vec<_>>()).unwrap()
}

fn ask(a: impl Into<Model>, way_a: &dyn Motion, b: impl Into<Model>, way_b: &dyn Motion, span: Span) -> Impact {
    Pair::new(a, b).impact(way_a, way_b, span)
}

fn corners(half: DVec3) -> Vec<DVec3> {
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|i| half * v(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

/// Case B10, from parry #429: the error must not grow with the other extents of the box.
#[test]
fn b10_a_tip_falls_on_a_wide_box() {
    for e in [5.0, 50.0, 500.0, 5e6] {
        let (x, z) = (0.123 * e, 0.077 * e);
        let tip = Convex::hull(&[v(x, 10.0, z), v(x + 1.0, 11.0, z), v(x - 1.0, 11.0, z + 1.0), v(x, 11.0, z - 1.0)]);
        let (tip, wide) = (tip.unwrap(), Convex::hull(&corners(v(e, 1.0, e))).unwrap());
        let falling = along(DVec3::ZERO, v(0.0, -20.0, 0.0));
        let kinds = |hull: &Convex| [Model::from(hull.clone()), mesh(hull).into()];
        for a in kinds(&tip) {
            for b in kinds(&wide) {
                for method in METHODS {
                    let options = ImpactOptions { method, ..ImpactOptions::default() };
                    let mut pair = Pair::new(&a, &b);
                    let impact = pair.impact_with(&falling, &still(DVec3::ZERO), Span::UNIT, &options);
                    let time = impact.time.unwrap();
                    // By speed it stops at 1e-9 of the size; contact functions have products of the extents.
                    let slack = match method {
                        ImpactMethod::BySpeed => 1e-9 * e,
                        ImpactMethod::ContactFunctions => 4e-15 * e,
                        _ => 0.0,
                    };
                    assert!(time.lower <= 0.45 + 1e-15, "{method:?} {e}: late, {time:?}");
                    assert!(time.lower >= 0.45 - 1e-9 - slack, "{method:?} {e}: early, {time:?}");
                    if method != ImpactMethod::BySpeed {
                        assert!(time.upper <= 0.45 + 1e-9, "{method:?} {e}: {time:?}");
                    }
                }
            }
        }
    }
}

/// Case D23, from collision-rs #111, which hangs.
#[test]
fn d23_a_ball_slides_towards_a_tall_box() {
    let [from, to] = [v(158.0754, -5.287695, 0.0), v(159.39767, -6.6099815, 0.0)];
    let there = still(v(164.1754, -13.967552, 0.0));
    for method in METHODS {
        let options = ImpactOptions { method, ..ImpactOptions::default() };
        let mut pair = Pair::new(Round::sphere(1.0).unwrap(), cuboid(v(10.0, 50.0, 2.0)));
        let time = pair.impact_with(&along(from, to - from), &there, Span::UNIT, &options).time.unwrap();
        let truth = 0.0756275193;
        assert!(time.lower <= truth + 1e-10 && time.lower >= truth - 1e-6, "{method:?}: {time:?}");
    }
}

/// Case D24, from ncollide #141.
#[test]
fn d24_a_cube_above_another() {
    let cube = || cuboid(DVec3::ONE);
    for (speed, expected) in [(0.0, None), (1.0, None), (-1.0, Some(0.1))] {
        for method in METHODS {
            let options = ImpactOptions { method, ..ImpactOptions::default() };
            let way = along(v(0.0, 1.1, 0.0), v(0.0, speed, 0.0));
            let time = Pair::new(cube(), cube()).impact_with(&way, &still(DVec3::ZERO), Span::UNIT, &options).time;
            assert_eq!(time.is_some(), expected.is_some(), "{method:?} {speed}: {time:?}");
            if let (Some(time), Some(truth)) = (time, expected) {
                // 1.1 − 1 is a little more than 0.1.
                assert!(time.lower <= truth + 1e-15 && time.lower >= truth - 1e-8, "{method:?}: {time:?}");
            }
        }
    }
}

/// Bodies that go farther between two numbers than they are long may have met in between: that is said, and that it is
/// not certain. Those that pass aside have not.
#[test]
fn contacts_between_two_numbers_are_not_lost() {
    let (ball, wall) = (Round::sphere(1e-6).unwrap(), cuboid(v(1e-6, 2.0, 2.0)));
    for method in METHODS {
        let options = ImpactOptions { method, ..ImpactOptions::default() };
        for (y, hits) in [(0.0, true), (1e9, false)] {
            let way = along(v(-1e12, y, 0.0), v(2.3e12, 0.0, 0.0));
            let impact = Pair::new(ball.clone(), &wall).impact_with(&way, &still(DVec3::ZERO), Span::UNIT, &options);
            let truth = 1.0 / 2.3;
            assert_eq!(impact.time.is_some(), hits, "{method:?} {y}: {impact:?}");
            if let Some(time) = impact.time {
                assert!(time.lower <= truth && time.lower > truth - 1e-9, "{method:?}: {time:?}");
            }
        }
    }
    // Times of day in seconds.
    let rows = [(1_700_000_000.0, v(0.0, 0.0, 3.0)), (1_700_000_001.0, v(0.0, 0.0, -3000.0))];
    let rows = rows.map(|(t, at)| (t, Pose::at(at).unwrap()));
    let way = TimedPoses::new(&rows, DVec3::ZERO).unwrap();
    let span = Span::new(1_700_000_000.0, 1_700_000_001.0).unwrap();
    let impact = ask(ball.clone(), &way, cuboid(v(2.0, 2.0, 1e-4)), &still(DVec3::ZERO), span);
    let truth = 1_700_000_000.0 + (3.0 - 5e-5) / 3003.0;
    let time = impact.time.expect("it goes through");
    assert!(time.lower <= truth && time.lower > truth - 1e-5, "{time:?}, not {truth}");
    // 1e-4 beside the wall, at a thousand times the way between two numbers.
    let aside = [(1_700_000_000.0, v(1.0001, 0.0, 3.0)), (1_700_000_001.0, v(1.0001, 0.0, -3000.0))];
    let way = TimedPoses::new(&aside.map(|(t, at)| (t, Pose::at(at).unwrap())), DVec3::ZERO).unwrap();
    let impact = ask(ball, &way, cuboid(v(2.0, 2.0, 1e-4)), &still(DVec3::ZERO), span);
    assert!(impact.time.is_none() && impact.certain, "{impact:?}");
}

/// Whether bodies that touch from the beginning move apart: also within a tolerance, and where faces lie on each other.
#[test]
fn separating_is_said_of_all_that_touches() {
    let cube = || cuboid(DVec3::splat(2.0));
    let turning = |at: f64, spin: f64, speed: f64| {
        Steady::new(Pose::at(v(at, 0.0, 0.0)).unwrap(), DVec3::ZERO, DVec3::X * speed, DVec3::Z * spin, 0.0).unwrap()
    };
    for (at, spin, speed, tolerance, expected) in [
        (2.3, 0.0, -1.3, 0.5, false),
        (2.3, 0.0, 1.3, 0.5, true),
        (2.0, FRAC_PI_2, 0.0, 0.0, false),
        (2.0, FRAC_PI_2, 3.0, 0.0, true),
        (2.0, 0.0, 1.0, 0.0, true),
        (2.0, 0.0, -1.0, 0.0, false),
        (1.5, 0.0, 1.0, 0.0, true),
        (1.5, 0.0, -1.0, 0.0, false),
    ] {
        let hull = Convex::hull(&corners(DVec3::ONE)).unwrap();
        for (a, b) in [(cube(), cube()), (mesh(&hull).into(), mesh(&hull).into()), (hull.clone().into(), cube())] {
            for method in METHODS {
                let options = ImpactOptions { method, tolerance, ..ImpactOptions::default() };
                let way = turning(at, spin, speed);
                let impact = Pair::new(&a, &b).impact_with(&still(DVec3::ZERO), &way, Span::UNIT, &options);
                assert_eq!(impact.time.map(|time| time.lower), Some(0.0));
                assert_eq!(impact.separating, expected, "{method:?} {at} {spin} {speed} {tolerance}: {impact:?}");
            }
        }
    }
}

/// Points and segments that go straight through a solid mesh touch it for certain: they are inside a moment later.
#[test]
fn what_passes_through_a_solid_touches_it_for_certain() {
    let cube: Model = mesh(&Convex::hull(&corners(DVec3::splat(0.5))).unwrap()).into();
    let through = along(v(-3.0, 0.1, 0.2), v(6.0, 0.03, -0.1));
    let needle = Round::segment(DVec3::ZERO, v(-0.2, 0.03, 0.01)).unwrap();
    for body in [Model::from(Round::point(DVec3::ZERO).unwrap()), needle.into()] {
        for method in [ImpactMethod::Auto, ImpactMethod::Advancement] {
            let options = ImpactOptions { method, ..ImpactOptions::default() };
            let impact = Pair::new(&cube, &body).impact_with(&still(DVec3::ZERO), &through, Span::UNIT, &options);
            let time = impact.time.unwrap();
            assert!(impact.certain, "{method:?}: {impact:?}");
            let truth = 2.5 / 6.0;
            assert!(time.lower <= truth && time.upper >= truth && time.width() < 1e-7, "{method:?}: {time:?}");
        }
    }
    let turned = Pose::new(v(-3.0, 0.1, 0.2), DQuat::from_rotation_z(0.3)).unwrap();
    let way = Steady::new(turned, DVec3::ZERO, v(6.0, 0.0, 0.0), v(0.0, 0.0, 1.0), 0.0).unwrap();
    let impact = ask(cube, &still(DVec3::ZERO), Round::point(DVec3::ZERO).unwrap(), &way, Span::UNIT);
    assert!(impact.certain && impact.time.is_some(), "{impact:?}");
}
