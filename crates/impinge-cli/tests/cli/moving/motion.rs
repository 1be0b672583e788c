//! `sweep` and `impact`: motions from poses, from files, and of meshes that deform.

use serde_json::{Value, json};

use crate::files;
use crate::harness::{Folder, without_stats};

fn near(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|x| (x - expected).abs() < 1e-6)
}

/// The time found is not late, and early by at most a millionth.
fn is_time(answer: &Value, expected: f64) -> bool {
    let lower = answer["time"]["lower"].as_f64();
    lower.is_some_and(|t| t <= expected + 1e-12 && expected - t < 1e-6)
}

#[test]
fn impact_of_shapes_as_json() {
    let folder = Folder::new("impact_json");
    let hit = folder.run("impact sphere:1 box:2,2,2 --from-a=-5,0,0 --to-a 5,0,0 --format json");
    assert_eq!(hit.status, Some(1), "{hit:#?}");
    let answer = without_stats(hit.json());
    assert_eq!(
        (&answer["verb"], &answer["hit"], &answer["semantics"]),
        (&json!("impact"), &json!(true), &json!("solid"))
    );
    assert!(is_time(&answer, 0.3), "{answer}");
    assert!(near(&answer["normal"][0], 1.0) && near(&answer["points"][0][0], -1.0), "{answer}");
    let names = ["certain", "separating", "features", "leaves"];
    assert!(names.iter().all(|name| answer.get(name).is_some()), "{answer}");

    let clear = folder.run("impact sphere:1 box:2,2,2 --from-a=-5,3,0 --to-a 5,3,0 --format json");
    assert_eq!(clear.status, Some(0));
    let expected = json!({"verb": "impact", "a": "sphere:1", "b": "box:2,2,2", "semantics": "solid", "index": 0,
        "hit": false, "time": null, "certain": true, "separating": false, "points": null, "features": null,
        "normal": null, "leaves": null});
    assert_eq!(without_stats(clear.json()), expected);
}

#[test]
fn impact_as_text() {
    let folder = Folder::new("impact_text");
    let hit = folder.run("impact box:2,2,2 box:2,2,2 --from-a=-5,0,0 --to-a 5,0,0 --from-b 5,0,0 --to-b=-5,0,0");
    assert_eq!(hit.status, Some(1), "{hit:#?}");
    assert!(hit.out.contains("\nimpact at 0.4"), "{hit:#?}");
    let clear = folder.run("impact box:2,2,2 box:2,2,2 --pose-b 5,0,0 --to-a 2,0,0");
    assert_eq!((clear.status, clear.out.lines().last()), (Some(0), Some("clear: they do not touch")), "{clear:#?}");
}

#[test]
fn every_contact_and_every_method() {
    let folder = Folder::new("impact_all");
    folder.write("there_and_back.csv", "0,-5,0,0\n1,5,0,0\n2,-5,0,0\n");
    let line = "impact sphere:1 box:2,2,2 --motion-a there_and_back.csv";
    let answer = folder.run(&format!("{line} --all --format json")).json();
    let spans: Vec<f64> = answer["contacts"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|span| [&span["begins"]["upper"], &span["ends"]["lower"]].map(|t| t.as_f64().unwrap()))
        .collect();
    let expected = [0.3, 0.7, 1.3, 1.7];
    assert!(spans.len() == 4 && spans.iter().zip(expected).all(|(t, e)| (t - e).abs() < 1e-5), "{answer}");
    assert!(near(&answer["leaves"]["lower"], 0.7), "{answer}");
    let text = folder.run(&format!("{line} --all"));
    assert!(text.out.contains("\n  in contact from 1.3"), "{text:#?}");
    for method in ["auto", "advancement", "by-speed", "bisection"] {
        let ran = folder.run(&format!("{line} --impact-method {method} --format json"));
        assert!(ran.json()["time"]["upper"].as_f64().is_some_and(|t| (t - 0.3).abs() < 1e-3), "{method}: {ran:#?}");
    }
    let early = folder.run(&format!("{line} --tolerance 0.5 --format json")).json();
    assert!(early["time"]["lower"].as_f64().is_some_and(|t| t <= 0.25 + 1e-9), "{early}");
}

