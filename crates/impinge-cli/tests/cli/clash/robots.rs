//! `impinge clash` on the links of robots, against what coal found about the same configurations.
//!
//! The corpus is found through `IMPINGE_CORPUS`; without it these tests say so and pass.

use std::collections::BTreeSet;
use std::f64::consts::FRAC_PI_2;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use impinge::glam::{DAffine3, DQuat, DVec3};
use impinge::{Mesh, Model, Pose, overlap};
use impinge_io::{Part, read, write_obj};
use serde_json::Value;

use super::urdf::Robot;
use crate::clash::answers::kinds;
use crate::harness::Folder;

/// Link, the link before it, and how its frame stands in that one: rotation about x, then about z, in
/// quarter turns; translation. The first seven turn about their z, by the angles of a configuration. From `panda.urdf`.
const PANDA: [(&str, &str, [f64; 2], [f64; 3]); 11] = [
    ("panda_link1", "panda_link0", [0.0, 0.0], [0.0, 0.0, 0.333]),
    ("panda_link2", "panda_link1", [-1.0, 0.0], [0.0, 0.0, 0.0]),
    ("panda_link3", "panda_link2", [1.0, 0.0], [0.0, -0.316, 0.0]),
    ("panda_link4", "panda_link3", [1.0, 0.0], [0.0825, 0.0, 0.0]),
    ("panda_link5", "panda_link4", [-1.0, 0.0], [-0.0825, 0.384, 0.0]),
    ("panda_link6", "panda_link5", [1.0, 0.0], [0.0, 0.0, 0.0]),
    ("panda_link7", "panda_link6", [1.0, 0.0], [0.088, 0.0, 0.0]),
    ("panda_link8", "panda_link7", [0.0, 0.0], [0.0, 0.0, 0.107]),
    ("panda_hand", "panda_link8", [0.0, -0.5], [0.0, 0.0, 0.0]),
    ("panda_leftfinger", "panda_hand", [0.0, 0.0], [0.0, 0.065, 0.0584]),
    // The mesh of the right finger is turned by half a turn about z.
    ("panda_rightfinger", "panda_hand", [0.0, 2.0], [0.0, -0.065, 0.0584]),
];

fn mesh_of(link: &str) -> Option<&str> {
    match link {
        "panda_link8" => None,
        "panda_leftfinger" | "panda_rightfinger" => Some("finger"),
        _ => link.strip_prefix("panda_"),
    }
}

/// The links where a configuration puts them.
fn placed(corpus: &Path, angles: &[f64]) -> Vec<Part> {
    let mut frames = vec![("panda_link0", DAffine3::IDENTITY)];
    for (i, (link, before, [about_x, about_z], shift)) in PANDA.iter().enumerate() {
        let parent = frames.iter().find(|(name, _)| name == before).unwrap().1;
        let turn = about_z * FRAC_PI_2 + angles.get(i).copied().unwrap_or(0.0);
        let rotation = DQuat::from_rotation_x(about_x * FRAC_PI_2) * DQuat::from_rotation_z(turn);
        frames.push((link, parent * DAffine3::from_rotation_translation(rotation, DVec3::from_array(*shift))));
    }
    let mut parts = Vec::new();
    for (link, frame) in frames {
        let Some(mesh) = mesh_of(link) else { continue };
        let file = corpus.join(format!("robots/panda/meshes/collision/{mesh}.obj"));
        let mut part = read(&file).unwrap().merged();
        part.name = link.to_owned();
        part.vertices.iter_mut().for_each(|v| *v = frame.transform_point3(*v));
        parts.push(part);
    }
    parts
}

