//! The least distance over a motion, against dense sampling and closed forms.

use std::f64::consts::{FRAC_PI_3, PI, TAU};

use glam::{DQuat, DVec3};
use impinge::{
    Convex, ImpactOptions, Limit, Mesh, Model, Motion, Pair, Parts, Pose, Rates, Round, Span, Steady, SweepMethod,
    SweepOptions, glam,
};

const METHODS: [SweepMethod; 3] = [SweepMethod::Simple, SweepMethod::TangentHull, SweepMethod::ChordBulge];

struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    fn pose(&mut self, reach: f64) -> Pose {
        let q = DQuat::from_xyzw(self.signed(), self.signed(), self.signed(), self.signed() + 1e-3).normalize();
        Pose::new(self.vector() * reach, q).unwrap()
    }
}

fn ball_of_triangles(rings: u32, radius: f64) -> Mesh {
    let n = 2 * rings;
    let mut v = vec![DVec3::Z * radius, DVec3::Z * -radius];
    for i in 1..rings {
        for j in 0..n {
            let (lat, lon) = (PI * f64::from(i) / f64::from(rings), TAU * f64::from(j) / f64::from(n));
            v.push(radius * DVec3::new(lat.sin() * lon.cos(), lat.sin() * lon.sin(), lat.cos()));
        }
    }
    let at = |i: u32, j: u32| 2 + (i - 1) * n + j % n;
    let mut t = Vec::new();
    for j in 0..n {
        t.push([0, at(1, j), at(1, j + 1)]);
        t.push([1, at(rings - 1, j + 1), at(rings - 1, j)]);
        for i in 1..rings - 1 {
            t.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            t.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Mesh::new(v, t).unwrap()
}

fn models(r: &mut Random) -> Vec<Model> {
    let cloud = |r: &mut Random, n: usize, size: f64| (0..n).map(|_| r.vector() * size).collect::<Vec<_>>();
    let pieces: Vec<Vec<DVec3>> =
        (0..4).map(|k| cloud(r, 8, 0.4).iter().map(|p| *p + DVec3::X * f64::from(k)).collect()).collect();
    vec![
        ball_of_triangles(5, 0.8).into_surface().into(),
        ball_of_triangles(4, 0.7).into_solid().unwrap().into(),
        Convex::hull(&cloud(r, 12, 1.0)).unwrap().into(),
        Round::sphere(0.6).unwrap().into(),
        Round::capsule(0.2, 1.5).unwrap().into(),
        Round::cylinder(0.5, 1.0).unwrap().into(),
        Round::half_space(DVec3::new(0.1, -0.3, 1.0), -1.0).unwrap().into(),
        Parts::from_hulls(pieces.iter().map(Vec::as_slice)).unwrap().into(),
    ]
}

/// The least of static distances at so many times, and the greatest step between neighbours.
fn sampled(pair: &mut Pair, a: &dyn Motion, b: &dyn Motion, span: Span, count: u32) -> (f64, f64) {
    let mut least = f64::INFINITY;
    let mut jump = 0.0f64;
    let mut last = None;
    for k in 0..=count {
        let t = span.from() + (span.to() - span.from()) * f64::from(k) / f64::from(count);
        let d = pair.distance(&a.pose(t), &b.pose(t)).interval.upper;
        jump = jump.max(last.map_or(0.0, |l: f64| (d - l).abs()));
        last = Some(d);
        least = least.min(d);
    }
    (least, jump)
}

/// Every two kinds of models under random straight motions, by every method: the interval is narrow and no sample is
/// below it.
#[test]
fn translations_are_exact_for_every_two_models_and_methods() {
    let r = &mut Random(11);
    let all = models(r);
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            let mut pair = Pair::new(a, b);
            for _ in 0..6 {
                let straight = |r: &mut Random| Steady::straight(r.pose(3.0), r.vector() * 4.0, r.unit()).unwrap();
                let (ma, mb) = (straight(r), straight(r));
                let span = Span::new(-0.5, 1.0).unwrap();
                let (least, jump) = sampled(&mut pair, &ma, &mb, span, 150);
                for method in METHODS.into_iter().chain([SweepMethod::Auto]) {
                    let sweep = pair.sweep_with(&ma, &mb, span, &SweepOptions { method, ..SweepOptions::default() });
                    let what = || format!("{i} {j} {method} {:?} {least} {jump}", sweep.interval);
                    assert!(sweep.interval.lower <= least && sweep.interval.upper >= least - jump, "{}", what());
                    // Two half-spaces touch unless they are parallel.
                    assert!(sweep.interval.width() < 1e-9 || (i, j) == (6, 6) && least == 0.0, "{}", what());
                    let then = pair.distance(&ma.pose(sweep.time), &mb.pose(sweep.time)).interval;
                    assert!(then.upper <= sweep.interval.upper + 1e-12, "{} {then:?}", what());
                }
            }
        }
    }
}

