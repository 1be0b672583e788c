//! Many poses in one process.

use serde_json::{Value, json};

use crate::files;
use crate::harness::{Folder, Ran, without_stats};

/// Poses from far apart to deep overlap, with all kinds of rotations, the same in every run.
fn walk(rows: u32) -> String {
    let mut text = "x,y,z,qx,qy,qz,qw\n".to_owned();
    for i in 0..rows {
        let t = f64::from(i) * 0.37;
        let r = 4.5 * (0.05 * t).sin();
        let half = [0.3 * t.sin(), 0.5 * (1.3 * t).cos(), 0.2 * (0.7 * t).sin()];
        let w = (1.0 - half.iter().map(|h| h * h).sum::<f64>()).sqrt();
        let [qx, qy, qz] = half;
        text += &format!("{},{},{},{qx},{qy},{qz},{w}\n", r * t.cos(), r * t.sin(), 0.3 * t.sin());
    }
    text
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.obj", files::cube_obj()).write("two.obj", files::two_cubes_obj()).write("walk.csv", walk(300));
    folder.write("clear.csv", "x,y,z\n9,0,0\n-9,0,0\n").write("mixed.csv", "9,0,0\n2,0,0\n0,9,0\n");
    folder.write("bad.csv", "x,y,z\n9,0,0\n2,0,0\n0,nine,0\n0,0,9\n");
    folder
}

#[test]
fn one_answer_a_row_in_every_format() {
    let folder = folder("poses_formats");
    let lines = folder.run("overlap p.obj p.obj --poses mixed.csv --format jsonl");
    assert_eq!((lines.status, lines.err.as_str()), (Some(1), ""));
    let found: Vec<_> = lines.lines().iter().map(|row| (row["index"].clone(), row["overlap"].clone())).collect();
    assert_eq!(found, [(json!(0), json!(false)), (json!(1), json!(true)), (json!(2), json!(false))]);
    let array = folder.run("overlap p.obj p.obj --poses mixed.csv --format json");
    assert_eq!((array.status, array.json()), (Some(1), Value::Array(lines.lines())));
    let text = folder.run("overlap p.obj p.obj --poses mixed.csv");
    let rows: Vec<&str> = text.out.lines().skip(2).map(|line| &line[..12]).collect();
    assert_eq!(rows, ["row 0: clear", "row 1: touch", "row 2: clear"]);
    assert_eq!(folder.run("overlap p.obj p.obj --poses clear.csv").status, Some(0));
}

#[test]
fn a_row_is_the_pose_it_names() {
    let folder = folder("poses_row");
    let rows = folder.run("distance p.obj two.obj --poses walk.csv --format jsonl").lines();
    assert_eq!(rows.len(), 300);
    for index in [0, 7, 123, 299] {
        let pose = walk(300).lines().nth(index + 1).unwrap().to_owned();
        let single = folder.run(&format!("distance p.obj two.obj --pose-b {pose} --format json")).json();
        assert_eq!((&single["lower"], &single["upper"]), (&rows[index]["lower"], &rows[index]["upper"]), "row {index}");
    }
}

/// The fields of an answer that may not depend on the queries before it.
fn decided(ran: &Ran) -> Vec<Value> {
    let keep = ["index", "overlap", "contained", "count", "pairs", "lower", "upper", "penetrating", "within"];
    let only = |answer: Value| {
        let answer = without_stats(answer);
        keep.iter().map(|name| answer.get(name).cloned().unwrap_or_default()).collect()
    };
    ran.lines().into_iter().map(only).collect()
}

/// Bounds may differ by rounding, which their interval covers; nothing else may differ.
fn same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(x, y)| match (x, y) {
            (Value::Array(x), Value::Array(y)) => same(x, y),
            _ => match (x.as_f64(), y.as_f64()) {
                (Some(x), Some(y)) => (x - y).abs() <= 1e-14 * x.abs(),
                _ => x == y,
            },
        })
}

#[test]
fn coherence_changes_no_answer() {
    let folder = folder("poses_cold");
    for verb in ["overlap", "contacts", "distance", "within --tolerance 0.5"] {
        let line = format!("{verb} p.obj two.obj --poses walk.csv --format jsonl");
        let (warm, cold) = (folder.run(&line), folder.run(&format!("{line} --cold")));
        assert_eq!(warm.status, Some(1), "the walk must touch somewhere");
        assert_eq!(warm.status, cold.status, "{verb}");
        assert!(same(&decided(&warm), &decided(&cold)), "{verb}: {:?} {:?}", decided(&warm), decided(&cold));
    }
}

/// A wavy sheet just above a copy of itself: its queries take so long that oriented boxes are fitted for the queries
/// after them.
#[test]
fn threads_change_no_count() {
    let folder = Folder::new("poses_counts");
    let height = |x: usize, y: usize| 0.1 * ((x as f64).sin() + (0.7 * y as f64).cos());
    let corners = (0..40 * 40).map(|i| format!("v {} {} {}\n", i % 40, i / 40, height(i % 40, i / 40)));
    let corner = |x: usize, y: usize| y * 40 + x + 1;
    let cells = (0..39 * 39).map(|i| (i % 39, i / 39)).map(|(x, y)| {
        let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
        format!("f {a} {b} {c}\nf {a} {c} {d}\n")
    });
    folder.write("sheet.obj", corners.chain(cells).collect::<String>());
    let rows: String =
        (0..1200).map(|k| format!("{},0,{}\n", 1e-4 * f64::from(k), 0.02 + 1e-6 * f64::from(k))).collect();
    folder.write("slide.csv", rows);
    for verb in ["overlap", "contacts --limit 3"] {
        let line = format!("{verb} sheet.obj sheet.obj --poses slide.csv --format jsonl");
        let one_thread = folder.run(&format!("{line} --threads 1"));
        assert!(one_thread.out.lines().count() == 1200, "{}", one_thread.err);
        for threads in ["2", "5"] {
            assert!(folder.run(&format!("{line} --threads {threads}")).out == one_thread.out, "{verb}, {threads}");
        }
    }
}

