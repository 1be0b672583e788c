//! What is a round body? A shape in closed form, or any convex body with a margin around it.
//!
//! `cargo run -p impinge --example round`

use impinge::{Convex, Pair, Pose, Round, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shapes = [
        (Round::sphere(1.0)?, 1.0),
        (Round::capsule(0.5, 1.0)?, 1.0),
        (Round::cuboid(DVec3::splat(2.0))?, 1.0),
        (Round::cylinder(0.5, 3.0)?, 1.5),
        (Round::cone(0.5, 1.0)?, 0.5),
        (Round::ellipsoid(DVec3::new(1.0, 2.0, 3.0))?, 3.0),
        (Round::segment(DVec3::ZERO, DVec3::Z)?, 1.0),
    ];
    // A plane at height 5 above each: how far is it from the shape's highest point?
    let ceiling = Round::half_space(-DVec3::Z, -5.0)?;
    for (shape, height) in shapes {
        let name = shape.kind();
        let answer = Pair::new(ceiling.clone(), shape).distance(&Pose::IDENTITY, &Pose::IDENTITY);
        println!("{name}: its top is at {height}, {} below the ceiling", answer.interval.mid());
        assert!((answer.interval.mid() - (5.0 - height)).abs() < 1e-9);
    }

    // A margin makes a body larger on all sides, and rounds its corners.
    let flat = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y])?;
    let cushion = Round::around(flat, 0.25)?;
    let answer = Pair::new(ceiling, cushion).distance(&Pose::IDENTITY, &Pose::IDENTITY);
    println!("a triangle with a margin of 0.25 is {} below it", answer.interval.mid());
    assert!(answer.interval.contains(4.75));
    Ok(())
}
