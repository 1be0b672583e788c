//! The four simulations of Table 1, as far as the paper and its figures tell: what stands still, what moves, how large
//! it is. Motions are made from a seed: flight under gravity, bounces that lose speed, rolling that slows down. In
//! metres and seconds, steps of a millisecond.
//!
//! A moving body's box holds it over one step however it turns: positions at both ends and at the apex, grown by its
//! radius (Mirtich §2, Figure 1). Fixed bodies have their own boxes.

use impinge::bound::Aabb;
use impinge::broad::body_box::{ballistic, cube};
use impinge::glam::DVec3;

use crate::random::Random;

/// A step of time.
const STEP: f64 = 1e-3;
const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.8);

/// What Table 1 has a row of.
pub(super) struct Scene {
    pub(super) name: &'static str,
    /// The ratio in the paper.
    pub(super) paper: f64,
    pub(super) fixed: Vec<Aabb>,
    /// The boxes of all moving bodies, frame by frame.
    pub(super) frames: Vec<Vec<Aabb>>,
}

pub(super) fn all(frames: usize) -> [Scene; 4] {
    [coins(frames), bowling(frames), rattleback(frames), part_feeder(frames)]
}

/// A body that flies, bounces on the plane z = `floor` and comes to rest.
#[derive(Debug, Clone)]
struct Body {
    at: DVec3,
    velocity: DVec3,
    radius: f64,
    floor: f64,
    /// Speed kept by a bounce, and each second of rolling.
    bounce: f64,
    roll: f64,
}

impl Body {
    /// The box of this step; then the step is taken.
    fn advance(&mut self) -> Aabb {
        let rests = self.at.z <= self.floor + 1e-4 && self.velocity.z.abs() < 0.02;
        let pull = if rests { DVec3::ZERO } else { GRAVITY };
        let b = ballistic(self.at, self.velocity, pull, STEP, self.radius);
        self.at += self.velocity * STEP + pull * (0.5 * STEP * STEP);
        self.velocity += pull * STEP;
        if rests {
            let keep = self.roll.powf(STEP);
            self.velocity = DVec3::new(self.velocity.x * keep, self.velocity.y * keep, 0.0);
        } else if self.at.z < self.floor {
            self.at.z = self.floor;
            self.velocity = DVec3::new(self.velocity.x, self.velocity.y, -self.velocity.z) * self.bounce;
        }
        b
    }
}

fn record(name: &'static str, paper: f64, fixed: Vec<Aabb>, mut bodies: Vec<Body>, frames: usize) -> Scene {
    let frames = (0..frames).map(|_| bodies.iter_mut().map(Body::advance).collect()).collect();
    Scene { name, paper, fixed, frames }
}

fn block(min: [f64; 3], max: [f64; 3]) -> Aabb {
    Aabb::new(DVec3::from_array(min), DVec3::from_array(max))
}

/// Eight coins tossed onto a flat surface (Figure 4).
fn coins(frames: usize) -> Scene {
    let mut random = Random::new(1997, 1);
    let floor = block([-1.0, -1.0, -0.05], [1.0, 1.0, 0.0]);
    let bodies = (0..8).map(|k| Body {
        at: DVec3::new(0.06 * f64::from(k % 4), 0.06 * f64::from(k / 4), 0.3 + 0.05 * f64::from(k)),
        velocity: DVec3::new(random.between(-0.4, 0.4), random.between(-0.4, 0.4), random.between(0.0, 1.0)),
        radius: [0.0121, 0.0096, 0.009, 0.0106][k as usize % 4],
        floor: 0.0009,
        bounce: 0.6,
        roll: 0.2,
    });
    record("coins", 6.2, vec![floor], bodies.collect(), frames)
}

