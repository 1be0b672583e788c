//! Winding numbers: exact ones from formulas, fast ones within the error asked for, and solids made by them.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use impinge::{Containment, Convex, Limit, Mesh, Method, Model, Pair, Pose, Round, Semantics, Span, Steady, Touch};
use impinge_testing::random::Random;
use impinge_testing::shapes::{copies, cuboid, sphere, torus};
use impinge_testing::soup::Soup;

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

/// The soup without the triangles that the test picks.
fn without(soup: &Soup, drop: impl Fn(usize) -> bool) -> Soup {
    let kept = soup.triangles.iter().enumerate().filter(|&(i, _)| !drop(i)).map(|(_, &t)| t).collect();
    Soup { vertices: soup.vertices.clone(), triangles: kept }
}

/// Solid angles by the spherical excess: the angles between the planes through the point and two corners, less π.
fn by_excess(soup: &Soup, q: DVec3) -> f64 {
    let angle = |t: [DVec3; 3]| {
        let [a, b, c] = t.map(|p| (p - q).normalize());
        let between = |x: DVec3, y: DVec3, z: DVec3| {
            let (u, v) = (x.cross(y), x.cross(z));
            u.cross(v).length().atan2(u.dot(v))
        };
        let excess = between(a, b, c) + between(b, c, a) + between(c, a, b) - PI;
        excess * a.dot(b.cross(c)).signum()
    };
    soup.corners().into_iter().map(angle).sum::<f64>() / (4.0 * PI)
}

/// A tube without its ends, and a rod that passes through both openings: no corner of the rod is inside the tube.
#[test]
fn a_rod_through_two_holes() {
    let tube: Vec<[u32; 3]> =
        vec![[0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]];
    let corner = |sides: DVec3, i: u32| sides * DVec3::new((i >> 2) as f64, (i >> 1 & 1) as f64, (i & 1) as f64);
    let boxed = |sides: DVec3| (0..8).map(|i| corner(sides, i) - sides * 0.5).collect::<Vec<_>>();
    let ends = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5]];
    let whole = |sides| Mesh::new(boxed(sides), tube.iter().copied().chain(ends).collect()).unwrap();
    let rod = whole(DVec3::new(20.0, 1.0, 1.0));
    let open = Mesh::new(boxed(DVec3::splat(6.0)), tube.clone()).unwrap();
    let mut pair = Pair::new(open.clone().into_solid_by_winding(), rod.clone());
    assert!(pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap);
    assert!(!Pair::new(open, rod.into_surface()).overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap);
}

#[test]
fn closed_meshes_wind_once_inside_and_not_outside() {
    let mut random = Random::new(1);
    for (soup, inside) in [
        (sphere(3, 1.0), Box::new(|p: DVec3| p.length()) as Box<dyn Fn(DVec3) -> f64>),
        (cuboid(DVec3::ZERO, DVec3::ONE), Box::new(|p: DVec3| p.abs().max_element())),
    ] {
        for (scale, shift) in [(1.0, 0.0), (1e-300, 0.0), (1e149, 0.0), (1.0, 1e6)] {
            let body = mesh(&soup.map(|p| p * scale + DVec3::splat(shift)));
            for _ in 0..100 {
                let p = random.point(2.0);
                let expected = match inside(p) {
                    r if r < 0.98 => 1.0,
                    r if r > 1.0 + 1e-9 => 0.0,
                    _ => continue,
                };
                let w = body.winding_number(p * scale + DVec3::splat(shift));
                assert!((w - expected).abs() < 1e-9, "{w} at {p}");
            }
        }
    }
    let reversed: Vec<[u32; 3]> = sphere(2, 1.0).triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let inside_out = Soup { triangles: reversed, ..sphere(2, 1.0) };
    assert!((mesh(&inside_out).winding_number(DVec3::ZERO) + 1.0).abs() < 1e-12);
    // A copy of a closed surface doubles the number; a copy turned inside out takes one away.
    let twice = sphere(2, 1.0).and(&sphere(2, 1.0));
    assert!((mesh(&twice).winding_number(DVec3::splat(0.1)) - 2.0).abs() < 1e-12);
    assert!(mesh(&sphere(2, 1.0).and(&inside_out)).winding_number(DVec3::splat(0.1)).abs() < 1e-12);
}

#[test]
fn soups_as_by_the_spherical_excess() {
    let mut random = Random::new(2);
    for _ in 0..40 {
        let vertices: Vec<DVec3> = (0..30).map(|_| random.point(1.0)).collect();
        let soup = Soup { triangles: (0..10).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(), vertices };
        let body = mesh(&soup);
        for _ in 0..20 {
            let q = random.point(1.5);
            let (got, expected) = (body.winding_number(q), by_excess(&soup, q));
            assert!((got - expected).abs() < 1e-6, "{got}, not {expected}, at {q}");
        }
    }
}

