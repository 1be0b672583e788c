//! Tests of contact intervals: against closed forms, against the static test at many times, and against the search for
//! the first impact.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DQuat, DVec3};

use super::functions::contact_functions::RelativeMotion;
use super::functions::contact_intervals::contact_intervals;
use super::functions::timeline::ContactSpan;
use super::functions::triangle_intervals::TrianglePair;
use crate::answer::Stats;
use crate::math::{Interval, Pose, Relative};
use crate::model::{Convex, Mesh, Model, Parts, Round};
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::path::{Motion, Span, Steady};
use crate::prim::{Triangle, triangles_overlap};
use crate::time::impact_query::{ImpactMemory, MovingMemory, impact};
use crate::time::movers::two_bodies::Movers;

struct Random(u64);

impl Random {
    /// A random number from −1 to 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn pose(&mut self, spread: f64) -> Pose {
        let turn = DQuat::from_scaled_axis(self.vector() * PI);
        Pose::new(self.vector() * spread, turn).unwrap()
    }

    /// Up to three turns in a unit of time.
    fn screw(&mut self, spread: f64) -> Steady {
        let spin = self.vector().normalize() * (self.number() + 1.0) * 3.0 * PI;
        Steady::screw(self.pose(spread), self.vector(), spin, self.vector() * 2.0, 0.0).unwrap()
    }

    fn straight(&mut self, spread: f64) -> Steady {
        Steady::straight(self.pose(spread), self.vector() * 2.0, 0.0).unwrap()
    }
}

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn still() -> Steady {
    Steady::still(Pose::IDENTITY)
}

fn along(x: DVec3) -> Steady {
    Steady::straight(Pose::IDENTITY, x, 0.0).unwrap()
}

