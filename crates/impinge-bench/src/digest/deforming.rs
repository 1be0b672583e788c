//! Vertices that move straight: encounters of features, of meshes that deform, and of a mesh with itself.

use impinge::glam::DVec3;
use impinge::{Deforming, ImpactOptions, Inclusion, Mesh, Pair, Pose, Span, Stats, Steady, SweepOptions};

use super::refused::Refused;
use super::tally::Tally;
use crate::random::Random;
use crate::shapes::{sphere, torus};

pub(super) fn ask(tally: &mut Tally) -> Result<(), Refused> {
    let mut random = Random::new(21, 3);
    features(&mut random, tally)?;
    for round in 0..4 {
        let a = cloth(0.6 - 0.4 * f64::from(round), &mut random)?;
        let b = ball(&mut random)?;
        meshes(&a, &b, tally);
        meshes(&b, &a, tally);
        let itself = a.self_impact(&Inclusion::default());
        tally.add("deforming, with itself", &(itself.time, itself.certain, itself.witness), itself.stats);
    }
    Ok(())
}

/// Small whole coordinates, so that many encounters are degenerate, and coordinates in general position.
fn features(random: &mut Random, tally: &mut Tally) -> Result<(), Refused> {
    for round in 0..3000 {
        let mut corner = || match round % 2 {
            0 => DVec3::from_array([0; 3].map(|_| f64::from(random.below(4)) - 1.0)),
            _ => random.direction() * random.between(0.1, 1.0),
        };
        let (start, end) = ([0; 4].map(|_| corner()), [0; 4].map(|_| corner()));
        let tight = Inclusion { tolerance: 1e-6, separation: 0.0 };
        let met = (tight.vertex_face(start, end)?, tight.edge_edge(start, end)?);
        tally.add("deforming, features", &met, Stats::default());
    }
    Ok(())
}

fn meshes(a: &Deforming, b: &Deforming, tally: &mut Tally) {
    let (mut pair, placed, span) = (Pair::new(a.clone(), b.clone()), Steady::still(Pose::IDENTITY), Span::UNIT);
    let whole = ImpactOptions { parting: true, ..ImpactOptions::default() };
    let impact = pair.impact_with(&placed, &placed, span, &whole);
    let answer = (impact.time, impact.certain, impact.separating, impact.witness, impact.normal);
    tally.add("deforming, impact", &answer, impact.stats);
    tally.add("deforming, parting", &impact.leaves, Stats::default());
    let near = ImpactOptions { tolerance: 0.05, ..ImpactOptions::default() };
    let within = pair.impact_with(&placed, &placed, span, &near);
    tally.add("deforming, impact within", &(within.time, within.certain, within.witness), within.stats);
    tally.add("deforming, all contacts", &pair.contacts_over_time(&placed, &placed, span), Stats::default());
    let rough = SweepOptions { tolerance: 1e-4, ..SweepOptions::default() };
    let sweep = pair.sweep_with(&placed, &placed, span, &rough);
    tally.add("deforming, sweep", &(sweep.interval, sweep.time, sweep.witness), sweep.stats);
}

/// A square of 72 triangles that falls, waving.
fn cloth(height: f64, random: &mut Random) -> Result<Deforming, Refused> {
    let at = |i: u32, j: u32, z: f64| DVec3::new(f64::from(i) / 3.0 - 1.0, f64::from(j) / 3.0 - 1.0, z);
    let grid = (0..7u32).flat_map(|i| (0..7u32).map(move |j| (i, j)));
    let vertices: Vec<DVec3> = grid.map(|(i, j)| at(i, j, height + 1.2)).collect();
    let squares = (0..6u32).flat_map(|i| (0..6u32).map(move |j| 7 * i + j));
    let triangles = squares.flat_map(|v| [[v, v + 1, v + 8], [v, v + 8, v + 7]]).collect();
    let end: Vec<DVec3> =
        vertices.iter().map(|v| *v - DVec3::Z * random.between(0.3, 1.2) + random.direction() * 0.1).collect();
    Ok(Deforming::new(Mesh::new(vertices, triangles)?, &end)?)
}

/// A ball or a ring that swells.
fn ball(random: &mut Random) -> Result<Deforming, Refused> {
    let soup = if random.below(2) == 0 { sphere(1) } else { torus(10, 6, random).normalised() };
    let end: Vec<DVec3> = soup.vertices.iter().map(|v| *v * random.between(0.9, 1.3)).collect();
    Ok(Deforming::new(Mesh::new(soup.vertices, soup.triangles)?, &end)?)
}