#[test]
fn threads_change_no_byte() {
    let folder = folder("poses_threads");
    // More rows than two threads take in one batch; the last run of rows is not full.
    folder.write("long.csv", walk(1500));
    for verb in ["overlap", "contacts", "distance", "within --tolerance 0.5", "penetration"] {
        for format in ["text", "json", "jsonl"] {
            let line = format!("{verb} p.obj two.obj --poses long.csv --format {format}");
            let one_thread = folder.run(&format!("{line} --threads 1"));
            assert_eq!((one_thread.status, one_thread.err.as_str()), (Some(1), ""));
            for threads in ["", "--threads 2", "--threads 7"] {
                let many = folder.run(&format!("{line} {threads}"));
                assert!(many.status == one_thread.status && many.out == one_thread.out, "{verb}, {format}, {threads}");
            }
        }
    }
    let cold = folder.run("distance p.obj two.obj --poses long.csv --cold --format jsonl");
    assert!(cold.out == folder.run("distance p.obj two.obj --poses long.csv --cold --threads 1 --format jsonl").out);
    for bad in ["0", "-1", "many"] {
        assert_eq!(folder.run(&format!("overlap p.obj p.obj --threads {bad}")).status, Some(2));
    }
}

#[test]
fn a_bad_row_far_down_keeps_every_answer_before_it() {
    let folder = folder("poses_bad_far");
    folder.write("far.csv", walk(1100) + "0,nine,0,0,0,0,1\n");
    for threads in [1, 2, 5] {
        let ran = folder.run(&format!("overlap p.obj p.obj --poses far.csv --format jsonl --threads {threads}"));
        assert_eq!((ran.status, ran.lines().len()), (Some(2), 1101), "{threads} threads");
        assert!(ran.err.contains("far.csv:1102:3: `nine` is not a number"), "{ran:#?}");
        assert_eq!(ran.lines()[1100]["answered"], json!(1100));
    }
}

#[test]
fn timing_goes_to_standard_error() {
    let folder = folder("poses_timing");
    let many = folder.run("overlap p.obj p.obj --poses walk.csv --timing --format jsonl");
    assert_eq!(many.lines().len(), 300);
    let words: Vec<&str> = many.err.split_whitespace().collect();
    let [median, high] = [words[4], words[8]].map(|word| word.parse::<u64>().unwrap());
    assert_eq!(many.err, format!("timing: 300 queries, median {median} ns, 95th percentile {high} ns\n"));
    assert!(0 < median && median <= high);
    let one = folder.run("overlap p.obj p.obj --timing");
    assert!(one.err.starts_with("timing: 1 query, median "), "{one:#?}");
}

#[test]
fn a_bad_row_keeps_the_answers_before_it() {
    let folder = folder("poses_bad_row");
    for format in ["json", "jsonl"] {
        let ran = folder.run(&format!("overlap p.obj p.obj --poses bad.csv --format {format}"));
        assert_eq!(ran.status, Some(2));
        assert!(ran.err.contains("bad.csv:4:3: `nine` is not a number") && ran.err.contains("help: "), "{ran:#?}");
        let rows = if format == "json" { ran.json().as_array().unwrap().clone() } else { ran.lines() };
        assert_eq!((rows.len(), &rows[1]["overlap"]), (3, &json!(true)));
        let mark = json!({"verb": "overlap", "a": "p", "b": "p", "partial": true, "answered": 2});
        assert_eq!(rows[2], mark);
    }
    let text = folder.run("overlap p.obj p.obj --poses bad.csv");
    assert!(text.out.ends_with("\npartial: 2 rows answered\n"), "{text:#?}");
}

#[test]
fn bad_pose_files() {
    let folder = folder("poses_bad_files");
    for (text, words) in [
        ("", &["no poses"][..]),
        ("x,y,z\n", &["no poses"]),
        ("1,2\n", &["bad.csv:1:", "3 or 7 numbers"]),
        ("1;2;3\n", &["bad.csv:1:"]),
        ("x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n", &["bad.csv:1:", "column 4 is named qw"]),
        ("0,0,0,0,0,0,0\n", &["bad.csv:1:", "length 0"]),
        ("\n\n0,0,0,1,0,0,1\n", &["bad.csv:3:", "length 1.41"]),
        ("nan,0,0\n", &["bad.csv:1:", "not finite"]),
        ("0,0,1e300\n", &["bad.csv:1:", "supported"]),
    ] {
        folder.write("bad.csv", text);
        for format in ["text", "json", "jsonl"] {
            let ran = folder.run(&format!("overlap p.obj p.obj --poses bad.csv --format {format}"));
            ran.refused_with_help(words);
        }
    }
    folder.write("bad.csv", [b'1', 0xff, 0xfe, b'\n']);
    folder.run("overlap p.obj p.obj --poses bad.csv").refused_with_help(&["bad.csv:1:", "UTF-8"]);
    folder.write("bad.csv", "1".repeat(1 << 20));
    folder.run("overlap p.obj p.obj --poses bad.csv").refused_with_help(&["bad.csv:1:", "longer than"]);
    folder.run("overlap p.obj p.obj --poses gone.csv").refused_with_help(&["gone.csv"]);
    folder.run("overlap p.obj p.obj --poses .").refused_with_help(&[".: "]);
}
