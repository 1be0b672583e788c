//! Contact manifolds with known answers: of two boxes on each other, of edges that cross, of bodies that come near.

use glam::{DQuat, DVec3};
use impinge::{Contact, Convex, Limit, Model, Pair, Pose, Round};
use impinge_testing::random::Random;

use crate::verdict::engines::of_convex;
use crate::verdict::families::{cube, cuboid, pose, scene};
use crate::verdict::hulls::Scene;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn boxes(half: DVec3) -> [Model; 2] {
    [Convex::hull(&cuboid(half)).unwrap().into(), Round::cuboid(half * 2.0).unwrap().into()]
}

fn only(pair: &mut Pair, at: &Pose) -> Contact {
    let contacts = pair.contacts(&Pose::IDENTITY, at, Limit::All);
    let mut all = contacts.iter();
    let contact = all.next().unwrap();
    assert!(all.next().is_none() && contacts.complete && contacts.pairs.len() == 1);
    contact
}

/// The area of the points of `a`, seen along z, about their middle.
fn area(contact: &Contact) -> f64 {
    let middle = contact.points.iter().map(|[p, _]| *p / contact.points.len() as f64).sum::<DVec3>();
    let mut around: Vec<DVec3> = contact.points.iter().map(|[p, _]| *p - middle).collect();
    around.sort_by(|p, q| p.y.atan2(p.x).total_cmp(&q.y.atan2(q.x)));
    let n = around.len();
    (0..n).map(|i| 0.5 * around[i].cross(around[(i + 1) % n]).z).sum()
}

/// A box on a half-space: flat, sunk in, with a margin, and leaning on an edge. Either body is first.
#[test]
fn a_half_space_meets_a_face() {
    let floor = Model::from(Round::half_space(DVec3::Z, 0.0).unwrap());
    let turned = Pose::new(v(0.0, 0.0, 0.4), DQuat::from_rotation_x(0.25)).unwrap();
    for body in boxes(v(1.0, 2.0, 0.5)) {
        let at = |z: f64| Pose::new(v(3.0, 0.0, z), DQuat::from_rotation_z(1.0)).unwrap();
        for (pose, depth) in [(at(0.5), 0.0), (at(0.25), 0.25)] {
            let contact = only(&mut Pair::new(&floor, &body), &pose);
            assert!(contact.points.len() == 4 && (area(&contact) - 8.0).abs() < 1e-12, "{contact:?}");
            assert!(contact.points.iter().all(|[p, q]| p.z == 0.0 && (q.z + depth).abs() < 1e-12));
            let back = Pair::new(&body, &floor).contacts(&pose, &Pose::IDENTITY, Limit::All).iter().next().unwrap();
            assert!(back.normal.distance(-DVec3::Z) < 1e-12 && back.points.len() == 4);
            assert!(back.points.iter().all(|[p, q]| q.z.abs() < 1e-12 && (p.z + depth).abs() < 1e-12));
        }
        let leaning = only(&mut Pair::new(&floor, &body), &turned);
        assert!(leaning.points.len() == 4 && leaning.points.iter().all(|[p, q]| p.z.abs() < 1e-12 && q.z <= 1e-12));
    }
    let round = Model::from(Round::cuboid(DVec3::splat(2.0)).unwrap().with_margin(0.125).unwrap());
    let contact = only(&mut Pair::new(&floor, &round), &Pose::at(v(0.0, 0.0, 1.0625)).unwrap());
    assert_eq!(contact.points.len(), 4);
    assert!(contact.points.iter().all(|[p, q]| p.z == 0.0 && (q.z + 0.0625).abs() < 1e-12), "{contact:?}");
}

/// A box that has sunk a little into the top of another: the contacts are the polygon that the faces share, equally
/// deep everywhere.
#[test]
fn boxes_on_each_other() {
    let sunk = 1.0 / 1024.0;
    let quarter = std::f64::consts::FRAC_PI_4;
    let cases = [
        (v(0.0, 0.0, 0.0), 0.0, 4.0),
        (v(1.0, 0.0, 0.0), 0.0, 2.0),
        (v(1.5, 1.5, 0.0), 0.0, 0.25),
        (v(0.0, 0.0, 0.0), quarter, 8.0 * (2f64.sqrt() - 1.0)),
        (v(-0.25, 0.5, 0.0), 2.0 * quarter, 1.75 * 1.5),
    ];
    for (aside, angle, shared) in cases {
        let at = Pose::new(aside + v(0.0, 0.0, 2.0 - sunk), DQuat::from_rotation_z(angle)).unwrap();
        for a in boxes(DVec3::ONE) {
            for b in boxes(DVec3::ONE) {
                for method in of_convex() {
                    let contact = only(&mut Pair::new(&a, &b).with_method(method), &at);
                    assert!(contact.normal.distance(DVec3::Z) <= 1e-9, "{method}: {contact:?}");
                    let depth = contact.depth.unwrap();
                    assert!((depth.mid() - sunk).abs() <= 1e-12, "{method}: {contact:?}");
                    assert!((area(&contact) - shared).abs() <= 1e-9, "{method}, {angle}: {contact:?}, not {shared}");
                    for [p, q] in contact.points.iter() {
                        let deep = (*p - *q).dot(contact.normal);
                        assert!((deep - sunk).abs() <= 1e-9, "{method}: {p} {q}");
                        assert!((p.z - 1.0).abs() <= 1e-9 && (q.z - 1.0 + sunk).abs() <= 1e-9, "{method}: {p} {q}");
                    }
                }
            }
        }
    }
}

