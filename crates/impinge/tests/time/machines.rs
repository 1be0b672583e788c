//! Parts of machines that turn in each other: rods in bores, gears in mesh, screws in nuts. Answers are certain, and
//! the work grows with the number of sides, not with what the bodies could do if they were elsewhere.

use std::f64::consts::{PI, TAU};

use impinge::glam::{DQuat, DVec3};
use impinge::{Impact, Mesh, Model, Motion, Pair, Pose, Span, Steady, SweepOptions, TimedPoses};
use impinge_testing::machines::{Gear, thread};
use impinge_testing::shapes::{prism, ring};
use impinge_testing::soup::Soup;

fn mesh(soup: &Soup) -> Model {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap().into()
}

type Moving = Box<dyn Motion>;

fn still() -> Steady {
    Steady::still(Pose::IDENTITY)
}

fn flat(sides: u32) -> f64 {
    (PI / f64::from(sides)).cos()
}

/// A rod of radius 1, and a bore whose flat sides are `clearance` farther from the axis.
fn rod_in_bore(sides: u32, clearance: f64) -> [Soup; 2] {
    [prism(sides, 1.0, 3.0), ring(sides, 1.5, (1.0 + clearance) / flat(sides), 2.0)]
}

fn turning(pivot: DVec3, tilt: DQuat, start: f64, angle: f64) -> Steady {
    let pose = Pose::new(pivot, tilt * DQuat::from_rotation_z(start)).unwrap();
    Steady::turning(pose, pivot, tilt * DVec3::Z * angle, 0.0).unwrap()
}

fn work(impact: &Impact) -> u64 {
    impact.stats.volume_tests + impact.stats.primitive_tests
}

/// Whatever the clearance and the angle, the work is the same, and proportional to the number of sides.
#[test]
fn a_rod_turns_in_its_bore() {
    for sides in [64, 256] {
        for clearance in [1e-2, 1e-3, 1e-4] {
            let [rod, bore] = rod_in_bore(sides, clearance).map(|soup| mesh(&soup));
            for degrees in [1.0_f64, 90.0, 360.0] {
                let mut pair = Pair::new(&rod, &bore);
                let moving = turning(DVec3::ZERO, DQuat::IDENTITY, 0.011, degrees.to_radians());
                let impact = pair.impact(&moving, &still(), Span::UNIT);
                assert!(impact.time.is_none() && impact.certain, "{sides} {clearance} {degrees}: {impact:?}");
                assert!(work(&impact) < 400 * u64::from(sides), "{sides} {clearance} {degrees}: {}", work(&impact));
            }
        }
    }
}

/// The least distance is attained at each corner that passes the middle of a flat side: at thousands of places.
#[test]
fn the_least_distance_of_a_rod_in_its_bore_is_as_narrow_as_asked() {
    for (sides, clearance) in [(64, 1e-2), (64, 1e-4), (256, 1e-2)] {
        let [rod, bore] = rod_in_bore(sides, clearance).map(|soup| mesh(&soup));
        let moving = turning(DVec3::ZERO, DQuat::IDENTITY, 0.011, 0.5 * PI);
        let sweep = Pair::new(&rod, &bore).sweep(&moving, &still(), Span::UNIT);
        assert!(sweep.interval.contains(clearance), "{sides} {clearance}: {:?}", sweep.interval);
        // The radii are below 2 each, and the tolerance is 1e-7 of them.
        assert!(sweep.interval.width() <= 4e-7, "{sides} {clearance}: {:?}", sweep.interval);
        assert!(sweep.stats.iterations < 60 * u64::from(sides), "{sides} {clearance}: {}", sweep.stats.iterations);
        let enough = SweepOptions { enough: Some(0.5 * clearance), ..SweepOptions::default() };
        let sweep = Pair::new(&rod, &bore).sweep_with(&moving, &still(), Span::UNIT, &enough);
        assert!(sweep.interval.lower > 0.5 * clearance, "{sides} {clearance}: {:?}", sweep.interval);
    }
}

