//! With a larger tolerance more pairs count as touching, never fewer.

use std::collections::BTreeMap;

use super::corpus::corpus;
use crate::clash::answers::{kinds, tube_obj};
use crate::harness::Folder;

/// Compares the kinds of all pairs at increasing tolerances: a pair that touches at one tolerance is not a hard clash
/// at the next. Returns the number of hard clashes at the first and at the last.
fn climb(folder: &Folder, files: &str, tolerances: &[&str]) -> [usize; 2] {
    let mut before: BTreeMap<[String; 2], String> = BTreeMap::new();
    let mut hard = Vec::new();
    for tolerance in tolerances {
        let ran = folder.run(&format!("clash {files} --tolerance {tolerance} --format json"));
        let now: BTreeMap<[String; 2], String> = kinds(&ran).into_iter().map(|[a, b, kind]| ([a, b], kind)).collect();
        for (pair, kind) in &before {
            assert!(now.contains_key(pair), "{pair:?}: {kind}, and nothing at {tolerance}");
            assert!(kind != "touch" || now[pair] != "hard", "{pair:?} is hard at {tolerance}, and touched before");
        }
        hard.push(now.values().filter(|kind| *kind == "hard").count());
        before = now;
    }
    [hard[0], hard[hard.len() - 1]]
}

const TYPED: [&str; 9] = ["0", "0.00001", "0.0013", "0.002", "0.0047", "0.01", "0.03", "0.1", "0.31"];

/// Rods in tubes whose walls are thinner than the larger tolerances: shrunk by these, a wall turns inside out; taken as
/// surfaces, rods and tubes have no inside.
#[test]
fn rods_in_thin_tubes() {
    let folder = Folder::new("clash_climb_rods");
    let mut files = String::new();
    for (i, (wall, deeper)) in [(0.5, 3e-4), (0.05, 3e-4), (0.02, 1e-9), (0.004, 1e-5)].into_iter().enumerate() {
        let (tube, rod) = (format!("tube{i}.obj"), format!("rod{i}.obj"));
        folder.write(&tube, tube_obj("tube", 24, [1.0 + wall, 1.0], [0.0, 3.0], 10.0 * i as f64));
        folder.write(&rod, tube_obj("rod", 24, [1.0 + deeper, 0.0], [-0.7, 2.9], 10.0 * i as f64));
        files += &format!(" {tube} {rod}");
    }
    assert_eq!(climb(&folder, &files, &TYPED), [4, 0]);
    // Triangles smaller than twice the tolerance cannot show that they cross by that tolerance, but they can show it
    // for a smaller one.
    assert_eq!(climb(&folder, &format!("{files} --surface"), &TYPED), [4, 0]);
}

#[test]
fn a_building_and_a_gear_drive() {
    let Some(corpus) = corpus() else { return };
    let folder = Folder::new("clash_climb_corpus");
    let building = corpus.join("ifc/elements.obj.gz");
    let [_, hard] = climb(&folder, &building.display().to_string(), &TYPED[1..]);
    assert_eq!(hard, 0, "what is freed by 2 mm is freed by 10 cm");
    let drive = corpus.join("meshes/mech/cycloidal.ply.gz");
    climb(&folder, &format!("{} --split", drive.display()), &["0.001", "0.0044", "0.01", "0.02", "0.05", "0.1"]);
}
