//! How deep bodies are in each other.

use serde_json::{Value, json};

use crate::files;
use crate::harness::{Folder, without_stats};

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.obj", files::cube_obj()).write("two.obj", files::two_cubes_obj());
    folder.write("open.obj", files::open_cube_obj());
    folder
}

/// The answer without its interval, after a check that the interval contains `depth`.
fn answer(folder: &Folder, line: &str, depth: f64) -> Value {
    let ran = folder.run(&format!("penetration {line} --format json"));
    let mut answer = without_stats(ran.json());
    let [lower, upper] = ["lower", "upper"].map(|name| answer[name].as_f64().unwrap());
    assert!(lower <= depth && depth <= upper && upper < depth + 1e-9, "{line}: {answer}");
    assert_eq!((ran.status, answer["penetrating"].as_bool()), (Some(1), Some(true)), "{line}");
    for name in ["lower", "upper"] {
        answer.as_object_mut().unwrap().remove(name);
    }
    answer
}

#[test]
fn boxes_as_json() {
    let folder = folder("penetration_json");
    let found = answer(&folder, "box:2,2,2 box:1,1,1 --pose-b 0,0,1.25", 0.25);
    let mut expected = json!({"verb": "penetration", "a": "box:2,2,2", "b": "box:1,1,1", "semantics": "solid",
        "index": 0, "direction": [0.0, 0.0, 1.0], "points": null, "features": null, "kind": "exact",
        "penetrating": true});
    let points: [[f64; 3]; 2] = serde_json::from_value(found["points"].clone()).unwrap();
    assert_eq!([points[0][2], points[1][2]], [1.0, 0.75], "{found}");
    for name in ["points", "features"] {
        expected[name] = found[name].clone();
    }
    assert!(found["features"][1]["piece"] == 0 && found["features"][0]["kind"].is_string(), "{found}");
    assert_eq!(found, expected);
}

#[test]
fn apart_is_status_0() {
    let folder = folder("penetration_apart");
    let ran = folder.run("penetration box:2,2,2 box:1,1,1 --pose-b 0,0,2 --format json");
    let expected = json!({"verb": "penetration", "a": "box:2,2,2", "b": "box:1,1,1", "semantics": "solid", "index": 0,
        "lower": 0.0, "upper": 0.0, "direction": null, "points": null, "features": null, "kind": "exact",
        "penetrating": false});
    assert_eq!((ran.status, without_stats(ran.json())), (Some(0), expected));
    let text = folder.run("penetration box:2,2,2 box:1,1,1 --pose-b 0,0,2");
    assert_eq!((text.status, text.out.lines().nth(2)), (Some(0), Some("clear")));
}

#[test]
fn every_kind_of_body_and_of_depth() {
    let folder = folder("penetration_kinds");
    for (line, depth, kind) in [
        ("sphere:1 sphere:1 --pose-b 0,0,1.5", 0.5, "exact"),
        ("sphere:1 box:2,2,2 --pose-b 0,0,1.75", 0.25, "exact"),
        ("cylinder:1,2 box:2,2,2 --pose-b 0,0,1.75", 0.25, "exact"),
        ("capsule:1,2 half-space:0,0,1,-1.5", 0.5, "exact"),
        ("box:2,2,2+0.5 box:2,2,2 --pose-b 0,0,2.25", 0.25, "exact"),
        ("p.obj p.obj --pose-b 0,0,1.75", 0.25, "exact"),
        ("p.obj p.obj --hull --pose-b 0,0,1.75", 0.25, "exact"),
        ("p.obj sphere:1 --pose-b 0,0,1.75", 0.25, "exact"),
        ("two.obj p.obj --hull-parts --pose-b 3.5,0,0", 0.5, "per-piece"),
        ("open.obj p.obj --pose-b 0,0,1.75", 0.25, "upper-bound"),
    ] {
        let found = answer(&folder, line, depth);
        assert_eq!(found["kind"], kind, "{line}: {found}");
        let length: f64 = found["direction"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap().powi(2)).sum();
        assert!((length - 1.0).abs() < 1e-12, "{line}: {found}");
    }
    let estimate = folder.run("penetration box:2,2,2 box:1,1,1 --pose-b 0,0,1.25 --method v-clip --format json").json();
    assert_eq!((&estimate["kind"], &estimate["lower"]), (&json!("estimate"), &json!(0.0)), "{estimate}");
    assert!(estimate["upper"].as_f64() > Some(0.0), "{estimate}");
}

/// An L of arms 3 long, 1 wide and 2 thick.
fn ell_obj() -> String {
    let outline = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]];
    let corners = [0, 2].iter().flat_map(|z| outline.map(|[x, y]| format!("v {x} {y} {z}\n")));
    let side = |i: usize| format!("f {} {} {} {}\n", i + 1, (i + 1) % 6 + 1, (i + 1) % 6 + 7, i + 7);
    let caps = (2..6).map(|i| format!("f 1 {} {i}\nf 7 {} {}\n", i + 1, i + 6, i + 7));
    corners.chain((0..6).map(side)).chain(caps).collect()
}

