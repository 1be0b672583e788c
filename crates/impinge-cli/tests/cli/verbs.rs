//! Every verb in every format, with its exit status.

use serde_json::{Value, json};

use crate::files;
use crate::harness::{Folder, without_stats};

fn cubes(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder
        .write("p.obj", files::cube_obj())
        .write("q.stl", files::cube_stl())
        .write("open.obj", files::open_cube_obj());
    folder.write("two.obj", files::two_cubes_obj()).write("node.glb", files::cube_glb());
    folder
}

#[test]
fn overlap_as_text() {
    let folder = cubes("overlap_as_text");
    let clear = folder.run("overlap p.obj q.stl --pose-b 5,0,0");
    assert_eq!((clear.status, clear.err.as_str()), (Some(0), ""));
    assert_eq!(clear.out, "a: p (solid, 12 triangles)\nb: q (solid, 12 triangles)\nclear\n");
    let touching = folder.run("overlap p.obj q.stl --pose-b 2,0,0");
    assert_eq!((touching.status, touching.err.as_str()), (Some(1), ""));
    assert!(touching.out.contains("\ntouching: triangle "), "{touching:#?}");
}

#[test]
fn overlap_as_json() {
    let folder = cubes("overlap_as_json");
    for format in ["json", "jsonl"] {
        let clear = folder.run(&format!("overlap p.obj q.stl --pose-b 0,-2.5,0 --format {format}"));
        assert_eq!(clear.status, Some(0));
        let expected = json!({"verb": "overlap", "a": "p", "b": "q", "semantics": "solid", "index": 0,
            "overlap": false, "contained": null, "witness": null});
        assert_eq!(without_stats(clear.json()), expected);
    }
    let touching = folder.run("overlap p.obj q.stl --pose-b 0,-2,0 --format json");
    assert_eq!(touching.status, Some(1));
    let answer = touching.json();
    assert_eq!(answer["overlap"], true);
    assert!(answer["witness"]["triangles"][1].is_u64() && answer["witness"]["points"][0][1] == -1.0, "{answer}");
}

#[test]
fn a_box_inside_a_box_touches_unless_it_is_a_surface() {
    let folder = cubes("a_box_inside");
    for verb in ["overlap", "contacts", "distance", "within --tolerance 0.125"] {
        let inside = folder.run(&format!("{verb} p.obj box:0.5,0.5,0.5 --format json"));
        let answer = inside.json();
        assert_eq!((inside.status, &answer["contained"]), (Some(1), &json!("b_in_a")), "{answer}");
        let hollow = folder.run(&format!("{verb} p.obj box:0.5,0.5,0.5 --surface --format json"));
        let answer = hollow.json();
        assert_eq!((hollow.status, &answer["contained"]), (Some(0), &Value::Null), "{answer}");
        assert_eq!(answer["semantics"], "surface");
    }
    let other = folder.run("distance box:0.5,0.5,0.5 p.obj");
    assert_eq!(other.out.lines().nth(2), Some("distance 0: a lies inside b"));
}

#[test]
fn contacts_lists_pairs() {
    let folder = cubes("contacts_lists");
    let all = folder.run("contacts p.obj q.stl --pose-b 1,1,1 --format json");
    assert_eq!(all.status, Some(1));
    let answer = all.json();
    let pairs: Vec<[u32; 2]> = serde_json::from_value(answer["pairs"].clone()).unwrap();
    assert!(!pairs.is_empty() && pairs.is_sorted() && pairs.iter().flatten().all(|&i| i < 12), "{answer}");
    assert_eq!((answer["count"].as_u64(), &answer["complete"]), (Some(pairs.len() as u64), &json!(true)));
    let brute = folder.run("contacts p.obj q.stl --pose-b 1,1,1 --format json --method brute").json();
    assert_eq!(brute["pairs"], answer["pairs"]);

    let one = folder.run("contacts p.obj q.stl --pose-b 1,1,1 --format json --limit 1").json();
    assert_eq!((one["count"].as_u64(), &one["complete"]), (Some(1), &json!(false)), "{one}");

    let clear = folder.run("contacts p.obj q.stl --pose-b 9,1,1 --format json");
    assert_eq!(clear.status, Some(0));
    assert_eq!((&clear.json()["count"], &clear.json()["pairs"]), (&json!(0), &json!([])));
}