#[test]
fn the_fast_sum_is_within_the_error_asked_for() {
    let mut random = Random::new(3);
    for soup in [
        sphere(5, 1.0),
        without(&sphere(5, 1.0), |i| i % 3 == 0),
        without(&torus(1.0, 0.4, 120, 60), |i| i < 3000),
        torus(1.0, 0.4, 60, 30).and(&sphere(4, 0.7)).map(|p| p * 1e-7 + DVec3::splat(3.0)),
    ] {
        let body = mesh(&soup);
        let [low, high] = body.bounds().unwrap();
        let mut worst = 0.0f64;
        for k in 0..150 {
            let t = 0.5 * (random.point(1.0) + 1.0);
            let far = if k % 3 == 0 { 4.0 } else { 1.0 };
            let q = low.midpoint(high) + (t - 0.5) * (high - low) * far;
            let exact = body.winding_number(q);
            for error in [0.3, 0.1, 0.01, 1e-3, 1e-6] {
                let off = (body.winding_number_within(q, error) - exact).abs();
                assert!(off <= error + 1e-9, "{off} of {error} at {q}");
                worst = worst.max(off);
            }
        }
        assert!(worst > 0.0, "nothing was taken together");
    }
}

#[test]
fn the_fast_sum_is_deterministic_and_total() {
    let body = mesh(&sphere(4, 1.0));
    let q = DVec3::new(0.3, 0.2, 0.1);
    let again = mesh(&sphere(4, 1.0)).winding_number_within(q, 0.05);
    assert_eq!(body.winding_number_within(q, 0.05).to_bits(), again.to_bits());
    assert_eq!(body.winding_number_within(q, -1.0), body.winding_number(q));
    assert_eq!(body.winding_number_within(q, f64::NAN), body.winding_number(q));
    for bad in [DVec3::NAN, DVec3::INFINITY, DVec3::splat(1e308), DVec3::splat(f64::MAX)] {
        assert_eq!([body.winding_number(bad), body.winding_number_within(bad, 0.1)], [0.0; 2]);
    }
    let tiny = mesh(&sphere(1, 1e-300));
    assert_eq!(tiny.winding_number(DVec3::splat(1e150)), 0.0);
    assert!((tiny.winding_number(DVec3::ZERO) - 1.0).abs() < 1e-12);
    assert_eq!(Mesh::empty().winding_number(DVec3::ZERO), 0.0);
    // On a corner, on an edge, on a face; and triangles without area.
    for soup in [
        cuboid(DVec3::ZERO, DVec3::ONE),
        copies(9, [DVec3::ZERO; 3]),
        copies(2, [DVec3::ZERO, DVec3::X, DVec3::X * 2.0]),
    ] {
        for p in [DVec3::ZERO, DVec3::ONE, DVec3::new(1.0, 1.0, 0.0), DVec3::new(1.0, 0.1, 0.2), DVec3::X * 0.5] {
            let w = mesh(&soup).winding_number(p);
            assert!(w.is_finite() && w.abs() <= 2.0, "{w} at {p}");
        }
    }
    assert!((mesh(&cuboid(DVec3::ZERO, DVec3::ONE)).winding_number(DVec3::new(1.0, 0.1, 0.2)) - 0.5).abs() < 1e-12);
    let million = mesh(&copies(1_000_000, [DVec3::X, DVec3::Y, DVec3::Z]));
    assert!((million.winding_number(DVec3::ZERO) - 125_000.0).abs() < 1e-6);
}

/// A box without its lid.
fn open_box(half: f64) -> Soup {
    let closed = cuboid(DVec3::ZERO, DVec3::splat(half));
    let lid: Vec<bool> = closed.corners().iter().map(|t| t.iter().all(|p| p.z == half)).collect();
    assert_eq!(lid.iter().filter(|&&x| x).count(), 2);
    without(&closed, |i| lid[i])
}

