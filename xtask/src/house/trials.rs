//! Small workspaces whose uses and broken rules are known.

use std::collections::BTreeMap;

use super::building::House;
use super::rules::Rule;
use super::sources::{Package, Sources};

/// A house of the crates `one` and `two`, whose files are named with their folder.
fn house(files: &[(&str, &str)]) -> House {
    let package = |name: &str| Package { name: name.into(), folder: name.into() };
    let texts: BTreeMap<_, _> = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    House::new(Sources { packages: vec![package("one"), package("two")], texts })
}

fn edges(files: &[(&str, &str)]) -> Vec<String> {
    let short = |path: &str| path.replace("one/src/", "").replace("two/src/", "two:");
    house(files).uses.keys().map(|(from, to)| format!("{} > {}", short(from), short(to))).collect()
}

#[test]
fn groups_self_and_super() {
    let files = [
        ("one/src/lib.rs", "mod a; mod b; mod c;"),
        ("one/src/a/mod.rs", "mod x; mod y; mod deep;"),
        ("one/src/a/x.rs", "use super::{y::{self, Y}, deep::z}; use std::fmt; struct X;"),
        ("one/src/a/y.rs", "pub struct Y; use crate::b::B as Other;"),
        ("one/src/a/deep/mod.rs", "pub mod z;"),
        ("one/src/a/deep/z.rs", "fn f() { super::super::super::c::f() }"),
        ("one/src/b.rs", "pub struct B; mod in_file { use super::super::c; fn g() { self::h(); c::f(); } }"),
        ("one/src/c.rs", "pub fn f() {}"),
    ];
    let wanted = ["a/deep/z.rs > c.rs", "a/x.rs > a/deep/z.rs", "a/x.rs > a/y.rs", "a/y.rs > b.rs", "b.rs > c.rs"];
    assert_eq!(edges(&files), wanted);
}

#[test]
fn re_exports_lead_to_the_definition() {
    let files = [
        ("one/src/lib.rs", "mod a; mod b; pub use a::Renamed; pub use a::*;"),
        ("one/src/a/mod.rs", "mod x; mod y; pub use x::X as Renamed; pub(crate) use self::y::*; use y::Y as Hidden;"),
        ("one/src/a/x.rs", "pub struct X; use super::Hidden;"),
        ("one/src/a/y.rs", "pub struct Y; pub fn y() {}"),
        ("one/src/b.rs", "use crate::a::Renamed; fn f() { crate::a::y(); }"),
    ];
    assert_eq!(edges(&files), ["a/x.rs > a/y.rs", "b.rs > a/x.rs", "b.rs > a/y.rs"]);
    let other = ("two/src/main.rs", "use one::{Renamed, Y}; fn main() { one::missing(); }");
    let found = edges(&[&files[..], &[other]].concat());
    assert_eq!(found[3..], ["two:main.rs > a/x.rs", "two:main.rs > a/y.rs"]);
}

#[test]
fn modules_are_followed_by_the_paths_that_begin_with_them() {
    let files = [
        ("one/src/main.rs", "mod a; mod b; fn main() { a::x::f(); }"),
        ("one/src/a/mod.rs", "pub mod x; pub mod y;"),
        ("one/src/a/x.rs", "use super::y; pub fn f() { y::Y::new(); }"),
        ("one/src/a/y.rs", "pub struct Y;"),
        ("one/src/b.rs", "use crate::a; fn f() -> a::y::Y { a::x::f() }"),
    ];
    assert_eq!(edges(&files), ["a/x.rs > a/y.rs", "b.rs > a/x.rs", "b.rs > a/y.rs", "main.rs > a/x.rs"]);
}

#[test]
fn globs_count_for_the_names_that_are_used() {
    let files = [
        ("one/src/lib.rs", "mod a; mod b; mod c; mod d;"),
        ("one/src/a.rs", "pub use crate::b::*; pub use crate::c::C; struct A;"),
        ("one/src/b.rs", "pub struct B; pub use crate::a::*;"),
        ("one/src/c.rs", "pub struct C;"),
        ("one/src/d.rs", "use crate::a::*; fn f(b: B, other: Other) {}"),
    ];
    assert_eq!(edges(&files), ["a.rs > c.rs", "d.rs > b.rs"]);
}

