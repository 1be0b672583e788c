//! The least distance of deforming meshes: against distances at many times, and known answers.

use std::f64::consts::SQRT_2;

use glam::{DQuat, DVec3};
use impinge::{
    Deforming, Distance, Feature, Interval, Mesh, Model, Pair, Pose, Semantics, Span, Steady, Sweep, SweepOptions,
    distance,
};
use impinge_testing::environment::{self, rounds};
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

use super::asked::{impact_of, sweep_of};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

fn deforming(start: &Soup, end: &[DVec3]) -> Deforming {
    Deforming::new(mesh(start), end).unwrap()
}

fn still(soup: &Soup) -> Deforming {
    Deforming::still(mesh(soup))
}

/// How far apart the bodies are at a time, by the static verb.
fn distance_at(a: (&Soup, &[DVec3]), b: (&Soup, &[DVec3]), t: f64) -> Distance {
    let [x, y] = [a, b].map(|(start, end)| {
        let vertices = start.vertices.iter().zip(end).map(|(s, e)| *s * (1.0 - t) + *e * t).collect();
        Model::from(Mesh::new(vertices, start.triangles.clone()).unwrap())
    });
    distance(&x, &Pose::IDENTITY, &y, &Pose::IDENTITY)
}

/// A closed body or a soup, slivers and single points included, and where its vertices end.
fn body(random: &mut Random) -> (Soup, Vec<DVec3>) {
    let place = random.point(3.0);
    let start = match random.below(4) {
        0 => shapes::cuboid(place, DVec3::ONE),
        1 => shapes::tetra(std::array::from_fn(|_| place + random.point(1.5))),
        2 => shapes::sphere(1, 1.0).map(|x| x + place),
        _ => Soup {
            vertices: (0..9).map(|_| place + random.point(1.0)).collect(),
            triangles: vec![[0, 1, 2], [3, 4, 5], [6, 7, 8], [2, 3, 3], [6, 6, 6]],
        },
    };
    // By a rigid motion, of which the chords are taken, by a stretch, and by some wobble.
    let (to, turn) = (random.point(3.0), DQuat::from_scaled_axis(random.point(2.0)));
    let stretch = v(1.0, 1.0, 1.0) + random.point(0.8);
    let wobble = [0.0, 0.1, 1.0][random.below(3) as usize];
    let end = start.vertices.iter().map(|x| to + turn * ((*x - place) * stretch) + random.point(wobble)).collect();
    (start, end)
}

/// No sample is nearer than the interval, and the time given is as near as it says.
fn check(round: u32, a: (&Soup, &[DVec3]), b: (&Soup, &[DVec3]), sweep: &Sweep, samples: u32) -> f64 {
    let Interval { lower, upper } = sweep.interval;
    assert!(lower <= upper && (0.0..=1.0).contains(&sweep.time), "{round}: {sweep:?}");
    let mut least = f64::INFINITY;
    for k in 0..=samples {
        let there = distance_at(a, b, f64::from(k) / f64::from(samples)).interval;
        assert!(lower <= there.upper + 1e-13, "{round}: {there:?} at {k}/{samples}, and {:?}", sweep.interval);
        least = least.min(there.lower);
    }
    // Edges that touch may pass each other: by the time given they have touched, and are a little apart perhaps.
    let passed = if sweep.penetrating { 1e-7 } else { 1e-13 };
    let there = distance_at(a, b, sweep.time).interval;
    assert!(there.lower <= upper + passed, "{round}: {there:?} at {} of {:?}", sweep.time, sweep.interval);
    assert!(upper <= least + 2e-6, "{round}: a sample is {least} apart, {:?}", sweep.interval);
    least
}

