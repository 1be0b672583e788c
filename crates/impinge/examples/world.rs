//! What is a world? Many bodies that come, go and move; only those near each other are looked at closely.
//!
//! `cargo run -p impinge --example world`

use std::sync::Arc;

use impinge::{Advance, Body, Pose, Round, Schedule, Span, Steady, World, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let ball = Round::sphere(0.5)?;
    let mut row = Vec::new();
    for i in 0..5 {
        row.push(world.add(Body::new(ball.clone(), Pose::at(DVec3::X * 2.0 * f64::from(i))?))?);
    }
    // Where they stand now.
    assert!(world.overlap().is_empty());
    println!("{} pairs are closer than 1.5", world.within(1.5).len());
    assert_eq!(world.within(1.5).len(), 4);

    // In time: the first ball rolls at 1 a second, and each that is hit takes the motion over.
    let roll = |from: Pose, start| Steady::straight(from, DVec3::X, start).map(Arc::new);
    world.set_motion(row[0], Some(roll(Pose::IDENTITY, 0.0)?))?;
    let mut hits = Vec::new();
    world.advance(Span::new(0.0, 10.0)?, &Advance::new(Schedule::Queue), |world, hit| {
        let stop = Steady::still(hit.poses[0]);
        let go = roll(hit.poses[1], hit.time).expect("a slow ball");
        world.set_motion(hit.a, Some(Arc::new(stop))).expect("it is there");
        world.set_motion(hit.b, Some(go)).expect("it is there");
        hits.push(hit.time);
    });
    println!("hits at {hits:.3?}");
    assert!(hits.len() == 4 && hits.iter().zip([1.0, 2.0, 3.0, 4.0]).all(|(t, s)| (t - s).abs() < 1e-4));
    Ok(())
}
