//! Round shapes against formulas, and any two of them against bounds that follow from how far each one reaches.

use glam::{DQuat, DVec3};
use impinge::{Convex, DepthKind, Method, Model, Pair, Pose, Round, Semantics, Touch};
use impinge_testing::hulls::truth;
use impinge_testing::random::Random;

use crate::round::oracle::{Kind, Placed, every_kind};
use crate::verdict::engines::of_convex;

/// Each call takes the next method.
fn engine(turn: usize) -> Method {
    let all = of_convex();
    all[turn % all.len()]
}

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn pose(random: &mut Random, reach: f64) -> Pose {
    Pose::new(random.point(reach), random.rotation()).unwrap()
}

/// The answers of `a` and `b` against their signed distance, all verbs, both ways round.
fn agrees(a: &Placed, b: &Placed, signed: f64, method: Method) {
    for (a, b) in [(a, b), (b, a)] {
        let mut pair = Pair::new(a.kind.model(), b.kind.model()).with_method(method);
        one_way(&mut pair, a, b, signed, method);
    }
}

fn one_way(pair: &mut Pair, a: &Placed, b: &Placed, signed: f64, method: Method) {
    let (pa, pb) = (&a.pose, &b.pose);
    let size = a.kind.size().max(b.kind.size()).max(1e-300);
    let reach = [a, b].map(|x| x.kind.farthest() + x.pose.translation().length());
    let slack = 1e-12 * signed.abs().max(size) + 1e-14 * (reach[0] + reach[1]);
    let say = |what: &str| format!("{method}: {what}; truly {signed:e}\n  {a:?}\n  {b:?}");
    let overlap = pair.overlap(pa, pb);
    let got = pair.distance(pa, pb);
    let deep = pair.penetration(pa, pb);
    assert_eq!(overlap.semantics, Semantics::Solid);
    let certain = signed.abs() > slack;
    assert!(overlap.overlap == (signed <= 0.0) || !certain, "{}", say("overlap"));
    assert_eq!(got.penetrating, overlap.overlap, "{}", say("distance and overlap differ"));
    assert_eq!(got.interval.upper == 0.0, overlap.overlap, "{}", say("zero and overlap differ"));
    assert_eq!(deep.direction.is_some(), overlap.overlap, "{}", say("penetration and overlap differ"));
    assert_eq!(pair.within(pa, pb, 0.0).within, overlap.overlap, "{}", say("within 0 and overlap differ"));
    let distance = signed.max(0.0);
    let off = (got.interval.lower - distance).abs().max((got.interval.upper - distance).abs());
    assert!(off <= slack, "{}", say(&format!("distance {:?}", got.interval)));
    assert!(pair.within(pa, pb, distance + 2.0 * slack).within, "{}", say("within"));
    assert!(!pair.within(pa, pb, distance - 4.0 * slack).within || overlap.overlap, "{}", say("not within"));
    if overlap.overlap {
        if deep.kind != DepthKind::Estimate {
            let slack = 1e-9 * (-signed).max(size);
            let off = (deep.interval.lower + signed).abs().max((deep.interval.upper + signed).abs());
            assert!(off <= slack || !certain, "{}", say(&format!("depth {deep:?}")));
            let way = deep.direction.unwrap();
            assert!((way.length() - 1.0).abs() <= 1e-12, "{}", say("not a unit vector"));
            let needed = a.reach(way) + b.reach(-way);
            assert!(
                needed <= -signed + 10.0 * slack || a.kind.is_half_space() || b.kind.is_half_space(),
                "{}",
                say(&format!("{way} takes {needed:e}"))
            );
        }
    } else {
        let [p, q] = got.witness.unwrap_or_else(|| panic!("{}", say("no witness"))).points;
        assert!((p.distance(q) - distance).abs() <= 2.0 * slack, "{}", say(&format!("witnesses {p} {q}")));
        let off = [a.distance(p).abs(), b.distance(q).abs()];
        assert!(off[0].max(off[1]) <= 1e-10 * size.max(distance), "{}", say(&format!("witnesses off by {off:?}")));
    }
}

/// A ball against everything: the centre's distance less the radius.
#[test]
fn balls_against_every_kind() {
    let mut random = Random::new(1);
    for round in 0..600 {
        for kind in every_kind(&mut random) {
            let radius = random.within(0.1, 1.0);
            let a = Placed { kind, pose: pose(&mut random, 1.5) };
            let b = Placed { kind: Kind::Sphere(radius), pose: pose(&mut random, 1.5) };
            let signed = a.distance(b.pose.translation()) - radius;
            agrees(&a, &b, signed, engine(round));
        }
    }
}