/// The same under random screws of up to two turns, by every method.
#[test]
fn rotations_hold_for_every_two_models_and_methods() {
    let r = &mut Random(12);
    let all = models(r);
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            let mut pair = Pair::new(a, b);
            for round in 0..4 {
                let screw = |r: &mut Random, turns: f64| {
                    Steady::screw(r.pose(3.0), r.vector() * 3.0, r.vector() * turns, r.vector() * 2.0, 0.0).unwrap()
                };
                let ma = screw(r, [0.5, 3.0, 8.0, 1.0][round]);
                let mb = if round % 2 == 0 { screw(r, 1.0) } else { Steady::still(r.pose(3.0)) };
                let (least, jump) = sampled(&mut pair, &ma, &mb, Span::UNIT, 200);
                for method in METHODS {
                    let options = SweepOptions { method, tolerance: 1e-5, ..SweepOptions::default() };
                    let sweep = pair.sweep_with(&ma, &mb, Span::UNIT, &options);
                    let what = || format!("{i} {j} {round} {method} {:?} {least} {jump}", sweep.interval);
                    assert!(sweep.interval.lower <= least, "{}", what());
                    assert!(sweep.interval.upper >= least - jump, "{}", what());
                    let narrow = sweep.interval.width() < 1e-3 || method == SweepMethod::Simple;
                    assert!(narrow || (i, j) == (6, 6), "{}", what());
                }
            }
        }
    }
}

/// By speed is right, so the others have to agree with it.
#[test]
fn agrees_with_the_bound_on_speeds() {
    let r = &mut Random(13);
    let all = models(r);
    for k in 0..60 {
        let (a, b) = (&all[k % 6], &all[(k / 6) % 6]);
        let mut pair = Pair::new(a, b);
        let ma = Steady::screw(r.pose(3.0), r.vector(), r.vector() * 2.0, r.vector() * 2.0, 0.0).unwrap();
        let mb = Steady::straight(r.pose(3.0), r.vector(), 0.0).unwrap();
        let [slow, fast] = [(SweepMethod::BySpeed, 1e-4), (SweepMethod::Auto, 1e-7)].map(|(method, tolerance)| {
            pair.sweep_with(&ma, &mb, Span::UNIT, &SweepOptions { method, tolerance, enough: None }).interval
        });
        assert!(slow.lower <= fast.upper && fast.lower <= slow.upper, "{k} {slow:?} {fast:?}");
        assert!(fast.width() < 1e-5, "{k} {fast:?}");
    }
}

/// A motion that is not steady, known by its rates and accelerations.
#[derive(Debug)]
struct Swinging {
    bounded: bool,
}

impl Motion for Swinging {
    fn pose(&self, t: f64) -> Pose {
        Pose::new(DVec3::X * (3.0 * t).sin(), DQuat::from_rotation_z((2.0 * t).cos())).unwrap()
    }

    fn rates(&self, _: f64, _: f64) -> Rates {
        Rates { velocity_spread: 3.0, spin_spread: 2.0, ..Rates::STILL }
    }

