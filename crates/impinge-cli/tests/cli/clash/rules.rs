//! `impinge clash`: which bodies there are, what they are called, and which pairs are left out.

use serde_json::json;

use crate::clash::answers::{boxes_obj, kinds};
use crate::harness::{Folder, Ran};

const UNIT: [f64; 3] = [1.0; 3];

fn pairs(ran: &Ran) -> Vec<[String; 2]> {
    kinds(ran).into_iter().map(|[a, b, _]| [a, b]).collect()
}

fn named(pairs: &[[&str; 2]]) -> Vec<[String; 2]> {
    pairs.iter().map(|pair| pair.map(str::to_owned)).collect()
}

/// Three boxes at almost the same place, in two files.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("f.obj", boxes_obj(&[("x", [0.0; 3], UNIT), ("y", [0.1; 3], UNIT)]));
    folder.write("g.obj", boxes_obj(&[("x", [0.2; 3], UNIT)]));
    folder
}

#[test]
fn bodies_are_named_after_file_and_part() {
    let folder = folder("clash_names");
    let found = pairs(&folder.run("clash g.obj f.obj --format json"));
    assert_eq!(found, named(&[["f/x", "f/y"], ["f/x", "g/x"], ["f/y", "g/x"]]));
    // Objects of one name, and files of one name in two folders.
    std::fs::create_dir_all(folder.path("sub")).unwrap();
    folder.write("sub/g.obj", boxes_obj(&[("x", [0.3; 3], UNIT), ("x", [0.4; 3], UNIT)]));
    let ran = folder.run("clash g.obj sub/g.obj --format json");
    let [one, two, three] = ["clash_names/g/x", "sub/g/x", "sub/g/x#2"];
    assert_eq!(pairs(&ran), named(&[[one, two], [one, three], [two, three]]));
    // The names do not depend on the order of the files, and so the ids do not either.
    assert_eq!(folder.run("clash sub/g.obj g.obj --format json").out, ran.out);
    // A file without parts gives its own name to the body; if the body falls into pieces, these are numbered.
    let ply = |at: &[f64]| {
        let mut text = format!("ply\nformat ascii 1.0\nelement vertex {}\n", 3 * at.len());
        text += "property double x\nproperty double y\nproperty double z\n";
        text += &format!("element face {}\nproperty list uchar int vertex_indices\nend_header\n", at.len());
        at.iter().for_each(|z| text += &format!("0 0 {z}\n1 0 {z}\n0 1 {z}\n"));
        (0..at.len()).for_each(|i| text += &format!("3 {} {} {}\n", 3 * i, 3 * i + 1, 3 * i + 2));
        text
    };
    folder.write("one.ply", ply(&[0.0])).write("two.ply", ply(&[0.0005, 0.01]));
    assert_eq!(pairs(&folder.run("clash one.ply two.ply --format json")), named(&[["one", "two"]]));
    let split = folder.run("clash one.ply two.ply --split --clearance 1 --format json");
    assert_eq!(pairs(&split), named(&[["one", "two/1"], ["one", "two/2"], ["two/1", "two/2"]]));
}

#[test]
fn one_set_against_another() {
    let folder = folder("clash_sets");
    let ran = folder.run("clash f.obj --against g.obj --format json");
    assert_eq!(pairs(&ran), named(&[["f/x", "g/x"], ["f/y", "g/x"]]));
    let report = ran.json();
    assert_eq!((&report["bodies"], &report["pairs"], &report["near"]), (&json!(3), &json!(2), &json!(2)));
    // `a` is the body of the first set, even if its name sorts last; the id of the pair does not depend on that.
    let turned = folder.run("clash g.obj --against f.obj --format json");
    assert_eq!(pairs(&turned), named(&[["g/x", "f/x"], ["g/x", "f/y"]]));
    assert_eq!(turned.json()["clashes"][0]["id"], report["clashes"][0]["id"]);
    folder.run("clash f.obj --against ./f.obj").refused_with_help(&["f.obj", "both sets"]);
}