/// An axis a little beside or across that of the bore, coordinates rounded to single precision, both bodies turning.
#[test]
fn a_rod_a_little_off_its_bore_costs_no_more() {
    let sides = 128;
    let clearance = 1e-3;
    let [rod, bore] = rod_in_bore(sides, clearance);
    let turned = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 0.7);
    let rounded = |soup: &Soup| mesh(&soup.map(|p| (turned * p).as_vec3().as_dvec3()));
    let quarter = 0.5 * PI;
    let tilt = DQuat::from_rotation_x(0.2 * clearance);
    let both = turning(DVec3::ZERO, DQuat::IDENTITY, 0.0, -0.7 * quarter);
    let about = Steady::turning(Pose::IDENTITY, DVec3::ZERO, turned * DVec3::Z * quarter, 0.0).unwrap();
    let cases: [(&str, [Model; 2], [Steady; 2]); 4] = [
        ("off centre", [mesh(&rod), mesh(&bore)], [turning(DVec3::X * 3e-4, DQuat::IDENTITY, 0.1, quarter), still()]),
        ("tilted", [mesh(&rod), mesh(&bore)], [turning(DVec3::ZERO, tilt, 0.1, quarter), still()]),
        ("both turn", [mesh(&rod), mesh(&bore)], [turning(DVec3::ZERO, DQuat::IDENTITY, 0.1, quarter), both]),
        ("rounded", [rounded(&rod), rounded(&bore)], [about, still()]),
    ];
    for (name, [a, b], [motion_a, motion_b]) in cases {
        let impact = Pair::new(a, b).impact(&motion_a, &motion_b, Span::UNIT);
        assert!(impact.time.is_none() && impact.certain, "{name}: {impact:?}");
        assert!(work(&impact) < 800 * u64::from(sides), "{name}: {}", work(&impact));
    }
}

/// No axis is common to the whole of this motion.
#[test]
fn a_rod_wobbles_in_its_bore() {
    let clearance = 1e-2;
    let [rod, bore] = rod_in_bore(48, clearance).map(|soup| mesh(&soup));
    let rows: Vec<(f64, Pose)> = (0..=12)
        .map(|k| {
            let t = f64::from(k) / 12.0;
            let about = DVec3::new((9.0 * t).cos(), (9.0 * t).sin(), 0.0);
            let turn = DQuat::from_scaled_axis(about * 0.2 * clearance) * DQuat::from_rotation_z(t);
            (t, Pose::new(about * 0.3 * clearance, turn).unwrap())
        })
        .collect();
    let wobbling = TimedPoses::new(&rows, DVec3::ZERO).unwrap();
    let impact = Pair::new(rod, bore).impact(&wobbling, &still(), Span::UNIT);
    assert!(impact.time.is_none() && impact.certain, "{impact:?}");
}

/// From pose to pose, turning by `angle` in all, while the axis goes round by 9 radians, `shift` away and tilted by
/// `tilt`.
fn wobbling(angle: f64, shift: f64, tilt: f64) -> TimedPoses {
    let rows: Vec<(f64, Pose)> = (0..=24)
        .map(|k| {
            let t = f64::from(k) / 24.0;
            let about = DVec3::new((9.0 * t).cos(), (9.0 * t).sin(), 0.0);
            let turn = DQuat::from_scaled_axis(about * tilt) * DQuat::from_rotation_z(0.1 + angle * t);
            (t, Pose::new(about * shift, turn).unwrap())
        })
        .collect();
    TimedPoses::new(&rows, DVec3::ZERO).unwrap()
}

/// The work does not grow where the clearance is small, as long as the wobbling is so, too.
#[test]
fn a_rod_that_wobbles_costs_the_same_whatever_its_clearance() {
    let sides = 128;
    for clearance in [1e-2, 1e-3, 1e-4] {
        let [rod, bore] = rod_in_bore(sides, clearance).map(|soup| mesh(&soup));
        for degrees in [1.0_f64, 90.0, 360.0] {
            let moving = wobbling(degrees.to_radians(), 0.3 * clearance, 0.2 * clearance);
            let impact = Pair::new(&rod, &bore).impact(&moving, &still(), Span::UNIT);
            assert!(impact.time.is_none() && impact.certain, "{clearance} {degrees}: {impact:?}");
            assert!(work(&impact) < 400 * u64::from(sides), "{clearance} {degrees}: {}", work(&impact));
        }
    }
}