#[test]
fn sweep_of_shapes() {
    let folder = Folder::new("sweep_shapes");
    let line = "sweep sphere:1 box:2,2,2 --from-a=-5,3,0 --to-a 5,3,0";
    let ran = folder.run(&format!("{line} --format json"));
    assert_eq!(ran.status, Some(0), "{ran:#?}");
    let answer = without_stats(ran.json());
    let (lower, upper) = (answer["lower"].as_f64().unwrap(), answer["upper"].as_f64().unwrap());
    assert!(lower <= 1.0 + 1e-12 && 1.0 <= upper + 1e-12 && upper - lower < 1e-6, "{answer}");
    assert_eq!((&answer["penetrating"], answer.get("within"), answer.get("pairs")), (&json!(false), None, None));
    assert!(answer["time"].as_f64().is_some_and(|t| (0.4..=0.6).contains(&t)), "{answer}");
    for (within, status) in [("1.5", 1), ("0.5", 0)] {
        let ran = folder.run(&format!("{line} --within {within} --format json"));
        assert_eq!((ran.status, &ran.json()["within"]), (Some(status), &json!(status == 1)), "{ran:#?}");
    }
    let text = folder.run(line);
    assert!(text.out.contains("\ndistance 1 at "), "{text:#?}");
    let touching = folder.run("sweep sphere:1 box:2,2,2 --from-a=-5,1,0 --to-a 5,1,0");
    assert_eq!(touching.status, Some(1));
    assert!(touching.out.contains("distance 0: touching at "), "{touching:#?}");
}

#[test]
fn sweep_lists_pairs_and_takes_methods() {
    let folder = Folder::new("sweep_pairs");
    folder.write("p.obj", files::cube_obj()).write("two.obj", files::two_cubes_obj());
    let all = folder.run("sweep p.obj two.obj --from-a=-5,3,0 --to-a 5,3,0 --within 1 --all --format json").json();
    let pairs = all["pairs"].as_array().unwrap();
    let of = |first: u64, end: u64| pairs.iter().any(|p| (first..end).contains(&p["pair"][1].as_u64().unwrap()));
    assert!(all["complete"] == true && of(0, 12) && of(12, 24), "both cubes are passed: {all}");
    // A blade makes a quarter turn past a box; each method bounds its motion in another way.
    let line = "sweep box:4,0.25,0.25 box:1,1,1 --to-a 0,0,0,0,0,0.7071067811865476,0.7071067811865476 --pose-b 2,2,0";
    for method in ["auto", "simple", "tangent-hull", "chord-bulge", "by-speed"] {
        let ran = folder.run(&format!("{line} --sweep-method {method} --tolerance 1e-4 --format json"));
        let answer = ran.json();
        let truth = 8f64.sqrt() - 0.5f64.sqrt() - 2.0;
        let (lower, upper) = (answer["lower"].as_f64().unwrap(), answer["upper"].as_f64().unwrap());
        assert!(lower <= truth + 0.01 && upper >= truth - 0.01, "{method}: {answer}");
    }
}

#[test]
fn rows_are_ends_of_b() {
    let folder = Folder::new("motion_rows");
    folder.write("ends.csv", "x,y,z\n5,0,0\n-5,5,0\n-3,0,0\n");
    for verb in ["impact", "sweep"] {
        let ran = folder.run(&format!("{verb} box:2,2,2 sphere:1 --from-b=-5,0,0 --poses ends.csv --format jsonl"));
        assert_eq!(ran.status, Some(1), "{ran:#?}");
        let rows = ran.lines();
        let hits: Vec<bool> = rows.iter().map(|row| row["hit"] == true || row["penetrating"] == true).collect();
        assert_eq!(hits, [true, false, false], "{ran:#?}");
        assert_eq!(rows[2]["index"], 2);
    }
}

#[test]
fn motions_from_files() {
    let folder = Folder::new("motion_files");
    // One body moves down past the box at x = 5 and then left into it; another turns on the spot.
    folder.write("path.csv", "t,x,y,z\n0,5,9,0\n2,5,0,0\n6,-3,0,0\n");
    folder.write("turn.csv", "0,0,0,0,0,0,0,1\n1,0,0,0,0,0,0.7071067811865476,0.7071067811865476\n");
    let hit = folder.run("impact box:2,2,2 sphere:1 --motion-b path.csv --format json");
    assert_eq!(hit.status, Some(1), "{hit:#?}");
    assert!(is_time(&hit.json(), 3.5), "{hit:#?}");
    let both = folder.run("impact box:2,2,2 sphere:1 --motion-b path.csv --motion-a turn.csv --format json");
    assert!(is_time(&both.json(), 3.5), "{both:#?}");
    let near = folder.run("sweep box:2,2,2 sphere:1 --motion-b path.csv --pose-a 0,0,9 --format json").json();
    assert!(near["upper"].as_f64().is_some_and(|d| (d - 7.0).abs() < 1e-6), "{near}");
    // A body that moves between two poses arrives at time 1 and stays there.
    let mixed = folder.run("impact box:2,2,2 sphere:1 --motion-b path.csv --to-a 0,1.5,0 --format json");
    assert!(mixed.json()["time"]["lower"].as_f64().is_some_and(|t| t > 3.5 && t < 3.7), "{mixed:#?}");
}