/// The body has to leave both arms at once. Convex pieces give the exact depth; otherwise the answer is a bound that
/// was checked.
#[test]
fn meshes_that_are_not_convex() {
    let folder = folder("penetration_ell");
    folder.write("ell.obj", ell_obj());
    for (line, kind) in [
        ("ell.obj box:1,1,1", "exact"),
        ("ell.obj sphere:0.5", "upper-bound"),
        ("ell.obj box:0.5,0.5,0.5+0.25", "upper-bound"),
    ] {
        let found = answer(&folder, &format!("{line} --pose-b 1.2,1.1,1"), 0.5);
        let way: [f64; 3] = serde_json::from_value(found["direction"].clone()).unwrap();
        assert_eq!(found["kind"], kind, "{line}: {found}");
        assert!((way[0] - 0.6).abs() < 1e-6 && (way[1] - 0.8).abs() < 1e-6, "{line}: {found}");
    }
    let text = folder.run("penetration ell.obj ell.obj --pose-b 0.5,0.25,0");
    let lines: Vec<&str> = text.out.lines().collect();
    assert_eq!(text.status, Some(1), "{text:#?}");
    assert!(lines[2].starts_with("depth 0.9013878") && !lines[2].contains("at most"), "{text:#?}");
    assert!(
        lines[3].starts_with("  surely between 0.9013") && lines[4].starts_with("  b leaves along (0.5"),
        "{text:#?}"
    );
    let surface = folder.run("penetration ell.obj box:1,1,1 --surface --pose-b 1.2,1.1,1");
    assert!(surface.out.contains(" at most: a shorter way out may exist\n  surely between 0 and 1.5"), "{surface:#?}");
}

#[test]
fn moving_along_the_direction_separates() {
    let folder = folder("penetration_moves");
    for (line, pose) in [
        ("ellipsoid:1,2,3 cone:1,2", [0.4, 0.3, -0.2]),
        ("p.obj capsule:0.5,1", [0.7, 0.2, 0.1]),
        ("two.obj p.obj --hull", [2.0, 1.5, 0.25]),
        ("two.obj p.obj --hull-parts", [4.5, 0.7, 0.1]),
    ] {
        let [x, y, z] = pose;
        let found = folder.run(&format!("penetration {line} --pose-b {x},{y},{z} --format json")).json();
        let depth = found["upper"].as_f64().unwrap() + 1e-9;
        let direction: [f64; 3] = serde_json::from_value(found["direction"].clone()).unwrap();
        let [x, y, z] = [0, 1, 2].map(|i| pose[i] + depth * direction[i]);
        let moved = folder.run(&format!("overlap {line} --pose-b {x},{y},{z}"));
        assert_eq!(moved.status, Some(0), "{line}: {found} {moved:#?}");
    }
}

#[test]
fn as_text() {
    let folder = folder("penetration_text");
    let deep = folder.run("penetration box:2,2,2 sphere:1 --pose-b 0,0,1.5 --units mm");
    let lines: Vec<&str> = deep.out.lines().collect();
    assert_eq!((deep.status, deep.err.as_str(), lines[2]), (Some(1), "", "depth 0.5 mm"), "{deep:#?}");
    assert!(lines[3].starts_with("  surely between 0.49999") && lines[4] == "  b leaves along (0, 0, 1)", "{deep:#?}");
    assert!(lines[5].starts_with("  on a: (") && lines[6].starts_with("  on b: ("), "{deep:#?}");
    let parts = folder.run("penetration two.obj p.obj --hull-parts --pose-b 3.5,0,0");
    let start = "a: two (2 convex parts)\nb: p (1 convex part)\ndepth 0.5, by the pairs of parts\n  surely between ";
    assert!(parts.out.starts_with(start), "{parts:#?}");
    let bound = folder.run("penetration open.obj p.obj --pose-b 0,0,1.75");
    assert!(bound.out.contains(" at most: a shorter way out may exist\n"), "{bound:#?}");
    let endless = folder.run("penetration half-space:0,0,1,0 half-space:1,0,0,0");
    assert_eq!(
        (endless.status, endless.out.lines().nth(2)),
        (Some(1), Some("depth infinite: no translation separates them"))
    );
    let endless = folder.run("penetration half-space:0,0,1,0 half-space:1,0,0,0 --format json").json();
    assert_eq!((&endless["upper"], &endless["penetrating"]), (&Value::Null, &json!(true)), "{endless}");
    let vast: String = files::cube_obj()
        .lines()
        .map(|line| match line.strip_prefix("v ") {
            Some(point) => format!("v {}\n", point.replace('1', "1e60")),
            None => format!("{line}\n"),
        })
        .collect();
    folder.write("vast.obj", vast);
    let vast = folder.run("penetration vast.obj sphere:1");
    assert_eq!((vast.status, vast.out.lines().nth(2)), (Some(1), Some("touching: at this scale no depth can be told")));
    let info = folder.run("info vast.obj --format json").json();
    assert_eq!((&info["convex"], &info["hull"]), (&Value::Null, &Value::Null), "{info}");
}