fn corners(centre: DVec3, half: DVec3) -> Vec<DVec3> {
    let sign = |i: i32, bit: i32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
    (0..8).map(|i| centre + half * v(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

fn mesh(hull: &Convex) -> Mesh {
    let fan = |f: u32| {
        let c: Vec<u32> = hull.face_corners(f).unwrap().collect();
        (1..c.len() - 1).map(move |k| [c[0], c[k], c[k + 1]]).collect::<Vec<_>>()
    };
    Mesh::new(hull.vertices().to_vec(), (0..hull.face_count() as u32).flat_map(fan).collect()).unwrap()
}

/// The hull of points as every kind of body whose surface is triangles.
fn kinds(points: &[DVec3]) -> Vec<Model> {
    let hull = Convex::hull(points).unwrap();
    let mut all = vec![Model::from(hull.clone()), Parts::new(vec![hull.clone(), hull.clone()]).unwrap().into()];
    all.push(Round::around(hull.clone(), 0.0).unwrap().into());
    if hull.face_count() > 2 {
        all.push(mesh(&hull).into());
    }
    // A triangle without an area.
    if let (Some(p), Some(q), ..=2) = (hull.vertices().first(), hull.vertices().last(), hull.vertices().len()) {
        all.push(Mesh::new(vec![*p, *q], vec![[0, 1, 1]]).unwrap().into());
    }
    all
}

fn ask(models: [&Model; 2], motions: [&dyn Motion; 2], span: Span) -> Option<Vec<ContactSpan>> {
    contact_intervals(&Movers { models, motions }, span, Context::new(&mut Memory::default(), &mut Stats::default()))
}

/// Checks that the contacts found are the expected ones to within `tolerance`, and that none begins too late or ends
/// too early.
fn assert_contacts(found: &[ContactSpan], expected: &[[f64; 2]], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}, not {expected:?}");
    for (contact, [begin, end]) in found.iter().zip(expected) {
        let near = |i: &Interval, t: f64| {
            i.lower <= t + 1e-13 && i.upper >= t - 1e-13 && i.lower >= t - tolerance && i.upper <= t + tolerance
        };
        assert!(near(&contact.begin, *begin) && near(&contact.end, *end), "{contact:?}, not {begin} to {end}");
        assert!(contact.certain, "{contact:?}");
    }
}

/// Checks the contacts of two hulls, in both orders, for every kind of body that [`kinds`] makes of them.
fn each(
    a: &[DVec3],
    motion_a: &dyn Motion,
    b: &[DVec3],
    motion_b: &dyn Motion,
    span: Span,
    expected: &[[f64; 2]],
    tolerance: f64,
) {
    for one in kinds(a) {
        for other in kinds(b) {
            assert_contacts(&ask([&one, &other], [motion_a, motion_b], span).unwrap(), expected, tolerance);
            assert_contacts(&ask([&other, &one], [motion_b, motion_a], span).unwrap(), expected, tolerance);
        }
    }
}

#[test]
fn random_triangles_turn_past_each_other() {
    let mut random = Random(3);
    let (mut touched, mut several, mut uncertain) = (0, 0, 0);
    for trial in 0..10_000 {
        let size = if trial % 3 == 0 { 0.2 } else { 1.0 };
        let triangle = |r: &mut Random| -> Triangle { [r.vector(), r.vector(), r.vector()].map(|x| x * size) };
        let (mut a, b) = (triangle(&mut random), triangle(&mut random));
        if trial % 5 == 4 {
            // The third corner lies on the line through the other two, or very near it.
            a[2] = a[0] + (a[1] - a[0]) * random.number().round().max(random.number());
        }
        let motions = match trial % 4 {
            0 => [random.screw(0.7), random.straight(0.7)],
            1 => [random.straight(0.7), random.screw(0.7)],
            2 => [random.screw(0.5), still()],
            _ => [random.straight(1.0), random.straight(1.0)],
        };
        let pair = TrianglePair { triangles: [&a, &b], motions: &motions };
        let relative = RelativeMotion::new(&motions, 0.0, 1.0).unwrap();
        let (contacts, _) = pair.contacts(&relative, 0.0, 1.0, &mut Stats::default());
        touched += usize::from(!contacts.is_empty());
        several += usize::from(contacts.len() > 1);
        let overlap = |t: f64| {
            let place = Relative::new(&motions[0].pose(t), &motions[1].pose(t));
            triangles_overlap(&a, &b.map(|x| place.apply(x)))
        };
        for k in 0..=256 {
            let t = f64::from(k) / 256.0;
            let in_contact = contacts.iter().any(|c| c.begin.lower <= t && t <= c.end.upper);
            let in_certain_contact = contacts.iter().any(|c| c.certain && c.begin.upper <= t && t <= c.end.lower);
            assert!(if overlap(t) { in_contact } else { !in_certain_contact }, "trial {trial} at {t}: {contacts:?}");
        }
        // The functions of a triangle without an area may be nearly zero at all times: the result may then be a long
        // contact that is not certain.
        let is_flat = trial % 5 == 4;
        uncertain += usize::from(is_flat && contacts.iter().any(|c| !c.certain));
        for c in contacts.iter().filter(|c| c.certain || !is_flat) {
            assert!(c.certain && c.begin.width() < 1e-9 && c.end.width() < 1e-9, "trial {trial}: {c:?}");
            for (t, expected) in [(c.begin.upper, true), (c.end.lower, true), (c.begin.lower - 1e-9, false)] {
                let is_in_another = contacts.iter().any(|o| o.begin.lower <= t && t <= o.end.upper);
                if (0.0..=1.0).contains(&t) && (expected || !is_in_another) {
                    assert_eq!(overlap(t), expected, "trial {trial} at {t}: {contacts:?}");
                }
            }
        }
    }
    assert!(touched > 1500 && several > 200 && uncertain < 4, "{touched} {several} {uncertain}");
}

/// Cases H01 and H03: a blade that turns past a point, in closed form, for any number of turns.
#[test]
fn h03_a_blade_passes_a_point_once_a_turn() {
    let blade = [v(0.9, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    let angle = 85f64.to_radians();
    let point = [v(0.95 * angle.cos(), 0.95 * angle.sin(), 0.0)];
    for (degrees, hits) in [(90.0, 1), (180.0, 1), (270.0, 1), (360.0, 1), (3.0 * 360.0, 3), (20.5 * 360.0, 21)] {
        let turn = f64::to_radians(degrees);
        let motion = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * turn, 0.0).unwrap();
        for one in kinds(&blade) {
            for other in kinds(&point) {
                let found = ask([&one, &other], [&motion, &still()], Span::UNIT).unwrap();
                assert_eq!(found.len(), hits, "{degrees}: {found:?}");
                for (k, c) in found.iter().enumerate() {
                    let t = (angle + k as f64 * TAU) / turn;
                    assert!(c.begin.lower <= t && t <= c.end.upper && c.end.upper - c.begin.lower < 1e-9, "{c:?} {t}");
                }
            }
        }
    }
}

/// Case H07: a rod turns past a post and touches it for a moment only.
#[test]
fn h07_a_turning_rod_touches_a_post_for_a_moment() {
    let rod = [DVec3::ZERO, v(2.0, 0.0, 0.0)];
    let [x, y] = [1.149066664678467, 0.9641814145298089];
    let post = [v(x, y, -1.0), v(x, y, 1.0)];
    let motion = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * (PI / 3.0), 0.0).unwrap();
    for one in kinds(&rod) {
        for other in kinds(&post) {
            let found = ask([&one, &other], [&motion, &still()], Span::UNIT).unwrap();
            assert_eq!(found.len(), 1, "{found:?}");
            let (c, t) = (found[0], 2.0 / 3.0);
            assert!(c.begin.lower <= t && t <= c.end.upper + 1e-15 && c.end.upper - c.begin.lower < 1e-9, "{c:?}");
        }
    }
}

/// A bar of half width `h` meets a post, a line at distance `r`, at the angle `asin(h/r)` before it points to it; both
/// ends of the bar do so in every turn.
#[test]
fn a_bar_turns_three_times_past_a_post() {
    let (half, r) = (0.25, 1.5);
    let bar = corners(DVec3::ZERO, v(2.0, half, 0.5));
    let post = [v(0.0, r, -1.0), v(0.0, r, 1.0)];
    let motion = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * TAU, 0.0).unwrap();
    let lag = (half / r).asin() / TAU;
    let expected: Vec<[f64; 2]> = (0..6).map(|k| 0.25 + 0.5 * f64::from(k)).map(|t| [t - lag, t + lag]).collect();
    let span = Span::new(0.0, 3.0).unwrap();
    each(&bar, &motion, &post, &still(), span, &expected, 1e-9);
    // The same relative motion, with both bodies moving along.
    let drifting = Steady::screw(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * TAU, v(3.0, 1.0, 0.1), 0.0).unwrap();
    each(&bar, &drifting, &post, &along(v(3.0, 1.0, 0.1)), span, &expected, 1e-9);
}

/// A tooth on a screw moves up as it turns. It meets a peg only in the turn in which it is at the height of the peg.
#[test]
fn a_tooth_on_a_screw_meets_a_peg_at_its_own_height() {
    let tooth = corners(v(1.0, 0.0, 0.0), v(0.1, 0.05, 0.05));
    let motion = Steady::screw(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * TAU, DVec3::Z, 0.0).unwrap();
    let span = Span::new(0.0, 4.0).unwrap();
    // At 2.25 turns the tooth is over the y axis, at the height 2.25; the peg, a line along z, passes through it.
    let lag = 0.05f64.atan2(0.95_f64).min((0.05f64 / 1.0).asin()) / TAU;
    let peg = [v(0.0, 1.0, 2.0), v(0.0, 1.0, 2.5)];
    each(&tooth, &motion, &peg, &still(), span, &[[2.25 - lag, 2.25 + lag]], 1e-9);
    let high = [v(0.0, 1.0, 2.4), v(0.0, 1.0, 3.1)];
    each(&tooth, &motion, &high, &still(), span, &[], 0.0);
}

/// Case G05: cubes slide along each other, with their faces in one plane, and 2⁻⁴⁰ apart.
#[test]
fn g05_sliding_cubes_touch_unless_a_gap_is_left() {
    let cube = corners(DVec3::ZERO, DVec3::ONE);
    let above = |y: f64| corners(v(-5.0, y, 0.0), DVec3::ONE);
    each(&above(2.0), &along(v(10.0, 0.0, 0.0)), &cube, &still(), Span::UNIT, &[[0.3, 0.7]], 1e-9);
    each(&above(2.0 + 2f64.powi(-40)), &along(v(10.0, 0.0, 0.0)), &cube, &still(), Span::UNIT, &[], 0.0);
}

/// Two discs that turn above each other at a constant distance.
#[test]
fn turning_at_a_constant_distance_is_no_contact() {
    let disc =
        |z: f64| -> Vec<DVec3> { (0..12).map(|k| TAU * f64::from(k) / 12.0).map(|x| v(x.cos(), x.sin(), z)).collect() };
    let spin = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * 9.0, 0.0).unwrap();
    each(&disc(0.0), &spin, &disc(1e-6), &still(), Span::UNIT, &[], 0.0);
}

