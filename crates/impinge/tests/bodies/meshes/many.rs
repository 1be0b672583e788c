//! Many poses in one call, and contacts on all cores: the answers come in order, with the same bits for any number of
//! threads.

use std::collections::BTreeSet;
use std::f64::consts::FRAC_PI_2;
use std::mem;
use std::sync::Mutex;

use glam::{DQuat, DVec3};
use impinge::bound::Volume;
use impinge::{Builder, Convex, Limit, Mesh, Model, Pair, Parts, Pose, Round, Stats, distance};
use impinge_testing::random::Random;
use impinge_testing::shapes;
use rayon::prelude::*;

use crate::verdict::meshes::model;

fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// A body that moves by small steps, so that memory is of use, and sometimes jumps.
fn wandering(n: usize, reach: f64) -> Vec<Pose> {
    let mut random = Random::new(21);
    let (mut at, mut turn) = (random.point(reach), random.rotation());
    (0..n)
        .map(|i| {
            if i % 50 == 49 {
                (at, turn) = (random.point(reach), random.rotation());
            }
            at += random.point(0.01 * reach);
            Pose::new(at, turn).unwrap()
        })
        .collect()
}

/// Every verb with its witnesses, features and counts, as a text in which different bits look different: the answers,
/// and the counts beside them.
fn everything(pair: &mut Pair, pose: &Pose) -> (String, [Stats; 5]) {
    let still = Pose::IDENTITY;
    let contacts = pair.contacts(&still, pose, Limit::All);
    let mut overlap = pair.overlap(&still, pose);
    let mut distance = pair.distance(&still, pose);
    let mut within = pair.within(&still, pose, 0.2);
    let mut penetration = pair.penetration(&still, pose);
    let counts = [&mut overlap.stats, &mut distance.stats, &mut within.stats, &mut penetration.stats].map(mem::take);
    let [a, b, c, d] = counts;
    let answers = format!("{overlap:?} {distance:?} {within:?} {penetration:?} {:?}", contacts.pairs);
    (answers, [a, b, c, d, contacts.stats])
}

fn bodies() -> Vec<(&'static str, Model, Model)> {
    let mesh = |soup| model(&soup, Builder::Auto, false);
    let cube = |at: DVec3| Convex::hull(&shapes::cuboid(at, at + DVec3::ONE).vertices).unwrap();
    let corner = || Parts::new(vec![cube(DVec3::ZERO), cube(DVec3::X), cube(DVec3::Y)]).unwrap();
    let ball = Convex::hull(&shapes::sphere(3, 1.0).vertices).unwrap();
    vec![
        ("meshes", mesh(shapes::torus(1.0, 0.3, 48, 24)), mesh(shapes::sphere(3, 0.8))),
        ("hulls", Model::from(ball.clone()), Model::from(cube(DVec3::ZERO))),
        ("parts", Model::from(corner()), Model::from(corner())),
        ("round", Model::from(Round::cone(0.5, 1.0).unwrap()), Model::from(Round::capsule(0.2, 1.0).unwrap())),
        ("mixed", mesh(shapes::torus(1.0, 0.3, 24, 12)), Model::from(ball)),
    ]
}

#[test]
fn threads_change_no_bit_of_many() {
    let poses = wandering(300, 2.5);
    for (name, a, b) in bodies() {
        let pair = Pair::new(a, b);
        let one_thread = on(1, || pair.many(&poses, everything));
        for threads in [2, 3, 8] {
            assert!(on(threads, || pair.many(&poses, everything)) == one_thread, "{name} with {threads} threads");
        }
        // Within a run the answers are those of one new pair asked in a row. Such a pair may in the end have oriented
        // boxes fitted, and then it counts less.
        let mut one = pair.clone();
        for (i, pose) in poses.iter().enumerate() {
            if i % Pair::RUN == 0 {
                one.forget();
            }
            assert_eq!(everything(&mut one, pose).0, one_thread[i].0, "{name}, pose {i}");
        }
    }
}

#[test]
fn close_quarters_asked_about_often_cost_less_and_answer_the_same() {
    let mesh = model(&shapes::torus(1.0, 0.3, 96, 48), Builder::Auto, false);
    // Two linked rings some thousandths apart, and one pose at which they touch.
    let linked = |gap: f64| Pose::new(DVec3::X * (1.4 - gap), DQuat::from_rotation_x(FRAC_PI_2)).unwrap();
    let mut pair = Pair::new(mesh.clone(), mesh);
    for gap in [0.002, -0.002] {
        let pose = linked(gap);
        let first = pair.contacts(&Pose::IDENTITY, &pose, Limit::All);
        assert_eq!(first.pairs.is_empty(), gap > 0.0);
        let mut last = first.clone();
        for _ in 0..100 {
            last = pair.contacts(&Pose::IDENTITY, &pose, Limit::All);
            assert_eq!(last.pairs, first.pairs);
            assert_eq!(pair.overlap(&Pose::IDENTITY, &pose).overlap, gap < 0.0);
        }
        if gap > 0.0 {
            assert!(2 * last.stats.primitive_tests < first.stats.primitive_tests, "{:?} {:?}", last.stats, first.stats);
        }
        // Many such poses in one call: no query may learn from the ones before it, so the counts are all equal.
        let poses = vec![pose; 2000];
        let ask = |pair: &mut Pair, pose: &Pose| pair.contacts(&Pose::IDENTITY, pose, Limit::All);
        let all = pair.many(&poses, |pair, pose| ask(pair, pose).stats);
        assert!(all.iter().all(|stats| *stats == all[0] && stats.primitive_tests <= last.stats.primitive_tests));
    }
}

