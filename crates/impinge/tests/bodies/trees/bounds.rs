//! Every bounding volume answers as every other: the corpus, random scenes, and meshes large enough for deep trees.

use std::time::{Duration, Instant};

use glam::{DQuat, DVec3};
use impinge::bound::{Bound, Placement, Volume};
use impinge::{Builder, Limit, Mesh, Method, Model, Pair, Pose};
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;
use proptest::prelude::*;

use crate::verdict::engines::{VOLUMES, in_volume};
use crate::verdict::mesh_answers::{all_verbs, cold};
use crate::verdict::meshes::{Scene, model};
use crate::verdict::scenes::{config, free_scene, lattice_scene, wild_scene};

const BUILDERS: [Builder; 3] = [Builder::Auto, Builder::Mean, Builder::Binary];

fn exact_in_every_volume(scene: &Scene) -> Result<(), TestCaseError> {
    let truth = scene.truth();
    for volume in VOLUMES {
        let checked = all_verbs(&mut cold(&scene.models_in(Builder::Binary, volume), Method::Tree), scene, &truth);
        prop_assert!(checked.is_ok(), "{volume}: {}", checked.unwrap_err());
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn lattice_scenes_in_every_volume(scene in lattice_scene()) {
        exact_in_every_volume(&scene)?;
    }

    #[test]
    fn free_scenes_in_every_volume(scene in free_scene()) {
        exact_in_every_volume(&scene)?;
    }

    #[test]
    fn wild_scenes_in_every_volume(scene in wild_scene()) {
        exact_in_every_volume(&scene)?;
    }
}

/// Distances from far apart to crossing.
fn poses(random: &mut Random) -> Vec<Pose> {
    let mut poses: Vec<Pose> = [3.5, 2.2, 1.6, 1.0, 0.2]
        .iter()
        .map(|&reach| Pose::new(random.point(reach), random.rotation()).unwrap())
        .collect();
    poses.push(Pose::at(DVec3::new(0.0, 0.0, 2.0625)).unwrap());
    poses.push(Pose::IDENTITY);
    poses
}

#[test]
fn large_meshes_agree_with_brute_force() {
    let bodies = [shapes::torus(1.0, 0.4, 40, 16), shapes::rubble(5, 700), shapes::sphere(3, 1.0)];
    let mut random = Random::new(77);
    for (a, b) in [(0, 1), (1, 1), (2, 0), (2, 2)] {
        let poses = poses(&mut random);
        let plain = [a, b].map(|i| model(&bodies[i], Builder::Auto, true));
        let mut brute = cold(&plain, Method::Brute);
        let truths: Vec<_> = poses
            .iter()
            .map(|p| {
                (brute.contacts(&Pose::IDENTITY, p, Limit::All).pairs, brute.distance(&Pose::IDENTITY, p).interval)
            })
            .collect();
        for (builder, volume) in BUILDERS.into_iter().flat_map(|x| VOLUMES.map(|v| (x, v))) {
            let dressed = [a, b].map(|i| in_volume(model(&bodies[i], builder, true), volume));
            let mut pair = cold(&dressed, Method::Tree);
            for (pose, (pairs, interval)) in poses.iter().zip(&truths) {
                let what = format!("{builder}, {volume}, bodies {a} and {b} at {pose:?}");
                assert_eq!(pair.contacts(&Pose::IDENTITY, pose, Limit::All).pairs, *pairs, "{what}");
                assert_eq!(pair.overlap(&Pose::IDENTITY, pose).overlap, !pairs.is_empty(), "{what}");
                let got = pair.distance(&Pose::IDENTITY, pose).interval;
                assert!((got.mid() - interval.mid()).abs() <= 1e-12, "{what}: {got:?}, not {interval:?}");
                for factor in [0.0, 0.9, 1.1, 30.0] {
                    let near = pair.within(&Pose::IDENTITY, pose, factor * interval.upper).within;
                    assert_eq!(near, factor > 1.0 || interval.upper == 0.0, "{what}: within {factor} times");
                }
            }
        }
    }
}

/// F05: 500 pairs of triangles are almost as near as the nearest pair.
#[test]
fn a_shaft_in_a_hole_in_every_volume() {
    let exact = 0.00125 * (std::f64::consts::PI / 500.0).cos();
    let bodies = [shapes::prism(500, 1.0, 1.0), shapes::ring(500, 2.0, 1.00125, 0.5)];
    for volume in VOLUMES {
        let mut pair = cold(&[0, 1].map(|i| in_volume(model(&bodies[i], Builder::Auto, false), volume)), Method::Tree);
        let still = Pose::IDENTITY;
        let got = pair.distance(&still, &still).interval;
        assert!((got.mid() - exact).abs() <= 1e-12 && got.width() <= 1e-12, "{volume}: {got:?}, exactly {exact}");
        assert!(
            !pair.within(&still, &still, 0.00124).within && pair.within(&still, &still, 0.00126).within,
            "{volume}"
        );
        assert!(!pair.overlap(&still, &still).overlap, "{volume}");
    }
}

/// F06: edges that are nearly parallel.
#[test]
fn nearly_parallel_boxes_in_every_volume() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    for exponent in [5, 8, 11, 14, 17] {
        for axis in [DVec3::Z, DVec3::ONE.normalize()] {
            let rotation = DQuat::from_axis_angle(axis, 10f64.powi(-exponent).asin());
            for shift in [DVec3::X * 2.0, DVec3::new(2.0, 2.0, 1.0), DVec3::new(0.0, 1.5, 2.0)] {
                let scene = Scene::new(cube.clone(), cube.clone(), Pose::IDENTITY, Pose::new(shift, rotation).unwrap());
                let truth = scene.truth();
                for volume in VOLUMES {
                    let mut pair = cold(&scene.models_in(Builder::Binary, volume), Method::Tree);
                    let say = |e| format!("{volume}, 1e-{exponent} about {axis}, {shift}: {e}");
                    all_verbs(&mut pair, &scene, &truth).map_err(say).unwrap();
                }
            }
        }
    }
}

