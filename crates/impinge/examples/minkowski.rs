//! A wedge is pushed past a hook in the plane: where may it stand, when does it hit, and how does it get out again?
//!
//! `cargo run -p impinge --example minkowski`

use impinge::glam::DVec2;
use impinge::planar::{Polygon, PolygonError, Sum};

fn main() -> Result<(), PolygonError> {
    let polygon = |corners: &[[f64; 2]]| Polygon::new(&corners.iter().map(|&c| c.into()).collect::<Vec<DVec2>>());
    let hook = polygon(&[[0., 0.], [8., 0.], [8., 5.], [5., 5.], [5., 4.], [7., 4.], [7., 1.], [0., 1.]])?;
    let obstacle = Sum::obstacle(&hook, &polygon(&[[0., 0.], [2., 0.], [0., 1.]])?)?;
    let solid = Sum::obstacle(&hook, &polygon(&[[0., 0.], [0.01, 0.], [0., 0.01]])?)?;

    println!("The wedge touches the hook when its square corner is at a dot, or at #: the hook itself.");
    for row in (-2..=6).rev() {
        let place = |column: i32| DVec2::new(0.5 * f64::from(column), f64::from(row) + 0.25);
        let mark = |x| match (solid.contains(x)?, obstacle.contains(x)?) {
            (true, _) => Ok('#'),
            (false, wedge) => Ok(if wedge { '.' } else { ' ' }),
        };
        println!("    |{}|", (-6..=18).map(|column| mark(place(column))).collect::<Result<String, PolygonError>>()?);
    }
    let (start, motion) = (DVec2::new(-4.0, 2.25), DVec2::new(16.0, 0.0));
    let hit = obstacle.cast(start, motion)?.expect("the hook is in the way");
    println!("\nFrom {start} it is {:.4} from the hook.", obstacle.distance(start)?.length);
    println!(
        "Moving by {motion} it hits after {:.2} % of the way, at {}.",
        100.0 * hit.time,
        start + motion * hit.time
    );
    assert!((hit.time - 9.0 / 16.0).abs() < 1e-12 && hit.normal.distance(-DVec2::X) < 1e-12);

    for (x, length) in [(DVec2::new(6.5, 2.25), 1.5), (DVec2::new(7.25, 2.25), 0.75), (DVec2::new(3.0, 0.5), 0.5)] {
        let way = obstacle.depth(x)?.expect("it overlaps the hook there");
        println!("At {x} it overlaps: {:.4} along {:.3} sets it free.", way.length, way.direction);
        assert!((way.length - length).abs() < 1e-12);
    }
    Ok(())
}