#[test]
fn points_against_every_kind() {
    let mut random = Random::new(2);
    for round in 0..600 {
        for kind in every_kind(&mut random) {
            let a = Placed { kind, pose: pose(&mut random, 1.5) };
            let p = random.point(1.5);
            let b = Placed { kind: Kind::Point(p), pose: Pose::IDENTITY };
            agrees(&a, &b, a.distance(p), engine(round));
        }
    }
}

/// A half-space against everything: how low the body reaches.
#[test]
fn half_spaces_against_every_kind() {
    let mut random = Random::new(3);
    for round in 0..600 {
        for kind in every_kind(&mut random).into_iter().filter(|k| !k.is_half_space()) {
            let (n, d) = (random.point(1.0).normalize_or(DVec3::Z), random.within(-1.0, 1.0));
            let b = Placed { kind, pose: pose(&mut random, 1.5) };
            let a = Placed { kind: Kind::HalfSpace(n, d), pose: Pose::IDENTITY };
            agrees(&a, &b, -b.reach(-n) - d, engine(round));
        }
    }
}

/// Bodies that are corners and a margin: the corners' signed distance less the margins.
#[test]
fn rounded_polyhedra_against_the_oracle_for_hulls() {
    let mut random = Random::new(4);
    for round in 0..200 {
        let kinds: Vec<Kind> = every_kind(&mut random).into_iter().filter(|k| k.rounded_corners().is_some()).collect();
        for x in &kinds {
            for y in &kinds {
                let a = Placed { kind: x.clone(), pose: pose(&mut random, 1.0) };
                let b = Placed { kind: y.clone(), pose: pose(&mut random, 1.0) };
                let ((p, r), (q, s)) = (x.rounded_corners().unwrap(), y.rounded_corners().unwrap());
                let signed = truth(&a.world(&p), &b.world(&q)).signed() - r - s;
                agrees(&a, &b, signed, engine(round));
            }
        }
    }
}

/// Corners of the section of a body about the z axis, drawn out along y.
fn drawn_out(kind: &Kind, length: f64) -> Vec<DVec3> {
    let section = match kind {
        Kind::Cylinder(r, h) => vec![(*r, -0.5 * h), (-r, -0.5 * h), (*r, 0.5 * h), (-r, 0.5 * h)],
        Kind::Cone(r, h) => vec![(*r, -0.5 * h), (-r, -0.5 * h), (0.0, 0.5 * h)],
        _ => unreachable!("only cylinders and cones are asked"),
    };
    section.into_iter().flat_map(|(x, z)| [v(x, -length, z), v(x, length, z)]).collect()
}

/// Cylinders and cones with parallel axes: their distance is that of their sections, which are polygons.
#[test]
fn bodies_about_parallel_axes() {
    let mut random = Random::new(5);
    for round in 0..200 {
        let mut one = || {
            let (r, h) = (random.within(0.2, 1.0), random.within(0.2, 1.5));
            if random.below(2) == 0 { Kind::Cylinder(r, h) } else { Kind::Cone(r, h) }
        };
        let (x, y) = (one(), one());
        let (aside, up) = (random.within(0.0, 2.5), random.within(-2.0, 2.0));
        let q: Vec<DVec3> = drawn_out(&y, 1.0).into_iter().map(|p| p + v(aside, 0.0, up)).collect();
        let signed = truth(&drawn_out(&x, 100.0), &q).signed();
        let base = pose(&mut random, 1.0);
        let round_z = DQuat::from_rotation_z(random.within(0.0, 6.0));
        let turned = (base.rotation() * round_z).normalize();
        let way = DQuat::from_rotation_z(random.within(0.0, 6.0)) * v(aside, 0.0, up);
        let a = Placed { kind: x, pose: base };
        let b = Placed { kind: y, pose: Pose::new(base.apply(way), turned).unwrap() };
        agrees(&a, &b, signed, engine(round));
    }
}