/// F07: every triangle meets itself and its twelve neighbours.
#[test]
fn a_mesh_on_itself_in_every_volume() {
    let soup = shapes::torus(2.0, 0.5, 60, 30);
    for volume in VOLUMES {
        let body = in_volume(model(&soup, Builder::Mean, false), volume);
        let mut pair = Pair::new(body.clone(), body).with_method(Method::Tree);
        let all = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
        assert_eq!((all.pairs.len(), all.complete), (3600 * 13, true), "{volume}");
        assert_eq!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.upper, 0.0, "{volume}");
    }
}

/// A deformed mesh keeps its kind of volume, fitted to the new positions of its triangles.
#[test]
fn a_deformed_mesh_keeps_its_volumes() {
    let soup = shapes::sphere(3, 1.0);
    let mesh = |volume| Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap().with_volume(volume);
    let stretched: Vec<DVec3> = soup.vertices.iter().map(|p| *p * DVec3::new(1.0, 1.0, 3.0)).collect();
    for volume in VOLUMES {
        let mut body = mesh(volume);
        let before = Pair::new(body.clone(), body.clone());
        let above = Pose::at(DVec3::Z * 6.5).unwrap();
        assert!((before.clone().distance(&Pose::IDENTITY, &above).interval.mid() - 4.5).abs() < 1e-12, "{volume}");
        body.deform(&stretched).unwrap();
        let got = Pair::new(body.clone(), body).distance(&Pose::IDENTITY, &above).interval;
        assert!((got.mid() - 0.5).abs() < 1e-12, "{volume}: {got:?}");
    }
}

/// OBBTree §6, Lin §5.2: of two spheres, one a little smaller inside the other, spheres and boxes along the axes need
/// many more tests than oriented boxes, and swept spheres not many more.
#[test]
fn oriented_volumes_win_in_parallel_close_proximity() {
    let outer = shapes::sphere(4, 1.0);
    let inner = outer.map(|p| p * 0.98);
    let tests = |volume: Volume| {
        let models = [&outer, &inner].map(|s| in_volume(model(s, Builder::Binary, true), volume));
        let answer = cold(&models, Method::Tree).overlap(&Pose::IDENTITY, &Pose::IDENTITY);
        assert!(!answer.overlap);
        answer.stats.volume_tests
    };
    let [obb, rss, aabb, sphere] = [Volume::Obb, Volume::SweptSphere, Volume::Aabb, Volume::Sphere].map(tests);
    assert!(3 * obb < aabb && 3 * obb < sphere && 2 * rss < aabb, "obb {obb}, rss {rss}, aabb {aabb}, sphere {sphere}");
}

/// A pair of nodes that is near enough as a whole is not opened.
#[test]
fn a_large_tolerance_is_told_by_the_roots() {
    let soup = shapes::sphere(3, 1.0);
    for volume in VOLUMES {
        let body = in_volume(model(&soup, Builder::Auto, true), volume);
        let answer = Pair::new(body.clone(), body).within(&Pose::IDENTITY, &Pose::at(DVec3::X * 5.0).unwrap(), 20.0);
        assert!(answer.within && answer.stats.volume_tests == 0, "{volume}: {:?}", answer.stats);
        let witness = answer.witness.unwrap();
        assert!(witness.points[0].distance(witness.points[1]) <= 20.0);
    }
}

