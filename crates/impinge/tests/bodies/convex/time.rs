//! Time: bodies of up to a thousand vertices answer within 10 ms, and nothing takes a second.
//!
//! The bounds are for a release build; the least of a few runs is what counts, in time on the processor.

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use glam::{DQuat, DVec3};
use impinge::{Convex, Limit, Method, Model, Pair, Pose};
use impinge_testing::random::Random;
use impinge_testing::shapes;

use crate::round::oracle::{Kind, every_kind};
use crate::verdict::engines::of_convex;

/// How long this thread has run; where the system does not tell, the time since this was first called.
fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = ran.and_then(|line| line.split_whitespace().next()?.parse().ok());
    ran.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// A verb's name and its question.
type Verb<'q> = (&'static str, &'q dyn Fn(&mut Pair) -> usize);

/// The slowest verb of a pair without memory: for each verb the least time of up to three runs.
fn slowest(a: &Model, b: &Model, pose: &Pose, method: Method) -> (Duration, &'static str) {
    let here = &Pose::IDENTITY;
    let verbs: [Verb<'_>; 5] = [
        ("overlap", &|p| usize::from(p.overlap(here, pose).overlap)),
        ("distance", &|p| usize::from(p.distance(here, pose).penetrating)),
        ("within", &|p| usize::from(p.within(here, pose, 0.1).within)),
        ("penetration", &|p| usize::from(p.penetration(here, pose).direction.is_some())),
        ("contacts", &|p| p.contacts(here, pose, Limit::All).iter().count()),
    ];
    let mut worst = (Duration::ZERO, "");
    for (verb, ask) in verbs {
        let mut least = Duration::MAX;
        for _ in 0..3 {
            let mut pair = Pair::new(a, b).with_method(method);
            let start = clock();
            black_box(ask(&mut pair));
            least = least.min(clock() - start);
            if least < Duration::from_millis(5) {
                break;
            }
        }
        worst = worst.max((least, verb));
    }
    worst
}

/// The limit is for a release build on a machine that does nothing else. With checked arithmetic, on a busy machine,
/// four times as much is allowed.
const ALLOWED: Duration = Duration::from_millis(if cfg!(debug_assertions) { 40 } else { 10 });

#[test]
fn a_thousand_vertices() {
    let mut random = Random::new(1);
    let ball: Vec<DVec3> = (0..1000).map(|_| random.point(1.0).normalize_or(DVec3::X)).collect();
    let flat: Vec<DVec3> = ball.iter().map(|p| *p * DVec3::new(1.0, 1.0, 1e-6)).collect();
    let long: Vec<DVec3> = ball.iter().map(|p| *p * DVec3::new(1.0, 1e-6, 1e-6)).collect();
    let prism = shapes::prism(500, 1.0, 1.0).vertices;
    let models: Vec<Model> = [ball, flat, long, prism].iter().map(|p| Convex::hull(p).unwrap().into()).collect();
    let mut late = Vec::new();
    for a in 0..models.len() {
        for b in 0..=a {
            for (gap, aside) in [("same", 0.0), ("deep", 0.3), ("shallow", 1.9), ("far", 4.0)] {
                let rotation = if gap == "same" { DQuat::IDENTITY } else { random.rotation() };
                let pose = Pose::new(random.point(1.0).normalize_or(DVec3::X) * aside, rotation).unwrap();
                // Brute force is quadratic by design, and has its own test below.
                for method in of_convex().into_iter().filter(|method| *method != Method::Brute) {
                    let (took, verb) = slowest(&models[a], &models[b], &pose, method);
                    if took > ALLOWED {
                        late.push(format!("{method}, {verb}, {gap}, bodies {a} {b}: {took:?}"));
                    }
                }
            }
        }
    }
    assert!(late.is_empty(), "{} late:\n{}", late.len(), late.join("\n"));
}

#[test]
fn brute_force_within_a_second() {
    let mut random = Random::new(3);
    let ball: Vec<DVec3> = (0..1000).map(|_| random.point(1.0).normalize_or(DVec3::X)).collect();
    let model: Model = Convex::hull(&ball).unwrap().into();
    for aside in [0.3, 1.9, 4.0] {
        let pose = Pose::new(DVec3::X * aside, random.rotation()).unwrap();
        let (took, verb) = slowest(&model, &model, &pose, Method::Brute);
        assert!(took < 100 * ALLOWED, "{verb}: {took:?}");
    }
}

#[test]
fn round_shapes_in_time() {
    let mut random = Random::new(2);
    let mut late = Vec::new();
    for round in 0..6 {
        let kinds = every_kind(&mut random);
        let models: Vec<Model> = kinds.iter().map(|k| k.model()).collect();
        for (i, a) in models.iter().enumerate() {
            for (j, b) in models.iter().enumerate() {
                let pose = Pose::new(random.point(0.4 * f64::from(round)), random.rotation()).unwrap();
                for method in [Method::Auto, of_convex()[random.below(of_convex().len() as u64) as usize]] {
                    let (took, verb) = slowest(a, b, &pose, method);
                    if took > ALLOWED {
                        late.push(format!("{method}, {verb}, {:?} and {:?}: {took:?}", kinds[i], kinds[j]));
                    }
                }
            }
        }
    }
    assert!(late.is_empty(), "{} late:\n{}", late.len(), late.join("\n"));
}

/// Plates, needles, polygons and curved bodies on one axis: very many translations that separate are nearly equally
/// short, so that the polytope grows to its cap.
#[test]
fn very_many_equally_short_ways_out_in_time() {
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0)).to_vec();
    let kinds = [
        Kind::Cylinder(0.397, 1.86e-6),
        Kind::Cylinder(1.06e-4, 40.0),
        Kind::Cylinder(1.5, 0.5),
        Kind::Cone(0.5, 2.5),
        Kind::Ellipsoid(DVec3::new(3.0, 3.0, 0.5)),
        Kind::Disc(1.5),
        Kind::Polygon(square),
        Kind::Margin(Box::new(Kind::Disc(1.0)), 0.5),
    ];
    let mut late = Vec::new();
    for a in &kinds {
        for b in &kinds {
            for at in [DVec3::ZERO, DVec3::Z * 0.5, DVec3::X * 0.5, DVec3::new(0.5, -0.5, 0.5)] {
                for turn in [DQuat::IDENTITY, DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5)] {
                    let (took, verb) = slowest(&a.model(), &b.model(), &Pose::new(at, turn).unwrap(), Method::Auto);
                    if took > ALLOWED {
                        late.push(format!("{verb}, {a:?} and {b:?} at {at}: {took:?}"));
                    }
                }
            }
        }
    }
    assert!(late.is_empty(), "{} late:\n{}", late.len(), late.join("\n"));
}
