//! `--hull` and `--hull-parts`.

use serde_json::json;

use crate::files;
use crate::harness::Folder;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.obj", files::cube_obj()).write("q.stl", files::cube_stl()).write("two.obj", files::two_cubes_obj());
    folder.write("open.obj", files::open_cube_obj()).write("node.glb", files::cube_glb());
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    folder
}

#[test]
fn one_hull_of_all_parts() {
    let folder = folder("hulls_one");
    assert_eq!(folder.run("overlap two.obj p.obj").status, Some(0), "the cube stands between the two");
    let ran = folder.run("overlap two.obj p.obj --hull");
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), ""));
    let bodies = "a: two (convex hull, 8 vertices, 6 faces)\nb: p (convex hull, 8 vertices, 6 faces)\ntouching: ";
    assert!(ran.out.starts_with(bodies), "{ran:#?}");
    let part = folder.run("distance two.obj p.obj --hull --part-a left --format json").json();
    assert!(part["a"] == "left" && (part["upper"].as_f64().unwrap() - 3.0).abs() < 1e-12, "{part}");
    let stl = folder.run("distance q.stl p.obj --hull --pose-b 5,0,0");
    assert!(stl.out.starts_with("a: q (convex hull, 8 vertices, 6 faces)\n"), "exact copies are one: {stl:#?}");
}

#[test]
fn a_hull_has_an_inside() {
    let folder = folder("hulls_inside");
    let hollow = folder.run("overlap open.obj open.obj --pose-b 0.5,0.5,0.5 --format json");
    assert_eq!(hollow.json()["semantics"], "surface");
    let ran = folder.run("overlap open.obj sphere:0.1 --hull --format json");
    assert_eq!((ran.status, &ran.json()["semantics"]), (Some(1), &json!("solid")));
    assert_eq!(folder.run("overlap open.obj open.obj --hull --solid --pose-b 5,0,0").status, Some(0));
}

#[test]
fn units_are_converted_before_the_hull_is_taken() {
    let folder = folder("hulls_units");
    let ran =
        folder.run("distance node.glb box:1000,1000,1000 --hull --pose-b 5000,0,0 --units mm --format json").json();
    assert!((ran["upper"].as_f64().unwrap() - 3500.0).abs() < 1e-9 && ran["units"] == "mm", "{ran}");
}

#[test]
fn flat_files_have_flat_hulls() {
    let folder = folder("hulls_flat");
    let ran = folder.run("distance flat.obj point:0.5,0.5,2 --hull --format json").json();
    assert!((ran["upper"].as_f64().unwrap() - 2.0).abs() < 1e-12, "{ran}");
    assert_eq!((&ran["features"][0]["kind"], &ran["features"][1]["kind"]), (&json!("face"), &json!("vertex")), "{ran}");
}

#[test]
fn features_are_named_by_the_vertices_of_the_file() {
    let folder = folder("hulls_features");
    let ran = folder.run("distance two.obj p.obj --hull --pose-b 10,5,5 --format json").json();
    // The vertices of all parts are counted one after another: the vertex that the faces of `right` call 7 comes after
    // the 8 vertices of `left`.
    let expected = json!([{"kind": "vertex", "piece": 0, "vertex": 14}, {"kind": "vertex", "piece": 0, "vertex": 0}]);
    assert_eq!(ran["features"], expected, "{ran}");
}

#[test]
fn a_hull_for_every_part() {
    let folder = folder("hulls_parts");
    assert_eq!(folder.run("overlap two.obj p.obj --hull-parts").status, Some(0));
    let ran = folder.run("distance two.obj p.obj --hull-parts --pose-b 10,5,5 --format json").json();
    // Vertices are counted within the part: the faces of piece 1 call this vertex 7.
    let expected = json!([{"kind": "vertex", "piece": 1, "vertex": 6}, {"kind": "vertex", "piece": 0, "vertex": 0}]);
    assert_eq!(ran["features"], expected, "{ran}");
    let text = folder.run("distance two.obj p.obj --hull-parts --pose-b 10,5,5");
    assert!(text.out.contains(", vertex 6 of piece 1\n"), "{text:#?}");
    let touching = folder.run("contacts two.obj p.obj --hull-parts --pose-b 3.5,0,0 --format json");
    let answer = touching.json();
    assert_eq!((touching.status, &answer["pairs"]), (Some(1), &json!([[1, 0]])), "{answer}");
    assert_eq!(answer["contacts"][0]["normal"], json!([-1.0, 0.0, 0.0]), "{answer}");
    let text = folder.run("contacts two.obj p.obj --hull-parts --pose-b 3.5,0,0");
    assert!(text.out.contains("\ntouching: 1 pair of parts\n  part 1 of a, part 0 of b: depth 0.5"), "{text:#?}");
    let both = folder.run("contacts two.obj two.obj --hull-parts --format json").json();
    assert_eq!(both["pairs"], json!([[0, 0], [1, 1]]), "{both}");
    let mixed = folder.run("contacts two.obj sphere:5 --hull-parts --format json").json();
    assert_eq!(mixed["pairs"], json!([[0, 0], [1, 0]]), "{mixed}");
}