    fn accelerations(&self, _: f64, _: f64) -> [f64; 2] {
        if self.bounded { [9.0, 4.0] } else { [f64::INFINITY; 2] }
    }
}

#[test]
fn motions_that_are_not_steady() {
    let r = &mut Random(14);
    let all = models(r);
    for (k, model) in all.iter().enumerate() {
        for bounded in [true, false] {
            let mut pair = Pair::new(model, Round::cuboid(DVec3::new(1.0, 2.0, 0.5)).unwrap());
            let (swing, still) = (Swinging { bounded }, Steady::still(Pose::at(DVec3::new(0.5, 2.5, 0.2)).unwrap()));
            let span = Span::new(0.0, 2.0).unwrap();
            let options = SweepOptions { tolerance: 1e-3, ..SweepOptions::default() };
            let sweep = pair.sweep_with(&swing, &still, span, &options);
            let (least, jump) = sampled(&mut pair, &swing, &still, span, 500);
            assert!(sweep.interval.lower <= least && sweep.interval.upper >= least - jump, "{k} {:?}", sweep.interval);
            assert!(sweep.interval.width() < 0.02, "{k} {bounded} {:?}", sweep.interval);
        }
    }
}

/// Zero motion is `distance`, to the bit.
#[test]
fn zero_motion_is_distance() {
    let r = &mut Random(15);
    let all = models(r);
    for a in &all {
        for b in &all {
            let (pa, pb) = (r.pose(3.0), r.pose(3.0));
            let still = [pa, pb].map(Steady::still);
            let distance = impinge::distance(a, &pa, b, &pb);
            let sweep = Pair::new(a, b).sweep(&still[0], &still[1], Span::UNIT);
            assert_eq!(sweep.interval, distance.interval);
            assert_eq!(sweep.witness, distance.witness);
            // Side by side, and a moment of a wild motion.
            let drift = [pa, pb].map(|p| Steady::straight(p, DVec3::new(1e3, 2.0, 3.0), 0.0).unwrap());
            assert_eq!(Pair::new(a, b).sweep(&drift[0], &drift[1], Span::UNIT).interval, distance.interval);
            let wild = Steady::screw(pa, DVec3::Y, DVec3::ONE * 9.0, DVec3::X, 0.0).unwrap();
            let moment = Span::new(0.0, 0.0).unwrap();
            assert_eq!(Pair::new(a, b).sweep(&wild, &still[1], moment).interval, distance.interval);
        }
    }
}