fn scaled(text: &str, by: f64, shift: f64) -> String {
    let vertex = |line: &str| {
        let x: Vec<f64> = line.split_whitespace().skip(1).map(|x| x.parse().unwrap()).collect();
        format!("v {} {} {}", x[0] * by + shift, x[1], x[2])
    };
    text.lines().map(|line| if line.starts_with("v ") { vertex(line) } else { line.to_owned() } + "\n").collect()
}

#[test]
fn meshes_that_deform() {
    let folder = Folder::new("motion_deform");
    folder.write("p.obj", files::cube_obj()).write("wide.obj", scaled(&files::cube_obj(), 5.0, 0.0));
    let line = "impact p.obj p.obj --end-a wide.obj --format json";
    let hit = folder.run(&format!("{line} --pose-b 4,0.25,0.125"));
    assert_eq!(hit.status, Some(1), "{hit:#?}");
    let answer = hit.json();
    assert!(is_time(&answer, 0.5) && near(&answer["normal"][0], 1.0), "{answer}");
    assert_eq!(folder.run(&format!("{line} --pose-b 7,0,0")).status, Some(0));
    let leaving = folder.run(&format!("{line} --from-b 4,0.25,0.125 --to-b 9,0.25,0.125"));
    assert_eq!(leaving.status, Some(0), "it goes as fast: {leaving:#?}");
    let coarse = folder.run(&format!("{line} --pose-b 4,0.25,0.125 --tolerance 0.001"));
    assert!(coarse.json()["time"]["lower"].as_f64().is_some_and(|t| t <= 0.5 && t > 0.49), "{coarse:#?}");
    let at_once = folder.run(&format!("{line} --pose-b 2,0,0"));
    assert_eq!(at_once.json()["time"], json!({"lower": 0.0, "upper": 0.0}));
    // They meet where 1 + 4t = 1.5, and part where 8t + 0.125 − 1 = 1.
    let through = folder.run(&format!("{line} --from-b 2.5,0.25,0.125 --to-b 2.5,0.25,8.125")).json();
    let ends = [&through["time"]["lower"], &through["leaves"]["lower"], &through["leaves"]["upper"]];
    assert!(near(ends[0], 0.125) && near(ends[1], 1.875 / 8.0) && near(ends[2], 1.875 / 8.0), "{through}");
    let text = folder.run("impact p.obj p.obj --end-a wide.obj --from-b 2.5,0.25,0.125 --to-b 2.5,0.25,8.125");
    assert!(text.out.contains("they part at 0.234375"), "{text:#?}");
    let boxes = folder.run("impact p.obj box:2,2,2 --end-a wide.obj --pose-b 4,0.25,0.125 --format json");
    assert!(is_time(&boxes.json(), 0.5), "{boxes:#?}");
    // The bodies are 2 apart at the start, and never nearer.
    let apart = "impact p.obj p.obj --end-a p.obj --pose-b 4,0,0 --format json";
    assert_eq!([2.5, 1.5].map(|d| folder.run(&format!("{apart} --tolerance {d}")).status), [Some(1), Some(0)]);
    let all = folder.run(&format!("{line} --from-b 2.5,0.25,0.125 --to-b 2.5,0.25,8.125 --all")).json();
    let contacts = all["contacts"].as_array().unwrap();
    assert!(contacts.len() == 1 && near(&contacts[0]["ends"]["lower"], 1.875 / 8.0), "{all}");
}

/// Where a time is known only within wide bounds, both bounds are printed. Here a body lies flat on another, turns, and
/// slides off.
#[test]
fn wide_intervals_are_told_by_their_ends() {
    let folder = Folder::new("motion_wide");
    let line = "impact cylinder:1,1 cylinder:1,1 --from-a 0,0,1 --to-a=5,0,1,0,0,0.7071067811865476,0.7071067811865476";
    let text = folder.run(&format!("{line} --all"));
    assert!(text.out.contains("\n  they part between 0 and 0.4"), "{text:#?}");
    assert!(text.out.contains("in contact from 0 to between 0 and 0.4"), "{text:#?}");
}

