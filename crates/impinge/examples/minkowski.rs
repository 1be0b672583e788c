//! A wedge is pushed past a hook: where may it stand, when does it hit, and how does it get out again?
//!
//! `cargo run -p impinge --example minkowski`

use impinge::glam::DVec2;
use impinge::planar::{Polygon, PolygonError, Sum};

fn main() -> Result<(), PolygonError> {
    let hook = Polygon::new(
        &[[0., 0.], [8., 0.], [8., 5.], [5., 5.], [5., 4.], [7., 4.], [7., 1.], [0., 1.]].map(DVec2::from_array),
    )?;
    let wedge = Polygon::new(&[[0., 0.], [2., 0.], [0., 1.]].map(DVec2::from_array))?;
    let obstacle = Sum::obstacle(&hook, &wedge)?;

    println!("The hook has {} convex pieces, the wedge {}.", hook.pieces().count(), wedge.pieces().count());
    println!("The wedge touches the hook when its square corner is at a dot, or at #, which is the hook itself.\n");
    draw(&hook, &obstacle)?;

    let start = DVec2::new(-4.0, 2.25);
    let motion = DVec2::new(16.0, 0.0);
    println!("\nFrom {start} the wedge is {:.4} from the hook.", obstacle.distance(start)?.length);
    match obstacle.cast(start, motion)? {
        Some(hit) => {
            let there = start + motion * hit.time;
            println!("Moving by {motion} it hits at {there}, after {:.2} % of the way.", 100.0 * hit.time);
            println!("The face it hits looks along {:.3}.", hit.normal);
        }
        None => println!("Moving by {motion} it hits nothing."),
    }
    for x in [DVec2::new(6.5, 2.25), DVec2::new(7.25, 2.25), DVec2::new(3.0, 0.5)] {
        match obstacle.depth(x)? {
            Some(way) => println!("At {x} it overlaps: {:.4} along {:.3} sets it free.", way.length, way.direction),
            None => println!("At {x} it is free."),
        }
    }
    Ok(())
}

/// One character for each half unit across and each unit up.
fn draw(hook: &Polygon, obstacle: &Sum) -> Result<(), PolygonError> {
    let speck = Polygon::new(&[[-0.01, -0.01], [0.01, -0.01], [0.0, 0.01]].map(DVec2::from_array))?;
    let solid = Sum::obstacle(hook, &speck)?;
    for row in (-2..=6).rev() {
        let mut line = String::new();
        for column in -6..=18 {
            let x = DVec2::new(0.5 * f64::from(column), f64::from(row) + 0.25);
            line.push(match (solid.contains(x)?, obstacle.contains(x)?) {
                (true, _) => '#',
                (_, true) => '.',
                _ => ' ',
            });
        }
        println!("    |{line}|");
    }
    Ok(())
}
