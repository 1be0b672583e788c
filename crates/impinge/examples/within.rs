//! Are two bodies closer than a clearance? A pipe passes a wall.
//!
//! `within` costs less than `distance`: it stops as soon as it knows.
//! `cargo run -p impinge --example within`

use impinge::{Pair, Pose, Round, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pipe = Round::capsule(0.1, 5.0)?;
    let wall = Round::half_space(DVec3::X, 0.0)?;
    let mut pair = Pair::new(wall, pipe);

    // The wall ends at x = 0, and the pipe begins a tenth before its axis.
    for (axis, clear) in [(0.5, true), (0.2, true), (0.14, false), (0.05, false)] {
        let answer = pair.within(&Pose::IDENTITY, &Pose::at(DVec3::X * axis)?, 0.05);
        println!("axis at {axis}: {}", if answer.within { "closer than 0.05" } else { "clear by 0.05" });
        assert_eq!(answer.within, !clear);
        if let Some(near) = answer.witness {
            println!("    for one, at {:.3}", near.points[1]);
        }
    }
    Ok(())
}
