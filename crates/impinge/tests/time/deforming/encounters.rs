//! Lists of encounters over a step: against every pair of features, decided by high-precision arithmetic.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::DVec3;
use impinge::{
    Body, Deforming, EncounterOptions, Feature, Limit, Mesh, MeshEncounter, Model, Pair, Pose, Span, Steady, World,
};
use impinge_testing::encounter::{MovingPoint, first_encounter};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;

use super::asked::contacts_of;

/// Separate triangles with small whole coordinates, no two vertices alike.
fn soup(random: &mut Random, triangles: usize) -> Vec<MovingPoint> {
    let mut points: Vec<MovingPoint> = Vec::new();
    while points.len() < 3 * triangles {
        let flat = random.below(3) == 0;
        let mut coordinate = |k: usize| if flat && k == 2 { 0 } else { random.below(9) as i64 - 4 };
        let point: MovingPoint = std::array::from_fn(|_| std::array::from_fn(&mut coordinate));
        if !points.contains(&point) {
            points.push(point);
        }
    }
    points
}

fn mesh(points: &[MovingPoint]) -> Deforming {
    let at = |end: usize| points.iter().map(|p| DVec3::from_array(p[end].map(|x| x as f64))).collect::<Vec<_>>();
    let triangles = (0..points.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Deforming::new(Mesh::new(at(0), triangles).unwrap(), &at(1)).unwrap()
}

/// The vertices of a feature, each once, and in order.
fn corners(feature: &Feature, vertices: [u32; 3]) -> Vec<u32> {
    let corners: BTreeSet<u32> = match *feature {
        Feature::Vertex { vertex, .. } => [vertex].into(),
        Feature::Edge { vertices, .. } => vertices.into(),
        _ => vertices.into(),
    };
    assert_eq!(corners, vertices.into(), "{feature:?}");
    corners.into_iter().collect()
}

fn edges(count: usize) -> impl Iterator<Item = [u32; 2]> {
    (0..count as u32).map(|i| [i, if i % 3 == 2 { i - 2 } else { i + 1 }])
}

/// Every pair of features that meets, by its vertices, and when it first does.
fn all_pairs(a: &[MovingPoint], b: &[MovingPoint], is_itself: bool) -> Vec<([Vec<u32>; 2], f64)> {
    let mut all = Vec::new();
    let sorted = |mut v: Vec<u32>| {
        v.sort_unstable();
        v
    };
    for (swapped, one, other) in [(false, a, b), (true, b, a)] {
        for i in 0..one.len() as u32 {
            for t in 0..other.len() as u32 / 3 {
                let face = [3 * t, 3 * t + 1, 3 * t + 2];
                if is_itself && (swapped || face.contains(&i)) {
                    continue;
                }
                let [p, q, r] = face.map(|k| other[k as usize]);
                if let Some(t) = first_encounter(&[one[i as usize], p, q, r], true) {
                    let mut names = [vec![i], face.to_vec()];
                    if swapped {
                        names.reverse();
                    }
                    all.push((names, t));
                }
            }
        }
    }
    for e in edges(a.len()) {
        for f in edges(b.len()) {
            if is_itself && (e[0] / 3 >= f[0] / 3) {
                continue;
            }
            let [[p, q], [r, s]] = [e.map(|k| a[k as usize]), f.map(|k| b[k as usize])];
            if let Some(t) = first_encounter(&[p, q, r, s], false) {
                all.push(([sorted(e.to_vec()), sorted(f.to_vec())], t));
            }
        }
    }
    all
}

fn check(points: [&[MovingPoint]; 2], list: &[MeshEncounter], mut truth: Vec<([Vec<u32>; 2], f64)>, is_itself: bool) {
    assert!(list.windows(2).all(|pair| pair[0].time.lower <= pair[1].time.lower));
    let mut told: Vec<([Vec<u32>; 2], &MeshEncounter)> = Vec::new();
    for e in list {
        assert!(e.certain && e.distance == 0.0 && e.time.width() < 1e-6, "{e:?}");
        let mut names = [0, 1].map(|k| corners(&e.features[k], e.vertices[k]));
        if is_itself && (names[0].len() > names[1].len() || names[0].len() == 2 && names[0] > names[1]) {
            names.reverse();
        }
        if !told.iter().any(|(before, _)| *before == names) {
            told.push((names, e));
        }
        for (k, points) in points.into_iter().enumerate() {
            assert!((e.weights[k].iter().sum::<f64>() - 1.0).abs() < 1e-9 && e.weights[k].iter().all(|w| *w >= 0.0));
            let at = |v: u32| {
                let [start, end] = points[v as usize].map(|p| DVec3::from_array(p.map(|x| x as f64)));
                start.lerp(end, e.time.mid())
            };
            let place: DVec3 = (0..3).map(|i| at(e.vertices[k][i]) * e.weights[k][i]).sum();
            assert!(place.distance(e.points[k]) < 1e-6, "{e:?}");
        }
        assert!(e.points[0].distance(e.points[1]) < 1e-4, "{e:?}");
        assert!(e.normal.is_none_or(|n| (n.length() - 1.0).abs() < 1e-9));
    }
    truth.sort_by(|x, y| x.0.cmp(&y.0));
    told.sort_by(|x, y| x.0.cmp(&y.0));
    let names = |all: &[[Vec<u32>; 2]]| all.to_vec();
    assert_eq!(
        names(&told.iter().map(|x| x.0.clone()).collect::<Vec<_>>()),
        names(&truth.iter().map(|x| x.0.clone()).collect::<Vec<_>>())
    );
    for ((names, told), (_, t)) in told.iter().zip(&truth) {
        let time = told.time;
        assert!(time.lower <= t + 1e-15 && time.upper >= t - 1e-15, "{names:?}: {time:?}, truly {t}");
    }
}

#[test]
fn every_encounter_of_two_meshes_is_listed() {
    let mut random = Random::new(41);
    let mut all = 0;
    for _ in 0..rounds(6) {
        let (a, b) = (soup(&mut random, 3), soup(&mut random, 2));
        let told = mesh(&a).encounters(&mesh(&b), &EncounterOptions::default());
        assert!(told.complete);
        all += told.list.len();
        check([&a, &b], &told.list, all_pairs(&a, &b, false), false);
        let few = EncounterOptions { limit: Limit::UpTo(1), ..EncounterOptions::default() };
        let some = mesh(&a).encounters(&mesh(&b), &few);
        assert_eq!((some.list.len(), some.complete), (told.list.len().min(1), told.list.len() <= 1));
    }
    assert!(all > 15, "{all}");
}

#[test]
fn every_encounter_of_a_mesh_with_itself_is_listed() {
    let mut random = Random::new(42);
    let mut all = 0;
    for _ in 0..rounds(6) {
        let a = soup(&mut random, 4);
        let told = mesh(&a).self_encounters(&EncounterOptions::default());
        all += told.list.len();
        check([&a, &a], &told.list, all_pairs(&a, &a, true), true);
    }
    assert!(all > 15, "{all}");
}

/// Within a thickness: the first is when the bodies first come that near, and no feature is said to be near later than
/// it is at samples.
#[test]
fn encounters_within_a_thickness_are_not_late() {
    let mut random = Random::new(43);
    let (mut all, mut early) = (0, 0);
    for round in 0..rounds(30) {
        let points = |random: &mut Random, n: usize| (0..n).map(|_| random.point(1.0)).collect::<Vec<DVec3>>();
        let thickness = [0.3, 0.05, 0.6][round as usize % 3];
        let bodies: [([Vec<DVec3>; 2], Deforming); 2] = std::array::from_fn(|k| {
            let shift = DVec3::X * 3.0 * k as f64;
            let ends = [points(&mut random, 6), points(&mut random, 6)].map(|p| p.iter().map(|v| *v + shift).collect());
            let [start, mut end]: [Vec<DVec3>; 2] = ends;
            end.iter_mut().for_each(|v| *v -= 2.0 * shift * 0.6);
            let mesh = Mesh::new(start.clone(), vec![[0, 1, 2], [3, 4, 5]]).unwrap();
            let body = Deforming::new(mesh, &end).unwrap();
            ([start, end], body)
        });
        let [(_, a), (_, b)] = &bodies;
        let options = EncounterOptions { thickness, ..EncounterOptions::default() };
        let told = a.encounters(b, &options).list;
        let first = contacts_of(a, b, thickness).first().map(|c| c.begins.lower);
        assert_eq!(told.is_empty(), first.is_none(), "{round}");
        if let Some(first) = first {
            assert!((told[0].time.lower - first).abs() < 1e-6, "{round}: {:?} {first}", told[0]);
        }
        for e in &told {
            all += 1;
            assert!(e.certain && e.distance <= thickness * (1.0 + 1e-9) + 1e-9, "{e:?}");
            assert!((e.points[0].distance(e.points[1]) - e.distance).abs() < 1e-9);
            let across = e.points[1] - e.points[0];
            assert!(e.distance < 1e-6 || e.normal.is_some_and(|n| n.dot(across) > 0.99 * across.length()));
            let at = |k: usize, t: f64| {
                let [start, end] = &bodies[k].0;
                e.vertices[k].map(|v| start[v as usize].lerp(end[v as usize], t)).to_vec()
            };
            // Each feature as a triangle, whose corners may be equal.
            let model = |k: usize, t: f64| Mesh::new(at(k, t), vec![[0, 1, 2]]).unwrap().into();
            for s in 0..16 {
                let t = e.time.lower * f64::from(s) / 16.0;
                let gap =
                    impinge::distance(&model(0, t), &impinge::Pose::IDENTITY, &model(1, t), &impinge::Pose::IDENTITY);
                assert!(gap.interval.upper > thickness * (1.0 - 1e-9) || t == e.time.lower, "{e:?} at {t}");
                early += 1;
            }
        }
    }
    assert!(all > 50 && early > 500, "{all}");
}

/// A mesh that its motion moves, one whose vertices are moved, and one of which each does a part, have the same list,
/// by the verbs of a pair and of a world.
#[test]
fn lists_of_a_pair_and_of_a_world_are_those_of_the_meshes() {
    let mut random = Random::new(44);
    let mut all = 0;
    for _ in 0..rounds(12) {
        let points = |random: &mut Random, n: usize| (0..n).map(|_| random.point(1.0)).collect::<Vec<DVec3>>();
        let (start, end, floor) = (points(&mut random, 9), points(&mut random, 9), points(&mut random, 6));
        let faces = |n: u32| (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect::<Vec<_>>();
        let floor = Mesh::new(floor, faces(2)).unwrap();
        let body =
            |start: &[DVec3], end: &[DVec3]| Deforming::new(Mesh::new(start.to_vec(), faces(3)).unwrap(), end).unwrap();
        let options = EncounterOptions::default();
        let told = body(&start, &end).encounters(&Deforming::still(floor.clone()), &options).list;
        let carried = random.point(1.0);
        let less: Vec<DVec3> = end.iter().map(|v| *v - carried).collect();
        let (moves, still) = (Steady::straight(Pose::IDENTITY, carried, 0.0).unwrap(), Steady::still(Pose::IDENTITY));
        let part = Model::from(body(&start, &less));
        let of_pair = Pair::new(&part, floor.clone()).encounters(&moves, &still, Span::UNIT, &options).unwrap();
        let swapped = Pair::new(floor.clone(), &part).encounters(&still, &moves, Span::UNIT, &options).unwrap();
        let mut world = World::new();
        let place = Pose::new(DVec3::new(3.0, -2.0, 1.0), random.rotation()).unwrap();
        let a = world.add(Body::new(part.clone(), place)).unwrap();
        let b = world.add(Body::new(floor, place)).unwrap();
        let moved = Steady::straight(place, place.rotate(carried), 0.0).unwrap();
        world.set_motion(a, Some(Arc::new(moved))).unwrap();
        let of_world = world.encounters(Span::UNIT, &options);
        assert_eq!(of_world.is_empty(), told.is_empty());
        let of_world = of_world.first().map_or(Vec::new(), |met| {
            assert_eq!([met.a, met.b], [a, b]);
            met.answer.as_ref().unwrap().list.clone()
        });
        assert_eq!([of_pair.list.len(), swapped.list.len(), of_world.len()], [told.len(); 3]);
        for (k, e) in told.iter().enumerate() {
            let (x, y) = (&of_pair.list[k], &of_world[k]);
            let is_same = |z: &&MeshEncounter| {
                z.features == [e.features[1], e.features[0]] && (z.time.lower - e.time.lower).abs() < 1e-6
            };
            let z = swapped.list.iter().find(is_same).unwrap();
            assert_eq!((x.features, y.features), (e.features, e.features));
            for other in [x, y, z] {
                assert!((other.time.lower - e.time.lower).abs() < 1e-6 && other.certain, "{other:?} {e:?}");
            }
            assert!(y.points[0].distance(place.apply(e.points[0])) < 1e-5, "{y:?} {e:?}");
            assert!(x.points[0].distance(e.points[0]) < 1e-5 && z.points[1].distance(e.points[0]) < 1e-5);
        }
        all += told.len();
        // What turns has no list, and the world says so.
        let turns = Steady::turning(place, place.translation(), DVec3::Z, 0.0).unwrap();
        world.set_motion(b, Some(Arc::new(turns))).unwrap();
        assert!(world.encounters(Span::UNIT, &options).iter().all(|met| met.answer.is_none()));
    }
    assert!(all > 20, "{all}");
}
