//! Shapes in words, against each other and against files.

use serde_json::{Value, json};

use crate::files;
use crate::harness::{Folder, without_stats};

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.obj", files::cube_obj());
    folder
}

/// Whether the interval of an answer contains the number and is narrow.
fn holds(answer: &Value, x: f64) -> bool {
    let [lower, upper] = ["lower", "upper"].map(|name| answer[name].as_f64().unwrap());
    lower <= x && x <= upper && upper - lower < 1e-9
}

#[test]
fn every_shape_is_where_it_should_be() {
    let folder = folder("shapes_where");
    for (shape, x) in [
        ("sphere:1", 9.0),
        ("box:2,4,6", 9.0),
        ("capsule:1,3", 9.0),
        ("cylinder:1,3", 9.0),
        ("cone:1,2", 82_f64.sqrt()),
        ("ellipsoid:1,2,3", 9.0),
        ("half-space:1,0,0,1", 9.0),
        ("half-space:2,0,0,2", 9.0),
        ("point:1,2,3", 94_f64.sqrt()),
        ("segment:1,-1,0,1,1,0", 9.0),
        ("triangle:1,-1,-1,1,1,-1,1,0,1", 9.0),
        ("polygon:1,-1,-1,1,1,-1,1,1,1,1,-1,1", 9.0),
        ("sphere:1+0.5", 8.5),
        ("box:2,4,6+0.5", 8.5),
        ("cone:1,2+0.5", 82_f64.sqrt() - 0.5),
        ("half-space:1,0,0,1+0.5", 8.5),
        ("point:1,0,0+1e-3", 8.999),
    ] {
        for line in [format!("{shape} point:10,0,0"), format!("point:0,0,0 {shape} --pose-a 10,0,0")] {
            let ran = folder.run(&format!("distance {line} --format json"));
            let answer = ran.json();
            assert!(holds(&answer, x), "{line}: {answer}");
            assert_eq!(
                (ran.status, &answer["semantics"], &answer["penetrating"]),
                (Some(0), &json!("solid"), &json!(false))
            );
            let within = folder.run(&format!("within {line} --tolerance 8"));
            assert_eq!(within.status, Some(0), "{line}");
            assert_eq!(folder.run(&format!("within {line} --tolerance 10")).status, Some(1), "{line}");
            assert_eq!(folder.run(&format!("overlap {line}")).status, Some(0), "{line}");
        }
        let onto = folder.run(&format!("overlap {shape} sphere:0.01 --pose-b 0,0,-0.5 --format json"));
        let solid = !["point", "segment", "triangle", "polygon"].iter().any(|word| shape.starts_with(word));
        assert_eq!(onto.status, Some(i32::from(solid)), "{shape}: {onto:#?}");
    }
}

#[test]
fn distance_of_boxes_as_json() {
    let folder = folder("shapes_distance");
    let ran = folder.run("distance box:2,2,2 box:1,1,1 --pose-b 5,5,5 --format json");
    let mut answer = without_stats(ran.json());
    assert!(holds(&answer, 3.5 * 3_f64.sqrt()), "{answer}");
    for name in ["lower", "upper"] {
        answer.as_object_mut().unwrap().remove(name);
    }
    let expected = json!({"verb": "distance", "a": "box:2,2,2", "b": "box:1,1,1", "semantics": "solid", "index": 0,
        "points": [[1.0, 1.0, 1.0], [4.5, 4.5, 4.5]], "features": [{"kind": "vertex", "piece": 0, "vertex": 7},
        {"kind": "vertex", "piece": 0, "vertex": 0}], "penetrating": false, "contained": null});
    assert_eq!((ran.status, answer), (Some(0), expected));
    let text = folder.run("distance box:2,2,2 sphere:1 --pose-b 5,5,5");
    assert!(text.out.starts_with("a: box:2,2,2 (solid shape)\nb: sphere:1 (solid shape)\ndistance "), "{text:#?}");
    assert!(text.out.contains("  on a: (1, 1, 1), vertex 7\n") && text.out.ends_with(", surface\n"), "{text:#?}");
}