/// Cases G01, G03, G14 and a body that is inside another for a while.
#[test]
fn straight_motions_with_known_contacts() {
    let bullet = [v(-0.001, 0.0, 0.0), v(0.001, 0.0, 0.0), v(0.0, 0.001, 0.0), v(0.0, 0.0, 0.001)];
    let wall = corners(v(1.0000005, 0.0, 0.0), v(5e-7, 1.0, 1.0));
    let ends = [9.99e-7, 1.001001e-6];
    each(&bullet, &along(v(1e6, 0.0, 0.0)), &wall, &still(), Span::UNIT, &[ends], 1e-12);
    let (left, right) = (corners(v(-5.0, 0.0, 0.0), DVec3::ONE), corners(v(5.0, 0.0, 0.0), DVec3::ONE));
    each(&left, &along(v(10.0, 0.0, 0.0)), &right, &along(v(-10.0, 0.0, 0.0)), Span::UNIT, &[[0.4, 0.6]], 1e-9);
    let small = corners(v(-5.0, 0.1, 0.2), DVec3::splat(0.25));
    let large = corners(DVec3::ZERO, DVec3::splat(2.0));
    each(&small, &along(v(10.0, 0.0, 0.0)), &large, &still(), Span::UNIT, &[[0.275, 0.725]], 1e-9);
    let inside = corners(v(0.0, 0.1, 0.2), DVec3::splat(0.25));
    each(&inside, &along(v(0.5, 0.0, 0.0)), &large, &still(), Span::UNIT, &[[0.0, 1.0]], 0.0);
    let edges = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.5, 0.0, -1.0)];
    let moving = [v(0.0, 1.0, 0.0), v(1.0, 1.0, 0.0), v(0.5, 1.0, 1.0)];
    let found =
        ask([&kinds(&edges)[0], &kinds(&moving)[0]], [&still(), &along(v(0.0, -2.0, 0.0))], Span::UNIT).unwrap();
    assert!(found.len() == 1 && found[0].begin.lower <= 0.5 && found[0].end.upper >= 0.5, "{found:?}");
    assert!(found[0].end.upper - found[0].begin.lower < 1e-9, "{found:?}");
}

