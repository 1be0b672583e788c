//! How is a body kept in a file? It is written by serde, here as JSON, and goes through the builder when it is read.
//!
//! With serde_json, the feature `float_roundtrip` of that crate reads numbers to the last bit.
//! `cargo run -p impinge --features serde --example written`

use impinge::{Convex, Model, Parts, Pose, Round, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wedge = Convex::hull(&[[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 1.]].map(DVec3::from_array))?;
    let bodies = [Model::from(Parts::new(vec![wedge.clone(), wedge])?), Model::from(Round::capsule(0.5, 2.0)?)];

    let text = serde_json::to_string(&bodies)?;
    println!("{text}");
    let read: Vec<Model> = serde_json::from_str(&text)?;

    let aside = Pose::at(DVec3::X * 4.0)?;
    let distance = |bodies: &[Model]| impinge::distance(&bodies[0], &Pose::IDENTITY, &bodies[1], &aside).interval;
    assert_eq!(distance(&read), distance(&bodies), "the same bodies");

    // What no builder takes is refused, and so is a format of a later version.
    let negative = r#"{"round": {"format": 1, "shape": {"sphere": {"radius": -1.0}}, "margin": 0.0}}"#;
    let error = serde_json::from_str::<Model>(negative).expect_err("there is no such ball");
    println!("refused: {error}");
    let later = serde_json::from_str::<Model>(&text.replace("\"format\":1", "\"format\":7"));
    assert!(later.is_err());
    Ok(())
}