/// A ball, ten pins, a lane with gutters and walls.
fn bowling(frames: usize) -> Scene {
    let mut random = Random::new(1997, 2);
    let fixed = vec![
        block([0.0, -0.53, -0.1], [19.2, 0.53, 0.0]),
        block([0.0, -0.77, -0.2], [19.2, -0.53, -0.05]),
        block([0.0, 0.53, -0.2], [19.2, 0.77, -0.05]),
        block([19.2, -1.0, -0.3], [19.4, 1.0, 1.5]),
        block([17.0, -1.0, -0.3], [19.2, -0.77, 1.0]),
        block([17.0, 0.77, -0.3], [19.2, 1.0, 1.0]),
    ];
    let mut ball = Body {
        at: DVec3::new(0.5, 0.02, 0.109),
        velocity: DVec3::new(8.0, 0.0, 0.0),
        radius: 0.109,
        floor: 0.109,
        bounce: 0.3,
        roll: 0.9,
    };
    let mut pins = Vec::new();
    for row in 0..4 {
        for k in 0..=row {
            let (x, y) = (18.0 + 0.264 * f64::from(row), 0.3048 * (f64::from(k) - 0.5 * f64::from(row)));
            let at = DVec3::new(x, y, 0.15);
            pins.push(Body { at, velocity: DVec3::ZERO, radius: 0.23, floor: 0.15, bounce: 0.4, roll: 0.15 });
        }
    }
    let mut standing = vec![true; pins.len()];
    let frames = (0..frames).map(|_| {
        for (pin, standing) in pins.iter_mut().zip(&mut standing) {
            if *standing && (pin.at - ball.at).length() < 0.17 + 0.3 * random.unit() {
                *standing = false;
                pin.velocity =
                    DVec3::new(random.between(1.0, 4.0), random.between(-2.0, 2.0), random.between(0.3, 2.0));
            }
            if pin.at.x > 19.0 {
                pin.at.x = 19.0;
                pin.velocity.x *= -0.3;
            }
        }
        if ball.at.x > 19.05 {
            ball.at.x = 19.05;
            ball.velocity.x *= -0.2;
        }
        [&mut ball].into_iter().chain(&mut pins).map(Body::advance).collect()
    });
    Scene { name: "bowling", paper: 7.0, fixed, frames: frames.collect() }
}

/// One top that rocks on a table, its centre within millimetres, and wanders slowly.
fn rattleback(frames: usize) -> Scene {
    let table = block([-0.5, -0.5, -0.05], [0.5, 0.5, 0.0]);
    let at = |t: f64| {
        let spin = 12.0 * (0.25 * t).cos();
        let rock = 0.002 * (40.0 * t).sin();
        DVec3::new(
            0.03 * (0.2 * t).sin() + rock * spin.cos(),
            0.02 * (0.3 * t).cos() + rock * spin.sin(),
            0.012 + rock.abs(),
        )
    };
    let boxes = (0..frames).map(|k| {
        let t = STEP * k as f64;
        let (a, b) = (cube(at(t), 0.08), cube(at(t + STEP), 0.08));
        vec![Aabb::new(a.min.min(b.min), a.max.max(b.max))]
    });
    Scene { name: "rattleback top", paper: 6.0, fixed: vec![table], frames: boxes.collect() }
}

/// Parts that slide down a chute with walls and gates, one after the other.
fn part_feeder(frames: usize) -> Scene {
    let mut random = Random::new(1997, 3);
    let mut fixed = vec![
        block([0.0, -0.1, -0.02], [1.2, 0.1, 0.0]),
        block([0.0, -0.12, -0.02], [1.2, -0.1, 0.06]),
        block([0.0, 0.1, -0.02], [1.2, 0.12, 0.06]),
    ];
    for k in 0..4 {
        let x = 0.25 + 0.25 * f64::from(k);
        let (low, high) = if k % 2 == 0 { (-0.1, -0.02) } else { (0.02, 0.1) };
        fixed.push(block([x, low, 0.0], [x + 0.01, high, 0.04]));
    }
    let bodies = (0..12).map(|k| Body {
        at: DVec3::new(-0.05 * f64::from(k), random.between(-0.06, 0.06), random.between(0.05, 0.1)),
        velocity: DVec3::new(random.between(0.15, 0.25), random.between(-0.03, 0.03), 0.0),
        radius: random.between(0.012, 0.02),
        floor: 0.008,
        bounce: 0.5,
        roll: 0.95,
    });
    record("part feeder chute", 7.2, fixed, bodies.collect(), frames)
}
