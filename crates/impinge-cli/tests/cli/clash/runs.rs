//! `impinge clash` as a whole: against brute force, on several threads, and ended early.

use serde_json::{Value, json};

use crate::clash::answers::{boxes_obj, kinds};
use crate::harness::Folder;

type Block = ([f64; 3], [f64; 3]);

/// Boxes on a coarse grid, so that faces are flush, equal and inside each other often.
fn blocks(count: usize) -> Vec<Block> {
    let mut state = 11u64;
    let mut next = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % n) as f64
    };
    let mut block = |most: u64| {
        let mut side = || next(most) + 1.0;
        let sides = [side(), side(), side()];
        ([next(12), next(12), next(12)], sides)
    };
    let mut blocks: Vec<Block> = (0..count - 5).map(|i| block(if i % 6 == 0 { 10 } else { 3 })).collect();
    blocks.extend_from_within(..5);
    blocks
}

/// The clash of two boxes, computed from their intervals along the axes.
fn expected(a: &Block, b: &Block, clearance: f64) -> Option<(&'static str, f64)> {
    let ends = |x: &Block, k: usize| (x.0[k], x.0[k] + x.1[k]);
    let axes: [((f64, f64), (f64, f64)); 3] = std::array::from_fn(|k| (ends(a, k), ends(b, k)));
    let gap = axes.map(|(p, q)| (p.0 - q.1).max(q.0 - p.1));
    let apart = gap.iter().map(|g| g.max(0.0).powi(2)).sum::<f64>().sqrt();
    let depth = gap.iter().fold(f64::INFINITY, |m, g| m.min(-g));
    let inside = |x: usize| {
        axes.iter().all(|(p, q)| {
            let (p, q) = if x == 0 { (p, q) } else { (q, p) };
            q.0 < p.0 && p.1 < q.1
        })
    };
    match () {
        () if a == b => Some(("duplicate", 0.0)),
        () if apart > 0.0 => (apart <= clearance).then_some(("clearance", apart)),
        () if inside(0) || inside(1) => Some(("contained", depth)),
        () if depth > 0.0 => Some(("hard", depth)),
        () => Some(("touch", 0.0)),
    }
}

#[test]
fn random_boxes_against_brute_force() {
    let folder = Folder::new("clash_brute");
    let blocks = blocks(90);
    let names: Vec<String> = (0..blocks.len()).map(|i| format!("b{i:02}")).collect();
    let objects: Vec<(&str, [f64; 3], [f64; 3])> = names.iter().zip(&blocks).map(|(n, b)| (&**n, b.0, b.1)).collect();
    folder.write("m.obj", boxes_obj(&objects));
    let ran = folder.run("clash m.obj --clearance 1.5 --format json");
    let report = ran.json();
    let mut found = report["clashes"].as_array().unwrap().iter();
    let mut counts = [0; 5];
    for i in 0..blocks.len() {
        for j in i + 1..blocks.len() {
            let Some((kind, length)) = expected(&blocks[i], &blocks[j], 1.5) else { continue };
            let clash = found.next().unwrap();
            assert_eq!([&clash["a"], &clash["b"]], [&json!(format!("m/b{i:02}")), &json!(format!("m/b{j:02}"))]);
            assert_eq!(clash["kind"], kind, "{:?} {:?} {clash}", blocks[i], blocks[j]);
            let place = ["duplicate", "contained", "hard", "touch", "clearance"].iter().position(|k| *k == kind);
            counts[place.unwrap()] += 1;
            let name = if kind == "clearance" { "distance" } else { "depth" };
            if kind != "duplicate" {
                let end = |end: &str| clash[name][end].as_f64().unwrap();
                assert!(end("lower") <= length + 1e-12 && length <= end("upper") + 1e-12, "{length} {clash}");
                assert!(kind == "clearance" || clash["depth"]["kind"] == "exact");
            }
        }
    }
    assert!(found.next().is_none());
    assert!(counts.iter().all(|count| *count >= 3), "{counts:?}");
    assert_eq!(report["counts"]["hard"], counts[2]);
}

