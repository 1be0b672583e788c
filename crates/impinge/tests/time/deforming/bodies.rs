//! Meshes that deform as bodies among others: against static answers about the mesh as it is at many times.

use std::sync::Arc;

use glam::DVec3;
use impinge::{
    Advance, Body, ContactInterval, Deforming, ImpactMethod, ImpactOptions, Limit, Mesh, Model, Motion, Pair, Parts,
    Pose, Round, Schedule, Span, Steady, SweepMethod, SweepOptions, World,
};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

const SAMPLES: u32 = 48;

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

/// A mesh as it deforms, and as it is at any time.
struct Changing {
    start: Soup,
    end: Vec<DVec3>,
}

impl Changing {
    /// A cube, or three triangles that hang together nowhere, about the size of 1.
    fn random(random: &mut Random) -> Changing {
        let start = match random.below(3) {
            0 => Soup {
                vertices: (0..9).map(|_| random.point(1.0)).collect(),
                triangles: vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]],
            },
            _ => shapes::cuboid(DVec3::ZERO, DVec3::splat(0.5)),
        };
        let (by, wobble) = (random.point(1.0), [0.0, 0.5][random.below(2) as usize]);
        let end = start.vertices.iter().map(|v| *v + by + random.point(wobble)).collect();
        Changing { start, end }
    }

    fn deforming(&self) -> Deforming {
        Deforming::new(mesh(&self.start), &self.end).unwrap()
    }

    fn at(&self, t: f64) -> Model {
        let t = t.clamp(0.0, 1.0);
        let mut then = mesh(&self.start);
        let between = |(s, e): (&DVec3, &DVec3)| *s * (1.0 - t) + *e * t;
        then.deform(&self.start.vertices.iter().zip(&self.end).map(between).collect::<Vec<_>>()).unwrap();
        Model::from(then)
    }
}

/// A sphere, a cuboid, two cuboids, a mesh, or a mesh that deforms; the last as it changes.
fn other(random: &mut Random) -> (Model, Option<Changing>) {
    let cube = |x: f64| shapes::cuboid(DVec3::X * x, DVec3::splat(0.4)).vertices;
    match random.below(5) {
        0 => (Model::from(Round::sphere(0.6).unwrap()), None),
        1 => (Model::from(Round::cuboid(DVec3::new(1.2, 0.4, 0.8)).unwrap()), None),
        2 => (Model::from(Parts::from_hulls([&cube(-0.7)[..], &cube(0.7)[..]]).unwrap()), None),
        3 => (Model::from(mesh(&shapes::tetra([0.0, 1.0, 2.0, 3.0].map(|_| random.point(1.0))))), None),
        _ => {
            let changing = Changing::random(random);
            (Model::from(changing.deforming()), Some(changing))
        }
    }
}

fn motion(random: &mut Random) -> Steady {
    let pose = Pose::new(random.point(3.0), random.rotation()).unwrap();
    let (velocity, spin) = (random.point(3.0) - pose.translation(), random.point(3.0));
    Steady::new(pose, random.point(0.5), velocity, spin, 0.0).unwrap()
}

/// From before the step to after it, within it, or the step.
fn span(random: &mut Random) -> Span {
    let [from, to] = [[0.0, 1.0], [0.25, 0.75], [-0.5, 1.5]][random.below(3) as usize];
    Span::new(from, to).unwrap()
}

/// A question about two bodies, and what static answers say about it at a time.
struct Case {
    a: Changing,
    b: (Model, Option<Changing>),
    motions: [Steady; 2],
    span: Span,
}

impl Case {
    fn random(random: &mut Random) -> Case {
        let (a, b) = (Changing::random(random), other(random));
        Case { a, b, motions: [motion(random), motion(random)], span: span(random) }
    }

    fn pair(&self) -> Pair {
        Pair::new(self.a.deforming(), &self.b.0)
    }

