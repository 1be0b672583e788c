//! Bodies for tests. Those that have an inside are closed and wound outwards.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use glam::DVec3;

use crate::random::Random;
use crate::soup::Soup;

/// A single triangle.
pub fn triangle(corners: [DVec3; 3]) -> Soup {
    Soup { vertices: corners.to_vec(), triangles: vec![[0, 1, 2]] }
}

/// A triangle that is the single point `p`.
pub fn point(p: DVec3) -> Soup {
    triangle([p; 3])
}

/// The box with this centre and these half extents.
pub fn cuboid(centre: DVec3, half: DVec3) -> Soup {
    let corner = |i: u32| {
        let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        centre + half * DVec3::new(sign(0), sign(1), sign(2))
    };
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    Soup {
        vertices: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

/// The tetrahedron on four points, wound outwards where it has a volume.
pub fn tetra(p: [DVec3; 4]) -> Soup {
    let volume = (p[1] - p[0]).cross(p[2] - p[0]).dot(p[3] - p[0]);
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let flip = |[a, b, c]: [u32; 3]| if volume < 0.0 { [a, c, b] } else { [a, b, c] };
    Soup { vertices: p.to_vec(), triangles: faces.into_iter().map(flip).collect() }
}

fn circle(n: u32, radius: f64, z: f64) -> impl Iterator<Item = DVec3> {
    (0..n).map(move |i| {
        let angle = TAU * f64::from(i) / f64::from(n);
        DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
    })
}

/// A prism over the regular `n`-gon of this circumradius, about the origin, axis z.
pub fn prism(n: u32, radius: f64, height: f64) -> Soup {
    let mut vertices: Vec<DVec3> = circle(n, radius, -0.5 * height).chain(circle(n, radius, 0.5 * height)).collect();
    vertices.extend([DVec3::new(0.0, 0.0, -0.5 * height), DVec3::new(0.0, 0.0, 0.5 * height)]);
    let triangles = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        [[i, j, n + j], [i, n + j, n + i], [2 * n, j, i], [2 * n + 1, n + i, n + j]]
    });
    Soup { triangles: triangles.collect(), vertices }
}

/// A ring: the prism of circumradius `outer` with the hole of circumradius `inner`.
pub fn ring(n: u32, outer: f64, inner: f64, height: f64) -> Soup {
    let z = 0.5 * height;
    let vertices =
        circle(n, outer, -z).chain(circle(n, outer, z)).chain(circle(n, inner, -z)).chain(circle(n, inner, z));
    let triangles = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        let at = |row: u32, k: u32| row * n + k;
        let quad = |a: u32, b: u32, c: u32, d: u32| [[a, b, c], [a, c, d]];
        [
            quad(at(0, i), at(0, j), at(1, j), at(1, i)),
            quad(at(2, j), at(2, i), at(3, i), at(3, j)),
            quad(at(1, i), at(1, j), at(3, j), at(3, i)),
            quad(at(2, i), at(2, j), at(0, j), at(0, i)),
        ]
        .concat()
    });
    Soup { vertices: vertices.collect(), triangles: triangles.collect() }
}

/// A torus about the z axis: `rings` sections of `sides` corners.
pub fn torus(major: f64, minor: f64, rings: u32, sides: u32) -> Soup {
    let vertex = |i: u32, j: u32| {
        let (u, v) = (TAU * f64::from(i) / f64::from(rings), TAU * f64::from(j) / f64::from(sides));
        let r = major + minor * v.cos();
        DVec3::new(r * u.cos(), r * u.sin(), minor * v.sin())
    };
    let at = |i: u32, j: u32| (i % rings) * sides + j % sides;
    let mut soup = Soup::default();
    for i in 0..rings {
        for j in 0..sides {
            soup.vertices.push(vertex(i, j));
            soup.triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            soup.triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    soup
}

/// A square of `n × n` cells in the plane z = 0, corner at the origin, cells of side `pitch`.
pub fn grid(n: u32, pitch: f64) -> Soup {
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let mut soup = Soup::default();
    for i in 0..=n {
        for j in 0..=n {
            soup.vertices.push(DVec3::new(pitch * f64::from(i), pitch * f64::from(j), 0.0));
        }
    }
    for i in 0..n {
        for j in 0..n {
            soup.triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            soup.triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    soup
}

/// An octahedron whose faces are split into four `level` times, pushed out to the sphere.
pub fn sphere(level: u32, radius: f64) -> Soup {
    let axes = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
    let mut vertices = axes.to_vec();
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    for _ in 0..level {
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    Soup { vertices: vertices.into_iter().map(|v| v * radius).collect(), triangles }
}

/// `n` copies of one triangle, each with its own three vertices.
pub fn copies(n: usize, corners: [DVec3; 3]) -> Soup {
    Soup {
        vertices: corners.into_iter().cycle().take(3 * n).collect(),
        triangles: (0..n as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
    }
}

/// Triangles strewn over a cube: needles, flat ones, points, and some of any form.
pub fn rubble(seed: u64, count: u32) -> Soup {
    let mut random = Random::new(seed);
    let mut vertices = Vec::new();
    for i in 0..count {
        let at = random.point(1.0);
        let size = [0.05, 0.3, 1e-6, 0.05][i as usize % 4];
        let [p, q] = [random.point(size), random.point(size)];
        let q = if i % 5 == 0 { p * 1.001 } else { q };
        vertices.extend([at, at + p, at + q]);
    }
    Soup { vertices, triangles: (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect() }
}
