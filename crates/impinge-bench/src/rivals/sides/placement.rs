//! Poses from far to deep: two bodies at random attitudes, pushed together along a random direction, then set at a
//! signed offset from their first contact.

use impinge::glam::{DQuat, DVec3};
use impinge::{Pair, Pose};

use crate::error::BenchError;
use crate::random::Random;

/// Signed offsets from first contact, in units of the bounding radius.
pub(in crate::rivals) const CLASSES: [(&str, f64); 8] = [
    ("far", 0.5),
    ("mid", 0.1),
    ("near", 0.01),
    ("graze", 0.001),
    ("touch", -0.001),
    ("shallow", -0.01),
    ("part", -0.1),
    ("deep", -0.5),
];

/// How near to first contact the advance must come, and how often it may step.
const REACHED: f64 = 1e-7;
const STEPS: usize = 200;

/// One pair of poses per class. `radius`: no point of either body is farther from its origin.
pub(in crate::rivals) fn place(
    pair: &mut Pair,
    radius: f64,
    random: &mut Random,
) -> Result<[[Pose; 2]; 8], BenchError> {
    let approach = Approach::new(pair, radius, random)?;
    let mut poses = [approach.poses(0.0)?; 8];
    for (pose, (_, offset)) in poses.iter_mut().zip(CLASSES) {
        *pose = approach.poses(offset * radius)?;
    }
    Ok(poses)
}

/// Two attitudes, and how far `a` is from `b` along a direction when they first touch.
pub(in crate::rivals) struct Approach {
    b: Pose,
    turn_a: DQuat,
    direction: DVec3,
    contact: f64,
}

impl Approach {
    pub(in crate::rivals) fn new(pair: &mut Pair, radius: f64, random: &mut Random) -> Result<Approach, BenchError> {
        let (turn_a, turn_b, direction) = (random.rotation(), random.rotation(), random.direction());
        let b = Pose::new(random.direction() * random.unit(), turn_b)?;
        let mut approach = Approach { b, turn_a, direction, contact: 2.1 * radius };
        // Conservative advancement: a step as long as the distance cannot pass the first contact.
        for _ in 0..STEPS {
            let [a, b] = approach.poses(0.0)?;
            let gap = pair.distance(&a, &b).interval.lower;
            if gap < REACHED * radius || approach.contact <= 0.0 {
                break;
            }
            approach.contact -= gap;
        }
        Ok(approach)
    }

    /// The poses at a signed offset from first contact; not beyond `b`'s origin.
    pub(in crate::rivals) fn poses(&self, offset: f64) -> Result<[Pose; 2], BenchError> {
        let away = self.direction * (self.contact + offset).max(0.0);
        Ok([Pose::new(self.b.translation() + away, self.turn_a)?, self.b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::sphere;
    use impinge::{Builder, Model};

    #[test]
    fn classes_lie_on_their_side_of_first_contact() {
        let model = Model::from(sphere(2).surface(Builder::Auto).unwrap());
        let mut pair = Pair::new(model.clone(), model);
        let mut random = Random::new(9, 9);
        for _ in 0..4 {
            let poses = place(&mut pair, 1.0, &mut random).unwrap();
            for ([a, b], (class, offset)) in poses.iter().zip(CLASSES) {
                let overlap = pair.overlap(a, b).overlap;
                assert_eq!(overlap, offset < 0.0, "{class}");
            }
        }
    }

    #[test]
    fn the_seed_decides_the_poses() {
        let model = Model::from(sphere(1).surface(Builder::Auto).unwrap());
        let mut pair = Pair::new(model.clone(), model);
        let mut draw = |seed| place(&mut pair, 1.0, &mut Random::new(seed, 0)).unwrap();
        assert_eq!(draw(4), draw(4));
        assert_ne!(draw(4), draw(5));
    }
}
