//! PQP's questions to meshes: distances with a margin of error, and all pairs closer than a distance.

use std::cmp::Ordering;

use glam::DVec3;
use impinge::bound::Volume;
use impinge::{Limit, Mesh, Method, Model, Pair, Pose, Precision};
use impinge_testing::random::Random;
use impinge_testing::shapes::{copies, cuboid, grid, sphere, torus};
use impinge_testing::soup::{Soup, separation};

use crate::verdict::frames::into_frame_of_a;

fn surface(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap().into_surface()
}

fn poses(count: usize, seed: u64) -> Vec<Pose> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| Pose::new(random.rotation() * DVec3::X * random.within(1.5, 4.0), random.rotation()).unwrap())
        .collect()
}

/// The interval contains the least distance and is no wider than one of the margins, with memory and without.
#[test]
fn a_distance_is_as_exact_as_asked() {
    let [a, b] = [torus(1.0, 0.4, 36, 18), sphere(3, 0.7)].map(|soup| Model::from(surface(&soup)));
    let mut work = [0; 4];
    let precisions = [[0.0, 0.0], [0.1, 0.0], [0.0, 0.05], [1.0, 0.01]];
    let precisions = precisions.map(|[relative, absolute]| Precision { relative, absolute });
    let mut warm = precisions.map(|_| Pair::new(&a, &b));
    for pose in poses(60, 3) {
        let exact = impinge::distance(&a, &Pose::IDENTITY, &b, &pose).interval;
        for ((precision, warm), work) in precisions.iter().zip(&mut warm).zip(&mut work) {
            let mut cold = Pair::new(&a, &b);
            for (how, pair) in [("warm", warm), ("cold", &mut cold)] {
                let answer = pair.distance_to(&Pose::IDENTITY, &pose, *precision);
                let found = answer.interval;
                assert!(found.lower <= exact.upper && exact.lower <= found.upper, "{how} {precision:?}: {found:?}");
                let widest = (found.lower * (1.0 + precision.relative)).max(found.lower + precision.absolute);
                assert!(found.upper <= widest + 1e-12, "{how} {precision:?}: {found:?}");
                *work += answer.stats.iterations;
                if answer.penetrating {
                    continue;
                }
                let [p, q] = answer.witness.unwrap().points;
                assert!(((p - q).length() - found.upper).abs() < 1e-12, "{how} {precision:?}: {found:?}");
            }
        }
    }
    assert!(work[1] < work[0] && work[2] < work[0] && work[3] < work[1], "{work:?}");
}

#[test]
fn margins_that_are_no_numbers_count_as_none() {
    let [a, b] = [torus(1.0, 0.4, 24, 12), sphere(2, 0.5)].map(|soup| Model::from(surface(&soup)));
    let mut pair = Pair::new(&a, &b);
    let aside = Pose::at(DVec3::X * 3.0).unwrap();
    let exact = pair.distance(&Pose::IDENTITY, &aside).interval;
    for bad in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        let precision = Precision { relative: bad, absolute: bad };
        assert_eq!(pair.distance_to(&Pose::IDENTITY, &aside, precision).interval, exact);
    }
    let all = Precision { relative: f64::INFINITY, absolute: f64::INFINITY };
    let found = pair.distance_to(&Pose::IDENTITY, &aside, all).interval;
    assert!(found.lower >= 0.0 && found.lower <= exact.upper && found.upper >= exact.lower && found.upper.is_finite());
}

/// The pairs at most `distance` apart by exact arithmetic; pairs within rounding of that may count or not.
fn check(a: &Soup, b: &Soup, pose: &Pose, distance: f64, unit: f64) {
    let place = into_frame_of_a(&Pose::IDENTITY, pose);
    let moved = b.map(place);
    let (x, y) = (surface(a), surface(b));
    let mut lists = Vec::new();
    for volume in [Volume::Auto, Volume::Obb, Volume::Kdop18, Volume::Hull] {
        let [x, y] = [&x, &y].map(|mesh| Model::from(mesh.clone().with_volume(volume)));
        for method in [Method::Auto, Method::Brute] {
            let mut pair = Pair::new(&x, &y).with_method(method).with_envelope(distance);
            let contacts = pair.contacts(&Pose::IDENTITY, pose, Limit::All);
            assert!(contacts.complete && contacts.stats.primitive_tests + contacts.stats.volume_tests > 0);
            lists.push(contacts.pairs.to_vec());
            let few = pair.contacts(&Pose::IDENTITY, pose, Limit::UpTo(3));
            assert_eq!(few.pairs.len(), lists[0].len().min(3));
            assert!(few.pairs.iter().all(|pair| lists[0].contains(pair)));
        }
    }
    assert!(lists.windows(2).all(|two| two[0] == two[1]), "engines differ");
    let band = 1e-12 * unit;
    for i in 0..a.triangles.len() {
        for j in 0..moved.triangles.len() {
            let apart = separation(&a.triangle(i), &moved.triangle(j));
            let listed = lists[0].binary_search(&[i as u32, j as u32]).is_ok();
            if apart.compare_root(distance - band) != Ordering::Greater {
                assert!(listed, "triangles {i} and {j} are missing");
            }
            if apart.compare_root(distance + band) == Ordering::Greater {
                assert!(!listed, "triangles {i} and {j} are too far apart");
            }
        }
    }
}

#[test]
fn all_pairs_closer_than_a_distance() {
    let bodies = [torus(1.0, 0.4, 8, 6), sphere(1, 0.7), cuboid(DVec3::ZERO, DVec3::ONE), grid(3, 0.5)];
    for (k, pose) in poses(6, 7).iter().enumerate() {
        let (a, b) = (&bodies[k % 4], &bodies[(k + 1) % 4]);
        for distance in [0.01, 0.5, 2.0] {
            check(a, b, pose, distance, 1.0);
        }
    }
}

/// At sizes whose squares vanish or overflow, and for flat copies that lie along each other.
#[test]
fn all_pairs_at_any_scale() {
    for exponent in [-990, -500, -200, 200, 480] {
        let unit = 2f64.powi(exponent);
        let scaled = |soup: Soup| soup.map(|p| p * unit);
        let up = Pose::at(DVec3::Z * (0.25 * unit)).unwrap();
        check(&scaled(grid(3, 1.0)), &scaled(grid(3, 1.0)), &up, 0.5 * unit, unit);
    }
}

/// Each copy of a triangle makes pairs of its own, and the limit applies to these.
#[test]
fn copies_of_a_triangle_and_a_limit() {
    let soup = copies(100_000, [DVec3::ZERO, DVec3::X, DVec3::Y]);
    let mut pair = Pair::new(surface(&soup), surface(&soup)).with_envelope(2.0);
    let up = Pose::at(DVec3::Z).unwrap();
    let contacts = pair.contacts(&Pose::IDENTITY, &up, Limit::UpTo(5));
    assert_eq!((contacts.pairs.len(), contacts.complete), (5, false));
    let mut apart = Pair::new(surface(&soup), surface(&soup)).with_envelope(0.5);
    assert!(apart.contacts(&Pose::IDENTITY, &up, Limit::All).pairs.is_empty());
}
