//! Impact of deforming meshes: against exact overlap at many exact times, and known answers.

use glam::DVec3;
use impinge::{
    BuildError, Deforming, Feature, Impact, Inclusion, Interval, Mesh, Model, Pose, Semantics, distance, overlap,
};
use impinge_testing::environment;
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

use super::asked::impact_of;

const SAMPLES: u32 = 64;

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

fn moved(soup: &Soup, by: DVec3) -> Soup {
    Soup { vertices: soup.vertices.iter().map(|v| *v + by).collect(), triangles: soup.triangles.clone() }
}

fn between(start: &Soup, end: &[DVec3], t: f64) -> Mesh {
    let vertices = start.vertices.iter().zip(end).map(|(s, e)| *s * (1.0 - t) + *e * t).collect();
    Mesh::new(vertices, start.triangles.clone()).unwrap()
}

fn deforming(start: &Soup, end: &[DVec3]) -> Deforming {
    Deforming::new(mesh(start), end).unwrap()
}

fn touch_at(a: (&Soup, &[DVec3]), b: (&Soup, &[DVec3]), t: f64) -> bool {
    let [x, y] = [a, b].map(|(s, e)| Model::from(between(s, e, t)));
    overlap(&x, &Pose::IDENTITY, &y, &Pose::IDENTITY).overlap
}

/// Multiples of 1/64, so that positions at multiples of 1/64 in time are exact.
fn dyadic(random: &mut Random, r: i64) -> DVec3 {
    random.grid_point(64 * r) / 64.0
}

/// A closed body or a soup, and where its vertices end, all dyadic.
fn body(random: &mut Random) -> (Soup, Vec<DVec3>) {
    let place = dyadic(random, 4);
    let start = match random.below(3) {
        0 => shapes::cuboid(place, DVec3::ONE),
        1 => shapes::tetra(std::array::from_fn(|_| place + dyadic(random, 2))),
        _ => Soup {
            vertices: (0..9).map(|_| place + dyadic(random, 1)).collect(),
            triangles: vec![[0, 1, 2], [3, 4, 5], [6, 7, 8], [2, 3, 3]],
        },
    };
    let (by, wobble) = (dyadic(random, 2) - place * 2.0, random.below(3) as i64);
    let end = start.vertices.iter().map(|v| *v + by + dyadic(random, wobble)).collect();
    (start, end)
}

/// Never late: no sample before `lower` touches. Never early: at `upper` the bodies are as near as was asked.
fn check(round: u32, a: (&Soup, &[DVec3]), b: (&Soup, &[DVec3]), impact: &Impact) {
    let lower = impact.time.map_or(f64::INFINITY, |time| time.lower);
    for k in 0..=SAMPLES {
        let t = f64::from(k) / f64::from(SAMPLES);
        // Containment cannot begin without a touch of surfaces, so the whole verb may be asked.
        assert!(t >= lower || !touch_at(a, b, t), "{round}: they touch at {t}, before {lower}");
    }
    if let Some(time) = impact.time {
        let [x, y] = [a, b].map(|(s, e)| Model::from(between(s, e, time.upper)));
        let apart = distance(&x, &Pose::IDENTITY, &y, &Pose::IDENTITY).interval.lower;
        assert!(apart <= 1e-7, "{round}: {apart} apart at {time:?}");
    }
}

#[test]
fn no_impact_is_late_or_early() {
    let mut random = Random::new(21);
    let (mut hits, mut clear, mut certain) = (0, 0, 0);
    for round in 0..1_500 {
        let ((sa, ea), (sb, eb)) = (body(&mut random), body(&mut random));
        let impact = impact_of(&deforming(&sa, &ea), &deforming(&sb, &eb));
        check(round, (&sa, &ea), (&sb, &eb), &impact);
        hits += u32::from(impact.time.is_some());
        clear += u32::from(impact.time.is_none());
        certain += u32::from(impact.time.is_some() && impact.certain);
    }
    assert!(hits > 500 && clear > 100 && certain > 500, "{hits} hits, {certain} certain, {clear} clear");
}

#[test]
fn exchanged_bodies_have_the_same_time() {
    let mut random = Random::new(22);
    for round in 0..300 {
        let ((sa, ea), (sb, eb)) = (body(&mut random), body(&mut random));
        let (a, b) = (deforming(&sa, &ea), deforming(&sb, &eb));
        let (one, other) = (impact_of(&a, &b), impact_of(&b, &a));
        let lower = |impact: &Impact| impact.time.map(|time| time.lower);
        match (lower(&one), lower(&other)) {
            (Some(x), Some(y)) => assert!((x - y).abs() < 1e-8, "{round}: {x} {y}"),
            (x, y) => assert_eq!(x, y, "{round}"),
        }
    }
}