#[test]
fn contacts_with_the_segments_of_triangles() {
    let folder = cubes("contacts_points");
    let line = "contacts p.obj q.stl --surface --pose-b 1.25,1.25,1.25 --format json";
    assert!(folder.run(line).json()["contacts"].is_null());
    let all = folder.run(&format!("{line} --points")).json();
    let contacts = all["contacts"].as_array().unwrap();
    assert!(contacts.len() as u64 == all["count"].as_u64().unwrap() && !contacts.is_empty());
    for (contact, pair) in contacts.iter().zip(all["pairs"].as_array().unwrap()) {
        assert_eq!(&contact["pair"], pair);
        assert!(!contact["points"].as_array().unwrap().is_empty() && contact["normal"].is_array(), "{contact}");
        assert!(contact["depth"]["upper"].as_f64().unwrap() > -1e-9 && contact["segment"][1].is_array(), "{contact}");
    }
    let predicted = folder.run("contacts p.obj q.stl --pose-b 2.01,0.1,0.2 --prediction 0.02 --format json");
    let answer = predicted.json();
    assert_eq!((predicted.status, &answer["count"]), (Some(0), &json!(0)), "{answer}");
    let [contact] = &answer["contacts"].as_array().unwrap()[..] else { panic!("{answer}") };
    for point in contact["each"].as_array().unwrap() {
        assert!((point["depth"].as_f64().unwrap() + 0.01).abs() < 1e-9, "{contact}");
        assert!(point["id"].as_str().unwrap().len() == 16 && point["features"][1]["kind"].is_string(), "{contact}");
    }
    assert_eq!(contact["each"].as_array().unwrap().len(), 4, "{contact}");
}

#[test]
fn contacts_as_text_is_cut_unless_all_are_asked_for() {
    let folder = cubes("contacts_as_text");
    let total = folder.run("contacts p.obj q.stl --format json").json()["count"].as_u64().unwrap() as usize;
    assert!(total > 20, "two equal cubes share {total} pairs");
    let cut = folder.run("contacts p.obj q.stl");
    assert_eq!(cut.out.lines().count(), 3 + 20 + 1, "{cut:#?}");
    assert!(cut.out.ends_with(&format!("  ... and {} more; --all lists them\n", total - 20)), "{cut:#?}");
    let all = folder.run("contacts p.obj q.stl --all");
    assert_eq!(all.out.lines().count(), 3 + total);
    assert!(all.out.contains(&format!("touching: {total} pairs of triangles\n")));
    let few = folder.run("contacts p.obj q.stl --limit 3");
    assert!(few.out.contains("touching: at least 3 pairs of triangles, stopped by --limit\n"), "{few:#?}");
}

#[test]
fn distance_as_json() {
    let folder = cubes("distance_as_json");
    let apart = folder.run("distance p.obj q.stl --pose-a 0,0,0.25 --pose-b 5,0,0 --format json");
    assert_eq!(apart.status, Some(0));
    let mut answer = without_stats(apart.json());
    let (lower, upper) = (answer["lower"].as_f64().unwrap(), answer["upper"].as_f64().unwrap());
    assert!(lower <= 3.0 && 3.0 <= upper && upper - lower < 1e-12, "{answer}");
    let points: [[f64; 3]; 2] = serde_json::from_value(answer["points"].clone()).unwrap();
    assert!(points[0][0] == 1.0 && points[1][0] == 4.0, "{answer}");
    for feature in answer["features"].as_array().unwrap() {
        let kind = feature["kind"].as_str().unwrap();
        assert!(feature["triangle"].is_u64() && ["vertex", "edge", "face"].contains(&kind), "{feature}");
        assert_eq!((kind == "vertex", kind == "edge"), (feature["vertex"].is_u64(), feature["vertices"].is_array()));
    }
    for name in ["lower", "upper", "points", "features"] {
        answer.as_object_mut().unwrap().remove(name);
    }
    let expected = json!({"verb": "distance", "a": "p", "b": "q", "semantics": "solid", "index": 0,
        "penetrating": false, "contained": null});
    assert_eq!(answer, expected);

    let touching = folder.run("distance p.obj q.stl --pose-b 2,0,0 --format json");
    let answer = touching.json();
    assert_eq!(touching.status, Some(1));
    assert_eq!((&answer["lower"], &answer["upper"], &answer["penetrating"]), (&json!(0.0), &json!(0.0), &json!(true)));
}

/// Two tiled squares one unit apart, asked about with a margin of error: the interval is no wider than the margin.
#[test]
fn distance_with_a_margin_of_error() {
    let folder = cubes("distance_rough");
    for (option, widest) in [("--relative-error 0.5", 1.5), ("--absolute-error 0.25", 1.25)] {
        let rough = folder.run(&format!("distance two.obj p.obj --pose-b 0,0,7 {option} --format json")).json();
        let exact = folder.run("distance two.obj p.obj --pose-b 0,0,7 --format json").json();
        let number = |json: &Value, name: &str| json[name].as_f64().unwrap();
        let (lower, upper) = (number(&rough, "lower"), number(&rough, "upper"));
        assert!(lower <= number(&exact, "upper") && upper >= number(&exact, "lower"), "{rough} {exact}");
        assert!(upper <= (lower * widest).max(lower + widest - 1.0) + 1e-9, "{rough}");
    }
    let refused = folder.run("distance p.obj q.stl --relative-error x");
    assert!(refused.status == Some(2) && refused.err.contains("--relative-error"), "{refused:#?}");
}

