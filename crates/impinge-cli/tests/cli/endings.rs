//! How a run ends early: a reader that leaves, a full disk, Ctrl-C.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::files;
use crate::harness::Folder;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.obj", files::cube_obj());
    folder.write("clear.csv", "9,0,0\n".repeat(50_000)).write("touch.csv", "1,0,0\n".repeat(50_000));
    folder.write("few.csv", "9,0,0\n".repeat(600));
    folder
}

/// Reads one line, closes the pipe, and returns how the process ended.
fn read_one_line(folder: &Folder, line: &str) -> (String, Option<i32>, String) {
    let mut child = folder.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    let mut out = BufReader::with_capacity(64, child.stdout.take().unwrap());
    out.read_line(&mut first).unwrap();
    drop(out);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    (first, child.wait().unwrap().code(), errors)
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = folder("endings_pipe");
    for (line, status) in [
        ("overlap p.obj p.obj --poses clear.csv --format jsonl", 141),
        ("overlap p.obj p.obj --poses clear.csv", 141),
        ("overlap p.obj p.obj --poses clear.csv --format jsonl --threads 3", 141),
        ("overlap p.obj p.obj --poses clear.csv --format jsonl --threads 1", 141),
        // The output is larger than a pipe holds, and the input is read to its end before the reader closes the pipe.
        ("overlap p.obj p.obj --poses few.csv --format jsonl --threads 3", 141),
        ("overlap p.obj p.obj --poses touch.csv --format jsonl", 1),
        ("overlap p.obj p.obj --poses touch.csv --format json", 1),
        ("distance sphere:1 capsule:1,2 --poses clear.csv --format jsonl", 141),
        ("penetration p.obj p.obj --hull --poses touch.csv --format jsonl", 1),
        ("contacts p.obj cone:1,2 --poses clear.csv --format json", 141),
    ] {
        let (first, ended, errors) = read_one_line(&folder, line);
        assert!(!first.is_empty());
        assert_eq!((ended, errors.as_str()), (Some(status), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder("endings_full");
    for line in [
        "overlap p.obj p.obj",
        "overlap p.obj p.obj --poses clear.csv --format json",
        "penetration p.obj sphere:1",
        "info p.obj",
        "info sphere:1",
        "man",
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = folder.command(line).stdout(full).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {errors}");
        assert!(errors.contains("could not be written") && errors.contains("help: "), "{line}: {errors}");
    }
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let done = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_whole_lines() {
    let folder = folder("endings_jsonl");
    let mut command = folder.command("overlap p.obj p.obj --poses - --format jsonl");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    for x in [9, 1] {
        writeln!(input, "{x},0,0").unwrap();
        let row: Value = serde_json::from_str(&out.next().unwrap().unwrap()).unwrap();
        assert_eq!(row["overlap"], x == 1);
    }
    interrupt(&child);
    let last: Value = serde_json::from_str(&out.next().unwrap().unwrap()).unwrap();
    assert_eq!((last["partial"].as_bool(), last["answered"].as_u64()), (Some(true), Some(2)));
    assert!(out.next().is_none());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
}

#[cfg(unix)]
#[test]
fn ctrl_c_closes_the_array() {
    let folder = folder("endings_json");
    let mut command = folder.command("overlap p.obj p.obj --poses - --format json");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut out = child.stdout.take().unwrap();
    // More rows than the output buffer holds: when something arrives, the process is in the middle of its work.
    let rows = "9,0,0\n".repeat(2000);
    input.write_all(rows.as_bytes()).unwrap();
    let mut text = vec![0; 1];
    out.read_exact(&mut text).unwrap();
    interrupt(&child);
    out.read_to_end(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
    let array: Vec<Value> = serde_json::from_slice(&text).unwrap();
    let (mark, answers) = array.split_last().unwrap();
    assert_eq!((mark["partial"].as_bool(), mark["answered"].as_u64()), (Some(true), Some(answers.len() as u64)));
    assert!(answers.iter().enumerate().all(|(i, row)| row["index"].as_u64() == Some(i as u64)));
}
