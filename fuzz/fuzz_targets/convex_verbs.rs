//! Any bytes, taken as two convex bodies of any kind and some poses: every verb answers through every engine, all say
//! the same yes or no, and their intervals hold what closed forms, brute force and the oracle of hulls say.
#![no_main]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../crates/impinge/tests/bodies/round/oracle.rs"]
mod oracle;

use impinge::glam::DVec3;
use impinge::{DepthKind, Interval, Limit, Method, Model, Pair, Pose, Touch};
use impinge_fuzz::{Bytes, into_frame_of_a};
use impinge_testing::hulls::truth;
use libfuzzer_sys::fuzz_target;
use oracle::{Kind, Placed};

const METHODS: [Method; 17] = [
    Method::Auto,
    Method::Brute,
    Method::Tree,
    Method::LinCanny,
    Method::LinCannyCells,
    Method::VClip,
    Method::Gjk,
    Method::GjkSignedVolumes,
    Method::GjkJohnson,
    Method::GjkNesterov,
    Method::EnhancedGjk,
    Method::WitnessPlane,
    Method::SeparatingVector,
    Method::Rabbitz,
    Method::Epa,
    Method::GaussMap,
    Method::Incremental,
];

/// Any constructor there is.
fn body(bytes: &mut Bytes<'_>, kind: u8) -> Kind {
    let which = bytes.byte();
    let core = match which % 14 {
        0 => Kind::Sphere(bytes.length(kind)),
        1 => Kind::Capsule(bytes.length(kind), bytes.length(kind)),
        2 => Kind::Box(DVec3::new(bytes.length(kind), bytes.length(kind), bytes.length(kind))),
        3 => Kind::Cylinder(bytes.length(kind), bytes.length(kind)),
        4 => Kind::Cone(bytes.length(kind), bytes.length(kind)),
        5 => Kind::Ellipsoid(DVec3::new(bytes.length(kind), bytes.length(kind), bytes.length(kind))),
        6 => Kind::HalfSpace(half_space(bytes, kind), bytes.number(kind)),
        7 => Kind::Segment(bytes.point(kind), bytes.point(kind)),
        8 => Kind::Triangle([bytes.point(kind), bytes.point(kind), bytes.point(kind)]),
        9 => Kind::Polygon(bytes.points(kind, 6)),
        10 => Kind::Point(bytes.point(kind)),
        11 => Kind::Disc(bytes.length(kind)),
        _ => Kind::Hull(bytes.points(kind, 10)),
    };
    if which < 192 { core } else { Kind::Margin(Box::new(core), bytes.length(kind)) }
}

/// A normal: of unit length, unless it is any bits at all.
fn half_space(bytes: &mut Bytes<'_>, kind: u8) -> DVec3 {
    let n = bytes.point(kind);
    if kind == 2 { n } else { n.normalize_or(DVec3::Z) }
}

/// What the verbs said.
struct Said {
    overlap: bool,
    distance: Interval,
    /// Closest points.
    points: Option<[DVec3; 2]>,
    /// A common point.
    common: Option<DVec3>,
    depth: Option<(Interval, DVec3, DepthKind)>,
}

