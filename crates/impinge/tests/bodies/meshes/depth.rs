//! How deep solid meshes that are not convex are in each other: known answers, and shifts tried by brute force.

use glam::{DQuat, DVec3};
use impinge::{Convex, DepthKind, Mesh, Model, Pair, Parts, Penetration, Pose, Round};
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::{Soup, meet};

use super::shift_oracle::Solids;
use crate::verdict::frames::into_frame_of_a;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::at(v(x, y, z)).unwrap()
}

/// A prism from `z = 0` to `height` over a polygon: counterclockwise, and all of it visible from its first corner.
fn extruded(outline: &[[f64; 2]], height: f64) -> Soup {
    let n = outline.len() as u32;
    let vertices = [0.0, height].iter().flat_map(|&z| outline.iter().map(move |&[x, y]| v(x, y, z))).collect();
    let mut triangles: Vec<[u32; 3]> = (1..n - 1).flat_map(|i| [[0, i + 1, i], [n, n + i, n + i + 1]]).collect();
    triangles.extend((0..n).flat_map(|i| [[i, (i + 1) % n, i + n], [(i + 1) % n, (i + 1) % n + n, i + n]]));
    Soup { vertices, triangles }
}

/// An L: two arms of length 3 and width 1, with thickness 2.
fn ell() -> Soup {
    extruded(&[[0., 0.], [3., 0.], [3., 1.], [1., 1.], [1., 3.], [0., 3.]], 2.0)
}

/// A channel along z: a floor and two walls around the gap `1 < x < 2`, of depth 2.
fn channel() -> Soup {
    let outline = [[0., 0.], [3., 0.], [3., 3.], [2., 3.], [2., 1.], [1., 1.], [1., 3.], [0., 3.]];
    let vertices: Vec<DVec3> = [0.0, 3.0].iter().flat_map(|&z| outline.map(|[x, y]| v(x, y, z))).collect();
    let caps = [[0, 5, 7], [5, 6, 7], [0, 1, 5], [1, 4, 5], [1, 2, 4], [2, 3, 4]];
    let mut triangles: Vec<[u32; 3]> = caps.iter().flat_map(|&[a, b, c]| [[a, c, b], [a + 8, b + 8, c + 8]]).collect();
    triangles.extend((0..8u32).flat_map(|i| [[i, (i + 1) % 8, i + 8], [(i + 1) % 8, (i + 1) % 8 + 8, i + 8]]));
    Soup { vertices, triangles }
}

/// A box with a cavity that is a smaller box.
fn hollow(outer: f64, inner: f64) -> Soup {
    shapes::cuboid(DVec3::ZERO, DVec3::splat(outer)).and(&shapes::cuboid(DVec3::ZERO, DVec3::splat(-inner)))
}

/// The second soup in the frame of the first, as the library places it.
fn placed(b: &Soup, pa: &Pose, pb: &Pose) -> Soup {
    b.map(into_frame_of_a(pa, pb))
}

/// Checks what must hold of any answer about solids that overlap, and returns the answer.
fn check(a: &Soup, b: &Soup, pa: &Pose, pb: &Pose, say: &str) -> Penetration {
    let deep = Pair::new(mesh(a), mesh(b)).penetration(pa, pb);
    separates(a, b, pa, pb, &deep, say);
    deep
}

/// When `b` is moved by the upper bound of the depth the bodies are apart: by brute force, exactly, and by the library.
fn separates(a: &Soup, b: &Soup, pa: &Pose, pb: &Pose, deep: &Penetration, say: &str) {
    let way = deep.direction.unwrap_or_else(|| panic!("{say}: apart? {deep:?}"));
    assert!((way.length() - 1.0).abs() < 1e-12 && 0.0 <= deep.interval.lower, "{say}: {deep:?}");
    assert!(deep.interval.lower <= deep.interval.upper && deep.interval.upper.is_finite(), "{say}: {deep:?}");
    let moved = Pose::new(pb.translation() + way * deep.interval.upper, pb.rotation()).unwrap();
    assert!(!Pair::new(mesh(a), mesh(b)).overlap(pa, &moved).overlap, "{say}: {deep:?} does not separate");
    let b = placed(b, pa, &moved);
    assert!(!a.corners().iter().any(|s| b.corners().iter().any(|t| meet(s, t))), "{say}: {deep:?} touches");
    assert!(!Solids::new(a, &b).overlap(DVec3::ZERO), "{say}: {deep:?} leaves one inside the other");
}