/// Triangles that stay in one plane: all functions are always zero, so the search divides time instead.
#[test]
fn triangles_in_one_plane() {
    let a = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    let b = [v(3.0, 0.2, 0.0), v(4.0, 0.2, 0.0), v(3.0, 0.6, 0.0)];
    let found = ask([&kinds(&a)[0], &kinds(&b)[0]], [&still(), &along(v(-6.0, 0.0, 0.0))], Span::UNIT).unwrap();
    assert_contacts(&found, &[[2.2 / 6.0, 4.0 / 6.0]], 1e-9);
    let spin = Steady::turning(Pose::IDENTITY, v(2.0, 0.0, 0.0), DVec3::Z * TAU, 0.0).unwrap();
    let models = [&kinds(&a)[0], &kinds(&b)[0]];
    let found = ask(models, [&still(), &spin], Span::UNIT).unwrap();
    check_by_sampling(models, [&still(), &spin], Span::UNIT, &found, 2000, "turning in the plane");
    assert!(!found.is_empty());
}

/// Every sample at which the bodies touch lies in a contact found; no sample at which they are apart lies in a certain
/// one.
fn check_by_sampling(
    models: [&Model; 2],
    motions: [&dyn Motion; 2],
    span: Span,
    found: &[ContactSpan],
    samples: u32,
    what: &str,
) {
    let movers = Movers { models, motions };
    let (memory, stats) = (&mut Memory::default(), &mut Stats::default());
    let mut context = Context::new(memory, stats);
    for k in 0..=samples {
        let t = span.from() + (span.to() - span.from()) * f64::from(k) / f64::from(samples);
        let touch = movers.touch_at(t, 0.0, context.lend());
        let in_contact = found.iter().any(|c| c.begin.lower <= t && t <= c.end.upper);
        let in_certain_contact = found.iter().any(|c| c.certain && c.begin.upper <= t && t <= c.end.lower);
        assert!(if touch { in_contact } else { !in_certain_contact }, "{what}: {touch} at {t}: {found:?}");
    }
}

