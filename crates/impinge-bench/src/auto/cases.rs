//! Random cases: two bodies, and two motions during which they touch, nearly touch, or stay far apart.

use impinge::bound::Aabb;
use impinge::glam::DVec3;
use impinge::{Mesh, Model, Motion, Outline, Pose, Round};

use super::motions;
use crate::digest::{Named, Refused, all_bodies};
use crate::random::Random;
use crate::shapes::{sphere, torus};

/// All cases are drawn from this.
const SEED: u64 = 22;

/// Two bodies that move.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) models: [Model; 2],
    pub(super) motions: [Box<dyn Motion>; 2],
}

/// The bodies that cases are made of. Empty ones touch nothing; a solid with holes is only sampled.
pub(super) fn bodies() -> Result<Vec<Named>, Refused> {
    let mut random = Random::new(SEED, 1);
    let mut bodies = all_bodies()?;
    bodies.retain(|body| !["mesh/empty", "mesh/hollow"].contains(&body.name));
    let large = torus(48, 20, &mut random).normalised();
    bodies.push(Named { name: "mesh/torus", model: Mesh::new(large.vertices, large.triangles)?.into() });
    let round = sphere(3);
    bodies.push(Named { name: "mesh/sphere", model: Mesh::new(round.vertices, round.triangles)?.into() });
    bodies.push(Named { name: "round/ball", model: Round::sphere(0.1)?.into() });
    Ok(bodies)
}

/// The case of this number.
pub(super) fn case(number: u64, bodies: &[Named]) -> Result<Case, Refused> {
    let mut random = Random::new(SEED, 1000 + number);
    let body = |random: &mut Random| {
        // The last is drawn more often: a small ball, as at the end of a chain.
        let last = bodies.len() as u32 - 1;
        let drawn = if random.below(5) == 0 { last } else { random.below(last) };
        &bodies[drawn as usize]
    };
    let (a, b) = (body(&mut random), body(&mut random));
    let kinds = [motions::kind(&mut random), if random.below(2) == 0 { 0 } else { motions::kind(&mut random) }];
    let first = motions::make(kinds[0], DVec3::ZERO, &mut random)?;
    // The second passes the first at some time, at a distance drawn: through it, close by, or far away.
    let then = random.unit();
    let size = radius(&a.model) + radius(&b.model);
    let apart = match random.below(3) {
        0 => random.between(0.0, 0.8),
        1 => random.between(0.8, 1.3),
        _ => random.between(1.3, 8.0),
    };
    let place = first.pose(then).apply(centre(&a.model)) + random.direction() * (apart * size);
    let draft = motions::make(kinds[1], DVec3::ZERO, &mut random.clone())?;
    let off = place - draft.pose(then).apply(centre(&b.model));
    let second = motions::make(kinds[1], off, &mut random)?;
    let name = format!("{number}: {} {}, {} {}", a.name, motions::name(kinds[0]), b.name, motions::name(kinds[1]));
    Ok(Case { name, models: [a.model.clone(), b.model.clone()], motions: [first, second] })
}

fn centre(model: &Model) -> DVec3 {
    bounds(model).map_or(DVec3::ZERO, |b| 0.5 * (b.min + b.max))
}

/// That of the box around it; a half-space counts as a body of radius 1.
fn radius(model: &Model) -> f64 {
    bounds(model).map_or(1.0, |b| 0.5 * (b.max - b.min).length())
}

fn bounds(model: &Model) -> Option<Aabb> {
    model.outline(&Pose::IDENTITY, Outline::Fitted)
}