fn depth(a: &Soup, b: &Soup, pb: &Pose, expected: f64, say: &str) -> DVec3 {
    let pa = Pose::IDENTITY;
    let deep = check(a, b, &pa, pb, say);
    let i = deep.interval;
    assert_eq!(deep.kind, DepthKind::Exact, "{say}: {deep:?}");
    assert!(
        i.lower <= expected && expected <= i.upper && i.upper - expected < 1e-10,
        "{say}: {expected}, not {deep:?}"
    );
    // The same with the bodies exchanged.
    let back = check(b, a, pb, &pa, say);
    assert!((back.interval.upper - i.upper).abs() < 1e-10 && back.kind == DepthKind::Exact, "{say}: {back:?} {deep:?}");
    deep.direction.unwrap()
}

#[test]
fn known_depths() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::splat(0.5));
    let way = depth(&ell(), &cube, &at(1.2, 1.1, 1.0), 0.5, "into the notch, out of both arms");
    assert!(way.distance(v(0.6, 0.8, 0.0)) < 1e-9, "{way}");
    let way = depth(&ell(), &cube, &at(2.0, 1.2, 1.0), 0.3, "onto an arm");
    assert!(way.distance(DVec3::Y) < 1e-9, "{way}");
    depth(&ell(), &cube, &at(0.5, 0.5, 1.0), 1.0, "in the corner: out through the side");
    depth(&ell(), &ell(), &at(0.0, 0.0, 0.0), 1.0 / 0.5f64.sqrt(), "one in itself");
    depth(&ell(), &ell(), &at(0.5, 0.25, 0.0), 0.5f64.hypot(0.75), "one in itself, moved");
    let thin = shapes::cuboid(DVec3::ZERO, v(0.375, 0.5, 0.5));
    depth(&channel(), &thin, &at(1.25, 1.75, 1.5), 0.125, "a peg off the middle of its gap");
    depth(&channel(), &thin, &at(1.25, 1.25, 1.5), 0.125f64.hypot(0.25), "a peg in a wall and in the floor");
    let wide = shapes::cuboid(DVec3::ZERO, v(0.625, 0.5, 0.5));
    depth(&channel(), &wide, &at(1.5, 2.5, 1.5), 1.0, "too wide for the gap");
    let tiny = shapes::cuboid(DVec3::ZERO, DVec3::splat(0.125));
    depth(&hollow(2.0, 1.0), &tiny, &at(1.25, 0.0, 0.25), 0.375, "in the wall, back into the cavity");
    depth(&hollow(2.0, 1.0), &tiny, &at(1.75, 0.0, 0.25), 0.375, "in the wall, out");
    depth(
        &hollow(2.0, 1.0),
        &shapes::cuboid(DVec3::ZERO, DVec3::splat(1.5)),
        &at(0.0, 0.0, 0.0),
        3.5,
        "no room inside",
    );
}

/// Bodies that are not convex, of few pieces and of many.
fn families() -> Vec<(&'static str, Soup, Soup)> {
    let ring = shapes::ring(6, 1.0, 0.6, 0.4);
    let torus = shapes::torus(1.0, 0.35, 10, 6);
    let tetra = shapes::tetra([v(0., 0., 0.), v(1.2, 0., 0.1), v(0.1, 1., 0.), v(0.3, 0.2, 1.1)]);
    vec![
        ("two ells", ell(), ell()),
        ("an ell and a tetrahedron", ell(), tetra.clone()),
        ("a channel and a prism", channel(), shapes::prism(5, 0.6, 1.0)),
        ("a hollow box and a box", hollow(1.2, 0.9), shapes::cuboid(DVec3::ZERO, v(0.2, 0.3, 0.4))),
        ("two rings", ring.clone(), ring),
        ("two tori", torus.clone(), torus.clone()),
        ("a torus and a tetrahedron", torus, tetra),
    ]
}

