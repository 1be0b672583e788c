//! `impinge self`, and solids by winding number.

use serde_json::json;

use crate::files;
use crate::harness::{Folder, without_stats};

/// Two triangles that cross, and one that shares an edge with the first.
const CROSSING: &str = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0.5 0.5 -1\nv 0.5 0.5 1\nv 3 3 0.25\nf 1 2 3\nf 4 5 6\nf 2 1 4\n";

#[test]
fn a_mesh_that_crosses_itself_is_told_pair_by_pair() {
    let folder = Folder::new("self_crossing");
    folder.write("x.obj", CROSSING).write("cube.stl", files::cube_stl());
    let ran = folder.run("self x.obj");
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.out, "a: x (3 triangles)\ntouching itself: 1 pair of triangles\n  triangles 0 and 1\n");
    let ran = folder.run("self x.obj --format json");
    let expected = json!({"verb": "self", "a": "x", "count": 1, "pairs": [[0, 1]], "complete": true, "folds": false});
    assert_eq!((ran.status, without_stats(ran.json())), (Some(1), expected));
    let ran = folder.run("self x.obj --limit 1");
    assert!(ran.out.contains("at least 1 pair of triangles, stopped by --limit"), "{}", ran.out);

    let ran = folder.run("self cube.stl --folds");
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "a: cube (12 triangles)\nclear\n"));
}

#[test]
fn copies_fold_and_many_pairs_are_cut_short() {
    let folder = Folder::new("self_folds");
    let copies = "v 0 0 0\nv 2 0 0\nv 0 2 0\n".to_owned() + &"f 1 2 3\n".repeat(10);
    folder.write("copies.obj", copies);
    assert_eq!(folder.run("self copies.obj").status, Some(0));
    let ran = folder.run("self copies.obj --folds");
    assert!(
        ran.status == Some(1) && ran.out.contains("45 pairs") && ran.out.ends_with("and 25 more; --all lists them\n")
    );
    assert_eq!(folder.run("self copies.obj --folds --all").out.lines().count(), 47);
}

#[test]
fn what_has_no_triangles_cannot_touch_itself() {
    let folder = Folder::new("self_refused");
    folder.write("two.obj", files::two_cubes_obj());
    folder.run("self box:1,2,3").refused_with_help(&["box:1,2,3", "no triangles", "mesh file"]);
    folder.run("self missing.obj").refused_with_help(&["missing.obj", "no such file"]);
    folder.run("self two.obj --part nothing").refused_with_help(&["two.obj", "nothing"]);
    folder.run("self two.obj --limit 0").refused(&["--limit"]);
}

#[test]
fn an_open_mesh_is_a_solid_by_winding() {
    let folder = Folder::new("self_winding");
    folder.write("open.obj", files::open_cube_obj());
    let asked = |options: &str| folder.run(&format!("overlap open.obj sphere:0.1 {options} --format json"));
    let (surface, solid) = (asked("--pose-b -0.2,-0.2,-0.2"), asked("--pose-b -0.2,-0.2,-0.2 --solid=winding"));
    assert_eq!((surface.status, solid.status), (Some(0), Some(1)));
    assert_eq!(solid.json()["contained"], "b_in_a");
    assert_eq!(asked("--pose-b 5,0,0 --solid=winding").status, Some(0));
    asked("--solid=closed").refused_with_help(&["open.obj", "not closed", "--solid=winding"]);
    asked("--solid=other").refused(&["other", "winding"]);
}