#[test]
fn overlap_of_shapes_as_json() {
    let folder = folder("shapes_overlap");
    let ran = folder.run("overlap box:2,2,2 sphere:1 --pose-b 1.5,0,0 --format json");
    let mut answer = without_stats(ran.json());
    let witness = answer["witness"].take();
    let [[p, ..], q]: [[f64; 3]; 2] = serde_json::from_value(witness["points"].clone()).unwrap();
    assert!((0.5..=1.0).contains(&p) && q[0] == p, "{witness}");
    assert_eq!(
        (&witness["pair"], &witness["triangles"], &witness["normal"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    let expected = json!({"verb": "overlap", "a": "box:2,2,2", "b": "sphere:1", "semantics": "solid", "index": 0,
        "overlap": true, "contained": null, "witness": null});
    assert_eq!((ran.status, answer), (Some(1), expected));
    let clear = folder.run("overlap box:2,2,2 sphere:1 --pose-b 2.5,0,0 --format json");
    assert_eq!((clear.status, &clear.json()["witness"]), (Some(0), &Value::Null));
}

#[test]
fn contacts_of_boxes_as_json() {
    let folder = folder("shapes_contacts");
    let ran = folder.run("contacts box:2,2,2 box:1,1,1 --pose-b 0,0,1.25 --format json");
    let mut answer = without_stats(ran.json());
    let contacts = answer["contacts"].take();
    let expected = json!({"verb": "contacts", "a": "box:2,2,2", "b": "box:1,1,1", "semantics": "solid", "index": 0,
        "count": 1, "pairs": [[0, 0]], "complete": true, "contained": null, "contacts": null});
    assert_eq!((ran.status, answer), (Some(1), expected));
    let [contact] = &contacts.as_array().unwrap()[..] else { panic!("{contacts}") };
    assert_eq!((&contact["pair"], &contact["normal"]), (&json!([0, 0]), &json!([0.0, 0.0, 1.0])), "{contact}");
    assert!(holds(&contact["depth"], 0.25), "{contact}");
    let mut points: Vec<[[f64; 3]; 2]> = serde_json::from_value(contact["points"].clone()).unwrap();
    points.sort_by(|p, q| p.partial_cmp(q).unwrap());
    let corners = [[-0.5, -0.5], [-0.5, 0.5], [0.5, -0.5], [0.5, 0.5]];
    assert_eq!(points, corners.map(|[x, y]| [[x, y, 1.0], [x, y, 0.75]]), "{contact}");

    let clear = folder.run("contacts box:2,2,2 box:1,1,1 --pose-b 0,0,1.75 --format json");
    assert_eq!((clear.status, &clear.json()["contacts"], &clear.json()["count"]), (Some(0), &json!([]), &json!(0)));
    let text = folder.run("contacts box:2,2,2 box:1,1,1 --pose-b 0,0,1.25");
    assert_eq!(text.out.lines().count(), 4 + 4, "{text:#?}");
    assert_eq!(text.out.lines().nth(2), Some("touching"));
    assert!(text.out.contains("\n  a, b: depth 0.25, normal (0, 0, 1)\n    on a: ("), "{text:#?}");
}

#[test]
fn shapes_against_files() {
    let folder = folder("shapes_files");
    let far = folder.run("distance p.obj sphere:0.5 --pose-b 3,0,0 --format json");
    assert!(holds(&far.json(), 1.5) && far.status == Some(0), "{far:#?}");
    assert_eq!(far.json()["features"][1], json!({"kind": "surface", "piece": 0}));
    assert!(far.json()["features"][0]["triangle"].is_u64(), "{far:#?}");
    let touching = folder.run("contacts p.obj box:1,1,1 --pose-b 1.25,0.5,0.5 --format json");
    let answer = touching.json();
    assert_eq!(touching.status, Some(1));
    let pairs: Vec<[u32; 2]> = serde_json::from_value(answer["pairs"].clone()).unwrap();
    assert!(!pairs.is_empty() && pairs.is_sorted() && pairs.iter().all(|&[i, j]| i < 12 && j == 0), "{answer}");
    let contacts = answer["contacts"].as_array().unwrap();
    assert!(
        contacts.len() == pairs.len() && contacts.iter().all(|c| c["depth"]["upper"].is_f64() && c["id"].is_string()),
        "{answer}"
    );
    let text = folder.run("contacts p.obj box:1,1,1 --pose-b 1.25,0.5,0.5");
    assert!(text.out.contains("\n  triangle ") && text.out.contains(" of a, b: depth "), "{text:#?}");

    let ground = folder.run("overlap p.obj half-space:0,0,1,-1 --format json");
    assert_eq!((ground.status, &ground.json()["overlap"]), (Some(1), &json!(true)), "the cube stands on it");
    let above = folder.run("distance p.obj half-space:0,0,1,-1 --pose-a 0,0,0.5 --format json");
    assert!(holds(&above.json(), 0.5), "{above:#?}");
}

#[test]
fn envelopes_count_the_near_as_touching() {
    let folder = folder("shapes_envelope");
    for pair in ["sphere:1 box:2,2,2", "p.obj box:2,2,2", "p.obj p.obj", "p.obj p.obj --hull", "cone:1,1 cylinder:1,1"]
    {
        for verb in ["overlap", "contacts"] {
            for (envelope, status) in [("0", 0), ("0.25", 0), ("0.75", 1)] {
                let line = format!("{verb} {pair} --pose-b 2.5,0,0 --envelope {envelope} --format json");
                let ran = folder.run(&line);
                assert_eq!(ran.status, Some(status), "{line}: {ran:#?}");
                assert_eq!(ran.json()["envelope"].as_f64(), envelope.parse().ok(), "{line}");
            }
            let without = folder.run(&format!("{verb} {pair} --pose-b 2.5,0,0 --format json"));
            assert_eq!((without.status, without.json().get("envelope")), (Some(0), None), "{pair}");
        }
    }
}

#[test]
fn rows_and_timing_work_for_shapes() {
    let folder = folder("shapes_rows");
    folder.write("rows.csv", "x,y,z\n9,0,0\n1.5,0,0\n0,0,0\n0,9,0\n");
    for pair in ["sphere:1 capsule:1,1", "cone:1,2 cylinder:1,2", "p.obj ellipsoid:1,1,1", "box:2,2,2 p.obj --hull"] {
        for verb in ["overlap", "contacts", "distance", "within --tolerance 0.5", "penetration"] {
            let line = format!("{verb} {pair} --poses rows.csv --format jsonl --timing");
            let (warm, cold) = (folder.run(&line), folder.run(&format!("{line} --cold")));
            assert!(warm.err.starts_with("timing: 4 queries, median ") && warm.status == Some(1), "{line}: {warm:#?}");
            assert_eq!((warm.lines().len(), cold.status), (4, Some(1)), "{line}");
            for (row, again) in warm.lines().iter().zip(cold.lines()) {
                for name in ["index", "overlap", "count", "pairs", "penetrating", "within", "kind"] {
                    assert_eq!(row.get(name), again.get(name), "{line}: {row} {again}");
                }
                for name in ["lower", "upper"] {
                    let number = |answer: &Value| answer.get(name).and_then(Value::as_f64).unwrap_or(0.0);
                    assert!((number(row) - number(&again)).abs() < 1e-9, "{line}: {row} {again}");
                }
            }
        }
    }
}
