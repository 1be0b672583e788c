//! Do two bodies touch? A wrench lies across a bolt, then beside it.
//!
//! `cargo run -p impinge --example overlap`

use impinge::{Pair, Pose, Round, Touch, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wrench = Round::cuboid(DVec3::new(8.0, 1.0, 1.0))?;
    let bolt = Round::cylinder(0.5, 4.0)?;
    let mut pair = Pair::new(wrench, bolt);

    for (place, expected) in [(0.0, true), (0.9, true), (1.1, false)] {
        let answer = pair.overlap(&Pose::IDENTITY, &Pose::at(DVec3::Y * place)?);
        match &answer.witness {
            Some(Touch::Common(point)) => println!("at y = {place}: they touch, for one at {point:.3}"),
            Some(other) => println!("at y = {place}: they touch, {other:?}"),
            None => println!("at y = {place}: they are apart"),
        }
        assert_eq!(answer.overlap, expected);
    }

    // What only comes near counts, too, when the pair is given an envelope.
    let mut careful = pair.with_envelope(0.2);
    assert!(careful.overlap(&Pose::IDENTITY, &Pose::at(DVec3::Y * 1.1)?).overlap);
    println!("at y = 1.1, with an envelope of 0.2: they touch");
    Ok(())
}
