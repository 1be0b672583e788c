//! When do two bodies first touch, and when do they part? Two cars meet at a crossing.
//!
//! `cargo run -p impinge --example impact`

use impinge::{ImpactOptions, Pair, Pose, Round, Span, Steady, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let car = Round::cuboid(DVec3::new(4.0, 2.0, 1.5))?;
    let truck = Round::cuboid(DVec3::new(2.0, 8.0, 3.0))?;
    let mut pair = Pair::new(car, truck);
    // Along x and along y, in metres and seconds.
    let east = Steady::straight(Pose::at(DVec3::X * -23.0)?, DVec3::X * 10.0, 0.0)?;
    let north = Steady::straight(Pose::at(DVec3::Y * -20.0)?, DVec3::Y * 10.0, 0.0)?;
    let span = Span::new(0.0, 5.0)?;

    let options = ImpactOptions { parting: true, ..ImpactOptions::default() };
    let impact = pair.impact_with(&east, &north, span, &options);
    let time = impact.time.expect("they meet");
    // The car's front, at −21 + 10t, reaches the truck's side at −1 when t = 2; the truck then covers −4 to 4.
    println!("they hit between {} and {}, with normal {}", time.lower, time.upper, impact.normal.unwrap_or_default());
    assert!(time.lower <= 2.0 && time.upper >= 2.0 && time.width() < 1e-9 && impact.certain);
    assert_eq!(impact.normal, Some(DVec3::X));

    // The truck's rear, at −24 + 10t, leaves the car's far side at 1 when t = 2.5.
    let leaves = impact.leaves.expect("they part within the span");
    println!("going on, they would part at {:.9}", leaves.mid());
    assert!((leaves.mid() - 2.5).abs() < 1e-9);
    Ok(())
}