#[test]
fn meshes_that_deform_past_each_other() {
    let folder = Folder::new("motion_deform_sweep");
    // One cube grows to five times its length under another that comes down and goes away; both have sides of 2.
    folder.write("p.obj", files::cube_obj()).write("wide.obj", scaled(&files::cube_obj(), 5.0, 0.0));
    let line = "sweep p.obj p.obj --end-a wide.obj --format json";
    let clear = folder.run(&format!("{line} --pose-b 4,0,2.5"));
    assert_eq!(clear.status, Some(0), "{clear:#?}");
    let answer = clear.json();
    assert!(near(&answer["lower"], 0.5) && near(&answer["upper"], 0.5), "{answer}");
    assert!(answer["time"].as_f64().is_some_and(|t| (0.5..=1.0).contains(&t)), "{answer}");
    assert!(near(&answer["points"][0][2], 1.0) && near(&answer["points"][1][2], 1.5), "{answer}");
    assert_eq!((&answer["verb"], &answer["penetrating"]), (&json!("sweep"), &json!(false)));
    let both = folder.run(&format!("{line} --end-b wide.obj --from-b 12,0,2.5 --to-b 22,0,0"));
    let answer = both.json();
    assert!(answer["lower"].as_f64().is_some_and(|d| d > 9.0 && d < 11.0), "{answer}");
    let met = folder.run(&format!("{line} --pose-b 4,0.25,0.125"));
    assert_eq!(met.status, Some(1), "{met:#?}");
    assert_eq!((&met.json()["lower"], &met.json()["upper"]), (&json!(0.0), &json!(0.0)));
    assert!(near(&met.json()["time"], 0.5), "{met:#?}");
    let at_once = folder.run(&format!("{line} --pose-b 1,0,0")).json();
    assert_eq!(
        (&at_once["upper"], &at_once["time"], &at_once["penetrating"]),
        (&json!(0.0), &json!(0.0), &json!(true))
    );
    for (within, status) in [("0.4", 0), ("0.6", 1)] {
        let asked = folder.run(&format!("{line} --pose-b 4,0,2.5 --within {within}"));
        assert_eq!(asked.status, Some(status), "{asked:#?}");
        assert_eq!(asked.json()["within"], json!(status == 1), "{asked:#?}");
    }
    let text = folder.run("sweep p.obj p.obj --end-a wide.obj --pose-b 4,0,2.5");
    assert!(text.out.contains("distance 0.5 at"), "{text:#?}");
}

#[test]
fn timing_is_told() {
    let folder = Folder::new("motion_timing");
    for verb in ["sweep", "impact"] {
        let ran = folder.run(&format!("{verb} sphere:1 sphere:1 --pose-b 5,0,0 --to-a 1,0,0 --timing"));
        assert_eq!(ran.status, Some(0));
        assert!(ran.err.contains("ns"), "{ran:#?}");
    }
}

/// The least distance of bodies that run through each other is 0, although the first time that the search found is one
/// at which they only just touch; the exit status has to say the same.
#[test]
fn a_sweep_through_a_body_is_not_clear() {
    let folder = Folder::new("sweep_through");
    let ways = [
        ("box:1,2,3 box:1,2,3", "2.9,0.5,2.2", "-1.8,-3,1.9"),
        ("box:2,2,2 sphere:0.5", "-3,0.5,0.25", "3,0.5,0.25"),
        ("box:1,2,3 box:1,2,3", "2,0,0", "1,0,0"),
    ];
    for (bodies, from, to) in ways {
        let ran = folder.run(&format!("sweep {bodies} --from-b={from} --to-b={to} --format json"));
        let answer = ran.json();
        assert_eq!((ran.status, &answer["penetrating"]), (Some(1), &json!(true)), "{bodies} {answer}");
        assert_eq!((&answer["lower"], &answer["upper"]), (&json!(0.0), &json!(0.0)), "{bodies} {answer}");
    }
    // A method that cannot decide says so; its answer is not taken for "clear".
    let open = folder.run(
        "sweep segment:0.9,0,0,1,0,0 point:0.95,0,0 --from-a=0,0,0,0,0,-0.5,0.8660254037844386 \
                           --to-a=0,0,0,0,0,0.5,0.8660254037844386 --sweep-method simple",
    );
    assert_eq!(open.status, Some(1), "{open:#?}");
    assert!(open.out.contains("touch"), "{open:#?}");
}

#[test]
fn bisection_is_not_certain_of_what_it_does_not_see() {
    let folder = Folder::new("bisection");
    let line = "impact sphere:0.01 box:0.001,2,2 --from-a=-3,0,0 --to-a=300,0,0 --format json";
    let sampled = folder.run(&format!("{line} --impact-method bisection")).json();
    assert_eq!((&sampled["hit"], &sampled["certain"]), (&json!(false), &json!(false)), "{sampled}");
    let found = folder.run(line).json();
    assert_eq!((&found["hit"], &found["certain"]), (&json!(true), &json!(true)), "{found}");
}