#[test]
fn macros_by_path_by_import_and_from_around() {
    let files = [
        ("one/src/lib.rs", "macro_rules! top { () => { $crate::b::f() } } mod a; mod b; mod c;"),
        (
            "one/src/a.rs",
            "macro_rules! axes { () => {} } pub(crate) use axes; #[macro_export] macro_rules! out { () => {} }",
        ),
        ("one/src/b.rs", "use crate::a::axes; pub fn f() { axes!(); }"),
        ("one/src/c.rs", "fn f() { top!(); vec![crate::a::axes!()]; other!(crate::b::f()); }"),
    ];
    assert_eq!(edges(&files), ["b.rs > a.rs", "c.rs > a.rs", "c.rs > b.rs", "c.rs > lib.rs", "lib.rs > b.rs"]);
}

#[test]
fn files_for_tests_do_not_count() {
    let files = [
        ("one/src/lib.rs", "mod a; mod b; #[cfg(test)] mod trials;"),
        ("one/src/a.rs", "use crate::b::B; struct A; #[cfg(test)] #[path = \"a_trials.rs\"] mod trials;"),
        ("one/src/a_trials.rs", "use super::*;"),
        ("one/src/b.rs", "pub struct B; #[cfg(test)] mod tests { use crate::a; }"),
        ("one/src/trials.rs", "use crate::a; use crate::b;"),
        ("one/tests/t.rs", "use one::a;"),
    ];
    assert_eq!(edges(&files), ["a.rs > b.rs"]);
}

#[test]
fn circles_of_files_are_told_with_their_places() {
    let files = [
        ("one/src/lib.rs", "mod a; mod b; mod c;"),
        ("one/src/a.rs", "\nuse crate::b::B; pub struct A;"),
        ("one/src/b.rs", "pub struct B(crate::c::C);"),
        ("one/src/c.rs", "pub struct C; use super::a::A;"),
    ];
    let text = "3 files use one another in a circle:\n    one/src/a.rs:2 → one/src/b.rs  (crate::b::B)\n    \
                one/src/b.rs:1 → one/src/c.rs  (crate::c::C)\n    one/src/c.rs:1 → one/src/a.rs  (super::a::A)";
    assert_eq!(house(&files).broken(Rule::NoCircles), [text]);
}

#[test]
fn circles_of_rooms_are_found_without_one_of_files() {
    let files = [
        ("one/src/lib.rs", "mod a; mod b;"),
        ("one/src/a/mod.rs", "pub mod deep; pub mod x;"),
        ("one/src/a/deep/mod.rs", "pub mod y;"),
        ("one/src/a/deep/y.rs", "use crate::b::p; struct Y;"),
        ("one/src/a/x.rs", "struct X;"),
        ("one/src/b.rs", "pub mod p; pub mod q;"),
        ("one/src/b/p.rs", "struct P;"),
        ("one/src/b/q.rs", "use crate::a::x; struct Q;"),
    ];
    let broken = house(&files).broken(Rule::NoCircles);
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert!(broken[0].contains("2 rooms of one/src use"), "{broken:?}");
    assert!(broken[0].contains("one/src/a → one/src/b: 1\n    one/src/a/deep/y.rs:1 → one/src/b/p.rs"), "{broken:?}");
    // The files directly in a folder count as one room beside the folders in it.
    let own =
        [files[0], files[1], files[2], ("one/src/a/deep/y.rs", "use super::super::x; struct Y;"), ("one/src/b.rs", "")];
    let up_and_down = [("one/src/a/x.rs", "struct X;"), ("one/src/a/z.rs", "use super::deep::y; struct Z;")];
    let mut all = [&own[..], &up_and_down].concat();
    assert!(house(&all).broken(Rule::NoCircles).is_empty());
    all[1].1 = "pub mod deep; pub mod x; pub mod z;";
    assert_eq!(house(&all).broken(Rule::NoCircles).len(), 1);
}