/// From 1e-150 to 1e150: the same bodies in other units.
#[test]
fn any_scale() {
    for scale in [1e-150, 1e-60, 1e-9, 1.0, 1e9, 1e60, 1e140] {
        let plate = |z: f64| {
            let v = [[-1., -1., z], [1., -1., z], [1., 1., z], [-1., 1., z]].map(|p| DVec3::from_array(p) * scale);
            Mesh::new(v.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap()
        };
        let mut pair = Pair::new(plate(0.0), plate(0.0));
        let start = Pose::at(DVec3::new(-6.0, 0.3, 2.0) * scale).unwrap();
        let down = Steady::straight(start, DVec3::new(12.0, 0.0, -1.0) * scale, 0.0).unwrap();
        let sweep = pair.sweep(&Steady::still(Pose::IDENTITY), &down, Span::UNIT);
        // The plates leave each other's shadow at height 4/3, and come a little nearer as the one still sinks.
        let expected = 4.0 / 3.0 * (144.0f64 / 145.0).sqrt() * scale;
        assert!(sweep.interval.contains(expected) && sweep.interval.width() <= 1e-9 * scale, "{scale} {sweep:?}");
        let turn =
            Steady::turning(Pose::at(DVec3::Z * 2.0 * scale).unwrap(), DVec3::ZERO, DVec3::X * 0.4, 0.0).unwrap();
        let turned = pair.sweep(&Steady::still(Pose::IDENTITY), &turn, Span::UNIT);
        let end = pair.distance(&Pose::IDENTITY, &turn.pose(1.0)).interval;
        assert!((turned.interval.upper - end.upper).abs() <= 1e-6 * scale, "{scale} {turned:?} {end:?}");
    }
}

#[test]
fn empty_bodies_and_half_spaces() {
    let ball = Round::sphere(1.0).unwrap();
    let passing = Steady::straight(Pose::at(DVec3::Z * 5.0).unwrap(), DVec3::Z * -3.5, 0.0).unwrap();
    let still = Steady::still(Pose::IDENTITY);
    let sweep = Pair::new(Mesh::empty(), ball.clone()).sweep(&still, &passing, Span::UNIT);
    assert!(sweep.interval.lower == f64::INFINITY && sweep.witness.is_none() && !sweep.penetrating);
    let floor = Round::half_space(DVec3::Z, 0.0).unwrap();
    let sweep = Pair::new(floor.clone(), ball.clone()).sweep(&still, &passing, Span::UNIT);
    assert!(sweep.interval.contains(0.5) && sweep.interval.width() < 1e-12 && sweep.time == 1.0, "{sweep:?}");
    // A floor that tips over by a quarter turn about the origin strikes what stands beside it.
    let tipping = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Y * -0.5 * PI, 0.0).unwrap();
    let beside = Steady::still(Pose::at(DVec3::new(3.0, 0.0, 1.5)).unwrap());
    assert!(Pair::new(floor.clone(), ball.clone()).sweep(&tipping, &beside, Span::UNIT).penetrating);
    let away = Steady::still(Pose::at(DVec3::new(-3.0, 0.0, 1.5)).unwrap());
    assert!(!Pair::new(floor.clone(), ball).sweep(&tipping, &away, Span::UNIT).penetrating);
    let ceiling = Round::half_space(-DVec3::Z, -2.0).unwrap();
    let rising = Steady::straight(Pose::IDENTITY, DVec3::new(1.0, 0.0, -1.0), 0.0).unwrap();
    let sweep = Pair::new(floor, ceiling).sweep(&still, &rising, Span::UNIT);
    assert!(sweep.interval.contains(1.0) && sweep.interval.width() < 1e-6, "{sweep:?}");
}

/// Case G01: a bullet through a thin wall; G03: head on; G05: a slide with faces in one plane, and just above.
#[test]
fn g01_g03_g05_hits_and_grazes() {
    let tip = 1e-3;
    let bullet = [[tip, 0., 0.], [-tip, 0., 0.], [0., tip, 0.], [0., 0., tip]].map(DVec3::from_array);
    let wall = Round::cuboid(DVec3::new(1e-6, 2.0, 2.0)).unwrap();
    let mut pair = Pair::new(Convex::hull(&bullet).unwrap(), wall);
    let shot = Steady::straight(Pose::IDENTITY, DVec3::X * 1e6, 0.0).unwrap();
    let target = Steady::still(Pose::at(DVec3::X * 1.000_000_5).unwrap());
    assert!(pair.sweep(&shot, &target, Span::UNIT).penetrating);

    let cube = || Round::cuboid(DVec3::splat(2.0)).unwrap();
    let mut pair = Pair::new(cube(), cube());
    let to =
        |x: f64, y: f64, v: f64| Steady::straight(Pose::at(DVec3::new(x, y, 0.0)).unwrap(), DVec3::X * v, 0.0).unwrap();
    assert!(pair.sweep(&to(-5.0, 0.0, 10.0), &to(5.0, 0.0, -10.0), Span::UNIT).penetrating);

    let still = Steady::still(Pose::IDENTITY);
    let slide = pair.sweep(&to(-5.0, 2.0, 10.0), &still, Span::UNIT);
    assert!(slide.interval.lower == 0.0 && slide.interval.upper < 1e-12, "{slide:?}");
    let gap = 2f64.powi(-40);
    let above = pair.sweep(&to(-5.0, 2.0 + gap, 10.0), &still, Span::UNIT);
    assert!(above.interval.contains(gap) && !above.penetrating, "{above:?}");
}

