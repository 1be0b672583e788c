//! What is a convex body? The hull of points. Every engine gives the same answers about it.
//!
//! `cargo run -p impinge --example convex`

use impinge::{Convex, Method, Pair, Pose, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The eight corners of a cube of side 2, its centre, and one corner twice.
    let corner = |i: u8| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - DVec3::ONE;
    let mut points: Vec<DVec3> = (0..8).map(corner).collect();
    points.extend([DVec3::ZERO, corner(3)]);
    let cube = Convex::hull(&points)?;
    println!("{} vertices, {} edges, {} faces", cube.vertex_count(), cube.edge_count(), cube.face_count());
    assert_eq!((cube.vertex_count(), cube.edge_count(), cube.face_count()), (8, 12, 6));
    assert_eq!((cube.dropped().copies, cube.dropped().inside), (1, 1));

    let aside = Pose::at(DVec3::new(5.0, 6.0, 0.5))?;
    for name in ["auto", "v-clip", "lin-canny", "gjk", "brute"] {
        let method: Method = name.parse()?;
        let mut pair = Pair::new(cube.clone(), cube.clone()).with_method(method);
        let answer = pair.distance(&Pose::IDENTITY, &aside);
        println!("{name}: {} after {} steps", answer.interval.mid(), answer.stats.iterations);
        // Between the edges at (1, 1) and (4, 5) it is 5.
        assert!(answer.interval.contains(5.0));
    }
    Ok(())
}