    fn at(&self, t: f64) -> (Pair, [Pose; 2]) {
        let b = self.b.1.as_ref().map_or_else(|| self.b.0.clone(), |changing| changing.at(t));
        (Pair::new(self.a.at(t), b), self.motions.map(|motion| motion.pose(t)))
    }

    fn samples(&self) -> impl Iterator<Item = f64> + use<> {
        let (from, to) = (self.span.from(), self.span.to());
        (0..=SAMPLES).map(move |k| from + (to - from) * f64::from(k) / f64::from(SAMPLES))
    }

    fn touches(&self, t: f64) -> bool {
        let (mut pair, [a, b]) = self.at(t);
        pair.overlap(&a, &b).overlap
    }
}

#[test]
fn a_first_contact_is_never_late_and_found_where_samples_touch() {
    let mut random = Random::new(91);
    let (mut met, mut missed) = (0, 0);
    for round in 0..rounds(200) {
        let case = Case::random(&mut random);
        let [a, b] = &case.motions;
        let method = [ImpactMethod::Auto, ImpactMethod::ContactFunctions, ImpactMethod::BySpeed][round as usize % 3];
        let options = ImpactOptions { method, parting: true, ..ImpactOptions::default() };
        let impact = case.pair().impact_with(a, b, case.span, &options);
        let next = case.pair().next_contact(a, b, case.span);
        let first = case.samples().find(|&t| case.touches(t));
        if let Some(first) = first {
            let time = impact.time.unwrap_or_else(|| panic!("{round}: missed at {first}"));
            assert!(time.lower <= first + 1e-12, "{round}: {impact:?} but they touch at {first}");
            assert!(next.is_some_and(|next| next <= first + 1e-12), "{round}: {next:?} but they touch at {first}");
        }
        if let Some(time) = impact.time {
            assert!(case.span.from() <= time.lower && time.lower <= time.upper && time.upper <= case.span.to());
            let (mut then, [a, b]) = case.at(time.upper);
            let near = then.distance(&a, &b).interval;
            assert!(!impact.certain || near.lower <= 1e-9, "{round}: {impact:?} {near:?}");
        }
        if let Some(leaves) = impact.leaves {
            assert!(!case.touches(leaves.upper), "{round}: {leaves:?}");
        }
        met += u32::from(impact.time.is_some());
        missed += u32::from(impact.time.is_none());
    }
    assert!(met > 30 && missed > 20, "{met} {missed}");
}

#[test]
fn the_least_distance_is_in_the_interval() {
    let mut random = Random::new(92);
    let mut apart = 0;
    for round in 0..rounds(80) {
        let case = Case::random(&mut random);
        let [a, b] = &case.motions;
        let sweep =
            case.pair().sweep_with(a, b, case.span, &SweepOptions { tolerance: 1e-3, ..SweepOptions::default() });
        let distance = |t: f64| {
            let (mut then, [a, b]) = case.at(t);
            then.distance(&a, &b).interval
        };
        let least = case.samples().map(|t| distance(t).upper).fold(f64::INFINITY, f64::min);
        assert!(sweep.interval.lower <= least + 1e-12, "{round}: {sweep:?} {least}");
        assert!(sweep.interval.upper <= least + 0.05 && sweep.interval.width() < 0.05, "{round}: {sweep:?} {least}");
        let then = distance(sweep.time);
        assert!(then.lower <= sweep.interval.upper + 1e-9, "{round}: {sweep:?} {then:?}");
        apart += u32::from(sweep.interval.lower > 0.1);
    }
    assert!(apart > 10, "{apart}");
}