fn labels(corpus: &Path, robot: &str) -> Value {
    let bytes = std::fs::read(corpus.join(format!("robots/{robot}/coal_labels.json.gz"))).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Pairs of strings in a JSON list.
fn pairs(list: &Value) -> BTreeSet<[String; 2]> {
    let name = |value: &Value| value.as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(|pair| [name(&pair[0]), name(&pair[1])]).collect()
}

/// Compares the clashes of the links with the labels, one configuration after the other. Returns how many
/// configurations were compared, and how many pairs collide.
fn compare(robot: &str, corpus: &Path, links: &[&str], place: impl Fn(&[f64]) -> Vec<Part>) -> [usize; 2] {
    let folder = Folder::new(&format!("clash_{robot}"));
    let labels = labels(corpus, robot);
    // The labels leave out links that always or never touch; this test does the same.
    let checked = pairs(&labels["self_pairs_checked"]);
    let mut list = String::new();
    for (i, a) in links.iter().enumerate() {
        for b in &links[i + 1..] {
            let mut names = [(*a).to_owned(), (*b).to_owned()];
            names.sort();
            if !checked.contains(&names) {
                list += &format!("q/{a},q/{b}\n");
            }
        }
    }
    folder.write("list.csv", list);
    let rows = labels["rows"].as_array().unwrap();
    let colliding = rows.iter().filter(|row| row[4].as_array().is_some_and(|list| !list.is_empty())).step_by(40);
    let clear = rows.iter().filter(|row| row[4].as_array().is_some_and(Vec::is_empty)).step_by(900);
    let (mut configurations, mut found, mut contained) = (0, 0, 0);
    for row in colliding.chain(clear) {
        let angles: Vec<f64> = row[3].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        let parts = place(&angles);
        folder.write("q.obj", write_obj(&parts));
        let ran = folder.run("clash q.obj --tolerance 0 --ignore-file list.csv --format json");
        assert_eq!(ran.json()["bodies"], parts.len());
        let bare = |name: &str| name.trim_start_matches("q/").to_owned();
        let ours = kinds(&ran);
        // In coal a mesh has no inside, so it misses a finger that lies within a link.
        let surfaces = ours.iter().filter(|[_, _, kind]| kind != "contained");
        let surfaces: BTreeSet<[String; 2]> = surfaces.map(|[a, b, _]| [bare(a), bare(b)]).collect();
        assert_eq!(surfaces, pairs(&row[4]), "{angles:?}");
        contained += ours.len() - surfaces.len();
        configurations += 1;
        found += surfaces.len();
    }
    assert!(contained < 5, "few, and {contained} are");
    [configurations, found]
}

fn corpus() -> Option<PathBuf> {
    let corpus = std::env::var_os("IMPINGE_CORPUS").map(PathBuf::from);
    if corpus.is_none() {
        println!("skipped: IMPINGE_CORPUS is not set");
    }
    corpus
}

#[test]
fn links_that_coal_found_to_collide() {
    let Some(corpus) = corpus() else { return };
    let links: Vec<&str> = std::iter::once("panda_link0").chain(PANDA.iter().map(|row| row.0)).collect();
    let [configurations, found] = compare("panda", &corpus, &links, |angles| placed(&corpus, angles));
    assert!(configurations >= 20 && found >= 20, "{configurations} {found}");
}

/// With a gripper, whose links are many and small.
#[test]
fn links_of_another_robot_that_coal_found_to_collide() {
    let Some(corpus) = corpus() else { return };
    let robot = Robot::read(&corpus.join("robots/ur5/ur5.urdf"));
    let turning = robot.turning();
    assert_eq!((robot.links().len(), turning.len()), (18, 6));
    let place = |angles: &[f64]| robot.placed(&turning.iter().copied().zip(angles.iter().copied()).collect());
    let [configurations, found] = compare("ur5", &corpus, &robot.links(), place);
    assert!(configurations >= 20 && found >= 20, "{configurations} {found}");
}

/// There are no labels for this robot: every two links are compared one by one.
#[test]
fn links_of_a_robot_without_labels() {
    let Some(corpus) = corpus() else { return };
    let folder = Folder::new("clash_kuka");
    let robot = Robot::read(&corpus.join("robots/kuka_iiwa/model.urdf"));
    let turning = robot.turning();
    assert_eq!((robot.links().len(), turning.len()), (8, 7));
    let mut found = 0;
    for round in 0..8 {
        // The joints are bent so far that the hand comes near the foot.
        let angle = |k: usize| (f64::from(round) * 1.7 + k as f64 * 2.3).sin() * 2.9;
        let angles = turning.iter().enumerate().map(|(k, name)| (*name, if round == 0 { 0.0 } else { angle(k) }));
        let parts = robot.placed(&angles.collect());
        folder.write("q.obj", write_obj(&parts));
        let ours: BTreeSet<[String; 2]> =
            kinds(&folder.run("clash q.obj --tolerance 0 --format json")).into_iter().map(|[a, b, _]| [a, b]).collect();
        let file = read(&folder.path("q.obj")).unwrap();
        let models: Vec<(String, Model)> = file
            .parts
            .into_iter()
            .map(|part| (format!("q/{}", part.name), Mesh::new(part.vertices, part.triangles).unwrap().into()))
            .collect();
        let mut expected = BTreeSet::new();
        for (i, (a, x)) in models.iter().enumerate() {
            for (b, y) in &models[i + 1..] {
                if overlap(x, &Pose::IDENTITY, y, &Pose::IDENTITY).overlap {
                    expected.insert([a.min(b).clone(), a.max(b).clone()]);
                }
            }
        }
        assert_eq!(ours, expected, "{round}");
        found += ours.len();
    }
    assert!(found >= 8, "{found}");
}
