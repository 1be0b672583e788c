//! The bounds on a link that joints carry are never below what it does, and not far above.

use impinge::glam::{DQuat, DVec3};
use impinge::{ChainLink, Joint, Motion, Pose};
use impinge_testing::environment::is_long;
use impinge_testing::random::Random;

/// The radius of the link about its origin.
const RADIUS: f64 = 0.3;

/// A chain like an arm: joints about half a unit apart, one in six of them sliding.
fn chain(random: &mut Random, count: usize) -> ChainLink {
    let mut point = DVec3::ZERO;
    let fastest = random.within(0.1, 3.0);
    let joints = (0..count).map(|_| {
        let axis = direction(random);
        let (position, rate) = (random.within(-2.0, 2.0), random.within(-fastest, fastest));
        let joint = match random.below(6) {
            0 => Joint::sliding(point, axis, 0.3 * position, 0.5 * rate),
            _ => Joint::turning(point, axis, position, rate),
        };
        point += direction(random) * random.within(0.2, 1.0);
        joint.unwrap()
    });
    let joints = joints.collect();
    let turn = DQuat::from_scaled_axis(direction(random));
    ChainLink::new(joints, Pose::new(point, turn).unwrap(), 0.0).unwrap()
}

fn direction(random: &mut Random) -> DVec3 {
    random.rotation() * DVec3::X
}

/// The longest way of a point of the link, by small steps.
fn travel(chain: &ChainLink, [from, to]: [f64; 2]) -> f64 {
    let arms = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z].map(|d| d * RADIUS);
    let steps = 400;
    let at = |k: u32| chain.pose(from + (to - from) * f64::from(k) / f64::from(steps));
    let way = |p: DVec3| (0..steps).map(|k| at(k).apply(p).distance(at(k + 1).apply(p))).sum::<f64>();
    arms.into_iter().map(way).fold(0.0, f64::max)
}

#[test]
fn the_bound_on_travel_is_at_most_twice_the_truth_in_the_median() {
    let mut random = Random::new(1);
    let each = if is_long() { 400 } else { 24 };
    for count in 1..=12 {
        let mut ratios: Vec<f64> = (0..each)
            .map(|_| {
                let chain = chain(&mut random, count);
                let from = random.within(-1.0, 1.0);
                let to = from + random.within(0.02, 1.0);
                let bound = chain.rates(from, to).speed(RADIUS) * (to - from);
                bound / travel(&chain, [from, to])
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        eprintln!("{count} joints: {:.3} {:.3} {:.3}", ratios[0], ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
        assert!(ratios[0] >= 1.0 - 1e-4, "{ratios:?}");
        let median = ratios[ratios.len() / 2];
        assert!(median <= 2.0, "{count} joints: {median}");
    }
}
