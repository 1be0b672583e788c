//! The questions asked about two hulls, by name, each with its answer as one number; and the small motion after which
//! they are asked again.

use impinge::glam::DQuat;
use impinge::{Model, Pair, Pose};

use crate::error::BenchError;
use crate::random::Random;

/// A question with its answer as a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query {
    pub(crate) name: &'static str,
    /// Asked of a pair and what it remembers.
    pub(crate) ask: fn(&mut Pair, &[Pose; 2]) -> f64,
    /// Asked of two bodies, without memory.
    pub(crate) cold: fn([&Model; 2], &[Pose; 2]) -> f64,
}

pub(crate) const QUERIES: [Query; 3] = [
    Query {
        name: "bool",
        ask: |pair, [a, b]| yes(pair.overlap(a, b).overlap),
        cold: |[m, n], [a, b]| yes(impinge::overlap(m, a, n, b).overlap),
    },
    Query { name: "dist", ask: distance, cold: |[m, n], [a, b]| impinge::distance(m, a, n, b).interval.upper },
    // Two queries: the second may use what the first has found.
    Query { name: "depth", ask: signed, cold: |[m, n], poses| signed(&mut Pair::new(m, n), poses) },
];

/// How far a pair moves between two questions: a displacement, and as many radians.
const MOTION: f64 = 1e-3;

fn yes(overlap: bool) -> f64 {
    f64::from(u8::from(overlap))
}

pub(crate) fn distance(pair: &mut Pair, [a, b]: &[Pose; 2]) -> f64 {
    pair.distance(a, b).interval.upper
}

/// The distance, or minus the depth where they overlap.
fn signed(pair: &mut Pair, [a, b]: &[Pose; 2]) -> f64 {
    let deep = pair.penetration(a, b);
    if deep.direction.is_some() { -deep.interval.upper } else { pair.distance(a, b).interval.upper }
}

/// The poses of query `i` a moment later: `a` displaced and turned, in directions drawn by `i`.
pub(crate) fn moved(i: usize, [a, b]: &[Pose; 2]) -> Result<[Pose; 2], BenchError> {
    let mut random = Random::new(i as u64, 2);
    let turn = DQuat::from_axis_angle(random.direction(), MOTION);
    Ok([Pose::new(a.translation() + random.direction() * MOTION, turn * a.rotation())?, *b])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::cube;
    use impinge::glam::DVec3;

    #[test]
    fn signs_and_motion() {
        let cube = cube().hull("cube").unwrap();
        let at = |x: f64| [Pose::IDENTITY, Pose::at(DVec3::new(x, 0.0, 0.0)).unwrap()];
        for (x, expected) in [(3.0, [0.0, 1.0, 1.0]), (1.5, [1.0, 0.0, -0.5])] {
            for (query, expected) in QUERIES.into_iter().zip(expected) {
                let found = [(query.ask)(&mut Pair::new(&cube, &cube), &at(x)), (query.cold)([&cube; 2], &at(x))];
                assert!(found.iter().all(|f| (f - expected).abs() < 1e-12), "{} at {x}: {found:?}", query.name);
            }
        }
        let [a, _] = moved(5, &at(3.0)).unwrap();
        assert!((a.translation().length() - MOTION).abs() < 1e-12);
        assert!((a.apply(DVec3::X) - a.translation()).distance(DVec3::X) < 1.01 * MOTION);
    }
}