/// Any two bodies apart: the witnesses are of the bodies, and no point of either reaches past the planes through them.
#[test]
fn any_two_kinds_with_a_certificate() {
    let mut random = Random::new(6);
    let (mut apart, mut deep) = (0, 0);
    for round in 0..140 {
        let kinds = every_kind(&mut random);
        let method = engine(round);
        for x in &kinds {
            for y in &kinds {
                if x.is_half_space() || y.is_half_space() {
                    continue;
                }
                let a = Placed { kind: x.clone(), pose: pose(&mut random, 1.2) };
                let b = Placed { kind: y.clone(), pose: pose(&mut random, 1.2) };
                let mut pair = Pair::new(x.model(), y.model()).with_method(method);
                let size = x.size().max(y.size()).max(0.1);
                let say = |what: String| format!("{method}: {what}\n  {a:?}\n  {b:?}");
                let got = pair.distance(&a.pose, &b.pose);
                if !got.penetrating {
                    apart += 1;
                    let [p, q] = got.witness.unwrap().points;
                    let off = a.distance(p).abs().max(b.distance(q).abs());
                    // If a direction is right to the square root of rounding, the distance of a curved body is right to
                    // rounding.
                    let allowed = if x.is_curved() || y.is_curved() { 1e-8 } else { 1e-12 };
                    assert!(off <= allowed * size.max(1.0), "{}", say(format!("witnesses {off:e} off: {got:?}")));
                    let n = (q - p).normalize();
                    let (gap, apart) = (-(a.reach(n) + b.reach(-n)), p.distance(q));
                    let tolerance = 1e-10 * size.max(apart);
                    let proved = gap >= apart - tolerance || apart <= 1e-6;
                    assert!(proved, "{}", say(format!("the gap is {gap:e}: {got:?}")));
                    let i = got.interval;
                    let fits =
                        i.lower <= apart + 1e-12 && i.upper >= gap - 1e-12 && i.width() <= 1e-9 * size.max(apart);
                    assert!(fits, "{}", say(format!("{apart:e} and {gap:e}: {got:?}")));
                } else {
                    deep += 1;
                    let got = pair.penetration(&a.pose, &b.pose);
                    if got.kind == DepthKind::Estimate {
                        continue;
                    }
                    let n = got.direction.unwrap();
                    let needed = a.reach(n) + b.reach(-n);
                    let i = got.interval;
                    let fits = needed <= i.upper + 1e-9 * size && i.width() <= 1e-8 * size && i.upper.is_finite();
                    assert!(fits, "{}", say(format!("{needed:e} along {n}: {got:?}")));
                    for _ in 0..300 {
                        let n = random.point(1.0).normalize_or(DVec3::X);
                        let other = a.reach(n) + b.reach(-n);
                        assert!(other >= i.lower - 1e-9 * size, "{}", say(format!("{other:e} along {n}: {got:?}")));
                    }
                }
            }
        }
    }
    assert!(apart > 500 && deep > 500, "{apart} apart, {deep} deep");
}

#[test]
fn half_spaces_against_each_other() {
    let up = |d: f64| Kind::HalfSpace(DVec3::Z, d).model();
    let down = |d: f64| Kind::HalfSpace(DVec3::NEG_Z, d).model();
    let here = &Pose::IDENTITY;
    for method in of_convex() {
        let mut facing = Pair::new(up(0.0), down(-1.5)).with_method(method);
        let got = facing.distance(here, here);
        assert!((got.interval.mid() - 1.5).abs() <= 1e-12 && !got.penetrating, "{method}: {got:?}");
        let mut through = Pair::new(up(0.0), down(0.25)).with_method(method);
        assert!(through.overlap(here, here).overlap && through.distance(here, here).interval.upper == 0.0);
        let deep = through.penetration(here, here);
        assert!((deep.interval.mid() - 0.25).abs() <= 1e-12, "{method}: {deep:?}");
        let aslant = Pose::new(v(0.0, 0.0, 100.0), DQuat::from_rotation_x(0.3)).unwrap();
        let mut crossing = Pair::new(up(0.0), down(0.25)).with_method(method);
        assert!(crossing.overlap(here, &aslant).overlap, "{method}: planes that are not parallel meet");
        let deep = crossing.penetration(here, &aslant);
        assert!(!deep.interval.lower.is_nan() && deep.interval.lower <= deep.interval.upper, "{method}: {deep:?}");
    }
}

