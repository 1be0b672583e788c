//! Bodies that turn fast, or of whose motion little is known, close to others that they never touch: impact says what
//! the sweep can prove.

use std::f64::consts::{PI, TAU};

use impinge::glam::{DQuat, DVec3};
use impinge::{Mesh, Motion, Pair, Pose, Rates, Round, Span, Steady, TimedPoses};

/// A ring about the third axis.
fn torus(radius: f64, thickness: f64, [around, across]: [u32; 2]) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let (u, v) = (TAU * f64::from(i) / f64::from(around), TAU * f64::from(j) / f64::from(across));
            let out = radius + thickness * v.cos();
            vertices.push(DVec3::new(out * u.cos(), out * u.sin(), thickness * v.sin()));
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Mesh::new(vertices, triangles).unwrap()
}

fn cube() -> Mesh {
    let corner = |i: u32| {
        let sign = |bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        DVec3::new(sign(1), sign(2), sign(4))
    };
    let faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let triangles = faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
    Mesh::new((0..8).map(corner).collect(), triangles).unwrap()
}

fn still() -> Steady {
    Steady::still(Pose::IDENTITY)
}

fn spinning(from: DVec3, rate: f64) -> Steady {
    Steady::turning(Pose::at(from).unwrap(), DVec3::ZERO, DVec3::Z * rate, 0.0).unwrap()
}

/// A constant gap is no contact, however long it lasts.
#[test]
fn a_ball_that_orbits_another_with_a_gap_does_not_hit_it() {
    for (gap, rate) in [(1e-2, 50.0), (1e-3, 50.0), (1e-4, TAU)] {
        let mut pair = Pair::new(Round::sphere(1.0).unwrap(), Round::sphere(2.0 - gap).unwrap());
        let orbit = spinning(DVec3::X * 3.0, rate);
        let impact = pair.impact(&orbit, &still(), Span::UNIT);
        assert!(impact.time.is_none(), "gap {gap}, {rate}: {impact:?}");
        // Where its circle drifts by twice the gap it comes down after half the time, within one more turn.
        let start = Pose::at(DVec3::X * 3.0).unwrap();
        let drifts = Steady::screw(start, DVec3::ZERO, DVec3::Z * rate, DVec3::X * (-2.0 * gap), 0.0).unwrap();
        let late = Span::new(0.0, 2.0).unwrap();
        let impact = pair.impact(&drifts, &still(), late);
        let time = impact.time.unwrap();
        assert!(
            impact.certain && time.lower >= 0.5 - 1e-9 && time.upper < 0.5 + TAU / rate,
            "{gap}, {rate}: {impact:?}"
        );
    }
}

/// Poses between which the ball turns, each a quarter turn after the last.
#[test]
fn a_ball_that_orbits_by_samples_does_not_hit() {
    let rows: Vec<(f64, Pose)> = (0..5)
        .map(|k| {
            (0.25 * f64::from(k), Pose::new(DVec3::ZERO, DQuat::from_rotation_z(0.5 * PI * f64::from(k))).unwrap())
        })
        .collect();
    let motion = TimedPoses::new(&rows, DVec3::ZERO).unwrap();
    let ball = Round::point(DVec3::X * 3.0).unwrap().with_margin(1.0).unwrap();
    let mut pair = Pair::new(ball, Round::sphere(1.999_999).unwrap());
    let impact = pair.impact(&motion, &still(), Span::UNIT);
    assert!(impact.time.is_none(), "{impact:?}");
}

#[test]
fn a_ring_that_spins_around_a_ball_does_not_hit_it() {
    let mut pair = Pair::new(torus(1.0, 0.3, [24, 12]), Round::sphere(0.1).unwrap());
    for rate in [20.0, 300.0] {
        let impact = pair.impact(&spinning(DVec3::ZERO, rate), &still(), Span::UNIT);
        assert!(impact.time.is_none(), "{rate}: {impact:?}");
    }
}

/// Up and down beside the other, known by its speeds alone.
#[derive(Debug)]
struct Bobbing;

impl Motion for Bobbing {
    fn pose(&self, t: f64) -> Pose {
        let s = (6.0 * t).sin();
        Pose::new(DVec3::new(5.0, 0.0, s), DQuat::from_rotation_y(s)).unwrap()
    }

    fn rates(&self, _: f64, _: f64) -> Rates {
        Rates { velocity_spread: 6.0, spin_spread: 6.0, ..Rates::STILL }
    }
}

#[test]
fn a_motion_known_by_its_rates_does_not_hit_what_it_is_far_from() {
    let mut pair = Pair::new(cube(), cube());
    let impact = pair.impact(&Bobbing, &still(), Span::UNIT);
    assert!(impact.time.is_none() && pair.sweep(&Bobbing, &still(), Span::UNIT).interval.lower > 1.0, "{impact:?}");
}

/// A search that comes to its cap has at least looked at the bodies once.
#[test]
fn a_sweep_of_finite_bodies_is_finite_and_no_impact_is_past_the_end() {
    let ring = torus(1.0, 0.3, [40, 20]);
    let orbit = spinning(DVec3::ZERO, 1000.0);
    let mut pair = Pair::new(ring, Round::sphere(0.1).unwrap());
    let sweep = pair.sweep(&orbit, &still(), Span::UNIT);
    assert!(sweep.interval.upper < 0.61 && sweep.interval.lower <= 0.6 && sweep.witness.is_some(), "{sweep:?}");
    let impact = pair.impact(&orbit, &still(), Span::UNIT);
    assert!(impact.time.is_none_or(|time| time.upper <= 1.0), "{impact:?}");
}