/// Case G07: touching, then away: they touch at some time.
#[test]
fn g07_touching_at_the_start() {
    let cube = || Round::cuboid(DVec3::splat(2.0)).unwrap();
    let away = Steady::straight(Pose::at(DVec3::X * 2.0).unwrap(), DVec3::X * 5.0, 0.0).unwrap();
    let sweep = Pair::new(cube(), cube()).sweep(&Steady::still(Pose::IDENTITY), &away, Span::UNIT);
    assert!(sweep.penetrating && sweep.time == 0.0, "{sweep:?}");
}

fn blade() -> Model {
    Round::segment(DVec3::X * 0.9, DVec3::X).unwrap().into()
}

/// Case H01: the hull of start and end misses what the blade hits half way.
#[test]
fn h01_hit_between_start_and_end() {
    let mut pair = Pair::new(blade(), Round::point(DVec3::X * 0.95).unwrap());
    let start = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(-0.5 * FRAC_PI_3)).unwrap();
    let turn = Steady::turning(start, DVec3::ZERO, DVec3::Z * FRAC_PI_3, 0.0).unwrap();
    let still = Steady::still(Pose::IDENTITY);
    for method in METHODS {
        let options = SweepOptions { method, tolerance: 1e-9, ..SweepOptions::default() };
        let sweep = pair.sweep_with(&turn, &still, Span::UNIT, &options);
        assert!(sweep.interval.lower == 0.0, "{method} {sweep:?}");
        assert!(sweep.interval.upper < 1e-8 || method == SweepMethod::Simple, "{method} {sweep:?}");
        assert!((sweep.time - 0.5).abs() < 1e-6 || method == SweepMethod::Simple);
    }
}

/// Case H03: turns of 90 to 360 degrees and more; a full turn is not "no motion".
#[test]
fn h03_full_turns() {
    let at = 85f64.to_radians();
    let mut pair = Pair::new(blade(), Round::point(0.95 * DVec3::new(at.cos(), at.sin(), 0.0)).unwrap());
    let still = Steady::still(Pose::IDENTITY);
    for quarters in [1.0, 2.0, 3.0, 4.0, 8.0, 40.0] {
        let turn = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * 0.5 * PI * quarters, 0.0).unwrap();
        for method in [SweepMethod::Auto, SweepMethod::TangentHull] {
            let sweep = pair.sweep_with(&turn, &still, Span::UNIT, &SweepOptions { method, ..SweepOptions::default() });
            assert!(sweep.interval.lower == 0.0 && sweep.interval.upper < 1e-6, "{quarters} {method} {sweep:?}");
        }
    }
}

/// Closed form: a rod that turns past a point beyond its reach, and a wheel beside a wall.
#[test]
fn known_distances_of_turning_bodies() {
    let mut pair = Pair::new(blade(), Round::point(DVec3::new(0.0, 1.25, 0.0)).unwrap());
    let turn = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * PI, 0.0).unwrap();
    let sweep = pair.sweep(&turn, &Steady::still(Pose::IDENTITY), Span::UNIT);
    assert!(sweep.interval.contains(0.25) && sweep.interval.width() < 1e-6 && (sweep.time - 0.5).abs() < 1e-3);
    // A square that rolls: its corner comes down to the floor at 45 degrees.
    let mut pair = Pair::new(Round::cuboid(DVec3::splat(2.0)).unwrap(), Round::half_space(DVec3::Y, -2.0).unwrap());
    let roll = Steady::screw(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * 3.0, DVec3::X, 0.0).unwrap();
    let sweep = pair.sweep(&roll, &Steady::still(Pose::IDENTITY), Span::UNIT);
    assert!(sweep.interval.contains(2.0 - 2f64.sqrt()) && sweep.interval.width() < 2e-6, "{sweep:?}");
}