#[test]
fn g03_two_cubes_meet() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let (left, right) = (moved(&cube, DVec3::X * -5.0), moved(&cube, DVec3::X * 5.0));
    let a = deforming(&left, &moved(&left, DVec3::X * 10.0).vertices);
    let b = deforming(&right, &moved(&right, DVec3::X * -10.0).vertices);
    let impact = impact_of(&a, &b);
    let time = impact.time.unwrap();
    assert!(time.lower <= 0.4 && 0.4 - time.lower < 1e-8, "{time:?}");
    assert_eq!(impact.semantics, Semantics::Solid);
    assert!(impact.normal.unwrap().distance(DVec3::X) < 1e-9, "{:?}", impact.normal);
    let witness = impact.witness.unwrap();
    assert!(witness.points.iter().all(|p| p.x.abs() < 1e-6 && p.abs().max_element() < 1.0 + 1e-6), "{witness:?}");
}

#[test]
fn normals_lead_from_a_to_b() {
    let face = shapes::triangle([DVec3::new(-1.0, 0.0, 1.0), DVec3::new(1.0, 0.0, 1.0), DVec3::new(0.0, 0.0, -1.0)]);
    let tip = shapes::triangle([DVec3::Y, DVec3::new(0.1, 2.0, 0.0), DVec3::new(-0.1, 2.0, 0.1)]);
    for sign in [1.0, -1.0] {
        let tip = Soup { vertices: tip.vertices.iter().map(|v| *v * sign).collect(), ..tip.clone() };
        let a = deforming(&tip, &moved(&tip, DVec3::Y * (-2.0 * sign)).vertices);
        let b = Deforming::still(mesh(&face));
        let (one, other) = (impact_of(&a, &b), impact_of(&b, &a));
        assert!(one.certain && one.time.unwrap().contains(0.5), "{one:?}");
        assert!(one.normal.unwrap().distance(DVec3::Y * -sign) < 1e-9, "{:?}", one.normal);
        assert!(other.normal.unwrap().distance(DVec3::Y * sign) < 1e-9, "{:?}", other.normal);
        let features = one.witness.unwrap().features;
        assert_eq!(features, [Feature::Vertex { triangle: 0, vertex: 0 }, Feature::Face { triangle: 0 }]);
        assert_eq!(other.witness.unwrap().features, [features[1], features[0]]);
    }
}

#[test]
fn what_touches_at_the_start_touches_at_once() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let b = Deforming::still(mesh(&cube));
    for (offset, half) in [(DVec3::X * 2.0, 1.0), (DVec3::ZERO, 0.25), (DVec3::X, 1.0)] {
        let start = shapes::cuboid(offset, DVec3::splat(half));
        let a = deforming(&start, &moved(&start, DVec3::X * 9.0).vertices);
        let impact = impact_of(&a, &b);
        assert_eq!((impact.time, impact.certain), (Some(Interval::ZERO), true), "{offset} {half}");
    }
    // Without an inside the small one is in nothing, until it comes to the wall.
    let small = shapes::cuboid(DVec3::ZERO, DVec3::splat(0.25));
    let a = deforming(&small, &moved(&small, DVec3::X * 3.0).vertices);
    let impact = impact_of(&a, &Deforming::still(mesh(&cube).into_surface()));
    assert!(impact.time.is_some_and(|time| time.lower <= 0.25 && 0.25 - time.lower < 1e-8), "{impact:?}");
}

#[test]
fn empty_bodies_touch_nothing() {
    let cube = Deforming::still(mesh(&shapes::cuboid(DVec3::ZERO, DVec3::ONE)));
    let empty = Deforming::still(Mesh::empty());
    assert!(impact_of(&cube, &empty).time.is_none() && impact_of(&empty, &empty).time.is_none());
    assert!(empty.self_impact(&Inclusion::default()).time.is_none());
}

#[test]
fn bad_ends_are_refused() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let short = Deforming::new(mesh(&cube), &cube.vertices[1..]).unwrap_err();
    assert_eq!(short, BuildError::WrongCount { count: 7, vertices: 8 });
    for (bad, vertex) in [(f64::NAN, 3), (f64::INFINITY, 0)] {
        let mut end = cube.vertices.clone();
        end[vertex].z = bad;
        let refused = Deforming::new(mesh(&cube), &end).unwrap_err();
        assert!(matches!(refused, BuildError::NotFinite { vertex: v, .. } if v == vertex), "{refused}");
    }
    let mut end = cube.vertices.clone();
    end[2].x = -3e150;
    assert!(matches!(Deforming::new(mesh(&cube), &end), Err(BuildError::TooLarge { vertex: 2, .. })));
}

