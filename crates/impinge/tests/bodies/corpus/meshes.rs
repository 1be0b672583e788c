//! The meshes of the corpus beside the project: all load, and their answers agree with brute force.
//!
//! The corpus is found through `IMPINGE_CORPUS`; without it these tests say so and pass.

use std::path::Path;

use glam::DVec3;
use impinge::{Builder, Limit, Method, Model, Pair, Pose};
use impinge_testing::environment;
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::{Soup, meeting_pairs, surface_distance};

use crate::verdict::frames::into_frame_of_a;
use crate::verdict::meshes::model;

fn read(path: &Path) -> Soup {
    let document = impinge_io::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let part = document.merged();
    Soup { vertices: part.vertices, triangles: part.triangles }
}

/// Every `n`-th part of the triangles, enough to be small.
fn thinned(soup: &Soup, most: usize) -> Soup {
    let step = soup.triangles.len().div_ceil(most).max(1);
    Soup { vertices: soup.vertices.clone(), triangles: soup.triangles.iter().copied().step_by(step).collect() }
}

fn extent(soup: &Soup) -> (DVec3, f64) {
    let used = || soup.triangles.iter().flatten().map(|&i| soup.vertices[i as usize]);
    let low = used().fold(DVec3::INFINITY, DVec3::min);
    let high = used().fold(DVec3::NEG_INFINITY, DVec3::max);
    ((low + high) * 0.5, (high - low).max_element() * 0.5)
}

/// Poses of a small body from deep inside the large one to well clear of it.
fn poses(random: &mut Random, large: &Soup, small: &Soup) -> Vec<Pose> {
    let ((centre, reach), (own, _)) = (extent(large), extent(small));
    let placed = |random: &mut Random, far: f64| {
        let rotation = random.rotation();
        let offset = rotation * own;
        Pose::new(centre + random.point(reach * far) - offset, rotation).unwrap()
    };
    [0.3, 0.8, 1.0, 1.5, 2.5].map(|far| placed(random, far)).into()
}

/// The tree against brute force on a thinned second body, at every pose.
fn tree_is_brute(name: &str, a: &Model, b: &Model, poses: &[Pose]) {
    let still = Pose::IDENTITY;
    let mut tree = Pair::new(a.clone(), b.clone()).with_method(Method::Tree);
    for pose in poses {
        let mut brute = Pair::new(a.clone(), b.clone()).with_method(Method::Brute);
        let (x, y) = (tree.contacts(&still, pose, Limit::All), brute.contacts(&still, pose, Limit::All));
        assert_eq!(x.pairs, y.pairs, "{name}: contacts at {pose:?}");
        assert_eq!(x.contained.is_some(), y.contained.is_some(), "{name}: containment at {pose:?}");
        let (x, y) = (tree.distance(&still, pose), brute.distance(&still, pose));
        assert_eq!(x.penetrating, y.penetrating, "{name} at {pose:?}");
        let meet = x.interval.lower <= y.interval.upper && y.interval.lower <= x.interval.upper;
        assert!(meet, "{name}: {:?} and {:?} at {pose:?}", x.interval, y.interval);
        assert_eq!(tree.overlap(&still, pose).overlap, y.penetrating, "{name} at {pose:?}");
        assert_eq!(
            tree.within(&still, pose, y.interval.upper).within,
            y.interval.upper.is_finite(),
            "{name} at {pose:?}"
        );
    }
}

#[test]
fn every_mesh_loads_and_agrees_with_brute_force() {
    let Some(folder) = environment::corpus() else { return };
    let files = environment::mesh_files(&folder);
    assert!(files.len() >= 60, "only {} meshes under {}", files.len(), folder.display());
    let probe = thinned(&shapes::torus(1.0, 0.4, 8, 6), 24);
    for (i, file) in files.iter().enumerate() {
        let mut random = Random::new(i as u64);
        let soup = read(file);
        assert!(!soup.triangles.is_empty(), "{} is empty", file.display());
        let (_, reach) = extent(&soup);
        let small = probe.map(|p| p * (reach * 0.2).max(f64::MIN_POSITIVE));
        let builder = [Builder::Auto, Builder::Sah, Builder::Ploc][i % 3];
        let (a, b) = (model(&soup, builder, false), model(&small, builder, false));
        let name = file.file_name().unwrap().to_string_lossy();
        let most = if soup.triangles.len() > 50_000 { 2 } else { 5 };
        let placed = poses(&mut random, &soup, &small);
        tree_is_brute(&name, &a, &b, &placed[..most]);
        oracle_agrees(&name, &thinned(&soup, 300), &thinned(&small, 6), &placed[..2], builder);
    }
}

