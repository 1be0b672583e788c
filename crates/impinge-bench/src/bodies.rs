//! Convex bodies of the workloads, made here, and the motion they are tracked through.

use std::collections::BTreeMap;

use impinge::Pose;
use impinge::glam::{DQuat, DVec3};

use crate::error::BenchError;
use crate::random::Random;
use crate::shapes::{Soup, icosahedron};

/// The cube of side 2.
pub(crate) fn cube() -> Soup {
    let corner = |i: u32| DVec3::new(side(i & 1), side(i >> 1 & 1), side(i >> 2));
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Soup { vertices: (0..8).map(corner).collect(), triangles }
}

fn side(bit: u32) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}

/// The unit sphere as an icosahedron with every face cut into `frequency²` triangles and their corners pushed out:
/// `20·frequency²` triangles.
pub(crate) fn geodesic(frequency: u32) -> Soup {
    let base = icosahedron();
    let (mut vertices, mut triangles, mut known) = (Vec::new(), Vec::new(), BTreeMap::new());
    for [a, b, c] in base.triangles {
        // A point by its weights at the corners, in the order of the corners: faces share those of their edges.
        let mut at = |i: u32, j: u32| {
            let mut weights =
                [(a, frequency - i - j), (b, i), (c, j)].map(|(v, w)| if w == 0 { (0, 0) } else { (v, w) });
            weights.sort_unstable();
            *known.entry(weights).or_insert_with(|| {
                let sum: DVec3 = weights.iter().map(|&(v, w)| base.vertices[v as usize] * f64::from(w)).sum();
                vertices.push(sum.normalize());
                vertices.len() as u32 - 1
            })
        };
        for i in 0..frequency {
            for j in 0..frequency - i {
                triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j + 1 < frequency {
                    triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    Soup { vertices, triangles }
}

/// Points of a random hull: 10 to 500, few as likely as many, near the surface of a random ellipsoid in the unit ball.
pub(crate) fn random_points(random: &mut Random) -> Vec<DVec3> {
    let count = random.between(10f64.ln(), 500f64.ln()).exp().round() as usize;
    let axes = DVec3::from_array(std::array::from_fn(|_| random.between(0.3, 1.0)));
    (0..count).map(|_| random.direction() * axes * random.between(0.85, 1.0)).collect()
}

/// Mirtich's experiment (Figure 10): the cube stays at the origin, the unit sphere turns 0.05 above its upper face,
/// about an axis parallel to it, by so many degrees a call; from an attitude the seed draws.
pub(crate) fn turning(degrees: f64, calls: u32, random: &mut Random) -> Result<Vec<Pose>, BenchError> {
    let first = random.rotation();
    let pose = |i: u32| {
        let turn = DQuat::from_rotation_x((degrees * f64::from(i)).to_radians());
        Pose::new(DVec3::new(0.1, 0.2, 2.05), turn * first)
    };
    Ok((0..calls).map(pose).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::{Builder, Convex, Pair};
    use std::f64::consts::PI;

    #[test]
    fn bodies_are_closed_outward_and_their_own_hulls() {
        // The ball's volume, less a share that falls as the square of the frequency.
        let ball = |f: f64| 4.0 / 3.0 * PI * (1.0 - 0.6 / (f * f))..4.0 / 3.0 * PI;
        let spheres = [1, 3, 6].map(|f| (geodesic(f), ball(f64::from(f))));
        for (soup, volume) in spheres.into_iter().chain([(cube(), 8.0..8.001)]) {
            let mesh = soup.surface(Builder::Auto).unwrap();
            let report = mesh.report();
            assert!(report.closed && report.manifold && report.oriented && report.merged_vertices == 0, "{report:?}");
            assert!(volume.contains(&report.volume.unwrap()), "{:?} in {volume:?}", report.volume);
            assert_eq!(Convex::hull(&soup.vertices).unwrap().vertex_count(), soup.vertices.len());
        }
        assert_eq!([3, 6, 12].map(|f| geodesic(f).triangles.len()), [180, 720, 2880]);
    }

    #[test]
    fn random_hulls_are_in_the_unit_ball() {
        let mut random = Random::new(3, 3);
        for _ in 0..20 {
            let points = random_points(&mut random);
            assert!((10..=500).contains(&points.len()) && points.iter().all(|p| p.length() < 1.0));
        }
    }

    #[test]
    fn the_sphere_turns_just_above_the_cube() {
        let poses = turning(20.0, 19, &mut Random::new(1, 1)).unwrap();
        assert!(poses[0].rotation().angle_between(poses[1].rotation()).to_degrees() - 20.0 < 1e-9);
        assert!(poses[0].rotation().angle_between(poses[18].rotation()) < 1e-6, "once around");
        let mut pair = Pair::new(cube().hull("cube").unwrap(), geodesic(6).hull("sphere").unwrap());
        for pose in &poses {
            let gap = pair.distance(&Pose::IDENTITY, pose).interval.upper;
            assert!((0.05..0.07).contains(&gap), "{gap}");
        }
    }
}