/// Asks every verb, and demands that they agree with each other and say nothing that is not a number.
fn ask(pair: &mut Pair, [pa, pb]: &[Pose; 2], tolerance: f64, say: &dyn Fn(&str) -> String) -> Said {
    let (overlap, distance) = (pair.overlap(pa, pb), pair.distance(pa, pb));
    let (penetration, contacts) = (pair.penetration(pa, pb), pair.contacts(pa, pb, Limit::All));
    let (i, d) = (distance.interval, penetration.interval);
    assert!(i.lower >= 0.0 && i.lower <= i.upper && i.upper.is_finite(), "{}", say(&format!("{i:?}")));
    assert!(d.lower >= 0.0 && d.lower <= d.upper, "{}", say(&format!("depth {d:?}")));
    let yes = overlap.overlap;
    assert_eq!(yes, overlap.witness.is_some(), "{}", say("overlap without a witness"));
    assert_eq!(yes, i.upper == 0.0, "{}", say("overlap and distance"));
    assert_eq!(yes, distance.penetrating, "{}", say("overlap and penetrating"));
    assert_eq!(yes, penetration.direction.is_some(), "{}", say("overlap and penetration"));
    assert_eq!(yes, contacts.touching(), "{}", say("overlap and contacts"));
    assert_eq!(yes, pair.within(pa, pb, 0.0).within, "{}", say("overlap and within 0"));
    assert!(pair.within(pa, pb, i.upper).within, "{}", say("not within the upper end of the distance"));
    assert!(yes || d.upper == 0.0, "{}", say("apart, and deep"));
    assert!(contacts.complete && contacts.pairs.len() == usize::from(yes), "{}", say("contacts"));
    for contact in contacts.iter() {
        assert!(contact.points.iter().flatten().all(|p| p.is_finite()), "{}", say(&format!("{contact:?}")));
        assert!(contact.normal.is_finite() && contact.pair == [0, 0], "{}", say(&format!("{contact:?}")));
    }
    let within = pair.within(pa, pb, tolerance);
    let known = tolerance.max(0.0);
    assert!(within.within || known < i.upper, "{}", say(&format!("not within {tolerance:e} of {i:?}")));
    let witnesses = [&distance.witness, &penetration.witness, &within.witness];
    assert!(
        witnesses.iter().all(|w| w.is_none_or(|w| w.points.iter().all(|p| p.is_finite()))),
        "{}",
        say("a witness that is no point")
    );
    Said {
        overlap: yes,
        distance: i,
        points: distance.witness.map(|w| w.points),
        common: overlap.witness.and_then(|w| if let Touch::Common(p) = w { Some(p) } else { None }),
        depth: penetration.direction.map(|way| (d, way, penetration.kind)),
    }
}

/// What is true of two bodies: less than zero where they overlap, by the depth; and within which slack.
fn signed(a: &Placed, b: &Placed, unit: f64) -> Option<(f64, f64)> {
    let (near, far) = (1e-12 * unit, 1e-9 * unit);
    if let (Some((p, ra)), Some((q, rb))) = (a.kind.rounded_corners(), b.kind.rounded_corners()) {
        let q: Vec<DVec3> = q.into_iter().map(into_frame_of_a(&a.pose, &b.pose)).collect();
        return Some((truth(&p, &q).signed() - ra - rb, near));
    }
    for (a, b) in [(a, b), (b, a)] {
        let (core, margin) = match &b.kind {
            Kind::Margin(core, m) => (core.as_ref(), *m),
            core => (core, 0.0),
        };
        if let Kind::HalfSpace(n, d) = core
            && !a.kind.is_half_space()
        {
            let n = b.pose.rotation() * *n;
            return Some((-a.reach(-n) - n.dot(b.pose.translation()) - d - margin, near));
        }
        if let Some((corners, radius)) = b.kind.rounded_corners()
            && let [centre] = corners[..]
            && !a.kind.is_curved()
        {
            return Some((a.distance(b.pose.apply(centre)) - radius, far));
        }
    }
    None
}

fn check(said: &Said, a: &Placed, b: &Placed, truth: Option<(f64, f64)>, unit: f64, say: &dyn Fn(&str) -> String) {
    if let Some((signed, slack)) = truth {
        assert!(said.overlap == (signed <= 0.0) || signed.abs() <= slack, "{}", say("the wrong yes or no"));
        let (i, distance) = (said.distance, signed.max(0.0));
        let holds = i.lower <= distance + 1e-13 * unit && distance - 1e-13 * unit <= i.upper;
        assert!(holds || slack > 1e-11 * unit, "{}", say(&format!("{i:?} does not hold the distance")));
        assert!((i.mid() - distance).abs() <= slack, "{}", say(&format!("{i:?} is no distance")));
    }
    let common = said.common.into_iter().chain(said.points.into_iter().flatten().filter(|_| said.overlap));
    for p in common {
        let off = [a.distance(p), b.distance(p)];
        assert!(off[0].max(off[1]) <= 1e-8 * unit, "{}", say(&format!("{p} is not common, but {off:?} off")));
    }
    if let (false, Some([p, q])) = (said.overlap, said.points) {
        // Two points bound the distance from above, a plane between the bodies from below.
        let slack = 1e-8 * unit;
        let apart = p.distance(q);
        assert!((apart - said.distance.mid()).abs() <= slack, "{}", say(&format!("{p} and {q} are {apart:e} apart")));
        let off = [a.distance(p), b.distance(q)];
        assert!(off[0].max(off[1]) <= slack, "{}", say(&format!("{p}, {q} are {off:?} off")));
        let n = (q - p).normalize_or_zero();
        let plane = -a.reach(n) - b.reach(-n);
        let bounded = a.kind.is_half_space() || b.kind.is_half_space() || apart <= 1e-3 * unit;
        assert!(bounded || said.distance.lower <= plane + slack, "{}", say(&format!("{plane:e} along {n}")));
    }
    let Some((d, way, kind)) = said.depth else { return };
    if kind == DepthKind::Estimate || d.lower.is_infinite() {
        return;
    }
    assert_eq!(kind, DepthKind::Exact, "{}", say("of convex bodies"));
    assert!((way.length() - 1.0).abs() <= 1e-9, "{}", say(&format!("{way} is no direction")));
    if !a.kind.is_half_space() && !b.kind.is_half_space() {
        let needed = a.reach(way) + b.reach(-way);
        let slack = 1e-9 * unit;
        assert!(needed <= d.upper + slack && d.lower <= needed + slack, "{}", say(&format!("{d:?}, {needed:e}")));
    }
    if let Some((signed, slack)) = truth {
        let slack = slack.max(1e-9 * unit);
        assert!(d.lower <= slack - signed && -signed <= d.upper + slack, "{}", say(&format!("depth {d:?}")));
    }
}

