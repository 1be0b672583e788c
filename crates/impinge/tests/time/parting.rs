//! When bodies that touch part again: partings that are short beside the span are found, whatever the bodies and the
//! method, and `leaves` says the same as the contacts over time.

use std::f64::consts::TAU;

use impinge::glam::{DQuat, DVec3};
use impinge::{
    ContactInterval, Convex, Impact, ImpactMethod, ImpactOptions, Interval, Mesh, Model, Motion, Pair, Parts, Pose,
    Round, Span, Steady, TimedPoses,
};
use impinge_testing::random::Random;

const METHODS: [ImpactMethod; 5] = [
    ImpactMethod::Auto,
    ImpactMethod::Advancement,
    ImpactMethod::ContactFunctions,
    ImpactMethod::BySpeed,
    ImpactMethod::Bisection,
];

fn still(at: DVec3) -> Steady {
    Steady::still(Pose::at(at).unwrap())
}

fn corners(half: DVec3) -> Vec<DVec3> {
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|i| half * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

fn mesh(hull: &Convex) -> Mesh {
    let fan = |f: u32| {
        let c: Vec<u32> = hull.face_corners(f).unwrap().collect();
        (1..c.len() - 1).map(move |k| [c[0], c[k], c[k + 1]]).collect::<Vec<_>>()
    };
    Mesh::new(hull.vertices().to_vec(), (0..hull.face_count() as u32).flat_map(fan).collect::<Vec<_>>()).unwrap()
}

/// The hull of points as every kind of body, with an inside and without.
fn kinds(points: &[DVec3]) -> Vec<Model> {
    let hull = Convex::hull(points).unwrap();
    vec![
        hull.clone().into(),
        Parts::new(vec![hull.clone(), hull.clone()]).unwrap().into(),
        mesh(&hull).into(),
        mesh(&hull).into_surface().into(),
    ]
}

fn ask(pair: &mut Pair, a: &dyn Motion, b: &dyn Motion, span: Span, options: ImpactOptions) -> Impact {
    pair.impact_with(a, b, span, &ImpactOptions { parting: true, ..options })
}

fn holds(interval: Interval, truth: f64, width: f64) -> bool {
    interval.lower <= truth + 1e-12 * truth.abs() && interval.upper >= truth && interval.width() <= width
}

/// Two thousand seconds, 0.8 of which they are apart, by up to two units.
#[test]
fn a_short_parting_on_a_long_path_is_found() {
    let at = |x: f64| Pose::at(DVec3::X * x).unwrap();
    let rows = [(0.0, 1.5), (500.0, 1.5), (500.3, 5.0), (500.6, 5.0), (500.9, 1.5), (2000.0, 1.5)];
    let path = TimedPoses::new(&rows.map(|(t, x)| (t, at(x))), DVec3::ZERO).unwrap();
    let (span, there) = (Span::new(0.0, 2000.0).unwrap(), still(DVec3::ZERO));
    let (parts, meets) = (500.0 + 0.3 / 7.0, 500.9 - 0.3 / 7.0);
    let mut others = kinds(&corners(DVec3::ONE));
    others.push(Round::sphere(1.0).unwrap().into());
    for one in kinds(&corners(DVec3::ONE)) {
        for other in &others {
            let mut pair = Pair::new(&one, other);
            let contacts = pair.contacts_over_time(&path, &there, span);
            assert_eq!(contacts.len(), 2, "{contacts:?}");
            assert!(contacts.iter().all(|contact| contact.certain), "{contacts:?}");
            assert_eq!(contacts[0].begins, Interval::ZERO, "{contacts:?}");
            assert!(holds(contacts[0].ends.unwrap(), parts, 1e-9), "{contacts:?}");
            assert!(holds(contacts[1].begins, meets, 1e-9) && contacts[1].ends.is_none(), "{contacts:?}");
            for method in METHODS {
                let options = ImpactOptions { method, ..ImpactOptions::default() };
                let leaves = ask(&mut pair, &path, &there, span, options).leaves.unwrap();
                assert!(holds(leaves, parts, 1e-9), "{method:?}: {leaves:?}");
            }
        }
    }
}

/// Methods that stop a little before the contact still look for its end from the contact on, and near counts as
/// touching for all that is asked.
#[test]
fn the_search_for_a_parting_begins_at_the_contact() {
    let hull = corners(DVec3::ONE);
    let through = Steady::straight(Pose::at(DVec3::X * -5.0).unwrap(), DVec3::X * 10.0, 0.0).unwrap();
    for model in kinds(&hull) {
        let mut pair = Pair::new(Round::sphere(1.0).unwrap(), &model);
        for (tolerance, begins, ends) in [(0.0, 0.3, 0.7), (0.1, 0.29, 0.71)] {
            for method in METHODS {
                let options = ImpactOptions { method, tolerance, ..ImpactOptions::default() };
                let impact = ask(&mut pair, &through, &still(DVec3::ZERO), Span::UNIT, options);
                let (time, leaves) = (impact.time.unwrap(), impact.leaves.unwrap());
                assert!(time.lower <= begins && time.lower > begins - 1e-8, "{method:?}: {time:?}, not {begins}");
                assert!((leaves.lower - ends).abs() < 1e-11, "{method:?} {tolerance}: {leaves:?}, not {ends}");
                assert!((leaves.upper - ends).abs() < 1e-11, "{method:?} {tolerance}: {leaves:?}, not {ends}");
            }
            let near = pair.near_over_time(&through, &still(DVec3::ZERO), Span::UNIT, tolerance);
            let [ContactInterval { begins: from, ends: Some(to), .. }] = near[..] else { panic!("{near:?}") };
            assert!((from.lower - begins).abs() < 1e-9 && (to.upper - ends).abs() < 1e-9, "{near:?}");
        }
    }
}

/// A bar makes 3000 turns about its middle, beside a ball that it leaves twice in each, for a tenth of the time: each
/// parting is shorter than any fixed share of the span.
#[test]
fn partings_within_a_turn_of_many_are_found() {
    let spin = 3000.0 * TAU;
    let bar = corners(DVec3::new(2.0, 0.05, 0.05));
    let turning = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * spin, 0.0).unwrap();
    let truth = f64::asin(0.05 + 0.9) / spin;
    for model in kinds(&bar) {
        let mut pair = Pair::new(&model, Round::sphere(0.9).unwrap());
        let impact = ask(&mut pair, &turning, &still(DVec3::X), Span::UNIT, ImpactOptions::default());
        assert_eq!(impact.time, Some(Interval::ZERO));
        assert!(holds(impact.leaves.unwrap(), truth, 1e-12), "{:?}, not {truth}", impact.leaves);
        let few = Span::new(0.0, 10.0 / 3000.0).unwrap();
        let contacts = pair.contacts_over_time(&turning, &still(DVec3::X), few);
        assert_eq!(contacts.len(), 21, "{contacts:?}");
        assert!(contacts.iter().all(|contact| contact.certain), "{contacts:?}");
        assert!(holds(contacts[0].ends.unwrap(), truth, 1e-12), "{contacts:?}");
    }
}