#[test]
fn rules_leave_pairs_out() {
    let folder = folder("clash_rules");
    folder.write("list.csv", "a,b\n# bolts\n\nf/*,\"g/x\"\r\nnobody,*\n");
    for (options, expected, ignored) in [
        ("", &[["f/x", "f/y"], ["f/x", "g/x"], ["f/y", "g/x"]][..], 0),
        ("--ignore-same-file", &[["f/x", "g/x"], ["f/y", "g/x"]], 1),
        ("--ignore f/x,f/y", &[["f/x", "g/x"], ["f/y", "g/x"]], 1),
        ("--ignore f/y,f/x", &[["f/x", "g/x"], ["f/y", "g/x"]], 1),
        ("--ignore */x,*/x", &[["f/x", "f/y"], ["f/y", "g/x"]], 1),
        ("--ignore */x,*/x --ignore *y,*", &[], 3),
        ("--ignore-file list.csv", &[["f/x", "f/y"]], 2),
        ("--ignore-file list.csv --ignore-same-file", &[], 3),
        ("--ignore-group", &[["f/x", "f/y"], ["f/x", "g/x"], ["f/y", "g/x"]], 0),
    ] {
        let ran = folder.run(&format!("clash f.obj g.obj --format json {options}"));
        assert_eq!(pairs(&ran), named(expected), "{options}");
        assert_eq!(ran.json()["ignored"], ignored, "{options}");
        assert_eq!(ran.status, Some(i32::from(!expected.is_empty())));
    }
    let typo = folder.run("clash f.obj g.obj --ignore f/xx,g/x");
    assert!(typo.err.contains("no body is named `f/xx`; did you mean `f/x`"), "{}", typo.err);
}

/// Bodies of one group are not compared: OBJ objects in one group, glTF nodes under one parent, pieces of one part.
#[test]
fn groups_come_from_the_file() {
    let folder = Folder::new("clash_ignore_group");
    let text = boxes_obj(&[("x", [0.0; 3], UNIT), ("y", [0.1; 3], UNIT), ("z", [0.2; 3], UNIT)]);
    let text = text.replace("o x\n", "o x\ng frame\n").replace("o z\n", "g other\no z\n");
    folder.write("f.obj", &text).write("h.obj", &text);
    let found = pairs(&folder.run("clash f.obj --ignore-group --format json"));
    assert_eq!(found, named(&[["f/x", "f/z"], ["f/y", "f/z"]]));
    let both = folder.run("clash f.obj --against h.obj --ignore-group --format json");
    assert_eq!(pairs(&both).len(), 9, "groups of two files are two groups");

    let node = |name: &str, more: &str| format!(r#"{{"name":"{name}","mesh":0{more}}}"#);
    let nodes = [
        r#"{"name":"left","children":[1,2]}"#.to_owned(),
        node("p", ""),
        node("q", r#","translation":[0.1,0,0],"children":[3]"#),
        node("r", r#","translation":[0.1,0,0]"#),
        node("s", r#","translation":[0.3,0,0]"#),
    ];
    let gltf = crate::files::cube_gltf("\"uri\":\"cube.bin\",")
        .replace(r#""nodes":[0]"#, r#""nodes":[0,4]"#)
        .replace(r#"[{"name":"crate","mesh":0}]"#, &format!("[{}]", nodes.join(",")));
    folder.write("t.gltf", gltf).write("cube.bin", crate::files::cube_buffer());
    let ran = folder.run("clash t.gltf --ignore-group --format json");
    let expected = [["t/p", "t/r"], ["t/p", "t/s"], ["t/q", "t/r"], ["t/q", "t/s"], ["t/r", "t/s"]];
    assert_eq!(pairs(&ran), named(&expected));
    // In millimetres the shift of 0.1 m is 100, and the depth 1900.
    let ran = folder.run("clash t.gltf --units mm --format json --ignore */p,*/r --ignore *,*/s");
    let report = ran.json();
    assert_eq!(report["units"], "mm");
    let deep = report["clashes"][0]["depth"]["lower"].as_f64().unwrap();
    assert!((deep - 1900.0).abs() < 1e-3, "{report}");

    folder.write("l.stl", crate::files::cube_stl());
    let mut two = crate::files::cube_stl();
    two.extend_from_within(84..);
    two[80..84].copy_from_slice(&24u32.to_le_bytes());
    (0..36).for_each(|i| {
        let at = 84 + 50 * (12 + i / 3) + 12 + 12 * (i % 3);
        let x = f32::from_le_bytes(two[at..at + 4].try_into().unwrap()) + 1.5;
        two[at..at + 4].copy_from_slice(&x.to_le_bytes());
    });
    folder.write("two.stl", two);
    assert_eq!(pairs(&folder.run("clash two.stl --split --format json")), named(&[["two/1", "two/2"]]));
    assert_eq!(folder.run("clash two.stl --split --ignore-group").status, Some(0));
}