#[test]
fn distance_as_text_with_units() {
    let folder = cubes("distance_as_text");
    let plain = folder.run("distance p.obj q.stl --pose-b 5,0,0");
    assert!(plain.out.contains("\ndistance 3\n") && plain.out.contains("\n  on b: (4, "), "{plain:#?}");
    let metric = folder.run("distance node.glb box:1000,1000,1000 --pose-b 5000,0,0 --units mm");
    assert!(metric.out.contains("\ndistance 3500 mm\n"), "{metric:#?}");
    let unitless = folder.run("distance node.glb box:1000,1000,1000 --pose-b 5000,0,0 --format json").json();
    assert!(unitless["lower"].as_f64().unwrap() > 4490.0 && unitless.get("units").is_none(), "{unitless}");
    let other = folder.run("distance p.obj q.stl --pose-b 5,0,0 --units mm --format json").json();
    assert_eq!(other["units"], "mm");
    assert!((other["upper"].as_f64().unwrap() - 3.0).abs() < 1e-12, "only glTF is converted: {other}");
}

#[test]
fn within_is_closed_at_the_tolerance() {
    let folder = cubes("within_is_closed");
    for (tolerance, status) in [("2.5", 0), ("3", 1), ("3.5", 1)] {
        let ran = folder.run(&format!("within p.obj q.stl --pose-b 5,0,0 --tolerance {tolerance} --format json"));
        let answer = ran.json();
        assert_eq!(ran.status, Some(status), "{answer}");
        assert_eq!(answer["within"], status == 1);
        assert_eq!(answer["tolerance"].as_f64(), tolerance.parse().ok());
        assert_eq!(answer["points"].is_array(), status == 1);
    }
    let clear = folder.run("within p.obj q.stl --pose-b 5,0,0 --tolerance 2.5 --units cm");
    assert_eq!(clear.out.lines().nth(2), Some("clear: farther apart than 2.5 cm"));
    let near = folder.run("within p.obj q.stl --pose-b 5,0,0 --tolerance 4");
    assert_eq!(near.out.lines().nth(2), Some("within 4"));
}

#[test]
fn parts_can_be_chosen() {
    let folder = cubes("parts_can_be_chosen");
    let gap = |line: &str| {
        let answer = folder.run(&format!("distance {line} --format json")).json();
        (answer["upper"].as_f64().unwrap().round(), answer["a"].clone())
    };
    assert_eq!(gap("two.obj p.obj"), (3.0, json!("two")));
    assert_eq!(gap("two.obj p.obj --part-a left --pose-b 1,0,0"), (4.0, json!("left")));
    assert_eq!(gap("two.obj p.obj --part-a right --pose-b 1,0,0"), (2.0, json!("right")));
    assert_eq!(gap("two.obj two.obj --part-a right --part-b left"), (8.0, json!("right")));
    assert_eq!(gap("node.glb p.obj --part-a crate --pose-b 4,0,0"), (2.0, json!("crate")));
}

#[test]
fn every_method_and_tree_gives_the_same_answer() {
    let folder = cubes("every_method");
    let with = |options: &str| {
        let ran = folder.run(&format!("distance two.obj open.obj --pose-b 1,2,3 --format json {options}"));
        let answer = ran.json();
        (answer["lower"].clone(), answer["upper"].clone())
    };
    let auto = with("");
    let trees = ["auto", "aabb", "aabb-sah", "aabb-ploc", "obb", "rss", "kdop14", "kdop18", "kdop26", "sphere", "hull"];
    let trees = trees.map(|tree| format!("--tree {tree} --method tree"));
    for options in trees.iter().map(String::as_str).chain(["--method brute", "--method tree"]) {
        let other = with(options);
        let near = |x: &Value, y: &Value| (x.as_f64().unwrap() - y.as_f64().unwrap()).abs() < 1e-12;
        assert!(near(&auto.0, &other.0) && near(&auto.1, &other.1), "{options}: {auto:?} {other:?}");
    }
}

#[test]
fn solid_demands_closed_bodies() {
    let folder = cubes("solid_demands");
    assert_eq!(folder.run("overlap p.obj q.stl --pose-b 5,0,0 --solid").status, Some(0));
    let ran = folder.run("overlap p.obj open.obj --solid");
    ran.refused_with_help(&["open.obj", "not closed", "3 of its edges are open", "between vertices", "--solid"]);
    assert_eq!(folder.run("overlap p.obj open.obj --pose-b 5,0,0 --format json").json()["semantics"], "solid");
    assert_eq!(folder.run("overlap open.obj open.obj --pose-b 5,0,0 --format json").json()["semantics"], "surface");
}