/// Faces that only touch share the same polygon, of depth zero.
#[test]
fn boxes_that_only_touch() {
    for a in boxes(DVec3::ONE) {
        for b in boxes(DVec3::ONE) {
            for method in of_convex() {
                let mut pair = Pair::new(&a, &b).with_method(method);
                let contact = only(&mut pair, &Pose::at(v(1.0, 0.5, 2.0)).unwrap());
                assert!(contact.depth.unwrap().upper <= 1e-12, "{method}: {contact:?}");
                assert!((area(&contact) - 1.5).abs() <= 1e-9, "{method}: {contact:?}");
            }
        }
    }
}

/// Two edges that cross give one point.
#[test]
fn edges_that_cross() {
    let (sunk, half_turn) = (1.0 / 1024.0, std::f64::consts::FRAC_PI_4);
    let roof = DQuat::from_rotation_x(half_turn);
    let ridge = DQuat::from_rotation_z(2.0 * half_turn) * roof;
    let root = 2f64.sqrt();
    let (lower, upper) =
        (Pose::new(DVec3::ZERO, roof).unwrap(), Pose::new(v(0.0, 0.0, 2.0 * root - sunk), ridge).unwrap());
    for a in boxes(v(3.0, 1.0, 1.0)) {
        for b in boxes(v(3.0, 1.0, 1.0)) {
            for method in of_convex() {
                let contacts = Pair::new(&a, &b).with_method(method).contacts(&lower, &upper, Limit::All);
                let contact = contacts.iter().next().unwrap();
                assert!(contact.normal.distance(DVec3::Z) <= 1e-9, "{method}: {contact:?}");
                assert!((contact.depth.unwrap().mid() - sunk).abs() <= 1e-12, "{method}: {contact:?}");
                let [p, q] = contact.points[0];
                assert!(contact.points.len() == 1, "{method}: {contact:?}");
                assert!(p.distance(v(0.0, 0.0, root)) <= 1e-9, "{method}: {contact:?}");
                assert!(q.distance(v(0.0, 0.0, root - sunk)) <= 1e-9, "{method}: {contact:?}");
            }
        }
    }
}

/// With an envelope, `overlap` answers as `within` does, and there are contacts exactly when it says yes.
#[test]
fn envelopes_count_as_touching() {
    let mut random = Random::new(1);
    for round in 0..400 {
        let scene = scene(&mut random);
        let (pa, pb) = (&scene.pose_a, &scene.pose_b);
        let distance = scene.truth().mid_distance();
        let method = of_convex()[round % of_convex().len()];
        for factor in [0.5, 0.999, 1.001, 2.0] {
            let envelope = distance * factor;
            let mut pair = scene.pair(method).with_envelope(envelope);
            let near = distance == 0.0 || factor > 1.0;
            if (0.0..1e-9).contains(&distance) && distance > 0.0 {
                continue;
            }
            assert_eq!(pair.overlap(pa, pb).overlap, near, "{method}, {envelope}: {scene:?}");
            let contacts = pair.contacts(pa, pb, Limit::All);
            assert_eq!(contacts.touching(), near, "{method}, {envelope}: {scene:?}");
            for contact in contacts.iter() {
                for [p, q] in contact.points.iter() {
                    let apart = (*q - *p).dot(contact.normal);
                    assert!(apart <= envelope + 1e-9, "{method}: {apart} is beyond {envelope}: {contact:?}");
                }
            }
            // The envelope changes what counts as touching, but not the distance and the depth.
            let plain = scene.pair(method).distance(pa, pb).interval;
            let known = pair.distance(pa, pb).interval;
            assert!((known.mid() - plain.mid()).abs() <= 1e-15 * (1.0 + plain.mid()), "{method}: {known:?} {plain:?}");
        }
    }
}

/// A box over another within the envelope: the four corners, none of them deep.
#[test]
fn an_envelope_sees_the_face_below() {
    let [a, _] = boxes(DVec3::ONE);
    for method in of_convex() {
        let mut pair = Pair::new(&a, &a).with_method(method).with_envelope(0.02);
        let contact = only(&mut pair, &Pose::at(v(0.0, 0.0, 2.01)).unwrap());
        assert!(contact.normal.distance(DVec3::Z) <= 1e-9, "{method}: {contact:?}");
        assert!((area(&contact) - 4.0).abs() <= 1e-9, "{method}: {contact:?}");
        assert!(contact.depth.is_none_or(|d| d.upper == 0.0), "{method}: {contact:?}");
        let mut pair = Pair::new(&a, &a).with_method(method).with_envelope(0.005);
        assert!(!pair.contacts(&Pose::IDENTITY, &Pose::at(v(0.0, 0.0, 2.01)).unwrap(), Limit::All).touching());
    }
}

/// Bodies swapped: the same points the other way round, the normal reversed.
#[test]
fn swapping_reverses_the_normal() {
    let mut random = Random::new(2);
    for _ in 0..200 {
        let at = pose(&mut random, 0.9);
        let scene = Scene::new(cube(DVec3::ZERO, 0.7), cuboid(v(0.5, 0.8, 1.1)), Pose::IDENTITY, at);
        if scene.truth().signed() > -1e-3 {
            continue;
        }
        let method = of_convex()[random.below(of_convex().len() as u64) as usize];
        let there = scene.pair(method).contacts(&scene.pose_a, &scene.pose_b, Limit::All);
        let back = scene.swapped().pair(method).contacts(&scene.pose_b, &scene.pose_a, Limit::All);
        let (x, y) = (there.iter().next().unwrap(), back.iter().next().unwrap());
        assert!((x.depth.unwrap().mid() - y.depth.unwrap().mid()).abs() <= 1e-9, "{method}: {x:?} {y:?}");
        assert!(x.normal.distance(-y.normal) <= 1e-6, "{method}: {x:?} {y:?}");
    }
}