/// Brute force finds no shift that is shorter than the lower bound, and none that is shorter than an exact depth; where
/// the depth is a bound, none that is much shorter.
#[test]
fn no_shift_beats_an_exact_depth() {
    let mut random = Random::new(7);
    let (mut exact, mut bounds, mut worst) = (0, 0, 1.0f64);
    for (name, a, b) in families() {
        let mut done = 0;
        while done < 5 {
            let pose = Pose::new(random.point(1.0) + v(0.5, 0.5, 0.5), random.rotation()).unwrap();
            let solids = Solids::new(&a, &placed(&b, &Pose::IDENTITY, &pose));
            if !solids.overlap(DVec3::ZERO) {
                continue;
            }
            done += 1;
            let say = format!("{name}, {done}");
            let deep = check(&a, &b, &Pose::IDENTITY, &pose, &say);
            let (lower, upper) = (deep.interval.lower, deep.interval.upper);
            let seen = solids.least(300, 24, 1.05 * upper);
            assert!(lower <= seen, "{say}: {seen} is free, and {deep:?}");
            for way in super::shift_oracle::directions(40) {
                assert!(solids.overlap(way * (0.999 * lower)), "{say}: {deep:?}, and free along {way}");
            }
            match deep.kind {
                DepthKind::Exact => exact += 1,
                DepthKind::UpperBound => bounds += 1,
                kind => panic!("{say}: {kind:?}"),
            }
            assert!(deep.kind != DepthKind::Exact || upper <= seen + 1e-9, "{say}: {seen} beats {deep:?}");
            worst = worst.max(upper / seen);
            assert!(upper <= 1.25 * seen, "{say}: {seen} beats {deep:?}");
        }
    }
    println!("{exact} exact, {bounds} bounds, at worst {worst} times what was seen");
    assert!(exact >= 15 && bounds >= 5, "{exact} {bounds}");
}

/// At many poses: the translation separates whichever body is moved by it, and the two intervals have a number in
/// common.
#[test]
fn bodies_exchanged() {
    let mut random = Random::new(10);
    let (mut met, mut worst) = (0, 1.0f64);
    for (name, a, b) in families() {
        let mut pairs = [Pair::new(mesh(&a), mesh(&b)), Pair::new(mesh(&b), mesh(&a))];
        for round in 0..40 {
            let pa = Pose::new(random.point(2.0), random.rotation()).unwrap();
            let pb = Pose::new(pa.translation() + random.point(1.2), random.rotation()).unwrap();
            let say = format!("{name}, {round}");
            if !pairs[0].overlap(&pa, &pb).overlap {
                continue;
            }
            met += 1;
            // The pair forgets the last pose.
            pairs.iter_mut().for_each(Pair::forget);
            let [there, back] = [pairs[0].penetration(&pa, &pb), pairs[1].penetration(&pb, &pa)];
            separates(&a, &b, &pa, &pb, &there, &say);
            separates(&b, &a, &pb, &pa, &back, &say);
            let (i, j) = (there.interval, back.interval);
            assert!(i.lower <= j.upper + 1e-9 && j.lower <= i.upper + 1e-9, "{say}: {there:?} {back:?}");
            let exact = there.kind == DepthKind::Exact && back.kind == DepthKind::Exact;
            assert!(!exact || (i.upper - j.upper).abs() < 1e-9, "{say}: {there:?} {back:?}");
            worst = worst.max(i.upper / j.upper).max(j.upper / i.upper);
        }
    }
    println!("{met} pairs, at worst {worst} times longer the one way than the other");
    assert!(met > 140 && worst < 1.5, "{met} {worst}");
}