#[test]
fn no_sample_is_nearer() {
    let mut random = Random::new(71);
    let (mut apart, mut met, mut within, mut most) = (0, 0, 0, 0);
    for round in 0..rounds(600) {
        let ((sa, ea), (sb, eb)) = (body(&mut random), body(&mut random));
        let (a, b) = (deforming(&sa, &ea), deforming(&sb, &eb));
        let sweep = sweep_of(&a, &b, &SweepOptions::default());
        check(round, (&sa, &ea), (&sb, &eb), &sweep, 100);
        let impact = impact_of(&a, &b);
        assert_eq!(impact.time.is_some() && impact.certain, sweep.penetrating, "{round}");
        apart += u32::from(sweep.interval.lower > 0.0);
        met += u32::from(sweep.penetrating);
        within += u32::from(sweep.time > 0.0 && sweep.time < 1.0);
        most = most.max(sweep.stats.iterations);
        assert!(sweep.interval.width() <= 4e-6, "{round}: {:?}", sweep.interval);
        if !sweep.penetrating {
            let witness = sweep.witness.unwrap();
            let between = witness.points[0].distance(witness.points[1]);
            assert!((between - sweep.interval.upper).abs() < 1e-12, "{round}: {between} {:?}", sweep.interval);
        }
    }
    println!("{apart} apart, {met} met, {within} between the ends, at most {most} steps");
    assert!(apart > 200 && met > 150 && within > 100, "{apart} apart, {met} met, {within} within, {most}");
}

#[test]
fn exchanged_bodies_come_as_near() {
    let mut random = Random::new(72);
    for round in 0..200 {
        let ((sa, ea), (sb, eb)) = (body(&mut random), body(&mut random));
        let (a, b) = (deforming(&sa, &ea), deforming(&sb, &eb));
        let (one, other) = (sweep_of(&a, &b, &SweepOptions::default()), sweep_of(&b, &a, &SweepOptions::default()));
        assert!((one.interval.upper - other.interval.upper).abs() < 2e-6, "{round}: {one:?} {other:?}");
        assert!((one.interval.lower - other.interval.lower).abs() < 4e-6, "{round}: {one:?} {other:?}");
    }
}

/// Where all vertices move alike it is the sweep of two models, which is exact.
#[test]
fn a_translation_is_that_of_models() {
    let mut random = Random::new(73);
    for round in 0..200 {
        let ((sa, _), (sb, _)) = (body(&mut random), body(&mut random));
        let (one, other) = (random.point(6.0), random.point(6.0));
        let ends = |soup: &Soup, by: DVec3| -> Vec<DVec3> { soup.vertices.iter().map(|x| *x + by).collect() };
        let sweep =
            sweep_of(&deforming(&sa, &ends(&sa, one)), &deforming(&sb, &ends(&sb, other)), &SweepOptions::default());
        let moving = |by: DVec3| Steady::straight(Pose::IDENTITY, by, 0.0).unwrap();
        let mut pair = Pair::new(Model::from(mesh(&sa)), Model::from(mesh(&sb)));
        let exact = pair.sweep(&moving(one), &moving(other), Span::UNIT).interval;
        assert!(sweep.interval.lower <= exact.upper + 1e-12, "{round}: {:?} {exact:?}", sweep.interval);
        assert!(sweep.interval.upper >= exact.lower - 1e-12, "{round}: {:?} {exact:?}", sweep.interval);
    }
}

/// A bar turns over a point, from +45° to −45° by chords: both ends go straight down and up, and the middle stays.
#[test]
fn a_seesaw_keeps_its_distance_from_a_point_over_its_middle() {
    let bar = shapes::triangle([v(-1.0, -1.0, 0.0), v(1.0, 1.0, 0.0), v(1.0, 1.0, 0.0)]);
    let end = [v(-1.0, 1.0, 0.0), v(1.0, -1.0, 0.0), v(1.0, -1.0, 0.0)];
    let point = shapes::point(v(0.0, 1.0, 0.0));
    // y = x·(1 − 2t), and (0, 1) is 1/√(1 + (1 − 2t)²) above it: 1/√2 at both ends.
    let sweep = sweep_of(&deforming(&bar, &end), &still(&point), &SweepOptions::default());
    assert!(sweep.interval.contains(0.5 * SQRT_2) && sweep.interval.width() < 1e-6, "{sweep:?}");
    assert!(sweep.time == 0.0 || sweep.time == 1.0, "{}", sweep.time);
    // Held level, with the middle going up and down: nearest half way, where a kink is.
    let tent =
        Soup { vertices: vec![v(-1., 0., 0.), v(0., 0., 0.), v(1., 0., 0.)], triangles: vec![[0, 1, 1], [1, 2, 2]] };
    let up = [v(-1., 0., 0.), v(0.0, 1.0, 0.0), v(1., 0., 0.)];
    let above = shapes::point(v(0.0, 3.0, 0.0));
    let sweep = sweep_of(&deforming(&tent, &up), &still(&above), &SweepOptions::default());
    assert!(sweep.interval.contains(2.0) && sweep.time == 1.0, "{sweep:?}");
    assert_eq!(sweep.witness.unwrap().features[0], Feature::Vertex { triangle: 0, vertex: 1 });
}

