//! When moving bodies first touch: the adversarial cases of translation and rotation under their ids, every kind of
//! body as several models. Random motions against dense sampling: [`random_motion`].

mod random_motion;

use std::f64::consts::PI;

use impinge::glam::{DQuat, DVec3};
use impinge::{
    ContactInterval, Convex, Feature, Impact, ImpactMethod, ImpactOptions, Interval, Mesh, Model, Motion, Pair, Parts,
    Pose, Round, Span, Steady,
};
use impinge_testing::random::Random;

const METHODS: [ImpactMethod; 5] = [
    ImpactMethod::Auto,
    ImpactMethod::Advancement,
    ImpactMethod::ContactFunctions,
    ImpactMethod::BySpeed,
    ImpactMethod::Bisection,
];

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn corners(centre: DVec3, half: DVec3) -> Vec<DVec3> {
    (0..8)
        .map(|i| {
            centre
                + half
                    * v(f64::from(i & 1) * 2.0 - 1.0, f64::from(i >> 1 & 1) * 2.0 - 1.0, f64::from(i >> 2) * 2.0 - 1.0)
        })
        .collect()
}

fn faces(hull: &Convex) -> Vec<[u32; 3]> {
    let fan = |f: u32| {
        let c: Vec<u32> = hull.face_corners(f).unwrap().collect();
        (1..c.len() - 1).map(move |k| [c[0], c[k], c[k + 1]]).collect::<Vec<_>>()
    };
    (0..hull.face_count() as u32).flat_map(fan).collect()
}

/// The hull of points as every kind of body that can say it.
fn kinds(points: &[DVec3]) -> Vec<Model> {
    let hull = Convex::hull(points).unwrap();
    let mut all = vec![Model::from(hull.clone()), Parts::new(vec![hull.clone(), hull.clone()]).unwrap().into()];
    all.push(Round::around(hull.clone(), 0.0).unwrap().into());
    if hull.face_count() > 2 {
        all.push(Mesh::new(hull.vertices().to_vec(), faces(&hull)).unwrap().into());
    }
    all
}

fn still() -> Steady {
    Steady::still(Pose::IDENTITY)
}

fn along(x: DVec3) -> Steady {
    Steady::straight(Pose::IDENTITY, x, 0.0).unwrap()
}

/// Both ways round, through every kind of both bodies.
fn each(a: &[DVec3], motion_a: &dyn Motion, b: &[DVec3], motion_b: &dyn Motion, check: impl Fn(&Impact)) {
    for one in kinds(a) {
        for other in kinds(b) {
            check(&Pair::new(&one, &other).impact(motion_a, motion_b, Span::UNIT));
            check(&Pair::new(&other, &one).impact(motion_b, motion_a, Span::UNIT));
        }
    }
}

fn hits_at(time: f64, tolerance: f64) -> impl Fn(&Impact) {
    move |impact: &Impact| {
        let at = impact.time.unwrap();
        assert!(at.lower <= time * (1.0 + 1e-14) && at.lower >= time - tolerance, "{at:?}, not {time}");
        assert!(at.upper >= time - tolerance && at.upper <= time * (1.0 + 1e-9), "{at:?}, not {time}");
        assert!(impact.certain, "{impact:?}");
    }
}

fn misses(impact: &Impact) {
    assert_eq!(impact.time, None, "{impact:?}");
}

#[test]
fn g01_a_bullet_meets_a_thin_wall() {
    let bullet = [v(-0.001, 0.0, 0.0), v(0.001, 0.0, 0.0), v(0.0, 0.001, 0.0), v(0.0, 0.0, 0.001)];
    let wall = corners(v(1.0000005, 0.0, 0.0), v(5e-7, 1.0, 1.0));
    each(&bullet, &along(v(1e6, 0.0, 0.0)), &wall, &still(), hits_at(9.99e-7, 1e-18));
}