/// A mesh that is convex has the depth of its hull.
#[test]
fn convex_meshes_are_as_deep_as_convex_bodies() {
    let mut random = Random::new(8);
    let bodies = [shapes::cuboid(DVec3::ZERO, v(0.5, 0.7, 0.9)), shapes::sphere(1, 0.8), shapes::prism(7, 0.6, 1.1)];
    let mut met = 0;
    for _ in 0..100 {
        let [a, b] = [0, 1].map(|_| &bodies[random.below(3) as usize]);
        let [pa, pb] = [0, 1].map(|_| Pose::new(random.point(0.5), random.rotation()).unwrap());
        let hull = |soup: &Soup| Model::from(Convex::hull(&soup.vertices).unwrap());
        let truth = Pair::new(hull(a), hull(b)).penetration(&pa, &pb);
        let forms: [[Model; 2]; 3] =
            [[mesh(a).into(), mesh(b).into()], [mesh(a).into(), hull(b)], [hull(a), mesh(b).into()]];
        for [x, y] in forms {
            let deep = Pair::new(x, y).penetration(&pa, &pb);
            let (i, j) = (deep.interval, truth.interval);
            assert!((i.lower - j.lower).abs() < 1e-14 && (i.upper - j.upper).abs() < 1e-14, "{deep:?} {truth:?}");
            assert_eq!(deep.kind, DepthKind::Exact);
            assert!(deep.direction == truth.direction || i.upper - i.lower < 1e-12, "{deep:?} {truth:?}");
        }
        met += usize::from(truth.direction.is_some());
    }
    assert!(met > 30, "{met}");
}

/// Cases A15, A16, A19, A21, C04, C07, D01, D04 and F04, as meshes with a dent that no answer sees.
#[test]
fn a15_a16_a19_a21_c04_c07_d01_d04_f04_with_a_dent() {
    // A cube of half side `h` whose face at −x has a notch, small and on the far side.
    let dented = |h: f64| {
        let d = 0.03125 * h;
        let outline = [[-h, -h], [h, -h], [h, h], [-h, h], [-h, d], [d - h, 0.0], [-h, -d]];
        let soup = extruded(&[&outline[1..], &outline[..1]].concat(), 2.0 * h);
        soup.map(|x| x - v(0.0, 0.0, h))
    };
    let unit = dented(1.0);
    assert!(!mesh(&unit).is_convex() && mesh(&unit).is_solid());
    for (id, b, at, truth) in [
        ("A15", 1.0, v(2.0, 0.0, 0.0), 0.0),
        ("A16", 1.0, v(2.0, 2.0, 2.0), 0.0),
        ("A19", 1.0, v(1.9999999999999998, 0.0, 0.0), 2.220446049250313e-16),
        ("A21", 1.0, v(0.0, 0.0, 0.0), 2.0),
        ("C04", 1.0, v(1.5, 0.0, 0.0), 0.5),
        ("C07", 0.05, v(0.0, 0.0, -0.9), 0.15),
        ("D01", 1.0, v(0.0, 0.0, 1.9), 0.1),
        ("F04", 0.25, v(0.0, 0.0, 0.0), 1.25),
    ] {
        let b = dented(b).map(|x| v(-x.x, x.y, x.z));
        let b = Soup { triangles: b.triangles.iter().map(|&[i, j, k]| [i, k, j]).collect(), ..b };
        let deep = check(&unit, &b, &Pose::IDENTITY, &Pose::at(at).unwrap(), id);
        let i = deep.interval;
        assert!(i.lower <= truth && truth <= i.upper && i.upper - truth < 1e-10, "{id}: {deep:?}");
        assert_eq!(deep.kind, DepthKind::Exact, "{id}: {deep:?}");
    }
    let deep = check(&dented(0.5), &dented(0.05), &Pose::IDENTITY, &at(0.4, 0.4, 0.4), "D04");
    assert!((deep.interval.upper - 0.15).abs() < 1e-10 && deep.kind == DepthKind::Exact, "D04: {deep:?}");
}

