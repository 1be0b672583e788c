//! Trees of convex hulls on the meshes of the corpus: every verb answers as brute force and as the default tree do.
//!
//! The corpus is found through `IMPINGE_CORPUS`; without it these tests say so and pass.

use std::path::PathBuf;

use glam::DVec3;
use impinge::bound::Volume;
use impinge::{Builder, DepthKind, Limit, Method, Model, Pair, Pose};
use impinge_testing::environment;
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

use crate::verdict::engines::in_volume;
use crate::verdict::mesh_answers::cold;
use crate::verdict::meshes::model;

/// The meshes with their names, each with every n-th of its triangles, so that there are at most `most`, in a unit box.
fn corpus(most: usize) -> Option<Vec<(String, Soup)>> {
    let folder = environment::corpus()?;
    let unit = |path: &PathBuf| {
        let part = impinge_io::read(path).ok()?.merged();
        let step = part.triangles.len().div_ceil(most).max(1);
        let triangles: Vec<[u32; 3]> = part.triangles.iter().copied().step_by(step).collect();
        let used = || triangles.iter().flatten().map(|&i| part.vertices[i as usize]);
        let (low, high) = (used().fold(DVec3::INFINITY, DVec3::min), used().fold(DVec3::NEG_INFINITY, DVec3::max));
        let size = (high - low).max_element();
        let vertices = part.vertices.iter().map(|p| (*p - (low + high) * 0.5) / size).collect();
        (size > 0.0).then(|| (path.display().to_string(), Soup { vertices, triangles }))
    };
    let soups: Vec<(String, Soup)> = environment::mesh_files(&folder.join("meshes")).iter().filter_map(unit).collect();
    assert!(soups.len() > 20, "only {} meshes in {}", soups.len(), folder.display());
    Some(soups)
}

/// Three poses on one line, two of them near each other and apart as a rule, and one deep inside.
fn poses(random: &mut Random) -> [Pose; 3] {
    let (at, turn) = (random.point(1.0).normalize(), random.rotation());
    [1.3, 1.29, 0.5].map(|reach| Pose::new(at * reach, turn).unwrap())
}

/// Meshes thinned to a size that brute force can handle, each beside the next.
#[test]
fn small_meshes_agree_with_brute_force() {
    let Some(soups) = corpus(1500) else { return };
    let mut random = Random::new(11);
    for k in 0..soups.len() {
        let (name, soup) = &soups[k];
        let plain = [soup, &soups[(k + 1) % soups.len()].1].map(|s| model(s, Builder::Auto, true));
        let mut pair = cold(&plain.clone().map(|m| in_volume(m, Volume::Hull)), Method::Tree);
        let mut brute = cold(&plain, Method::Brute);
        for pose in poses(&mut random) {
            let truth = brute.distance(&Pose::IDENTITY, &pose).interval;
            let got = pair.distance(&Pose::IDENTITY, &pose).interval;
            assert!((got.mid() - truth.mid()).abs() <= 1e-12, "{name}: {got:?}, not {truth:?}");
            let pairs = brute.contacts(&Pose::IDENTITY, &pose, Limit::All).pairs;
            assert_eq!(pair.contacts(&Pose::IDENTITY, &pose, Limit::All).pairs, pairs, "{name}");
        }
    }
}

/// One pair goes through all poses and remembers; for each pose there is also a new pair.
fn all_verbs_agree(name: &str, plain: &[Model; 2], poses: &[Pose]) {
    let hulls = plain.clone().map(|m| in_volume(m, Volume::Hull));
    let (mut boxes, mut warm) = (cold(plain, Method::Tree), cold(&hulls, Method::Tree));
    let still = &Pose::IDENTITY;
    for pose in poses {
        let distance = boxes.distance(still, pose);
        let contacts = boxes.contacts(still, pose, Limit::All);
        let mut fresh = cold(&hulls, Method::Tree);
        let (deep, depth) = (fresh.penetration(still, pose), cold(plain, Method::Tree).penetration(still, pose));
        assert_eq!((deep.kind, deep.direction.is_some()), (depth.kind, depth.direction.is_some()), "{name}");
        if deep.kind == DepthKind::UpperBound {
            // The search for a short translation that separates; which one it finds depends on the closest points that
            // a tree finds first.
            let [x, y] = [deep.interval, depth.interval];
            assert!(x.lower <= y.upper && y.lower <= x.upper, "{name}: {x:?} and {y:?}");
        } else {
            assert_eq!((deep.interval, deep.direction), (depth.interval, depth.direction), "{name}");
        }
        for (warmth, pair) in [("warm", &mut warm), ("cold", &mut fresh)] {
            let what = format!("{name}, {warmth}, at {pose:?}");
            let got = pair.distance(still, pose);
            let meet = got.interval.lower <= distance.interval.upper && distance.interval.lower <= got.interval.upper;
            assert!(meet && got.interval.width() <= 1e-12, "{what}: {:?}, {:?}", got.interval, distance.interval);
            assert_eq!((got.penetrating, got.contained), (distance.penetrating, distance.contained), "{what}");
            let (x, y) = (pair.overlap(still, pose).overlap, boxes.overlap(still, pose).overlap);
            assert_eq!(x, y, "{what}");
            let listed = pair.contacts(still, pose, Limit::All);
            assert_eq!((&listed.pairs, listed.contained), (&contacts.pairs, contacts.contained), "{what}");
            for factor in [0.5, 0.999, 1.001, 3.0] {
                let tolerance = factor * distance.interval.upper;
                let (x, y) = (pair.within(still, pose, tolerance).within, boxes.within(still, pose, tolerance).within);
                assert_eq!(x, y, "{what}: within {tolerance}");
            }
        }
    }
}

/// Whole meshes, as solids where they are closed, each beside the next.
#[test]
fn whole_meshes_agree_with_the_default_tree() {
    let Some(soups) = corpus(usize::MAX) else { return };
    let mut random = Random::new(17);
    let most = |soup: &&(String, Soup)| soup.1.triangles.len() <= 100_000;
    let soups: Vec<_> = soups.iter().filter(most).collect();
    let models: Vec<Model> = soups.iter().map(|(_, soup)| model(soup, Builder::Auto, false)).collect();
    for (k, (name, _)) in soups.iter().enumerate() {
        let plain = [&models[k], &models[(k + 1) % models.len()]].map(Model::clone);
        all_verbs_agree(name, &plain, &poses(&mut random));
    }
}

#[test]
fn a_pair_of_hull_trees_is_the_default_tree_without_a_corpus_too() {
    let bodies = [shapes::torus(1.0, 0.4, 40, 16), shapes::sphere(3, 0.8)].map(|s| model(&s, Builder::Auto, false));
    let mut random = Random::new(5);
    let poses: Vec<Pose> = (0..10).flat_map(|_| poses(&mut random)).collect();
    for [a, b] in [[0, 1], [1, 0], [0, 0]] {
        all_verbs_agree("shapes", &[bodies[a].clone(), bodies[b].clone()], &poses);
    }
    let far = Pose::at(DVec3::X * 5.0).unwrap();
    let hulls = bodies.map(|m| in_volume(m, Volume::Hull));
    assert!(!Pair::new(&hulls[0], &hulls[1]).within(&Pose::IDENTITY, &far, 2.0).within);
}