/// As narrow as asked, whatever turns, and however the other body is made.
#[test]
fn a_least_distance_is_as_narrow_as_asked() {
    let mut random = Random::new(96);
    let mut apart = 0;
    for round in 0..rounds(60) {
        let mut case = Case::random(&mut random);
        // Past each other.
        let aside = Pose::at(DVec3::new(2.5, 0.0, 0.0)).unwrap();
        case.motions[1] = Steady::turning(aside, aside.translation(), random.point(2.0), 0.0).unwrap();
        let [a, b] = &case.motions;
        let sweep = case.pair().sweep(a, b, case.span);
        let least = case
            .samples()
            .map(|t| {
                let (mut then, [a, b]) = case.at(t);
                then.distance(&a, &b).interval.upper
            })
            .fold(f64::INFINITY, f64::min);
        assert!(sweep.interval.lower <= least + 1e-12, "{round}: {sweep:?} {least}");
        assert!(sweep.interval.upper <= least + 1e-6 && sweep.interval.width() <= 2e-5, "{round}: {sweep:?} {least}");
        apart += u32::from(sweep.interval.lower > 0.1);
    }
    assert!(apart > 5, "{apart}");
}

#[test]
fn contacts_hold_every_sample_that_touches() {
    let mut random = Random::new(93);
    let mut met = 0;
    for round in 0..rounds(60) {
        let case = Case::random(&mut random);
        let [a, b] = &case.motions;
        let contacts = case.pair().contacts_over_time(a, b, case.span);
        let holds = |contact: &ContactInterval, t: f64| {
            contact.begins.lower <= t + 1e-12 && contact.ends.is_none_or(|ends| t <= ends.upper + 1e-12)
        };
        for t in case.samples().filter(|&t| case.touches(t)) {
            assert!(contacts.iter().any(|contact| holds(contact, t)), "{round}: {t} is in none of {contacts:?}");
        }
        met += u32::from(!contacts.is_empty());
    }
    assert!(met > 8, "{met}");
}

#[test]
fn pairs_that_come_near_are_told() {
    let mut random = Random::new(94);
    let mut near = 0;
    for round in 0..rounds(20) {
        let case = Case::random(&mut random);
        let [a, b] = &case.motions;
        let (pairs, complete) = case.pair().sweep_pairs(a, b, case.span, 0.5, Limit::All);
        assert!(complete, "{round}");
        for t in case.samples() {
            let (then, [a, b]) = case.at(t);
            for pair in case_pairs(then, &a, &b, 0.499) {
                assert!(pairs.iter().any(|near| near.pair == pair), "{round}: {pair:?} at {t} is not in {pairs:?}");
            }
        }
        near += pairs.len();
    }
    assert!(near > 20, "{near}");
}

fn case_pairs(pair: Pair, a: &Pose, b: &Pose, envelope: f64) -> Vec<[u32; 2]> {
    pair.with_envelope(envelope).contacts(a, b, Limit::All).pairs.iter().copied().collect()
}

/// A body that is moved, one whose vertices are, and one of which each does a part, meet at the same times.
#[test]
fn a_translation_by_the_vertices_is_one_by_the_motion() {
    let mut random = Random::new(95);
    let mut met = 0;
    for round in 0..rounds(100) {
        let (start, there) = (shapes::sphere(1, 1.0), mesh(&shapes::cuboid(DVec3::ZERO, DVec3::splat(0.7))));
        let place = Pose::new(random.point(4.0), random.rotation()).unwrap();
        let [by, carried] = [random.point(4.0) - place.translation() * 1.5, random.point(2.0)];
        let own = place.rotation().conjugate() * (by - carried);
        let end: Vec<DVec3> = start.vertices.iter().map(|v| *v + own).collect();
        let still = Steady::still(Pose::new(random.point(0.5), random.rotation()).unwrap());
        let [whole, part] = [by, carried].map(|velocity| Steady::straight(place, velocity, 0.0).unwrap());
        let span = Span::new(0.125, 0.875).unwrap();
        let rigid = Pair::new(mesh(&start), there.clone()).impact(&whole, &still, span);
        let options = ImpactOptions { parting: true, ..ImpactOptions::default() };
        let deforming = || Deforming::new(mesh(&start), &end).unwrap();
        let impact = Pair::new(deforming(), there.clone()).impact_with(&part, &still, span, &options);
        let swapped = Pair::new(there.clone(), deforming()).impact_with(&still, &part, span, &options);
        for other in [&impact, &swapped] {
            assert_eq!(rigid.time.is_some(), other.time.is_some(), "{round}: {rigid:?} {other:?}");
            if let (Some(one), Some(other)) = (rigid.time, other.time) {
                assert!((one.lower - other.lower).abs() < 1e-6, "{round}: {one:?} {other:?}");
            }
        }
        if let (Some(one), Some(other)) = (impact.normal, swapped.normal) {
            assert!(impact.time.is_some_and(|time| time.lower == 0.125) || one.dot(other) < -0.99, "{round}");
        }
        let sweep = Pair::new(mesh(&start), there.clone()).sweep(&whole, &still, span).interval;
        let other = Pair::new(deforming(), there.clone()).sweep(&part, &still, span).interval;
        assert!((sweep.lower - other.lower).abs() < 1e-5 && (sweep.upper - other.upper).abs() < 1e-5, "{round}");
        met += u32::from(rigid.time.is_some());
    }
    assert!(met > 15, "{met}");
}