#[test]
fn g03_two_cubes_meet_half_way() {
    let (a, b) = (corners(v(-5.0, 0.0, 0.0), DVec3::ONE), corners(v(5.0, 0.0, 0.0), DVec3::ONE));
    each(&a, &along(v(10.0, 0.0, 0.0)), &b, &along(v(-10.0, 0.0, 0.0)), hits_at(0.4, 1e-13));
}

#[test]
fn g05_faces_in_one_plane_touch_and_a_hair_above_do_not() {
    let unit = corners(DVec3::ZERO, DVec3::ONE);
    let at = |y: f64| corners(v(-5.0, y, 0.0), DVec3::ONE);
    let motion = along(v(10.0, 0.0, 0.0));
    each(&at(2.0), &motion, &unit, &still(), |impact| {
        let time = impact.time.unwrap();
        assert!(time.lower <= 0.3 && time.lower > 0.3 - 1e-13, "{time:?}");
    });
    each(&at(2.0 + 2f64.powi(-40)), &motion, &unit, &still(), misses);
}

#[test]
fn g07_touching_bodies_that_part_touch_at_once() {
    let (a, unit) = (corners(v(2.0, 0.0, 0.0), DVec3::ONE), corners(DVec3::ZERO, DVec3::ONE));
    each(&a, &along(v(5.0, 0.0, 0.0)), &unit, &still(), |impact| {
        let time = impact.time.unwrap();
        assert_eq!((time.lower, time.upper), (0.0, 0.0));
        assert!(impact.separating, "{impact:?}");
    });
    each(&a, &along(v(-5.0, 0.0, 0.0)), &unit, &still(), |impact| {
        assert_eq!(impact.time.unwrap().upper, 0.0);
        assert!(!impact.separating, "{impact:?}");
    });
}

#[test]
fn g07_every_method_says_that_they_part_and_along_what() {
    let (a, unit) = (corners(v(2.0, 0.0, 0.0), DVec3::ONE), corners(DVec3::ZERO, DVec3::ONE));
    for method in METHODS {
        let options = ImpactOptions { method, ..ImpactOptions::default() };
        for (one, other) in kinds(&a).into_iter().zip(kinds(&unit)) {
            let mut pair = Pair::new(&other, &one);
            let mut ask = |x: f64| pair.impact_with(&still(), &along(v(x, 0.0, 0.0)), Span::UNIT, &options);
            let impact = ask(5.0);
            assert_eq!(impact.time, Some(Interval::ZERO), "{method:?}: {impact:?}");
            assert!(impact.separating && impact.certain, "{method:?}: {impact:?}");
            // Of meshes it is that of some triangle which touches.
            let along_x = |n: DVec3| n.distance(DVec3::X) < 1e-12 || matches!(one, Model::Mesh(_));
            assert!(impact.normal.is_some_and(along_x), "{method:?}: {impact:?}");
            let impact = ask(-5.0);
            assert!(!impact.separating && impact.certain, "{method:?}: {impact:?}");
        }
    }
}

/// A segment turned about z through the angles given.
fn arm(from: f64, by: f64) -> Steady {
    let start = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(from)).unwrap();
    Steady::turning(start, DVec3::ZERO, DVec3::Z * by, 0.0).unwrap()
}

#[test]
fn h01_a_turning_segment_meets_a_point_that_the_hull_of_its_ends_misses() {
    let (segment, point) = ([v(0.9, 0.0, 0.0), v(1.0, 0.0, 0.0)], [v(0.95, 0.0, 0.0)]);
    each(&segment, &arm(-PI / 6.0, PI / 3.0), &point, &still(), |impact| {
        let time = impact.time.unwrap();
        assert!(time.lower <= 0.5 && time.lower > 0.5 - 1e-9, "{time:?}");
    });
}

#[test]
fn h03_a_large_turn_is_not_taken_for_a_small_one() {
    let (sin, cos) = (PI * 85.0 / 180.0).sin_cos();
    let (segment, point) = ([v(0.9, 0.0, 0.0), v(1.0, 0.0, 0.0)], [v(0.95 * cos, 0.95 * sin, 0.0)]);
    for degrees in [90.0, 180.0, 270.0, 360.0] {
        each(&segment, &arm(0.0, PI * degrees / 180.0), &point, &still(), |impact| {
            let time = impact.time.unwrap();
            assert!(time.lower <= 85.0 / degrees && time.lower > 85.0 / degrees - 1e-9, "{time:?}");
        });
    }
}

