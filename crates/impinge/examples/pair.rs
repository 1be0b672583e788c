//! What is a pair? Two bodies and what is remembered of their last question, so that small steps cost little.
//!
//! `cargo run -p impinge --example pair`

use impinge::{Convex, Pair, Pose, glam::DQuat, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two balls of 500 corners each, spread along a spiral; the golden angle keeps them evenly apart.
    let corner = |i: u32| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 500.0;
        let turn = DQuat::from_rotation_z(2.399963229728653 * f64::from(i));
        turn * DVec3::new((1.0 - z * z).sqrt(), 0.0, z)
    };
    let ball = Convex::hull(&(0..500).map(corner).collect::<Vec<_>>())?;
    let mut pair = Pair::new(ball.clone(), ball.clone());
    let at = |step: u32| Pose::new(DVec3::X * 3.0, DQuat::from_rotation_z(0.002 * f64::from(step)));

    let (mut remembered, mut fresh) = (0, 0);
    for step in 0..100 {
        let warm = pair.distance(&Pose::IDENTITY, &at(step)?);
        let cold = Pair::new(ball.clone(), ball.clone()).distance(&Pose::IDENTITY, &at(step)?);
        assert!(warm.interval.lower <= cold.interval.upper && cold.interval.lower <= warm.interval.upper);
        remembered += warm.stats.primitive_tests;
        fresh += cold.stats.primitive_tests;
    }
    println!("100 small steps: {remembered} tests by one pair, {fresh} by a new pair for each step");
    assert!(remembered * 2 < fresh);
    Ok(())
}
