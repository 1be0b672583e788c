//! The rules of the house hold in every crate; `cargo xtask house` prints them with all that breaks them.
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

use std::path::Path;

use xtask::house::{House, Rule};

#[track_caller]
fn holds(rule: Rule) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let broken = House::read(&root).unwrap().broken(rule);
    assert!(broken.is_empty(), "broken in {} places:\n\n{}", broken.len(), broken.join("\n\n"));
}

#[test]
fn no_files_or_rooms_use_one_another_in_a_circle() {
    holds(Rule::NoCircles);
}

#[test]
fn each_room_uses_only_rooms_of_lower_rank() {
    holds(Rule::Ranks);
}

#[test]
fn no_folder_holds_too_many_files() {
    holds(Rule::Folders);
}

#[test]
fn no_file_is_too_long() {
    holds(Rule::Lengths);
}

#[test]
fn a_type_that_others_see_has_a_name_of_its_own() {
    holds(Rule::Names);
}

/// Without the feature `rayon` the library starts no thread and asks no clock, so that it runs where there are none, as
/// in WebAssembly: what could do so is named in one file only, and there behind the feature.
#[test]
fn threads_and_clocks_are_behind_their_feature() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let file = std::fs::read_to_string(&path).unwrap();
            let text = file.split("\n#[cfg(test)]\nmod tests").next().unwrap();
            // The module that the feature switches on as a whole.
            let (before, rest) = text.split_once("\nmod of_rayon {").unwrap_or((text, ""));
            let after = rest.split_once("\n}\n").map_or("", |(_, after)| after);
            let lines: Vec<&str> = before.lines().chain(after.lines()).collect();
            for (k, line) in lines.iter().enumerate() {
                let code = line.split("//").next().unwrap();
                if ["std::thread", "Instant", "SystemTime", "rayon::"].iter().any(|word| code.contains(word)) {
                    let is_behind = k > 0 && lines[k - 1].trim() == "#[cfg(feature = \"rayon\")]";
                    assert!(is_behind, "{}: {line}", path.display());
                    seen += 1;
                }
            }
            assert!(rest.is_empty() || before.ends_with("#[cfg(feature = \"rayon\")]"), "{}", path.display());
        }
    }
    assert!(seen >= 3, "the words looked for are no longer there: {seen}");
}