#[test]
fn threads_give_the_same_bytes() {
    let folder = Folder::new("clash_threads");
    let blocks = blocks(120);
    let names: Vec<String> = (0..blocks.len()).map(|i| format!("b{i}")).collect();
    let objects: Vec<(&str, [f64; 3], [f64; 3])> = names.iter().zip(&blocks).map(|(n, b)| (&**n, b.0, b.1)).collect();
    folder.write("m.obj", boxes_obj(&objects));
    for options in ["--format json --clearance 1", "--format csv", "--format jsonl --limit 70", "--kinds hard"] {
        let one = folder.run(&format!("clash m.obj --threads 1 {options}"));
        for threads in [2, 7] {
            let more = folder.run(&format!("clash m.obj --threads {threads} {options}"));
            assert_eq!((more.status, &more.out), (one.status, &one.out), "{options}, {threads} threads");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new("clash_full");
    folder.write("p.obj", boxes_obj(&[("p", [0.0; 3], [1.0; 3]), ("q", [0.5; 3], [1.0; 3])]));
    for format in ["text", "json", "jsonl", "csv"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = folder.command(&format!("clash p.obj --format {format}")).stdout(full).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains("could not be written"), "{errors}");
    }
}

/// 40 000 copies make 800 million pairs, none of which is listed: the run is still busy with them when it is
/// interrupted.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_valid_report() {
    use std::process::Stdio;
    use std::time::Duration;
    let folder = Folder::new("clash_ctrl_c");
    let mut text = boxes_obj(&[("p", [0.0; 3], [1.0; 3])]);
    let copies = 40_000;
    let faces: String = text.lines().filter(|line| line.starts_with("f ")).map(|line| format!("{line}\n")).collect();
    (1..copies).for_each(|i| text += &format!("o p{i}\n{faces}"));
    folder.write("m.obj", text);
    for (format, wait) in [("json", 3000), ("jsonl", 0), ("csv", 3000), ("text", 500)] {
        let mut command = folder.command(&format!("clash m.obj --kinds hard --format {format}"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Waits until the process has set its handler for Ctrl-C.
        std::thread::sleep(Duration::from_millis(500 + wait));
        let done = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(done.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{format}");
        let out = String::from_utf8(output.stdout).unwrap();
        match format {
            "json" | "jsonl" => {
                let report: Value = serde_json::from_str(&out).unwrap();
                let [verb, partial, stopped] = ["verb", "partial", "stopped"].map(|name| &report[name]);
                assert_eq!([verb, partial, stopped], [&json!("clash"), &json!(true), &json!("interrupted")]);
                assert!(format != "json" || report["clashes"] == json!([]));
            }
            "csv" => assert!(out.lines().count() == 2 && out.contains("\npartial,"), "{out}"),
            _ => assert!(out.contains("partial: interrupted"), "{out}"),
        }
    }
}

/// The run is interrupted while it writes its report to a slow reader: the report is whole all the same.
#[cfg(unix)]
#[test]
fn ctrl_c_does_not_cut_a_report_that_is_being_written() {
    use std::process::Stdio;
    use std::time::Duration;
    let folder = Folder::new("clash_slow_reader");
    let names: Vec<String> = (0..100).map(|i| format!("b{i}")).collect();
    let objects: Vec<_> = names.iter().map(|name| (name.as_str(), [0.0; 3], [1.0; 3])).collect();
    folder.write("m.obj", boxes_obj(&objects));
    for format in ["json", "jsonl", "csv", "text"] {
        let mut command = folder.command(&format!("clash m.obj --format {format}"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The report is larger than the buffer of a pipe, so the process has to wait for the reader.
        std::thread::sleep(Duration::from_millis(1500));
        let done = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(done.success());
        std::thread::sleep(Duration::from_millis(2500));
        let output = child.wait_with_output().unwrap();
        let whole = folder.run(&format!("clash m.obj --format {format}"));
        assert!(whole.out.len() > 200_000, "{}", whole.out.len());
        assert!(String::from_utf8(output.stdout).unwrap() == whole.out, "{format}");
    }
}

#[test]
fn kinds_are_found_whatever_is_left_out() {
    let folder = Folder::new("clash_kinds");
    let unit = [1.0; 3];
    folder.write("m.obj", boxes_obj(&[("p", [0.0; 3], unit), ("q", [0.5; 3], unit), ("r", [1.0, 0.0, 0.0], unit)]));
    let all = kinds(&folder.run("clash m.obj --format json"));
    let hard = kinds(&folder.run("clash m.obj --kinds hard --format json"));
    let touch = kinds(&folder.run("clash m.obj --kinds touch --format json"));
    assert_eq!((all.len(), hard.len(), touch.len()), (3, 2, 1));
    assert!(all.iter().all(|row| hard.contains(row) || touch.contains(row)));
    let idle = folder.run("clash m.obj --kinds clearance");
    assert!(idle.status == Some(0) && idle.err.contains("without --clearance"), "{idle:#?}");
    assert_eq!(folder.run("clash m.obj --kinds clearance --clearance 0.1").err, "");
}