/// A plate turns beside a parallel one at a constant distance, as a wheel does: no stretch of time is nearer.
#[test]
fn what_keeps_its_distance_costs_little() {
    let plate = shapes::grid(8, 0.25).map(|x| v(x.x - 1.0, x.y - 1.0, x.z));
    let turned: Vec<DVec3> = plate.vertices.iter().map(|x| DQuat::from_rotation_z(2.0) * *x).collect();
    let other = shapes::grid(8, 0.25).map(|x| v(x.x - 1.0, x.y - 1.0, 10.0));
    let deepest = |s: &Soup| s.vertices.iter().fold(f64::NEG_INFINITY, |m, x| m.max(x.z));
    let highest = deepest(&plate);
    let sweep = sweep_of(
        &deforming(&plate, &turned),
        &still(&other.map(|x| v(x.x, x.y, highest + 0.5))),
        &SweepOptions::default(),
    );
    assert!((sweep.interval.upper - 0.5).abs() < 1e-12 && sweep.interval.width() < 1e-6, "{sweep:?}");
    assert!(sweep.stats.iterations < 200_000, "{:?}", sweep.stats);
}

#[test]
fn what_touches_is_no_distance_away() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let ends = |soup: &Soup, by: DVec3| -> Vec<DVec3> { soup.vertices.iter().map(|x| *x + by).collect() };
    // At the start: overlapping, touching, inside.
    for (offset, half) in [(v(1.5, 0.0, 0.0), 1.0), (v(2.0, 0.0, 0.0), 1.0), (DVec3::ZERO, 0.25)] {
        let start = shapes::cuboid(offset, DVec3::splat(half));
        let sweep =
            sweep_of(&deforming(&start, &ends(&start, DVec3::X * 9.0)), &still(&cube), &SweepOptions::default());
        assert_eq!((sweep.interval, sweep.time), (Interval::ZERO, 0.0), "{offset} {half}");
        assert!(sweep.penetrating && sweep.semantics == Semantics::Solid);
    }
    // On the way, and without an inside.
    let far = shapes::cuboid(v(-9.0, 0.25, 0.0), DVec3::ONE);
    let sweep = sweep_of(&deforming(&far, &ends(&far, DVec3::X * 20.0)), &still(&cube), &SweepOptions::default());
    assert!(sweep.interval == Interval::ZERO && (sweep.time - 0.35).abs() < 1e-9, "{sweep:?}");
    let small = shapes::cuboid(DVec3::ZERO, DVec3::splat(0.25));
    let hollow = Deforming::still(mesh(&cube).into_surface());
    let inside = sweep_of(&Deforming::still(mesh(&small).into_surface()), &hollow, &SweepOptions::default());
    assert!(inside.interval.contains(0.75) && inside.semantics == Semantics::Surface, "{inside:?}");
}

#[test]
fn what_does_not_move_is_where_it_is() {
    let mut random = Random::new(74);
    for round in 0..100 {
        let ((sa, _), (sb, _)) = (body(&mut random), body(&mut random));
        let sweep = sweep_of(&still(&sa), &still(&sb), &SweepOptions::default());
        let there = distance_at((&sa, &sa.vertices), (&sb, &sb.vertices), 0.0);
        assert!((sweep.interval.upper - there.interval.upper).abs() < 1e-12, "{round}: {sweep:?} {there:?}");
        assert!(sweep.time == 0.0 && sweep.interval.width() < 1e-12, "{round}: {sweep:?}");
    }
}

