//! Boxes that move: spread evenly with room for eight of them each, in a heap on a floor, or of sizes up to 1000 : 1.

use impinge::bound::Aabb;
use impinge::glam::DVec3;

use crate::random::Random;

/// How boxes move in a frame, in units of their sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    step: f64,
    settled: bool,
    mixed: bool,
}

pub(super) const KINDS: [Kind; 4] = [
    Kind { name: "small", step: 0.02, settled: false, mixed: false },
    Kind { name: "large", step: 1.0, settled: false, mixed: false },
    Kind { name: "settled", step: 0.002, settled: true, mixed: false },
    Kind { name: "mixed", step: 0.05, settled: false, mixed: true },
];

pub(super) struct Motion {
    kind: Kind,
    random: Random,
    /// The side of the cube in which they stay.
    room: f64,
    bodies: Vec<Moving>,
}

struct Moving {
    at: DVec3,
    half: DVec3,
    velocity: DVec3,
    size: f64,
}

impl Motion {
    pub(super) fn new(kind: Kind, count: usize, seed: u64) -> Motion {
        let mut random = Random::new(seed, count as u64);
        // Of sizes from 0.01 to 10, evenly by their logarithm, the mean cube is about 48; their boxes fill 0.42 of it.
        let room = if kind.mixed { 64.0 * 48.3 * 0.42 } else { 8.0 };
        let room = (room * count as f64).cbrt();
        let row = (count as f64 / 3.0).sqrt().ceil() as usize;
        let bodies = (0..count).map(|k| {
            let size = if kind.mixed { 10f64.powf(random.between(-2.0, 1.0)) } else { 1.0 };
            let [low, high] = if kind.mixed { [0.5, 1.0] } else { [0.25, 0.75] };
            let mut vector = |low: f64, high: f64| {
                DVec3::new(random.between(low, high), random.between(low, high), random.between(low, high))
            };
            let (half, spread) = (size * vector(low, high), vector(0.0, room));
            let at = match kind.settled {
                true => DVec3::new((k / 3 % row) as f64 * 1.1, (k / 3 / row) as f64 * 1.1, (k % 3) as f64 * 1.02 + 0.5),
                false => spread,
            };
            let shake = vector(-0.14, 0.14);
            Moving {
                at: if kind.settled { at + shake } else { at },
                half,
                velocity: vector(-1.7, 1.7) * kind.step * size,
                size,
            }
        });
        let mut bodies: Vec<Moving> = bodies.collect();
        // A heap is not numbered from corner to corner.
        for k in (1..bodies.len()).rev() {
            bodies.swap(k, random.below(k as u32 + 1) as usize);
        }
        Motion { kind, random, room, bodies }
    }

    /// The boxes, frame after frame.
    pub(super) fn frames(mut self, count: usize) -> Vec<Vec<Aabb>> {
        (0..count)
            .map(|_| {
                let frame = self.bodies.iter().map(|b| Aabb::new(b.at - b.half, b.at + b.half)).collect();
                self.advance();
                frame
            })
            .collect()
    }

    fn advance(&mut self) {
        for body in &mut self.bodies {
            if self.kind.settled {
                let random = &mut self.random;
                let mut jolt = || random.between(-1.7, 1.7) * self.kind.step * body.size;
                body.at += DVec3::new(jolt(), jolt(), jolt());
                continue;
            }
            body.at += body.velocity;
            for axis in 0..3 {
                if body.at[axis] < 0.0 || body.at[axis] > self.room {
                    body.velocity[axis] = -body.velocity[axis];
                    body.at[axis] = body.at[axis].clamp(0.0, self.room);
                }
            }
        }
    }
}