/// Off centre, about a tilted axis, from both sides, wobbling, and a rod off its own axis: the interval is as narrow as
/// asked, below all distances sampled, and its upper end occurs.
#[test]
fn the_least_distance_of_a_rod_that_is_not_quite_in_its_bore_is_as_narrow_as_asked() {
    let quarter = 0.5 * PI;
    for (sides, clearance) in [(48, 1e-2), (96, 1e-3)] {
        let [rod, bore] = rod_in_bore(sides, clearance);
        let tilt = DQuat::from_rotation_x(0.2 * clearance);
        let eccentric = DVec3::X * 0.5 * clearance;
        let cases: [(&str, Moving, Moving); 6] = [
            (
                "off centre",
                Box::new(turning(DVec3::X * 0.3 * clearance, DQuat::IDENTITY, 0.1, quarter)),
                Box::new(still()),
            ),
            ("tilted", Box::new(turning(DVec3::ZERO, tilt, 0.1, quarter)), Box::new(still())),
            (
                "both turn",
                Box::new(turning(DVec3::ZERO, DQuat::IDENTITY, 0.1, quarter)),
                Box::new(turning(DVec3::X * 0.2 * clearance, DQuat::IDENTITY, 0.0, -0.7 * quarter)),
            ),
            ("the bore turns", Box::new(still()), Box::new(turning(DVec3::ZERO, tilt, 0.1, quarter))),
            ("wobbling", Box::new(wobbling(quarter, 0.3 * clearance, 0.2 * clearance)), Box::new(still())),
            (
                "eccentric",
                Box::new(Steady::turning(Pose::at(eccentric).unwrap(), DVec3::ZERO, DVec3::Z * quarter, 0.0).unwrap()),
                Box::new(still()),
            ),
        ];
        for (name, a, b) in cases {
            let mut pair = Pair::new(mesh(&rod), mesh(&bore));
            let sweep = pair.sweep(a.as_ref(), b.as_ref(), Span::UNIT);
            // The radii of the boxes are below 2.4 each, and the tolerance is 1e-7 of them.
            assert!(sweep.interval.width() <= 5e-7, "{sides} {name}: {:?}", sweep.interval);
            assert!(sweep.stats.iterations < 400 * u64::from(sides), "{sides} {name}: {}", sweep.stats.iterations);
            for k in 0..=300 {
                let t = f64::from(k) / 300.0;
                let there = pair.distance(&a.pose(t), &b.pose(t)).interval;
                assert!(sweep.interval.lower <= there.upper, "{sides} {name} {t}: {:?} {there:?}", sweep.interval);
            }
            let least = pair.distance(&a.pose(sweep.time), &b.pose(sweep.time)).interval;
            assert!(least.lower <= sweep.interval.upper, "{sides} {name}: {:?} {least:?}", sweep.interval);
        }
    }
}

/// Corners of the rod reach beyond the flat sides of the bore, to which they are parallel when the motion begins: they
/// meet when `cos(π/n − φ)` is the distance of these sides.
#[test]
fn a_rod_that_is_too_thick_jams_at_the_angle_that_geometry_says() {
    for sides in [32, 64] {
        let [rod, bore] = [prism(sides, 1.0, 3.0), ring(sides, 1.5, 1.0 / flat(sides).sqrt(), 2.0)];
        let expected = PI / f64::from(sides) - flat(sides).sqrt().acos();
        let moving = turning(DVec3::ZERO, DQuat::IDENTITY, 0.0, 1.0);
        let impact = Pair::new(mesh(&rod), mesh(&bore)).impact(&moving, &still(), Span::UNIT);
        let time = impact.time.unwrap();
        assert!(impact.certain && time.lower <= expected * (1.0 + 1e-9), "{sides}: {impact:?}, {expected}");
        assert!(time.lower > expected - 1e-6 && time.upper < expected + 1e-6, "{sides}: {impact:?}, {expected}");
    }
}