/// Far from the origin, and at sizes from 1e-9 to 1e9.
#[test]
fn scale_and_place() {
    let mut random = Random::new(7);
    for s in [1e-9, 1e-3, 1e3, 1e9] {
        for _ in 0..40 {
            let kinds = [
                Kind::Sphere(0.7 * s),
                Kind::Capsule(0.3 * s, 1.1 * s),
                Kind::Box(v(0.5, 1.0, 1.5) * s),
                Kind::Cylinder(0.5 * s, 1.0 * s),
                Kind::Cone(0.5 * s, 1.0 * s),
                Kind::Ellipsoid(v(0.4, 0.6, 1.0) * s),
            ];
            for kind in kinds {
                let a = Placed { kind, pose: Pose::new(random.point(1.5 * s), random.rotation()).unwrap() };
                let centre = random.point(1.5 * s);
                let b = Placed { kind: Kind::Sphere(0.5 * s), pose: Pose::at(centre).unwrap() };
                agrees(&a, &b, a.distance(centre) - 0.5 * s, Method::Auto);
            }
        }
    }
    let far = v(1e15, -1e15, 1e15);
    let at = |p: DVec3| Pose::at(far + p).unwrap();
    let ball = |p: DVec3| Placed { kind: Kind::Sphere(0.5), pose: at(p) };
    for (a, b, signed) in [
        (Kind::Box(DVec3::ONE), ball(v(2.0, 0.0, 0.0)), 1.0f64),
        (Kind::Capsule(0.25, 2.0), ball(v(2.0, 0.0, 0.5)), 1.25),
        (Kind::Cylinder(1.0, 2.0), ball(v(0.0, 0.0, 1.25)), -0.25),
    ] {
        let mut pair = Pair::new(a.model(), b.kind.model());
        let (pa, pb) = (&at(DVec3::ZERO), &b.pose);
        let (got, deep) = (pair.distance(pa, pb).interval, pair.penetration(pa, pb).interval);
        assert!((got.mid() - signed.max(0.0)).abs() <= 1e-12, "{a:?}: {got:?}");
        assert!((deep.mid() - (-signed).max(0.0)).abs() <= 1e-9, "{a:?}: {deep:?}");
    }
}

/// Needles and plates: the ratio of a shape's lengths is up to 1e6.
#[test]
fn thin_shapes() {
    let mut random = Random::new(8);
    for thin in [1e-2, 1e-4, 1e-6] {
        for _ in 0..30 {
            let kinds = [
                Kind::Box(v(1.0, thin, thin)),
                Kind::Box(v(1.0, 1.0, thin)),
                Kind::Cylinder(thin, 1.0),
                Kind::Cylinder(1.0, thin),
                Kind::Cone(thin, 1.0),
                Kind::Cone(1.0, thin),
                Kind::Capsule(thin, 1.0),
                Kind::Ellipsoid(v(1.0, 1.0, thin)),
                Kind::Ellipsoid(v(thin, 1.0, thin)),
            ];
            for kind in kinds {
                let a = Placed { kind, pose: pose(&mut random, 0.5) };
                let p = random.point(0.7);
                let signed = a.distance(p) - 0.1;
                let b = Placed { kind: Kind::Sphere(0.1), pose: Pose::at(p).unwrap() };
                agrees(&a, &b, signed, Method::Auto);
            }
        }
    }
}

/// The user's shape through the trait is the library's of the same form.
/// The disc's rim touches an edge of the hull. GJK ends with a sliver of a tetrahedron around the origin, whose weights
/// once gave a point 0.125 off the disc.
#[test]
fn a_rim_on_an_edge_has_a_common_point() {
    let end = 1.0000000000001;
    let hull = Convex::hull(&[
        DVec3::new(end, 0.0, end),
        DVec3::ZERO,
        DVec3::new(1.0, 0.5, -1.5),
        DVec3::new(-0.5, 1.5, -0.5),
        DVec3::new(end / 2.0, -end / 2.0, end / 2.0),
        DVec3::new(1.0, 1.5, -0.5),
    ])
    .unwrap();
    let disc = Kind::Disc(2.0).build().unwrap();
    let poses = [DVec3::new(1.0, -1.5, -1.5), DVec3::new(-1.0, -0.5, -1.5)].map(|t| Pose::at(t).unwrap());
    for margin in [0.0, 2.0] {
        let body = Model::from(Round::around(hull.clone(), margin).unwrap());
        let Some(Touch::Common(p)) = Pair::new(&body, &disc).overlap(&poses[0], &poses[1]).witness else {
            panic!("no witness")
        };
        let q = p - poses[1].translation();
        assert!(q.z.abs() < 1e-9 && q.length() < 2.0 + 1e-9, "{margin}: {q}");
    }
}

