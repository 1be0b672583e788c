//! `impinge clash` on assemblies from outside: a building, a gear drive, a truck.
//!
//! The corpus is found through `IMPINGE_CORPUS`; without it these tests say so and pass.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use impinge::glam::DVec3;
use impinge::{Mesh, Model, Pose, Round, distance, overlap};
use impinge_io::{Part, read};
use serde_json::Value;

use crate::clash::answers::kinds;
use crate::harness::{Folder, Ran};

pub(crate) fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("IMPINGE_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: IMPINGE_CORPUS is not set");
    }
    folder
}

type Names = BTreeSet<[String; 2]>;

fn sorted(a: &str, b: &str) -> [String; 2] {
    let mut names = [a.to_owned(), b.to_owned()];
    names.sort();
    names
}

/// Pairs that IfcOpenShell found, by mode.
fn labels(corpus: &Path) -> BTreeMap<String, Names> {
    let text = std::fs::read_to_string(corpus.join("ifc/clashes.csv")).unwrap();
    let mut modes: BTreeMap<String, Names> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        modes.entry(cells[0].to_owned()).or_default().insert(sorted(cells[1], cells[2]));
    }
    modes
}

fn found(ran: &Ran) -> BTreeMap<[String; 2], String> {
    let bare = |name: &str| name.rsplit('/').next().unwrap().to_owned();
    kinds(ran).iter().map(|[a, b, kind]| (sorted(&bare(a), &bare(b)), kind.clone())).collect()
}

/// How many points of a grid in the box that two meshes share are inside both, by winding number; none when the box is
/// thinner than a nanometre.
fn common_points(a: &Mesh, b: &Mesh) -> usize {
    let ([low_a, high_a], [low_b, high_b]) = (a.bounds().unwrap(), b.bounds().unwrap());
    let (low, high) = (low_a.max(low_b), high_a.min(high_b));
    if (high - low).min_element() < 1e-9 {
        return 0;
    }
    let n = 24;
    // The points are not placed symmetrically: faces at 45 degrees are common, and would go through many points.
    let at = |i: usize, offset: f64| (i as f64 + offset) / n as f64;
    let place = |i: usize| DVec3::new(at(i % n, 0.31), at(i / n % n, 0.57), at(i / n / n, 0.73));
    let grid = (0..n * n * n).map(|i| low + (high - low) * place(i));
    grid.filter(|&p| [a, b].iter().all(|mesh| mesh.winding_number(p).abs() > 0.75)).count()
}

/// The building stands: its parts touch, and none is in another.
///
/// IfcOpenShell's modes: `collision_touch` (60 pairs) are surfaces with a common point, in its arithmetic. All of them
/// are found, and 18 more, which are apart by 1e-13 m at most: 78, as many as coal lists as touching or crossing.
/// `collision` (23 pairs) and `intersection` (2 mm, 6 pairs) are to be overlaps, and here are touches:
/// - four of the six are girders, said to be 0.1 m deep in a wall. They end in pockets of the wall that are 0.1 m deep;
///   all faces lie on each other within 1e-13 m. The other two have the depth 0.
/// - `collision` holds pairs that overlap by 1e-13 m, and pairs whose faces cross in that.
///
/// That no two of the labelled have a volume in common is checked here by points.
#[test]
fn the_parts_of_a_building_touch() {
    let Some(corpus) = corpus() else { return };
    let folder = Folder::new("clash_ifc");
    let file = corpus.join("ifc/elements.obj.gz");
    let labels = labels(&corpus);
    assert_eq!(["intersection", "collision", "collision_touch"].map(|mode| labels[mode].len()), [6, 23, 60]);
    for tolerance in ["0.0001", "0.001", "0.002"] {
        let ran = folder.run(&format!("clash {} --tolerance {tolerance} --format json", file.display()));
        let report = ran.json();
        assert_eq!((report["bodies"].as_u64(), report["pairs"].as_u64(), ran.status), (Some(28), Some(378), Some(1)));
        let found = found(&ran);
        assert_eq!(found.len(), 78, "as many as coal finds");
        for (mode, pairs) in &labels {
            assert!(pairs.iter().all(|pair| found.contains_key(pair)), "{mode}");
        }
        assert!(found.values().all(|kind| kind == "touch"), "{found:?}");
        for clash in report["clashes"].as_array().unwrap() {
            let pair = sorted(clash["a"].as_str().unwrap(), clash["b"].as_str().unwrap());
            let bare = pair.each_ref().map(|name| name.trim_start_matches("elements/").to_owned());
            let apart = clash["distance"]["upper"].as_f64().unwrap_or(0.0);
            assert!(apart < 1e-12 && (apart == 0.0 || !labels["collision_touch"].contains(&bare)), "{clash}");
        }
    }
    let meshes: HashMap<String, Mesh> = read(&file)
        .unwrap()
        .parts
        .into_iter()
        .map(|part| (part.name, Mesh::new(part.vertices, part.triangles).unwrap()))
        .collect();
    for [a, b] in labels["intersection"].iter().chain(&labels["collision"]) {
        assert_eq!(common_points(&meshes[a], &meshes[b]), 0, "{a} {b}");
    }
    // The check does see a girder that is pushed into its wall.
    let girder = &meshes["2ddLgAnQf4mBfh5IpUp54U"];
    let pushed: Vec<[DVec3; 3]> = (0..15).map(|i| girder.triangle(i).unwrap().map(|p| p - DVec3::Y * 0.05)).collect();
    let triangles = (0..15).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let pushed = Mesh::new(pushed.into_flattened(), triangles).unwrap();
    assert!(common_points(&pushed, &meshes["3SGBcf7Lv0r80vKtUCgOpf"]) > 100);
}

