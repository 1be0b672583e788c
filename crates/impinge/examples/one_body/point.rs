//! How far is a point from a body, and on which side? A probe comes near a ball bearing.
//!
//! `cargo run -p impinge --example point`

use impinge::{Model, Pose, Round, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Model::from(Round::sphere(1.0)?);
    let pose = Pose::at(DVec3::X * 3.0)?;

    for (x, distance, inside) in [(0.0, 2.0, false), (1.5, 0.5, false), (2.5, -0.5, true)] {
        let answer = ball.point_distance(&pose, DVec3::X * x)?;
        println!("probe at {x}: {:.3}, nearest {:.3}", answer.interval.mid(), answer.closest);
        assert!(answer.interval.contains(distance) && answer.inside == inside);
    }

    // Many points at once, on all cores.
    let points: Vec<DVec3> = (0..60).map(|k| DVec3::X * f64::from(k) * 0.1).collect();
    let inside = ball.point_distances(&pose, &points)?.iter().filter(|answer| answer.inside).count();
    println!("{inside} of {} points are inside", points.len());
    assert!((20..=21).contains(&inside));
    Ok(())
}