#[test]
fn near_enough_is_enough() {
    let mut random = Random::new(75);
    let (mut yes, mut no) = (0, 0);
    for round in 0..rounds(300) {
        let ((sa, ea), (sb, eb)) = (body(&mut random), body(&mut random));
        let (a, b) = (deforming(&sa, &ea), deforming(&sb, &eb));
        let whole = sweep_of(&a, &b, &SweepOptions::default()).interval;
        for enough in [0.0, 0.5 * whole.lower, 0.9 * whole.lower, 1.1 * whole.upper, whole.upper + 1.0] {
            let options = SweepOptions { enough: Some(enough), ..SweepOptions::default() };
            let sweep = sweep_of(&a, &b, &options);
            let there = distance_at((&sa, &ea), (&sb, &eb), sweep.time).interval;
            if whole.upper <= enough {
                assert!(sweep.interval.upper <= enough && there.lower <= enough + 1e-7, "{round} {enough}: {sweep:?}");
                yes += 1;
            } else if whole.lower > enough {
                assert!(sweep.interval.lower > enough, "{round} {enough}: {sweep:?}");
                no += 1;
            }
            assert!(sweep.interval.lower <= whole.upper && sweep.interval.upper >= whole.lower, "{round}: {sweep:?}");
        }
    }
    assert!(yes > 300 && no > 300, "{yes} {no}");
}

#[test]
fn scales_do_not_matter() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    for scale in [1e-150, 1e-12, 1.0, 1e12, 1e148] {
        let sized = |by: DVec3| -> Vec<DVec3> { cube.vertices.iter().map(|x| (*x + by) * scale).collect() };
        let build = |by: DVec3| Mesh::new(sized(by), cube.triangles.clone()).unwrap();
        let a = Deforming::new(build(v(-5.0, 3.0, 4.0)), &sized(v(5.0, 3.0, 4.0))).unwrap();
        let sweep = sweep_of(&a, &Deforming::still(build(DVec3::ZERO)), &SweepOptions::default());
        let Interval { lower, upper } = sweep.interval;
        let exact = v(0.0, 1.0, 2.0).length() * scale;
        assert!(lower <= exact * (1.0 + 1e-12) && upper >= exact * (1.0 - 1e-12), "{scale:e}: {sweep:?}");
        assert!(upper - lower < 1e-5 * scale, "{scale:e}: {sweep:?}");
    }
    // A speck passes a mountain by a tenth of its own size.
    let mountain = still(&cube.map(|x| x * 1e9));
    let speck = shapes::cuboid(v(0.0, 0.0, 1e9 + 2.0), DVec3::splat(0.5));
    let end: Vec<DVec3> = speck.vertices.iter().map(|x| *x + v(1e9, 0.0, -1.4)).collect();
    let sweep =
        sweep_of(&deforming(&speck, &end), &mountain, &SweepOptions { tolerance: 0.0, ..SweepOptions::default() });
    assert!((sweep.interval.lower - 0.1).abs() < 1e-4 && (sweep.interval.upper - 0.1).abs() < 1e-4, "{sweep:?}");
}

#[test]
fn empty_bodies_are_nowhere() {
    let cube = still(&shapes::cuboid(DVec3::ZERO, DVec3::ONE));
    let empty = Deforming::still(Mesh::empty());
    for sweep in [
        sweep_of(&cube, &empty, &SweepOptions::default()),
        sweep_of(&empty, &cube, &SweepOptions::default()),
        sweep_of(&empty, &empty, &SweepOptions::default()),
    ] {
        assert!(sweep.interval == Interval::INFINITE && sweep.witness.is_none() && !sweep.penetrating, "{sweep:?}");
    }
}

/// Two brushes whose bristles all turn about in each other's way, at any tolerance: the caps end it.
#[test]
fn hostile_bodies_end() {
    let mut random = Random::new(76);
    for (count, tolerance) in [(40, 0.0), (200, 1e-12), (600, 1e-7)] {
        let mut brush = |z: f64| {
            let mut vertices = Vec::new();
            for _ in 0..count {
                let at = v(random.within(-1.0, 1.0), random.within(-1.0, 1.0), z);
                vertices.extend([at, at + random.point(1e-3), at + v(0.0, 0.0, if z > 0.0 { -0.98 } else { 0.98 })]);
            }
            let triangles = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
            let end = vertices.iter().map(|x| DQuat::from_rotation_z(z * 2.0) * *x).collect::<Vec<_>>();
            (Soup { vertices, triangles }, end)
        };
        let ((sa, ea), (sb, eb)) = (brush(1.0), brush(-1.0));
        let begin = std::time::Instant::now();
        let options = SweepOptions { tolerance, ..SweepOptions::default() };
        let sweep = sweep_of(&deforming(&sa, &ea), &deforming(&sb, &eb), &options);
        let limit = if cfg!(debug_assertions) { 60 } else { 6 };
        println!("{count}: {:?} in {:?}, {:?}", sweep.interval, begin.elapsed(), sweep.stats);
        assert!(begin.elapsed().as_secs() < limit, "{count}: {:?}, {sweep:?}", begin.elapsed());
        assert!(sweep.interval.lower <= sweep.interval.upper && sweep.interval.lower >= 0.0, "{sweep:?}");
    }
}