/// The connected pieces of a mesh, found by flooding, in the order of their first triangles.
fn pieces(part: &Part) -> Vec<Mesh> {
    let key = |v: u32| part.vertices[v as usize].to_array().map(|x| (x + 0.0).to_bits());
    let mut around: HashMap<[u64; 3], Vec<usize>> = HashMap::new();
    for (i, t) in part.triangles.iter().enumerate() {
        t.iter().for_each(|&v| around.entry(key(v)).or_default().push(i));
    }
    let mut seen = vec![false; part.triangles.len()];
    let mut pieces = Vec::new();
    for first in 0..part.triangles.len() {
        let (mut open, mut piece) = (vec![first], Vec::new());
        while let Some(i) = open.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                piece.push(part.triangles[i]);
                part.triangles[i].iter().for_each(|&v| open.extend(&around[&key(v)]));
            }
        }
        if !piece.is_empty() {
            pieces.push(Mesh::new(part.vertices.clone(), piece).unwrap());
        }
    }
    pieces
}

/// Every pair of pieces that overlaps is reported, and at tolerance 0 no other pair, on any number of threads.
fn split_and_compared(name: &str, bodies: usize) -> Value {
    let Some(corpus) = corpus() else { return Value::Null };
    let folder = Folder::new(&format!("clash_{}", name.replace(['/', '.'], "_")));
    let file = corpus.join("meshes").join(name);
    let line = format!("clash {} --split --format json", file.display());
    let ran = folder.run(&format!("{line} --tolerance 0"));
    let report = ran.json();
    assert_eq!(report["bodies"].as_u64(), Some(bodies as u64));
    let pieces: Vec<Model> = pieces(&read(&file).unwrap().merged()).into_iter().map(Model::from).collect();
    assert_eq!(pieces.len(), bodies);
    let width = bodies.to_string().len();
    let mut expected = Names::new();
    for i in 0..bodies {
        for j in i + 1..bodies {
            if overlap(&pieces[i], &Pose::IDENTITY, &pieces[j], &Pose::IDENTITY).overlap {
                expected.insert([i + 1, j + 1].map(|k| format!("{k:0width$}")));
            }
        }
    }
    assert_eq!(found(&ran).into_keys().collect::<Names>(), expected);
    let one = folder.run(&format!("{line} --threads 1"));
    assert_eq!(one.out, folder.run(&format!("{line} --threads 3")).out);
    assert!(found(&one).keys().collect::<BTreeSet<_>>().is_superset(&expected.iter().collect()));
    one.json()
}

#[test]
fn the_shells_of_a_cycloidal_drive() {
    let report = split_and_compared("mech/cycloidal.ply.gz", 100);
    if report.is_null() {
        return;
    }
    assert!(report["clashes"].as_array().unwrap().len() > 200);
    // Most pins are in the housing, which is the first piece. They fill its bores; the facets of pin and bore cut into
    // each other by less than the tolerance.
    let groups = report["groups"].as_array().unwrap();
    let touching: Vec<&Value> = groups.iter().filter(|group| group["kind"] == "touch").collect();
    assert_eq!((&touching[0]["body"], touching[0]["count"].as_u64()), (&Value::from("cycloidal/001"), Some(38)));
    let Some(corpus) = corpus() else { return };
    let pieces = pieces(&read(&corpus.join("meshes/mech/cycloidal.ply.gz")).unwrap().merged());
    let piece = |clash: &Value, name: &str| {
        let number = clash[name].as_str().unwrap().rsplit('/').next().unwrap().parse::<usize>().unwrap();
        &pieces[number - 1]
    };
    let of_housing = report["clashes"].as_array().unwrap().iter().filter(|clash| clash["a"] == "cycloidal/001");
    for clash in of_housing.filter(|clash| clash["kind"] == "touch").step_by(4) {
        let deepest = deepest_common(piece(clash, "a"), piece(clash, "b"));
        assert!(deepest <= 0.001, "{deepest} in {clash}");
    }
}

/// The greatest distance from either surface among the points of a grid that lie inside both meshes; the grid covers
/// the box that the two share.
fn deepest_common(a: &Mesh, b: &Mesh) -> f64 {
    let ([low_a, high_a], [low_b, high_b]) = (a.bounds().unwrap(), b.bounds().unwrap());
    let (low, high) = (low_a.max(low_b), high_a.min(high_b));
    let n = 12;
    let place = |i: usize| DVec3::new((i % n) as f64 + 0.31, (i / n % n) as f64 + 0.57, (i / n / n) as f64 + 0.73);
    let surfaces = [a, b].map(|mesh| Model::from(mesh.clone().into_surface()));
    let depth = |p: DVec3| {
        let point = Model::from(Round::point(p).unwrap());
        let far = |surface: &Model| distance(&point, &Pose::IDENTITY, surface, &Pose::IDENTITY).interval.lower;
        surfaces.iter().map(far).fold(0.0, f64::max)
    };
    let grid = (0..n * n * n).map(|i| low + (high - low) * place(i) / n as f64);
    let inside = grid.filter(|&p| [a, b].iter().all(|mesh| mesh.winding_number(p).abs() > 0.75));
    inside.map(depth).fold(0.0, f64::max)
}

#[test]
fn the_pieces_of_a_truck() {
    let report = split_and_compared("milk_truck.ply.gz", 13);
    assert!(report.is_null() || report["counts"]["hard"].as_u64() > Some(5), "{}", report["counts"]);
}
