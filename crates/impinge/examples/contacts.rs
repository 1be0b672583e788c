//! Which parts of two bodies touch, and where? A table of four legs stands on a floor, then on a step.
//!
//! `cargo run -p impinge --example contacts`

use impinge::{Limit, Pair, Parts, Pose, Round, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let leg = |x: f64, y: f64| [0.0, 1.0].map(|z| DVec3::new(x, y, z));
    let top = [[-2., -1.], [2., -1.], [2., 1.], [-2., 1.]].map(|[x, y]| DVec3::new(x, y, 1.0));
    let legs = [leg(-2., -1.), leg(2., -1.), leg(2., 1.), leg(-2., 1.)];
    let table = Parts::from_hulls(legs.iter().map(|leg| &leg[..]).chain([&top[..]]))?;

    let floor = Round::half_space(DVec3::Z, 0.0)?;
    let mut on_floor = Pair::new(floor, table.clone());
    let contacts = on_floor.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
    for contact in contacts.iter() {
        println!("part {} of the table stands at {}", contact.pair[1], contact.points[0][1]);
        assert_eq!(contact.normal, DVec3::Z);
    }
    // The four legs touch, the top does not.
    assert_eq!(contacts.pairs.iter().map(|pair| pair[1]).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(contacts.complete);

    let step = Round::cuboid(DVec3::new(1.0, 4.0, 1.0))?;
    let mut on_step = Pair::new(step, table);
    let contacts = on_step.contacts(&Pose::at(DVec3::new(2.0, 0.0, -0.5))?, &Pose::IDENTITY, Limit::All);
    println!("on the step stand parts {:?}", contacts.pairs.iter().map(|pair| pair[1]).collect::<Vec<_>>());
    assert_eq!(contacts.pairs.len(), 2);
    Ok(())
}
