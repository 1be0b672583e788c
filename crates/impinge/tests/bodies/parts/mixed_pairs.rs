//! Every kind of body against every kind, every verb: the grid is total, and its answers agree with each other.

use glam::DVec3;
use impinge::{Convex, DepthKind, Limit, Mesh, Method, Model, Pair, Parts, Pose, Round};
use impinge_testing::hulls::truth;
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

use crate::round::oracle::every_kind;
use crate::verdict::families::pose;
use crate::verdict::frames::into_frame_of_a;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn engines() -> Vec<Method> {
    ["auto", "brute", "tree", "gjk", "v-clip", "epa"].iter().map(|name| name.parse().unwrap()).collect()
}

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

/// One box in every form that a box can have.
fn forms(half: DVec3) -> Vec<(&'static str, Model)> {
    let soup = shapes::cuboid(DVec3::ZERO, half);
    let third = v(half.x / 4.0, half.y, half.z);
    let slices = (0..4).map(|i| {
        let x = half.x * (f64::from(i) * 0.5 - 0.75);
        Convex::hull(&shapes::cuboid(v(x, 0.0, 0.0), third).vertices).unwrap()
    });
    vec![
        ("mesh", mesh(&soup).into()),
        ("hull", Convex::hull(&soup.vertices).unwrap().into()),
        ("box", Round::cuboid(half * 2.0).unwrap().into()),
        ("parts", Parts::new(slices.collect()).unwrap().into()),
        ("one part", Parts::new(vec![Convex::hull(&soup.vertices).unwrap()]).unwrap().into()),
    ]
}

/// Checks what holds of any pair: the verbs agree, intervals are intervals, and no number is NaN.
fn consistent(pair: &mut Pair, pa: &Pose, pb: &Pose, say: &str) -> (bool, f64) {
    let overlap = pair.overlap(pa, pb);
    let distance = pair.distance(pa, pb);
    let contacts = pair.contacts(pa, pb, Limit::All);
    let deep = pair.penetration(pa, pb);
    let i = distance.interval;
    assert!(0.0 <= i.lower && i.lower <= i.upper, "{say}: {i:?}");
    assert_eq!(distance.penetrating, overlap.overlap, "{say}: {distance:?}");
    assert_eq!(i.upper == 0.0, overlap.overlap, "{say}: {i:?}");
    assert_eq!(contacts.touching(), overlap.overlap, "{say}");
    assert_eq!(pair.within(pa, pb, 0.0).within, overlap.overlap, "{say}");
    assert!(pair.within(pa, pb, i.upper).within || i.upper == f64::INFINITY, "{say}");
    assert!(!pair.within(pa, pb, i.lower * (1.0 - 1e-6) - 1e-9).within || overlap.overlap || i.lower <= 1e-9, "{say}");
    let d = deep.interval;
    assert!(0.0 <= d.lower && d.lower <= d.upper, "{say}: {deep:?}");
    assert!(d.upper == 0.0 || overlap.overlap, "{say}: deep and apart: {deep:?}");
    assert!(deep.direction.is_none_or(|n| (n.length() - 1.0).abs() <= 1e-9), "{say}: {deep:?}");
    assert_eq!(deep.direction.is_some() && d.upper > 0.0, d.upper > 0.0, "{say}: {deep:?}");
    for contact in contacts.iter() {
        assert!(contact.points.iter().flatten().all(|p| p.is_finite()) && contact.normal.is_finite(), "{say}");
    }
    for points in [distance.witness.map(|w| w.points), deep.witness.map(|w| w.points)].into_iter().flatten() {
        assert!(points.iter().all(|p| p.is_finite()), "{say}: {points:?}");
    }
    if let (Some(w), false) = (distance.witness, overlap.overlap) {
        let apart = w.points[0].distance(w.points[1]);
        assert!((apart - i.mid()).abs() <= 1e-9 * (1.0 + i.mid()), "{say}: {apart} and {i:?}");
    }
    (overlap.overlap, i.mid())
}

/// Boxes in all their forms give the same answers, whichever form meets whichever.
#[test]
fn the_form_of_a_body_does_not_matter() {
    let mut random = Random::new(1);
    let mut met = 0;
    for round in 0..240 {
        let (ha, hb) = (v(0.8, 0.5, 1.0), v(0.3, 0.9, 0.4));
        let (pa, pb) = (pose(&mut random, 0.9), pose(&mut random, 0.9));
        let place = into_frame_of_a(&pa, &pb);
        let moved: Vec<DVec3> = shapes::cuboid(DVec3::ZERO, hb).vertices.into_iter().map(place).collect();
        let t = truth(&shapes::cuboid(DVec3::ZERO, ha).vertices, &moved);
        if t.signed().abs() <= 1e-9 {
            continue;
        }
        met += usize::from(t.overlap);
        for (x, a) in forms(ha) {
            for (y, b) in forms(hb) {
                let method = engines()[round % engines().len()];
                let say = format!("{x} and {y}, {method}, {round}, truly {}", t.signed());
                let mut pair = Pair::new(&a, &b).with_method(method);
                let (overlap, distance) = consistent(&mut pair, &pa, &pb, &say);
                assert_eq!(overlap, t.overlap, "{say}");
                assert!((distance - t.mid_distance()).abs() <= 1e-12 * (1.0 + distance), "{say}: {distance}");
                let deep = pair.penetration(&pa, &pb);
                if !t.overlap || deep.kind == DepthKind::Estimate {
                    continue;
                }
                let depth = t.mid_depth();
                assert!(deep.interval.lower <= depth + 1e-9, "{say}: {deep:?}");
                assert!(deep.interval.upper >= depth - 1e-9, "{say}: {deep:?}");
                let exact = deep.kind == DepthKind::Exact;
                assert!(!exact || (deep.interval.upper - depth).abs() <= 1e-9, "{say}: {deep:?}");
                let convex = ["hull", "box", "one part"];
                let tight = (deep.interval.upper - depth).abs() <= 1e-9;
                assert!(tight || !(convex.contains(&x) && convex.contains(&y)), "{say}: {deep:?}");
            }
        }
    }
    assert!((48..192).contains(&met), "{met}");
}