/// Both turn: against dense sampling, what is said to touch for certain does, and none is missed.
#[test]
fn contacts_of_bodies_that_both_turn_hold_at_every_sample() {
    let mut random = Random::new(57);
    let (mut several, mut sure) = (0, 0);
    for case in 0..60 {
        let mut body = |k: usize| -> Model {
            let cloud: Vec<DVec3> = (0..12).map(|_| random.point(1.0)).collect();
            match (case + k) % 5 {
                4 => Round::capsule(0.3, 1.5).unwrap().into(),
                kind => kinds(&cloud).swap_remove(kind),
            }
        };
        let mut pair = Pair::new(body(0), body(case % 3));
        let mut motion = |far: f64| {
            let pose = Pose::new(random.point(1.0).normalize() * far, random.rotation()).unwrap();
            let spin = random.point(1.0).normalize() * 15.0;
            Steady::new(pose, random.point(0.5), random.point(0.3), spin, 0.0).unwrap()
        };
        let ways = [motion(1.3), motion(0.0)];
        let contacts = pair.contacts_over_time(&ways[0], &ways[1], Span::UNIT);
        several += usize::from(contacts.len() > 1);
        sure += usize::from(contacts.iter().all(|contact| contact.certain));
        let impact = ask(&mut pair, &ways[0], &ways[1], Span::UNIT, ImpactOptions::default());
        if let (Some(leaves), Some(first)) = (impact.leaves, contacts.first()) {
            let ends = first.ends.unwrap();
            assert!(leaves.lower <= ends.upper && ends.lower <= leaves.upper, "case {case}: {leaves:?} {ends:?}");
        }
        for i in 0..=2000 {
            let t = f64::from(i) / 2000.0;
            let touches = pair.overlap(&ways[0].pose(t), &ways[1].pose(t)).overlap;
            let end = |c: &ContactInterval, f: fn(&Interval) -> f64| c.ends.as_ref().map_or(1.0, f);
            let may = contacts.iter().any(|c| c.begins.lower <= t && t <= end(c, |e| e.upper));
            let must = contacts.iter().any(|c| c.certain && c.begins.upper < t && t < end(c, |e| e.lower));
            assert!(may || !touches, "case {case}: a contact at {t} is missed: {contacts:?}");
            assert!(touches || !must, "case {case}: no contact at {t}: {contacts:?}");
        }
    }
    assert!(several > 10 && sure > 50, "{several} {sure}");
}