#[test]
fn what_a_pair_remembers_is_neither_used_nor_changed() {
    let poses = wandering(100, 2.5);
    let (_, a, b) = bodies().swap_remove(0);
    let fresh = Pair::new(a.clone(), b.clone());
    let mut warm = Pair::new(a, b);
    warm.distance(&Pose::IDENTITY, &poses[70]);
    let mut same = warm.clone();
    assert!(warm.many(&poses, everything) == fresh.many(&poses, everything));
    assert_eq!(everything(&mut warm, &poses[71]), everything(&mut same, &poses[71]));
}

#[test]
fn answers_come_in_the_order_given_from_every_thread() {
    let pair = Pair::new(Round::sphere(1.0).unwrap(), Round::sphere(1.0).unwrap());
    // More than one batch, and no whole number of runs.
    let items: Vec<u32> = (0..40_001).collect();
    let threads = Mutex::new(BTreeSet::new());
    let answers = on(2, || {
        pair.many(&items, |pair, &i| {
            let only_thread = {
                let mut threads = threads.lock().unwrap();
                threads.insert(format!("{:?}", std::thread::current().id()));
                threads.len() < 2
            };
            // On a busy machine the other thread may start late: wait for it once in each run.
            if only_thread && i % 32 == 0 {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            let pose = Pose::at(DVec3::X * (2.0 + f64::from(i))).unwrap();
            (i, pair.distance(&Pose::IDENTITY, &pose).interval)
        })
    });
    assert!(answers.iter().enumerate().all(|(k, (i, gap))| k as u32 == *i && gap.contains(f64::from(*i))));
    assert_eq!(answers.len(), items.len());
    assert!(threads.into_inner().unwrap().len() >= 2);
    assert!(pair.many(&[] as &[Pose], everything).is_empty());
}

/// The first distance has oriented boxes fitted in parallel. The thread that does this may be one of rayon's, and while
/// it waits it may start another distance of the same mesh.
#[test]
fn first_distances_within_rayon_do_not_wait_for_themselves() {
    let soup = shapes::torus(1.0, 0.3, 96, 48);
    for volume in [Volume::Auto, Volume::SweptSphere] {
        for _ in 0..8 {
            let fresh =
                || Model::from(Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap().with_volume(volume));
            let (a, b) = (fresh(), fresh());
            let poses = wandering(64, 3.0);
            let ask = |pose: &Pose| distance(&a, &Pose::IDENTITY, &b, pose).interval;
            let within: Vec<_> = on(4, || poses.par_iter().map(ask).collect());
            assert_eq!(within, poses.iter().map(ask).collect::<Vec<_>>());
        }
    }
}

/// A sphere with ripples.
fn rippled(steps: u32, along: fn(DVec3) -> f64, ripples: f64) -> Model {
    let soup = shapes::sphere(steps, 1.0).map(|p| p * (1.0 + 0.02 * (ripples * along(p)).sin()));
    model(&soup, Builder::Auto, false)
}

#[test]
fn contacts_on_all_cores_are_those_of_one() {
    let crossing = [rippled(6, |p| p.x, 60.0), rippled(6, |p| p.y, 61.0)];
    // A body against itself: the work is long enough to be divided among threads more than once.
    let large = rippled(7, |p| p.x, 60.0);
    for ([a, b], least) in [(crossing, 1 << 15), ([large.clone(), large], 7 << 15)] {
        let listed = |pair: &mut Pair, limit| {
            let found = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, limit);
            (found.pairs.to_vec(), found.complete, found.stats)
        };
        let ask = |limit| listed(&mut Pair::new(&a, &b), limit);
        // Within a batch each query stays on its own thread.
        let one_thread = Pair::new(&a, &b).many(&[()], |pair, ()| listed(pair, Limit::All)).swap_remove(0);
        assert!(
            one_thread.0.len() > 20_000 && one_thread.2.iterations > least,
            "{} {:?}",
            one_thread.0.len(),
            one_thread.2
        );
        for threads in [1, 2, 3, 8] {
            assert!(on(threads, || ask(Limit::All)) == one_thread, "{threads} threads");
            // Threads that do not know of each other reach the limit.
            let some = on(threads, || ask(Limit::UpTo(20_000)));
            assert_eq!((some.0.len(), some.1), (20_000, false));
            assert!(some == on(1, || ask(Limit::UpTo(20_000))), "limited, {threads} threads");
            assert!(some.0.iter().all(|pair| one_thread.0.binary_search(pair).is_ok()));
        }
    }
}