#[test]
fn h07_a_rod_meets_a_post() {
    let rod = [DVec3::ZERO, v(2.0, 0.0, 0.0)];
    let at = |z: f64| v(1.149066664678467, 0.9641814145298089, z);
    each(&rod, &arm(0.0, PI / 3.0), &[at(-1.0), at(1.0)], &still(), |impact| {
        let time = impact.time.unwrap();
        assert!(time.lower <= 2.0 / 3.0 && time.lower > 2.0 / 3.0 - 1e-9, "{time:?}");
    });
}

/// Spheres: the quadratic in closed form, down to grazing.
#[test]
fn spheres_meet_when_the_quadratic_says() {
    let mut random = Random::new(11);
    for i in 0..500 {
        let (r, s) = (random.within(0.1, 1.0), random.within(0.1, 1.0));
        // The last ones pass at nearly the sum of the radii.
        let offset = if i < 400 { random.within(0.0, 1.2) } else { 1.0 - random.within(-1e-9, 1e-9) };
        let start = v(-5.0, offset * (r + s), 0.0);
        let half_chord = ((r + s) * (r + s) - start.y * start.y).max(0.0).sqrt();
        let touches = start.y < r + s;
        let mut pair = Pair::new(Round::sphere(r).unwrap(), Round::sphere(s).unwrap());
        let motion = Steady::straight(Pose::at(start).unwrap(), v(10.0, 0.0, 0.0), 0.0).unwrap();
        let impact = pair.impact(&motion, &still(), Span::UNIT);
        match (impact.time, touches) {
            (Some(time), true) => {
                let truth = (5.0 - half_chord) / 10.0;
                assert!(time.lower <= truth + 1e-15, "{time:?} {truth}");
                // The time of a grazing contact is the root of what is lost to rounding.
                assert!(time.lower > truth - 1e-12 - 1e-13 / half_chord.max(1e-8), "{time:?} {truth}");
            }
            (time, touches) => {
                let within_rounding = (start.y - r - s).abs() < 1e-13;
                assert!(within_rounding || time.is_some() == touches, "{time:?} {offset}");
            }
        }
    }
}

fn some_motion(random: &mut Random, away: f64, fast: f64, spin: f64) -> Steady {
    let pose = Pose::new(random.point(1.0).normalize_or_zero() * away, random.rotation()).unwrap();
    let velocity = -pose.translation() * random.within(0.3, 1.6) + random.point(1.0).normalize_or_zero() * fast;
    Steady::new(
        pose,
        random.point(1.0).normalize_or_zero() * 0.3,
        velocity,
        random.point(1.0).normalize_or_zero() * spin,
        0.0,
    )
    .unwrap()
}

fn cloud(random: &mut Random, size: f64) -> Vec<DVec3> {
    let count = 4 + (random.within(0.0, 1.0) * 12.0) as usize;
    (0..count).map(|_| random.point(1.0).normalize_or_zero() * size * random.within(0.3, 1.0)).collect()
}

#[test]
fn a_body_falls_on_a_half_space() {
    let floor = Round::half_space(DVec3::Z, 0.25).unwrap();
    let cube = corners(v(0.0, 0.0, 3.0), DVec3::ONE);
    for model in kinds(&cube) {
        let mut pair = Pair::new(floor.clone(), &model);
        let impact = pair.impact(&still(), &along(v(0.5, 0.0, -2.0)), Span::UNIT);
        hits_at(0.875, 1e-13)(&impact);
        assert!(impact.normal.unwrap().distance(DVec3::Z) < 1e-12, "{impact:?}");
        misses(&pair.impact(&still(), &along(v(5.0, 0.0, -1.74)), Span::UNIT));
        // The floor tilts about a line far to the left, and so comes up from the right.
        let tilting = Steady::turning(Pose::IDENTITY, v(-4.0, 0.0, 0.25), v(0.0, -PI / 2.0, 0.0), 0.0).unwrap();
        let time = pair.impact(&tilting, &still(), Span::UNIT).time.unwrap();
        let truth = (1.75f64 / 5.0).atan() / (PI / 2.0);
        assert!(time.lower <= truth && time.lower > truth - 1e-7, "{time:?} {truth}");
    }
}

