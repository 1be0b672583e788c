//! How deep are two bodies in each other, and which way out is the shortest? A peg is stuck in a board.
//!
//! `cargo run -p impinge --example penetration`

use impinge::{DepthKind, Pair, Pose, Round, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Round::cuboid(DVec3::new(10.0, 10.0, 1.0))?;
    let peg = Round::cylinder(0.25, 2.0)?;
    let mut pair = Pair::new(board, peg);

    // The lower end of the peg is 0.4 below the upper face of the board.
    let stuck = DVec3::new(1.0, 2.0, 1.1);
    let deep = pair.penetration(&Pose::IDENTITY, &Pose::at(stuck)?);
    let way = deep.direction.expect("bodies that overlap have a way out");
    println!("the depth is {:.6}, the way out {way}, and this is {:?}", deep.interval.mid(), deep.kind);
    assert!(deep.interval.contains(0.4) && deep.kind == DepthKind::Exact);
    assert!(way.distance(DVec3::Z) < 1e-9);

    // Moving `b` by the upper end of the interval along the direction separates the bodies.
    let out = Pose::at(stuck + way * (deep.interval.upper + 1e-9))?;
    assert!(!pair.overlap(&Pose::IDENTITY, &out).overlap);
    println!("moved by that, the peg is free");
    Ok(())
}
