//! The lines of a file: which statements there are, and how many of each.

use crate::error::{Fault, MALFORMED};
use crate::text::{Lines, integer, quote, tokens};

/// Statements without surface of their own.
const IGNORED: &[&str] = &[
    "vt",
    "vn",
    "vp",
    "p",
    "l",
    "s",
    "mg",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "cstype",
    "deg",
    "bmat",
    "step",
    "curv",
    "curv2",
    "parm",
    "end",
];

/// A kind of line.
pub(super) enum Statement {
    Vertex,
    Face,
    Object,
    Group,
    Ignored,
}

/// What a file holds.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    pub(super) objects: bool,
    pub(super) lines: u64,
}

pub(super) fn count(bytes: &[u8]) -> Result<Counts, Fault> {
    let mut counts = Counts::default();
    let mut started = false;
    for (number, line) in Lines::new(bytes) {
        counts.lines = number;
        let Some((word, rest)) = split(line) else { continue };
        if !started && integer(word).is_some() {
            continue; // some writers put the counts on the first line
        }
        started = true;
        match statement(word, number)? {
            Statement::Vertex => counts.vertices += 1,
            Statement::Face => counts.triangles += numbers(rest).count().saturating_sub(2),
            Statement::Object => counts.objects = true,
            Statement::Group | Statement::Ignored => {}
        }
    }
    Ok(counts)
}

/// Key word and the rest of a line; `None` for blank lines and comments.
pub(super) fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii();
    if line.is_empty() || line[0] == b'#' {
        return None;
    }
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    Some(line.split_at(end))
}

/// The tokens of a statement up to a comment.
pub(super) fn numbers(rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    tokens(rest).take_while(|token| token[0] != b'#')
}

pub(super) fn statement(word: &[u8], line: u64) -> Result<Statement, Fault> {
    match word {
        b"v" => Ok(Statement::Vertex),
        b"f" | b"fo" => Ok(Statement::Face),
        b"o" => Ok(Statement::Object),
        b"g" => Ok(Statement::Group),
        b"surf" => Err(Fault::at_line(line, "the file holds a free-form surface", "tessellate it when exporting")),
        b"call" | b"csh" => {
            Err(Fault::at_line(line, format!("{} is not followed", quote(word)), "write everything into one file"))
        }
        _ if IGNORED.iter().any(|known| known.as_bytes() == word) => Ok(Statement::Ignored),
        _ => Err(Fault::at_line(line, format!("{} is not an OBJ statement", quote(word)), MALFORMED)),
    }
}

/// Whether the first statement is one that OBJ files start with.
pub(crate) fn looks_like_obj(bytes: &[u8]) -> bool {
    let first = Lines::new(bytes).take(1000).find_map(|(_, line)| split(line));
    first.is_some_and(|(word, _)| matches!(word, b"v" | b"vt" | b"vn" | b"o" | b"g" | b"mtllib" | b"usemtl" | b"s"))
}