#[test]
fn far_from_the_origin_and_at_any_scale() {
    for scale in [1e-40, 1e-9, 1.0, 1e12, 1e40] {
        let (a, b) = (
            corners(v(-5.0, 0.3, 0.0) * scale, DVec3::ONE * scale),
            corners(v(5.0, 0.0, 0.0) * scale, DVec3::ONE * scale),
        );
        let motion = along(v(10.0, 0.0, 0.0) * scale);
        let back = along(v(-10.0, 0.0, 0.0) * scale);
        for (one, other) in kinds(&a).into_iter().zip(kinds(&b)) {
            hits_at(0.4, 1e-13)(&Pair::new(&one, &other).impact(&motion, &back, Span::UNIT));
        }
    }
    let away = Pose::at(DVec3::splat(1e9)).unwrap();
    let cube = Convex::hull(&corners(DVec3::ZERO, DVec3::ONE)).unwrap();
    let start = Pose::at(DVec3::splat(1e9) + v(-4.0, 0.5, 0.0)).unwrap();
    let motion = Steady::straight(start, v(4.0, 0.0, 0.0), 0.0).unwrap();
    let time = Pair::new(cube.clone(), cube).impact(&motion, &Steady::still(away), Span::UNIT).time.unwrap();
    assert!((time.lower - 0.5).abs() < 1e-6, "{time:?}");
}

#[test]
fn a_moment_is_a_span_and_nothing_meets_nothing() {
    let cube = Convex::hull(&corners(DVec3::ZERO, DVec3::ONE)).unwrap();
    let moment = Span::new(0.5, 0.5).unwrap();
    let motion = along(v(2.0, 0.0, 0.0));
    let mut pair = Pair::new(cube.clone(), cube.clone());
    let other = Steady::still(Pose::at(v(3.0, 0.0, 0.0)).unwrap());
    assert_eq!(pair.impact(&motion, &other, moment).time.unwrap().lower, 0.5);
    misses(&pair.impact(&motion, &other, Span::new(0.2, 0.4).unwrap()));
    misses(&Pair::new(Mesh::empty(), cube).impact(&motion, &other, Span::UNIT));
}

#[test]
fn methods_agree() {
    let mut random = Random::new(21);
    let ask = |pair: &mut Pair, ways: &[Steady; 2], method: ImpactMethod| {
        pair.impact_with(&ways[0], &ways[1], Span::UNIT, &ImpactOptions { method, ..ImpactOptions::default() }).time
    };
    let mut hits = 0;
    for case in 0..200 {
        let spin = if case % 2 == 0 { 0.0 } else { 2.0 };
        let mut pair =
            Pair::new(Convex::hull(&cloud(&mut random, 1.0)).unwrap(), Convex::hull(&cloud(&mut random, 0.6)).unwrap());
        let ways = [some_motion(&mut random, 3.0, 1.0, spin), some_motion(&mut random, 1.0, 0.5, spin)];
        let auto = ask(&mut pair, &ways, ImpactMethod::Auto);
        let cast = ask(&mut pair, &ways, ImpactMethod::Advancement);
        let slow = ask(&mut pair, &ways, ImpactMethod::BySpeed);
        let sampled = ask(&mut pair, &ways, ImpactMethod::Bisection);
        let Some(time) = auto else {
            assert_eq!((cast, sampled), (None, None), "case {case}");
            // Two bodies that pass within its resolution.
            let near = pair.sweep(&ways[0], &ways[1], Span::UNIT).interval.lower < 1e-7;
            assert!(slow.is_none() || near, "case {case}: {slow:?}");
            continue;
        };
        hits += 1;
        let [cast, slow] = [cast, slow].map(Option::unwrap);
        assert!((cast.lower - time.lower).abs() < 1e-9, "case {case}: {cast:?} {time:?}");
        assert!(slow.lower <= time.upper && slow.lower > time.lower - 1e-6, "case {case}: {slow:?} {time:?}");
        assert!(
            sampled.is_none_or(|t| t.upper >= time.lower && (t.upper - time.upper < 1e-8 || spin > 0.0)),
            "case {case}: {sampled:?} {time:?}"
        );
    }
    assert!(hits > 50, "{hits}");
}