/// The verbs about bodies that stand take it as it is when its step begins; the world meets it as it swells.
#[test]
fn a_world_meets_a_ball_that_swells() {
    let start = shapes::sphere(2, 1.0);
    let end: Vec<DVec3> = start.vertices.iter().map(|v| *v * 2.0).collect();
    let swelling = || Deforming::new(mesh(&start), &end).unwrap();
    let at = Pose::at(DVec3::new(2.1, 0.2, 0.1)).unwrap();
    let sphere = Round::sphere(0.5).unwrap();
    let (here, there) = (Steady::still(Pose::IDENTITY), Steady::still(at));
    let exact = Pair::new(swelling(), sphere.clone()).impact(&here, &there, Span::UNIT).time.unwrap();
    assert!(exact.lower > 0.5 && exact.upper < 0.8 && exact.width() < 1e-6, "{exact:?}");
    for moves in [false, true] {
        let mut world = World::new();
        let ball = world.add(Body::new(swelling(), Pose::IDENTITY)).unwrap();
        let other = world.add(Body::new(sphere.clone(), at)).unwrap();
        if moves {
            let spinning = Steady::turning(at, at.translation(), DVec3::Z * 2.0, 0.0).unwrap();
            world.set_motion(other, Some(Arc::new(spinning))).unwrap();
        }
        assert!(world.overlap().is_empty() && world.within(0.5).is_empty() && world.within(0.7).len() == 1);
        let mut met = Vec::new();
        world.advance(Span::UNIT, &Advance::new(Schedule::Queue), |_, encounter| met.push(encounter.clone()));
        let [encounter] = &met[..] else { panic!("{met:?}") };
        assert_eq!([encounter.a, encounter.b], [ball, other]);
        assert!((encounter.time - exact.lower).abs() < 1e-4, "{encounter:?} {exact:?}");
        // Each point of the ball moves as fast as it was far out when the step began.
        assert!(encounter.closing > 0.8 && encounter.closing < 1.1, "{encounter:?}");
    }
}

/// A sheet whose middle sags by 0.9.
fn sagging_sheet() -> Deforming {
    let (side, at) = (24u32, |i: u32| f64::from(i) / 12.0 - 1.0);
    let row = side + 1;
    let start: Vec<DVec3> = (0..row * row).map(|k| DVec3::new(at(k % row), at(k / row), 1.0)).collect();
    let sag = |v: &DVec3| *v - DVec3::Z * 0.9 * (-3.0 * (v.x * v.x + v.y * v.y)).exp();
    let corners = (0..side * side).map(|k| k / side * row + k % side);
    let triangles = corners.flat_map(|v| [[v, v + 1, v + row + 1], [v, v + row + 1, v + row]]).collect();
    let end: Vec<DVec3> = start.iter().map(sag).collect();
    Deforming::new(Mesh::new(start, triangles).unwrap(), &end).unwrap()
}

fn turning(spin: f64) -> Steady {
    Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::new(0.3, 0.2, 1.0) * spin, 0.0).unwrap()
}

