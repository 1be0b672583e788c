//! OBJ: vertices and polygons, gathered into parts by objects and groups.
//!
//! The file is scanned three times, so that every array is allocated once and exactly: count, vertices, faces. Faces
//! may therefore name vertices that come later. Texture coordinates, normals, materials, lines and points are not
//! looked at, and no file named by `mtllib` or another statement is opened. What would silently lose surface is
//! refused: free-form surfaces, `call`, and statements that OBJ does not know.
//!
//! Written by hand: the errors of `tobj` have no place, it cuts every polygon into a fan, convex or not, and it asks
//! for the material files.

mod face;
mod parts;

use crate::budget::Budget;
use crate::document::Part;
use crate::error::{Fault, MALFORMED, NO_SURFACE};
use crate::text::{Lines, coordinate, integer, quote, tokens};
use glam::DVec3;

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

enum Statement {
    Vertex,
    Face,
    Object,
    Group,
    Ignored,
}

/// A part without a name is named `stem`.
pub(crate) fn read(bytes: &[u8], stem: &str, budget: &mut Budget) -> Result<Vec<Part>, Fault> {
    let counts = count(bytes)?;
    if counts.triangles == 0 {
        let message =
            if counts.vertices == 0 { "the file holds no vertices and no faces" } else { "the file holds no faces" };
        return Err(Fault::at_line(counts.lines, message, NO_SURFACE));
    }
    if counts.vertices > u32::MAX as usize {
        return Err(Fault::new("the file holds more than 2³² vertices", "split the file"));
    }
    let vertices = read_vertices(bytes, counts.vertices, budget)?;
    let faces = face::read(bytes, &vertices, &counts, budget)?;
    parts::gather(vertices, faces, stem, budget)
}

#[derive(Default)]
struct Counts {
    vertices: usize,
    triangles: usize,
    objects: bool,
    lines: u64,
}

fn count(bytes: &[u8]) -> Result<Counts, Fault> {
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
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii();
    if line.is_empty() || line[0] == b'#' {
        return None;
    }
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    Some(line.split_at(end))
}

/// The tokens of a statement up to a comment.
fn numbers(rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    tokens(rest).take_while(|token| token[0] != b'#')
}

fn statement(word: &[u8], line: u64) -> Result<Statement, Fault> {
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

fn read_vertices(bytes: &[u8], count: usize, budget: &mut Budget) -> Result<Vec<DVec3>, Fault> {
    let mut vertices = budget.vec(count)?;
    for (number, line) in Lines::new(bytes) {
        let Some((b"v", rest)) = split(line) else { continue };
        let mut numbers = numbers(rest);
        let mut next = || match numbers.next() {
            Some(token) => coordinate(token, number),
            None => Err(Fault::at_line(number, "a vertex needs three coordinates", MALFORMED)),
        };
        vertices.push(DVec3::new(next()?, next()?, next()?));
    }
    Ok(vertices)
}

/// Whether the first statement is one that OBJ files start with.
pub(crate) fn looks_like_obj(bytes: &[u8]) -> bool {
    let first = Lines::new(bytes).take(1000).find_map(|(_, line)| split(line));
    first.is_some_and(|(word, _)| matches!(word, b"v" | b"vt" | b"vn" | b"o" | b"g" | b"mtllib" | b"usemtl" | b"s"))
}