/// The contact that a cast proves by a facet is the one that the advance sees: points, normal and features.
#[test]
fn a_cast_and_an_advance_tell_the_same_contact() {
    let mut random = Random::new(22);
    let advance = ImpactOptions { method: ImpactMethod::Advancement, ..ImpactOptions::default() };
    let (mut hits, mut same) = (0, 0);
    for case in 0..400 {
        let mut pair =
            Pair::new(Convex::hull(&cloud(&mut random, 1.0)).unwrap(), Convex::hull(&cloud(&mut random, 0.6)).unwrap());
        let ways = [some_motion(&mut random, 3.0, 1.0, 0.0), some_motion(&mut random, 1.0, 0.5, 0.0)];
        let cast = pair.impact(&ways[0], &ways[1], Span::UNIT);
        let slow = pair.impact_with(&ways[0], &ways[1], Span::UNIT, &advance);
        let (Some(time), Some(other)) = (cast.time, slow.time) else {
            assert_eq!(cast.time, slow.time, "case {case}");
            continue;
        };
        if time.lower == 0.0 {
            continue;
        }
        hits += 1;
        assert!((time.lower - other.lower).abs() < 1e-9, "case {case}: {time:?} {other:?}");
        let (w, z) = (cast.witness.unwrap(), slow.witness.unwrap());
        let parallel = cast.normal.unwrap().distance(slow.normal.unwrap()) < 1e-6;
        assert!(!parallel || w.points[0].distance(z.points[0]) < 1e-6, "case {case}: {cast:?} {slow:?}");
        same += usize::from(parallel && w.features == z.features);
    }
    // Near a border either of two facets is right.
    assert!(hits > 100 && same >= hits - 2, "{same} of {hits}");
}

/// Whether two features are one, whichever of the triangles around an edge, or of two equal pieces, it was found on.
fn is_same(one: Feature, other: Feature) -> bool {
    match (one, other) {
        (Feature::Vertex { vertex: v, .. }, Feature::Vertex { vertex: w, .. }) => v == w,
        (Feature::Edge { vertices: [p, q], .. }, Feature::Edge { vertices, .. }) => {
            vertices == [p, q] || vertices == [q, p]
        }
        (Feature::Convex { element: e, .. }, Feature::Convex { element: f, .. }) => e == f,
        _ => one == other,
    }
}