/// The exact oracle on a part of the mesh.
fn oracle_agrees(name: &str, a: &Soup, b: &Soup, poses: &[Pose], builder: Builder) {
    let (model_a, model_b) = (model(a, builder, true), model(b, builder, true));
    for pose in poses {
        let moved = b.map(into_frame_of_a(&Pose::IDENTITY, pose));
        let mut pair = Pair::new(model_a.clone(), model_b.clone());
        let pairs = meeting_pairs(a, &moved);
        assert_eq!(pair.contacts(&Pose::IDENTITY, pose, Limit::All).pairs.to_vec(), pairs, "{name} at {pose:?}");
        let got = pair.distance(&Pose::IDENTITY, pose).interval;
        let exact = surface_distance(a, &moved).unwrap();
        let inside = exact.compare_root(got.lower).is_ge() && exact.compare_root(got.upper).is_le();
        assert!(inside, "{name}: {got:?} misses {:e} at {pose:?}", exact.root());
        let size = extent(a).1.max(exact.root()) * 1e-12;
        let posing = 16.0 * f64::EPSILON * moved.vertices.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
        assert!(got.width() <= size + posing, "{name}: {got:?} is wide at {pose:?}");
    }
}

/// The connected parts of a mesh, by shared vertex indices after exact merging.
fn components(soup: &Soup) -> Vec<Soup> {
    let mut root: Vec<usize> = (0..soup.vertices.len()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    let mut first = std::collections::BTreeMap::new();
    for (i, p) in soup.vertices.iter().enumerate() {
        let twin = *first.entry(p.to_array().map(f64::to_bits)).or_insert(i);
        root[i] = twin;
    }
    for t in &soup.triangles {
        for pair in [[t[0], t[1]], [t[1], t[2]]] {
            let [p, q] = pair.map(|v| find(&mut root, v as usize));
            root[p.max(q)] = p.min(q);
        }
    }
    let mut parts = std::collections::BTreeMap::<usize, Soup>::new();
    for t in &soup.triangles {
        let part = parts.entry(find(&mut root, t[0] as usize)).or_default();
        part.triangles.push(*t);
        part.vertices.clone_from(&soup.vertices);
    }
    parts.into_values().collect()
}

#[test]
fn two_cubes_are_as_their_names_say() {
    let Some(folder) = environment::corpus() else { return };
    for (name, overlap) in [("far", false), ("close", false), ("intersecting", true)] {
        let soup = read(&folder.join(format!("meshes/ipc/two_cubes_{name}.ply.gz")));
        let parts = components(&soup);
        assert_eq!(parts.len(), 2, "{name}");
        let [a, b] = [0, 1].map(|i| model(&parts[i], Builder::Auto, false));
        for method in [Method::Auto, Method::Brute, Method::Tree] {
            let mut pair = Pair::new(a.clone(), b.clone()).with_method(method);
            let got = pair.distance(&Pose::IDENTITY, &Pose::IDENTITY);
            assert_eq!(got.penetrating, overlap, "{name}: {got:?}");
            assert_eq!(pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap, overlap);
        }
    }
}

fn distinct_used_points(soup: &Soup) -> usize {
    let points =
        soup.triangles.iter().flatten().map(|&i| soup.vertices[i as usize].to_array().map(|x| (x + 0.0).to_bits()));
    points.collect::<std::collections::BTreeSet<_>>().len()
}

/// The labels of the mesh table: what is closed, and in how many pieces.
#[test]
fn reports_agree_with_the_labels() {
    let Some(folder) = environment::corpus() else { return };
    let table = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut checked = 0;
    for row in table.lines().filter(|l| l.starts_with("| ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, file, vertices, triangles, closed, shells, ..] = cells[..] else { continue };
        let path = folder.join("meshes").join(file);
        let (Ok(vertices), Ok(triangles), Ok(shells), true) =
            (vertices.parse::<usize>(), triangles.parse::<usize>(), shells.parse::<usize>(), path.is_file())
        else {
            continue;
        };
        let soup = read(&path);
        let Model::Mesh(mesh) = model(&soup, Builder::Auto, false) else { panic!("{file} is not a mesh") };
        let report = mesh.report();
        assert_eq!(report.triangles, triangles, "{file}");
        let distinct = distinct_used_points(&soup);
        assert_eq!(report.vertices - report.merged_vertices - report.unused_vertices, distinct, "{file}: {report:?}");
        assert_eq!(report.closed, crate::verdict::meshes::is_closed(&soup), "{file}: {report:?}");
        if distinct != vertices {
            println!("{file}: {distinct} distinct vertices, but the label has {vertices}: merged with a tolerance");
            continue;
        }
        assert_eq!(report.closed && report.manifold, closed == "yes", "{file}: {report:?}");
        assert_eq!(report.components, shells, "{file}: {report:?}");
        checked += 1;
    }
    assert!(checked >= 30, "only {checked} rows of the table were checked");
}
