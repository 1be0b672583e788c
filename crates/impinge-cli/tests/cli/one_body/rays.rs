//! `impinge ray`: where rays meet one body.

use serde_json::json;

use crate::files;
use crate::harness::Folder;

#[test]
fn one_line_a_row_in_order() {
    let folder = Folder::new("ray_rows");
    let rows = "x,y,z,dx,dy,dz,length\n-5,0.2,0.1,2,0,0,inf\n-5,0.2,0.1,1,0,0,4\n0,0,0,0,0,-3,9\n";
    folder.write("cube.stl", files::cube_stl()).write("r.csv", rows);
    let ran = folder.run("ray box:2,2,2 --rays r.csv");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let lines = ran.lines();
    assert_eq!(lines.len(), 3, "{ran:?}");
    assert_eq!(
        [&lines[0]["hit"], &lines[0]["distance"], &lines[0]["point"], &lines[0]["normal"]],
        [&json!(true), &json!(4.0), &json!([-1.0, 0.2, 0.1]), &json!([-1.0, 0.0, 0.0])]
    );
    assert_eq!((&lines[0]["verb"], &lines[0]["feature"]["kind"]), (&json!("ray"), &json!("face")));
    assert_eq!(lines[1]["hit"], true, "a ray meets what lies at its very end");
    assert_eq!((&lines[2]["distance"], &lines[2]["normal"]), (&json!(1.0), &json!([0.0, 0.0, -1.0])), "from inside");

    folder.write("six.csv", "-5,0.2,0.1,1,0,0\n-5,9,0,1,0,0\n");
    let ran = folder.run("ray box:2,2,2 --rays six.csv --all --format json");
    let rows = ran.json();
    assert_eq!((rows[0]["hits"].as_array().unwrap().len(), &rows[0]["hits"][1]["distance"]), (2, &json!(6.0)));
    assert_eq!((&rows[1]["hit"], &rows[1]["distance"], &rows[1]["hits"]), (&json!(false), &json!(null), &json!([])));
    let ran = folder.run("ray box:2,2,2 --rays six.csv --any");
    assert!(ran.lines()[0]["hit"] == true && ran.lines()[0].get("distance").is_none(), "{ran:?}");
    let ran = folder.run("ray cube.stl --rays six.csv --pose 0,90,0 --format text");
    assert!(ran.status == Some(0) && ran.out.ends_with("row 0: miss\nrow 1: miss\n"), "{ran:?}");
    let ran = folder.run("ray sphere:1 --rays six.csv --units mm --format text");
    assert!(ran.out.contains("row 0: hit after 4.0253") && ran.out.contains(" mm at ("), "{ran:?}");
}

/// A mesh names the triangle, and the edge where the ray meets one.
#[test]
fn features_of_meshes() {
    let folder = Folder::new("ray_features");
    folder.write("t.obj", "v 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\n").write("r.csv", "1,1,5,0,0,-1\n0,0,5,0,0,-1\n");
    let rows = folder.run("ray t.obj --rays r.csv").lines();
    assert_eq!(rows[0]["feature"], json!({"kind": "edge", "triangle": 0, "vertices": [1, 2]}));
    assert_eq!(rows[1]["feature"], json!({"kind": "vertex", "triangle": 0, "vertex": 0}));
    assert_eq!(rows[0]["uv"], json!([0.5, 0.5]));
}

#[test]
fn bad_rows_end_the_run_and_name_their_place() {
    let folder = Folder::new("ray_bad");
    for (row, told) in [
        ("0,0,0,0,0,0", "r.csv:2:7: the direction of the ray, [0, 0, 0], is zero or not finite"),
        ("0,0,0,1,nan,0", "r.csv:2:9: the direction of the ray"),
        ("0,0,0,1,0,0,-2", "r.csv:2:13: the length of the ray is -2, but must be 0 or more"),
        ("0,0,0,1,0", "r.csv:2:10: a ray has 6 or 7 numbers separated by commas, not 5"),
        ("0,inf,0,1,0,0", "r.csv:2:3: `inf` is not finite"),
        ("0,0,0,1,x,0", "r.csv:2:9: `x` is not a number"),
    ] {
        folder.write("r.csv", format!("0,0,9,0,0,-1\n{row}\n"));
        let ran = folder.run("ray sphere:1 --rays r.csv");
        assert!(ran.status == Some(2) && ran.err.contains(told), "{row}: {ran:?}");
        assert_eq!(ran.lines().len(), 2, "the row before it, and a partial line: {ran:?}");
    }
    let ran = folder.run("ray sphere:1 --rays missing.csv");
    assert!(ran.status == Some(2) && ran.err.contains("missing.csv"), "{ran:?}");
}