/// Lying flat on each other while one turns proves nothing: they may part between two looks, and it is said so.
#[test]
fn a_contact_that_nothing_proves_is_not_certain() {
    let slab = Round::cylinder(1.0, 1.0).unwrap();
    let mut pair = Pair::new(slab.clone(), slab);
    let turning = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z, 0.0).unwrap();
    let tilted = Pose::new(DVec3::Z, DQuat::IDENTITY).unwrap();
    let contacts = pair.contacts_over_time(&turning, &Steady::still(tilted), Span::UNIT);
    assert_eq!(contacts.len(), 1, "{contacts:?}");
    assert!(!contacts[0].certain && contacts[0].ends.is_none(), "{contacts:?}");
}

/// Past each other within a tolerance, straight or turning, at any size of it: every sample that is near is listed, and
/// what is near for certain is. A sphere that passed a box once never came to an end.
#[test]
fn near_over_time_holds_at_every_sample() {
    let past = |y: f64| {
        let way = Steady::straight(Pose::at(DVec3::new(-5.0, y, 0.0)).unwrap(), DVec3::X * 10.0, 0.0).unwrap();
        [way, still(DVec3::ZERO)]
    };
    let cube: Model = Round::cuboid(DVec3::splat(0.5)).unwrap().into();
    let ball: Model = Round::sphere(1.0).unwrap().into();
    let mut cases = vec![([ball.clone(), cube.clone()], past(1.64), 1.28)];
    let mut random = Random::new(61);
    for case in 0..150 {
        let mut body = |kind: usize| -> Model {
            let cloud: Vec<DVec3> = (0..12).map(|_| random.point(1.0)).collect();
            match kind % 7 {
                4 => Round::capsule(0.3, 1.5).unwrap().into(),
                5 => cube.clone(),
                6 => ball.clone(),
                kind => kinds(&cloud).swap_remove(kind),
            }
        };
        let bodies = [body(case), body(case / 7)];
        let tolerance = 10f64.powf(random.point(1.0).x * 1.5 - 0.5);
        let ways = if case % 2 == 0 {
            past(random.point(1.0).y * 3.0)
        } else {
            let mut motion = |far: f64| {
                let pose = Pose::new(random.point(1.0).normalize() * far, random.rotation()).unwrap();
                let spin = random.point(1.0) * 4.0;
                Steady::new(pose, random.point(0.5), random.point(3.0), spin, 0.0).unwrap()
            };
            [motion(2.5), motion(0.0)]
        };
        cases.push((bodies, ways, tolerance));
    }
    let mut met = 0;
    for (case, ([a, b], ways, tolerance)) in cases.into_iter().enumerate() {
        let mut pair = Pair::new(a, b);
        let contacts = pair.near_over_time(&ways[0], &ways[1], Span::UNIT, tolerance);
        met += usize::from(!contacts.is_empty());
        for i in 0..=500 {
            let t = f64::from(i) / 500.0;
            let distance = pair.distance(&ways[0].pose(t), &ways[1].pose(t)).interval;
            let end = |c: &ContactInterval, f: fn(&Interval) -> f64| c.ends.as_ref().map_or(1.0, f);
            let may = contacts.iter().any(|c| c.begins.lower <= t && t <= end(c, |e| e.upper));
            let must = contacts.iter().any(|c| c.certain && c.begins.upper < t && t < end(c, |e| e.lower));
            assert!(may || distance.upper > tolerance, "case {case}: near at {t}, {tolerance}: {contacts:?}");
            assert!(!must || distance.lower <= tolerance + 1e-9, "case {case}: far at {t}, {tolerance}: {contacts:?}");
        }
    }
    assert!(met > 80, "{met}");
}