#[test]
fn scales_do_not_matter() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let (left, right) = (moved(&cube, DVec3::new(-5.0, 0.5, 0.25)), moved(&cube, DVec3::X * 5.0));
    for scale in [1e-150, 1e-12, 1.0, 1e12, 1e149] {
        let sized =
            |soup: &Soup, by: DVec3| -> Vec<DVec3> { soup.vertices.iter().map(|v| (*v + by) * scale).collect() };
        let build = |soup: &Soup| Mesh::new(sized(soup, DVec3::ZERO), soup.triangles.clone()).unwrap();
        let a = Deforming::new(build(&left), &sized(&left, DVec3::X * 10.0)).unwrap();
        let time = impact_of(&a, &Deforming::still(build(&right))).time.unwrap();
        assert!(time.lower <= 0.8 && 0.8 - time.lower < 1e-8, "{scale:e}: {time:?}");
    }
    // A speck against a mountain.
    let mountain = Deforming::still(mesh(&Soup {
        vertices: cube.vertices.iter().map(|v| *v * 1e12).collect(),
        triangles: cube.triangles.clone(),
    }));
    let speck = shapes::cuboid(DVec3::new(0.0, 0.0, 1e12 + 10.0), DVec3::splat(0.5));
    let a = deforming(&speck, &moved(&speck, DVec3::Z * -20.0).vertices);
    let time = impact_of(&a, &mountain).time.unwrap();
    assert!(time.lower <= 0.475 && 0.475 - time.lower < 1e-2, "{time:?}");
}

/// Vertices that are equal at the start and part afterwards are two.
#[test]
fn seams_open() {
    let start = Soup {
        vertices: [[0., 0., 0.], [1., 0., 0.], [0., 0., 1.], [0., 0., 0.], [0., 0., 1.], [-1., 0., 0.]]
            .map(DVec3::from_array)
            .to_vec(),
        triangles: vec![[0, 1, 2], [3, 4, 5]],
    };
    let aside = [DVec3::X * 3.0, DVec3::X * -3.0];
    let end: Vec<DVec3> = (0..6).map(|k| start.vertices[k] + aside[k / 3]).collect();
    let post = |x: f64| {
        let at = DVec3::new(x, 0.0, 0.25);
        shapes::triangle([at - DVec3::Y, at + DVec3::Y, at + DVec3::new(0.0, 1.0, 0.01)])
    };
    for (x, expected) in [(2.5, Some(7.0 / 12.0)), (-2.5, Some(7.0 / 12.0)), (8.0, None)] {
        let impact = impact_of(&deforming(&start, &end), &Deforming::still(mesh(&post(x))));
        match (impact.time, expected) {
            (Some(time), Some(t)) => assert!(time.lower <= t && t - time.lower < 1e-8, "{x}: {time:?}"),
            (time, expected) => assert_eq!(time.map(|time| time.lower), expected, "{x}"),
        }
    }
}

#[test]
fn a_sheet_that_folds_meets_itself() {
    let v = [[0., 0., 0.], [4., 0., 0.], [4., 1., 0.], [0., 1., 0.], [2., 0., 0.], [2., 1., 0.]];
    let sheet = Soup {
        vertices: v.map(DVec3::from_array).to_vec(),
        triangles: vec![[0, 4, 5], [0, 5, 3], [4, 1, 2], [4, 2, 5]],
    };
    let mut end = sheet.vertices.clone();
    // The right half turns over, past the left one, and through it.
    (end[1], end[2]) = (DVec3::new(0.5, 0.2, 1.0), DVec3::new(0.5, 0.8, -1.0));
    let near = Inclusion { tolerance: 1e-9, separation: 0.0 };
    let folding = deforming(&sheet, &end);
    let impact = folding.self_impact(&near);
    let time = impact.time.expect("a corner comes through");
    for k in 0..=SAMPLES {
        let t = f64::from(k) / f64::from(SAMPLES);
        let touches = between(&sheet, &end, t).self_contacts(impinge::Limit::First).touching();
        assert!(!touches || t >= time.lower, "it touches itself at {t}, before {time:?}");
    }
    assert!(Deforming::still(mesh(&sheet)).self_impact(&near).time.is_none());
    let crossed = between(&sheet, &end, 1.0);
    if crossed.self_contacts(impinge::Limit::First).touching() {
        assert_eq!(Deforming::still(crossed).self_impact(&near).time, Some(Interval::ZERO));
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
    for (from, to) in
        [("thick_cloth_t0.ply.gz", "thick_cloth_t1.ply.gz"), ("cloth_ball92.ply.gz", "cloth_ball93.ply.gz")]
    {
        let (start, end) = (read(from), read(to));
        assert_eq!(start.triangles, end.triangles);
        let begin = std::time::Instant::now();
        let cloth = deforming(&start, &end.vertices);
        let built = begin.elapsed();
        let impact = cloth.self_impact(&Inclusion { tolerance: 1e-9, separation: 0.0 });
        let all = begin.elapsed();
        println!("{from}: built in {built:?}, {:?} of all in {all:?}: {:?}", impact.time, impact.stats);
        let touches = mesh(&end).self_contacts(impinge::Limit::First).touching();
        assert!(!touches || impact.time.is_some(), "{to} touches itself");
    }
}
