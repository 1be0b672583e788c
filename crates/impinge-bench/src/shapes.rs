//! The meshes of the workloads, made here from a seed: bumpy tori and geodesic spheres.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use impinge::glam::DVec3;
use impinge::{BuildError, Builder, Convex, Mesh, Model};

use crate::error::BenchError;
use crate::random::Random;

/// Vertices and triangles, before a library builds anything from them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Soup {
    pub(crate) vertices: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Soup {
    /// Our mesh of it, as a surface: the rivals' meshes have no inside. Copies the arrays, as the rivals do.
    pub(crate) fn surface(&self, builder: Builder) -> Result<Mesh, BuildError> {
        Mesh::with_builder(self.vertices.clone(), self.triangles.clone(), builder).map(Mesh::into_surface)
    }

    /// The convex hull of its vertices.
    pub(crate) fn hull(&self, name: &str) -> Result<Model, BenchError> {
        let refused = |source| BenchError::Build { name: name.to_owned(), source };
        Convex::hull(&self.vertices).map(Model::from).map_err(refused)
    }

    /// The shape moved and scaled so that the bounding box is centred and no vertex is farther than 1.
    pub(crate) fn normalised(mut self) -> Soup {
        let (low, high) =
            self.vertices.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
        let centre = (low + high) * 0.5;
        let radius = self.vertices.iter().map(|v| v.distance(centre)).fold(0.0, f64::max);
        if radius > 0.0 {
            self.vertices.iter_mut().for_each(|v| *v = (*v - centre) / radius);
        }
        self
    }

    /// Largest distance of a vertex from the origin.
    pub(crate) fn radius(&self) -> f64 {
        self.vertices.iter().map(|v| v.length()).fold(0.0, f64::max)
    }
}

/// A closed torus of `2·around·across` triangles with radii 1 and 0.3, its tube swelling by up to an eighth in a
/// pattern that the seed draws. Whole numbers of waves keep it closed.
pub(crate) fn torus(around: u32, across: u32, random: &mut Random) -> Soup {
    let waves = [7 + random.below(5), 1 + random.below(3), 4 + random.below(3)].map(f64::from);
    let phase = [random.between(0.0, TAU), random.between(0.0, TAU)];
    let mut vertices = Vec::with_capacity((around * across) as usize);
    for i in 0..around {
        let u = TAU * f64::from(i) / f64::from(around);
        for j in 0..across {
            let v = TAU * f64::from(j) / f64::from(across);
            let swell = (waves[0] * u + waves[1] * v + phase[0]).sin() * (waves[2] * v + phase[1]).cos();
            let tube = 0.3 * (1.0 + 0.125 * swell);
            let ring = 1.0 + tube * v.cos();
            vertices.push(DVec3::new(ring * u.cos(), ring * u.sin(), tube * v.sin()));
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let quads = (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
    let triangles = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    Soup { triangles: triangles.collect(), vertices }
}

/// The unit sphere as an icosahedron with every face split into four, `depth` times: `20·4^depth` triangles.
pub(crate) fn sphere(depth: u32) -> Soup {
    let mut soup = icosahedron();
    for _ in 0..depth {
        let Soup { mut vertices, triangles } = soup;
        let mut middles = BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        let split = triangles.into_iter().flat_map(|[a, b, c]| {
            let [x, y, z] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, x, z], [x, b, y], [z, y, c], [x, y, z]]
        });
        let triangles = split.collect();
        soup = Soup { vertices, triangles };
    }
    soup
}

/// Two poles and two rings of five, the rings at height ±1/√5.
pub(crate) fn icosahedron() -> Soup {
    let height = 0.2f64.sqrt();
    let ring = |k: u32, z: f64, turn: f64| {
        let angle = TAU * (f64::from(k) + turn) / 5.0;
        DVec3::new(2.0 * height * angle.cos(), 2.0 * height * angle.sin(), z)
    };
    let upper = (0..5).map(|k| ring(k, height, 0.0));
    let lower = (0..5).map(|k| ring(k, -height, 0.5));
    let vertices = std::iter::once(DVec3::Z).chain(upper).chain(lower).chain([-DVec3::Z]).collect();
    let triangles = (0..5u32).flat_map(|k| {
        let (u, v) = (1 + k, 1 + (k + 1) % 5);
        let (x, y) = (u + 5, v + 5);
        [[0, u, v], [u, x, v], [v, x, y], [x, 11, y]]
    });
    Soup { triangles: triangles.collect(), vertices }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tori_are_closed_oriented_and_have_genus_one() {
        let soup = torus(12, 9, &mut Random::new(3, 0));
        assert_eq!(soup.triangles.len(), 2 * 12 * 9);
        let mesh = soup.surface(Builder::Auto).unwrap();
        let report = mesh.report();
        assert!(report.closed && report.manifold && report.oriented && report.components == 1, "{report:?}");
        let euler = report.vertices as i64 - report.triangles as i64 / 2;
        assert_eq!(euler, 0, "V - E + F with 2E = 3F");
        assert!(report.volume.unwrap() > 0.0, "outward");
    }

    #[test]
    fn spheres_are_closed_and_nearly_round() {
        for depth in 0..4 {
            let soup = sphere(depth);
            assert_eq!(soup.triangles.len(), 20 << (2 * depth));
            assert!(soup.vertices.iter().all(|v| (v.length() - 1.0).abs() < 1e-12));
            let mesh = soup.surface(Builder::Auto).unwrap();
            let report = mesh.report();
            assert!(report.closed && report.manifold && report.oriented && report.merged_vertices == 0, "{report:?}");
            let volume = report.volume.unwrap();
            assert!(volume > 0.0 && volume < 4.0 / 3.0 * std::f64::consts::PI, "outward, inscribed");
        }
    }

    #[test]
    fn the_seed_decides_the_torus() {
        let draw = |seed| torus(20, 10, &mut Random::new(seed, 0));
        assert_eq!(draw(5), draw(5));
        assert_ne!(draw(5), draw(6));
    }

    #[test]
    fn normalised_is_centred_in_the_unit_ball() {
        let far = Soup { vertices: vec![DVec3::splat(5.0), DVec3::new(9.0, 5.0, 5.0)], triangles: vec![] };
        let near = far.normalised();
        assert_eq!(near.vertices, [-DVec3::X, DVec3::X]);
        assert_eq!(near.radius(), 1.0);
    }
}