/// Whatever method finds the time, the contact is told as the bodies stand just before it: the normal from `a` to `b`,
/// the points and the features.
#[test]
fn every_method_tells_the_contact_that_the_advance_sees() {
    let mut random = Random::new(23);
    let methods = [ImpactMethod::ContactFunctions, ImpactMethod::BySpeed, ImpactMethod::Bisection];
    let ask = |pair: &mut Pair, ways: [&Steady; 2], method: ImpactMethod| {
        pair.impact_with(ways[0], ways[1], Span::UNIT, &ImpactOptions { method, ..ImpactOptions::default() })
    };
    let (mut hits, mut differ) = (0, Vec::new());
    for case in 0..60 {
        let [a, b] = [cloud(&mut random, 1.0), cloud(&mut random, 0.6)];
        let spin = if case % 2 == 0 { 0.0 } else { 2.0 };
        let ways = [some_motion(&mut random, 3.0, 1.0, spin), some_motion(&mut random, 1.0, 0.5, 0.0)];
        for (one, other) in kinds(&a).into_iter().zip(kinds(&b)) {
            let mut pair = Pair::new(&one, &other);
            let auto = ask(&mut pair, [&ways[0], &ways[1]], ImpactMethod::Auto);
            let Some(time) = auto.time.filter(|time| time.lower > 0.0) else { continue };
            for method in methods {
                let told = ask(&mut pair, [&ways[0], &ways[1]], method);
                let Some(other) = told.time.filter(|other| other.upper - time.upper < 1e-6) else { continue };
                hits += 1;
                let (n, w) = (told.normal.unwrap(), told.witness.unwrap());
                assert!((n.length() - 1.0).abs() < 1e-12, "case {case} {method}: {told:?}");
                let gap = w.points[0].distance(w.points[1]);
                assert!(gap < 1e-6 && (other.lower - time.lower).abs() < 1e-6, "case {case} {method}: {gap}");
                let close = n.distance(auto.normal.unwrap()) < 1e-6;
                let features = auto.witness.unwrap().features;
                if !close || !(0..2).all(|k| is_same(w.features[k], features[k])) {
                    differ.push(format!("case {case}, {method}: {told:?} {auto:?}"));
                }
            }
        }
    }
    // Near a border either of two features is right.
    assert!(hits > 200 && differ.len() * 100 <= hits * 3, "{} of {hits} differ: {differ:#?}", differ.len());
}

/// Cases H01 and H07: a rod that turns onto a point, or a post, is at the other side of it a rounding later.
#[test]
fn h01_h07_no_method_turns_the_normal_round() {
    let (rod, blade) = (Round::segment(DVec3::ZERO, v(2.0, 0.0, 0.0)), Round::segment(v(0.9, 0.0, 0.0), DVec3::X));
    let foot = v(1.149_066_664_678_467, 0.964_181_414_529_808_9, 0.0);
    let post = Round::segment(foot - DVec3::Z, foot + DVec3::Z);
    let back = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(-PI / 6.0)).unwrap();
    let point = Round::point(v(0.95, 0.0, 0.0)).unwrap();
    let across = v(-foot.y, foot.x, 0.0).normalize();
    let cases = [(rod.unwrap(), post.unwrap(), Pose::IDENTITY, across), (blade.unwrap(), point, back, DVec3::Y)];
    for (a, b, start, normal) in cases {
        let turning = Steady::turning(start, DVec3::ZERO, DVec3::Z * (PI / 3.0), 0.0).unwrap();
        for method in [ImpactMethod::Auto, ImpactMethod::ContactFunctions, ImpactMethod::BySpeed] {
            let options = ImpactOptions { method, ..ImpactOptions::default() };
            let impact = Pair::new(a.clone(), b.clone()).impact_with(&turning, &still(), Span::UNIT, &options);
            assert!(impact.normal.unwrap().distance(normal) < 1e-6, "{method}: {impact:?}");
        }
    }
}

/// A box that comes edge first, and strikes an edge of another across.
#[test]
fn an_edge_that_strikes_has_the_normal_of_the_way_between() {
    let cube = Round::cuboid(DVec3::splat(2.0)).unwrap();
    let turn = |axis: DVec3| DQuat::from_axis_angle(axis, PI / 4.0);
    let start = Pose::new(v(-4.0, 0.0, 0.0), turn(DVec3::Z)).unwrap();
    let flight = Steady::straight(start, v(8.0, 0.1, 0.0), 0.0).unwrap();
    let target = Steady::still(Pose::new(DVec3::ZERO, turn(DVec3::X)).unwrap());
    let mut pair = Pair::new(cube.clone(), cube);
    let ask = |pair: &mut Pair, method| {
        pair.impact_with(&flight, &target, Span::UNIT, &ImpactOptions { method, ..ImpactOptions::default() })
    };
    for method in [ImpactMethod::Auto, ImpactMethod::ContactFunctions, ImpactMethod::Bisection, ImpactMethod::BySpeed] {
        let told = ask(&mut pair, method);
        assert!(told.normal.unwrap().distance(DVec3::X) < 1e-6, "{method}: {told:?}");
    }
}

