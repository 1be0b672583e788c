//! The bodies that are asked about: every kind of model, closed and open, convex and not, made from a seed.

use impinge::glam::DVec3;
use impinge::{Convex, Mesh, Model, Parts, Round};

use super::refused::Refused;
use crate::bodies::{cube, geodesic, random_points};
use crate::random::Random;
use crate::shapes::{Soup, sphere, torus};

/// A body and what it is called in the report.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) model: Model,
}

/// All about as large as the unit ball.
pub(crate) fn all() -> Result<Vec<Named>, Refused> {
    let mut random = Random::new(21, 1);
    let mesh = |soup: Soup| Mesh::new(soup.vertices, soup.triangles);
    let ring = torus(16, 8, &mut random);
    let patch = Soup { triangles: ring.triangles[..90].to_vec(), vertices: ring.vertices.clone() };
    let hollow = Soup { triangles: sphere(2).triangles[..300].to_vec(), ..sphere(2) };
    let points = random_points(&mut random);
    let round = |shape: Result<Round, impinge::BuildError>| shape.map(Model::from);
    let named = |name, model| Named { name, model };
    Ok(vec![
        named("mesh/ring", mesh(ring.normalised())?.into()),
        named("mesh/ball", mesh(sphere(2))?.into()),
        named("mesh/cube", mesh(cube())?.into()),
        named("mesh/stairs", stairs()?.into()),
        named("mesh/patch", mesh(patch.normalised())?.into()),
        named("mesh/scraps", mesh(scraps(&mut random))?.into_surface().into()),
        named("mesh/hollow", mesh(hollow)?.into_solid_by_winding().into()),
        named("mesh/empty", Mesh::empty().into()),
        named("convex/cube", Convex::hull(&cube().vertices)?.into()),
        named("convex/ball", Convex::hull(&geodesic(5).vertices)?.into()),
        named("convex/random", Convex::hull(&points)?.into()),
        named("convex/flat", Convex::hull(&cube().vertices[..4])?.into()),
        named("round/sphere", round(Round::sphere(0.8))?),
        named("round/capsule", round(Round::capsule(0.3, 1.0))?),
        named("round/box", round(Round::cuboid(DVec3::new(1.0, 0.5, 1.5)))?),
        named("round/cylinder", round(Round::cylinder(0.5, 1.2))?),
        named("round/cone", round(Round::cone(0.6, 1.0))?),
        named("round/ellipsoid", round(Round::ellipsoid(DVec3::new(1.0, 0.6, 0.4)))?),
        named("round/half-space", round(Round::half_space(DVec3::Z, -0.4))?),
        named("round/point", round(Round::point(DVec3::new(0.1, 0.2, 0.3)))?),
        named("round/rim", round(Round::triangle(DVec3::X, DVec3::Y, DVec3::Z).and_then(|t| t.with_margin(0.2)))?),
        named("parts/stairs", Parts::decompose(&stairs()?)?.into()),
        named("parts/beads", beads(&mut random)?.into()),
    ])
}

/// Three boxes of different heights side by side, as one closed mesh that is not convex: a prism over a staircase.
fn stairs() -> Result<Mesh, Refused> {
    let outline = [[0., 0.], [3., 0.], [3., 1.], [2., 1.], [2., 2.], [1., 2.], [1., 3.], [0., 3.]];
    let floor = |z: f64| outline.map(|[x, y]| DVec3::new(x - 1.5, y - 1.5, z) * 0.5);
    let vertices = [floor(-0.7), floor(0.7)].concat();
    let cap = [[0u32, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 6], [0, 6, 7]];
    let below = cap.map(|[a, b, c]| [a, c, b]);
    let above = cap.map(|triangle| triangle.map(|v| v + 8));
    let sides = (0..8u32).flat_map(|i| {
        let j = (i + 1) % 8;
        [[i, j, j + 8], [i, j + 8, i + 8]]
    });
    Ok(Mesh::new(vertices, below.into_iter().chain(above).chain(sides).collect())?)
}

/// Triangles without any relation to each other, some of them degenerate.
fn scraps(random: &mut Random) -> Soup {
    let mut vertices = Vec::new();
    for i in 0..60 {
        let centre = random.direction() * random.unit();
        let mut corners = [0; 3].map(|_| centre + random.direction() * 0.3);
        if i % 10 == 0 {
            corners[2] = corners[0].midpoint(corners[1]);
        }
        vertices.extend(corners);
    }
    Soup { triangles: (0..60).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(), vertices }
}

/// Twelve small hulls in a row along a helix.
fn beads(random: &mut Random) -> Result<Parts, Refused> {
    let hulls: Vec<Vec<DVec3>> = (0..12)
        .map(|i| {
            let angle = 0.7 * f64::from(i);
            let centre = DVec3::new(0.7 * angle.cos(), 0.7 * angle.sin(), 0.15 * f64::from(i) - 0.9);
            (0..12).map(|_| centre + random.direction() * 0.25).collect()
        })
        .collect();
    Ok(Parts::from_hulls(hulls.iter().map(|hull| &hull[..]))?)
}