#[test]
fn random_bodies_meet_and_part() {
    let mut random = Random(11);
    let (mut touched, mut several) = (0, 0);
    for trial in 0..400 {
        let body = |r: &mut Random, points: u32| -> Vec<DVec3> {
            (0..points).map(|_| r.vector() * v(0.6, 0.3, 0.3)).collect()
        };
        // Some of the bodies are rods.
        let (a, b) = (body(&mut random, if trial % 5 == 4 { 2 } else { 10 }), body(&mut random, 10));
        let motions = match trial % 3 {
            0 => [random.screw(0.6), random.straight(0.6)],
            1 => [random.straight(0.6), random.screw(0.6)],
            _ => [random.straight(1.5), random.straight(1.5)],
        };
        let (one, other) = (kinds(&a), kinds(&b));
        let models = [&one[trial % 4], &other[(trial / 4) % 4]];
        let motions = [&motions[0] as &dyn Motion, &motions[1] as &dyn Motion];
        let found = ask(models, motions, Span::UNIT).unwrap();
        check_by_sampling(models, motions, Span::UNIT, &found, 200, &format!("trial {trial}"));
        touched += usize::from(!found.is_empty());
        several += usize::from(found.len() > 1);
        let movers = Movers { models, motions };
        let memory = &mut MovingMemory { pair: &mut Memory::default(), search: &mut ImpactMemory::default() };
        let first = impact(&movers, Span::UNIT, 0.0, Context::new(memory, &mut Stats::default()));
        match (first, found.first()) {
            (None, None) => {}
            (Some(first), Some(contact)) => {
                let [x, y] = [first.time, contact.begin];
                assert!(x.lower <= y.upper + 1e-12 && y.lower <= x.upper + 1e-12, "trial {trial}: {x:?} {y:?}");
                assert!(y.width() < 1e-8, "trial {trial}: {y:?}");
            }
            (first, contact) => panic!("trial {trial}: {first:?}, but {contact:?}"),
        }
    }
    assert!(touched > 60 && several > 10, "{touched} {several}");
}

/// A rod turns through a corner of a box. Where the rod is a triangle without an area, the height of that triangle is
/// only a rounding error, and its direction means nothing.
#[test]
fn a_rod_turns_through_a_box() {
    let rod = [v(-0.9, -0.9, -0.8), v(0.4, 0.8, -0.7)];
    let turning = Steady::screw(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * FRAC_PI_2, v(0.0, 0.0, 2.0), 0.0).unwrap();
    let there = Steady::still(Pose::at(v(-0.6, 0.7, 1.5)).unwrap());
    let cube = kinds(&corners(DVec3::ZERO, DVec3::splat(0.5)));
    for one in kinds(&rod) {
        for other in &cube {
            let models = [&one, other];
            let found = ask(models, [&turning, &there], Span::UNIT).unwrap();
            assert_eq!(found.len(), 1, "{found:?}");
            check_by_sampling(models, [&turning, &there], Span::UNIT, &found, 1000, "rod");
        }
    }
}

