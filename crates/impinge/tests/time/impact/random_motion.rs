//! Random motions against dense sampling: never late, never missed, and early by no more than the gap there allows.
//!
//! With `IMPINGE_LONG` set, 10⁵ motions of each kind.

use impinge::glam::{DQuat, DVec3};
use impinge::{Convex, Impact, Mesh, Model, Motion, Pair, Parts, Pose, Round, Span, Steady};
use impinge_testing::environment::is_long;
use impinge_testing::random::Random;

use super::{cloud, faces, some_motion, v};

fn against_sampling(seed: u64, count: usize, spin: f64, close: f64, models: impl Fn(&mut Random) -> [Model; 2]) {
    sampled(seed, count, close, |random| {
        let models = models(random);
        (models, [some_motion(random, 3.0, 1.0, spin), some_motion(random, 1.0, 0.5, 0.7 * spin)])
    });
}

fn sampled(seed: u64, count: usize, close: f64, some: impl Fn(&mut Random) -> ([Model; 2], [Steady; 2])) {
    let count = if is_long() { 100_000 } else { count };
    let mut random = Random::new(seed);
    let (mut hits, mut uncertain, mut most, mut faults) = (0, 0, 0, Vec::new());
    for case in 0..count {
        let ([a, b], ways) = some(&mut random);
        let mut pair = Pair::new(&a, &b);
        let impact = pair.impact(&ways[0], &ways[1], Span::UNIT);
        hits += usize::from(impact.time.is_some());
        most = most.max(impact.stats.iterations);
        uncertain += usize::from(impact.time.is_some() && !impact.certain);
        if let Err(fault) = is_first(&mut pair, &ways, &impact, close) {
            eprintln!("case {case}: {fault}: {impact:?}");
            faults.push(case);
        }
    }
    eprintln!("{hits} of {count} touch, {uncertain} uncertain, at most {most} steps");
    assert!(faults.is_empty(), "cases {faults:?}");
    assert!(hits > count / 5 && hits < count, "{hits} of {count} touch");
}

/// Whether sampling finds nothing against an impact.
fn is_first(pair: &mut Pair, ways: &[Steady; 2], impact: &Impact, close: f64) -> Result<(), String> {
    let touching = |pair: &mut Pair, t: f64| pair.overlap(&ways[0].pose(t), &ways[1].pose(t)).overlap;
    let samples = 400;
    let first = (0..=samples).map(|i| f64::from(i) / f64::from(samples)).find(|&t| touching(pair, t));
    let ensure = |holds: bool, fault: &str| if holds { Ok(()) } else { Err(fault.to_owned()) };
    let Some(time) = impact.time else {
        ensure(first.is_none(), "a sample is missed")?;
        // The samples may have a graze between them.
        return ensure(pair.sweep(&ways[0], &ways[1], Span::UNIT).interval.upper > 0.0, "a graze is missed");
    };
    ensure(first.is_none_or(|first| time.lower <= first), "late for a sample")?;
    // Ever nearer to the time given, from before.
    let sooner = (9..36).map(|k| time.lower - 2f64.powi(-k)).find(|&t| t >= 0.0 && touching(pair, t));
    ensure(sooner.is_none(), "late")?;
    ensure(time.lower <= time.upper && time.upper - time.lower < 1e-3, "a wide interval")?;
    ensure(!impact.certain || touching(pair, time.upper), "not certain")?;
    let gap = pair.distance(&ways[0].pose(time.lower), &ways[1].pose(time.lower)).interval;
    ensure(gap.lower < close, &format!("early by a gap of {}", gap.lower))?;
    if time.lower == 0.0 {
        return Ok(());
    }
    let (Some(n), Some(w)) = (impact.normal, impact.witness) else { return Err("no contact".to_owned()) };
    ensure((n.length() - 1.0).abs() < 1e-9, "a normal that is not of unit length")?;
    ensure(w.points[0].distance(w.points[1]) < 1e-6, "points apart")
}

fn hulls(random: &mut Random) -> [Model; 2] {
    [1.0, 0.6].map(|size| Convex::hull(&cloud(random, size)).unwrap().into())
}

#[test]
fn hulls_translate() {
    against_sampling(1, 300, 0.0, 1e-9, hulls);
}

#[test]
fn hulls_turn() {
    against_sampling(2, 300, 2.0, 1e-9, hulls);
}

#[test]
fn hulls_spin() {
    against_sampling(3, 300, 9.0, 1e-9, hulls);
}