#[test]
fn different_volumes_are_asked_about_as_auto() {
    let soup = shapes::torus(1.0, 0.3, 20, 10);
    let mesh = model(&soup, Builder::Auto, true);
    let pose = Pose::new(DVec3::new(1.9, 0.2, 0.4), DQuat::from_rotation_x(0.7)).unwrap();
    let auto = Pair::new(mesh.clone(), mesh.clone()).distance(&Pose::IDENTITY, &pose);
    for (v, w) in [(Volume::Obb, Volume::Sphere), (Volume::Auto, Volume::Kdop18), (Volume::Kdop14, Volume::Kdop26)] {
        let (a, b) = (in_volume(mesh.clone(), v), in_volume(mesh.clone(), w));
        let got = Pair::new(a, b).distance(&Pose::IDENTITY, &pose);
        assert_eq!((got.interval, got.stats), (auto.interval, auto.stats), "{v} and {w}");
    }
}

/// A volume of the user's that knows nothing: both its bounds are NaN.
#[derive(Debug)]
struct Ignorant;

impl Bound for Ignorant {
    type Placed = ();

    fn around(_: &[[DVec3; 3]]) -> Ignorant {
        Ignorant
    }

    fn place(&self, _: &Placement) {}

    fn apart(&self, _: &()) -> f64 {
        f64::NAN
    }

    fn at_most(&self, _: &()) -> f64 {
        f64::NAN
    }
}

#[test]
fn a_volume_of_the_users_own_type() {
    let soup = shapes::rubble(9, 60);
    let mesh = Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap().into_surface();
    let plain: Model = mesh.clone().into();
    let own: Model = mesh.with_bound::<Ignorant>().into();
    let mut random = Random::new(3);
    for pose in poses(&mut random) {
        let (mut a, mut b) = (Pair::new(own.clone(), own.clone()), Pair::new(plain.clone(), plain.clone()));
        let (x, y) = (a.contacts(&Pose::IDENTITY, &pose, Limit::All), b.contacts(&Pose::IDENTITY, &pose, Limit::All));
        assert_eq!(x.pairs, y.pairs);
        let (x, y) = (a.distance(&Pose::IDENTITY, &pose).interval, b.distance(&Pose::IDENTITY, &pose).interval);
        assert!((x.mid() - y.mid()).abs() <= 1e-13, "{x:?}, not {y:?}");
        assert_eq!(a.within(&Pose::IDENTITY, &pose, 0.1).within, b.within(&Pose::IDENTITY, &pose, 0.1).within);
    }
}

/// A fan of different triangles that all have the same centroid, up to rounding, and one with exactly the same.
#[test]
fn equal_centroids_build_and_answer_in_time() {
    let turned = |i: u32| {
        let angle = f64::from(i) * 1e-5;
        let p = DVec3::new(angle.cos(), angle.sin(), 0.0);
        [p, -0.5 * p + DVec3::Z, -0.5 * p - DVec3::Z]
    };
    let n = 100_000;
    let vertices: Vec<DVec3> = (0..n).flat_map(turned).collect();
    let soup = Soup { vertices, triangles: (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect() };
    for (builder, volume) in
        [(Builder::Mean, Volume::Obb), (Builder::Binary, Volume::SweptSphere), (Builder::Mean, Volume::Kdop18)]
    {
        let start = Instant::now();
        let body = in_volume(model(&soup, builder, true), volume);
        let mut pair = Pair::new(body.clone(), model(&shapes::sphere(1, 0.1), builder, true)).with_method(Method::Tree);
        let far = Pose::at(DVec3::X * 9.0).unwrap();
        assert!(!pair.overlap(&Pose::IDENTITY, &far).overlap);
        let mut own = Pair::new(body, in_volume(model(&shapes::sphere(1, 0.1), builder, true), volume));
        let got = own.distance(&Pose::IDENTITY, &far).interval;
        assert!((got.mid() - 7.9).abs() < 1e-2, "{got:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{builder}, {volume}: {:?}", start.elapsed());
    }
}

#[test]
fn names_read_back() {
    for volume in VOLUMES {
        assert_eq!(volume.to_string().parse(), Ok(volume));
    }
    for name in ["mean", "binary"] {
        assert_eq!(name.parse::<Builder>().unwrap().to_string(), name);
    }
    assert!("octopus".parse::<Volume>().is_err());
}