/// Two rings whose trees have several levels; one swings through the tube of the other.
#[test]
fn nonconvex_meshes_with_deep_trees() {
    let ring = |count: u32, radius: f64, thick: f64| {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        let sides = 6;
        for i in 0..count {
            let x = TAU * f64::from(i) / f64::from(count);
            for j in 0..sides {
                let y = TAU * f64::from(j) / f64::from(sides);
                let out = radius + thick * y.cos();
                vertices.push(v(out * x.cos(), out * x.sin(), thick * y.sin()));
                let at = |i: u32, j: u32| i % count * sides + j % sides;
                triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
        Model::from(Mesh::new(vertices, triangles).unwrap())
    };
    let (large, small) = (ring(48, 1.0, 0.1), ring(24, 0.5, 0.07));
    // At first the small ring is perpendicular to the tube of the large one; then it swings through it.
    let start = Pose::new(v(0.9, 0.0, 0.0), DQuat::from_rotation_x(FRAC_PI_2)).unwrap();
    let turning = Steady::turning(start, v(0.3, 0.6, 0.0), v(0.4, 0.3, 1.0) * 4.0, 0.0).unwrap();
    let found = ask([&large, &small], [&still(), &turning], Span::new(0.0, 2.0).unwrap()).unwrap();
    assert!(found.len() > 1, "{found:?}");
    check_by_sampling([&large, &small], [&still(), &turning], Span::new(0.0, 2.0).unwrap(), &found, 1000, "rings");
    assert!(found.iter().all(|c| c.certain && c.begin.width() < 1e-8 && c.end.width() < 1e-8), "{found:?}");
}

#[test]
fn unsupported_bodies_and_motions_are_refused() {
    let cube = Model::from(Round::cuboid(DVec3::ONE).unwrap());
    let ball = Model::from(Round::sphere(1.0).unwrap());
    let spin = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z, 0.0).unwrap();
    assert_eq!(ask([&cube, &ball], [&spin, &still()], Span::UNIT), None);
    assert_eq!(ask([&cube, &cube], [&spin, &spin], Span::UNIT), None);
    let nothing = Model::from(Mesh::empty());
    assert_eq!(ask([&cube, &nothing], [&spin, &still()], Span::UNIT), Some(Vec::new()));
    let moment = Span::new(0.5, 0.5).unwrap();
    assert_contacts(&ask([&cube, &cube], [&spin, &still()], moment).unwrap(), &[[0.5, 0.5]], 0.0);
}

/// Searches also end at extreme speeds, and still report that there may be a contact.
#[test]
fn searches_end_at_extreme_speeds() {
    let cube = Model::from(Round::cuboid(DVec3::ONE).unwrap());
    let away = Pose::at(v(3.0, 0.0, 0.0)).unwrap();
    let post = Steady::still(Pose::at(v(0.0, 3.0, 0.2)).unwrap());
    let often = Steady::turning(away, DVec3::ZERO, DVec3::Z * 2e3, 0.0).unwrap();
    let found = ask([&cube, &cube], [&often, &post], Span::UNIT).unwrap();
    assert_eq!(found.len(), ((2e3 - FRAC_PI_2) / TAU) as usize + 1, "once a turn");
    for spin in [1e40, 1e150] {
        let fast = Steady::turning(away, DVec3::ZERO, DVec3::Z * spin, 0.0).unwrap();
        let found = ask([&cube, &cube], [&fast, &post], Span::UNIT).unwrap();
        assert!(!found.is_empty(), "{spin}");
    }
    for speed in [1e40, 1e150] {
        let fast = Steady::straight(away, v(-speed, 0.0, 0.0), 0.0).unwrap();
        assert!(!ask([&cube, &cube], [&fast, &still()], Span::UNIT).unwrap().is_empty(), "{speed}");
    }
}