#[test]
fn ranks_hold_in_the_library() {
    let package = Package { name: "impinge".into(), folder: "crates/impinge".into() };
    let file = |path: &str, text: &str| (format!("crates/impinge/src/{path}"), text.to_owned());
    let files = [
        file("lib.rs", "mod math; mod prim; mod bound; mod attic;"),
        file("math/mod.rs", "pub mod x;"),
        file("math/x.rs", "struct X;"),
        file("prim.rs", "use crate::math::x; use crate::bound; struct P;"),
        file("bound.rs", "struct B;"),
        file("attic.rs", "struct A;"),
    ];
    let house = House::new(Sources { packages: vec![package], texts: files.into() });
    let broken = house.broken(Rule::Ranks);
    assert_eq!(broken.len(), 2, "{broken:?}");
    assert!(broken[0].starts_with("crates/impinge/src/attic.rs has no rank"), "{broken:?}");
    assert!(broken[1].contains("prim.rs (rank 2) uses crates/impinge/src/bound.rs (rank 2)"), "{broken:?}");
}

#[test]
fn full_folders_and_long_files() {
    let names: Vec<String> = (0..16).map(|n| format!("one/tests/t{n:02}.rs")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    files.push(("one/tests/mod.rs", ""));
    assert_eq!(house(&files).broken(Rule::Folders), ["one/tests holds 16 files; at most 15 are allowed"]);
    assert!(house(&files[1..]).broken(Rule::Folders).is_empty());
    let (fits, long) = ("\n".repeat(600), "\n".repeat(601));
    let broken = house(&[("one/src/a.rs", &fits), ("one/src/b.rs", &long)]).broken(Rule::Lengths);
    assert_eq!(broken, ["one/src/b.rs has 601 lines; at most 600 are allowed"]);
}

#[test]
fn names_that_stand_for_two_types() {
    let files = [
        ("one/src/lib.rs", "mod a; mod b; #[cfg(test)] mod c;"),
        (
            "one/src/a.rs",
            "pub struct Two; struct Own; pub enum Each {} #[cfg(x)] pub type C = u8; #[cfg(y)] pub type C = i8;",
        ),
        ("one/src/b.rs", "\npub(crate) trait Two {} pub struct Own; fn Each() {}"),
        ("one/src/c.rs", "pub struct Each;"),
        ("two/src/lib.rs", "pub struct Each;"),
    ];
    let wanted = "`Two` names 2 types of one:\n    one/src/a.rs:1\n    one/src/b.rs:2";
    assert_eq!(house(&files).broken(Rule::Names), [wanted]);
}

#[test]
fn names_of_files_and_folders_are_found() {
    let files = [
        ("one/src/lib.rs", "//! First.\nmod a; mod b;"),
        ("one/src/a.rs", "//! What a is. More.\npub mod b; use crate::b::B; struct A;"),
        ("one/src/a/b.rs", ""),
        ("one/src/b.rs", "pub struct B;"),
        ("two/src/b.rs", ""),
    ];
    let house = house(&files);
    assert_eq!(house.find("a/b"), Ok("one/src/a/b.rs".into()));
    assert_eq!(house.find("one/src/b"), Ok("one/src/b.rs".into()));
    assert_eq!(house.find("src/a/"), Ok("one/src/a".into()));
    assert_eq!(house.find("a.rs"), Ok("one/src/a.rs".into()));
    assert!(house.find("b.rs").is_err_and(|e| e.ends_with("any of these:\n  one/src/b.rs\n  two/src/b.rs")));
    assert!(house.find("x").is_err_and(|e| e.contains("no file or folder")));
    assert!(house.neighbours("one/src/a").contains("one/src/b.rs  (crate::b::B at one/src/a.rs:2)"));
    assert_eq!(house.purposes(Some("one/src/a.rs")), "one/src/a.rs: What a is.\n");
}

#[test]
fn the_map_is_written_between_its_markers() {
    let house = house(&[("one/src/lib.rs", "//! The first.\nmod a;"), ("one/src/a/mod.rs", "")]);
    let document = |map: &str| format!("# T\n{}{map}{}\nend", super::map::BEGIN.to_owned() + "\n", super::map::END);
    let drawn = house.with_map(&document("old\n")).unwrap();
    assert_eq!(drawn, document("```text\none/src 2: The first\n    a/\ntwo/src 0: \n```\n"));
    assert_eq!(house.with_map(&drawn), Ok(drawn.clone()));
    assert!(house.with_map("# T").is_err_and(|e| e.contains("is missing")));
}