/// One shell in another, all of whose triangles keep their distance, more or less, while both turn and shrink: the caps
/// end it, and the interval holds.
#[test]
fn hostile_shells_end() {
    for (level, tolerance) in [(2, 1e-7), (3, 1e-9), (4, 0.0)] {
        let shell = |radius: f64, angle: f64, size: f64| {
            let start = shapes::sphere(level, radius);
            let end: Vec<DVec3> = start.vertices.iter().map(|x| DQuat::from_rotation_z(angle) * *x * size).collect();
            (start, end)
        };
        let ((sa, ea), (sb, eb)) = (shell(1.0, 1.45, 0.5), shell(0.9, 1.5, 0.5));
        let surface = |s: &Soup, e: &[DVec3]| Deforming::new(mesh(s).into_surface(), e).unwrap();
        let begin = std::time::Instant::now();
        let options = SweepOptions { tolerance, ..SweepOptions::default() };
        let sweep = sweep_of(&surface(&sa, &ea), &surface(&sb, &eb), &options);
        let taken = begin.elapsed();
        println!("{level}: {:?} in {taken:?}, {:?}", sweep.interval, sweep.stats);
        let limit = if cfg!(debug_assertions) { 120 } else { 8 };
        assert!(taken.as_secs() < limit, "{level}: {taken:?}, {sweep:?}");
        assert!(sweep.interval.lower <= sweep.interval.upper, "{level}: {sweep:?}");
    }
}

/// The corpus is found through `IMPINGE_CORPUS`; without it this says so and passes.
#[test]
fn time_steps_of_cloth() {
    let Some(folder) = environment::corpus() else { return };
    let read = |name: &str| {
        let part = impinge_io::read(&folder.join("meshes/ipc").join(name)).unwrap().merged();
        Soup { vertices: part.vertices, triangles: part.triangles }
    };
    let (start, end) = (read("cloth_ball92.ply.gz"), read("cloth_ball93.ply.gz"));
    let size = start.size();
    let sheet = shapes::grid(40, size / 20.0);
    let middle = |s: &Soup| s.vertices.iter().sum::<DVec3>() / s.vertices.len() as f64;
    let (here, there) = (middle(&start), middle(&sheet));
    let wave: Vec<DVec3> =
        sheet.vertices.iter().map(|x| *x + DVec3::Z * 0.05 * size * (x.x / size * 9.0).sin()).collect();
    for gap in [0.0, 1.0, 1.1, 2.0] {
        let at = here - there + v(0.1, 0.2, 1.0) * size * gap;
        let other = sheet.map(|x| x + at);
        let ends: Vec<DVec3> = wave.iter().map(|x| *x + at).collect();
        let (a, b) = (deforming(&start, &end.vertices), deforming(&other, &ends));
        let begin = std::time::Instant::now();
        let sweep = sweep_of(&a, &b, &SweepOptions::default());
        let (n, m) = (start.triangles.len(), other.triangles.len());
        println!("{n} and {m} triangles, {gap}: {:?} in {:?}, {:?}", sweep.interval, begin.elapsed(), sweep.stats);
        for k in 0..=8 {
            let t = f64::from(k) / 8.0;
            let sample = distance_at((&start, &end.vertices), (&other, &ends), t).interval;
            assert!(sweep.interval.lower <= sample.upper * (1.0 + 1e-9), "{gap}: {sample:?} at {t}, {sweep:?}");
        }
        let sample = distance_at((&start, &end.vertices), (&other, &ends), sweep.time).interval;
        assert!(sample.lower <= sweep.interval.upper * (1.0 + 1e-9), "{gap}: {sample:?} {sweep:?}");
        assert!(sweep.interval.width() <= 1e-6 * size * (1.0 + gap), "{gap}: {sweep:?}");
    }
}
