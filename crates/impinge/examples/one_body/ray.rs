//! Where does a shot hit? A laser scans a part, and a blocked view is found without its place.
//!
//! `ray` gives the first hit; `meets_ray` only says whether there is one, for less work.
//! `cargo run -p impinge --example ray`

use impinge::{Convex, Model, Parts, Pose, Ray, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let block = |low: [f64; 3], high: [f64; 3]| {
        let corner = |k: usize| DVec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 0 { low[i] } else { high[i] }));
        Convex::hull(&(0..8).map(corner).collect::<Vec<_>>())
    };
    // A plate with a block on it.
    let part = Parts::new(vec![block([0.; 3], [4., 4., 1.])?, block([1., 1., 1.], [2., 3., 2.])?])?;
    let (part, pose) = (Model::from(part), Pose::IDENTITY);

    // The scanner looks down from above, in steps along x.
    let rays = (0..5).map(|k| Ray::new(DVec3::new(f64::from(k) + 0.5, 2.0, 10.0), -DVec3::Z));
    let hits = part.rays(&pose, &rays.collect::<Result<Vec<_>, _>>()?);
    let heights: Vec<Option<f64>> = hits.iter().map(|hit| hit.map(|hit| hit.point.z)).collect();
    println!("heights: {heights:?}");
    assert_eq!(heights, [Some(1.0), Some(2.0), Some(1.0), Some(1.0), None]);

    // Does one corner see another? Not past the block.
    let (from, to) = (DVec3::new(0.0, 2.0, 1.5), DVec3::new(4.0, 2.0, 1.5));
    let view = Ray::new(from, to - from)?.with_length(from.distance(to))?;
    println!("blocked: {}", part.meets_ray(&pose, &view));
    assert!(part.meets_ray(&pose, &view));
    Ok(())
}