#[test]
fn bodies_part_when_they_should() {
    let parts_at = |pair: &mut Pair, a: &dyn Motion, b: &dyn Motion, truth: f64, tolerance: f64| {
        let options = ImpactOptions { parting: true, ..ImpactOptions::default() };
        let leaves = pair.impact_with(a, b, Span::UNIT, &options).leaves.unwrap();
        assert!(leaves.lower <= truth + tolerance && leaves.upper >= truth - tolerance, "{leaves:?}, not {truth}");
        assert!(leaves.upper - leaves.lower < 1e-12, "{leaves:?}");
    };
    let (a, unit) = (corners(v(-5.0, 0.25, 0.5), DVec3::ONE), corners(DVec3::ZERO, DVec3::ONE));
    for (one, other) in kinds(&a).into_iter().zip(kinds(&unit)) {
        parts_at(&mut Pair::new(&one, &other), &along(v(10.0, 0.0, 0.0)), &still(), 0.7, 1e-12);
        // From within, and never.
        let out = Steady::straight(Pose::at(v(5.0, 0.0, 0.0)).unwrap(), v(8.0, 0.0, 0.0), 0.0).unwrap();
        parts_at(&mut Pair::new(&one, &other), &out, &still(), 0.25, 1e-12);
        let inside = Steady::straight(Pose::at(v(5.0, 0.0, 0.0)).unwrap(), v(0.5, 0.0, 0.0), 0.0).unwrap();
        let options = ImpactOptions { parting: true, ..ImpactOptions::default() };
        assert_eq!(Pair::new(&one, &other).impact_with(&inside, &still(), Span::UNIT, &options).leaves, None);
    }
}

/// Three turns of a thin bar past a post: two contacts a turn, at times in closed form.
#[test]
fn every_contact_of_a_turning_bar() {
    let bar = corners(DVec3::ZERO, v(2.0, 1e-3, 1e-3));
    let post = Round::sphere(0.1).unwrap();
    let half = ((0.1 + 1e-3) / 1.5f64).asin();
    for model in kinds(&bar) {
        let mut pair = Pair::new(&model, post.clone());
        let turning = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * 6.0 * PI, 0.0).unwrap();
        let there = Steady::still(Pose::at(v(0.0, 1.5, 0.0)).unwrap());
        let contacts = pair.contacts_over_time(&turning, &there, Span::UNIT);
        assert_eq!(contacts.len(), 6, "{contacts:?}");
        for (k, contact) in contacts.iter().enumerate() {
            let middle = 0.5 * PI + k as f64 * PI;
            let [begins, ends] = [middle - half, middle + half].map(|angle| angle / (6.0 * PI));
            assert!(
                (contact.begins.lower - begins).abs() < 1e-9 && contact.begins.lower <= begins,
                "{contact:?} {begins}"
            );
            assert!((contact.ends.unwrap().upper - ends).abs() < 1e-9, "{contact:?} {ends}");
        }
    }
}

