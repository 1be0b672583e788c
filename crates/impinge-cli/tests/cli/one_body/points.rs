//! `impinge point`: distances of points from one body.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::files;
use crate::harness::{Folder, without_stats};

/// Whether the signed distance lies between the ends of the row.
fn contains(row: &Value, distance: f64) -> bool {
    let end = |name: &str| row[name].as_f64().unwrap();
    end("lower") <= distance && distance <= end("upper") && end("upper") - end("lower") < 1e-9
}

#[test]
fn one_line_a_row_in_order() {
    let folder = Folder::new("point_rows");
    folder.write("cube.stl", files::cube_stl()).write("p.csv", "x,y,z\n0,0,3\n0.1,0.2,0.3\n\n0.5,0,0\n");
    let ran = folder.run("point box:1,1,1 --points p.csv");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let rows = ran.lines();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().zip([2.5, -0.2, 0.0]).all(|(row, distance)| contains(row, distance)), "{rows:?}");
    assert_eq!([&rows[0]["inside"], &rows[1]["inside"], &rows[2]["inside"]], [false, true, true]);
    assert_eq!(rows[0]["closest"], json!([0.0, 0.0, 0.5]));
    assert_eq!(
        (&rows[2]["lower"], &rows[2]["upper"], &rows[2]["closest"]),
        (&json!(0.0), &json!(0.0), &json!([0.5, 0.0, 0.0]))
    );
    assert_eq!((&rows[0]["feature"]["kind"], &rows[1]["index"]), (&json!("face"), &json!(1)));

    folder.write("far.csv", "3,0,0\n0,9,0\n");
    let ran = folder.run("point cube.stl --points far.csv --surface --format json");
    assert_eq!((ran.status, ran.json().as_array().unwrap().len()), (Some(0), 2));
    assert_eq!(ran.json()[0]["semantics"], "surface");
    let ran = folder.run("point sphere:1 --points far.csv --pose 1,0,0 --units mm --format text");
    assert!(
        ran.out.starts_with("a: sphere:1 (solid shape)\nrow 0: outside, 1 mm away; nearest (2, 0, 0), surface\n"),
        "{}",
        ran.out
    );
}

#[test]
fn all_threads_give_the_same_rows() {
    let folder = Folder::new("point_threads");
    let points: String =
        (0..5000).map(|i| format!("{},{},0.3\n", f64::from(i % 71) * 0.03, f64::from(i % 59) * 0.04)).collect();
    folder.write("cube.stl", files::cube_stl()).write("p.csv", points);
    let one = folder.run("point cube.stl --points p.csv --threads 1");
    assert_eq!(one.lines().len(), 5000);
    assert_eq!(one.out, folder.run("point cube.stl --points p.csv --threads 3").out);
}

#[test]
fn rows_before_a_bad_one_are_answered() {
    let folder = Folder::new("point_bad");
    folder.write("p.csv", "0,0,3\n0,0,4\n1,b,3\n0,0,5\n").write("none.csv", "x,y,z\n");
    let ran = folder.run("point sphere:1 --points p.csv");
    assert_eq!((ran.status, ran.lines().len()), (Some(2), 3));
    assert_eq!(ran.lines()[2], json!({"verb": "point", "a": "sphere:1", "partial": true, "answered": 2}));
    assert!(ran.err.contains("p.csv:3:3: `b` is not a number") && ran.err.contains("help: "), "{}", ran.err);
    folder.run("point sphere:1 --points none.csv").refused_with_help(&["none.csv", "no points"]);
    folder.run("point sphere:1 --points gone.csv").refused_with_help(&["gone.csv"]);
    folder.run("point gone.stl --points p.csv").refused_with_help(&["gone.stl", "no such file"]);
    folder.run("point sphere:1").refused(&["--points"]);
}

#[test]
fn rows_through_a_pipe() {
    let folder = Folder::new("point_pipe");
    let mut child =
        folder.command("point sphere:1 --points -").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"0,0,3\n0,0,0.5\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(output.status.code(), Some(1));
    assert!(contains(&rows[0], 2.0) && contains(&rows[1], -0.5), "{rows:?}");
    let expected = json!({"kind": "surface", "piece": 0});
    assert_eq!(without_stats(rows[1].clone())["feature"], expected);
}