/// A pinion of 17 teeth and a ring gear of 34, of radius 17, in mesh; the pinion's centre is at x = 8.5.
fn pinion_in_ring(play: f64) -> [Model; 2] {
    let pinion = Gear { teeth: 17, module: 1.0, addendum: 0.8, dedendum: 1.0, play, edges: 4, height: 4.0 };
    let hole = Gear { teeth: 34, addendum: 1.0, dedendum: 0.8, play: 0.0, height: 3.0, ..pinion };
    [mesh(&pinion.solid()), mesh(&hole.ring(20.0))]
}

fn gears_turn(angles: [f64; 2]) -> [Steady; 2] {
    let pinion = turning(DVec3::X * 8.5, DQuat::IDENTITY, 0.0, angles[0]);
    [pinion, turning(DVec3::ZERO, DQuat::IDENTITY, 0.0, angles[1])]
}

#[test]
fn a_pinion_turns_within_its_ring_gear() {
    for play in [0.05, 0.03] {
        let [pinion, gear] = pinion_in_ring(play);
        let [a, b] = gears_turn([0.4, 0.2]);
        let mut pair = Pair::new(pinion, gear);
        let impact = pair.impact(&a, &b, Span::UNIT);
        assert!(impact.time.is_none() && impact.certain, "{play}: {impact:?}");
        let least =
            (0..=100).map(|k| 0.01 * f64::from(k)).map(|t| pair.distance(&a.pose(t), &b.pose(t)).interval.lower);
        assert!(least.fold(f64::INFINITY, f64::min) > 0.0, "{play}");
    }
}

/// The pinion turns a little too fast, until its play is used up.
#[test]
fn gears_that_turn_unevenly_meet_when_samples_say() {
    let [pinion, gear] = pinion_in_ring(0.05);
    let [a, b] = gears_turn([0.43, 0.2]);
    let mut pair = Pair::new(pinion, gear);
    let impact = pair.impact(&a, &b, Span::UNIT);
    let time = impact.time.unwrap();
    assert!(impact.certain && time.upper - time.lower < 1e-6, "{impact:?}");
    for k in 0..400 {
        let t = f64::from(k) / 400.0;
        let overlap = pair.overlap(&a.pose(t), &b.pose(t)).overlap;
        assert!(!overlap || t >= time.lower, "{t}: {impact:?}");
    }
    assert!(pair.overlap(&a.pose(time.upper), &b.pose(time.upper)).overlap, "{impact:?}");
}

#[test]
fn a_screw_turns_in_its_nut() {
    let (sides, pitch, clearance) = (32, 0.25, 2e-2);
    let nut = [0.85, 1.0].map(|r| (r + clearance) / flat(sides));
    let [screw, nut] = [thread(sides, 1, [0.85, 1.0], pitch, 4), thread(sides, 1, nut, pitch, 2)].map(|s| mesh(&s));
    for turns in [0.25, 2.0] {
        let (spin, rise) = (DVec3::Z * TAU * turns, DVec3::Z * pitch * turns);
        let moving = Steady::screw(Pose::IDENTITY, DVec3::ZERO, spin, rise, 0.0).unwrap();
        let impact = Pair::new(&screw, &nut).impact(&moving, &still(), Span::UNIT);
        assert!(impact.time.is_none() && impact.certain, "{turns}: {impact:?}");
        // One that rises too fast uses up its clearance, and meets the nut.
        let steep = Steady::screw(Pose::IDENTITY, DVec3::ZERO, spin, rise * 1.5, 0.0).unwrap();
        let mut pair = Pair::new(&screw, &nut);
        let impact = pair.impact(&steep, &still(), Span::UNIT);
        let time = impact.time.unwrap();
        assert!(impact.certain && time.upper - time.lower < 1e-6, "{turns}: {impact:?}");
        let before = steep.pose(time.lower * (1.0 - 1e-6));
        assert!(!pair.overlap(&before, &Pose::IDENTITY).overlap, "{turns}: {impact:?}");
        assert!(pair.overlap(&steep.pose(time.upper), &Pose::IDENTITY).overlap, "{turns}: {impact:?}");
    }
}
