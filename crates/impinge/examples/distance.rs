//! How far are two bodies apart, and between which points? A lamp hangs above the corner of a box.
//!
//! `cargo run -p impinge --example distance`

use impinge::{Element, Feature, Pair, Pose, Round, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut pair = Pair::new(Round::cuboid(DVec3::splat(2.0))?, Round::sphere(1.0)?);
    let lamp = Pose::at(DVec3::new(3.0, 3.0, 2.0))?;
    let answer = pair.distance(&Pose::IDENTITY, &lamp);

    // From the corner (1, 1, 1) to the centre of the lamp it is √(2² + 2² + 1²) = 3; the lamp's radius is 1.
    println!("the distance is between {} and {}", answer.interval.lower, answer.interval.upper);
    assert!(answer.interval.contains(2.0) && answer.interval.width() < 1e-12);

    let near = answer.witness.expect("bodies that are apart have closest points");
    println!("from {} on the box to {:.4} on the lamp", near.points[0], near.points[1]);
    assert!(near.points[0].distance(DVec3::ONE) < 1e-12);
    assert!(matches!(near.features[0], Feature::Convex { element: Element::Vertex(_), .. }));
    assert!(matches!(near.features[1], Feature::Convex { element: Element::Surface, .. }));
    Ok(())
}