/// The unit of length does not matter.
#[test]
fn scales() {
    let mut random = Random::new(9);
    for (name, a, b) in families() {
        let (at, turn) = (v(0.6, 0.5, 0.7), random.rotation());
        let ask = |s: f64| {
            let pose = Pose::new(at * s, turn).unwrap();
            let (a, b) = (a.map(|x| x * s), b.map(|x| x * s));
            check(&a, &b, &Pose::IDENTITY, &pose, &format!("{name}, {s}"))
        };
        if Pair::new(mesh(&a), mesh(&b)).overlap(&Pose::IDENTITY, &Pose::new(at, turn).unwrap()).overlap {
            let one = ask(1.0);
            for s in [2f64.powi(-20), 2f64.powi(20)] {
                let deep = ask(s);
                assert_eq!(deep.kind, one.kind, "{name}, {s}");
                assert!((deep.interval.upper / s - one.interval.upper).abs() < 1e-9, "{name}, {s}: {deep:?} {one:?}");
            }
            for s in [1e-6, 1e-3, 1e6, 1e-40, 1e40] {
                let deep = ask(s);
                let same = (deep.interval.upper / s - one.interval.upper).abs();
                assert!(same < if one.kind == DepthKind::Exact { 1e-9 } else { 0.1 }, "{name}, {s}: {deep:?} {one:?}");
            }
        }
    }
}

/// Beyond the scale of hulls the depth is computed in another unit; it is unknown only where one body is 1e50 times
/// smaller.
#[test]
fn extents_beyond_hulls() {
    let mut random = Random::new(10);
    for (name, a, b) in families() {
        let (at, turn) = (v(0.6, 0.5, 0.7), random.rotation());
        let pose = |s: f64| Pose::new(at * s, turn).unwrap();
        if !Pair::new(mesh(&a), mesh(&b)).overlap(&Pose::IDENTITY, &pose(1.0)).overlap {
            continue;
        }
        let one = check(&a, &b, &Pose::IDENTITY, &pose(1.0), name);
        for s in [2f64.powi(-996), 2f64.powi(-300), 2f64.powi(200), 2f64.powi(490)] {
            let (a, b) = (mesh(&a.map(|x| x * s)), mesh(&b.map(|x| x * s)));
            let mut pair = Pair::new(a, b);
            let deep = pair.penetration(&Pose::IDENTITY, &pose(s));
            assert_eq!((deep.kind, deep.direction.is_some()), (one.kind, true), "{name}, {s}: {deep:?}");
            let off = deep.interval.upper / s - one.interval.upper;
            assert!(off.abs() < if one.kind == DepthKind::Exact { 1e-9 } else { 0.1 }, "{name}, {s}: {deep:?} {one:?}");
            let moved = Pose::new(at * s + deep.direction.unwrap() * deep.interval.upper, turn).unwrap();
            assert!(!pair.overlap(&Pose::IDENTITY, &moved).overlap, "{name}, {s}: {deep:?} does not separate");
        }
    }
    let [large, small] = [1.0, 1e-60].map(|s| mesh(&ell().map(|x| x * s)));
    let deep = Pair::new(large, small).penetration(&Pose::IDENTITY, &Pose::IDENTITY);
    assert_eq!((deep.interval.lower, deep.interval.upper), (0.0, f64::INFINITY));
    assert_eq!(deep.kind, DepthKind::UpperBound);
}

/// Case F07: a mesh and a copy of it at the same pose. The shortest way out of a torus is nearly along its axis.
#[test]
fn f07_a_mesh_in_itself() {
    let torus = shapes::torus(1.0, 0.25, 24, 12);
    let deep = check(&torus, &torus, &Pose::IDENTITY, &Pose::IDENTITY, "torus");
    assert!(deep.interval.upper <= 0.5 + 1e-9 && deep.interval.lower > 0.0, "{deep:?}");
    assert!(deep.direction.unwrap().z.abs() > 0.99, "{deep:?}");
}

