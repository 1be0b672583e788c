//! Small files, and what is read from them.

use super::facts::{Child, Item};
use super::reader::read;

fn paths(text: &str) -> Vec<String> {
    read(text).modules.iter().flat_map(|m| &m.paths).map(|path| path.names.join("::")).collect()
}

fn items(text: &str) -> Vec<String> {
    let said = |item: &Item| format!("{}{} {:?}", if item.visible { "pub " } else { "" }, item.name, item.kind);
    read(text).modules.iter().flat_map(|m| &m.items).map(said).collect()
}

#[test]
fn items_and_who_sees_them() {
    let text = "pub struct A(pub u32); struct B; pub(crate) unsafe trait C {} pub(super) type D = u8; \
                pub(in crate::x) enum E {} pub(self) union F { a: u8 } pub const fn g() { struct Inner; } \
                impl A { pub type X = u8; pub fn y() {} } static mut H: u8 = 0; const _: u8 = 1; macro_rules! m { () => {} }";
    let found = items(text);
    let wanted = "pub A Type, B Type, pub C Type, pub D Type, pub E Type, F Type, pub g Value, H Value, m Macro";
    assert_eq!(found.join(", "), wanted);
}

#[test]
fn paths_in_expressions_types_macros_and_attributes() {
    assert_eq!(
        paths("fn f(x: a::B<c::D>) -> super::E { crate::f::g::<h::I>(x)?.j::<k::L>(); <m::N as o::P>::q() }"),
        ["a::B", "c::D", "super::E", "crate::f::g", "h::I", "k::L", "m::N", "o::P"]
    );
    assert_eq!(paths("fn f() { m!(i => a::b(i)); n::o![p::q]; if x != y {} }"), ["m", "a::b", "n::o", "p::q"]);
    assert_eq!(paths("macro_rules! m { ($x:ident) => { $crate::a::b($x) }; }"), ["crate::a::b"]);
    assert_eq!(paths("struct S { #[arg(value_parser = a::read)] x: u8 }"), ["a::read"]);
    assert!(paths("/// [`a::b`]\nconst X: &str = \"a::b\"; // a::b").is_empty());
}

#[test]
fn what_is_for_tests_is_left_out() {
    let text = "#[cfg(test)]\nmod tests { use super::*; fn f() { a::b(); } }\n\
                #[cfg(all(test, unix))] pub(crate) fn g() -> [u8; 3] { a::b() }\n\
                #[test] fn h() { a::b() }\n#[cfg(test)] use a::b;\n#[cfg(test)] const X: [u8; 2] = { a::b() };\n\
                fn kept() { #[cfg(test)] a::b(); #[cfg(not(test))] c::d(); }\n\
                struct S { #[cfg(test)] x: a::B, y: c::E }\n\
                #[cfg(any(test, feature = \"x\"))] fn i() { c::f() }\n#[inline] #[cfg(test)] #[cold] fn j() { a::b() }\nfn k() { c::g() }";
    assert_eq!(paths(text), ["c::d", "c::E", "c::f", "c::g"]);
    assert!(read(text).modules[0].imports.is_empty());
    assert!(read("#![cfg(test)]\nfn a() { b::c() }").test_only);
    assert!(!read("#![allow(x)]\nfn a() { b::c() }").test_only);
}

#[test]
fn modules_inside_and_outside() {
    let text = "mod a { pub mod b { c::d!(); } e::f!(); }\nmod g;\n#[cfg(test)]\nmod h;\n#[path = \"x/y.rs\"]\npub(crate) mod i;\n\
                #[cfg(test)] #[path = \"z.rs\"] mod j; k::l!();";
    let facts = read(text);
    let inner: Vec<_> =
        facts.modules.iter().map(|m| (m.name.as_str(), m.parent, m.paths[0].names[0].as_str())).collect();
    assert_eq!(inner, [("", None, "k"), ("a", Some(0), "e"), ("b", Some(1), "c")]);
    let child = |name: &str, path: Option<&str>, test_only| Child {
        name: name.into(),
        path: path.map(str::to_owned),
        test_only,
    };
    let wanted = [
        child("g", None, false),
        child("h", None, true),
        child("i", Some("x/y.rs"), false),
        child("j", Some("z.rs"), true),
    ];
    assert_eq!(facts.modules[0].children, wanted);
}

#[test]
fn files_that_only_list() {
    let lists = |text: &str| read(text).modules[0].only_lists();
    assert!(lists(
        "//! Text.\n#[cfg(test)]\nmod a;\npub(crate) mod b;\npub use b::{C, d};\n#[cfg(test)]\nmod tests { fn f() {} }"
    ));
    for code in ["fn f() {}", "impl a::B {}", "m! { x }", "const X: u8 = 0;"] {
        assert!(!lists(code), "{code}");
    }
}

#[test]
fn functions_and_their_lengths() {
    let facts = read(
        "fn a() {\n}\nimpl X {\n fn b(x: [u8; 3],\n  y: fn(u8)) -> [u8; 2] {\n  fn c() {}\n }\n}\ntrait T { fn d(); }",
    );
    let found: Vec<_> = facts.functions.iter().map(|f| (f.name.as_str(), f.line, f.lines)).collect();
    assert_eq!(found, [("a", 1, 2), ("b", 4, 4), ("c", 6, 1)]);
}