fn meet(x: Interval, y: Interval, slack: f64) -> bool {
    x.lower <= y.upper + slack && y.lower <= x.upper + slack
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let kind = bytes.byte() % 3;
    let (a, b) = (body(&mut bytes, kind), body(&mut bytes, kind));
    let (Ok(model_a), Ok(model_b)) = (a.build(), b.build()) else { return };
    // Curved bodies know one engine.
    let others = if a.is_curved() || b.is_curved() { 0 } else { 3 };
    let methods: Vec<Method> = [Method::Auto, Method::Brute]
        .into_iter()
        .chain((0..3).map(|_| METHODS[usize::from(bytes.byte()) % 17]).take(others))
        .collect();
    let new = |a: &Model, b: &Model, m: Method| Pair::new(a, b).with_method(m);
    let mut warm: Vec<Pair> = methods.iter().map(|&m| new(&model_a, &model_b, m)).collect();
    for _ in 0..3 {
        let (Some(pa), Some(pb)) = (bytes.pose(kind), bytes.pose(kind)) else { return };
        let (poses, tolerance) = ([pa, pb], bytes.number(kind));
        let (a, b) = (Placed { kind: a.clone(), pose: pa }, Placed { kind: b.clone(), pose: pb });
        // Of any bits at all there is no closed form to trust, only that there are answers.
        let unit = [&a, &b].map(|x| x.kind.farthest() + x.pose.translation().length()).iter().sum::<f64>();
        let truth = if kind == 2 { None } else { signed(&a, &b, unit) };
        let polyhedra = a.kind.corners().is_some() && b.kind.corners().is_some();
        let mut first: Option<Said> = None;
        for (pair, method) in warm.iter_mut().zip(&methods) {
            let say = |what: &str| format!("{method}: {what}; truly {truth:?}\n  {a:?}\n  {b:?}");
            let said = ask(pair, &poses, tolerance, &say);
            let cold = ask(&mut new(&model_a, &model_b, *method), &poses, tolerance, &say);
            let back = ask(&mut new(&model_b, &model_a, *method), &[pb, pa], tolerance, &say);
            if kind == 2 {
                continue;
            }
            check(&said, &a, &b, truth, unit, &say);
            check(&back, &b, &a, truth, unit, &say);
            assert_eq!(said.overlap, cold.overlap, "{}", say("memory changes the answer"));
            assert!(meet(said.distance, cold.distance, 0.0), "{}", say("memory changes the distance"));
            let swapped = format!("{:?} the other way round, not {:?}", back.distance, said.distance);
            assert!(meet(said.distance, back.distance, 1e-14 * unit), "{}", say(&swapped));
            let first = first.get_or_insert(cold);
            assert_eq!(said.overlap, first.overlap, "{}", say("another engine disagrees"));
            let others = format!("{:?}, but by auto {:?}", said.distance, first.distance);
            assert!(meet(said.distance, first.distance, 0.0), "{}", say(&others));
            let depths = [said.depth, first.depth].map(|d| d.filter(|d| d.2 == DepthKind::Exact).map(|d| d.0));
            if let [Some(x), Some(y)] = depths
                && polyhedra
            {
                assert!(meet(x, y, 1e-13 * unit), "{}", say(&format!("depth {x:?}, but by auto {y:?}")));
            }
        }
    }
});