#[test]
fn rings_that_interlock() {
    let ring = shapes::ring(24, 1.0, 0.8, 0.2);
    let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    // Each ring passes through the hole of the other: they are apart.
    let linked = Pose::new(v(0.9, 0.0, 0.0), upright).unwrap();
    let mut pair = Pair::new(mesh(&ring), mesh(&ring));
    assert!(pair.penetration(&Pose::IDENTITY, &linked).direction.is_none());
    // The rings are moved until they touch: the way back into the holes is shorter than the way out of the hulls.
    let into = Pose::new(v(0.15, 0.0, 0.0), upright).unwrap();
    let deep = pair.penetration(&Pose::IDENTITY, &into);
    separates(&ring, &ring, &Pose::IDENTITY, &into, &deep, "rings");
    let seen = Solids::new(&ring, &placed(&ring, &Pose::IDENTITY, &into)).least(200, 16, 1.0);
    assert!(deep.interval.upper <= 1.1 * seen && deep.interval.lower <= seen, "{deep:?} {seen}");
}

/// One body lies wholly inside another, in either order; and a body in a cavity, which is apart.
#[test]
fn containment() {
    let torus = shapes::torus(1.0, 0.5, 16, 10);
    let ball = shapes::sphere(1, 0.2);
    for (a, b, pose) in [(&torus, &ball, at(1.0, 0.0, 0.0)), (&ball, &torus, at(-1.0, 0.0, 0.0))] {
        let deep = check(a, b, &Pose::IDENTITY, &pose, "a ball in a torus");
        assert!(deep.interval.upper < 0.71 && deep.interval.lower > 0.45, "{deep:?}");
    }
    let mut pair = Pair::new(mesh(&hollow(2.0, 1.0)), mesh(&ball));
    assert!(pair.penetration(&Pose::IDENTITY, &at(0.5, 0.0, 0.0)).direction.is_none());
    assert!(pair.penetration(&Pose::IDENTITY, &at(1.5, 0.0, 0.0)).direction.is_some());
}

/// A solid mesh against every other kind of body.
#[test]
fn every_kind_of_other_body() {
    let notch = mesh(&ell());
    let half = |s: f64| shapes::cuboid(DVec3::ZERO, DVec3::splat(s)).vertices;
    let halves = [v(-0.25, 0.0, 0.0), v(0.25, 0.0, 0.0)].map(|c| shapes::cuboid(c, v(0.25, 0.5, 0.5)).vertices);
    let bodies: Vec<(&str, Model, DepthKind)> = vec![
        ("a hull", Convex::hull(&half(0.5)).unwrap().into(), DepthKind::Exact),
        ("a box", Round::cuboid(DVec3::ONE).unwrap().into(), DepthKind::Exact),
        ("parts", Parts::from_hulls(halves.iter().map(Vec::as_slice)).unwrap().into(), DepthKind::Exact),
        ("a ball", Round::sphere(0.5).unwrap().into(), DepthKind::UpperBound),
        (
            "a box with a margin",
            Round::cuboid(DVec3::splat(0.5)).unwrap().with_margin(0.25).unwrap().into(),
            DepthKind::UpperBound,
        ),
        ("a cylinder", Round::cylinder(0.5, 1.0).unwrap().into(), DepthKind::UpperBound),
    ];
    let pose = at(1.2, 1.1, 1.0);
    for (name, body, kind) in bodies {
        for swapped in [false, true] {
            let (a, b): (Model, Model) =
                if swapped { (body.clone(), notch.clone().into()) } else { (notch.clone().into(), body.clone()) };
            let (pa, pb) = if swapped { (pose, Pose::IDENTITY) } else { (Pose::IDENTITY, pose) };
            let mut pair = Pair::new(a, b);
            let deep = pair.penetration(&pa, &pb);
            let (i, way) = (deep.interval, deep.direction.unwrap());
            assert_eq!(deep.kind, kind, "{name}: {deep:?}");
            assert!(i.lower <= 0.5 && 0.5 <= i.upper && i.upper < 0.5 + 1e-9, "{name}: {deep:?}");
            let moved = Pose::at(pb.translation() + way * i.upper).unwrap();
            assert!(!pair.overlap(&pa, &moved).overlap, "{name}: {deep:?}");
            let [p, q] = deep.witness.unwrap().points;
            assert!((p - q).distance(way * i.upper) < 1e-9, "{name}: {deep:?}");
        }
    }
    // Against a half-space only the hull of the mesh matters.
    let floor = Round::half_space(DVec3::Y, 0.25).unwrap();
    let deep = Pair::new(notch, floor).penetration(&Pose::IDENTITY, &Pose::IDENTITY);
    assert!(deep.kind == DepthKind::Exact && deep.interval.contains(0.25), "{deep:?}");
    assert!(deep.direction.unwrap().distance(-DVec3::Y) < 1e-12, "{deep:?}");
}

