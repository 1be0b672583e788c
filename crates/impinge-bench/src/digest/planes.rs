//! Polygons in the plane that translate.

use impinge::Stats;
use impinge::glam::DVec2;
use impinge::planar::{Polygon, Sum};

use super::refused::Refused;
use super::tally::Tally;
use crate::random::Random;

pub(super) fn ask(tally: &mut Tally) -> Result<(), Refused> {
    let mut random = Random::new(21, 4);
    for round in 0..12 {
        let (a, b) = (star(round % 3 == 0, &mut random)?, star(round % 2 == 0, &mut random)?);
        let obstacle = Sum::obstacle(&a, &b)?;
        tally.add("plane, areas", &(a.area(), b.area(), obstacle.area()), Stats::default());
        for _ in 0..30 {
            let mut place = || DVec2::new(random.between(-3.0, 3.0), random.between(-3.0, 3.0));
            let (x, way) = (place(), place());
            let told = (obstacle.contains(x)?, obstacle.distance(x)?, obstacle.cast(x, way)?, obstacle.depth(x)?);
            tally.add("plane, queries", &told, Stats::default());
        }
    }
    Ok(())
}

/// A polygon around the origin: corners at nine angles, at distances that are random or all 1.
fn star(convex: bool, random: &mut Random) -> Result<Polygon, Refused> {
    let corner = |i: i32| {
        let radius = if convex { 1.0 } else { random.between(0.3, 1.0) };
        DVec2::from_angle(0.69 * f64::from(i)) * radius
    };
    Ok(Polygon::new(&(0..9).map(corner).collect::<Vec<_>>())?)
}
