//! Each room of the library uses only rooms of lower rank (see `ARCHITECTURE.md`).
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

use std::fs;
use std::path::{Path, PathBuf};

const RANKS: [(&str, u32); 14] = [
    ("math", 0),
    ("answer", 0),
    ("error", 0),
    ("search", 0),
    ("prim", 1),
    ("bound", 1),
    ("planar", 1),
    ("tree", 2),
    ("broad", 2),
    ("model", 3),
    ("narrow", 4),
    ("path", 4),
    ("time", 5),
    ("pair", 6),
];
const WORLD: (&str, u32) = ("world", 7);

fn rank(room: &str) -> Option<u32> {
    RANKS.iter().chain([&WORLD]).find(|(name, _)| *name == room).map(|(_, rank)| *rank)
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The code of a line: no comment, and no documentation.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

/// Every room named as `crate::room` or in `crate::{room, other::…}`.
fn rooms_used(text: &str) -> Vec<String> {
    let code: String = text.lines().map(code).collect::<Vec<_>>().join("\n");
    let mut used = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => used.extend(heads_of_group(group)),
            None => used.push(head(rest)),
        }
    }
    used
}

fn head(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn heads_of_group(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut heads) = (0, 0, Vec::new());
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.push(head(&group[start..i]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.push(head(&group[start..i]));
                start = i + 1;
            }
            _ => {}
        }
    }
    heads
}

#[test]
fn rooms_are_found_in_every_form_of_use() {
    let text = "use crate::tree::Node;\nuse crate::{math::{Pose, x}, prim, answer::{self}};\nlet x = crate::model::Mesh; // crate::world\n/// crate::pair\n mycrate::narrow::y; $crate::motion";
    let mut found = rooms_used(text);
    found.sort();
    assert_eq!(found, ["answer", "math", "model", "prim", "tree"]);
}

#[test]
fn each_room_uses_only_rooms_of_lower_rank() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut broken = Vec::new();
    let mut checked = 0;
    for file in files.iter().filter(|f| **f != root.join("lib.rs")) {
        let inside = file.strip_prefix(&root).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let room = first.trim_end_matches(".rs");
        let Some(own) = rank(room) else {
            broken.push(format!("{} is in no room: give `{room}` a rank", inside.display()));
            continue;
        };
        for used in rooms_used(&fs::read_to_string(file).unwrap()) {
            checked += 1;
            match rank(&used) {
                _ if used == room => {}
                Some(other) if other < own || (own == 0 && other == 0) => {}
                Some(other) => broken.push(format!("{} (rank {own}) uses {used} (rank {other})", inside.display())),
                None => {
                    broken.push(format!("{} uses crate::{used}, which is no room: name the room", inside.display()));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(checked > 10, "only {checked} uses found: the search is broken");
}
