//! Bodies that are hard for trees, with every volume and every builder: copies, equal centroids, needles, extents at
//! the ends of the scale, soups that cross themselves, a body against itself. The answers are those of brute force.

use std::time::{Duration, Instant};

use glam::{DQuat, DVec3};
use impinge::bound::Volume;
use impinge::{Builder, Limit, Mesh, Method, Model, Pair, Pose};
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

use crate::verdict::engines::VOLUMES;

const BUILDERS: [Builder; 5] = [Builder::Auto, Builder::Sah, Builder::Ploc, Builder::Mean, Builder::Binary];

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn built(soup: &Soup, builder: Builder) -> Mesh {
    Mesh::with_builder(soup.vertices.clone(), soup.triangles.clone(), builder).unwrap()
}

/// A soup in which no triangle shares a vertex with another.
fn soup(triangles: impl Iterator<Item = [DVec3; 3]>) -> Soup {
    let vertices: Vec<DVec3> = triangles.flatten().collect();
    let count = vertices.len() as u32 / 3;
    Soup { vertices, triangles: (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect() }
}

/// A million copies of one triangle take the place of one triangle in every tree, but all of them are in every list.
#[test]
fn a_million_copies_in_every_volume() {
    let corners = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    let copies = Soup { vertices: corners.to_vec(), triangles: vec![[0, 1, 2]; 1_000_000] };
    let start = Instant::now();
    let mesh = built(&copies, Builder::Auto);
    for volume in VOLUMES {
        let body: Model = mesh.clone().with_volume(volume).into();
        let mut pair = Pair::new(&body, &body);
        let (here, above) = (Pose::IDENTITY, Pose::at(DVec3::Z * 2.0).unwrap());
        assert!(pair.overlap(&here, &here).overlap && !pair.overlap(&here, &above).overlap, "{volume}");
        let some = pair.contacts(&here, &here, Limit::UpTo(10));
        assert_eq!((some.pairs.len(), some.complete), (10, false), "{volume}");
        let near = pair.distance(&here, &above);
        assert!(near.interval.contains(2.0) && near.stats.primitive_tests <= 8, "{volume}: {near:?}");
        assert!(pair.within(&here, &above, 2.5).within && !pair.within(&here, &above, 1.5).within, "{volume}");
    }
    for builder in BUILDERS {
        let few = Soup { triangles: vec![[0, 1, 2]; 50_000], ..copies.clone() };
        let mut pair = Pair::new(built(&few, builder), built(&few, builder));
        assert!(pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap, "{builder}");
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// The bodies, and how large they are.
fn bodies() -> Vec<(&'static str, Soup, f64)> {
    let mut random = Random::new(21);
    let mut point = |r: f64| random.point(r);
    // Different triangles about one point, which is the centroid of each exactly: p + q + r = 0 in small integers.
    let grid = |p: DVec3| (p * 64.0).round();
    let centred: Vec<[DVec3; 3]> = (0..90)
        .map(|_| {
            let [p, q] = [grid(point(0.5)), grid(point(0.5))];
            [p / 64.0, q / 64.0, -(p + q) / 64.0]
        })
        .collect();
    let needles: Vec<[DVec3; 3]> = (0..90)
        .map(|_| {
            let (at, along) = (point(1.0), point(2.0));
            [at, at + along, at + along * 0.5 + point(1e-12)]
        })
        .collect();
    let crossing: Vec<[DVec3; 3]> = (0..60).map(|_| [point(1.0), point(1.0), point(1.0)]).collect();
    let mixed: Vec<[DVec3; 3]> = (0..90)
        .map(|i| {
            let (at, size) = (point(1.0), [1.0, 1e-6, 1e-12, 1e-30, 0.0][i % 5]);
            [at, at + point(size), at + point(size)]
        })
        .collect();
    let mut all = vec![
        ("equal centroids", soup(centred.into_iter()), 1.0),
        ("needles", soup(needles.into_iter()), 1.0),
        ("a soup that crosses itself", soup(crossing.into_iter()), 1.0),
        ("specks and sheets", soup(mixed.into_iter()), 1.0),
        ("a torus", shapes::torus(1.0, 0.4, 10, 6), 1.0),
    ];
    all.iter_mut().for_each(|(_, body, _)| *body = body.map(|x| x * 0.3));
    for (name, size) in [("the least extent", 1e-300), ("the greatest extent", 9e149)] {
        for at in [0, 2] {
            let (_, body, _) = &all[at];
            all.push((name, body.map(|x| x * size), size));
        }
    }
    all
}

fn poses(size: f64) -> Vec<Pose> {
    let turn = DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5);
    let tilt = DQuat::from_axis_angle(v(1.0, 2.0, 3.0).normalize(), 0.7);
    let pose = |at: DVec3, q: DQuat| Pose::new(at * size, q).unwrap();
    vec![
        Pose::IDENTITY,
        pose(DVec3::ZERO, turn),
        pose(v(0.25, 0.1, -0.3), tilt),
        pose(v(0.9, 0.0, 0.0), DQuat::IDENTITY),
        pose(v(0.0, 0.5, 0.9), tilt),
        pose(v(1.05, 0.0, 0.1), turn),
    ]
}

/// Each body against itself: at the same pose, turned, and apart; with every verb, volume and builder.
#[test]
fn every_volume_and_builder_answers_as_brute_force() {
    for (name, body, size) in bodies() {
        let plain: Model = built(&body, Builder::Auto).into_surface().into();
        let truth: Vec<_> = poses(size)
            .into_iter()
            .map(|pose| {
                let mut brute = Pair::new(&plain, &plain).with_method(Method::Brute);
                let pairs = brute.contacts(&Pose::IDENTITY, &pose, Limit::All).pairs;
                (pose, pairs, brute.distance(&Pose::IDENTITY, &pose).interval)
            })
            .collect();
        let met = truth.iter().filter(|(_, pairs, _)| !pairs.is_empty()).count();
        assert!(0 < met && met < truth.len(), "{name}: {met}");
        for builder in BUILDERS {
            let mesh = built(&body, builder).into_surface();
            for volume in VOLUMES {
                let dressed: Model = mesh.clone().with_volume(volume).into();
                let mut pair = Pair::new(&dressed, &dressed).with_method(Method::Tree);
                for (pose, pairs, distance) in &truth {
                    let say = format!("{name}, {builder}, {volume}, {pose:?}");
                    let all = pair.contacts(&Pose::IDENTITY, pose, Limit::All);
                    assert!(all.pairs[..] == pairs[..] && all.complete, "{say}");
                    assert_eq!(pair.overlap(&Pose::IDENTITY, pose).overlap, !pairs.is_empty(), "{say}");
                    let got = pair.distance(&Pose::IDENTITY, pose).interval;
                    let meet = got.lower <= distance.upper && distance.lower <= got.upper;
                    assert!(meet && (got.upper == 0.0) == (distance.upper == 0.0), "{say}: {got:?}, not {distance:?}");
                    let width = got.upper - got.lower;
                    assert!(width <= 1e-9 * size, "{say}: {got:?}");
                    assert!(pair.within(&Pose::IDENTITY, pose, distance.upper).within, "{say}");
                    let short = distance.lower * 0.99;
                    let near = pair.within(&Pose::IDENTITY, pose, short).within;
                    assert_eq!(near, distance.upper == 0.0, "{say}: within {short} of {distance:?}");
                }
            }
        }
    }
}

/// Very many triangles around one point, and very many needles side by side: the recursion is not deep, and the answer
/// comes in time.
#[test]
fn great_numbers_in_every_volume() {
    let n = 20_000u32;
    let fan = soup((0..n).map(|i| {
        let p = DQuat::from_rotation_z(f64::from(i) * 1e-4) * DVec3::X;
        [p, -0.5 * p + DVec3::Z, -0.5 * p - DVec3::Z]
    }));
    let brush = soup((0..n).map(|i| {
        let at = v(1e-6 * f64::from(i % 200), 1e-6 * f64::from(i / 200), 0.0);
        [at, at + DVec3::Z, at + v(1e-9, 0.0, 0.5)]
    }));
    for (name, body) in [("fan", &fan), ("brush", &brush)] {
        for builder in BUILDERS {
            let mesh = built(body, builder);
            for volume in VOLUMES {
                if builder != Builder::Auto && !matches!(volume, Volume::Auto | Volume::Obb | Volume::SweptSphere) {
                    continue;
                }
                let start = Instant::now();
                let dressed: Model = mesh.clone().with_volume(volume).into();
                let mut pair = Pair::new(&dressed, &dressed).with_method(Method::Tree);
                assert!(pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap, "{name}, {builder}, {volume}");
                let above = Pose::at(DVec3::Z * 4.0).unwrap();
                let height = if name == "fan" { 2.0 } else { 1.0 };
                let got = pair.distance(&Pose::IDENTITY, &above).interval;
                assert!(got.contains(4.0 - height), "{name}, {builder}, {volume}: {got:?}");
                assert!(!pair.within(&Pose::IDENTITY, &above, 1.9).within, "{name}, {builder}, {volume}");
                let some = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::UpTo(100));
                assert_eq!(some.pairs.len(), 100, "{name}, {builder}, {volume}");
                let took = start.elapsed();
                println!("{name}, {builder}, {volume}: {took:?}");
                assert!(took < Duration::from_secs(20), "{name}, {builder}, {volume}: {took:?}");
            }
        }
    }
}