#[test]
fn a_disc_of_the_users_own() {
    let disc = Placed { kind: Kind::Disc(1.0), pose: Pose::IDENTITY };
    let ball = |x: f64, z: f64| Placed { kind: Kind::Sphere(0.5), pose: Pose::at(v(x, 0.0, z)).unwrap() };
    for method in of_convex() {
        agrees(&disc, &ball(0.25, 2.0), 1.5, method);
        agrees(&disc, &ball(4.0, 4.0), 4.5, method);
        agrees(&disc, &ball(0.25, 0.25), -0.25, method);
    }
}

/// A small ball inside of a large one: the point said to be common is in both.
#[test]
fn a_margin_inside_of_another_has_a_common_point() {
    let mut random = Random::new(31);
    for round in 0..400 {
        let (large, small) = (random.within(0.5, 2.0), random.within(0.01, 0.4));
        let a = Placed { kind: Kind::Capsule(large, 1.0), pose: pose(&mut random, 0.5) };
        let b = Placed { kind: Kind::Sphere(small), pose: pose(&mut random, 0.9 * large) };
        for (a, b) in [(&a, &b), (&b, &a)] {
            let mut pair = Pair::new(a.kind.model(), b.kind.model()).with_method(engine(round));
            let (overlap, distance) = (pair.overlap(&a.pose, &b.pose), pair.distance(&a.pose, &b.pose));
            if !overlap.overlap {
                continue;
            }
            let Some(Touch::Common(p)) = overlap.witness else { panic!("{overlap:?}") };
            for p in distance.witness.unwrap().points.into_iter().chain([p]) {
                let off = [a.distance(p), b.distance(p)];
                assert!(off[0].max(off[1]) <= 1e-12, "{p} is {off:?} off\n  {a:?}\n  {b:?}");
            }
        }
    }
}

/// Cores that touch or are a rounding apart, with margins: the way out is across them, not along.
#[test]
fn margins_around_cores_a_rounding_apart() {
    let mut random = Random::new(32);
    let bar = |r: f64| Kind::Capsule(r, 2.0);
    let plate = Kind::Margin(Box::new(Kind::Box(v(2.0, 2.0, 0.5))), 0.125);
    let disc = Kind::Margin(Box::new(Kind::Disc(1.0)), 0.125);
    for (a, b, way, between) in [
        (bar(0.25), bar(0.125), DVec3::X, 0.0),
        (bar(0.25), Kind::Sphere(0.125), DVec3::Y, 0.0),
        (plate.clone(), plate.clone(), DVec3::Z, 0.5),
        (plate.clone(), bar(0.125), DVec3::X, 1.0),
        (disc.clone(), plate, DVec3::Z, 0.25),
        (disc.clone(), disc, DVec3::Z, 0.0),
    ] {
        for gap in [0.0, 1e-300, 1e-170, 1e-20, 1e-17, 1e-16, 1e-14, 1e-12, 1e-9, 1e-6, 1e-3] {
            for turned in [false, true] {
                let frame = if turned { pose(&mut random, 0.7) } else { Pose::IDENTITY };
                let pb = Pose::new(frame.apply(way * (between + gap)), frame.rotation()).unwrap();
                let (a, b) = (Placed { kind: a.clone(), pose: frame }, Placed { kind: b.clone(), pose: pb });
                for (a, b) in [(&a, &b), (&b, &a)] {
                    for method in [Method::Auto, Method::Brute, Method::GaussMap, Method::Epa] {
                        let mut pair = Pair::new(a.kind.model(), b.kind.model()).with_method(method);
                        let deep = pair.penetration(&a.pose, &b.pose);
                        let n = deep.direction.unwrap_or_else(|| panic!("{method}, {gap:e}: apart\n  {a:?}\n  {b:?}"));
                        let needed = a.reach(n) + b.reach(-n);
                        let slack = 1e-12 + if a.kind.is_curved() || b.kind.is_curved() { 1e-8 } else { 0.0 };
                        assert!(
                            needed <= deep.interval.upper + slack && deep.interval.lower <= needed + slack,
                            "{method}, {gap:e}: {deep:?} takes {needed:e}\n  {a:?}\n  {b:?}"
                        );
                        let least = [1.0, -1.0].map(|s| a.pose.rotation() * way * s).map(|n| a.reach(n) + b.reach(-n));
                        let most = least[0].min(least[1]) + gap.min(1e-7) + slack;
                        assert!(deep.interval.upper <= most, "{method}, {gap:e}: {deep:?}, not {most:e}");
                    }
                }
            }
        }
    }
}