/// A hull rolls over a face of another as a wheel does on the ground. The path of the vertex farthest from the axis has
/// cusps, which come as near to the plane of the face as 1e-12, or as far below it; those of all others have
/// inflections.
#[test]
fn hulls_roll() {
    let from_axis = |x: DVec3| x.x.hypot(x.z);
    sampled(8, 200, 1e-9, |random| {
        let [wheel, ground] = [1.0, 0.8].map(|size| Convex::hull(&cloud(random, size)).unwrap());
        let velocity = v(random.within(2.0, 6.0), 0.0, 0.0);
        let turned = random.rotation();
        let tip = wheel.vertices().iter().map(|x| turned * *x).max_by(|x, y| from_axis(*x).total_cmp(&from_axis(*y)));
        let (tip, rim) = (tip.unwrap(), from_axis(tip.unwrap()));
        let spin = v(0.0, velocity.x / rim, 0.0);
        let above = 10f64.powf(random.within(-12.0, -1.0)) * if random.within(0.0, 1.0) < 0.5 { 1.0 } else { -1.0 };
        // At half time it has come over the middle of the face, with the tip down, or nearly.
        let down = DQuat::from_rotation_arc((tip * v(1.0, 0.0, 1.0)).normalize(), -DVec3::Z);
        let back = DQuat::from_rotation_y(-spin.y * random.within(0.49, 0.51));
        let pose = Pose::new(v(-0.5 * velocity.x, -tip.y, rim + above), back * down * turned).unwrap();
        let rolling = Steady::new(pose, DVec3::ZERO, velocity, spin, 0.0).unwrap();
        let face = random.below(ground.face_count() as u64) as u32;
        let corners: Vec<DVec3> = ground.face_corners(face).unwrap().map(|i| ground.vertices()[i as usize]).collect();
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[1]).normalize();
        let flat = DQuat::from_rotation_arc(normal, DVec3::Z);
        let still = Steady::still(Pose::new(-(flat * middle), flat).unwrap());
        ([wheel.into(), ground.into()], [rolling, still])
    });
}

fn round(random: &mut Random) -> Model {
    let [x, y, z] = [0; 3].map(|_| random.within(0.1, 0.9));
    match (random.within(0.0, 1.0) * 6.0) as u32 {
        0 => Round::sphere(x),
        1 => Round::capsule(0.4 * x, y),
        2 => Round::cylinder(x, y),
        3 => Round::cone(x, y),
        4 => Round::ellipsoid(v(x, y, z)),
        _ => Round::cuboid(v(x, y, z)).unwrap().with_margin(0.1 * x),
    }
    .unwrap()
    .into()
}

#[test]
fn round_bodies_turn() {
    against_sampling(4, 300, 3.0, 1e-8, |random| [round(random), round(random)]);
}

#[test]
fn round_bodies_spin() {
    against_sampling(9, 100, 9.0, 1e-8, |random| [round(random), round(random)]);
}

#[test]
fn round_bodies_translate() {
    against_sampling(7, 100, 0.0, 1e-8, |random| [round(random), round(random)]);
}

/// Two hulls as one body of parts, or as a mesh; or an ellipsoid.
fn mesh_or_parts(random: &mut Random) -> Model {
    let (p, q) = (cloud(random, 0.5), cloud(random, 0.5));
    let shift = random.point(1.0).normalize_or_zero() * 0.6;
    let hulls = [p, q.iter().map(|x| *x + shift).collect()].map(|points: Vec<DVec3>| Convex::hull(&points).unwrap());
    if random.within(0.0, 1.0) < 0.3 {
        return Parts::new(hulls.to_vec()).unwrap().into();
    }
    if random.within(0.0, 1.0) < 0.2 {
        return Round::ellipsoid(v(0.3, 0.6, 0.9)).unwrap().into();
    }
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for hull in &hulls {
        let first = points.len() as u32;
        points.extend_from_slice(hull.vertices());
        triangles.extend(faces(hull).into_iter().map(|t| t.map(|i| i + first)));
    }
    Mesh::new(points, triangles).unwrap().into()
}

#[test]
fn meshes_and_parts_translate() {
    against_sampling(5, 200, 0.0, 1e-8, |random| [mesh_or_parts(random), mesh_or_parts(random)]);
}

#[test]
fn meshes_and_parts_spin() {
    against_sampling(10, 50, 9.0, 1e-8, |random| [mesh_or_parts(random), mesh_or_parts(random)]);
}

#[test]
fn meshes_and_parts_turn() {
    against_sampling(6, 200, 3.0, 1e-8, |random| [mesh_or_parts(random), mesh_or_parts(random)]);
}
