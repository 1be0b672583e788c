//! `impinge clash` on input that cannot be used or is extreme: errors name the file, and the work stays bounded.

use serde_json::json;

use crate::clash::answers::{boxes_obj, kinds};
use crate::files;
use crate::harness::Folder;

const UNIT: [f64; 3] = [1.0; 3];

#[test]
fn bad_files_among_good_ones_are_named() {
    let folder = Folder::new("clash_bad_files");
    folder.write("good.obj", boxes_obj(&[("p", [0.0; 3], UNIT), ("q", [0.5; 3], UNIT)]));
    folder.write("nan.obj", boxes_obj(&[("p", [f64::NAN; 3], UNIT)]));
    folder.write("cut.stl", &files::cube_stl()[..300]);
    folder.write("empty.obj", "").write("points.obj", "o p\nv 0 0 0\n");
    folder.write("huge.obj", boxes_obj(&[("p", [1e200; 3], UNIT), ("q", [0.0; 3], UNIT)]));
    for (file, words) in [
        ("nan.obj", &["nan.obj:2", "finite"][..]),
        ("cut.stl", &["cut.stl"]),
        ("empty.obj", &["empty.obj"]),
        ("points.obj", &["points.obj", "no faces"]),
        ("huge.obj", &["huge.obj, part `p`", "scale"]),
        ("none.obj", &["none.obj", "no such file"]),
        ("sphere:-1", &["sphere:-1", "positive"]),
    ] {
        for line in [format!("clash good.obj {file}"), format!("clash {file} --against good.obj --format json")] {
            folder.run(&line).refused_with_help(words);
        }
    }
    folder.run("clash cone:1,1 --surface").refused_with_help(&["cone"]);
    folder.write("open.obj", files::open_cube_obj());
    folder.run("clash good.obj open.obj --solid").refused_with_help(&["open.obj", "--solid"]);
    assert_eq!(folder.run("clash good.obj --solid").status, Some(1));
    assert_eq!(folder.run("clash open.obj sphere:0.25 --solid=winding").status, Some(1));
    assert_eq!(folder.run("clash open.obj sphere:0.25").status, Some(0));
}

#[test]
fn bad_usage() {
    let folder = Folder::new("clash_bad_usage");
    folder.write("p.obj", files::cube_obj()).write("list.csv", "a,b\nx,y\nz\n").write("quote.csv", "\"a,b\n");
    for (line, words) in [
        ("clash", &["FILE"][..]),
        ("clash --against p.obj", &["FILE"]),
        ("clash p.obj --tolerance -1", &["--tolerance"]),
        ("clash p.obj --clearance nan", &["--clearance"]),
        ("clash p.obj --kinds hard,soft", &["soft", "hard"]),
        ("clash p.obj --limit 0", &["--limit"]),
        ("clash p.obj --format xml", &["xml"]),
        ("clash p.obj --solid --surface", &["--solid", "--surface"]),
        ("clash p.obj --ignore p", &["--ignore p", "two names"]),
        ("clash p.obj --ignore a,b,c", &["two names, not 3"]),
        ("clash p.obj --ignore-file list.csv", &["list.csv:3", "two names"]),
        ("clash p.obj --ignore-file quote.csv", &["quote.csv:1", "quote"]),
        ("clash p.obj --ignore-file none.csv", &["none.csv", "cannot be read"]),
    ] {
        folder.run(line).refused(words);
    }
}

#[test]
fn one_body_or_one_file_twice() {
    let folder = Folder::new("clash_one");
    folder.write("p.obj", files::cube_obj()).write("q.obj", files::cube_obj());
    let one = folder.run("clash p.obj --format json");
    assert_eq!((one.status, &one.json()["pairs"], &one.json()["bodies"]), (Some(0), &json!(0), &json!(1)));
    assert!(one.err.contains("no pair of bodies") && one.err.contains("--split"), "{}", one.err);
    let twice = folder.run("clash p.obj ./p.obj sphere:1 sphere:1 --format json");
    assert_eq!(twice.json()["bodies"], 2);
    assert!(twice.err.contains("./p.obj is named twice"), "{}", twice.err);
    let copy = folder.run("clash p.obj q.obj --format json");
    assert_eq!(kinds(&copy), [["p/cube", "q/cube", "duplicate"].map(str::to_owned)]);
}

/// Objects without faces are not bodies; objects whose triangles have no area are.
#[test]
fn parts_without_triangles_and_without_area() {
    let folder = Folder::new("clash_thin");
    let mut text = boxes_obj(&[("p", [0.0; 3], UNIT)]);
    text +=
        "o nothing\no line\nv 0.5 0.5 -1\nv 0.5 0.5 2\nv 0.5 0.5 0.5\nf 9 10 11\no point\nv 0.5 0.5 0.5\nf 12 12 12\n";
    folder.write("m.obj", text);
    let ran = folder.run("clash m.obj --format json");
    assert_eq!(ran.json()["bodies"], 3);
    let found = kinds(&ran);
    assert_eq!(found[0], ["m/line", "m/p", "hard"].map(str::to_owned));
    assert_eq!(found[1], ["m/line", "m/point", "touch"].map(str::to_owned));
    assert_eq!(found[2], ["m/p", "m/point", "contained"].map(str::to_owned));
}

/// All bodies are at one place: the n² pairs are not stored, and the list ends at the limit and says so, on any number
/// of threads.
#[test]
fn a_thousand_copies_are_cut_at_the_limit() {
    let folder = Folder::new("clash_copies");
    let names: Vec<String> = (0..1000).map(|i| format!("c{i:03}")).collect();
    let copies: Vec<(&str, [f64; 3], [f64; 3])> = names.iter().map(|name| (name.as_str(), [0.0; 3], UNIT)).collect();
    folder.write("m.obj", boxes_obj(&copies));
    let ran = folder.run("clash m.obj --limit 500 --threads 1 --format json");
    let report = ran.json();
    assert_eq!((ran.status, report["clashes"].as_array().unwrap().len()), (Some(1), 500));
    assert_eq!(
        (&report["partial"], &report["stopped"], &report["near"]),
        (&json!(true), &json!("limit"), &json!(null))
    );
    assert_eq!((&report["pairs"], &report["counts"]["duplicate"]), (&json!(499_500), &json!(500)));
    assert!(ran.err.contains("stopped after 500 clashes"), "{}", ran.err);
    for threads in [2, 5] {
        let other = folder.run(&format!("clash m.obj --limit 500 --threads {threads} --format json"));
        assert_eq!(other.out, ran.out, "{threads} threads");
    }
    assert!(folder.run("clash m.obj --limit 500").out.ends_with("partial: stopped by --limit after 512 pairs\n"));
    assert!(folder.run("clash m.obj --limit 3 --format csv").out.ends_with("\npartial,,,,,,,,,,,,,,,,,,\n"));
    let none = folder.run("clash m.obj --kinds hard --format json");
    assert_eq!(
        (none.status, &none.json()["partial"], &none.json()["tested"]),
        (Some(0), &json!(false), &json!(499_500))
    );
    // A limit equal to the number of clashes cuts nothing off.
    folder.write("few.obj", boxes_obj(&copies[..3]));
    let all = folder.run("clash few.obj --limit 3 --format json").json();
    assert_eq!((&all["partial"], &all["near"]), (&json!(false), &json!(3)));
}
