//! How near do two bodies come during a motion? A swinging gate passes a post.
//!
//! `cargo run -p impinge --example sweep`

use std::f64::consts::FRAC_PI_2;

use impinge::{Pair, Pose, Round, Span, Steady, SweepOptions, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The gate is 2 long and turns about its hinge at the origin, a quarter turn in one unit of time.
    let gate = Round::segment(DVec3::ZERO, DVec3::X * 2.0)?;
    let post = Round::sphere(0.25)?;
    let mut pair = Pair::new(gate, post);
    let swing = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * FRAC_PI_2, 0.0)?;
    let still = Steady::still(Pose::at(DVec3::new(1.8, 2.4, 0.0))?);

    let answer = pair.sweep(&swing, &still, Span::UNIT);
    // The post's centre is 3 from the hinge: 3 − 2 − 0.25 remain when the gate points at it.
    let angle = (2.4_f64).atan2(1.8);
    println!("they come as near as {:.6} at time {:.6}", answer.interval.mid(), answer.time);
    assert!(answer.interval.contains(0.75) && answer.interval.width() < 1e-6);
    assert!((answer.time - angle / FRAC_PI_2).abs() < 1e-2);

    // A limit is enough for a yes or no, and takes less time.
    let limit = SweepOptions { enough: Some(0.5), ..SweepOptions::default() };
    assert!(pair.sweep_with(&swing, &still, Span::UNIT, &limit).interval.lower > 0.5);
    println!("they are never as near as 0.5");
    Ok(())
}
