//! A deformed mesh is the mesh that would have been built of its new positions, in every answer and in its report.

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{DQuat, DVec3};
use impinge::bound::Volume;
use impinge::{BuildError, Builder, Limit, Mesh, Method, Model, Pair, Pose, Refit};
use impinge_testing::random::Random;
use impinge_testing::shapes::{copies, cuboid, grid, sphere, torus};
use impinge_testing::soup::Soup;

use crate::verdict::mesh_answers::{all_verbs, cold};
use crate::verdict::meshes::Scene;

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

/// Every triangle with corners of its own, as STL files have them.
fn torn(soup: &Soup) -> Soup {
    let vertices: Vec<DVec3> = soup.corners().into_iter().flatten().collect();
    Soup { triangles: (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(), vertices }
}

/// A smooth map that bends, twists and stretches by about `much`.
fn bent(soup: &Soup, much: f64, random: &mut Random) -> Soup {
    let [k, phase, shift] = [random.point(2.0), random.point(3.0), random.point(much)];
    let twist = random.within(-much, much);
    soup.map(|p| {
        let wave = DVec3::new((k.x * p.y + phase.x).sin(), (k.y * p.z + phase.y).sin(), (k.z * p.x + phase.z).sin());
        DQuat::from_rotation_z(twist * p.z) * (p + much * wave) + shift
    })
}

/// What is asked about a single mesh.
fn assert_same(deformed: &Mesh, soup: &Soup) {
    let fresh = mesh(soup);
    assert_eq!(deformed.report(), fresh.report());
    assert_eq!(deformed.bounds(), fresh.bounds());
    assert_eq!(deformed.is_solid(), fresh.is_solid());
    assert_eq!(deformed.clone().into_solid().err(), fresh.clone().into_solid().err());
    for i in 0..soup.triangles.len() as u32 {
        assert_eq!(deformed.triangle(i), fresh.triangle(i));
    }
}

/// All verbs of a deformed mesh with another, against brute force in exact arithmetic.
fn assert_true(deformed: &Mesh, soup: &Soup, other: &Soup, pose: Pose) {
    assert_same(deformed, soup);
    for (a_first, scene) in [
        (true, Scene::new(soup.clone(), other.clone(), Pose::IDENTITY, pose)),
        (false, Scene::new(other.clone(), soup.clone(), pose, Pose::IDENTITY)),
    ] {
        let truth = scene.truth();
        let (deformed, other) = (Model::from(deformed.clone()), Model::from(mesh(other)));
        let models = if a_first { [deformed, other] } else { [other, deformed] };
        for method in [Method::Auto, Method::Brute] {
            all_verbs(&mut cold(&models, method), &scene, &truth).unwrap();
        }
    }
}

#[test]
fn smooth_deformations_are_refitted_and_answer_as_if_built() {
    let mut random = Random::new(41);
    let other = cuboid(DVec3::new(0.4, -0.2, 0.1), DVec3::new(0.5, 0.3, 0.7));
    let (mut refitted, mut all) = (0, 0);
    for shape in [torus(1.0, 0.4, 10, 7), sphere(2, 1.1), torn(&sphere(1, 0.9)), grid(6, 0.3)] {
        for builder in [Builder::Auto, Builder::Sah] {
            let mut body = Mesh::with_builder(shape.vertices.clone(), shape.triangles.clone(), builder).unwrap();
            for _ in 0..4 {
                let soup = bent(&shape, 0.3, &mut random);
                refitted += usize::from(body.deform(&soup.vertices).unwrap() == Refit::Refitted);
                all += 1;
                let pose = Pose::new(random.point(1.5), random.rotation()).unwrap();
                assert_true(&body, &soup, &other, pose);
            }
        }
    }
    assert!(2 * refitted > all, "only {refitted} of {all} were refitted");
}

#[test]
fn other_volumes_and_builders_follow() {
    let mut random = Random::new(47);
    let (shape, other) = (torus(1.0, 0.4, 8, 6), sphere(1, 0.6));
    for (volume, builder) in [
        (Volume::Obb, Builder::Mean),
        (Volume::SweptSphere, Builder::Binary),
        (Volume::Kdop18, Builder::Auto),
        (Volume::Sphere, Builder::Sah),
    ] {
        let mut body = Mesh::with_builder(shape.vertices.clone(), shape.triangles.clone(), builder).unwrap();
        body = body.with_volume(volume);
        for much in [0.2, 2.0] {
            let soup = bent(&shape, much, &mut random);
            body.deform(&soup.vertices).unwrap();
            assert_same(&body, &soup);
            let scene = Scene::at_origin(soup, other.clone());
            let models = [Model::from(body.clone()), Model::from(mesh(&other).with_volume(volume))];
            all_verbs(&mut cold(&models, Method::Tree), &scene, &scene.truth()).unwrap();
        }
    }
}

#[test]
fn violent_deformations_are_rebuilt_and_answer_as_if_built() {
    let mut random = Random::new(43);
    let shape = sphere(3, 1.0);
    let mut body = mesh(&shape);
    let other = torus(0.8, 0.3, 9, 6);
    let shuffled = shape.map(|_| DVec3::ZERO);
    let mut rebuilt = 0;
    for round in 0..4 {
        let soup = Soup { vertices: shape.vertices.iter().map(|_| random.point(1.0)).collect(), ..shuffled.clone() };
        rebuilt += usize::from(body.deform(&soup.vertices).unwrap() == Refit::Rebuilt);
        assert_same(&body, &soup);
        let (a, b) = (Pair::new(body.clone(), mesh(&other)), Pair::new(mesh(&soup), mesh(&other)));
        assert_pairs_agree(a, b, &mut random);
        if round == 3 {
            body.deform(&shape.vertices).unwrap();
            assert_same(&body, &shape);
        }
    }
    assert!(rebuilt >= 1);
}

fn assert_pairs_agree(mut a: Pair, mut b: Pair, random: &mut Random) {
    for _ in 0..10 {
        let pose = Pose::new(random.point(2.0), random.rotation()).unwrap();
        let still = Pose::IDENTITY;
        assert_eq!(a.overlap(&still, &pose).overlap, b.overlap(&still, &pose).overlap);
        assert_eq!(a.contacts(&still, &pose, Limit::All).pairs, b.contacts(&still, &pose, Limit::All).pairs);
        let (p, q) = (a.distance(&still, &pose), b.distance(&still, &pose));
        assert!((p.interval.mid() - q.interval.mid()).abs() <= 1e-13 && p.contained == q.contained, "{p:?} {q:?}");
        assert_eq!(a.within(&still, &pose, 0.3).within, b.within(&still, &pose, 0.3).within);
    }
}

#[test]
fn vertices_meet_and_part() {
    let shape = torn(&cuboid(DVec3::ZERO, DVec3::ONE));
    let mut body = mesh(&shape);
    assert!(body.is_solid());
    let mut soup = shape.clone();
    soup.vertices[4] += DVec3::new(0.5, 0.0, 0.0);
    assert_eq!(body.deform(&soup.vertices), Ok(Refit::Rebuilt));
    assert!(!body.is_solid() && body.report().open_edges > 0);
    assert_same(&body, &soup);
    assert_eq!(body.deform(&shape.vertices), Ok(Refit::Rebuilt));
    assert!(body.is_solid());
    assert_same(&body, &shape);

    // Collapsed to a plane, a line, a point, and back.
    let tor = torus(1.0, 0.4, 12, 8);
    let mut body = mesh(&tor);
    for flat in [DVec3::new(1.0, 1.0, 0.0), DVec3::new(1.0, 0.0, 0.0), DVec3::ZERO, DVec3::ONE] {
        let soup = tor.map(|p| p * flat);
        body.deform(&soup.vertices).unwrap();
        assert_same(&body, &soup);
        // The same vertices are still equal, so that the next step need not build the tree again.
        let moved = soup.map(|p| p * 2.0);
        assert_eq!(body.deform(&moved.vertices), Ok(Refit::Refitted));
        assert_same(&body, &moved);
    }
}

#[test]
fn copies_and_unused_vertices_are_counted_anew() {
    // Two copies of one triangle, one of them turned over and with corners of its own, and two vertices without one.
    let v = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let shape = Soup {
        vertices: vec![
            v(9., 9., 9.),
            v(0., 0., 0.),
            v(1., 0., 0.),
            v(0., 1., 0.),
            v(1., 0., 0.),
            v(0., 0., 0.),
            v(0., 1., 0.),
            v(8., 8., 8.),
        ],
        triangles: vec![[1, 2, 3], [4, 5, 6], [3, 1, 2]],
    };
    let mut body = mesh(&shape);
    assert_eq!(body.report().duplicate_triangles, 2);
    let mut random = Random::new(5);
    for step in 0..200 {
        let mut soup = shape.clone();
        for v in &mut soup.vertices {
            *v = random.grid_point(if step % 2 == 0 { 1 } else { 40 });
        }
        if step % 5 == 0 {
            soup = shape.map(|p| p * f64::from(step + 1) + DVec3::X);
        }
        if step % 7 == 0 {
            soup.vertices[7] = soup.vertices[0];
        }
        body.deform(&soup.vertices).unwrap();
        assert_same(&body, &soup);
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    for shape in [torus(1.0, 0.3, 8, 6), torn(&sphere(1, 1.0)), copies(5, [DVec3::ZERO, DVec3::X, DVec3::Y])] {
        let mut body = mesh(&shape);
        let _ = Pair::new(body.clone(), body.clone()).distance(&Pose::IDENTITY, &Pose::at(DVec3::Z).unwrap());
        let (_, _) = (body.hull(), body.winding_number_within(DVec3::ONE, 0.1));
        let before = format!("{body:?}");
        let n = shape.vertices.len();
        let mut positions = shape.map(|p| p * 2.0).vertices;
        for (x, at) in [(f64::NAN, 0), (f64::INFINITY, n - 1), (f64::NEG_INFINITY, n / 2)] {
            let mut bad = positions.clone();
            bad[at].y = x;
            assert!(matches!(body.deform(&bad), Err(BuildError::NotFinite { vertex, .. }) if vertex == at));
            bad[at].y = 1.1e150;
            assert!(matches!(body.deform(&bad), Err(BuildError::TooLarge { vertex, .. }) if vertex == at));
            assert!(format!("{body:?}") == before, "a refused deformation left its mark");
        }
        positions.push(DVec3::ZERO);
        for count in [0, n - 1, n + 1] {
            let refused = body.deform(&positions[..count]).unwrap_err();
            assert_eq!(refused, BuildError::WrongCount { count, vertices: n });
            assert!(refused.to_string().contains(&n.to_string()) && format!("{body:?}") == before);
        }
        assert!(body.deform(&positions[..n]).is_ok() && format!("{body:?}") != before);
    }
    let mut empty = Mesh::empty();
    assert_eq!(empty.deform(&[]), Ok(Refit::Refitted));
    assert_eq!(empty.deform(&[DVec3::ZERO]), Err(BuildError::WrongCount { count: 1, vertices: 0 }));
}

#[test]
fn a_thousand_small_deformations_keep_a_tree_as_good_as_new() {
    let shape = torus(1.0, 0.4, 60, 30);
    let mut body = Arc::new(mesh(&shape));
    let other = Arc::new(mesh(&sphere(3, 0.5)));
    let pose = Pose::new(DVec3::new(0.7, 0.9, 0.8), DQuat::from_rotation_x(0.4)).unwrap();
    let mut warm = Pair::new(body.clone(), other.clone());
    let mut random = Random::new(9);
    let (mut soup, mut work) = (shape.clone(), [0u64; 2]);
    for step in 0..1000 {
        for v in &mut soup.vertices {
            *v += random.point(0.002);
        }
        Arc::make_mut(&mut body).deform(&soup.vertices).unwrap();
        drop(warm.replace_a(body.clone()));
        if step % 50 == 49 {
            assert_same(&body, &soup);
            let mut fresh = Pair::new(mesh(&soup), other.clone());
            let (p, q) = (warm.distance(&Pose::IDENTITY, &pose), fresh.distance(&Pose::IDENTITY, &pose));
            assert!((p.interval.mid() - q.interval.mid()).abs() <= 1e-13, "{p:?} {q:?}");
            let mut refitted = Pair::new(body.clone(), other.clone());
            let inside = Pose::at(DVec3::new(1.0, 0.0, 0.1)).unwrap();
            for (pair, work) in [&mut refitted, &mut fresh].into_iter().zip(&mut work) {
                let all = pair.contacts(&Pose::IDENTITY, &inside, Limit::All);
                let far = pair.distance(&Pose::IDENTITY, &pose);
                *work += all.stats.volume_tests + all.stats.primitive_tests + far.stats.volume_tests;
            }
            assert_eq!(
                refitted.contacts(&Pose::IDENTITY, &inside, Limit::All).pairs,
                fresh.contacts(&Pose::IDENTITY, &inside, Limit::All).pairs
            );
        }
    }
    assert!(work[0] <= 2 * work[1], "a refitted tree does {} tests, a fresh one {}", work[0], work[1]);
}

#[test]
fn a_million_copies_of_one_triangle() {
    let one = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let shape = copies(1_000_000, one);
    let mut body = mesh(&shape);
    let start = Instant::now();
    let raised = shape.map(|p| p + DVec3::Z);
    assert_eq!(body.deform(&raised.vertices), Ok(Refit::Refitted));
    assert_eq!(body.report(), mesh(&raised).report());
    let mut pair = Pair::new(body.clone(), mesh(&copies(1, one)));
    assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(1.0));

    // The last copy moves to another place.
    let mut parted = raised.clone();
    parted.vertices.iter_mut().rev().take(3).for_each(|p| p.z = 0.5);
    assert_eq!(body.deform(&parted.vertices), Ok(Refit::Rebuilt));
    assert_eq!(body.report().duplicate_triangles, 999_998);
    let old = pair.replace_a(body);
    assert!(matches!(old, Model::Mesh(old) if old.report().duplicate_triangles == 999_999));
    let got = pair.distance(&Pose::IDENTITY, &Pose::IDENTITY);
    assert!(got.interval.contains(0.5), "{got:?}");
    assert_eq!(got.witness.unwrap().features[0].triangle(), Some(999_999));
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn any_scale_and_place() {
    let (shape, other) = (sphere(1, 1.0), torus(0.9, 0.2, 6, 4));
    let mut body = mesh(&shape);
    for (scale, shift) in [(1e-300, 0.0), (1e140, 0.0), (1.0, 1e9), (1e-8, 1.0), (1.0, 0.0)] {
        let to = |p: DVec3| p * scale + DVec3::splat(shift);
        let soup = shape.map(to);
        body.deform(&soup.vertices).unwrap();
        assert_true(&body, &soup, &other.map(to), Pose::IDENTITY);
    }
}

#[test]
fn what_counts_as_inside_stays() {
    let shape = torn(&cuboid(DVec3::ZERO, DVec3::ONE));
    let mut open = shape.clone();
    open.vertices[0].x += 0.25;
    let mut surface = mesh(&shape).into_surface();
    let mut winding = mesh(&open).into_solid_by_winding();
    let mut closes = mesh(&open);
    assert!(!surface.is_solid() && winding.is_solid() && !closes.is_solid());
    for positions in [&open.vertices, &shape.vertices, &open.vertices] {
        surface.deform(positions).unwrap();
        winding.deform(positions).unwrap();
        closes.deform(positions).unwrap();
        assert!(!surface.is_solid() && winding.is_solid());
        assert_eq!(closes.is_solid(), closes.report().closed);
    }
}

#[test]
fn a_replaced_body_is_the_one_that_answers() {
    let (shape, small) = (sphere(3, 1.0), cuboid(DVec3::ZERO, DVec3::splat(0.2)));
    let other = mesh(&sphere(2, 0.5));
    let pose = Pose::at(DVec3::new(2.0, 0.3, 0.1)).unwrap();
    let mut warm = Pair::new(mesh(&shape), other.clone());
    let mut random = Random::new(3);
    for round in 0..30 {
        // The new body is larger, smaller, refitted, rebuilt, or of another kind.
        let soup = match round % 5 {
            0 => bent(&shape, 0.05, &mut random),
            1 => small.clone(),
            2 => shape.clone(),
            3 => Soup { vertices: shape.vertices.iter().map(|_| random.point(1.0)).collect(), ..shape.clone() },
            _ => copies(1, [DVec3::ZERO, DVec3::X, DVec3::Y]),
        };
        let model = if round % 10 == 9 {
            impinge::Convex::hull(&shape.vertices).unwrap().into()
        } else {
            Model::from(mesh(&soup))
        };
        warm.replace_a(model.clone());
        let mut fresh = Pair::new(model, other.clone());
        let (p, q) = (warm.distance(&Pose::IDENTITY, &pose), fresh.distance(&Pose::IDENTITY, &pose));
        assert!((p.interval.mid() - q.interval.mid()).abs() <= 1e-13, "round {round}: {p:?} {q:?}");
        let (p, q) = (warm.penetration(&Pose::IDENTITY, &pose), fresh.penetration(&Pose::IDENTITY, &pose));
        assert_eq!(p.direction.is_some(), q.direction.is_some());
        assert_eq!(warm.overlap(&Pose::IDENTITY, &pose).overlap, fresh.overlap(&Pose::IDENTITY, &pose).overlap);
    }
}

#[test]
fn threads_change_no_bit() {
    let shape = torus(2.0, 0.7, 160, 80);
    let mut random = Random::new(77);
    let mut steps: Vec<Soup> = (0..3).map(|_| bent(&shape, 0.2, &mut random)).collect();
    steps.push(Soup { vertices: shape.vertices.iter().map(|_| random.point(1.0)).collect(), ..shape.clone() });
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut body = mesh(&shape);
            let after = |soup: &Soup| (body.deform(&soup.vertices).unwrap(), format!("{body:?}"));
            steps.iter().map(after).collect::<Vec<_>>()
        })
    };
    let one_thread = run(1);
    assert!(one_thread.iter().any(|(refit, _)| *refit == Refit::Refitted));
    for threads in [2, 5] {
        assert!(run(threads) == one_thread, "{threads} threads differ from one");
    }
}
