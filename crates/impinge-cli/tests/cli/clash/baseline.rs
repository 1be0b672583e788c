//! `impinge clash --baseline`: new, still there, resolved.

use serde_json::{Value, json};

use crate::clash::answers::boxes_obj;
use crate::harness::Folder;

fn scene(folder: &Folder, name: &str, pipe: f64, duct: f64) {
    let unit = [1.0; 3];
    let boxes = [("duct", [duct, 0.0, 0.0], unit), ("pipe", [pipe, 0.0, 0.0], unit), ("wall", [0.0; 3], unit)];
    folder.write(name, boxes_obj(&boxes));
}

/// `a b kind status` of every clash.
fn states(report: &Value) -> Vec<String> {
    let row = |c: &Value| ["a", "b", "kind", "status"].map(|name| c[name].as_str().unwrap().to_owned()).join(" ");
    report["clashes"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn clashes_are_new_still_there_or_resolved() {
    let folder = Folder::new("clash_baseline");
    // At first the pipe is in the wall and the duct is far away; then the pipe has moved a little and the duct is in
    // the wall, too.
    scene(&folder, "s.obj", 0.75, -5.0);
    let old = folder.run("clash s.obj --format json");
    folder.write("old.json", &old.out);
    assert!(old.json()["clashes"][0].get("status").is_none() && old.json().get("states").is_none());
    let same = folder.run("clash s.obj --baseline old.json --format json").json();
    assert_eq!(states(&same), ["s/pipe s/wall hard still"]);

    scene(&folder, "s.obj", 0.8, -0.5);
    let ran = folder.run("clash s.obj --baseline old.json --format json");
    let new = ran.json();
    assert_eq!(states(&new), ["s/duct s/wall hard new", "s/pipe s/wall hard still"]);
    assert_eq!(new["clashes"][1]["id"], old.json()["clashes"][0]["id"], "it keeps its id while it moves");
    assert_eq!(new["states"], json!({"new": 1, "still": 1, "resolved": 0, "unasked": 0}));

    // Now the pipe only touches the wall, and the duct is clear of it.
    folder.write("new.json", &ran.out);
    scene(&folder, "s.obj", 1.0, -5.0);
    let ran = folder.run("clash s.obj --baseline new.json --format json");
    let last = ran.json();
    assert_eq!(states(&last), ["s/duct s/wall hard resolved", "s/pipe s/wall touch still"]);
    assert_eq!((&last["clashes"][1]["was"], ran.status), (&json!("hard"), Some(1)));
    assert_eq!(last["counts"]["hard"], 0, "what is resolved is not counted");
    let (was, is) = (&new["clashes"][0], &last["clashes"][0]);
    assert_eq!([&was["id"], &was["depth"], &was["points"]], [&is["id"], &is["depth"], &is["points"]]);

    // A clash that was resolved is not listed again; when all are resolved the exit status says that all is clear.
    folder.write("last.json", &ran.out);
    scene(&folder, "s.obj", 5.0, -5.0);
    let ran = folder.run("clash s.obj --baseline last.json --format json");
    assert_eq!(states(&ran.json()), ["s/pipe s/wall touch resolved"]);
    assert_eq!(ran.status, Some(0));
    let text = folder.run("clash s.obj --baseline last.json").out;
    assert!(text.contains("0 new, 0 still there, 1 resolved") && text.contains("\nresolved\n"), "{text}");
    let csv = folder.run("clash s.obj --baseline last.json --format csv").out;
    assert!(csv.lines().nth(1).unwrap().contains(",touch,resolved,"), "{csv}");
}

/// A clash that this run does not look for is not reported as resolved.
#[test]
fn rules_and_kinds_do_not_resolve() {
    let folder = Folder::new("clash_baseline_rules");
    scene(&folder, "s.obj", 0.75, -5.0);
    folder.write("old.json", folder.run("clash s.obj --format json").out);
    for options in ["--ignore s/pipe,s/wall", "--kinds touch,clearance"] {
        let ran = folder.run(&format!("clash s.obj --baseline old.json --format json {options}"));
        assert_eq!((states(&ran.json()).len(), ran.status), (0, Some(0)), "{options}");
        assert_eq!(ran.json()["states"], json!({"new": 0, "still": 0, "resolved": 0, "unasked": 1}));
        assert!(ran.err.contains("1 clash of the baseline"), "{}", ran.err);
        let text = folder.run(&format!("clash s.obj --baseline old.json {options}")).out;
        assert!(text.contains("0 resolved, 1 not asked about again"), "{text}");
    }
    let other = folder.run("clash s.obj --baseline old.json --tolerance 0.5 --format json");
    assert!(other.err.contains("another --tolerance"), "{}", other.err);
    assert_eq!(states(&other.json()), ["s/pipe s/wall touch still"]);
    // When a body is gone, its clashes are resolved.
    folder.write("s.obj", boxes_obj(&[("wall", [0.0; 3], [1.0; 3]), ("duct", [5.0; 3], [1.0; 3])]));
    let gone = folder.run("clash s.obj --baseline old.json --format json").json();
    assert_eq!(states(&gone), ["s/pipe s/wall hard resolved"]);
}

#[test]
fn a_baseline_has_to_be_a_report() {
    let folder = Folder::new("clash_baseline_bad");
    scene(&folder, "s.obj", 0.75, -5.0);
    folder
        .write("empty.json", "")
        .write("other.json", "{\"verb\":\"overlap\"}")
        .write("deep.json", "[".repeat(100_000));
    folder.write("kind.json", r#"{"clashes":[{"id":"1","a":"x","b":"y","kind":"soft"}]}"#);
    for file in ["empty.json", "other.json", "deep.json", "kind.json"] {
        folder.run(&format!("clash s.obj --baseline {file}")).refused_with_help(&[file, "is no clash report"]);
    }
    folder.run("clash s.obj --baseline none.json").refused_with_help(&["none.json", "cannot be read"]);
    folder.write("least.json", r#"{"clashes":[{"id":"1","a":"x","b":"y","kind":"hard"}],"partial":true}"#);
    let ran = folder.run("clash s.obj --baseline least.json --format json");
    assert!(ran.err.contains("is partial"), "{}", ran.err);
    assert_eq!(states(&ran.json()), ["s/pipe s/wall hard new"]);
    assert_eq!(ran.json()["states"], json!({"new": 1, "still": 0, "resolved": 0, "unasked": 1}));
}

/// The pipe and the wall are 0.04 apart. A run whose clearance is smaller than that cannot say that their clash is
/// resolved.
#[test]
fn lengths_do_not_resolve() {
    let folder = Folder::new("clash_baseline_lengths");
    scene(&folder, "s.obj", 1.04, -5.0);
    folder.write("old.json", folder.run("clash s.obj --clearance 0.05 --format json").out);
    let counts = |options: &str| {
        let ran = folder.run(&format!("clash s.obj --baseline old.json --format json {options}"));
        let report = ran.json();
        assert_eq!(ran.status, Some(i32::from(report["states"]["still"] == 1)), "{options}");
        ["still", "resolved", "unasked"].map(|name| report["states"][name].as_u64().unwrap())
    };
    for (options, expected) in [
        ("", [0, 0, 1]),
        ("--clearance 0.03", [0, 0, 1]),
        ("--clearance 0.045", [1, 0, 0]),
        ("--tolerance 0.045", [1, 0, 0]),
        ("--tolerance 0.045 --kinds clearance", [0, 0, 1]),
        ("--clearance 0.05 --kinds hard", [0, 0, 1]),
    ] {
        assert_eq!(counts(options), expected, "{options}");
    }
    // The pipe is moved so far that neither run would report it.
    scene(&folder, "s.obj", 1.06, -5.0);
    assert_eq!(
        [counts("--clearance 0.05"), counts("--clearance 0.045"), counts("")],
        [[0, 1, 0], [0, 1, 0], [0, 0, 1]]
    );
}

/// Nothing is said about clashes of files that this run does not read, nor of bodies that are divided into pieces in
/// another way. Clashes of bodies that have gone from their files are resolved.
#[test]
fn what_is_not_read_is_not_resolved() {
    let folder = Folder::new("clash_baseline_files");
    let unit = [1.0; 3];
    let boxes = |names: [&str; 2]| boxes_obj(&[(names[0], [0.0; 3], unit), (names[1], [0.5; 3], unit)]);
    folder.write("f.obj", boxes(["x", "y"])).write("g.obj", boxes(["x", "y"])).write("h.obj", boxes(["p", "p"]));
    folder.write("old.json", folder.run("clash f.obj g.obj --format json").out);
    let counts = |line: &str| {
        let report = folder.run(&format!("clash {line} --format json")).json();
        ["still", "resolved", "unasked"].map(|name| report["states"][name].as_u64().unwrap())
    };
    assert_eq!(counts("f.obj g.obj --baseline old.json"), [6, 0, 0]);
    assert_eq!(counts("f.obj --baseline old.json"), [1, 0, 5]);
    assert_eq!(counts("f.obj --against g.obj --baseline old.json"), [4, 0, 2]);
    folder.write("g.obj", boxes(["x", "z"]));
    assert_eq!(counts("f.obj g.obj --baseline old.json"), [3, 3, 0]);
    folder.write("split.json", folder.run("clash h.obj --split --format json").out);
    folder.write("whole.json", folder.run("clash h.obj --format json").out);
    assert_eq!(counts("h.obj --split --baseline split.json"), [1, 0, 0]);
    assert_eq!(counts("h.obj --baseline split.json")[1], 0);
    assert_eq!(counts("h.obj --split --baseline whole.json")[1], 0);
}