/// Speeds, spins and spans of every size end in time, with times that are numbers and in order.
#[test]
fn hostile_motions_end() {
    let sizes = [0.0, 1e-300, 1e-9, 1.0, 1e9, 1e100, 1e150];
    let body = |scale: f64| -> Vec<Model> {
        let ball = |shift: DVec3| -> Vec<DVec3> {
            (0..40)
                .map(|i| {
                    let t = f64::from(i);
                    (v((0.7 * t).sin(), (1.3 * t).cos(), (0.31 * t).sin()) + shift) * scale
                })
                .collect()
        };
        kinds(&ball(DVec3::ZERO))
    };
    let (mut random, mut most) = (Random::new(31), 0);
    for case in 0..80 {
        let mut pick = || sizes[random.below(sizes.len() as u64) as usize];
        let scale = [1e-40, 1.0, 1e40][case % 3];
        let (speeds, spins) = ([pick(), pick()], [pick(), pick()]);
        let span = Span::new(-pick(), pick()).unwrap();
        let mut motion = |k: usize| {
            let pose = Pose::new(random.point(5.0) * scale, random.rotation()).unwrap();
            let (velocity, spin) = (random.point(1.0) * speeds[k], random.point(1.0) * spins[k]);
            Steady::new(pose, random.point(1.0) * scale, velocity, spin, 0.0).unwrap()
        };
        let ways = [motion(0), motion(1)];
        let models = body(scale);
        let mut pair = Pair::new(&models[case % models.len()], &models[case / 4 % models.len()]);
        let impact = pair.impact(&ways[0], &ways[1], span);
        if let Some(time) = impact.time {
            assert!(
                span.from() <= time.lower && time.lower <= time.upper && time.upper <= span.to().next_up(),
                "{time:?}"
            );
        }
        let sweep = pair.sweep(&ways[0], &ways[1], span);
        let near = sweep.interval;
        assert!(near.lower >= 0.0 && near.lower <= near.upper, "{near:?}");
        // Counted, since a clock also counts what other processes do.
        let work = [impact.stats, sweep.stats].map(|s| s.volume_tests + s.primitive_tests + s.iterations);
        assert!(work[0] + work[1] < 400_000, "case {case} takes {work:?}: {ways:?} {span:?}");
        most = most.max(work[0] + work[1]);
    }
    println!("at most {most}");
}

/// Every contact while one body turns, against dense sampling: none is missed, and what is certain touches.
#[test]
fn every_contact_of_random_turns() {
    let mut random = Random::new(41);
    let mut several = 0;
    for case in 0..120 {
        let hulls = [1.0, 0.7].map(|size| Convex::hull(&cloud(&mut random, size)).unwrap());
        let model = |hull: &Convex, mesh: bool| -> Model {
            if mesh { Mesh::new(hull.vertices().to_vec(), faces(hull)).unwrap().into() } else { hull.clone().into() }
        };
        let mut pair = Pair::new(model(&hulls[0], case % 2 == 0), model(&hulls[1], case % 3 == 0));
        let pose = Pose::new(random.point(1.0).normalize() * 1.4, random.rotation()).unwrap();
        let spin = random.point(1.0).normalize() * 12.0;
        let turning = Steady::new(pose, random.point(0.5), random.point(0.5), spin, 0.0).unwrap();
        let contacts = pair.contacts_over_time(&turning, &still(), Span::UNIT);
        several += usize::from(contacts.len() > 1);
        for (one, next) in contacts.iter().zip(contacts.iter().skip(1)) {
            assert!(one.ends.unwrap().lower <= next.begins.lower, "case {case}: {contacts:?}");
        }
        for i in 0..=1000 {
            let t = f64::from(i) / 1000.0;
            let touches = pair.overlap(&turning.pose(t), &Pose::IDENTITY).overlap;
            let end = |c: &ContactInterval, f: fn(&Interval) -> f64| c.ends.as_ref().map_or(1.0, f);
            let may = contacts.iter().any(|c| c.begins.lower <= t && t <= end(c, |e| e.upper));
            let must = contacts.iter().any(|c| c.certain && c.begins.upper < t && t < end(c, |e| e.lower));
            assert!(may || !touches, "case {case}: a contact at {t} is missed: {contacts:?}");
            assert!(touches || !must, "case {case}: no contact at {t}: {contacts:?}");
        }
        let by_functions = ImpactOptions { method: ImpactMethod::ContactFunctions, ..ImpactOptions::default() };
        let [auto, exact] = [ImpactOptions::default(), by_functions]
            .map(|options| pair.impact_with(&turning, &still(), Span::UNIT, &options).time);
        match (auto, exact) {
            (Some(auto), Some(exact)) => {
                assert!((auto.lower - exact.lower).abs() < 1e-8, "case {case}: {auto:?} {exact:?}");
            }
            (auto, exact) => assert_eq!(auto, exact, "case {case}"),
        }
    }
    assert!(several > 10, "{several}");
}