/// The threshold form: near enough, or certainly not.
#[test]
fn enough_is_enough() {
    let r = &mut Random(16);
    let all = models(r);
    for k in 0..80 {
        let mut pair = Pair::new(&all[k % 8], &all[(k / 8) % 6]);
        let ma = Steady::screw(r.pose(3.0), r.vector(), r.vector() * f64::from(k as u32 % 2), r.vector() * 3.0, 0.0)
            .unwrap();
        let mb = Steady::still(r.pose(3.0));
        let exact = pair.sweep(&ma, &mb, Span::UNIT).interval;
        for d in [0.0, 0.1, 0.5, 1.0, 3.0] {
            let options = SweepOptions { enough: Some(d), ..SweepOptions::default() };
            let sweep = pair.sweep_with(&ma, &mb, Span::UNIT, &options).interval;
            assert!(sweep.lower <= exact.upper, "{k} {d} {sweep:?} {exact:?}");
            if exact.upper <= d {
                assert!(sweep.upper <= d + 1e-6, "{k} {d} {sweep:?} {exact:?}");
            } else if exact.lower > d + 1e-6 {
                assert!(sweep.lower > d, "{k} {d} {sweep:?} {exact:?}");
            }
        }
    }
}

/// A mesh that translates: a hair more than its least distance is near enough, a hair less is not.
#[test]
fn enough_to_a_hair() {
    let r = &mut Random(23);
    let all = models(r);
    let mut apart = 0;
    for k in 0..400 {
        let mut pair = Pair::new(&all[k % 2], &all[k / 2 % 2]);
        let straight = |r: &mut Random| Steady::straight(r.pose(6.0), r.vector() * 3.0, 0.0).unwrap();
        let (ma, mb) = (straight(r), straight(r));
        let exact = pair.sweep(&ma, &mb, Span::UNIT).interval;
        if k % 3 == 0 {
            pair.forget();
        }
        let mut ask = |d: f64| {
            let options = SweepOptions { enough: Some(d), ..SweepOptions::default() };
            pair.sweep_with(&ma, &mb, Span::UNIT, &options).interval
        };
        let near = ask(exact.upper * (1.0 + 1e-9));
        assert!(near.upper <= exact.upper * (1.0 + 2e-9), "{k} {near:?} {exact:?}");
        if exact.lower > 0.0 {
            let short = exact.lower * (1.0 - 1e-9);
            assert!(ask(short).lower > short && ask(0.0).lower > 0.0, "{k} {exact:?}");
            apart += 1;
        }
    }
    assert!(apart > 100, "{apart}");
}

/// All pairs within a distance, against sampling.
#[test]
fn all_pairs_that_come_near() {
    let r = &mut Random(17);
    let mesh = ball_of_triangles(5, 1.0);
    let corners: Vec<[DVec3; 3]> = (0..mesh.triangle_count() as u32).map(|i| mesh.triangle(i).unwrap()).collect();
    for round in 0..6 {
        let (pa, pb) = (Pose::at(r.vector() * 0.3 - DVec3::X * 3.0).unwrap(), r.pose(0.3));
        let turn = if round % 2 == 0 { DVec3::ZERO } else { r.vector() };
        let ma = Steady::screw(pa, DVec3::ZERO, turn, DVec3::X * 1.8 + r.vector() * 0.2, 0.0).unwrap();
        let mb = Steady::still(pb);
        let near = 0.3;
        let (pairs, complete) =
            Pair::new(mesh.clone(), mesh.clone()).sweep_pairs(&ma, &mb, Span::UNIT, near, Limit::All);
        assert!(complete && pairs.is_sorted_by_key(|x| x.pair));
        let mut found = 0;
        let whole = Pair::new(mesh.clone(), mesh.clone()).sweep(&ma, &mb, Span::UNIT).interval;
        let mut least = f64::INFINITY;
        for (i, t) in corners.iter().enumerate() {
            for (j, u) in corners.iter().enumerate() {
                let [a, b] = [t, u].map(|t| Model::from(Round::triangle(t[0], t[1], t[2]).unwrap()));
                let listed = pairs.binary_search_by_key(&[i as u32, j as u32], |x| x.pair);
                let exact = Pair::new(a, b).sweep(&ma, &mb, Span::UNIT).interval;
                assert!(whole.lower <= exact.upper, "{whole:?} {exact:?}");
                least = least.min(exact.lower);
                match listed {
                    Ok(k) => {
                        found += 1;
                        assert!(exact.lower <= near + 1e-6, "{i} {j} {exact:?}");
                        assert!(pairs[k].distance >= exact.lower && pairs[k].distance <= near + 1e-6, "{exact:?}");
                    }
                    Err(_) => assert!(exact.upper > near - 1e-9, "{i} {j} {exact:?}"),
                }
            }
        }
        assert_eq!(found, pairs.len());
        assert!(whole.upper == 0.0 || least <= whole.upper, "{least} {whole:?}");
        let (few, complete) =
            Pair::new(mesh.clone(), mesh.clone()).sweep_pairs(&ma, &mb, Span::UNIT, near, Limit::UpTo(1));
        assert!(few.len() == pairs.len().min(1) && complete == (pairs.len() <= 1));
    }
}