/// A few convex pieces against a curved body: the deepest pair of these is a lower bound, and its direction shows a way
/// out.
#[test]
fn pieces_and_a_curved_body() {
    let ell = mesh(&extruded(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]], 1.0));
    let mut pair = Pair::new(ell, Round::cylinder(0.3, 1.0).unwrap());
    let (still, pose) = (Pose::IDENTITY, at(1.0, 1.0, 0.05));
    let deep = pair.penetration(&still, &pose);
    // The way out of the corner is the diagonal; out of one arm it is 0.3 long.
    assert!(deep.interval.lower > 0.3 - 1e-4 && deep.interval.upper < 0.18f64.sqrt() + 1e-4, "{deep:?}");
    let moved = Pose::at(pose.translation() + deep.direction.unwrap() * deep.interval.upper).unwrap();
    assert!(!pair.overlap(&still, &moved).overlap, "{deep:?}");
}

/// A mesh without an inside has the depth of its hull, as a bound; a mesh made a solid by winding number has its own
/// depth.
#[test]
fn surfaces_and_solids_by_winding_number() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::splat(0.5));
    let pose = at(1.2, 1.1, 1.0);
    let surface = Pair::new(mesh(&ell()).into_surface(), mesh(&cube)).penetration(&Pose::IDENTITY, &pose);
    let hull = Convex::hull(&ell().vertices).unwrap();
    let hulls = Pair::new(hull, mesh(&cube)).penetration(&Pose::IDENTITY, &pose);
    assert_eq!((surface.kind, surface.interval.lower), (DepthKind::UpperBound, 0.0));
    assert!(hulls.interval.contains(surface.interval.upper) && hulls.interval.upper > 0.6, "{surface:?} {hulls:?}");
    let mut open = ell();
    open.triangles.remove(0);
    let open = mesh(&open).into_solid_by_winding();
    let closed = mesh(&ell()).into_solid_by_winding();
    for (solid, kind) in [(open, DepthKind::UpperBound), (closed, DepthKind::Exact)] {
        let mut pair = Pair::new(solid, mesh(&cube));
        let deep = pair.penetration(&Pose::IDENTITY, &pose);
        assert!(deep.kind == kind && (deep.interval.upper - 0.5).abs() < 1e-9, "{deep:?}");
        let moved = Pose::at(pose.translation() + deep.direction.unwrap() * deep.interval.upper).unwrap();
        assert!(!pair.overlap(&Pose::IDENTITY, &moved).overlap, "{deep:?}");
    }
}

/// Along a motion every answer separates, and the bounds found with memory are not much wider.
#[test]
fn a_motion_with_memory() {
    let torus = shapes::torus(1.0, 0.35, 16, 10);
    let mut pair = Pair::new(mesh(&torus), mesh(&torus));
    let (mut warm, mut cold) = (0u64, 0u64);
    for step in 0..40 {
        let t = f64::from(step) / 40.0;
        let pose = Pose::new(v(0.9 - 0.4 * t, 0.3 * t, 0.2), DQuat::from_rotation_x(0.7 + 0.5 * t)).unwrap();
        let deep = pair.penetration(&Pose::IDENTITY, &pose);
        separates(&torus, &torus, &Pose::IDENTITY, &pose, &deep, &format!("step {step}"));
        let fresh = Pair::new(mesh(&torus), mesh(&torus)).penetration(&Pose::IDENTITY, &pose);
        assert!(deep.interval.upper <= 1.1 * fresh.interval.upper, "step {step}: {deep:?} {fresh:?}");
        warm += deep.stats.volume_tests;
        cold += fresh.stats.volume_tests;
    }
    println!("{warm} box tests with memory, {cold} without");
    assert!(warm < cold, "{warm} {cold}");
}
