//! No query on convex and round bodies touches the heap, once a pair has answered its first.

use std::hint::black_box;

use glam::DVec3;
use impinge::{Convex, Limit, Model, Pair, Pose};
use impinge_testing::random::Random;
use impinge_testing::shapes;

use crate::counting::allocations;
use crate::round::oracle::every_kind;
use crate::verdict::engines::of_convex;

/// One query of each verb; the points of the contacts are computed, too.
fn verbs(pair: &mut Pair, pa: &Pose, pb: &Pose) -> [(&'static str, usize); 5] {
    [
        ("overlap", allocations(|| pair.overlap(pa, pb))),
        ("distance", allocations(|| pair.distance(pa, pb))),
        ("within", allocations(|| pair.within(pa, pb, 0.25))),
        ("penetration", allocations(|| pair.penetration(pa, pb))),
        ("contacts", allocations(|| pair.contacts(pa, pb, Limit::All).iter().map(black_box).count())),
    ]
}

/// After the first query, at many poses.
fn none(a: &Model, b: &Model, what: &str, random: &mut Random) {
    for method in of_convex() {
        let mut pair = Pair::new(a, b).with_method(method);
        verbs(&mut pair, &Pose::IDENTITY, &Pose::IDENTITY);
        for _ in 0..30 {
            let pose = Pose::new(random.point(2.0), random.rotation()).unwrap();
            for (verb, count) in verbs(&mut pair, &Pose::IDENTITY, &pose) {
                assert_eq!(count, 0, "{what}, {method}: {verb} at {pose:?}");
            }
        }
    }
}

#[test]
fn hulls_allocate_nothing() {
    let mut random = Random::new(1);
    let cloud: Vec<DVec3> = (0..40).map(|_| random.point(1.0)).collect();
    let hulls = [shapes::cuboid(DVec3::ZERO, DVec3::ONE).vertices, cloud, shapes::sphere(3, 1.0).vertices];
    let models: Vec<Model> = hulls.iter().map(|points| Convex::hull(points).unwrap().into()).collect();
    for (i, a) in models.iter().enumerate() {
        for (j, b) in models.iter().enumerate().take(i + 1) {
            if i + j < 4 {
                none(a, b, &format!("hulls {i} {j}"), &mut random);
            }
        }
    }
}

#[test]
fn flat_hulls_allocate_nothing() {
    let mut random = Random::new(2);
    let flats = [vec![DVec3::ZERO], vec![DVec3::X, DVec3::Y], vec![DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y]];
    let models: Vec<Model> = flats.iter().map(|points| Convex::hull(points).unwrap().into()).collect();
    for a in &models {
        for b in &models {
            none(a, b, "flat", &mut random);
        }
    }
}

#[test]
fn round_shapes_allocate_nothing() {
    let mut random = Random::new(3);
    let kinds = every_kind(&mut random);
    let models: Vec<Model> = kinds.iter().map(|k| k.model()).collect();
    for (i, a) in models.iter().enumerate() {
        for (j, b) in models.iter().enumerate() {
            none(a, b, &format!("{:?} and {:?}", kinds[i], kinds[j]), &mut random);
        }
    }
}
