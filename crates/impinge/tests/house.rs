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