/// One body of every kind.
fn zoo(random: &mut Random) -> Vec<(String, Model)> {
    let mut all: Vec<(String, Model)> = every_kind(random).iter().map(|k| (format!("{k:?}"), k.model())).collect();
    let torus = shapes::torus(0.8, 0.3, 12, 8);
    let open = Soup { triangles: torus.triangles[..100].to_vec(), ..torus.clone() };
    all.push(("torus".into(), mesh(&torus).into()));
    all.push(("a torus without an inside".into(), mesh(&torus).into_surface().into()));
    all.push(("an open torus".into(), mesh(&open).into()));
    all.push(("nothing".into(), Mesh::empty().into()));
    all.push(("a flat mesh".into(), mesh(&shapes::grid(3, 0.4)).into()));
    all.push(("a point as a mesh".into(), mesh(&shapes::point(DVec3::X)).into()));
    let pieces = (0..5).map(|_| {
        let at = random.point(0.8);
        let points: Vec<DVec3> = (0..9).map(|_| at + random.point(0.4)).collect();
        Convex::hull(&points).unwrap()
    });
    all.push(("parts".into(), Parts::new(pieces.collect()).unwrap().into()));
    let flat = [vec![DVec3::X], vec![DVec3::X, DVec3::Y], vec![DVec3::ZERO, DVec3::X, DVec3::Y]];
    let flat = flat.iter().map(|p| Convex::hull(p).unwrap()).collect();
    all.push(("flat parts".into(), Parts::new(flat).unwrap().into()));
    all
}

#[test]
fn every_kind_against_every_kind() {
    let mut random = Random::new(2);
    for round in 0..24 {
        let zoo = zoo(&mut random);
        for (x, a) in &zoo {
            for (y, b) in &zoo {
                let (pa, pb) = (pose(&mut random, 1.2), pose(&mut random, 1.2));
                let method = engines()[round % engines().len()];
                let say = format!("{x} and {y}, {method}, {round}");
                let (there, d) = consistent(&mut Pair::new(a, b).with_method(method), &pa, &pb, &say);
                let (back, e) = consistent(&mut Pair::new(b, a).with_method(method), &pb, &pa, &say);
                assert_eq!(there, back, "{say}: swapped");
                assert!(d == e || (d - e).abs() <= 1e-10 * (1.0 + d), "{say}: {d} and {e} swapped");
                let empty = x == "nothing" || y == "nothing";
                assert_eq!(d == f64::INFINITY, empty, "{say}: {d}");
            }
        }
    }
}

/// A ball against a mesh: its centre against every triangle.
#[test]
fn balls_and_half_spaces_against_meshes() {
    let mut random = Random::new(3);
    let torus = shapes::torus(1.0, 0.3, 16, 10);
    let model: Model = mesh(&torus).into_surface().into();
    for _ in 0..400 {
        let (centre, r) = (random.point(1.5), random.within(0.05, 0.5));
        let ball: Model = Round::sphere(r).unwrap().into();
        let at = Pose::at(centre).unwrap();
        let near = torus.corners().iter().map(|t| truth(t, &[centre]).mid_distance()).fold(f64::INFINITY, f64::min);
        let (overlap, d) = consistent(&mut Pair::new(&model, &ball), &Pose::IDENTITY, &at, "ball and torus");
        assert_eq!(overlap, near <= r, "{centre} {r} {near}");
        assert!((d - (near - r).max(0.0)).abs() <= 1e-12, "{d} {near} {r}");
        let n = random.point(1.0).normalize_or(DVec3::Z);
        let floor: Model = Round::half_space(n, -1.2).unwrap().into();
        let low = torus.vertices.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min) + 1.2;
        let (overlap, d) = consistent(&mut Pair::new(&floor, &model), &Pose::IDENTITY, &Pose::IDENTITY, "floor");
        assert_eq!(overlap, low <= 0.0, "{n} {low}");
        assert!((d - low.max(0.0)).abs() <= 1e-12, "{d} {low}");
    }
}

/// A solid mesh contains what lies inside it, whatever its kind; a surface does not.
#[test]
fn insides() {
    let mut random = Random::new(4);
    let big = shapes::cuboid(DVec3::ZERO, DVec3::splat(5.0));
    let (solid, shell): (Model, Model) = (mesh(&big).into(), mesh(&big).into_surface().into());
    for (name, inner) in zoo(&mut random) {
        let unbounded = name.contains("HalfSpace");
        if name == "nothing" {
            continue;
        }
        let mut pair = Pair::new(&solid, &inner);
        assert!(pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap, "{name} lies inside");
        consistent(&mut pair, &Pose::IDENTITY, &Pose::IDENTITY, &name);
        let mut pair = Pair::new(&shell, &inner);
        let (overlap, d) = consistent(&mut pair, &Pose::IDENTITY, &Pose::IDENTITY, &name);
        assert_eq!(overlap, unbounded, "{name} in a shell");
        assert!(unbounded || d > 2.0, "{name}: {d}");
    }
}