/// How near a sagging sheet comes to a box that it does not reach: a little turn, or a span a little beyond the step,
/// costs a little more than the straight step, and the answer is as narrow.
#[test]
fn a_little_turn_makes_a_least_distance_little_dearer() {
    let sheet = sagging_sheet();
    let below = mesh(&shapes::cuboid(DVec3::new(0.1, 0.05, -0.7), DVec3::new(0.3, 0.4, 0.5)));
    let (still, long) = (Steady::still(Pose::IDENTITY), Span::new(0.0, 1.01).unwrap());
    let ask = |motion: &Steady, span: Span, method| {
        let options = SweepOptions { method, ..SweepOptions::default() };
        Pair::new(sheet.clone(), below.clone()).sweep_with(motion, &still, span, &options)
    };
    let work = |sweep: &impinge::Sweep| sweep.stats.volume_tests + sweep.stats.primitive_tests + sweep.stats.iterations;
    let straight = ask(&still, Span::UNIT, SweepMethod::Auto);
    println!("straight: {:?} {:?}", straight.interval, straight.stats);
    for (motion, span) in [(still, long), (turning(1e-9), Span::UNIT), (turning(0.2), Span::UNIT)] {
        let sweep = ask(&motion, span, SweepMethod::Auto);
        let slow = ask(&motion, span, SweepMethod::BySpeed);
        println!("{:?} {:?}; by speed {:?} {:?}", sweep.interval, sweep.stats, slow.interval, slow.stats);
        assert!(sweep.interval.width() < 2e-6 && (sweep.interval.lower - straight.interval.lower).abs() < 0.2);
        assert!(sweep.interval.lower <= slow.interval.upper && slow.interval.lower <= sweep.interval.upper);
        assert!(work(&sweep) < 20 * work(&straight), "{:?} {:?}", sweep.stats, straight.stats);
        assert!(work(&sweep) < work(&slow));
    }
}

/// A sheet whose middle sags onto a box: a little turn, or a span a little beyond the step, costs a little more than
/// the straight step, and the contact is as certain.
#[test]
fn a_little_turn_costs_a_little_more() {
    let sheet = sagging_sheet();
    let ball = mesh(&shapes::cuboid(DVec3::new(0.1, 0.05, -0.2), DVec3::new(0.3, 0.4, 0.5)));
    let still = Steady::still(Pose::IDENTITY);
    let long = Span::new(0.0, 1.01).unwrap();
    let ask = |motion: &Steady, span: Span, method| {
        let options = ImpactOptions { method, ..ImpactOptions::default() };
        let begin = std::time::Instant::now();
        let impact = Pair::new(sheet.clone(), ball.clone()).impact_with(motion, &still, span, &options);
        (impact, begin.elapsed())
    };
    let work =
        |impact: &impinge::Impact| impact.stats.volume_tests + impact.stats.primitive_tests + impact.stats.iterations;
    let (straight, took) = ask(&still, Span::UNIT, ImpactMethod::Auto);
    let first = straight.time.unwrap();
    println!("straight: {first:?}, {took:?}, {:?}", straight.stats);
    for (motion, span) in [(still, long), (turning(1e-9), Span::UNIT), (turning(0.2), Span::UNIT)] {
        let ((impact, took), (slow, slowly)) =
            (ask(&motion, span, ImpactMethod::Auto), ask(&motion, span, ImpactMethod::BySpeed));
        println!("{span:?}: {:?}, {took:?}, {:?}; by speed {:?}, {slowly:?}", impact.time, impact.stats, slow.time);
        let time = impact.time.unwrap();
        assert!(impact.certain && time.width() < 1e-6, "{impact:?}");
        assert!((time.lower - first.lower).abs() < 0.05);
        assert!(slow.time.is_some_and(|slow| slow.lower <= time.upper && slow.upper >= time.lower - 1e-6));
        assert!(work(&impact) < 100 * work(&straight), "{:?} {:?}", impact.stats, straight.stats);
    }
}