/// A solid holds what flies inside it all the time, though surfaces are apart; a shell does not.
#[test]
fn containment_counts() {
    let pea = || Round::sphere(0.1).unwrap();
    let inside = Steady::straight(Pose::at(DVec3::X * -0.2).unwrap(), DVec3::X * 0.4, 0.0).unwrap();
    let still = Steady::still(Pose::IDENTITY);
    let shell = ball_of_triangles(6, 1.0).into_surface();
    assert!(!Pair::new(shell.clone(), pea()).sweep(&still, &inside, Span::UNIT).penetrating);
    assert!(Pair::new(shell.into_solid().unwrap(), pea()).sweep(&still, &inside, Span::UNIT).penetrating);
}

/// Boxes with parallel faces, on a grid of tenths, that run into each other: the nearest time found is often one at
/// which they only just touch, and rounding puts them apart then.
#[test]
fn who_runs_through_another_touches_it_as_impact_says() {
    let mut r = Random(77);
    let mut tenths = |range: f64| (r.signed() * range * 10.0).round() / 10.0;
    let corners = [-1.0, 1.0].map(|x| [-1.0, 1.0].map(|y| [-1.0, 1.0].map(|z| DVec3::new(x, 1.5 * y, 0.5 * z))));
    let points: Vec<DVec3> = corners.into_iter().flatten().flatten().collect();
    let hull = Convex::hull(&points).unwrap();
    let shapes = [
        Model::from(Round::cuboid(DVec3::new(1.0, 2.0, 3.0)).unwrap()),
        Model::from(hull),
        ball_of_triangles(3, 1.0).into(),
    ];
    let mut through = 0;
    for round in 0..600 {
        let (a, b) = (&shapes[round % 3], &shapes[round / 3 % 3]);
        let mut place = || DVec3::new(tenths(3.0), tenths(3.0), tenths(3.0));
        let (from, to) = (place(), place());
        let moving = Steady::straight(Pose::at(from).unwrap(), to - from, 0.0).unwrap();
        let still = Steady::still(Pose::IDENTITY);
        let mut pair = Pair::new(a.clone(), b.clone());
        let sweep = pair.sweep(&still, &moving, Span::UNIT);
        let impact =
            pair.impact_with(&still, &moving, Span::UNIT, &ImpactOptions { parting: true, ..ImpactOptions::default() });
        let lasts = impact.leaves.map_or(1.0, |leaves| leaves.lower) - impact.time.map_or(1.0, |time| time.upper);
        // What only grazes may be left open by either.
        if impact.time.is_some() && impact.certain && lasts > 1e-6 {
            assert!(sweep.penetrating && sweep.interval.upper == 0.0, "{round} {from} {to} {sweep:?} {impact:?}");
            through += 1;
        }
        assert!(impact.time.is_some() || !sweep.penetrating, "{round} {from} {to} {sweep:?}");
    }
    assert!(through > 150, "{through}");
}