#[test]
fn a_box_without_a_lid_holds_what_is_in_it() {
    let (open, small) = (open_box(1.0), cuboid(DVec3::ZERO, DVec3::splat(0.2)));
    let solid = mesh(&open).into_solid_by_winding();
    assert!(mesh(&open).into_solid().is_err());
    for (z, inside) in [(0.0, true), (-0.5, true), (0.9, true), (1.5, false), (-3.0, false)] {
        let pose = Pose::at(DVec3::new(0.1, 0.0, z)).unwrap();
        let (hull, ball) = (Convex::hull(&small.vertices).unwrap(), Round::sphere(0.2).unwrap());
        for other in [Model::from(mesh(&small)), mesh(&small).into_surface().into(), hull.into(), ball.into()] {
            // Whether a small ball is inside is decided at its middle.
            if matches!(other, Model::Round(_)) && z == 0.9 {
                continue;
            }
            for method in [Method::Auto, Method::Brute] {
                let mut pair = Pair::new(solid.clone(), other.clone()).with_method(method);
                let got = pair.overlap(&Pose::IDENTITY, &pose);
                assert_eq!(got.overlap, inside, "{other:?} at {z}");
                assert_eq!(got.semantics, Semantics::Solid);
                assert_eq!(got.witness, inside.then_some(Touch::Contained(Containment::BInA)));
                let far = pair.distance(&Pose::IDENTITY, &pose);
                assert_eq!((far.interval.upper == 0.0, far.contained.is_some()), (inside, inside));
                assert_eq!(pair.within(&Pose::IDENTITY, &pose, 1e-3).within, inside);
                assert_eq!(pair.contacts(&Pose::IDENTITY, &pose, Limit::All).touching(), inside);
                let mut swapped = Pair::new(other.clone(), solid.clone()).with_method(method);
                assert_eq!(swapped.overlap(&pose, &Pose::IDENTITY).overlap, inside);
            }
        }
        let surface = Pair::new(mesh(&open), mesh(&small).into_surface()).overlap(&Pose::IDENTITY, &pose);
        assert!(!surface.overlap && surface.semantics == Semantics::Surface);
    }
}

#[test]
fn a_rod_through_the_hole_is_inside_whichever_vertex_comes_first() {
    let solid = mesh(&open_box(1.0)).into_solid_by_winding();
    let rod = cuboid(DVec3::ZERO, DVec3::new(0.1, 0.1, 3.0));
    for (turn, z) in [(0.0, 2.5), (PI, 2.5), (0.0, 4.5)] {
        let pose = Pose::new(DVec3::new(0.0, 0.0, z), DQuat::from_rotation_x(turn)).unwrap();
        let got = Pair::new(solid.clone(), mesh(&rod)).overlap(&Pose::IDENTITY, &pose);
        assert_eq!(got.overlap, z < 4.0);
        let hull = Convex::hull(&rod.vertices).unwrap();
        assert_eq!(Pair::new(hull, solid.clone()).overlap(&pose, &Pose::IDENTITY).overlap, z < 4.0);
    }
}

#[test]
fn a_closed_mesh_has_the_same_inside_by_winding() {
    let mut random = Random::new(8);
    let (outer, inner) = (torus(2.0, 0.6, 40, 20), sphere(1, 0.1));
    let (closed, winding) = (mesh(&outer), mesh(&outer).into_solid_by_winding());
    let mut inside = 0;
    for _ in 0..200 {
        let pose = Pose::new(random.point(2.5) * DVec3::new(1.0, 1.0, 0.3), random.rotation()).unwrap();
        let got = [&closed, &winding].map(|outer| {
            let overlap = Pair::new(outer.clone(), mesh(&inner)).overlap(&Pose::IDENTITY, &pose);
            (overlap.overlap, matches!(overlap.witness, Some(Touch::Contained(_))))
        });
        assert_eq!(got[0], got[1]);
        inside += usize::from(got[0].1);
    }
    assert!(inside > 10);
}

/// A ball moves into a tube through its open end and never touches its surface.
#[test]
fn impact_sees_what_comes_in_through_a_hole() {
    let tube = mesh(&without(&cuboid(DVec3::ZERO, DVec3::ONE), |i| i < 2)).into_solid_by_winding();
    let axis = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    let mut pair = Pair::new(tube, Round::sphere(0.1).unwrap());
    let mut seen = 0;
    for way in axis {
        let coming = Steady::straight(Pose::at(way * 3.0).unwrap(), way * -2.9, 0.0).unwrap();
        let impact = pair.impact(&Steady::still(Pose::IDENTITY), &coming, Span::UNIT);
        let time = impact.time.expect("it is in the middle at the end");
        assert!(time.upper < 1.0, "{way}: {impact:?}");
        // The five walls stop it at once; at the open end it gets farther in before most of the view is filled by the
        // solid.
        seen += u32::from(3.0 - 2.9 * time.upper < 1.0);
        let passing = Steady::straight(Pose::at(way * 3.0).unwrap(), way.any_orthogonal_vector() * 2.0, 0.0).unwrap();
        let impact = pair.impact(&Steady::still(Pose::IDENTITY), &passing, Span::UNIT);
        assert!(impact.time.is_none() && !impact.certain, "{way}: {impact:?}");
    }
    assert_eq!(seen, 1, "by the open end alone");
}
