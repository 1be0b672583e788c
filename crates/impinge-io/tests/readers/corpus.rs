//! Every mesh of the corpus loads, with the counts that the corpus documents. Skipped, aloud, without `IMPINGE_CORPUS`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use impinge_io::{Document, read};

/// File, distinct vertices after exact merging, triangles.
const COUNTS: &[(&str, usize, usize)] = &[
    ("meshes/stanford/bunny_5k.obj.gz", 1839, 3674),
    ("meshes/stanford/bunny_69k.obj.gz", 34834, 69451),
    ("meshes/stanford/dragon_res2.ply.gz", 100_207, 202_520),
    ("meshes/stanford/armadillo_86k.obj.gz", 43243, 86482),
    ("meshes/utah_teapot.obj.gz", 3241, 6320),
    ("meshes/spot.obj.gz", 2930, 5856),
    ("meshes/mech/gear.obj.gz", 304, 608),
    ("meshes/mech/piston_crank.stl.gz", 360, 716),
    ("meshes/mech/cycloidal.ply.gz", 21384, 43368),
    ("meshes/mech/adis16480.stl.gz", 3672, 7436),
    ("meshes/mech/soup.stl.gz", 300, 100),
    ("meshes/mech/multibody.stl.gz", 20, 32),
    ("meshes/mech/not_convex.obj.gz", 44, 96),
    ("meshes/nasa/space_shuttle_a.ply.gz", 113_301, 212_970),
    ("meshes/nasa/iss_b.ply.gz", 98452, 174_440),
    ("meshes/level/building.obj.gz", 2678, 4376),
    ("meshes/level/test_map01.obj.gz", 152, 276),
    ("meshes/fcl/env.obj.gz", 2072, 2180),
    ("meshes/fcl/rob.obj.gz", 141, 216),
    ("meshes/ipc/cloth_ball92.ply.gz", 46598, 92230),
    ("meshes/ipc/height_field.ply.gz", 2540, 4904),
    ("meshes/plant.ply.gz", 35677, 68409),
    ("meshes/milk_truck.ply.gz", 1840, 3624),
];

fn corpus() -> Option<PathBuf> {
    let corpus = std::env::var_os("IMPINGE_CORPUS").map(PathBuf::from);
    if corpus.is_none() {
        println!("skipped: IMPINGE_CORPUS is not set");
    }
    corpus
}

fn distinct_vertices(document: &Document) -> usize {
    let named = |part: &impinge_io::Part| -> Vec<[u64; 3]> {
        let corners = part.triangles.iter().flatten();
        corners.map(|i| part.vertices[*i as usize].to_array().map(|c| (c + 0.0).to_bits())).collect()
    };
    document.parts.iter().flat_map(named).collect::<HashSet<_>>().len()
}

fn mesh_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the corpus") {
        let path = entry.expect("an entry").path();
        let name = path.to_string_lossy().to_lowercase();
        if path.is_dir() {
            mesh_files(&path, found);
        } else if [".stl", ".obj", ".ply", ".off"].iter().any(|e| name.trim_end_matches(".gz").ends_with(e)) {
            found.push(path);
        }
    }
}

#[test]
fn documented_counts() {
    let Some(corpus) = corpus() else { return };
    for (name, vertices, triangles) in COUNTS {
        let document = read(&corpus.join(name)).unwrap();
        assert_eq!((distinct_vertices(&document), document.triangle_count()), (*vertices, *triangles), "{name}");
    }
}

#[test]
fn all_meshes_load() {
    let Some(corpus) = corpus() else { return };
    let mut files = Vec::new();
    mesh_files(&corpus.join("meshes"), &mut files);
    mesh_files(&corpus.join("robots"), &mut files);
    assert!(files.len() > 60, "only {} mesh files", files.len());
    for file in files {
        let document = read(&file).unwrap_or_else(|error| panic!("{error}"));
        assert!(document.triangle_count() > 0);
    }
}

#[test]
fn robots_have_their_triangles() {
    let Some(corpus) = corpus() else { return };
    let mut files = Vec::new();
    mesh_files(&corpus.join("robots/kuka_iiwa"), &mut files);
    let triangles: usize = files.iter().map(|file| read(file).unwrap().triangle_count()).sum();
    assert_eq!((files.len(), triangles), (8, 14758));
}

#[test]
fn building_elements_are_parts() {
    let Some(corpus) = corpus() else { return };
    let document = read(&corpus.join("ifc/elements.obj.gz")).unwrap();
    let names: HashSet<_> = document.parts.iter().map(|part| part.name.clone()).collect();
    assert_eq!((names.len(), document.parts.len(), document.triangle_count()), (28, 28, 2025));
    assert_eq!(document.merged().name, "elements");
}
