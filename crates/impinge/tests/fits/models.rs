//! Bodies of every kind, and whether two of them give the same answers.

use impinge::glam::{DQuat, DVec3};
use impinge::{Convex, Deforming, Limit, Mesh, Model, Pair, Parts, Pose, Round, Span, Steady};
use impinge_testing::random::Random;

/// A closed body of 8 corners and 12 triangles, with corners and a triangle given twice and one vertex that is unused.
pub(crate) fn mesh() -> Mesh {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
    let faces = [[0, 2, 1, 3], [4, 5, 6, 7], [0, 1, 4, 5], [2, 6, 3, 7], [0, 4, 2, 6], [1, 3, 5, 7]];
    let mut vertices: Vec<DVec3> = (0..8).map(corner).collect();
    vertices.push(DVec3::splat(9.0));
    vertices.extend((0..8).map(corner));
    let mut triangles: Vec<[u32; 3]> = faces.iter().flat_map(|&[p, q, r, s]| [[p, q, r], [q, s, r]]).collect();
    triangles[5] = triangles[5].map(|v| v + 9);
    triangles.push(triangles[3]);
    triangles.push(triangles[3].map(|v| v + 9));
    Mesh::new(vertices, triangles).unwrap()
}

pub(crate) fn hull(random: &mut Random, corners: usize) -> Convex {
    Convex::hull(&(0..corners).map(|_| random.point(1.0)).collect::<Vec<_>>()).unwrap()
}

pub(crate) fn rounds(random: &mut Random) -> Vec<Round> {
    let points: Vec<DVec3> = (0..6).map(|_| random.point(1.0) * DVec3::new(1.0, 1.0, 0.0)).collect();
    let plain = vec![
        Round::sphere(0.3).unwrap(),
        Round::capsule(0.3, 1.7).unwrap(),
        Round::cuboid(DVec3::new(0.3, 1.1, 0.7)).unwrap(),
        Round::cylinder(0.3, 1.7).unwrap(),
        Round::cone(0.3, 1.7).unwrap(),
        Round::ellipsoid(DVec3::new(0.3, 1.1, 0.7)).unwrap(),
        Round::half_space(random.point(1.0) + DVec3::Z * 3.0, 0.3).unwrap(),
        Round::point(points[0]).unwrap(),
        Round::segment(points[0], points[1]).unwrap(),
        Round::triangle(points[0], points[1], points[2]).unwrap(),
        Round::polygon(&points).unwrap(),
        Round::around(hull(random, 12), 0.0).unwrap(),
    ];
    let with_margin = |round: &Round| round.clone().with_margin(0.1).unwrap();
    plain.iter().cloned().chain(plain.iter().map(with_margin)).collect()
}

pub(crate) fn all(random: &mut Random) -> Vec<Model> {
    let pieces = Parts::new(vec![hull(random, 5), hull(random, 9), Convex::hull(&[DVec3::ONE]).unwrap()]).unwrap();
    let end: Vec<DVec3> = mesh().as_given().0.iter().map(|p| *p * 1.5 + DVec3::X).collect();
    let mut models = vec![
        Model::from(mesh()),
        Model::from(mesh().into_surface()),
        Model::from(Mesh::empty()),
        Model::from(hull(random, 20)),
        Model::from(pieces),
        Model::from(Deforming::new(mesh(), &end).unwrap()),
    ];
    models.extend(rounds(random).into_iter().map(Model::from));
    models
}

/// Fails unless both give the same answers against other bodies.
pub(crate) fn assert_same_answers(x: &Model, y: &Model, random: &mut Random) {
    let others = [Model::from(Round::cuboid(DVec3::ONE).unwrap()), Model::from(mesh()), Model::from(hull(random, 7))];
    for other in &others {
        let pose = Pose::new(random.point(1.5), random.rotation()).unwrap();
        let ask = |model: &Model| {
            let mut pair = Pair::new(model, other);
            let overlap = pair.overlap(&Pose::IDENTITY, &pose);
            let contacts = pair.contacts(&Pose::IDENTITY, &pose, Limit::All).pairs;
            let distance = pair.distance(&Pose::IDENTITY, &pose);
            let passing = Steady::between(pose, Pose::IDENTITY, DVec3::ZERO, [0.0, 1.0]).unwrap();
            let sweep = pair.sweep(&Steady::still(Pose::IDENTITY), &passing, Span::UNIT);
            let outline = model.outline(&pose, impinge::Outline::Fitted);
            (overlap, contacts, distance.interval, distance.witness, distance.semantics, sweep.interval, outline)
        };
        assert_eq!(ask(x), ask(y), "{x:?}");
    }
    // Far away and turned, where every digit counts.
    let far = Pose::new(DVec3::splat(1e6), DQuat::from_rotation_x(0.3)).unwrap();
    assert_eq!(x.outline(&far, impinge::Outline::Fitted), y.outline(&far, impinge::Outline::Fitted));
}
